//! The coach behind a page: requests to the library, imports, and reviews in the background with spare time of
//! the machine. It knows no voice: each request comes with a function for its answer, and changes are reported
//! as a state.

use std::collections::HashSet;
use std::io::{self, BufReader, Read};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TrySendError, bounded, unbounded};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::day::{MOST_NEW, due, today};
use super::exercises::{Exercise, exercises, is_right};
use super::export::{Export, Sink};
use super::lines::{OwnLine, line_exercises, places};
use super::overview::{Overview, Reviewed, trees};
use super::reviews::{Order, ReviewError, analysis};
use super::schedule::Answer;
use super::tree::Tree;
use crate::library::{Head, Import, Library, LibraryError, Place, Taken};
use engine::board::Position;
use engine::notation::{PgnGame, PgnReader};

/// A request. A page sends a file of games in parts, in order, each with the page's number for the file.
#[derive(Debug, Deserialize)]
#[serde(tag = "want", rename_all = "snake_case", deny_unknown_fields)]
pub enum Want {
    Import {
        text: String,
        #[serde(default)]
        file: u32,
        is_first: bool,
        is_last: bool,
    },
    /// Set the person's names.
    Names {
        names: Vec<String>,
    },
    /// Get the players with the most games, and their number of games.
    Players,
    Overview,
    /// List the games that contain all words of a search.
    Games {
        search: String,
        by: Column,
        is_up: bool,
        from: usize,
    },
    /// Get the moves and tags of a game.
    Game {
        id: u64,
    },
    /// Get the exercises that are due.
    Today,
    /// Judge a move of an exercise.
    Judge {
        place: PlaceText,
        mv: String,
    },
    Answered {
        place: PlaceText,
        answer: Answer,
    },
    /// Get the continuations of the person's games after these moves, with White and with Black.
    Moves {
        moves: Vec<String>,
    },
    /// Add an opening line to train.
    Line {
        is_white: bool,
        name: String,
        moves: Vec<String>,
    },
    Lines,
    ForgetLine {
        id: u64,
    },
    /// Turn reviews on or off.
    Review {
        runs: bool,
    },
}

/// A place as text, since JavaScript's numbers are too short for it.
type PlaceText = [String; 2];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Column {
    Date,
    White,
    Black,
    Result,
    Moves,
}

/// Takes the answer to a request: JSON or an error.
pub type Reply = Box<dyn FnOnce(Result<Value, String>) + Send>;

/// The state that a page shows at once.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct State {
    /// The error that made the library unusable.
    pub problem: Option<String>,
    pub games: u64,
    pub mine: usize,
    pub reviewed: usize,
    pub names: Vec<String>,
    /// Players and their number of games, to choose from while the person is unknown.
    pub players: Vec<(String, usize)>,
    /// The number of exercises due today, and of all that are not retired.
    pub due: usize,
    pub exercises: usize,
    /// Whether games are reviewed when the machine has time.
    pub runs: bool,
    pub is_reviewing: bool,
    pub import: Option<Imported>,
    /// Increases whenever an overview would change.
    pub version: u64,
}

/// The running or the last import.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Imported {
    #[serde(flatten)]
    pub taken: Taken,
    /// Some of the games that were left out, with their lines.
    pub broken_games: Vec<String>,
    pub runs: bool,
    /// The page that sent the file was closed before its end.
    pub is_cut: bool,
}

/// The most broken games that are listed.
const MOST_BROKEN: usize = 200;

/// The number of games that are reviewed between making exercises.
const CHUNK: usize = 10;

/// The longest wait for the next part of a file. A page sends it at once, so a page that does not is gone.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// The answer to another file meanwhile.
const BUSY: &str = "Another file is being read in; try again when it is done.";

/// The most games of a list in one answer.
const MOST_SHOWN: usize = 100;

/// The person's name in games that are played on the board.
const PLAYER: &str = "Player";

/// The names of which none is offered as the person's: the one above, and those of players without one.
const NOBODY: [&str; 3] = [PLAYER, "White", "Black"];

/// What a board asks of the coach.
enum Call {
    Want(Want, Reply),
    Export(Export, Sink),
    /// A game that was played, its number on the board, and whether it went on after an earlier end.
    Played(PgnGame, u64, bool),
}

pub struct Background {
    calls: Sender<Call>,
    states: Receiver<State>,
    rests: Arc<AtomicBool>,
}

impl Background {
    /// Opens the library of a file, on a thread of its own.
    pub fn begin(file: PathBuf, order: Order) -> io::Result<Background> {
        let (calls, called) = unbounded();
        let (tell, states) = unbounded();
        let rests = Arc::clone(&order.rests);
        let work = move || match Library::open(&file) {
            Ok(library) => Office::new(library, order, tell).work(called),
            Err(error) => refuse(&error.to_string(), called, &tell),
        };
        thread::Builder::new().name("coach".to_string()).spawn(work)?;
        Ok(Background { calls, states, rests })
    }

    pub fn ask(&self, want: Want, reply: Reply) {
        self.calls.send(Call::Want(want, reply)).ok();
    }

    /// Hands over everything that the library has.
    pub fn export(&self, export: Export, sink: Sink) {
        self.calls.send(Call::Export(export, sink)).ok();
    }

    /// Adds a game that was played, with its number on the board. It replaces the last one if that went on.
    pub fn add(&self, game: PgnGame, number: u64, went_on: bool) {
        self.calls.send(Call::Played(game, number, went_on)).ok();
    }

    pub fn states(&self) -> Receiver<State> {
        self.states.clone()
    }

    /// Pauses reviews while the machine is needed for something else.
    pub fn rest(&self, rests: bool) {
        self.rests.store(rests, Relaxed);
    }
}

/// Gives every request the same error if there is no library.
fn refuse(problem: &str, called: Receiver<Call>, tell: &Sender<State>) {
    tell.send(State { problem: Some(problem.to_string()), ..State::default() }).ok();
    for call in called {
        match call {
            Call::Want(_, reply) => reply(Err(problem.to_string())),
            Call::Export(_, mut sink) => _ = sink(Err(problem.to_string())),
            Call::Played(..) => {}
        }
    }
}

/// The data that the threads of a coach share.
struct Office {
    library: Library,
    order: Order,
    /// Ends reviews when the coach is dropped.
    stop: AtomicBool,
    state: Mutex<State>,
    tell: Sender<State>,
    /// A slow count must not overwrite a newer one.
    counting: Mutex<()>,
    heads: Mutex<Option<Arc<Vec<Row>>>>,
    trees: Mutex<Option<(u64, Arc<[Tree; 2]>)>>,
    version: AtomicU64,
}

/// A game in the list, with the text that a search looks at.
struct Row {
    id: u64,
    head: Head,
    text: String,
}

/// A part of a file, and the answer to it.
type Part = (String, Reply);

/// The file that is being read in. There is one at a time, so that none cuts another off.
struct OpenFile {
    file: u32,
    /// `None` after the last part.
    parts: Option<Sender<Part>>,
    /// Its reader has the other end, and is gone when the file is read.
    reader: Weak<()>,
}

/// Reads the parts of a file as they come, and answers each when it is read. A file whose page is gone ends.
struct Parts {
    parts: Receiver<Part>,
    bytes: io::Cursor<String>,
    is_cut: Arc<AtomicBool>,
}

impl Read for Parts {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.bytes.read(buffer)? {
                0 if !buffer.is_empty() => match self.parts.recv_timeout(LONGEST_WAIT) {
                    Ok((text, reply)) => {
                        reply(Ok(Value::Null));
                        self.bytes = io::Cursor::new(text);
                    }
                    // No later part is waited for.
                    Err(error) => {
                        self.is_cut.fetch_or(error == RecvTimeoutError::Timeout, Relaxed);
                        self.parts = bounded(0).1;
                        return Ok(0);
                    }
                },
                count => return Ok(count),
            }
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn told(error: LibraryError) -> String {
    error.to_string()
}

impl Office {
    fn new(library: Library, order: Order, tell: Sender<State>) -> Arc<Office> {
        let state = State { runs: true, ..State::default() };
        Arc::new(Office {
            library,
            order,
            stop: AtomicBool::default(),
            state: Mutex::new(state),
            tell,
            counting: Mutex::default(),
            heads: Mutex::default(),
            trees: Mutex::default(),
            version: AtomicU64::default(),
        })
    }

    /// Serves requests until the coach is dropped.
    fn work(self: Arc<Self>, called: Receiver<Call>) {
        let (wake, woken) = bounded(1);
        self.count();
        let office = Arc::clone(&self);
        let reviewer = move || office.review(&woken);
        thread::Builder::new().name("coach's reviews".to_string()).spawn(reviewer).ok();
        let mut open = None;
        wake.try_send(()).ok();
        for call in called {
            let office = Arc::clone(&self);
            match call {
                Call::Want(Want::Import { text, file, is_first, is_last }, reply) => {
                    self.import((text, reply), (file, is_first, is_last), &mut open, &wake);
                }
                Call::Want(Want::Overview, reply) => {
                    beside(move || reply(office.overview().map_err(told)));
                }
                Call::Want(Want::Judge { place, mv }, reply) => {
                    beside(move || reply(office.judge(&place, &mv)));
                }
                Call::Want(Want::Moves { moves }, reply) => {
                    beside(move || reply(office.moves(&moves)));
                }
                Call::Want(want, reply) => reply(self.answer(want, &wake)),
                Call::Export(export, sink) => {
                    beside(move || export.hand_over(&office.library, sink));
                }
                Call::Played(game, number, went_on) => {
                    self.add(&game, number, went_on);
                    wake.try_send(()).ok();
                }
            }
        }
        self.stop.store(true, Relaxed);
    }

    fn answer(&self, want: Want, wake: &Sender<()>) -> Result<Value, String> {
        match want {
            Want::Names { mut names } => {
                // Games that were played on the board stay the person's.
                let before = self.library.names().map_err(told)?;
                names.extend(before.into_iter().filter(|name| name == PLAYER));
                self.library.set_names(&names).map_err(told)?;
                self.changed();
                wake.try_send(()).ok();
                Ok(Value::Null)
            }
            Want::Players => Ok(json!(self.players().map_err(told)?)),
            Want::Games { search, by, is_up, from } => self.games(&search, by, is_up, from),
            Want::Game { id } => {
                let game = self.library.game(id).map_err(told)?;
                let mut position = game.start;
                let moves = game.moves.iter().map(|played| {
                    let word = position.uci(played.mv, true);
                    position = position.after(played.mv);
                    word
                });
                let moves: Vec<String> = moves.collect();
                let tags: Vec<_> = game.tags.iter().collect();
                Ok(json!({ "start": game.start.fen().to_string(), "moves": moves, "tags": tags }))
            }
            Want::Today => self.today(),
            Want::Answered { place, answer } => self.answered(&place, answer),
            Want::Line { is_white, name, moves } => {
                let line = OwnLine::new(is_white, name, &moves);
                let line = line.ok_or("A line has legal moves, and one of them is yours.")?;
                self.library.keep_line(&line).map_err(told)?;
                wake.try_send(()).ok();
                Ok(Value::Null)
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
            Want::Review { runs } => {
                self.change(|state| state.runs = runs);
                wake.try_send(()).ok();
                Ok(Value::Null)
            }
            Want::Import { .. } | Want::Overview | Want::Judge { .. } | Want::Moves { .. } => {
                Ok(Value::Null)
            }
        }
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = locked(&self.state);
        let before = state.clone();
        change(&mut state);
        if *state != before {
            self.tell.send(state.clone()).ok();
        }
    }

    /// Takes note that games or names changed.
    fn changed(&self) {
        *locked(&self.heads) = None;
        self.version.fetch_add(1, Relaxed);
        self.count();
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
    fn count(&self) {
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
                ..State::default()
            })
        };
        let version = self.version.load(Relaxed);
        match counted() {
            Ok(counted) => self.change(|state| {
                let State { problem, runs, is_reviewing, import, .. } = state.clone();
                *state = State { problem, runs, is_reviewing, import, version, ..counted };
            }),
            Err(error) => self.change(|state| state.problem = Some(error.to_string())),
        }
    }

    fn import(
        self: &Arc<Self>,
        (text, reply): Part,
        (file, is_first, is_last): (u32, bool, bool),
        open: &mut Option<OpenFile>,
        wake: &Sender<()>,
    ) {
        open.take_if(|open| open.reader.strong_count() == 0);
        if is_first {
            if open.is_some() {
                return reply(Err(BUSY.to_string()));
            }
            let (sender, receiver) = bounded(1);
            let reader = Arc::new(());
            *open = Some(OpenFile { file, parts: Some(sender), reader: Arc::downgrade(&reader) });
            let (office, wake) = (Arc::clone(self), wake.clone());
            beside(move || {
                office.import_parts(receiver, reader);
                wake.try_send(()).ok();
            });
        }
        let Some(open) = open.as_mut().filter(|open| open.file == file) else {
            return reply(Err("The first part of this file is missing.".to_string()));
        };
        // A page with two parts waiting does not wait for answers.
        let sent = match &open.parts {
            Some(parts) => parts.try_send((text, reply)),
            None => Err(TrySendError::Full((text, reply))),
        };
        if let Err(error) = sent {
            let (_, reply) = error.into_inner();
            reply(Err("Parts of a file come one after the other.".to_string()));
        }
        if is_last {
            open.parts = None;
        }
    }

    fn import_parts(&self, parts: Receiver<Part>, reader: Arc<()>) {
        let is_cut = Arc::<AtomicBool>::default();
        let bytes = io::Cursor::default();
        let input = BufReader::new(Parts { parts, bytes, is_cut: Arc::clone(&is_cut) });
        self.change(|state| state.import = Some(Imported { runs: true, ..Imported::default() }));
        let mut imported = Imported { runs: true, ..Imported::default() };
        let taken = self.library.import(PgnReader::new(input), |import| match import {
            Import::Progress(taken) => {
                imported.taken = taken;
                self.change(|state| state.import = Some(imported.clone()));
            }
            Import::Broken(text) if imported.broken_games.len() < MOST_BROKEN => {
                imported.broken_games.push(text.to_string());
            }
            Import::Broken(_) => {}
        });
        drop(reader);
        (imported.runs, imported.is_cut) = (false, is_cut.load(Relaxed));
        let problem = taken.map_err(told).err();
        self.change(|state| (state.import, state.problem) = (Some(imported), problem));
        self.changed();
    }

    /// Adds a game that was played on the board.
    fn add(&self, game: &PgnGame, number: u64, went_on: bool) {
        if let Err(error) = self.library.add_played(game, PLAYER, number, went_on) {
            self.change(|state| state.problem = Some(error.to_string()));
        }
        self.changed();
    }

    /// Reviews the person's games whenever there are some and the machine has time.
    fn review(&self, woken: &Receiver<()>) {
        while woken.recv().is_ok() {
            self.change(|state| state.is_reviewing = true);
            let mut done = Ok(true);
            while matches!(done, Ok(true)) && locked(&self.state).runs && !self.stop.load(Relaxed) {
                done = match self.review_chunk() {
                    // The others are still to be reviewed.
                    Err(ReviewError::Library(error)) if error.is_gone() => Ok(true),
                    done => done,
                };
            }
            let problem = done.err().map(|error| error.to_string());
            self.change(|state| {
                state.is_reviewing = false;
                state.problem = problem;
            });
        }
    }

    /// Reviews the newest unreviewed games, and makes their exercises and those of lines. `false`: there was
    /// nothing to do.
    fn review_chunk(&self) -> Result<bool, ReviewError> {
        let Office { library, order, stop, .. } = self;
        let mine = self.mine()?;
        let reviewed: HashSet<u64> = library.reviewed(order.nodes)?.into_iter().collect();
        let asked: HashSet<u64> = library.asked()?.into_iter().collect();
        let is_left = |it: &&Reviewed| !reviewed.contains(&it.0) || !asked.contains(&it.0);
        let left: Vec<&Reviewed> = mine.iter().filter(is_left).take(CHUNK).collect();
        let ids: Vec<u64> = left.iter().map(|it| it.0).collect();
        let before = mine.iter().filter(|it| reviewed.contains(&it.0)).count();
        order.run(library, &ids, stop, |progress| {
            if progress.has_new_game {
                self.change(|state| state.reviewed = before + progress.games);
            }
        })?;
        for (id, head, side) in &left {
            if let Some(analysis) = analysis(library, *id)?.filter(|_| !stop.load(Relaxed)) {
                let made = exercises(order, &analysis, head, *side, stop)?;
                if !stop.load(Relaxed) {
                    library.keep_exercises(*id, &made)?;
                }
            }
        }
        let mut has_new = false;
        for (id, line) in library.lines::<OwnLine>()? {
            let made = line_exercises(library, order, (id, &line), &mine, stop)?;
            has_new |= !made.is_empty();
            library.add_exercises(&made)?;
        }
        if !left.is_empty() || has_new {
            self.version.fetch_add(1, Relaxed);
            self.count();
        }
        Ok(!left.is_empty())
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

    fn overview(&self) -> Result<Value, LibraryError> {
        let mine = self.mine()?;
        let done: HashSet<u64> = self.library.reviewed(self.order.nodes)?.into_iter().collect();
        let reviewed: Vec<&Reviewed> = mine.iter().filter(|it| done.contains(&it.0)).collect();
        let trees = self.trees()?;
        let overview = Overview::of(&self.library, &mine, &reviewed, &trees)?;
        Ok(serde_json::to_value(overview).expect("text, numbers and lists are JSON"))
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

    fn rows(&self) -> Result<Arc<Vec<Row>>, LibraryError> {
        let mut kept = locked(&self.heads);
        if let Some(rows) = &*kept {
            return Ok(Arc::clone(rows));
        }
        let row = |(id, head): (u64, Head)| {
            let [white, black] = &head.players;
            let text = format!("{white} {black} {} {}", head.date, head.result).to_lowercase();
            Row { id, head, text }
        };
        let rows = Arc::new(self.library.heads()?.into_iter().map(row).collect::<Vec<_>>());
        *kept = Some(Arc::clone(&rows));
        Ok(rows)
    }

    fn games(&self, search: &str, by: Column, is_up: bool, from: usize) -> Result<Value, String> {
        let rows = self.rows().map_err(told)?;
        let search = search.to_lowercase();
        let words: Vec<&str> = search.split_whitespace().collect();
        let fits = |row: &&Row| words.iter().all(|word| row.text.contains(word));
        let mut found: Vec<&Row> = rows.iter().filter(fits).collect();
        // They are sorted by date, newest first.
        match by {
            Column::Date => {}
            Column::White => found.sort_by(|a, b| a.head.players[0].cmp(&b.head.players[0])),
            Column::Black => found.sort_by(|a, b| a.head.players[1].cmp(&b.head.players[1])),
            Column::Result => found.sort_by(|a, b| a.head.result.cmp(&b.head.result)),
            Column::Moves => found.sort_by_key(|row| std::cmp::Reverse(row.head.plies)),
        }
        if is_up {
            found.reverse();
        }
        let shown = found.iter().skip(from).take(MOST_SHOWN);
        let shown: Vec<Value> =
            shown.map(|row| json!({ "id": row.id, "head": row.head })).collect();
        Ok(json!({ "count": found.len(), "games": shown }))
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

/// A long task.
fn beside(work: impl FnOnce() + Send + 'static) {
    thread::Builder::new().name("coach's work".to_string()).spawn(work).ok();
}
