//! `zebu board`: the page, served on the loopback address.

use std::io::{self, Write};

use crossbeam_channel::bounded;

use super::kept::{Kept, new_key};
use super::server;
use super::tabs::Input;
use super::voice::Voice;
use crate::config;
use crate::player::Options;

pub use super::server::PORT;

/// The largest file of games that is named at the start.
pub const MOST_FILE: u64 = 1 << 30;

/// Questions and events that wait to be heard.
const MOST_INPUTS: usize = 256;

/// Serves the board until the program is interrupted. Tells where it is, and what is wrong.
pub fn talk(
    options: &Options,
    games: Option<Vec<u8>>,
    port: u16,
    opens_browser: bool,
    complain: impl Fn(&str),
) -> io::Result<()> {
    // What it writes is for its owner alone.
    #[cfg(unix)]
    // SAFETY: it changes the mode of new files alone.
    unsafe {
        libc::umask(0o077)
    };
    let listener = server::listen(port)?;
    let port = listener.local_addr()?.port();
    let (kept, problem) = Kept::load(config::folder().map(|folder| folder.join("board")));
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
    if let Err(error) = ctrlc::set_handler(move || drop(end.send(Input::End))) {
        complain(&format!("Ctrl-C ends it at once: {error}"));
    }
    let once = new_key();
    server::serve(listener, key, once.clone(), sender)?;
    writeln!(io::stdout(), "The board is at {address}\nCtrl-C ends it.")?;
    // Others can read with what a browser is started.
    let first = format!("http://127.0.0.1:{port}/{once}/");
    if opens_browser && let Err(error) = open::that_detached(first) {
        complain(&format!("no browser opened, so open the address in one: {error}"));
    }
    voice.run();
    Ok(())
}
