//! Signals: Ctrl-C becomes an event, and the terminal's modes are restored however the program ends.

use std::io;

/// Restores the terminal's modes when it is dropped.
pub struct GivesBack(#[cfg(unix)] Option<unix::Modes>);

impl Drop for GivesBack {
    fn drop(&mut self) {
        #[cfg(unix)]
        self.0.iter().for_each(unix::Modes::give_back);
    }
}

/// Calls a function at each SIGINT, on a thread of its own. SIGINT is blocked in this thread and in those
/// that it starts later. Other signals end or stop the program as usual, after the terminal's modes are
/// restored.
#[cfg(unix)]
pub fn on_interrupt(act: impl FnMut() + Send + 'static) -> io::Result<GivesBack> {
    let modes = unix::Modes::now();
    unix::wait_for_signals(act, modes)?;
    Ok(GivesBack(modes))
}

/// The line editor reads Ctrl-C as a key.
#[cfg(not(unix))]
pub fn on_interrupt(_: impl FnMut() + Send + 'static) -> io::Result<GivesBack> {
    Ok(GivesBack())
}

#[cfg(unix)]
mod unix {
    use std::io;
    use std::mem::MaybeUninit;
    use std::ptr;
    use std::thread::{Builder, sleep};
    use std::time::Duration;

    /// The modes of the terminal at standard input.
    #[derive(Clone, Copy)]
    pub struct Modes(libc::termios);

    impl Modes {
        /// The current modes, if standard input is a terminal.
        pub fn now() -> Option<Modes> {
            let mut modes = MaybeUninit::uninit();
            // SAFETY: the call fills them if it succeeds.
            unsafe {
                let is_terminal = libc::tcgetattr(libc::STDIN_FILENO, modes.as_mut_ptr()) == 0;
                is_terminal.then(|| Modes(modes.assume_init()))
            }
        }

        /// The line editor's modes, while it is editing a line.
        fn of_editor() -> Option<Modes> {
            Modes::now().filter(|now| now.0.c_lflag & libc::ICANON == 0)
        }

        /// Sets these modes in place of the line editor's, and ends bracketed paste.
        pub fn give_back(&self) {
            const NO_MARKED_PASTE: &[u8] = b"\x1b[?2004l";
            if Modes::of_editor().is_some() && self.set() {
                let (text, length) = (NO_MARKED_PASTE.as_ptr().cast(), NO_MARKED_PASTE.len());
                // SAFETY: the text is readable for its length.
                unsafe { libc::write(libc::STDOUT_FILENO, text, length) };
            }
        }

        /// Sets the modes, and returns whether that worked. The system stops a background process that tries.
        fn set(&self) -> bool {
            // SAFETY: the modes are initialised.
            unsafe {
                libc::tcgetpgrp(libc::STDIN_FILENO) == libc::getpgrp()
                    && libc::tcsetattr(libc::STDIN_FILENO, libc::TCSANOW, &self.0) == 0
            }
        }
    }

    const SIGNALS: [i32; 6] =
        [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT, libc::SIGTSTP, libc::SIGCONT];

    /// The editor passes Ctrl-Z on, and sets its modes again before the program stops.
    const EDITOR_TAKES: Duration = Duration::from_millis(20);

    pub fn wait_for_signals(
        mut act: impl FnMut() + Send + 'static,
        modes: Option<Modes>,
    ) -> io::Result<()> {
        let signals = set_of(&SIGNALS);
        match mask(libc::SIG_BLOCK, &signals) {
            0 => {}
            error => return Err(io::Error::from_raw_os_error(error)),
        }
        let wait = move || {
            let mut of_editor = None;
            let mut signal = 0;
            // SAFETY: both are initialised, and the signals are blocked.
            while unsafe { libc::sigwait(&signals, &mut signal) } == 0 {
                match signal {
                    libc::SIGINT => act(),
                    libc::SIGCONT => {
                        if of_editor.take_if(|modes: &mut Modes| modes.set()).is_some() {
                            // The editor redraws its line. SAFETY: the signal only runs the editor's handler,
                            // if any.
                            unsafe { libc::raise(libc::SIGWINCH) };
                        }
                    }
                    _ => {
                        if signal == libc::SIGTSTP {
                            sleep(EDITOR_TAKES);
                        }
                        of_editor = Modes::of_editor();
                        modes.iter().for_each(Modes::give_back);
                        mask(libc::SIG_UNBLOCK, &set_of(&[signal]));
                        // SAFETY: raising a signal with its default action is sound.
                        unsafe { libc::raise(signal) };
                        mask(libc::SIG_BLOCK, &signals);
                    }
                }
            }
        };
        Builder::new().name("signals".to_string()).spawn(wait).map(drop)
    }

    fn set_of(signals: &[i32]) -> libc::sigset_t {
        let mut set = MaybeUninit::uninit();
        // SAFETY: the set is initialised before it is used.
        unsafe {
            libc::sigemptyset(set.as_mut_ptr());
            for &signal in signals {
                libc::sigaddset(set.as_mut_ptr(), signal);
            }
            set.assume_init()
        }
    }

    fn mask(how: i32, signals: &libc::sigset_t) -> i32 {
        // SAFETY: the set is initialised, and the mask is this thread's own.
        unsafe { libc::pthread_sigmask(how, signals, ptr::null_mut()) }
    }
}
