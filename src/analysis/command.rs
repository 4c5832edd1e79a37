//! `zebu analyse`: a file of games or positions in, files with their analyses out. Results are written as
//! they come, and an error in one game or position does not affect the others.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufRead, Read};
use std::num::NonZero;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use std::{fmt, iter, mem, process, thread};

use clap::{Args, value_parser};

use super::progress::Progress;
use super::{GameAnalysis, GameData, JUDGEMENTS, Review, Reviewed, annotated_epd, readable, told};
use crate::page;
use engine::NAME;
use engine::board::Color;
use engine::eval::Network;
use engine::notation::{EpdLine, Lines, PgnError, PgnGame, PgnReader};
use engine::player::{Options, path};
use engine::search::{Limits, MAX_DEPTH};
use engine::system::files::{NewFile, Stream};

/// Milliseconds for each position if there is no other limit.
const MOVE_TIME: u64 = 500;

/// The status after a second Ctrl-C, and how long that lets the first end what it can.
const INTERRUPTED: i32 = 130;
const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Args)]
pub struct Analyse {
    /// PGN files, or with --epd files of positions; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The file holds positions in EPD: write bm, ce, acd and pv for each
    #[arg(long)]
    epd: bool,
    /// Milliseconds for each position; 500 if no limit is named
    #[arg(long, value_name = "MS", value_parser = value_parser!(u64).range(1..))]
    time: Option<u64>,
    /// Depth for each position
    #[arg(long, value_parser = value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,
    /// Nodes for each position
    #[arg(long, value_parser = value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Threads, each for a position of its own; otherwise as many as there are cores
    #[arg(long, value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Lines to show for each position of a game
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=256))]
    multipv: u16,
    /// Write NAME.pgn and NAME.html, or NAME.epd, for a single file; otherwise FILE.analysed and the ending
    #[arg(long, value_name = "NAME")]
    out: Option<PathBuf>,
    /// Write NAME.json too, for programs: what the page knows
    #[arg(long, conflicts_with = "epd")]
    json: bool,
    /// Write a page with the engine in it, which plays and analyses too
    #[arg(long, conflicts_with = "epd")]
    live: bool,
    /// Show the page in a browser at the end
    #[arg(long, conflicts_with = "epd")]
    open: bool,
}

#[derive(Debug, thiserror::Error)]
enum AnalyseError {
    #[error("{}: it cannot be read: {reason}", .file.display())]
    Input { file: PathBuf, reason: io::Error },
    #[error("{}: it cannot be written: {reason}", .file.display())]
    Output { file: PathBuf, reason: io::Error },
    #[error("{}: it would be written over itself", .0.display())]
    Overwrite(PathBuf),
    #[error("--out takes a single file")]
    OneOut,
    #[error("{}: it is a folder; --out takes a name", .0.display())]
    NoName(PathBuf),
    #[error(
        "--live: this build has no page with the engine in it; scripts/web.sh says how it gets one"
    )]
    NoPage,
    #[error("{}: it cannot be shown: {reason}", .file.display())]
    Open { file: PathBuf, reason: io::Error },
}

impl Analyse {
    /// Analyses one file after the other, until their end or Ctrl-C. Returns whether everything was analysed.
    pub fn run(&self, options: &Options, complain: impl Fn(&str)) -> Result<bool, String> {
        if self.out.is_some() && self.files.len() > 1 {
            return Err(AnalyseError::OneOut.to_string());
        }
        let network = Network::load(path(&options.eval_file));
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        let review = Review {
            limits: self.limits(),
            multi_pv: self.multipv.into(),
            threads: self.threads.map_or_else(cores, usize::from),
            hash: options.hash as usize,
            network: network.map_err(|error| format!("EvalFile: {error}"))?,
            notebook: None,
        };
        let stop = Arc::new(AtomicBool::new(false));
        let interrupted = Arc::clone(&stop);
        let interrupt = move || {
            if interrupted.swap(true, Relaxed) {
                thread::sleep(PATIENCE);
                process::exit(INTERRUPTED);
            }
        };
        if let Err(error) = ctrlc::set_handler(interrupt) {
            complain(&format!("Ctrl-C will lose what was analysed: {error}"));
        }
        let mut is_complete = true;
        for file in &self.files {
            if stop.load(Relaxed) {
                return Ok(false);
            }
            if self.is_result(file) {
                complain(&format!(
                    "{}: left out, since it is another file's analysis",
                    file.display()
                ));
                continue;
            }
            match self.analyse(file, &review, &stop, &complain) {
                Ok(complete) => is_complete &= complete,
                // Alone it is the error of the command.
                Err(error) if self.files.len() == 1 => return Err(error),
                Err(error) => {
                    complain(&error);
                    is_complete = false;
                }
            }
        }
        Ok(is_complete)
    }

    /// Whether a file is the output for another one, as when a shell lists all files of a folder.
    fn is_result(&self, file: &Path) -> bool {
        let extension = if self.epd { Format::Epd } else { Format::Pgn }.extension();
        let is_output = |name: PathBuf| with_suffix(&name, extension) == file;
        let others = self.files.iter().filter(|other| other.as_path() != file);
        others.map(|other| self.output_name(other)).any(|name| name.is_ok_and(is_output))
    }

    /// Analyses a file.
    fn analyse(
        &self,
        file: &Path,
        review: &Review,
        stop: &Arc<AtomicBool>,
        complain: impl Fn(&str),
    ) -> Result<bool, String> {
        let failed = |error: AnalyseError| error.to_string();
        let input = input(file, stop).map_err(failed)?;
        let metadata = fs::metadata(file).ok().filter(|_| !is_stdin(file));
        let size = metadata.filter(fs::Metadata::is_file).map(|metadata| metadata.len());
        let mut work = AnalysisRun {
            input: shown(file),
            read: input.bytes_read(),
            progress: Progress::new(size, 0),
            outputs: self.outputs(file).map_err(failed)?,
            // A page with an engine reads no files.
            page_games: (!self.live).then(page::Games::default),
            summary: Summary::default(),
            is_first: true,
            is_beginning: false,
            problem: None,
        };
        let reviewed = if self.epd {
            let (sender, lines) = channel();
            let positions = positions(Lines::new(input), sender);
            review.run(positions, stop, |reviewed| {
                work.hear(reviewed, stop, |work, position| work.put_position(position, &lines));
            })
        } else {
            let games = readable(PgnReader::new(input));
            review.run(games, stop, |reviewed| work.hear(reviewed, stop, AnalysisRun::put_game))
        };
        reviewed.map_err(|error| error.to_string())?;
        work.summary.stopped = stop.load(Relaxed) && work.problem.is_none();
        self.end(work, complain).map_err(failed)
    }

    /// Gives the files their names, and says what is in them.
    fn end(&self, work: AnalysisRun, complain: impl Fn(&str)) -> Result<bool, AnalyseError> {
        let AnalysisRun { progress, outputs, page_games, summary, problem, .. } = work;
        drop(progress);
        if let Some(problem) = &problem {
            complain(&problem.to_string());
        }
        if summary.is_empty() {
            complain(&summary.to_string());
            return Ok(false);
        }
        let mut written = Vec::new();
        for Output { mut file, format } in outputs {
            // What was analysed is there, though the end of the page has no room.
            file.write(format.end().as_bytes()).ok();
            let path = file.path().to_owned();
            file.finish().map_err(|reason| AnalyseError::Output { file: path.clone(), reason })?;
            written.push((path, format));
        }
        let parts = page_games.map_or(Ok(0), page::Games::finish).map_err(unwritten)?;
        let names: Vec<_> = written.iter().map(|(path, _)| path.display().to_string()).collect();
        let beside = match parts {
            0 => String::new(),
            1 => "; the page has a file of games beside it".to_string(),
            _ => format!("; the page has {parts} files of games beside it"),
        };
        complain(&format!("{summary}: {}{beside}", names.join(", ")));
        let page = written.iter().find(|(_, format)| *format == Format::Html);
        if let Some((page, _)) = page.filter(|_| self.open) {
            open::that_detached(page)
                .map_err(|reason| AnalyseError::Open { file: page.clone(), reason })?;
        }
        Ok(problem.is_none() && summary.broken == 0 && !summary.stopped)
    }

    fn limits(&self) -> Limits {
        let named = self.time.is_some() || self.depth.is_some() || self.nodes.is_some();
        let time = self.time.or((!named).then_some(MOVE_TIME));
        Limits {
            move_time: time.map(Duration::from_millis),
            depth: self.depth,
            nodes: self.nodes,
            ..Limits::default()
        }
    }

    /// The files to write, if all of them can be written.
    fn outputs(&self, input: &Path) -> Result<Vec<Output>, AnalyseError> {
        let formats = match (self.epd, self.json) {
            (true, _) => &[Format::Epd][..],
            (false, false) => &[Format::Pgn, Format::Html],
            (false, true) => &[Format::Pgn, Format::Html, Format::Json],
        };
        let name = self.output_name(input)?;
        let title = input.file_name().filter(|_| !is_stdin(input));
        let title = title.map_or("games".into(), OsStr::to_string_lossy);
        let head = if self.live {
            page::head_with_engine().ok_or(AnalyseError::NoPage)?.to_string()
        } else {
            page::head(&title)
        };
        let input = fs::canonicalize(input).ok();
        let output = |&format: &Format| {
            let path = with_suffix(&name, format.extension());
            if input.is_some() && fs::canonicalize(&path).ok() == input {
                return Err(AnalyseError::Overwrite(path));
            }
            let file = NewFile::create(&path).and_then(|mut file| {
                file.write(format.beginning(&head).as_bytes())?;
                Ok(file)
            });
            let file = file.map_err(|reason| AnalyseError::Output { file: path, reason })?;
            Ok(Output { file, format })
        };
        formats.iter().map(output).collect()
    }

    /// The name of the outputs before their extensions. It differs for each input.
    fn output_name(&self, input: &Path) -> Result<PathBuf, AnalyseError> {
        let has_extension = |name: &Path, wanted: &[&str]| {
            let extension = name.extension().unwrap_or_default();
            wanted.iter().any(|wanted| extension.eq_ignore_ascii_case(wanted))
        };
        let usual = if self.epd { "epd" } else { "pgn" };
        Ok(match &self.out {
            Some(name) if name.to_string_lossy().ends_with(['/', MAIN_SEPARATOR]) => {
                return Err(AnalyseError::NoName(name.clone()));
            }
            Some(name) if has_extension(name, &["pgn", "html", "json", "epd"]) => {
                name.with_extension("")
            }
            Some(name) => name.clone(),
            None if is_stdin(input) => PathBuf::from("analysed"),
            None if has_extension(input, &[usual]) => input.with_extension("analysed"),
            None => with_suffix(input, "-analysed"),
        })
    }
}

fn is_stdin(file: &Path) -> bool {
    file == Path::new("-")
}

/// The name of an input in messages.
fn shown(file: &Path) -> &Path {
    if is_stdin(file) { Path::new("standard input") } else { file }
}

fn input(file: &Path, stop: &Arc<AtomicBool>) -> Result<Stream, AnalyseError> {
    let named = (!is_stdin(file)).then(|| file.to_owned());
    let open = move || -> io::Result<Box<dyn Read>> {
        match named {
            Some(file) => Ok(Box::new(File::open(file)?)),
            None => Ok(Box::new(io::stdin())),
        }
    };
    Stream::open(open, Arc::clone(stop))
        .map_err(|reason| AnalyseError::Input { file: shown(file).into(), reason })
}

/// Appends to the whole file name.
fn with_suffix(name: &Path, suffix: &str) -> PathBuf {
    let mut name = name.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Pgn,
    Html,
    Json,
    Epd,
}

impl Format {
    fn extension(self) -> &'static str {
        match self {
            Format::Pgn => ".pgn",
            Format::Html => ".html",
            Format::Json => ".json",
            Format::Epd => ".epd",
        }
    }

    /// What stands before the first game or position.
    fn beginning(self, head: &str) -> String {
        match self {
            Format::Html => head.to_string(),
            Format::Json => format!("{{\"by\":\"{NAME}\",\"games\":["),
            Format::Pgn | Format::Epd => String::new(),
        }
    }

    /// What stands behind the last one.
    fn end(self) -> &'static str {
        match self {
            Format::Html => page::FOOT,
            Format::Json => "\n]}\n",
            Format::Pgn | Format::Epd => "",
        }
    }
}

struct Output {
    file: NewFile,
    format: Format,
}

fn unwritten((file, reason): (PathBuf, io::Error)) -> AnalyseError {
    AnalyseError::Output { file, reason }
}

/// What came of it.
#[derive(Default, PartialEq)]
struct Summary {
    done: usize,
    broken: usize,
    stopped: bool,
}

impl Summary {
    /// Whether there was nothing to analyse, or no time for it.
    fn is_empty(&self) -> bool {
        self.done + self.broken == 0
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if *self == Summary::default() {
            return f.write_str("there is nothing to analyse");
        }
        write!(f, "{} analysed", self.done)?;
        if self.broken > 0 {
            write!(f, ", {} broken", self.broken)?;
        }
        f.write_str(if self.stopped { ", then stopped" } else { "" })
    }
}

/// An analysis on its way.
struct AnalysisRun<'a> {
    input: &'a Path,
    /// The bytes of the input that were read.
    read: Arc<AtomicU64>,
    progress: Progress,
    outputs: Vec<Output>,
    /// The games of the page, unless it holds all of them itself.
    page_games: Option<page::Games>,
    summary: Summary,
    /// No game was written yet.
    is_first: bool,
    /// The next game is the beginning of one that is broken.
    is_beginning: bool,
    /// What could not be written.
    problem: Option<AnalyseError>,
}

impl AnalysisRun<'_> {
    /// Puts what was reviewed into the outputs. One that cannot be written is a stop.
    fn hear<E>(
        &mut self,
        reviewed: Reviewed<E>,
        stop: &AtomicBool,
        mut put: impl FnMut(&mut Self, Result<GameAnalysis, E>) -> Result<(), AnalyseError>,
    ) {
        let result = match reviewed {
            Reviewed::Progress { done, known, .. } => {
                let share = done as f64 / known as f64;
                let bytes = self.read.load(Relaxed) as f64 * share;
                return self.progress.update(bytes as u64, || format!("{done} positions"));
            }
            Reviewed::Game(analysis) => Ok(*analysis),
            Reviewed::Broken(error) => Err(error),
        };
        if self.problem.is_none()
            && let Err(problem) = put(self, result)
        {
            self.problem = Some(problem);
            stop.store(true, Relaxed);
        }
    }

    fn put_game(&mut self, game: Result<GameAnalysis, PgnError>) -> Result<(), AnalyseError> {
        match game {
            Ok(analysis) => {
                self.write_game(&analysis)?;
                self.summary.done += usize::from(!mem::take(&mut self.is_beginning));
                self.progress.println(&summary_line(&analysis));
            }
            Err(error) => {
                self.is_beginning = error.beginning().is_some();
                let text = told(&error);
                self.complain(&text);
                let complaint = page::complaint(&text);
                self.write(|format| match format {
                    Format::Html => complaint.clone(),
                    _ => String::new(),
                })?;
            }
        }
        Ok(())
    }

    fn write_game(&mut self, analysis: &GameAnalysis) -> Result<(), AnalyseError> {
        let data = GameData::of(analysis);
        let json = data.json();
        let is_first = mem::take(&mut self.is_first);
        let page = self.outputs.iter().find(|output| output.format == Format::Html);
        let in_page = match (&mut self.page_games, page) {
            (Some(games), Some(page)) => {
                games.put(page.file.path(), analysis.game.number, &json).map_err(unwritten)?
            }
            _ => page::game(&json),
        };
        self.write(|format| match format {
            Format::Pgn => data.pgn.clone(),
            Format::Html => in_page.clone(),
            Format::Json => format!("{}\n{json}", if is_first { "" } else { "," }),
            Format::Epd => String::new(),
        })
    }

    fn put_position(
        &mut self,
        position: Result<GameAnalysis, String>,
        lines: &Receiver<(usize, EpdLine)>,
    ) -> Result<(), AnalyseError> {
        match position {
            Ok(GameAnalysis { game, analyses, .. }) => {
                let line = lines.try_iter().find(|(number, _)| *number == game.number);
                if let (Some((_, line)), Some(analysis)) = (line, analyses.first()) {
                    self.write(|_| annotated_epd(&line, analysis) + "\n")?;
                    self.summary.done += 1;
                }
            }
            Err(error) => self.complain(&error),
        }
        Ok(())
    }

    fn complain(&mut self, text: &str) {
        self.summary.broken += 1;
        self.progress.eprintln(&format!("zebu: {}: {text}", self.input.display()));
    }

    /// Writes to each output, in its format.
    fn write(&mut self, text: impl Fn(Format) -> String) -> Result<(), AnalyseError> {
        for Output { file, format } in &mut self.outputs {
            let written = file.write(text(*format).as_bytes());
            written.map_err(|reason| AnalyseError::Output { file: file.path().into(), reason })?;
        }
        Ok(())
    }
}

/// The positions of EPD as games without moves, and what is wrong in a line. The lines go where they are
/// waited for, with their numbers.
fn positions<R: BufRead>(
    mut lines: Lines<R>,
    sender: Sender<(usize, EpdLine)>,
) -> impl Iterator<Item = Result<PgnGame, String>> {
    let mut is_over = false;
    let read = move || {
        while !is_over {
            let line = match lines.next_line() {
                Ok(line) => line?,
                Err(error) => {
                    is_over = true;
                    return Some(Err(error.to_string()));
                }
            };
            let (text, number) = (line.text.trim(), lines.number());
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let parsed = match line.is_cut {
                true => Err("it has more than a megabyte".to_string()),
                false => EpdLine::parse(text).map_err(|error| error.to_string()),
            };
            return Some(match parsed {
                Ok(line) => {
                    let game = PgnGame::new(number, line.position);
                    sender.send((number, line)).ok();
                    Ok(game)
                }
                Err(error) => Err(format!("line {number}: {error}")),
            });
        }
        None
    };
    iter::from_fn(read)
}

/// Result, accuracy and judgements of a game.
fn summary_line(analysis: &GameAnalysis) -> String {
    let game = &analysis.game;
    let side = |color: Color| {
        let accuracy = analysis.accuracy(color).map(|accuracy| format!("{accuracy:.1}"));
        let counts = JUDGEMENTS
            .each_ref()
            .map(|judgement| format!("{}{}", analysis.count(color, judgement), judgement.sign));
        format!("{color} {} ({})", accuracy.unwrap_or("-".to_string()), counts.join(" "))
    };
    format!(
        "game {}: {} {}, accuracy {}, {}",
        game.number,
        game.tags.players(),
        game.result,
        side(Color::White),
        side(Color::Black)
    )
}
