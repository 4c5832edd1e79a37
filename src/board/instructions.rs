//! What the board asks of an instruction set beyond the vectors of the crate `wide`.
//!
//! AVX-512 goes its own way, all moves of a piece at once; `portable` does the same on every processor.

#[cfg(avx512)]
pub mod avx512;
pub mod portable;

#[cfg(avx512)]
pub use avx512 as native;
#[cfg(not(avx512))]
pub use portable as native;
