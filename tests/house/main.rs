//! What holds of the source, its documents and dependencies, and on which processors a build runs.

mod dependencies;
mod documents;
mod imports;
mod processor;

#[path = "../shared/skip.rs"]
mod skip;
