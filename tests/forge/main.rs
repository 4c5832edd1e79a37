//! The workshop, as its user sees it.

mod games;
mod tool;
