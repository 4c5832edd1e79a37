//! What a search reports: scores, win probabilities, lines and the result.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::board::{Move, PieceType, Position};

/// Internal scores are roughly centipawns for the side to move, or near [`TB_WIN`] or [`MATE`].
pub const INFINITE: i32 = 32_001;

/// The score of a mate on the board. A mate in `n` plies is `MATE - n`.
pub const MATE: i32 = 32_000;

/// The longest line, in plies.
pub const MAX_PLY: usize = 255;

/// The deepest iteration.
pub const MAX_DEPTH: u32 = MAX_PLY as u32 - 10;

/// Mates score at least this, everything else less.
pub const MATE_IN_MAX_PLY: i32 = MATE - MAX_PLY as i32;

/// The score of a tablebase win. Reached in `n` plies, it is `TB_WIN - n`.
pub const TB_WIN: i32 = MATE_IN_MAX_PLY - 1;

/// Proven wins, by mate or by tablebases, score at least this, everything else less.
pub const TB_WIN_IN_MAX_PLY: i32 = TB_WIN - MAX_PLY as i32;

/// The reported score of a tablebase win, in centipawns, less one per ply.
pub const TOLD_WIN: i32 = 20_000;

pub const DRAW: i32 = 0;

/// Internal draw scores vary by this. They are reported as 0.
pub const DRAW_SPREAD: i32 = 1;

/// A reported score: centipawns, 100 of which win half of the games, or moves to mate, negative for the side
/// being mated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Score {
    Centipawns(i32),
    Mate(i32),
}

impl Score {
    pub fn of(value: i32, position: &Position) -> Score {
        if value >= MATE_IN_MAX_PLY {
            Score::Mate((MATE - value + 1) / 2)
        } else if value <= -MATE_IN_MAX_PLY {
            Score::Mate(-(MATE + value) / 2)
        } else if value.abs() >= TB_WIN_IN_MAX_PLY {
            Score::Centipawns(value - value.signum() * (TB_WIN - TOLD_WIN))
        } else if (value - DRAW).abs() <= DRAW_SPREAD {
            Score::Centipawns(DRAW)
        } else {
            Score::Centipawns(centipawns(value, position))
        }
    }
}

/// WDL model: the chances of win, draw and loss for a score, fitted to Zebu's games. Each side's winning
/// chance is a logistic curve. Its middle and width are polynomials of the material, relative to the full
/// board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WdlModel {
    /// The score at which the side ahead wins half of its games.
    pub middle: [f64; 3],
    pub width: [f64; 3],
}

/// A lower limit for both where there are few games.
const LEAST: f64 = 10.0;

/// In pawns.
const FULL_BOARD: i32 = 78;

impl WdlModel {
    /// The result of `forge fit`.
    pub const FITTED: WdlModel =
        WdlModel { middle: [251.0, -131.1, 46.2], width: [60.1, 64.8, 41.8] };

    /// The material of both sides, in pawns, capped at the full board.
    pub fn material(position: &Position) -> i32 {
        let pawns: i32 = position.pieces().map(|(_, piece)| pawns(piece.kind())).sum();
        pawns.min(FULL_BOARD)
    }

    pub fn middle(&self, material: i32) -> f64 {
        value(self.middle, material)
    }

    /// The chance to win, from 0 to 1.
    pub fn win(&self, score: f64, material: i32) -> f64 {
        1.0 / (1.0 + ((self.middle(material) - score) / value(self.width, material)).exp())
    }
}

fn value([constant, linear, square]: [f64; 3], material: i32) -> f64 {
    let share = f64::from(material) / f64::from(FULL_BOARD);
    (constant + share * (linear + share * square)).max(LEAST)
}

/// Converts a score to reported centipawns, 100 of which win half of the games.
pub fn centipawns(score: i32, position: &Position) -> i32 {
    let middle = WdlModel::FITTED.middle(WdlModel::material(position));
    (100.0 * f64::from(score) / middle).round() as i32
}

/// Chances in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wdl {
    pub win: u16,
    pub draw: u16,
    pub loss: u16,
}

impl Wdl {
    pub const DRAW: Wdl = Wdl { win: 0, draw: 1000, loss: 0 };

    /// The chances for a score.
    pub fn of(score: i32, position: &Position) -> Wdl {
        let material = WdlModel::material(position);
        let chance =
            |score: i32| (1000.0 * WdlModel::FITTED.win(f64::from(score), material)).round() as u16;
        let (win, loss) = (chance(score), chance(-score));
        Wdl { win, draw: 1000_u16.saturating_sub(win + loss), loss }
    }
}

/// The conventional value of a piece in pawns.
fn pawns(kind: PieceType) -> i32 {
    match kind {
        PieceType::Pawn => 1,
        PieceType::Knight | PieceType::Bishop => 3,
        PieceType::Rook => 5,
        PieceType::Queen => 9,
        PieceType::King => 0,
    }
}

/// How a score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Bound {
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

impl Bound {
    /// Whether a value with this bound settles a node with this window.
    pub fn cuts_off(self, value: i32, alpha: i32, beta: i32) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        }
    }

    /// Whether a value with this bound is more precise than the static evaluation.
    pub fn refines(self, value: i32, static_eval: i32) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => value > static_eval,
            Bound::Upper => value < static_eval,
        }
    }
}

/// A principal variation and its statistics.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Line {
    pub depth: u32,
    pub sel_depth: u32,
    /// The MultiPV number, from 1.
    pub pv_index: usize,
    pub score: Score,
    pub bound: Bound,
    pub wdl: Wdl,
    pub nodes: u64,
    /// Successful probes of endgame tables.
    pub tb_hits: u64,
    pub time: Duration,
    /// The fill of the transposition table, in thousandths.
    pub hashfull: u32,
    /// Legal moves; empty only if the root has none.
    pub moves: Vec<Move>,
}

impl Line {
    /// The line as reported before its iteration is complete: a mate whose line is cut short is reported like
    /// a tablebase win.
    pub fn so_far(mut self) -> Line {
        if let Score::Mate(moves) = self.score {
            let plies = 2 * moves.abs() - i32::from(moves > 0);
            if self.moves.len() < plies as usize {
                self.score = Score::Centipawns(moves.signum() * (TOLD_WIN - plies));
            }
        }
        self
    }

    pub fn nodes_per_second(&self) -> u64 {
        per_second(self.nodes, self.time)
    }
}

/// The result of a search.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct SearchResult {
    /// `None` if the root has no legal move.
    pub best: Option<Move>,
    /// The expected reply, legal after `best`.
    pub ponder: Option<Move>,
    pub nodes: u64,
    pub time: Duration,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Event {
    /// The lines of one report, the best first. With several lines a report is one event, so that nobody ever
    /// has half of it.
    Lines(Vec<Line>),
    /// The root move being searched, and its number in the order.
    Current {
        depth: u32,
        mv: Move,
        number: usize,
    },
    Done(SearchResult),
}

/// Receives a search's events. The last one is [`Event::Done`].
pub type Listener = Box<dyn FnMut(Event) + Send>;

/// Reports the result of a search without root moves: mate, stalemate, or none allowed.
pub fn report_no_moves(position: &Position, listener: &mut dyn FnMut(Event)) {
    let score = if position.in_check() { -MATE } else { 0 };
    listener(Event::Lines(vec![Line {
        depth: 0,
        sel_depth: 0,
        pv_index: 1,
        score: Score::of(score, position),
        bound: Bound::Exact,
        wdl: Wdl::of(score, position),
        nodes: 0,
        tb_hits: 0,
        time: Duration::ZERO,
        hashfull: 0,
        moves: Vec::new(),
    }]));
    let result = SearchResult { best: None, ponder: None, nodes: 0, time: Duration::ZERO };
    listener(Event::Done(result));
}

/// Nodes per second, never infinite.
pub fn per_second(nodes: u64, time: Duration) -> u64 {
    let micros = time.as_micros().max(1);
    (u128::from(nodes) * 1_000_000 / micros).min(u128::from(u64::MAX)) as u64
}
