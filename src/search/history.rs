//! History heuristics: which moves were good in this thread's tree, and how wrong static evaluations
//! were.
//!
//! Every entry moves towards its newest result by gravity: the less the nearer it is to its limit,
//! so that none ever exceeds it.

use super::tunables::Tunables;
use crate::board::{Attacks, Color, Move, Piece, Position, Square, SquareSet};

/// The limit of a move's history.
const HISTORY_LIMIT: i32 = 16_384;

/// The limit of a correction, before it is divided.
const CORRECTION_LIMIT: i32 = 16_384;

const PIECES: usize = 12;
const SQUARES: usize = 64;

/// The sizes of hashed tables.
const CORRECTION_ENTRIES: usize = 1 << 14;
const PAWN_HISTORY_ENTRIES: usize = 1 << 9;

/// The plies back whose moves a continuation history goes with.
pub const CONTINUATION_PLIES: [usize; 4] = [1, 2, 4, 6];

/// A piece and the square it went to, or no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceTo(u16);

impl PieceTo {
    pub const NONE: PieceTo = PieceTo(PIECE_TOS as u16);

    pub fn new(piece: Piece, to: Square) -> PieceTo {
        PieceTo((piece.index() * SQUARES) as u16 + u16::from(to.dense()))
    }

    /// The piece that a move moves, and its destination.
    pub fn of(position: &Position, mv: Move) -> PieceTo {
        match position.piece_at(mv.from()) {
            Some(piece) => PieceTo::new(piece, mv.to()),
            None => PieceTo::NONE,
        }
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Default for PieceTo {
    fn default() -> PieceTo {
        PieceTo::NONE
    }
}

const PIECE_TOS: usize = PIECES * SQUARES;

/// What the history of a quiet move depends on beside the move.
#[derive(Clone, Copy)]
pub struct QuietContext<'a> {
    pub position: &'a Position,
    /// What the opponent attacks, by type of piece and in all.
    pub attacks: Attacks,
    pub threats: SquareSet,
    /// The moves of the plies before, by [`CONTINUATION_PLIES`].
    pub continuation: [PieceTo; CONTINUATION_PLIES.len()],
}

impl QuietContext<'_> {
    /// Whether origin and destination of a move are attacked, a bit each.
    fn threat_index(&self, mv: Move) -> usize {
        let from = usize::from(self.threats.contains(mv.from()));
        let to = usize::from(self.threats.contains(mv.to()));
        from << 1 | to
    }
}

type PieceToTable = [i16; PIECE_TOS];

/// By [`Move::squares`].
type ButterflyTable = [i16; SQUARES * SQUARES];

/// The histories of a node's quiet moves.
pub struct QuietHistory<'a> {
    context: &'a QuietContext<'a>,
    butterfly: &'a [ButterflyTable; 4],
    pawn: &'a PieceToTable,
    continuation: [&'a PieceToTable; CONTINUATION_PLIES.len()],
    far_weight: i32,
}

impl QuietHistory<'_> {
    /// The sum of a move's histories.
    pub fn score(&self, mv: Move) -> i32 {
        let index = PieceTo::of(self.context.position, mv).index();
        let [one, two, four, six] = self.continuation.map(|table| i32::from(table[index]));
        i32::from(self.butterfly[self.context.threat_index(mv)][mv.squares()])
            + i32::from(self.pawn[index])
            + one
            + two
            + (four + six) * self.far_weight / 1024
    }
}

pub struct History {
    /// Butterfly history: quiet moves by side to move, threats to both squares, and both squares.
    butterfly: Vec<[ButterflyTable; 4]>,
    /// Capture history: noisy moves by piece, destination and victim.
    capture: Vec<i16>,
    /// Continuation history: moves by a move some plies before.
    continuation: Vec<PieceToTable>,
    /// Pawn history: moves by pawn structure.
    pawn: Vec<PieceToTable>,
    /// Correction history: errors of the static evaluation by pawn structure, by each side's
    /// pieces, and by the last two moves.
    pawn_correction: Vec<i16>,
    non_pawn_correction: [Vec<i16>; 2],
    continuation_correction: Vec<[i16; PIECE_TOS + 1]>,
}

impl History {
    pub fn new() -> History {
        let correction = || vec![0; 2 * CORRECTION_ENTRIES];
        History {
            butterfly: vec![[[0; SQUARES * SQUARES]; 4]; 2],
            capture: vec![0; PIECE_TOS * 7],
            continuation: vec![[0; PIECE_TOS]; PIECE_TOS + 1],
            pawn: vec![[0; PIECE_TOS]; PAWN_HISTORY_ENTRIES],
            pawn_correction: correction(),
            non_pawn_correction: [correction(), correction()],
            continuation_correction: vec![[0; PIECE_TOS + 1]; PIECE_TOS + 1],
        }
    }

    /// Clears in place: the system would hand out new memory page by page.
    pub fn clear(&mut self) {
        let [white, black] = &mut self.non_pawn_correction;
        for table in [&mut self.capture, &mut self.pawn_correction, white, black] {
            table.fill(0);
        }
        self.butterfly.fill([[0; SQUARES * SQUARES]; 4]);
        for tables in [&mut self.continuation, &mut self.pawn] {
            tables.fill([0; PIECE_TOS]);
        }
        self.continuation_correction.fill([0; PIECE_TOS + 1]);
    }

    pub fn quiet<'a>(&'a self, context: &'a QuietContext, tunables: Tunables) -> QuietHistory<'a> {
        QuietHistory {
            context,
            butterfly: &self.butterfly[context.position.side().index()],
            pawn: &self.pawn[pawn_index(context.position)],
            continuation: context.continuation.map(|before| &self.continuation[before.index()]),
            far_weight: tunables.far_continuation(),
        }
    }

    pub fn capture(&self, position: &Position, mv: Move) -> i32 {
        i32::from(self.capture[capture_index(position, mv)])
    }

    /// Adds a bonus or malus to all histories of a quiet move.
    pub fn update_quiet(&mut self, context: &QuietContext, mv: Move, bonus: i32) {
        let index = PieceTo::of(context.position, mv).index();
        let side = context.position.side().index();
        let butterfly = &mut self.butterfly[side][context.threat_index(mv)][mv.squares()];
        apply_gravity(butterfly, bonus, HISTORY_LIMIT);
        let pawn = &mut self.pawn[pawn_index(context.position)][index];
        apply_gravity(pawn, bonus, HISTORY_LIMIT);
        for before in context.continuation {
            let entry = &mut self.continuation[before.index()][index];
            apply_gravity(entry, bonus, HISTORY_LIMIT);
        }
    }

    /// Adds a bonus or malus to the history of a noisy move.
    pub fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        apply_gravity(&mut self.capture[capture_index(position, mv)], bonus, HISTORY_LIMIT);
    }

    /// Correction history: what is added to the static evaluation, in centipawns.
    pub fn correction(
        &self,
        position: &Position,
        last_moves: [PieceTo; 2],
        tunables: Tunables,
    ) -> i32 {
        let side = position.side();
        let pawns = self.pawn_correction[correction_index(side, position.pawn_key())];
        let pieces = Color::BOTH.map(|color| {
            let index = correction_index(side, position.non_pawn_key(color));
            i32::from(self.non_pawn_correction[color.index()][index])
        });
        let [last, before] = last_moves.map(PieceTo::index);
        let moves = self.continuation_correction[before][last];
        let sum = i32::from(pawns) + pieces[0] + pieces[1] + i32::from(moves);
        sum / tunables.correction_divisor()
    }

    /// Learns that a position is worth `error` more than its static evaluation.
    pub fn update_correction(
        &mut self,
        position: &Position,
        last_moves: [PieceTo; 2],
        depth: i32,
        error: i32,
        tunables: Tunables,
    ) {
        let side = position.side();
        let limit = tunables.correction_limit();
        let bonus = (error * depth * tunables.correction_rate()).clamp(-limit, limit);
        let index = correction_index(side, position.pawn_key());
        apply_gravity(&mut self.pawn_correction[index], bonus, CORRECTION_LIMIT);
        for color in Color::BOTH {
            let index = correction_index(side, position.non_pawn_key(color));
            let entry = &mut self.non_pawn_correction[color.index()][index];
            apply_gravity(entry, bonus, CORRECTION_LIMIT);
        }
        let [last, before] = last_moves.map(PieceTo::index);
        let entry = &mut self.continuation_correction[before][last];
        apply_gravity(entry, bonus, CORRECTION_LIMIT);
    }
}

fn capture_index(position: &Position, mv: Move) -> usize {
    let victim = position.captured(mv).map_or(6, |piece| piece.kind().index());
    PieceTo::of(position, mv).index() * 7 + victim
}

fn pawn_index(position: &Position) -> usize {
    position.pawn_key() as usize % PAWN_HISTORY_ENTRIES
}

fn correction_index(side: Color, key: u64) -> usize {
    side.index() * CORRECTION_ENTRIES + key as usize % CORRECTION_ENTRIES
}

/// The bonus of a move that failed high; the malus of those tried before it is the same.
pub fn bonus(tunables: Tunables, depth: i32) -> i32 {
    let bonus = tunables.history_bonus() * depth + tunables.history_bonus_offset();
    bonus.clamp(0, tunables.history_bonus_limit())
}

fn apply_gravity(entry: &mut i16, bonus: i32, limit: i32) {
    let value = i32::from(*entry);
    *entry = (value + bonus - value * bonus.abs() / limit) as i16;
}
