//! The search: what it claims is proven, and what threads write at once is never mixed up.

mod solver;
mod table;
