//! The board's needs beyond the vectors of the crate `wide`.
//!
//! AVX-512 generates all moves of a piece at once; `portable` gives the same results on every processor.

#[cfg(avx512)]
pub mod avx512;
pub mod portable;

#[cfg(avx512)]
pub use avx512 as native;
#[cfg(not(avx512))]
pub use portable as native;
