//! History heuristics: which moves were good in this thread's tree, and how wrong static evaluations
//! were.
//!
//! Every entry moves towards its newest result by gravity: the less the nearer it is to its limit,
//! so that none ever exceeds it.

use std::ops::Range;

use bytemuck::allocation::{try_zeroed_box, try_zeroed_vec};

use super::memory::prefetch;
use super::rows::Rows;
use super::tunables::Tunables;
use crate::board::{Attacks, Color, Move, Piece, Position, Square, SquareSet};

/// The limit of a move's history.
pub const HISTORY_LIMIT: i32 = 16_384;

/// The limit of a correction, before it is divided.
const CORRECTION_LIMIT: i32 = 16_384;

const PIECES: usize = 12;
const SQUARES: usize = 64;

/// The sizes of hashed tables.
const CORRECTION_ENTRIES: usize = 1 << 16;
const PAWN_HISTORY_ENTRIES: usize = 1 << 9;

/// The plies from the root that have a history of their own.
const LOW_PLIES: usize = 5;
const LOW_PLY_ENTRIES: usize = LOW_PLIES * SQUARES * SQUARES;

/// The plies back whose moves a continuation history goes with.
pub const CONTINUATION_PLIES: [isize; 4] = [1, 2, 4, 6];

/// The plies back whose moves the continuation correction goes with, beside the last one.
const CORRECTION_PLIES: [isize; 2] = [2, 4];

/// A piece and the square it went to, or no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceTo(u16);

impl PieceTo {
    pub const NONE: PieceTo = PieceTo(PIECE_TOS as u16);

    pub fn new(piece: Piece, to: Square) -> PieceTo {
        PieceTo((piece.index() * SQUARES) as u16 + u16::from(to.index()))
    }

    /// The piece that a move moves, and its destination.
    pub fn of(position: &Position, mv: Move) -> PieceTo {
        match position.piece_at(mv.from()) {
            Some(piece) => PieceTo::new(piece, mv.to()),
            None => PieceTo::NONE,
        }
    }

    /// Whether a piece went to this square.
    pub fn goes_to(self, square: Square) -> bool {
        self != PieceTo::NONE && self.index() % SQUARES == usize::from(square.index())
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }
}

const PIECE_TOS: usize = PIECES * SQUARES;

/// A move that was made, as the histories of later moves remember it.
#[derive(Clone, Copy, Debug)]
pub struct MadeMove {
    piece_to: PieceTo,
    /// The table of the moves after it: by what it was, whether it was made in check, and whether it
    /// was noisy.
    continuation: u16,
    /// Where its own history is, for a move of the main search.
    pub own: Option<OwnHistory>,
}

/// Where a move's own history is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnHistory {
    Quiet(ButterflyIndex),
    Noisy(CaptureIndex),
}

const CONTINUATION_TABLES: usize = 4 * PIECE_TOS + 1;

impl MadeMove {
    /// A null move, or none.
    pub const NULL: MadeMove = MadeMove {
        piece_to: PieceTo::NONE,
        continuation: CONTINUATION_TABLES as u16 - 1,
        own: None,
    };

    #[inline(always)]
    pub fn new(position: &Position, mv: Move, own: Option<OwnHistory>) -> MadeMove {
        let piece_to = PieceTo::of(position, mv);
        let kind = usize::from(position.in_check()) * 2 + usize::from(position.is_noisy(mv));
        let continuation = (kind * PIECE_TOS + piece_to.index()) as u16;
        MadeMove { piece_to, continuation, own }
    }

    pub fn is_null(self) -> bool {
        self.piece_to == PieceTo::NONE
    }

    pub fn piece_to(self) -> PieceTo {
        self.piece_to
    }

    fn table(self) -> usize {
        usize::from(self.continuation)
    }
}

impl Default for MadeMove {
    fn default() -> MadeMove {
        MadeMove::NULL
    }
}

/// A quiet move's place in the butterfly history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ButterflyIndex(u16);

const BUTTERFLY_ENTRIES: usize = 2 * 4 * SQUARES * SQUARES;

/// A noisy move's place in the capture history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaptureIndex(u16);

/// A victim of any type or none, defended or not.
const CAPTURE_TARGETS: usize = 7 * 2;
const CAPTURE_ENTRIES: usize = PIECE_TOS * CAPTURE_TARGETS;

/// What the histories of moves depend on beside the move.
#[derive(Clone, Copy)]
pub struct MoveContext<'a> {
    pub position: &'a Position,
    /// The distance from the root.
    pub ply: usize,
    /// What the opponent attacks, by type of piece and in all.
    pub attacks: Attacks,
    pub threats: SquareSet,
    /// The moves of the plies before, by [`CONTINUATION_PLIES`].
    pub continuation: [MadeMove; CONTINUATION_PLIES.len()],
}

impl MoveContext<'_> {
    /// By piece, destination, victim, if any, and whether the destination is defended.
    #[inline(always)]
    pub fn capture_index(&self, mv: Move) -> CaptureIndex {
        let victim = self.position.captured(mv).map_or(6, |piece| piece.kind().index());
        let target = victim * 2 + usize::from(self.threats.contains(mv.to()));
        CaptureIndex((PieceTo::of(self.position, mv).index() * CAPTURE_TARGETS + target) as u16)
    }

    /// By side to move, whether origin and destination are attacked, and both squares.
    #[inline(always)]
    pub fn butterfly_index(&self, mv: Move) -> ButterflyIndex {
        let side = self.position.side().index();
        let from = usize::from(self.threats.contains(mv.from()));
        let to = usize::from(self.threats.contains(mv.to()));
        ButterflyIndex(((side * 4 + from * 2 + to) * SQUARES * SQUARES + mv.squares()) as u16)
    }
}

type PieceToTable = [i16; PIECE_TOS];

/// The histories of a node's quiet moves.
pub struct QuietHistory<'a> {
    context: &'a MoveContext<'a>,
    butterfly: &'a [i16; BUTTERFLY_ENTRIES],
    /// The low-ply history of this ply, which is empty farther from the root.
    low_ply: &'a [i16],
    pawn: &'a PieceToTable,
    continuation: [&'a PieceToTable; CONTINUATION_PLIES.len()],
    tunables: Tunables,
}

impl QuietHistory<'_> {
    /// The sum of a move's histories, to order it.
    #[inline(always)]
    pub fn score(&self, mv: Move) -> i32 {
        let tunables = self.tunables;
        let index = PieceTo::of(self.context.position, mv).index();
        let [one, two, four, six] = self.continuation.map(|table| i32::from(table[index]));
        let sum = tunables.order_butterfly() * self.butterfly(mv)
            + tunables.order_pawn() * i32::from(self.pawn[index])
            + tunables.order_continuation_1() * one
            + tunables.order_continuation_2() * two
            + tunables.order_continuation_far() * (four + six);
        (sum + self.low_ply(mv)) / 1024
    }

    /// The low-ply history, weighted.
    #[inline(always)]
    fn low_ply(&self, mv: Move) -> i32 {
        let entry = self.low_ply.get(mv.squares()).map_or(0, |&entry| i32::from(entry));
        self.tunables.order_low_ply() * entry / (1 + self.context.ply as i32)
    }

    /// The histories that say how far a move can be reduced: butterfly, and after the last two moves.
    #[inline(always)]
    pub fn reliability(&self, mv: Move) -> i32 {
        let index = PieceTo::of(self.context.position, mv).index();
        let [one, two, ..] = self.continuation.map(|table| i32::from(table[index]));
        self.butterfly(mv) + one + two
    }

    #[inline(always)]
    fn butterfly(&self, mv: Move) -> i32 {
        i32::from(self.butterfly[usize::from(self.context.butterfly_index(mv).0)])
    }
}

pub struct History {
    /// Butterfly history: quiet moves by [`ButterflyIndex`].
    butterfly: Box<[i16; BUTTERFLY_ENTRIES]>,
    /// Low-ply history: quiet moves by ply near the root, origin and destination, in this search.
    low_ply: Vec<i16>,
    /// Capture history: noisy moves by [`CaptureIndex`].
    capture: Vec<i16>,
    /// Continuation history: moves by a move some plies before.
    continuation: Rows<PIECE_TOS>,
    /// Pawn history: moves by pawn structure.
    pawn: Rows<PIECE_TOS>,
    /// Correction history: errors of the static evaluation by pawn structure, by minor pieces, by
    /// each side's pieces, and by the last move and one before.
    pawn_correction: Vec<i16>,
    minor_correction: Vec<i16>,
    non_pawn_correction: [Vec<i16>; 2],
    continuation_correction: Rows<{ PIECE_TOS + 1 }>,
}

impl History {
    /// Empty histories, if there is memory for them.
    pub fn new() -> Option<History> {
        let correction = || try_zeroed_vec(2 * CORRECTION_ENTRIES).ok();
        Some(History {
            butterfly: try_zeroed_box().ok()?,
            low_ply: try_zeroed_vec(LOW_PLY_ENTRIES).ok()?,
            capture: try_zeroed_vec(CAPTURE_ENTRIES).ok()?,
            continuation: Rows::new(CONTINUATION_TABLES)?,
            pawn: Rows::new(PAWN_HISTORY_ENTRIES)?,
            pawn_correction: correction()?,
            minor_correction: correction()?,
            non_pawn_correction: [correction()?, correction()?],
            continuation_correction: Rows::new(CONTINUATION_TABLES)?,
        })
    }

    /// Clears in place: the system would hand out new memory page by page.
    pub fn clear(&mut self) {
        let [white, black] = &mut self.non_pawn_correction;
        let (pawns, minors) = (&mut self.pawn_correction, &mut self.minor_correction);
        for table in [&mut self.capture, pawns, minors, white, black] {
            table.fill(0);
        }
        self.butterfly.fill(0);
        self.continuation.clear();
        self.pawn.clear();
        self.continuation_correction.clear();
    }

    /// The root is another one: what is known of plies from it is not so any more.
    pub fn begin_search(&mut self) {
        self.low_ply.fill(0);
    }

    #[inline(always)]
    pub fn quiet<'a>(&'a self, context: &'a MoveContext, tunables: Tunables) -> QuietHistory<'a> {
        QuietHistory {
            context,
            butterfly: &self.butterfly,
            low_ply: self.low_ply.get(low_ply_range(context.ply)).unwrap_or_default(),
            pawn: &self.pawn[pawn_index(context.position)],
            continuation: context.continuation.map(|before| &self.continuation[before.table()]),
            tunables,
        }
    }

    pub fn capture(&self, index: CaptureIndex) -> i32 {
        i32::from(self.capture[usize::from(index.0)])
    }

    pub fn update_butterfly(&mut self, index: ButterflyIndex, bonus: i32) {
        apply_gravity(&mut self.butterfly[usize::from(index.0)], bonus, HISTORY_LIMIT);
    }

    pub fn update_low_ply(&mut self, ply: usize, mv: Move, bonus: i32) {
        if let Some(table) = self.low_ply.get_mut(low_ply_range(ply)) {
            apply_gravity(&mut table[mv.squares()], bonus, HISTORY_LIMIT);
        }
    }

    pub fn update_pawn(&mut self, position: &Position, mv: Move, bonus: i32) {
        let index = PieceTo::of(position, mv).index();
        apply_gravity(&mut self.pawn.row(pawn_index(position))[index], bonus, HISTORY_LIMIT);
    }

    /// A move's history after another.
    pub fn update_continuation(&mut self, before: MadeMove, moved: PieceTo, bonus: i32) {
        if !before.is_null() {
            let entry = &mut self.continuation.row(before.table())[moved.index()];
            apply_gravity(entry, bonus, HISTORY_LIMIT);
        }
    }

    /// Adds a bonus or malus to the history of a noisy move.
    pub fn update_capture(&mut self, index: CaptureIndex, bonus: i32) {
        apply_gravity(&mut self.capture[usize::from(index.0)], bonus, HISTORY_LIMIT);
    }

    /// Correction history: what is added to the static evaluation, in centipawns.
    #[inline(always)]
    pub fn correction(
        &self,
        position: &Position,
        moves: CorrectionMoves,
        tunables: Tunables,
    ) -> i32 {
        let side = position.side();
        let pawns = self.pawn_correction[correction_index(side, position.pawn_key())];
        let minors = self.minor_correction[correction_index(side, position.minor_key())];
        let pieces = Color::BOTH.map(|color| {
            let index = correction_index(side, position.non_pawn_key(color));
            i32::from(self.non_pawn_correction[color.index()][index])
        });
        let last = moves.last.index();
        let [two, four] = moves
            .before
            .map(|before| i32::from(self.continuation_correction[before.table()][last]));
        let sum = tunables.correction_pawn() * i32::from(pawns)
            + tunables.correction_minor() * i32::from(minors)
            + tunables.correction_non_pawn() * (pieces[0] + pieces[1])
            + tunables.correction_continuation() * (two + four);
        sum / CORRECTION_UNIT
    }

    /// Asks the processor to load what the correction after these moves is read from. The other
    /// tables are small.
    #[inline(always)]
    pub fn prefetch_correction(&self, moves: CorrectionMoves) {
        let last = moves.last.index();
        for before in moves.before {
            prefetch(&self.continuation_correction[before.table()][last]);
        }
    }

    /// Learns that a position is worth `error` more than its static evaluation.
    pub fn update_correction(
        &mut self,
        position: &Position,
        moves: CorrectionMoves,
        depth: i32,
        error: i32,
        tunables: Tunables,
    ) {
        let side = position.side();
        let limit = tunables.correction_limit();
        let bonus = (error * depth * tunables.correction_rate()).clamp(-limit, limit);
        let index = correction_index(side, position.pawn_key());
        apply_gravity(&mut self.pawn_correction[index], bonus, CORRECTION_LIMIT);
        let index = correction_index(side, position.minor_key());
        apply_gravity(&mut self.minor_correction[index], bonus, CORRECTION_LIMIT);
        for color in Color::BOTH {
            let index = correction_index(side, position.non_pawn_key(color));
            let entry = &mut self.non_pawn_correction[color.index()][index];
            apply_gravity(entry, bonus, CORRECTION_LIMIT);
        }
        for before in moves.before {
            if moves.last != PieceTo::NONE && !before.is_null() {
                let row = self.continuation_correction.row(before.table());
                let entry = &mut row[moves.last.index()];
                apply_gravity(entry, bonus, CORRECTION_LIMIT);
            }
        }
    }
}

/// The sum of weights times entries that makes a centipawn: weights are in 1024ths.
const CORRECTION_UNIT: i32 = 256 * 1024;

/// The moves that the continuation correction goes with.
#[derive(Clone, Copy)]
pub struct CorrectionMoves {
    last: PieceTo,
    before: [MadeMove; CORRECTION_PLIES.len()],
}

impl CorrectionMoves {
    /// `moved` tells the move some plies back.
    #[inline(always)]
    pub fn new(moved: impl Fn(isize) -> MadeMove) -> CorrectionMoves {
        CorrectionMoves { last: moved(1).piece_to(), before: CORRECTION_PLIES.map(moved) }
    }
}

fn low_ply_range(ply: usize) -> Range<usize> {
    let start = ply * SQUARES * SQUARES;
    start..start + SQUARES * SQUARES
}

fn pawn_index(position: &Position) -> usize {
    position.pawn_key() as usize % PAWN_HISTORY_ENTRIES
}

fn correction_index(side: Color, key: u64) -> usize {
    side.index() * CORRECTION_ENTRIES + key as usize % CORRECTION_ENTRIES
}

#[inline(always)]
fn apply_gravity(entry: &mut i16, bonus: i32, limit: i32) {
    let (value, bonus) = (i32::from(*entry), bonus.clamp(-limit, limit));
    *entry = (value + bonus - value * bonus.abs() / limit) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn low_ply_history_is_of_this_search_and_near_the_root() {
        let position = Position::start();
        let mv = position.legal_moves()[0];
        let mut history = History::new().unwrap();
        let score = |history: &History, ply| {
            let attacks = position.attacks(!position.side());
            let context = MoveContext {
                position: &position,
                ply,
                attacks,
                threats: attacks.all(),
                continuation: [MadeMove::NULL; CONTINUATION_PLIES.len()],
            };
            history.quiet(&context, Tunables::DEFAULT).score(mv)
        };
        for ply in [1, LOW_PLIES] {
            history.update_low_ply(ply, mv, HISTORY_LIMIT / 2);
        }
        assert!(score(&history, 1) > 0);
        assert_eq!([0, 2, LOW_PLIES].map(|ply| score(&history, ply)), [0; 3]);
        history.begin_search();
        assert_eq!(score(&history, 1), 0);
    }
}
