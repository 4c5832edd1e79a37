//! Ctrl-C as an event in place of the end of the program.

use std::io;

/// Calls a function at each SIGINT, on a thread of its own. Threads inherit what is blocked, so that
/// those that are started later do not die of it either.
#[cfg(unix)]
pub fn on_interrupt(mut act: impl FnMut() + Send + 'static) -> io::Result<()> {
    use std::mem::MaybeUninit;
    use std::ptr;
    use std::thread::Builder;

    let mut signals = MaybeUninit::uninit();
    // SAFETY: the set is made before it is used, and the mask is this thread's.
    let (signals, blocked) = unsafe {
        libc::sigemptyset(signals.as_mut_ptr());
        libc::sigaddset(signals.as_mut_ptr(), libc::SIGINT);
        let signals = signals.assume_init();
        (signals, libc::pthread_sigmask(libc::SIG_BLOCK, &signals, ptr::null_mut()))
    };
    if blocked != 0 {
        return Err(io::Error::from_raw_os_error(blocked));
    }
    let wait = move || {
        let mut signal = 0;
        // SAFETY: both are whole, and the signal is blocked.
        while unsafe { libc::sigwait(&signals, &mut signal) } == 0 {
            act();
        }
    };
    Builder::new().name("interrupts".to_string()).spawn(wait).map(drop)
}

/// The line editor reads Ctrl-C as a key.
#[cfg(not(unix))]
pub fn on_interrupt(_: impl FnMut() + Send + 'static) -> io::Result<()> {
    Ok(())
}
