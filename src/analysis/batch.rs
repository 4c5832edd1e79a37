//! `zebu analyse`: reads a file of games or positions and writes their analyses. Results are written
//! as they come, and an error in one game or position does not affect the others.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::analyser::Analyser;
use super::annotations::{annotated, annotated_epd};
use super::game_analysis::{GameAnalysis, JUDGEMENTS};
use super::game_data::GameData;
use crate::board::{Color, Game};
use crate::eval::Network;
use crate::files::bounded_line;
use crate::notation::{EpdLine, PgnError, PgnGame, PgnReader, to_pgn};
use crate::page;
use crate::progress::Progress;
use crate::search::{EngineError, Limits};

/// The longest line of EPD.
const MAX_BYTES: usize = 1 << 16;

#[derive(Clone, Copy)]
pub enum Format {
    Pgn,
    Epd,
}

pub struct Batch {
    pub input: PathBuf,
    pub format: Format,
    /// The name of the output files without extension; otherwise the input's with `.analysed`.
    pub out: Option<PathBuf>,
    /// Of each position.
    pub limits: Limits,
    /// The lines to find for each position.
    pub multi_pv: usize,
    pub threads: usize,
    /// In megabytes.
    pub hash: usize,
    pub network: Arc<Network>,
}

#[derive(Default, PartialEq)]
pub struct Summary {
    done: usize,
    broken: usize,
    stopped: bool,
}

impl Summary {
    /// Whether everything was analysed.
    pub fn is_complete(&self) -> bool {
        self.done > 0 && self.broken == 0 && !self.stopped
    }

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

#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    #[error("{}: it cannot be read: {reason}", .file.display())]
    Input { file: PathBuf, reason: io::Error },
    #[error("{}: it cannot be written: {reason}", .file.display())]
    Output { file: PathBuf, reason: io::Error },
    #[error("{}: it would be written over itself", .0.display())]
    Overwrite(PathBuf),
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// A file that has its name once it is complete: what had the name before, the input perhaps by
/// another link, is not touched.
struct Output {
    path: PathBuf,
    file: File,
}

impl Output {
    fn create(path: PathBuf) -> Result<Output, BatchError> {
        let part = part_of(&path);
        // What an earlier run left.
        fs::remove_file(&part).ok();
        match File::create_new(&part) {
            Ok(file) => Ok(Output { path, file }),
            Err(reason) => Err(BatchError::Output { file: path, reason }),
        }
    }

    fn write(&mut self, text: &str) -> Result<(), BatchError> {
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|reason| BatchError::Output { file: self.path.clone(), reason })
    }

    /// There is nothing to keep.
    fn discard(self) {
        fs::remove_file(part_of(&self.path)).ok();
    }

    fn finish(self) -> Result<(), BatchError> {
        let renamed = fs::rename(part_of(&self.path), &self.path);
        renamed.map_err(|reason| BatchError::Output { file: self.path, reason })
    }
}

impl Batch {
    /// Opens the input. A folder can be opened but not read, and fails before there is any output.
    pub fn open(&self) -> Result<BufReader<File>, BatchError> {
        let unreadable = |reason| BatchError::Input { file: self.input.clone(), reason };
        let mut input = BufReader::new(File::open(&self.input).map_err(unreadable)?);
        input.fill_buf().map_err(unreadable)?;
        Ok(input)
    }

    /// Runs to the end of the open input, or until `stop` is set.
    pub fn run(&self, input: BufReader<File>, stop: &AtomicBool) -> Result<Summary, BatchError> {
        let size = input.get_ref().metadata().map_or(0, |metadata| metadata.len());
        let (network, limits) = (Arc::clone(&self.network), self.limits.clone());
        let mut analyser =
            Analyser::new(self.threads, self.hash, network, limits, self.multi_pv, stop)?;
        match self.format {
            Format::Pgn => self.games(input, size, &mut analyser),
            Format::Epd => self.positions(input, size, &mut analyser),
        }
    }

    /// Where results go, unless that is the input itself.
    fn output(&self, extension: &str) -> Result<PathBuf, BatchError> {
        let path = match &self.out {
            Some(name) => with_suffix(&without_extension(name), extension),
            None => {
                with_suffix(&with_suffix(&without_extension(&self.input), "analysed"), extension)
            }
        };
        let input = fs::canonicalize(&self.input).ok();
        let is_input = |file: &Path| input.is_some() && fs::canonicalize(file).ok() == input;
        if is_input(&path) || is_input(&part_of(&path)) {
            return Err(BatchError::Overwrite(path));
        }
        Ok(path)
    }

    fn games(
        &self,
        input: impl BufRead,
        size: u64,
        analyser: &mut Analyser,
    ) -> Result<Summary, BatchError> {
        let (pgn, html) = (self.output("pgn")?, self.output("html")?);
        let (mut pgn, mut html) = (Output::create(pgn)?, Output::create(html)?);
        let mut progress = Progress::new(Some(size), 0);
        let mut summary = Summary::default();
        let mut games = PgnReader::new(input);
        let name = self.input.file_name().unwrap_or_default().to_string_lossy();
        html.write(&page::head(&name))?;
        let mut start = 0;
        while !analyser.is_stopped()
            && let Some(game) = games.next()
        {
            let end = games.bytes();
            let game = match game {
                Ok(game) => {
                    summary.done += 1;
                    Some(game)
                }
                Err(error) => {
                    summary.broken += 1;
                    let rest =
                        if error.beginning().is_some() { "; analysed up to there" } else { "" };
                    html.write(&page::complaint(&format!("{error}{rest}")))?;
                    progress.eprintln(&format!("zebu: {}: {error}{rest}", self.input.display()));
                    if matches!(error, PgnError::Io(_)) {
                        break;
                    }
                    error.beginning()
                }
            };
            if let Some(game) = game {
                let analysis = analyse_game(game, analyser, &mut progress, start..end);
                pgn.write(&to_pgn(&annotated(&analysis)))?;
                html.write(&page::game(&GameData::of(&analysis).json()))?;
                progress.println(&summary_line(&analysis));
            }
            start = end;
        }
        summary.stopped = analyser.is_stopped();
        if summary.is_empty() {
            pgn.discard();
            html.discard();
        } else {
            html.write(page::FOOT)?;
            pgn.finish()?;
            html.finish()?;
        }
        Ok(summary)
    }

    fn positions(
        &self,
        mut input: impl BufRead,
        size: u64,
        analyser: &mut Analyser,
    ) -> Result<Summary, BatchError> {
        let mut epd = Output::create(self.output("epd")?)?;
        let mut progress = Progress::new(Some(size), 0);
        let mut summary = Summary::default();
        let mut bytes = 0;
        for number in 1.. {
            let read = bounded_line(&mut input, MAX_BYTES);
            let read =
                read.map_err(|reason| BatchError::Input { file: self.input.clone(), reason })?;
            let Some((line, read)) = read.filter(|_| !analyser.is_stopped()) else { break };
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_start_matches('\u{feff}').trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            progress.update(bytes, || format!("line {number}"));
            bytes += read;
            let parsed = match read > MAX_BYTES as u64 {
                true => Err(format!("it has {read} bytes, more than {MAX_BYTES}")),
                false => EpdLine::parse(line).map_err(|error| error.to_string()),
            };
            match parsed {
                Ok(line) => {
                    analyser.clear();
                    let Some(analysis) = analyser.analyse(&Game::new(line.position)) else { break };
                    epd.write(&(annotated_epd(&line, &analysis) + "\n"))?;
                    summary.done += 1;
                }
                Err(error) => {
                    summary.broken += 1;
                    let place = format!("{}, line {number}", self.input.display());
                    progress.eprintln(&format!("zebu: {place}: {error}"));
                }
            }
        }
        summary.stopped = analyser.is_stopped();
        if summary.is_empty() {
            epd.discard();
        } else {
            epd.finish()?;
        }
        Ok(summary)
    }
}

/// The name of a file until it is complete.
fn part_of(path: &Path) -> PathBuf {
    with_suffix(path, "part")
}

/// A name without the extension of a file of games, positions or pages. Another dot may be part of it.
fn without_extension(name: &Path) -> PathBuf {
    let extension = name.extension().unwrap_or_default().to_ascii_lowercase();
    let is_ours = ["pgn", "epd", "html", "txt"].iter().any(|ours| extension == *ours);
    if is_ours { name.with_extension("") } else { name.to_owned() }
}

/// Adds an extension, and keeps one that the name has.
fn with_suffix(name: &Path, extension: &str) -> PathBuf {
    let mut name = name.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

/// Analyses the positions of a game, until a stop.
fn analyse_game(
    pgn: PgnGame,
    analyser: &mut Analyser,
    progress: &mut Progress,
    bytes: std::ops::Range<u64>,
) -> GameAnalysis {
    analyser.clear();
    let mut game = Game::new(pgn.start);
    let mut analyses = Vec::new();
    let (moves, number) = (pgn.moves.len(), pgn.number);
    for i in 0..=moves {
        let done = bytes.start + (bytes.end - bytes.start) * i as u64 / (moves as u64 + 1);
        progress.update(done, || format!("game {number}, {i} of {moves} moves"));
        let Some(analysis) = analyser.analyse(&game) else { break };
        analyses.push(analysis);
        pgn.moves.get(i).into_iter().for_each(|played| game.play(played.mv));
    }
    let mut analysis = GameAnalysis::new(pgn, analyses);
    let mut game = Game::new(analysis.game.start);
    for i in 0..analysis.moves.len() {
        if analysis.judgement(i).is_some() {
            analysis.moves[i].better = analyser.good_moves(&game);
        }
        game.play(analysis.game.moves[i].mv);
    }
    analysis
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
