//! What the system gives, and what comes from outside.

/// Files that users name.
pub mod files;
/// Lines of bounded length.
pub mod lines;
/// Settings of the allocator.
#[cfg(not(target_family = "wasm"))]
pub mod memory;
/// Checks at start that the processor fits the build.
#[cfg(target_arch = "x86_64")]
mod processor;
/// A bounded queue of waiting commands.
pub mod queue;
/// Untrusted text.
pub mod text;
/// Clocks.
pub mod time;
/// The services of a web page that runs the engine.
#[cfg(target_family = "wasm")]
pub mod wasm;

/// The faster build for this machine, if there is one.
pub fn advice() -> Option<String> {
    if cfg!(debug_assertions) {
        let text = "this is a debug build, about 90 times slower: cargo build --release";
        return Some(text.to_string());
    }
    #[cfg(target_arch = "x86_64")]
    return processor::advice();
    #[cfg(not(target_arch = "x86_64"))]
    None
}

/// Makes a panic in any thread end the program, since nobody would take over that thread's work.
pub fn end_on_panic() {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        tell(panic);
        std::process::abort()
    }));
}
