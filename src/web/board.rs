//! `zebu board`: the page, served on the loopback address.

use std::io::{self, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use crossbeam_channel::bounded;

use super::board_state::{BoardState, new_key};
use super::earlier::Earlier;
use super::server;
use super::tabs::TabEvent;
use super::voice::Voice;
use crate::analysis::readable;
use crate::coach::{Background, NODES, Order};
use crate::library::{Import, Library, LibraryError};
use engine::config;
use engine::eval::Network;
use engine::notation::PgnReader;
use engine::player::{Options, path};
use engine::system::files;

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
    let (library, kept_in, problem) = open(&complain);
    if let Some(games) = games {
        let read = library.import(readable(PgnReader::new(&*games)), |import| {
            if let Import::Broken(problem) = import {
                complain(problem);
            }
        });
        read.err().iter().for_each(|error| complain(&error.to_string()));
    }
    let mut board: BoardState = library.board().ok().flatten().unwrap_or_default();
    // A new key is kept at once: the address stays, whatever happens next.
    if board.begin()
        && let Err(error) = library.keep_board(&board)
    {
        complain(&format!("the board's address could not be kept: {error}"));
    }
    let key = board.key.clone();
    let address = format!("http://127.0.0.1:{port}/{key}/");
    let order = Order {
        nodes: NODES,
        threads: thread::available_parallelism().map_or(1, NonZero::get),
        hash: board.settings.hash as usize,
        network: Network::load(path(&options.eval_file)).unwrap_or_else(|_| Network::embedded()),
        rests: Arc::default(),
    };
    let background = Background::begin(library, order, problem)?;
    let (sender, inputs) = bounded(MOST_INPUTS);
    let (voice, problems) = Voice::new(options, inputs, board, background, kept_in);
    problems.iter().for_each(|problem| complain(problem));
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

/// The person's library and its file, or one in memory and what is wrong.
fn open(complain: &impl Fn(&str)) -> (Library, Option<String>, Option<String>) {
    let file = config::folder().map(|folder| folder.join("games.zebu"));
    let opened = match &file {
        Some(file) => Library::open(file).map_err(|error| error.to_string()),
        None => Err("there is no folder for a library of games".to_string()),
    };
    match opened {
        Ok(library) => {
            let folder = file.as_deref().and_then(Path::parent).map(|folder| folder.join("board"));
            if let Some(folder) = folder
                && let Err(error) = bring(&library, &folder, complain)
            {
                complain(&error.to_string());
            }
            (library, file.map(|file| file.display().to_string()), None)
        }
        Err(error) => {
            let problem = format!("Nothing is kept: {error}.");
            complain(&problem);
            let library = Library::in_memory().expect("an empty library in memory");
            (library, None, Some(problem))
        }
    }
}

/// Reads in once what earlier versions kept in their folder.
fn bring(library: &Library, folder: &Path, complain: &impl Fn(&str)) -> Result<(), LibraryError> {
    if library.is_migrated()? {
        return Ok(());
    }
    let text = |name: &str| files::read_text(&folder.join(name), MOST_FILE).unwrap_or_default();
    let board = [text("board.next"), text("board.json")];
    let board = board.into_iter().find(|board| board.ends_with('}')).unwrap_or_default();
    let earlier = Earlier { list: text("games.list"), games: text("games.pgn"), board };
    let taken = earlier.bring(library)?;
    if taken.new > 0 {
        let folder = folder.display();
        complain(&format!(
            "{} games of {folder} are in the library now; the files stay",
            taken.new
        ));
    }
    Ok(())
}
