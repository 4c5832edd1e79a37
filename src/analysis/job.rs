//! The whole way of `zebu analyse`: a file in, files with what was seen out. What is done is in the
//! files at any moment, and whatever is wrong in one game or position does not touch the others.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::analyst::{Analyst, Sight};
use super::annotate::annotated;
use super::epd::Problem;
use super::games::Games;
use super::page;
use super::record::{PgnError, Record};
use super::review::{Mark, Review};
use crate::board::{Color, Game};
use crate::eval::Network;
use crate::progress::Progress;
use crate::search::{Limits, TableError};

/// A line of EPD that is longer than this is not one.
const LONGEST: u64 = 1 << 16;

/// What is in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    Games,
    Positions,
}

/// What is to be analysed, and how.
pub struct Job {
    pub input: PathBuf,
    pub content: Content,
    /// The files that are written have this name and endings of their own. By default it is the
    /// input's with `.analysed` behind it.
    pub out: Option<PathBuf>,
    /// For each position.
    pub limits: Limits,
    pub threads: usize,
    /// In megabytes.
    pub hash: usize,
    pub network: Arc<Network>,
}

/// How it went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub done: usize,
    pub broken: usize,
    pub stopped: bool,
}

impl Summary {
    /// Whether all that was asked for is done.
    pub fn is_whole(&self) -> bool {
        self.done > 0 && self.broken == 0 && !self.stopped
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

/// Why there is nothing, or no more.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    #[error("{}: it cannot be read: {reason}", .file.display())]
    Input { file: PathBuf, reason: io::Error },
    #[error("{}: it cannot be written: {reason}", .file.display())]
    Output { file: PathBuf, reason: io::Error },
    #[error("{}: it would be written over itself", .0.display())]
    Same(PathBuf),
    #[error(transparent)]
    Table(#[from] TableError),
}

/// A file that is written.
struct Output {
    path: PathBuf,
    file: File,
}

impl Output {
    fn write(&mut self, text: &str) -> Result<(), JobError> {
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|reason| JobError::Output { file: self.path.clone(), reason })
    }
}

impl Job {
    /// Does it until it is done or `stop` is set.
    pub fn run(&self, stop: &AtomicBool) -> Result<Summary, JobError> {
        let unreadable = |reason| JobError::Input { file: self.input.clone(), reason };
        let file = File::open(&self.input).map_err(unreadable)?;
        let size = file.metadata().map_err(unreadable)?.len();
        let mut input = BufReader::new(file);
        // A folder can be opened but not read; better to hear it before anything is written.
        input.fill_buf().map_err(unreadable)?;
        let network = Arc::clone(&self.network);
        let mut analyst =
            Analyst::new(self.threads, self.hash, network, self.limits.clone(), stop)?;
        match self.content {
            Content::Games => self.games(input, size, &mut analyst),
            Content::Positions => self.positions(input, size, &mut analyst),
        }
    }

    fn create(&self, ending: &str) -> Result<Output, JobError> {
        let path = match &self.out {
            Some(name) => extended(name, ending),
            None => extended(&self.input.with_extension("analysed"), ending),
        };
        let same = |input: PathBuf| fs::canonicalize(&path).is_ok_and(|output| output == input);
        if fs::canonicalize(&self.input).is_ok_and(same) {
            return Err(JobError::Same(path));
        }
        match File::create(&path) {
            Ok(file) => Ok(Output { path, file }),
            Err(reason) => Err(JobError::Output { file: path, reason }),
        }
    }

    fn games(
        &self,
        input: impl BufRead,
        size: u64,
        analyst: &mut Analyst,
    ) -> Result<Summary, JobError> {
        let (mut pgn, mut html) = (self.create("pgn")?, self.create("html")?);
        let mut progress = Progress::new(Some(size), 0);
        let mut summary = Summary::default();
        let mut games = Games::new(input);
        let name = self.input.file_name().unwrap_or_default().to_string_lossy();
        html.write(&page::head(&name))?;
        let mut begin = 0;
        while !analyst.is_stopped()
            && let Some(read) = games.next()
        {
            let end = games.bytes();
            match read {
                Ok(record) => {
                    let review = review(record, analyst, &mut progress, begin..end);
                    pgn.write(&annotated(&review))?;
                    html.write(&page::section(&review, summary.done == 0))?;
                    summary.done += 1;
                    progress.println(&told(&review));
                }
                Err(error) => {
                    summary.broken += 1;
                    html.write(&page::broken(&error))?;
                    progress.eprintln(&format!("zebu: {}: {error}", self.input.display()));
                    if matches!(error, PgnError::Unreadable(_)) {
                        break;
                    }
                }
            }
            begin = end;
        }
        html.write(page::FOOT)?;
        summary.stopped = analyst.is_stopped();
        Ok(summary)
    }

    fn positions(
        &self,
        mut input: impl BufRead,
        size: u64,
        analyst: &mut Analyst,
    ) -> Result<Summary, JobError> {
        let mut epd = self.create("epd")?;
        let mut progress = Progress::new(Some(size), 0);
        let mut summary = Summary::default();
        let mut bytes = 0;
        for number in 1.. {
            let mut line = Vec::new();
            let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut line);
            let read =
                read.map_err(|reason| JobError::Input { file: self.input.clone(), reason })?;
            if read == 0 || analyst.is_stopped() {
                break;
            }
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_start_matches('\u{feff}').trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            progress.update(bytes, || format!("line {number}"));
            bytes += read as u64;
            match Problem::read(line) {
                Ok(problem) => {
                    analyst.forget();
                    let Some(sight) = analyst.look(&Game::new(problem.position)) else { break };
                    epd.write(&(problem.answered(&sight) + "\n"))?;
                    summary.done += 1;
                }
                Err(error) => {
                    summary.broken += 1;
                    let place = format!("{}, line {number}", self.input.display());
                    progress.eprintln(&format!("zebu: {place}: {error}"));
                }
            }
        }
        summary.stopped = analyst.is_stopped();
        Ok(summary)
    }
}

/// A name with an ending behind it, whatever dots it has.
fn extended(name: &Path, ending: &str) -> PathBuf {
    let mut name = name.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

/// Looks at all positions of a game, or at the first ones if it is stopped.
fn review(
    record: Record,
    analyst: &mut Analyst,
    progress: &mut Progress,
    bytes: std::ops::Range<u64>,
) -> Review {
    analyst.forget();
    let mut game = Game::new(record.start);
    let mut sights: Vec<Sight> = Vec::new();
    let (moves, number) = (record.plies.len(), record.number);
    let next = record.plies.iter().map(|ply| Some(ply.mv)).chain([None]);
    for (i, next) in next.enumerate() {
        let done = bytes.start + (bytes.end - bytes.start) * i as u64 / (moves as u64 + 1);
        progress.update(done, || format!("game {number}, {i} of {moves} moves"));
        let Some(sight) = analyst.look(&game) else { break };
        sights.push(sight);
        next.into_iter().for_each(|mv| game.play(mv));
    }
    Review::new(record, sights)
}

/// A game in a line.
fn told(review: &Review) -> String {
    let record = &review.record;
    let side = |color: Color| {
        let accuracy = review.accuracy(color).map(|accuracy| format!("{accuracy:.1}"));
        let marks = Mark::ALL.map(|mark| format!("{}{}", review.count(color, mark), mark.sign()));
        format!("{color} {} ({})", accuracy.unwrap_or("-".to_string()), marks.join(" "))
    };
    format!(
        "game {}: {} {}, accuracy {}, {}",
        record.number,
        record.players(),
        record.result,
        side(Color::White),
        side(Color::Black)
    )
}
