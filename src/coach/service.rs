//! The answers to what a page wants of the library and the coach, and the reviews in the background. It knows no
//! thread: `Background` calls it.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::day::{MOST_NEW, due, today};
use super::exercises::{Exercise, exercises, is_right};
use super::export::{Export, annotated};
use super::lines::{OwnLine, line_exercises, places};
use super::list::List;
use super::overview::{Overview, Reviewed, trees};
use super::reviews::{Order, ReviewError, analysis, summary, to_json};
use super::schedule::Answer;
use super::tree::Tree;
use super::wants::{Analysing, Imported, Kind, PlaceText, State, Want};
use crate::analysis::{GameAnalysis, GameData, readable};
use crate::library::{Finding, Import, Library, LibraryError, Place};
use crate::page;
use engine::board::Position;
use engine::notation::{PgnError, PgnGame, PgnReader};
use engine::system::time::Instant;

/// The most broken games that are listed.
const MOST_BROKEN: usize = 200;

/// The most ids in the answer to a part of a file.
const MOST_IDS: usize = 100;

/// The bytes of PGN after which an answer takes no further game.
const MOST_PGN: usize = 2 << 20;

/// The number of games that are reviewed between making exercises.
const CHUNK: usize = 10;

/// The least time between two reports of progress.
const BETWEEN: Duration = Duration::from_millis(150);

/// The most nodes per position of an analysis.
const MOST_NODES: u64 = 1_000_000_000;

/// The longest wait for the next part of a file. A page sends it at once, so a page that does not is gone.
pub const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// The answer to another file meanwhile.
const BUSY: &str = "Another file is being read in; try again when it is done.";

/// A page is one file here, and larger ones load slowly.
const TOO_LARGE: &str = "So many games make too large a page: download their PGN and run `zebu analyse` on it, \
                         which divides a page into several files.";

/// The person's name in games that are played on the board.
const PLAYER: &str = "Player";

/// The names of which none is offered as the person's: the one above, and those of players without one.
const NOBODY: [&str; 3] = [PLAYER, "White", "Black"];

/// What takes long, and can be done elsewhere with a copy of the library.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Task {
    Overview,
    Judge(PlaceText, String),
    Review(Batch),
}

/// Games to review with these nodes per position. Without games, what is left is done: lines and openings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    pub games: Vec<u64>,
    pub nodes: u64,
    /// Somebody waits for them; else they have what the machine has left.
    pub is_asked: bool,
}

/// Games whose analysis somebody waits for.
#[derive(Default)]
struct Asked {
    /// Each with its nodes per position.
    games: VecDeque<(u64, u64)>,
    /// Of them and of those before them: positions, those that are done, and games.
    all: usize,
    done: usize,
    count: usize,
    begun: Option<Instant>,
}

/// A file that is being read in. There is one at a time, so that none cuts another off.
struct OpenFile {
    file: u32,
    /// The games and lines before the next part.
    games: usize,
    lines: usize,
    last_part: Instant,
}

pub struct Service {
    pub library: Library,
    order: Order,
    /// Ends the running batch: all ends, or something else is wanted first.
    pub stop: AtomicBool,
    state: Mutex<State>,
    tell: Box<dyn Fn(&State) + Send + Sync>,
    told: Mutex<Option<Instant>>,
    /// A slow count must not overwrite a newer one.
    counting: Mutex<()>,
    asked: Mutex<Asked>,
    file: Mutex<Option<OpenFile>>,
    list: Mutex<Option<Arc<List>>>,
    trees: Mutex<Option<(u64, Arc<[Tree; 2]>)>>,
    /// The number of reviewed games when opening moves were last checked.
    checked: Mutex<usize>,
    version: AtomicU64,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn told(error: LibraryError) -> String {
    error.to_string()
}

impl Service {
    /// `problem` is what is wrong with the person's own library, in whose place this one stands.
    pub fn new(
        library: Library,
        order: Order,
        problem: Option<String>,
        tell: impl Fn(&State) + Send + Sync + 'static,
    ) -> Service {
        Service {
            library,
            order,
            stop: AtomicBool::default(),
            state: Mutex::new(State { runs: true, problem, ..State::default() }),
            tell: Box::new(tell),
            told: Mutex::default(),
            counting: Mutex::default(),
            asked: Mutex::default(),
            file: Mutex::default(),
            list: Mutex::default(),
            trees: Mutex::default(),
            checked: Mutex::default(),
            version: AtomicU64::default(),
        }
    }

    /// Answers what takes no long search.
    pub fn answer(&self, want: Want) -> Result<Value, String> {
        match want {
            Want::Import { text, file, is_first, is_last } => {
                self.import(&text, file, is_first, is_last)
            }
            Want::Games(query) => Ok(self.list().map_err(told)?.shown(&query)),
            Want::Ids(query) => Ok(self.list().map_err(told)?.ids(&query)),
            Want::Game { id } => self.game(id).map_err(told),
            Want::Edit { id, own } => self.library.keep_own(id, &own).map(null).map_err(told),
            Want::Tags => self.tags().map_err(told),
            Want::Tag { games, tag, on } => {
                let tag = tag.trim();
                if tag.is_empty() {
                    return Err("A tag has a name.".to_string());
                }
                self.library.tag(&games, tag, on).map_err(told)?;
                Ok(self.changed())
            }
            Want::Delete { games } => {
                self.library.delete(&games).map_err(told)?;
                Ok(self.changed())
            }
            Want::Restore { games } => {
                self.library.restore(&games).map_err(told)?;
                Ok(self.changed())
            }
            Want::Pgn { games } => self.some_pgn(&games).map_err(told),
            Want::Page { games } => self.page(&games),
            Want::Analyse { games, nodes } => self.ask_analyses(&games, nodes),
            Want::StopAnalysis => {
                *locked(&self.asked) = Asked::default();
                self.stop.store(true, Relaxed);
                self.change(|state| state.analysing = None);
                Ok(Value::Null)
            }
            Want::Review { runs } => {
                self.stop.store(true, Relaxed);
                self.change(|state| state.runs = runs);
                Ok(Value::Null)
            }
            Want::Export { kind } => {
                let mut text = Vec::new();
                let export = match kind {
                    Kind::Pgn => Export::Pgn,
                    Kind::Json => Export::Json,
                };
                export.write(&self.library, &mut text).map_err(told)?;
                Ok(Value::String(String::from_utf8_lossy(&text).into_owned()))
            }
            Want::Names { mut names } => {
                // Games that were played on the board stay the person's.
                let before = self.library.names().map_err(told)?;
                names.extend(before.into_iter().filter(|name| name == PLAYER));
                self.library.set_names(&names).map_err(told)?;
                Ok(self.changed())
            }
            Want::Players => Ok(json!(self.players().map_err(told)?)),
            Want::Overview => self.work(&Task::Overview),
            Want::Today => self.today(),
            Want::Judge { place, mv } => self.work(&Task::Judge(place, mv)),
            Want::Answered { place, answer } => self.answered(&place, answer),
            Want::Moves { moves } => self.moves(&moves),
            Want::Line { is_white, name, moves } => {
                let line = OwnLine::new(is_white, name, &moves);
                let line = line.ok_or("A line has legal moves, and one of them is yours.")?;
                self.library.keep_line(&line).map(null).map_err(told)
            }
            Want::Lines => {
                let lines = self.library.lines::<OwnLine>().map_err(told)?;
                let lines = lines.into_iter().map(|(id, line)| json!({ "id": id, "line": line }));
                Ok(lines.collect())
            }
            Want::ForgetLine { id } => {
                self.library.forget_line(id, places(id)).map_err(told)?;
                self.count();
                Ok(Value::Null)
            }
        }
    }

    /// Whether a request leads to reviews.
    pub fn gives_work(want: &Want) -> bool {
        matches!(
            want,
            Want::Import { .. }
                | Want::Names { .. }
                | Want::Analyse { .. }
                | Want::Review { .. }
                | Want::Restore { .. }
                | Want::Line { .. }
        )
    }

    /// Does a task with the library that is here.
    pub fn work(&self, task: &Task) -> Result<Value, String> {
        match task {
            Task::Overview => self.overview().map(to_json).map_err(told),
            Task::Judge(place, mv) => self.judge(place, mv),
            Task::Review(batch) => match self.review(batch) {
                // The others are still to be reviewed.
                Err(ReviewError::Library(error)) if error.is_gone() => Ok(Value::Null),
                done => done.map(null).map_err(|error| error.to_string()),
            },
        }
    }

    pub fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = locked(&self.state);
        let before = state.clone();
        change(&mut state);
        if *state != before {
            (self.tell)(&state);
        }
    }

    /// Takes note that games, names or reviews changed.
    pub fn changed(&self) -> Value {
        *locked(&self.list) = None;
        self.version.fetch_add(1, Relaxed);
        self.count();
        Value::Null
    }

    fn list(&self) -> Result<Arc<List>, LibraryError> {
        let mut kept = locked(&self.list);
        if let Some(list) = &*kept {
            return Ok(Arc::clone(list));
        }
        let list = Arc::new(List::of(&self.library)?);
        *kept = Some(Arc::clone(&list));
        Ok(list)
    }

    /// The person's games, newest first.
    fn mine(&self) -> Result<Vec<Reviewed>, LibraryError> {
        let names = self.library.names()?;
        let heads = self.library.heads()?.into_iter();
        Ok(heads
            .filter_map(|(id, head)| head.side_of(&names).map(|side| (id, head, side)))
            .collect())
    }

    /// The players who may be the person, those with the most games first.
    fn players(&self) -> Result<Vec<(String, usize)>, LibraryError> {
        const MOST: usize = 6;
        let is_other = |(name, _): &(String, usize)| {
            !name.starts_with("Zebu ") && !NOBODY.contains(&name.as_str())
        };
        Ok(self.library.players()?.into_iter().filter(is_other).take(MOST).collect())
    }

    /// Reports the state.
    pub fn count(&self) {
        let _counting = locked(&self.counting);
        let counted = || -> Result<State, LibraryError> {
            let mine = self.mine()?;
            let reviewed = self.library.reviewed(self.order.nodes)?;
            let names = self.library.names()?;
            let exercises = self.library.exercises::<Exercise>()?.into_iter().map(|(_, it)| it);
            let exercises: Vec<Exercise> = exercises.collect();
            let is_asked = names.iter().all(|name| name == PLAYER);
            let players = if is_asked { self.players()? } else { Vec::new() };
            Ok(State {
                games: self.library.count()?,
                mine: mine.len(),
                reviewed: mine.iter().filter(|it| reviewed.binary_search(&it.0).is_ok()).count(),
                players,
                names,
                due: due(&exercises, today(), MOST_NEW).len(),
                exercises: exercises.iter().filter(|it| !it.memory.is_retired()).count(),
                played: self.library.played()?,
                ..State::default()
            })
        };
        let version = self.version.load(Relaxed);
        match counted() {
            Ok(counted) => self.change(|state| {
                let State { problem, runs, is_reviewing, import, analysing, .. } = state.clone();
                *state =
                    State { problem, runs, is_reviewing, import, analysing, version, ..counted };
            }),
            Err(error) => self.change(|state| state.problem = Some(error.to_string())),
        }
    }

    /// Adds the games of a part of a file.
    fn import(
        &self,
        text: &str,
        file: u32,
        is_first: bool,
        is_last: bool,
    ) -> Result<Value, String> {
        self.end_lost_file();
        let mut open = locked(&self.file);
        if is_first {
            if open.is_some() {
                return Err(BUSY.to_string());
            }
            *open = Some(OpenFile { file, games: 0, lines: 0, last_part: Instant::now() });
            let imported = Imported { runs: true, ..Imported::default() };
            self.change(|state| state.import = Some(imported));
        }
        let Some(part) = open.as_mut().filter(|open| open.file == file) else {
            return Err("The first part of this file is missing.".to_string());
        };
        let mut imported = locked(&self.state).import.clone().unwrap_or_default();
        let (before, mut ids, mut broken) = (imported.taken, Vec::new(), Vec::new());
        let (mut games, lines) = (part.games, part.lines);
        let numbered = readable(PgnReader::new(text.as_bytes())).map(|game| match game {
            Err(PgnError::Game { number, players, line, fault, beginning }) => {
                let (number, line) = (number + part.games, line + lines);
                games = number;
                Err(PgnError::Game { number, players, line, fault, beginning })
            }
            Ok(game) => {
                games = game.number + part.games;
                Ok(game)
            }
            error => error,
        });
        let taken = self.library.import(numbered, |import| match import {
            Import::Progress(_, new) => ids.extend_from_slice(new),
            Import::Broken(text) => broken.push(text.to_string()),
        });
        let result = taken.map_err(told);
        if let Ok(taken) = &result {
            imported.taken = before.and(*taken);
        }
        let room = MOST_BROKEN.saturating_sub(imported.broken_games.len());
        imported.broken_games.extend(broken.iter().take(room).cloned());
        imported.runs = !is_last && result.is_ok();
        (part.games, part.lines) = (games, lines + text.matches('\n').count());
        part.last_part = Instant::now();
        if !imported.runs {
            *open = None;
        }
        drop(open);
        let is_over = !imported.runs;
        self.change(|state| state.import = Some(imported));
        result?;
        if is_first || is_last || is_over {
            self.changed();
        }
        ids.truncate(MOST_IDS);
        Ok(json!({ "ids": ids, "broken": broken }))
    }

    /// Ends the import of a file whose page is gone. Returns whether one is open.
    pub fn end_lost_file(&self) -> bool {
        let mut open = locked(&self.file);
        if open.take_if(|open| open.last_part.elapsed() >= LONGEST_WAIT).is_some() {
            self.change(|state| {
                let imported = state.import.iter_mut();
                imported.for_each(|it| (it.runs, it.is_cut) = (false, true));
            });
            self.changed();
        }
        open.is_some()
    }

    /// Adds the game on the board. One that is over is reviewed before all else.
    pub fn add_played(&self, game: &PgnGame, is_over: bool) {
        match self.library.add_played(game, PLAYER) {
            Ok(id) if is_over => {
                *locked(&self.list) = None;
                _ = self.ask_analyses(&[id], self.order.nodes);
            }
            Ok(_) => {}
            Err(error) => self.change(|state| state.problem = Some(error.to_string())),
        }
        self.changed();
    }

    /// Another game is on the board.
    pub fn forget_played(&self) {
        if let Err(error) = self.library.forget_played() {
            self.change(|state| state.problem = Some(error.to_string()));
        }
        self.count();
    }

    /// Keeps the state of the board.
    pub fn keep_board(&self, board: &Value) {
        if let Err(error) = self.library.keep_board(board) {
            self.change(|state| state.problem = Some(error.to_string()));
        }
    }

    fn analysis(&self, id: u64) -> Result<GameAnalysis, LibraryError> {
        match analysis(&self.library, id)? {
            Some(analysis) => Ok(analysis),
            None => Ok(GameAnalysis::new(self.library.game(id)?, Vec::new())),
        }
    }

    fn game(&self, id: u64) -> Result<Value, LibraryError> {
        let mut game = to_json(GameData::of(&self.analysis(id)?));
        game["own"] = self.library.own(id)?.unwrap_or_default();
        game["nodes"] = self.library.review_nodes(id)?.into();
        Ok(game)
    }

    fn tags(&self) -> Result<Value, LibraryError> {
        let there = self.library.ids()?;
        let mut counts = BTreeMap::<String, usize>::new();
        for (id, tags) in self.library.tags()? {
            if there.binary_search(&id).is_ok() {
                tags.into_iter().for_each(|tag| *counts.entry(tag).or_default() += 1);
            }
        }
        Ok(counts.into_iter().map(|it| json!(it)).collect())
    }

    /// The PGN of the first of these games, as many as one answer takes. Those that are gone are empty.
    fn some_pgn(&self, ids: &[u64]) -> Result<Value, LibraryError> {
        let (mut bytes, mut texts) = (0, Vec::new());
        for &id in ids {
            if bytes >= MOST_PGN {
                break;
            }
            let pgn = match annotated(&self.library, id) {
                Err(error) if error.is_gone() => String::new(),
                pgn => pgn?,
            };
            bytes += pgn.len();
            texts.push(pgn);
        }
        Ok(json!(texts))
    }

    /// A self-contained page of games, unless it would be too large for a browser.
    fn page(&self, ids: &[u64]) -> Result<Value, String> {
        let mut games = String::new();
        for &id in ids {
            games += &page::game(&GameData::of(&self.analysis(id).map_err(told)?).json());
            if games.len() > page::MOST_IN_PAGE {
                return Err(TOO_LARGE.to_string());
            }
        }
        Ok(Value::String(page::head("games") + &games + page::FOOT))
    }

    fn ask_analyses(&self, ids: &[u64], nodes: u64) -> Result<Value, String> {
        if !(1..=MOST_NODES).contains(&nodes) {
            return Err(format!("A position takes 1 to {MOST_NODES} nodes, not {nodes}."));
        }
        let list = self.list().map_err(told)?;
        let mut asked = locked(&self.asked);
        let mut is_new = false;
        for &id in ids {
            let Some(positions) = list.positions(id) else { continue };
            if self.library.review_nodes(id).map_err(told)? >= nodes {
                continue;
            }
            asked.games.push_back((id, nodes));
            asked.all = asked.all.saturating_add(positions);
            asked.count += 1;
            is_new = true;
        }
        let Asked { done, all, count: games, .. } = *asked;
        drop(asked);
        if is_new {
            self.stop.store(true, Relaxed);
            let analysing = Analysing { done, all, seconds: None, games };
            self.change(|state| state.analysing = Some(analysing));
        }
        Ok(Value::Null)
    }

    /// The games to review next: those somebody waits for, then the newest of the person's own.
    pub fn next_batch(&self) -> Result<Option<Batch>, LibraryError> {
        let asked = locked(&self.asked);
        if let Some((_, nodes)) = asked.games.front() {
            let same = asked.games.iter().take_while(|(_, other)| other == nodes).take(CHUNK);
            let games = same.map(|(id, _)| *id).collect();
            return Ok(Some(Batch { games, nodes: *nodes, is_asked: true }));
        }
        drop(asked);
        if !locked(&self.state).runs {
            return Ok(None);
        }
        let reviewed = self.library.reviewed(self.order.nodes)?;
        let made = self.library.asked()?;
        let is_left = |it: &Reviewed| {
            reviewed.binary_search(&it.0).is_err() || made.binary_search(&it.0).is_err()
        };
        let left = self.mine()?.into_iter().filter(is_left).take(CHUNK);
        let games: Vec<u64> = left.map(|it| it.0).collect();
        let reviewed = locked(&self.state).reviewed;
        let is_checked = *locked(&self.checked) == reviewed;
        let is_over = games.is_empty() && is_checked && !self.has_new_lines()?;
        Ok((!is_over).then_some(Batch { games, nodes: self.order.nodes, is_asked: false }))
    }

    /// Whether a line of the person's own has no exercises yet.
    fn has_new_lines(&self) -> Result<bool, LibraryError> {
        let made = self.library.exercises::<Exercise>()?;
        let lines = self.library.lines::<OwnLine>()?;
        let has_some = |id: u64| made.iter().any(|(place, _)| places(id).contains(place));
        Ok(lines.iter().any(|(id, _)| !has_some(*id)))
    }

    /// Takes note of the end of a batch. What was not done of it comes again, if it was stopped.
    pub fn end_batch(&self, batch: &Batch) {
        let was_stopped = self.stop.swap(false, Relaxed);
        let list = self.list().ok();
        let mut asked = locked(&self.asked);
        for &id in &batch.games {
            let is_done = self.library.review_nodes(id).is_ok_and(|nodes| nodes >= batch.nodes);
            if is_done || !was_stopped {
                let before = asked.games.len();
                asked.games.retain(|&it| it != (id, batch.nodes));
                if asked.games.len() < before {
                    asked.done += list.as_ref().and_then(|list| list.positions(id)).unwrap_or(0);
                }
            }
        }
        if asked.games.is_empty() {
            *asked = Asked::default();
            drop(asked);
            self.change(|state| state.analysing = None);
        }
        if batch.games.is_empty() && !was_stopped {
            *locked(&self.checked) = locked(&self.state).reviewed;
        }
        self.changed();
    }

    /// Somebody waits for these games: their progress is reported.
    #[cfg(target_family = "wasm")]
    pub fn wait_for(&self, batch: &Batch) {
        let mut asked = locked(&self.asked);
        asked.games = batch.games.iter().map(|&id| (id, batch.nodes)).collect();
        asked.all = usize::MAX;
    }

    /// Reports the progress of analyses that somebody waits for: the positions of the running batch.
    pub fn progress(&self, positions: usize) {
        let mut last = locked(&self.told);
        if last.is_some_and(|last| last.elapsed() < BETWEEN) {
            return;
        }
        *last = Some(Instant::now());
        drop(last);
        let mut asked = locked(&self.asked);
        if asked.games.is_empty() {
            return;
        }
        let begun = *asked.begun.get_or_insert_with(Instant::now);
        let Asked { all, count: games, .. } = *asked;
        let done = (asked.done + positions).min(all);
        drop(asked);
        // There is no estimate at first.
        const FIRST: usize = 3;
        let left = || begun.elapsed().as_secs_f64() * (all - done) as f64 / done as f64;
        let seconds = (done >= FIRST).then(|| left() as u64);
        self.change(|state| state.analysing = Some(Analysing { done, all, seconds, games }));
    }

    /// Reviews games, and makes exercises of those that are the person's, and of the person's lines.
    fn review(&self, batch: &Batch) -> Result<(), ReviewError> {
        let Service { library, stop, .. } = self;
        let mut order = Order { nodes: batch.nodes, ..self.order.clone() };
        if batch.is_asked {
            order.rests = Arc::default();
        }
        let mine = self.mine()?;
        let before = locked(&self.state).reviewed;
        order.run(library, &batch.games, stop, |progress| {
            if batch.is_asked {
                self.progress(progress.positions);
            } else if progress.has_new_game {
                self.change(|state| state.reviewed = before + progress.games);
            }
        })?;
        // The person waits for reviews, not for exercises.
        order = self.order.clone();
        let made = library.asked()?;
        let is_left =
            |it: &&Reviewed| batch.games.contains(&it.0) && made.binary_search(&it.0).is_err();
        for (id, head, side) in mine.iter().filter(is_left) {
            if let Some(analysis) = analysis(library, *id)?.filter(|_| !stop.load(Relaxed)) {
                if batch.is_asked {
                    self.changed();
                }
                let made = exercises(&order, &analysis, head, *side, stop)?;
                if !stop.load(Relaxed) {
                    let exercises = made.into_iter().map(|(ply, it)| (ply, to_json(it))).collect();
                    library.keep(Finding::Exercises { id: *id, exercises })?;
                }
            }
        }
        for (id, line) in library.lines::<OwnLine>()? {
            let made = line_exercises(library, &order, (id, &line), &mine, stop)?;
            if !made.is_empty() {
                let made = made.into_iter().map(|(place, it)| (place, to_json(it))).collect();
                library.keep(Finding::Lines(made))?;
            }
        }
        // All games are reviewed: there is time for openings.
        if batch.games.is_empty() {
            self.overview()?.check_openings(library, &order, stop)?;
        }
        Ok(())
    }

    /// Makes the summaries of reviews of earlier versions.
    pub fn add_summaries(&self) -> Result<(), LibraryError> {
        let known = self.library.summaries()?;
        let old = self.library.reviewed(0)?.into_iter().filter(|id| !known.contains_key(id));
        for id in old {
            if let Some(analysis) = analysis(&self.library, id)? {
                self.library.keep_summary(id, &summary(&analysis))?;
            }
        }
        Ok(())
    }

    /// The current opening trees of the person's games.
    fn trees(&self) -> Result<Arc<[Tree; 2]>, LibraryError> {
        let version = self.version.load(Relaxed);
        let mut kept = locked(&self.trees);
        if let Some((of, trees)) = &*kept
            && *of == version
        {
            return Ok(Arc::clone(trees));
        }
        let made = Arc::new(trees(&self.library, &self.mine()?)?);
        *kept = Some((version, Arc::clone(&made)));
        Ok(made)
    }

    fn overview(&self) -> Result<Overview, LibraryError> {
        let mine = self.mine()?;
        let done: HashSet<u64> = self.library.reviewed(self.order.nodes)?.into_iter().collect();
        let reviewed: Vec<&Reviewed> = mine.iter().filter(|it| done.contains(&it.0)).collect();
        let trees = self.trees()?;
        Overview::of(&self.library, &mine, &reviewed, &trees)
    }

    fn moves(&self, moves: &[String]) -> Result<Value, String> {
        let mut position = Position::start();
        let mut played = Vec::new();
        for word in moves {
            let mv = position.parse_uci(word).map_err(|error| format!("'{word}': {error}."))?;
            played.push(mv);
            position = position.after(mv);
        }
        let trees = self.trees().map_err(told)?;
        Ok(json!([trees[0].after(&played), trees[1].after(&played)]))
    }

    fn today(&self) -> Result<Value, String> {
        let (places, exercises): (Vec<Place>, Vec<Exercise>) =
            self.library.exercises().map_err(told)?.into_iter().unzip();
        let today = due(&exercises, today(), MOST_NEW);
        let today = today.into_iter().map(|at| {
            let (game, ply) = places[at];
            json!({
                "place": [game.to_string(), ply.to_string()],
                "exercise": exercises[at],
                "is_hard": exercises[at].memory.is_hard(),
            })
        });
        Ok(today.collect())
    }

    fn exercise(&self, place: &PlaceText) -> Result<(Place, Exercise), String> {
        let [game, ply] = place.each_ref().map(|number| number.parse());
        let place = (game.unwrap_or(u64::MAX), ply.unwrap_or_default());
        let exercise = self.library.exercise(place).map_err(told)?;
        Ok((place, exercise.ok_or("There is no such exercise any longer.")?))
    }

    fn judge(&self, place: &PlaceText, mv: &str) -> Result<Value, String> {
        let (_, exercise) = self.exercise(place)?;
        let position: Position = exercise.fen.parse().map_err(|error| format!("{error}."))?;
        let mv = position.parse_uci(mv).map_err(|error| format!("'{mv}': {error}."))?;
        // The person waits for this, so it does not rest.
        let order = Order { rests: Arc::default(), ..self.order.clone() };
        // A problem with the library ends reviews, but not this.
        let stop = AtomicBool::new(false);
        let right = is_right(&order, &exercise, &position, mv, &stop);
        right.map(Value::Bool).map_err(|error| error.to_string())
    }

    fn answered(&self, place: &PlaceText, answer: Answer) -> Result<Value, String> {
        let (place, mut exercise) = self.exercise(place)?;
        let day = today();
        exercise.memory = exercise.memory.answered(answer, day);
        self.library.keep_exercise(place, &exercise).map_err(told)?;
        self.count();
        let memory = exercise.memory;
        let days = memory.due().saturating_sub(day);
        Ok(json!({ "days": days, "is_retired": memory.is_retired(), "is_hard": memory.is_hard() }))
    }
}

fn null<T>(_: T) -> Value {
    Value::Null
}
