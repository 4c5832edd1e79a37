//! `zebu coach`: adds games to the library, reviews the newest, and writes a page; or asks the day's exercises.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::{process, thread};

use clap::{Args, value_parser};

use super::day::today;
use super::exercises::exercises;
use super::export::Export;
use super::overview::{Overview, Reviewed, trees};
use super::reviews::{self, NODES, Order, ReviewError, to_json};
use super::training::{Training, TrainingError};
use crate::analysis::progress::Progress;
use crate::library::{Finding, Head, Import, Library, LibraryError, Taken};
use crate::page;
use engine::board::Color;
use engine::config;
use engine::eval::Network;
use engine::notation::PgnReader;
use engine::player::{Options, path};
use engine::system::files::{self, NewFile, Stream};

/// The exit status after a second Ctrl-C.
const INTERRUPTED: i32 = 130;

/// The number of games after which the first page is written.
const FIRST_PAGE: usize = 10;

#[derive(Args)]
pub struct Coach {
    /// PGN files whose games are added to your library; - is standard input
    files: Vec<PathBuf>,
    /// Your name, as in the files; repeat it for each name you have. It is remembered
    #[arg(long, value_name = "NAME")]
    me: Vec<String>,
    /// The file with all your games; otherwise games.zebu in Zebu's configuration folder
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
    /// Write the page NAME.html; otherwise FILE.coach.html
    #[arg(long, value_name = "NAME")]
    out: Option<PathBuf>,
    /// Review at most so many of your games, the newest first
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: usize,
    /// Nodes for each position; only games with the same count are compared
    #[arg(long, default_value_t = NODES, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// Threads, each for a position of its own; otherwise as many as there are cores
    #[arg(long, value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Do the exercises that are due today, at the terminal
    #[arg(long)]
    train: bool,
    /// Write all that the library has: NAME.pgn, with the annotations of reviews, and NAME.json
    #[arg(long, value_name = "NAME")]
    export: Option<PathBuf>,
    /// Show the page in a browser at the end
    #[arg(long)]
    open: bool,
}

impl Coach {
    /// Returns whether everything could be read and reviewed.
    pub fn run(&self, options: &Options, complain: impl Fn(&str)) -> Result<bool, String> {
        let network = Network::load(path(&options.eval_file));
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        let order = Order {
            nodes: self.nodes,
            threads: self.threads.map_or_else(cores, usize::from),
            hash: options.hash as usize,
            network: network.map_err(|error| format!("EvalFile: {error}"))?,
            rests: Arc::default(),
        };
        let library = Library::open(&self.library_file()?).map_err(told)?;
        let stop = interruptible(&complain);
        let is_whole = self.import(&library, &stop, &complain)?;
        self.name(&library)?;
        if let Some(name) = &self.export {
            return export(&library, name).map(|()| is_whole);
        }
        let mine = mine(&library)?;
        if self.train {
            return train(&library, &order).map(|()| is_whole);
        }
        let work = Work { library: &library, order: &order, mine: &mine, stop: &stop };
        let page = self.page();
        let newest = &mine[..mine.len().min(self.games)];
        work.review(newest, || work.write_page(&page, false))?;
        work.make_exercises(newest)?;
        let reviewed = work.write_page(&page, true)?;
        complain(&format!(
            "{} of your {} games reviewed: {}",
            reviewed,
            mine.len(),
            page.display()
        ));
        if self.open {
            open::that_detached(&page).map_err(|error| format!("{}: {error}", page.display()))?;
        }
        Ok(is_whole && !stop.load(Relaxed))
    }

    /// Replaces the person's names by those given, if games have one of them.
    fn name(&self, library: &Library) -> Result<(), String> {
        if self.me.is_empty() {
            return Ok(());
        }
        let heads = library.heads().map_err(told)?;
        if heads.iter().all(|(_, head)| head.side_of(&self.me).is_none()) {
            return Err(nobody(library, &self.me)?);
        }
        library.set_names(&self.me).map_err(told)
    }

    fn library_file(&self) -> Result<PathBuf, String> {
        let own = || config::folder().map(|folder| folder.join("games.zebu"));
        let file = self.library.clone().or_else(own);
        file.ok_or("there is no folder for your library; --library names a file".to_string())
    }

    fn page(&self) -> PathBuf {
        let stem = match (&self.out, self.files.first()) {
            (Some(name), _) => return with_ending(name, "html"),
            (None, Some(file)) if file != Path::new("-") => file.with_extension(""),
            _ => PathBuf::from("games"),
        };
        with_ending(&stem, "coach.html")
    }

    /// Imports all files, and returns whether all their games were complete.
    fn import(
        &self,
        library: &Library,
        stop: &Arc<AtomicBool>,
        complain: &impl Fn(&str),
    ) -> Result<bool, String> {
        let mut is_whole = true;
        for file in &self.files {
            let taken = import_file(library, file, stop)?;
            complain(&format!("{}: {}", file.display(), counted(taken)));
            is_whole &= taken.broken == 0;
        }
        Ok(is_whole)
    }
}

fn told(error: LibraryError) -> String {
    error.to_string()
}

/// Stops at the first Ctrl-C. The second ends the program, and the library loses nothing.
fn interruptible(complain: &impl Fn(&str)) -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let interrupted = Arc::clone(&stop);
    let interrupt = move || {
        if interrupted.swap(true, Relaxed) {
            process::exit(INTERRUPTED);
        }
    };
    if let Err(error) = ctrlc::set_handler(interrupt) {
        complain(&format!("Ctrl-C ends without a page: {error}"));
    }
    stop
}

fn import_file(library: &Library, file: &Path, stop: &Arc<AtomicBool>) -> Result<Taken, String> {
    let failed = |error: io::Error| format!("{}: it cannot be read: {error}", file.display());
    let is_stdin = file == Path::new("-");
    let size = fs::metadata(file).ok().filter(|found| found.is_file() && !is_stdin);
    let opened = file.to_owned();
    let open = move || -> io::Result<Box<dyn Read>> {
        match is_stdin {
            true => Ok(Box::new(io::stdin())),
            false => Ok(Box::new(File::open(opened)?)),
        }
    };
    let input = Stream::open(open, Arc::clone(stop)).map_err(failed)?;
    let read = input.bytes_read();
    let mut progress = Progress::new(size.map(|found| found.len()), 0);
    let taken = library.import(PgnReader::new(input), |import| match import {
        Import::Progress(taken, _) => progress.update(read.load(Relaxed), || counted(taken)),
        Import::Broken(error) => progress.eprintln(&format!("zebu: {}: {error}", file.display())),
    });
    taken.map_err(told)
}

fn counted(taken: Taken) -> String {
    let Taken { new, known, broken, empty } = taken;
    let parts = [(known, "known"), (broken, "broken"), (empty, "without moves")];
    let told = parts.iter().filter(|(count, _)| *count > 0);
    let told: String = told.map(|(count, name)| format!(", {count} {name}")).collect();
    format!("{new} new games{told}")
}

fn export(library: &Library, name: &Path) -> Result<(), String> {
    let write = |ending: &str, export: Export| {
        let path = with_ending(name, ending);
        let failed = |error: io::Error| format!("{}: {error}", path.display());
        let mut output = BufWriter::new(Output(NewFile::create(&path).map_err(failed)?));
        export.write(library, &mut output).map_err(told)?;
        let file = output.into_inner().map_err(|error| failed(error.into_error()))?;
        file.0.finish().map_err(failed)
    };
    write("pgn", Export::Pgn)?;
    write("json", Export::Json)
}

struct Output(NewFile);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The person's games with the person's side, newest first.
fn mine(library: &Library) -> Result<Vec<(u64, Head, Color)>, String> {
    let names = library.names().map_err(told)?;
    let heads = library.heads().map_err(told)?;
    let mine = heads.into_iter().filter_map(|(id, head)| {
        let side = head.side_of(&names)?;
        Some((id, head, side))
    });
    let mine: Vec<_> = mine.collect();
    if !mine.is_empty() {
        return Ok(mine);
    }
    Err(nobody(library, &names)?)
}

/// What is wrong where no game has one of these names.
fn nobody(library: &Library, names: &[String]) -> Result<String, String> {
    let players = library.players().map_err(told)?;
    let most = players.iter().take(3).map(|(name, games)| format!("{name} ({games})"));
    let most = most.collect::<Vec<_>>().join(", ");
    Ok(match (players.is_empty(), names.is_empty()) {
        (true, _) => "the library has no games yet; name a PGN file".to_string(),
        (_, true) => format!("--me: who are you in these games? Most games have {most}"),
        _ => format!("--me: no game has {}. Most games have {most}", names.join(" or ")),
    })
}

fn train(library: &Library, order: &Order) -> Result<(), String> {
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    // The first Ctrl-C ends a training, since all answers are already stored.
    let stop = AtomicBool::new(false);
    let done = Training { order, input, output, stop: &stop }.run(library, today());
    match done {
        Err(TrainingError::Io(error)) if files::has_no_reader(&error) => Ok(()),
        done => done.map_err(|error| error.to_string()),
    }
}

/// A file name with this ending.
fn with_ending(name: &Path, ending: &str) -> PathBuf {
    let mut name = name.as_os_str().to_owned();
    if !name.to_string_lossy().ends_with(&format!(".{ending}")) {
        name.push(format!(".{ending}"));
    }
    name.into()
}

struct Work<'a> {
    library: &'a Library,
    order: &'a Order,
    mine: &'a [(u64, Head, Color)],
    stop: &'a AtomicBool,
}

impl Work<'_> {
    /// Reviews games, and writes a first page after ten of them.
    fn review(
        &self,
        games: &[(u64, Head, Color)],
        write_page: impl Fn() -> Result<usize, String>,
    ) -> Result<(), String> {
        let mut bar = Progress::new(None, 0);
        let ids: Vec<u64> = games.iter().map(|(id, ..)| *id).collect();
        let mut written = Ok(0);
        let run = self.order.run(self.library, &ids, self.stop, |progress| {
            let reviews::Progress { games, all, positions, has_new_game } = progress;
            bar.update(positions as u64, || format!("{games} of {all} games reviewed"));
            if has_new_game && games == FIRST_PAGE && all > FIRST_PAGE {
                written = write_page();
            }
        });
        run.map_err(|error: ReviewError| error.to_string())?;
        written.map(drop)
    }

    /// Makes the exercises of reviewed games that have none yet.
    fn make_exercises(&self, games: &[(u64, Head, Color)]) -> Result<(), String> {
        let mut bar = Progress::new(Some(games.len() as u64), 0);
        let asked = self.library.asked().map_err(told)?;
        for (number, (id, head, side)) in games.iter().enumerate() {
            bar.update(number as u64, || "exercises".to_string());
            if self.stop.load(Relaxed) {
                break;
            }
            if asked.binary_search(id).is_ok() {
                continue;
            }
            let Some(analysis) = reviews::analysis(self.library, *id).map_err(told)? else {
                continue;
            };
            let made = exercises(self.order, &analysis, head, *side, self.stop);
            let made = made.map_err(|error| error.to_string())?;
            if !self.stop.load(Relaxed) {
                let exercises = made.into_iter().map(|(ply, it)| (ply, to_json(it))).collect();
                self.library.keep(Finding::Exercises { id: *id, exercises }).map_err(told)?;
            }
        }
        Ok(())
    }

    /// Writes the page of all reviewed games, and returns their number. The last one takes time for openings.
    fn write_page(&self, path: &Path, is_last: bool) -> Result<usize, String> {
        let done = self.library.reviewed(self.order.nodes).map_err(told)?;
        let mine = self.mine.iter().filter(|(id, ..)| done.binary_search(id).is_ok());
        let reviewed: Vec<&Reviewed> = mine.collect();
        let trees = trees(self.library, self.mine).map_err(told)?;
        let overview = Overview::of(self.library, self.mine, &reviewed, &trees);
        let mut overview = overview.map_err(told)?;
        if is_last {
            let checked = overview.check_openings(self.library, self.order, self.stop);
            checked.map_err(|error| error.to_string())?;
        }
        let json = serde_json::to_string(&overview).expect("text, numbers and lists are JSON");
        let page = page::coach::written(&json);
        files::replace(path, page.as_bytes())
            .map_err(|error| format!("{}: it cannot be written: {error}", path.display()))?;
        Ok(reviewed.len())
    }
}
