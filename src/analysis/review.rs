//! A review: games in, an analysis out for each as it is done. It knows no file, no terminal, and nothing
//! of who asks for it.

use std::collections::VecDeque;
use std::io::BufRead;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
#[cfg(not(target_family = "wasm"))]
use std::thread;

use crossbeam_channel::{Sender, unbounded};
#[cfg(not(target_family = "wasm"))]
use crossbeam_channel::{bounded, never, select};
use serde::{Deserialize, Serialize};

use super::analyser::{Analyser, ERROR, Look, PositionAnalysis, is_verified};
use super::game_analysis::{GameAnalysis, Phase};
use super::game_data::moves_text;
use engine::board::{Color, Game, Move, Position};
use engine::eval::Network;
use engine::notation::{PgnError, PgnGame, PgnReader};
use engine::search::{EngineError, Limits, most_threads};

/// Keeps what is found of positions, so that a review that was cut off searches none of them again. Games go
/// by their numbers.
pub trait Notebook: Sync {
    fn known(&self, place: Place, position: &Position) -> Option<PositionAnalysis>;

    fn keep(&self, place: Place, position: &Position, found: &PositionAnalysis);
}

/// A position of a game, and how it is looked at.
#[derive(Clone, Copy)]
pub struct Place {
    pub game: usize,
    pub position: usize,
    pub look: Look,
}

/// How games are to be analysed.
pub struct Review<'a> {
    /// Of each position.
    pub limits: Limits,
    /// The lines to find for each position.
    pub multi_pv: usize,
    /// That search, each a position of its own.
    pub threads: usize,
    /// For all together, in megabytes.
    pub hash: usize,
    pub network: Arc<Network>,
    pub notebook: Option<&'a dyn Notebook>,
}

/// What comes of a review.
pub enum Reviewed<E> {
    /// So many positions are analysed, of so many that are known so far, and what was just found. Closer looks
    /// do not count.
    Progress { done: usize, known: usize, seen: Option<Seen> },
    /// Without its last positions if a stop came.
    Game(Box<GameAnalysis>),
    /// What came in place of a game.
    Broken(E),
}

/// A position of a game, as its analysis has just left it.
#[derive(Serialize, Deserialize)]
pub struct Seen {
    /// The game's number, and the moves that lead to the position.
    pub number: usize,
    pub ply: usize,
    /// White's score and chance to win.
    pub score: String,
    pub win: f64,
    /// The best line, each move as UCI writes it and in standard notation.
    pub line: String,
}

/// The games that a reader gives, and of those that are broken what is wrong and then their beginnings.
pub fn readable<R: BufRead>(
    games: PgnReader<R>,
) -> impl Iterator<Item = Result<PgnGame, PgnError>> {
    games.flat_map(|game| {
        let beginning = game.as_ref().err().and_then(PgnError::beginning);
        [Some(game), beginning.map(Ok)].into_iter().flatten()
    })
}

/// What is wrong with a game, and what is done with it.
pub fn told(error: &PgnError) -> String {
    let rest = if error.beginning().is_some() { "; analysed up to there" } else { "" };
    format!("{error}{rest}")
}

/// The positions that are analysed one after the other: their searches profit from each other.
const RUN: usize = 8;

/// Moves that lose at least 2.5 % of the chance to win get a second search, and so do moves about which the
/// first was wrong by half of that. Judged moves lose twice as much and more, so that a slow machine does not
/// change judgements.
const CLOSE: f64 = 2.5;

/// A mark for such a loss, in percent, stands without a longer search, but in an ending, where all false ones
/// were.
const CLEAR: f64 = 25.0;

/// The games that may wait behind one that is not done.
const MOST_AHEAD: usize = 64;

/// Positions of a game to be analysed.
struct Run {
    game: usize,
    /// The game's own number.
    number: usize,
    start: Position,
    moves: Arc<[Move]>,
    positions: Range<usize>,
    look: Look,
}

/// One of them, of which nothing is known if a stop came.
struct Found {
    game: usize,
    position: usize,
    analysis: Option<PositionAnalysis>,
    look: Look,
    board: Position,
    is_new: bool,
}

impl Review<'_> {
    /// The same in the calling thread, the only one of a web page's worker.
    #[cfg(target_family = "wasm")]
    pub fn run<E>(
        &self,
        games: impl Iterator<Item = Result<PgnGame, E>>,
        stop: &AtomicBool,
        mut hear: impl FnMut(Reviewed<E>),
    ) -> Result<(), EngineError> {
        let (runs, to_do) = unbounded();
        let mut analysers = self.analysers(stop)?;
        let mut desk = self.open_games(runs);
        for game in games.take_while(|_| !stop.load(Relaxed)) {
            desk.open(game);
            while let (Ok(run), [analyser, ..]) = (to_do.try_recv(), &mut analysers[..]) {
                run.analyse(analyser, self.notebook, |result| {
                    let seen = desk.put(result, stop);
                    hear(Reviewed::Progress { done: desk.done, known: desk.known, seen });
                });
            }
            while let Some(reviewed) = desk.next() {
                reviewed.into_iter().for_each(&mut hear);
            }
        }
        Ok(())
    }

    /// Reviews games until they end, or until a stop, at which the iterator must not wait any longer. What
    /// comes of them is heard in their order.
    #[cfg(not(target_family = "wasm"))]
    pub fn run<E: Send>(
        &self,
        games: impl Iterator<Item = Result<PgnGame, E>> + Send,
        stop: &AtomicBool,
        mut hear: impl FnMut(Reviewed<E>),
    ) -> Result<(), EngineError> {
        let (runs, to_do) = unbounded::<Run>();
        let (found, results) = unbounded();
        let (read, games_in) = bounded(0);
        let analysers = self.analysers(stop)?;
        let threads = analysers.len();
        thread::scope(|scope| {
            scope.spawn(move || {
                let mut games = games.take_while(|_| !stop.load(Relaxed));
                games.all(|game| read.send(game).is_ok());
            });
            for analyser in analysers {
                let (to_do, found) = (to_do.clone(), found.clone());
                scope.spawn(move || {
                    let mut analyser = analyser;
                    for run in to_do {
                        let hear = |result| drop(found.send(result));
                        run.analyse(&mut analyser, self.notebook, hear);
                    }
                });
            }
            let (nothing, mut more) = (never(), true);
            let mut desk = self.open_games(runs);
            while more || !desk.open.is_empty() {
                let is_hungry = to_do.len() < threads && desk.open.len() < threads + MOST_AHEAD;
                let games_in = if more && is_hungry { &games_in } else { &nothing };
                select! {
                    recv(games_in) -> game => match game {
                        Ok(game) => desk.open(game),
                        Err(_) => more = false,
                    },
                    recv(results) -> found => {
                        let found = found.expect("the threads wait for more to do");
                        let seen = desk.put(found, stop);
                        hear(Reviewed::Progress { done: desk.done, known: desk.known, seen });
                    }
                }
                while let Some(reviewed) = desk.next() {
                    reviewed.into_iter().for_each(&mut hear);
                }
            }
        });
        Ok(())
    }

    fn open_games<E>(&self, runs: Sender<Run>) -> OpenGames<'_, E> {
        OpenGames {
            runs,
            multi_pv: self.multi_pv,
            is_verified: is_verified(&self.limits),
            notebook: self.notebook,
            known: 0,
            done: 0,
            first: 0,
            open: VecDeque::new(),
        }
    }

    /// As many as the system has threads and memory for, and at least one.
    fn analysers<'a>(&self, stop: &'a AtomicBool) -> Result<Vec<Analyser<'a>>, EngineError> {
        let threads = self.threads.min(most_threads());
        let hash = (self.hash / threads).max(1);
        let analyser = |_| {
            let (network, limits) = (Arc::clone(&self.network), self.limits.clone());
            Analyser::new(hash, network, limits, self.multi_pv, stop)
        };
        let mut analysers = vec![analyser(0)?];
        analysers.extend((1..threads).map_while(|number| analyser(number).ok()));
        Ok(analysers)
    }
}

impl Run {
    fn analyse(
        self,
        analyser: &mut Analyser,
        notebook: Option<&dyn Notebook>,
        mut hear: impl FnMut(Found),
    ) {
        let Run { game: at, number, start, moves, positions, look } = self;
        let mut game = Game::new(start);
        if !analyser.is_stopped() {
            analyser.clear();
            moves[..positions.start].iter().for_each(|&mv| game.play(mv));
        }
        for position in positions {
            let place = Place { game: number, position, look };
            let known = notebook.and_then(|notebook| notebook.known(place, game.position()));
            let is_new = known.is_none();
            let analysis = known.or_else(|| analyser.analyse(&game, look));
            let board = *game.position();
            hear(Found { game: at, position, analysis, look, board, is_new });
            moves.get(position).into_iter().for_each(|&mv| game.play(mv));
        }
    }
}

/// The games that are being reviewed, in their order.
struct OpenGames<'a, E> {
    runs: Sender<Run>,
    multi_pv: usize,
    is_verified: bool,
    notebook: Option<&'a dyn Notebook>,
    known: usize,
    done: usize,
    /// The number of the first open one.
    first: usize,
    open: VecDeque<Open<E>>,
}

enum Open<E> {
    Broken(E),
    Game(Box<OpenGame>),
}

struct OpenGame {
    game: PgnGame,
    moves: Arc<[Move]>,
    found: Vec<Option<PositionAnalysis>>,
    /// How closely each was looked at.
    looks: Vec<Look>,
    /// The positions that are being analysed.
    left: usize,
}

impl<E> OpenGames<'_, E> {
    fn open(&mut self, game: Result<PgnGame, E>) {
        let game = match game {
            Ok(game) => game,
            Err(error) => return self.open.push_back(Open::Broken(error)),
        };
        let moves: Arc<[Move]> = game.moves.iter().map(|played| played.mv).collect();
        let count = moves.len() + 1;
        let number = self.first + self.open.len();
        for start in (0..count).step_by(RUN) {
            let positions = start..count.min(start + RUN);
            self.order(number, game.number, &game.start, &moves, positions, Look::First);
        }
        let found = (0..count).map(|_| None).collect();
        let looks = vec![Look::First; count];
        let open = OpenGame { game, moves, found, looks, left: count };
        self.open.push_back(Open::Game(Box::new(open)));
    }

    fn order(
        &mut self,
        at: usize,
        number: usize,
        start: &Position,
        moves: &Arc<[Move]>,
        positions: Range<usize>,
        look: Look,
    ) {
        if look == Look::First {
            self.known += positions.len();
        }
        let (start, moves) = (*start, Arc::clone(moves));
        let run = Run { game: at, number, start, moves, positions, look };
        self.runs.send(run).expect("the threads wait for more to do");
    }

    /// When all positions of a game are known, some are looked at again.
    fn put(&mut self, found: Found, stop: &AtomicBool) -> Option<Seen> {
        let Some(Open::Game(open)) = self.open.get_mut(found.game - self.first) else {
            return None;
        };
        self.done += usize::from(found.look == Look::First);
        open.left -= 1;
        let seen = found.analysis.as_ref().map(|analysis| open.seen(found.position, analysis));
        // After a stop the first result stays.
        if let Some(analysis) = &found.analysis {
            let Found { position, look, .. } = found;
            let place = Place { game: open.game.number, position, look };
            let notebook = self.notebook.filter(|_| found.is_new);
            notebook.iter().for_each(|notebook| notebook.keep(place, &found.board, analysis));
            open.found[position] = found.analysis;
            open.looks[position] = look;
        }
        if open.left > 0 || stop.load(Relaxed) {
            return seen;
        }
        let (wanted, look) = open.wanted(self.is_verified);
        open.left = wanted.len();
        let (number, start) = (open.game.number, open.game.start);
        let moves = Arc::clone(&open.moves);
        for position in wanted {
            let positions = position..position + 1;
            self.order(found.game, number, &start, &moves, positions, look);
        }
        seen
    }

    /// What comes of the first game, if it is done. Nothing comes of one that a stop was before.
    fn next(&mut self) -> Option<Option<Reviewed<E>>> {
        if matches!(self.open.front()?, Open::Game(open) if open.left > 0) {
            return None;
        }
        self.first += 1;
        match self.open.pop_front()? {
            Open::Broken(error) => Some(Some(Reviewed::Broken(error))),
            Open::Game(open) => {
                let OpenGame { game, found, .. } = *open;
                let found: Vec<_> = found.into_iter().map_while(|found| found).collect();
                if found.is_empty() {
                    return Some(None);
                }
                let mut analysis = GameAnalysis::new(game, found);
                for (found, position) in analysis.analyses.iter_mut().zip(&analysis.positions) {
                    found.keep(self.multi_pv - 1, position.side());
                }
                Some(Some(Reviewed::Game(Box::new(analysis))))
            }
        }
    }
}

impl OpenGame {
    fn seen(&self, ply: usize, analysis: &PositionAnalysis) -> Seen {
        const SHOWN_MOVES: usize = 6;
        let position = self.moves[..ply].iter().fold(self.game.start, |it, &mv| it.after(mv));
        let score = analysis.white_score;
        Seen {
            number: self.game.number,
            ply,
            score: score.to_string(),
            win: score.win_percent(Color::White),
            line: moves_text(&position, analysis.pv.iter().take(SHOWN_MOVES)),
        }
    }

    /// The positions that ask for a closer look: before and after moves that may be bad. Once they had it, those
    /// beside moves that are judged; a mark that this gives to another move is looked at in its turn.
    fn wanted(&self, is_verified: bool) -> (Vec<usize>, Look) {
        let found: Vec<_> = self.found.iter().map_while(Clone::clone).collect();
        let known = GameAnalysis::new(self.game.clone(), found.clone());
        let mut is_wanted = vec![false; self.found.len()];
        let mut is_judged = is_wanted.clone();
        for (i, (judged, before)) in known.moves.iter().zip(&found).enumerate() {
            let error = before.error(self.moves[i], &known.analyses[i + 1], judged.color);
            if judged.loss >= CLOSE || error.abs() >= ERROR / 2.0 {
                is_wanted[i] = true;
                is_wanted[i + 1] = true;
            }
            let is_clear =
                judged.loss >= CLEAR && Phase::of(&known.positions[i], i) != Phase::Endgame;
            if is_verified && judged.judgement().is_some() && !is_clear {
                is_judged[i] = true;
                is_judged[i + 1] = true;
            }
        }
        let left = |wanted: &[bool], look: Look| -> Vec<usize> {
            (0..self.found.len()).filter(|&i| wanted[i] && self.looks[i] < look).collect()
        };
        match left(&is_wanted, Look::Closer) {
            closer if closer.is_empty() => (left(&is_judged, Look::Verdict), Look::Verdict),
            closer => (closer, Look::Closer),
        }
    }
}
