//! Checks of the source, its documents and dependencies, and of the processors that a build accepts.

mod dependencies;
mod documents;
mod imports;
mod processor;

#[path = "../shared/skip.rs"]
mod skip;
