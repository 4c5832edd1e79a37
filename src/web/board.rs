//! `zebu board`: the page, served on the loopback address.

use std::io::{self, Write};

use crossbeam_channel::bounded;

use super::kept::{SavedState, new_key};
use super::server;
use super::tabs::TabEvent;
use super::voice::Voice;
use engine::config;
use engine::player::Options;

pub use super::server::PORT;

/// The size limit of a file of games on the command line.
pub const MOST_FILE: u64 = 1 << 30;

/// The capacity of the channel of questions and events.
const MOST_INPUTS: usize = 256;

/// Serves the board until the program is interrupted. Prints its address and any problem.
pub fn talk(
    options: &Options,
    games: Option<Vec<u8>>,
    port: u16,
    opens_browser: bool,
    complain: impl Fn(&str),
) -> io::Result<()> {
    // Only the owner can read the files that the board writes.
    #[cfg(unix)]
    // SAFETY: umask only changes the mode of new files.
    unsafe {
        libc::umask(0o077)
    };
    let listener = server::listen(port)?;
    let port = listener.local_addr()?.port();
    let (kept, problem) = SavedState::load(config::folder().map(|folder| folder.join("board")));
    problem.iter().for_each(|problem| complain(problem));
    let address = format!("http://127.0.0.1:{port}/{}/", kept.key());
    let (sender, inputs) = bounded(MOST_INPUTS);
    let key = kept.key().to_string();
    let (mut voice, problems) = Voice::new(options, inputs, kept);
    problems.iter().for_each(|problem| complain(problem));
    if let Some(games) = games {
        voice.add(&games, 0, 0).broken.iter().for_each(|problem| complain(problem));
    }
    let end = sender.clone();
    if let Err(error) = ctrlc::set_handler(move || drop(end.send(TabEvent::End))) {
        complain(&format!("Ctrl-C ends it at once: {error}"));
    }
    let once = new_key();
    server::serve(listener, key, once.clone(), sender)?;
    writeln!(io::stdout(), "The board is at {address}\nCtrl-C ends it.")?;
    // Other users can read a program's arguments, so the browser gets a key that serves once.
    let first = format!("http://127.0.0.1:{port}/{once}/");
    if opens_browser && let Err(error) = open::that_detached(first) {
        complain(&format!("no browser opened, so open the address in one: {error}"));
    }
    voice.run();
    Ok(())
}
