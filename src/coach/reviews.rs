//! Reviews of the person's games, stored in the library: newest game first, each once, with the same nodes per
//! position, so that figures compare. Each analysis is stored at once, so that neither a stop nor a kill makes
//! any position be searched twice.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
#[cfg(not(target_family = "wasm"))]
use std::thread;
#[cfg(not(target_family = "wasm"))]
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::analysis::{
    GameAnalysis, JUDGEMENTS, Look, Notebook, OtherLine, Place, PositionAnalysis, Review, Reviewed,
    WhiteScore,
};
use crate::library::{Finding, Library, LibraryError, Summary};
use engine::board::{Color, Move, Position};
use engine::eval::Network;
use engine::notation::PgnGame;
use engine::search::{EngineError, Limits};

/// The default nodes per position. A hundred games of 80 plies take minutes.
pub const NODES: u64 = 20_000;

/// The length of stored lines, in moves.
const LINE: usize = 12;

/// The settings of reviews.
#[derive(Clone)]
pub struct Order {
    /// The nodes per position.
    pub nodes: u64,
    pub threads: usize,
    /// In megabytes.
    pub hash: usize,
    pub network: Arc<Network>,
    /// While this is set, nothing new is searched.
    pub rests: Arc<AtomicBool>,
}

/// The interval at which a rest is checked.
#[cfg(not(target_family = "wasm"))]
const NAP: Duration = Duration::from_millis(20);

#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    #[error(transparent)]
    Library(#[from] LibraryError),
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Progress of reviews.
pub struct Progress {
    pub games: usize,
    pub all: usize,
    pub positions: usize,
    /// Whether a review was just stored.
    pub has_new_game: bool,
}

impl Order {
    fn review<'a>(
        &self,
        nodes: u64,
        multi_pv: usize,
        notebook: Option<&'a dyn Notebook>,
    ) -> Review<'a> {
        Review {
            limits: Limits { nodes: Some(nodes), ..Limits::default() },
            multi_pv,
            threads: self.threads,
            hash: self.hash,
            network: Arc::clone(&self.network),
            notebook,
        }
    }

    #[cfg(not(target_family = "wasm"))]
    fn rest(&self, stop: &AtomicBool) {
        while self.rests.load(Relaxed) && !stop.load(Relaxed) {
            thread::sleep(NAP);
        }
    }

    /// A page does not rest but stops its worker.
    #[cfg(target_family = "wasm")]
    fn rest(&self, stop: &AtomicBool) {
        stop.fetch_or(engine::system::wasm::is_stopped(), Relaxed);
    }

    /// Reviews games in this order until a stop, except those that have a review or are gone.
    pub fn run(
        &self,
        library: &Library,
        games: &[u64],
        stop: &AtomicBool,
        mut hear: impl FnMut(Progress),
    ) -> Result<(), ReviewError> {
        let done = library.reviewed(self.nodes)?;
        let left: Vec<u64> =
            games.iter().copied().filter(|id| done.binary_search(id).is_err()).collect();
        let all = left.len();
        let (mut games, mut positions, mut problem) = (0, 0, None);
        let notes = Notes { library, order: self, stop, problem: Mutex::default() };
        let loaded = left.into_iter().map(|id| library.game(id));
        self.review(self.nodes, 1, Some(&notes)).run(loaded, stop, |reviewed| {
            let mut has_new_game = false;
            match reviewed {
                Reviewed::Progress { done, .. } => positions = done,
                Reviewed::Broken(error) if error.is_gone() => {}
                Reviewed::Broken(error) => problem = Some(error),
                // A stop may have ended it early.
                Reviewed::Game(analysis) if !is_whole(&analysis) => {}
                Reviewed::Game(analysis) => match library.keep(finding(&analysis, self.nodes)) {
                    Ok(()) => (games, has_new_game) = (games + 1, true),
                    Err(error) => problem = Some(error),
                },
            }
            if problem.is_some() {
                stop.store(true, Relaxed);
            }
            hear(Progress { games, all, positions, has_new_game });
        })?;
        let unkept = notes.problem.into_inner().unwrap_or_default();
        problem.or(unkept).map_or(Ok(()), |problem| Err(problem.into()))
    }

    /// Searches single positions with a multiple of the nodes and several lines. After a stop, the rest gives
    /// `None`.
    pub fn look(
        &self,
        positions: &[Position],
        longer: u64,
        multi_pv: usize,
        stop: &AtomicBool,
    ) -> Result<Vec<PositionAnalysis>, EngineError> {
        let games = positions.iter().map(|&start| Ok::<_, ()>(PgnGame::new(0, start)));
        let games: Vec<_> = games.collect();
        let mut found = Vec::new();
        let pauses = Pauses { order: self, stop };
        let review = self.review(self.nodes.saturating_mul(longer), multi_pv, Some(&pauses));
        review.run(games.into_iter(), stop, |reviewed| {
            if let Reviewed::Game(analysis) = reviewed {
                found.extend(analysis.analyses);
            }
        })?;
        Ok(found)
    }
}

/// Rests before each position, where nothing is known.
struct Pauses<'a> {
    order: &'a Order,
    stop: &'a AtomicBool,
}

impl Notebook for Pauses<'_> {
    fn known(&self, _: Place, _: &Position) -> Option<PositionAnalysis> {
        self.order.rest(self.stop);
        None
    }

    fn keep(&self, _: Place, _: &Position, _: &PositionAnalysis) {}
}

/// Analyses of incomplete reviews in the library. Each searching thread asks for a position before it searches
/// it, so each of them rests here.
struct Notes<'a> {
    library: &'a Library,
    order: &'a Order,
    stop: &'a AtomicBool,
    problem: Mutex<Option<LibraryError>>,
}

impl Notes<'_> {
    /// An unusable library stops the review.
    fn checked<T>(&self, done: Result<T, LibraryError>) -> Option<T> {
        done.inspect_err(|_| self.stop.store(true, Relaxed))
            .map_err(|error| self.problem.lock().map(|mut problem| *problem = Some(error)).ok())
            .ok()
    }
}

impl Notebook for Notes<'_> {
    fn known(&self, place: Place, position: &Position) -> Option<PositionAnalysis> {
        self.order.rest(self.stop);
        let found = self.library.found::<KeptPosition>(number(place), self.order.nodes);
        found_again(&self.checked(found)??, position)
    }

    fn keep(&self, place: Place, position: &Position, found: &PositionAnalysis) {
        let found = to_json(kept(found, position));
        let finding = Finding::Position { place: number(place), nodes: self.order.nodes, found };
        self.checked(self.library.keep(finding));
    }
}

pub fn to_json(value: impl Serialize) -> Value {
    serde_json::to_value(value).expect("text, numbers and lists are JSON")
}

/// A review, to be kept.
fn finding(analysis: &GameAnalysis, nodes: u64) -> Finding {
    Finding::Review {
        id: analysis.game.number as u64,
        nodes,
        review: to_json(KeptReview::of(analysis)),
        summary: summary(analysis),
    }
}

/// What lists show of a review.
pub fn summary(analysis: &GameAnalysis) -> Summary {
    let marks = |color| JUDGEMENTS.each_ref().map(|judgement| analysis.count(color, judgement));
    Summary {
        accuracy: Color::BOTH.map(|color| analysis.accuracy(color)),
        marks: Color::BOTH.map(marks),
    }
}

/// The place of a position in the library.
fn number(place: Place) -> (u64, u64) {
    let position = place.position as u64;
    let number = match place.look {
        Look::First => 2 * position,
        Look::Closer => 2 * position + 1,
        Look::Verdict => (1 << 32) | position,
    };
    (place.game as u64, number)
}

fn is_whole(analysis: &GameAnalysis) -> bool {
    analysis.analyses.len() == analysis.positions.len()
}

/// A game with its review, if that is complete.
pub fn analysis(library: &Library, id: u64) -> Result<Option<GameAnalysis>, LibraryError> {
    let Some(review) = library.review::<KeptReview>(id)? else { return Ok(None) };
    Ok(review.analysis(library.game(id)?).filter(is_whole))
}

/// A review as stored, with moves in UCI notation, which never changes.
#[derive(Serialize, Deserialize)]
pub struct KeptReview {
    positions: Vec<KeptPosition>,
}

#[derive(Serialize, Deserialize)]
struct KeptPosition {
    score: KeptScore,
    depth: u32,
    line: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    others: Vec<(KeptScore, String)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    good: Vec<String>,
}

/// Centipawns, moves to mate, or who has mated, for White.
#[derive(Clone, Copy, Serialize, Deserialize)]
enum KeptScore {
    #[serde(rename = "cp")]
    Centipawns(i32),
    #[serde(rename = "mate")]
    Mate(i32),
    #[serde(rename = "won")]
    Won(bool),
}

impl KeptReview {
    pub fn of(analysis: &GameAnalysis) -> KeptReview {
        let found = analysis.analyses.iter().zip(&analysis.positions);
        KeptReview { positions: found.map(|(found, position)| kept(found, position)).collect() }
    }

    /// Restores the analysis, if all its moves are legal in the game.
    pub fn analysis(&self, game: PgnGame) -> Option<GameAnalysis> {
        let found = self.positions.iter().zip(game.positions());
        let found: Option<Vec<_>> =
            found.map(|(kept, position)| found_again(kept, &position)).collect();
        Some(GameAnalysis::new(game, found?))
    }
}

fn kept(found: &PositionAnalysis, position: &Position) -> KeptPosition {
    let other = |other: &OtherLine| (kept_score(other.white_score), line(position, &other.pv));
    KeptPosition {
        score: kept_score(found.white_score),
        depth: found.depth,
        line: line(position, &found.pv),
        others: found.others.iter().map(other).collect(),
        good: found.good_moves.iter().map(|&mv| position.uci(mv, true)).collect(),
    }
}

fn found_again(kept: &KeptPosition, position: &Position) -> Option<PositionAnalysis> {
    let other = |(score, line): &(KeptScore, String)| {
        Some(OtherLine { white_score: white_score(*score), pv: moves(position, line)? })
    };
    Some(PositionAnalysis {
        white_score: white_score(kept.score),
        depth: kept.depth,
        pv: moves(position, &kept.line)?,
        others: kept.others.iter().map(other).collect::<Option<_>>()?,
        good_moves: kept
            .good
            .iter()
            .map(|word| position.parse_uci(word).ok())
            .collect::<Option<_>>()?,
    })
}

fn kept_score(score: WhiteScore) -> KeptScore {
    match score {
        WhiteScore::Centipawns(value) => KeptScore::Centipawns(value),
        WhiteScore::Mate(moves) => KeptScore::Mate(moves),
        WhiteScore::Won(color) => KeptScore::Won(color == Color::White),
    }
}

fn white_score(score: KeptScore) -> WhiteScore {
    match score {
        KeptScore::Centipawns(value) => WhiteScore::Centipawns(value),
        KeptScore::Mate(moves) => WhiteScore::Mate(moves),
        KeptScore::Won(true) => WhiteScore::Won(Color::White),
        KeptScore::Won(false) => WhiteScore::Won(Color::Black),
    }
}

/// The moves of a line in UCI notation, with castling as king takes rook.
fn line(position: &Position, moves: &[Move]) -> String {
    let mut position = *position;
    let words = moves.iter().take(LINE).map(|&mv| {
        let word = position.uci(mv, true);
        position = position.after(mv);
        word
    });
    words.collect::<Vec<_>>().join(" ")
}

fn moves(position: &Position, line: &str) -> Option<Vec<Move>> {
    let mut position = *position;
    let moves = line.split_whitespace().map(|word| {
        let mv = position.parse_uci(word).ok()?;
        position = position.after(mv);
        Some(mv)
    });
    moves.collect()
}
