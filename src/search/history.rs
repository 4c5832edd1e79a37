//! What a thread remembers of the tree: which moves were good, and how wrong evaluations were.
//!
//! Every entry is pulled towards the newest result, the less the nearer it is to its limit, so that
//! none ever leaves it.

use super::tuning::{BONUS, BONUS_OFFSET, MOST_BONUS};
use crate::board::attacks::Attacks;
use crate::board::{Color, Move, Piece, Position, Square, SquareSet};

/// No entry of a move's history gets larger than this.
const MOST: i32 = 16_384;

/// No entry of a correction gets larger than this; it is so many times the centipawns.
const MOST_CORRECTION: i32 = 16_384;
const CORRECTION_GRAIN: i32 = 256;

const PIECES: usize = 12;
const SQUARES: usize = 64;

/// How many structures of pawns or pieces are told apart.
const STRUCTURES: usize = 1 << 14;
const PAWN_STRUCTURES: usize = 1 << 9;

/// How many plies back a move is remembered together with the ones before it.
pub const FOLLOWED: [usize; 4] = [1, 2, 4, 6];

/// A piece and the square to which it went, or no move at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceTo(u16);

impl PieceTo {
    pub const NONE: PieceTo = PieceTo(PIECE_TOS as u16);

    pub fn new(piece: Piece, to: Square) -> PieceTo {
        PieceTo((piece.index() * SQUARES) as u16 + u16::from(to.dense()))
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

/// What a move's history depends on beside the move.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub position: &'a Position,
    /// What the opponent attacks, by kind of piece and in all.
    pub attacks: Attacks,
    pub threats: SquareSet,
    /// The moves of the last plies, as [`FOLLOWED`] says.
    pub before: [PieceTo; FOLLOWED.len()],
}

type Row = [i16; PIECE_TOS];

/// By [`Move::squares`].
type Squarewise = [i16; SQUARES * SQUARES];

/// What history says of the quiet moves of a node.
pub struct OfQuiet<'a> {
    context: &'a Context<'a>,
    quiet: &'a [Squarewise; 4],
    pawns: &'a Row,
    following: [&'a Row; FOLLOWED.len()],
}

impl OfQuiet<'_> {
    /// How well a move did.
    pub fn rank(&self, mv: Move) -> i32 {
        let place = moved(self.context.position, mv).index();
        let follows = |back: usize| i32::from(self.following[back][place]);
        i32::from(self.quiet[attacked(self.context, mv)][mv.squares()])
            + i32::from(self.pawns[place])
            + follows(0)
            + follows(1)
            + (follows(2) + follows(3)) / 2
    }
}

pub struct History {
    /// Quiet moves by side and whether origin and destination are attacked.
    quiet: Vec<[Squarewise; 4]>,
    /// Noisy moves by piece, destination and victim.
    noisy: Vec<i16>,
    /// Moves that follow on a move.
    following: Vec<Row>,
    /// Moves in a structure of pawns.
    pawns: Vec<Row>,
    /// How wrong evaluations were, by pawns, by each side's pieces and by the last move.
    pawn_correction: Vec<i16>,
    piece_correction: [Vec<i16>; 2],
    move_correction: Vec<[i16; PIECE_TOS + 1]>,
}

impl History {
    pub fn new() -> History {
        History {
            quiet: vec![[[0; SQUARES * SQUARES]; 4]; 2],
            noisy: vec![0; PIECE_TOS * 7],
            following: vec![[0; PIECE_TOS]; PIECE_TOS + 1],
            pawns: vec![[0; PIECE_TOS]; PAWN_STRUCTURES],
            pawn_correction: vec![0; 2 * STRUCTURES],
            piece_correction: [vec![0; 2 * STRUCTURES], vec![0; 2 * STRUCTURES]],
            move_correction: vec![[0; PIECE_TOS + 1]; PIECE_TOS + 1],
        }
    }

    /// Forgets in place: new memory would have to be had from the system page by page.
    pub fn clear(&mut self) {
        let History { noisy, pawn_correction, piece_correction: [white, black], .. } = self;
        for entries in [noisy, pawn_correction, white, black] {
            entries.fill(0);
        }
        self.quiet.fill([[0; SQUARES * SQUARES]; 4]);
        for rows in [&mut self.following, &mut self.pawns] {
            rows.fill([0; PIECE_TOS]);
        }
        self.move_correction.fill([0; PIECE_TOS + 1]);
    }

    fn noisy_place(position: &Position, mv: Move) -> usize {
        let victim = position.captured(mv).map_or(6, |piece| piece.kind().index());
        moved(position, mv).index() * 7 + victim
    }

    fn pawn_place(position: &Position) -> usize {
        position.pawn_key() as usize % PAWN_STRUCTURES
    }

    /// How well the quiet moves of a node did.
    pub fn of_quiet<'a>(&'a self, context: &'a Context) -> OfQuiet<'a> {
        OfQuiet {
            context,
            quiet: &self.quiet[context.position.side().index()],
            pawns: &self.pawns[History::pawn_place(context.position)],
            following: context.before.map(|before| &self.following[before.index()]),
        }
    }

    /// How well a noisy move did.
    pub fn of_noisy(&self, position: &Position, mv: Move) -> i32 {
        i32::from(self.noisy[History::noisy_place(position, mv)])
    }

    /// A quiet move refuted its node; those tried before it did not.
    pub fn reward_quiet(&mut self, context: &Context, depth: i32, best: Move, others: &[Move]) {
        self.change_quiet(context, best, bonus(depth));
        for &mv in others {
            self.change_quiet(context, mv, -bonus(depth));
        }
    }

    /// A move refuted its node; noisy ones tried before it did not.
    pub fn reward_noisy(&mut self, position: &Position, depth: i32, best: Move, others: &[Move]) {
        if position.is_noisy(best) {
            self.change_noisy(position, best, bonus(depth));
        }
        for &mv in others {
            self.change_noisy(position, mv, -bonus(depth));
        }
    }

    /// A quiet move did well, or with a negative bonus badly.
    pub fn change_quiet(&mut self, context: &Context, mv: Move, bonus: i32) {
        let place = moved(context.position, mv).index();
        let quiet = &mut self.quiet[context.position.side().index()][attacked(context, mv)];
        pull(&mut quiet[mv.squares()], bonus, MOST);
        pull(&mut self.pawns[History::pawn_place(context.position)][place], bonus, MOST);
        for before in context.before {
            pull(&mut self.following[before.index()][place], bonus, MOST);
        }
    }

    fn change_noisy(&mut self, position: &Position, mv: Move, bonus: i32) {
        pull(&mut self.noisy[History::noisy_place(position, mv)], bonus, MOST);
    }

    fn structure(side: Color, key: u64) -> usize {
        side.index() * STRUCTURES + key as usize % STRUCTURES
    }

    /// What experience adds to the evaluation of a position.
    pub fn correction(&self, position: &Position, before: [PieceTo; 2]) -> i32 {
        let side = position.side();
        let pawns = self.pawn_correction[History::structure(side, position.pawn_key())];
        let pieces = Color::BOTH.map(|color| {
            let place = History::structure(side, position.non_pawn_key(color));
            i32::from(self.piece_correction[color.index()][place])
        });
        let last = self.move_correction[before[1].index()][before[0].index()];
        let sum = i32::from(pawns) + pieces[0] + pieces[1] + i32::from(last);
        sum / CORRECTION_GRAIN
    }

    /// A position turned out to be worth `error` more than its evaluation said.
    pub fn correct(&mut self, position: &Position, before: [PieceTo; 2], depth: i32, error: i32) {
        let side = position.side();
        let bonus = (error * depth * 4).clamp(-MOST_CORRECTION / 4, MOST_CORRECTION / 4);
        let place = History::structure(side, position.pawn_key());
        pull(&mut self.pawn_correction[place], bonus, MOST_CORRECTION);
        for color in Color::BOTH {
            let place = History::structure(side, position.non_pawn_key(color));
            pull(&mut self.piece_correction[color.index()][place], bonus, MOST_CORRECTION);
        }
        let entry = &mut self.move_correction[before[1].index()][before[0].index()];
        pull(entry, bonus, MOST_CORRECTION);
    }
}

/// The piece that moves and where it goes.
pub fn moved(position: &Position, mv: Move) -> PieceTo {
    match position.piece_at(mv.from()) {
        Some(piece) => PieceTo::new(piece, mv.to()),
        None => PieceTo::NONE,
    }
}

/// Whether origin and destination of a move are attacked, a bit each.
fn attacked(context: &Context, mv: Move) -> usize {
    let from = usize::from(context.threats.contains(mv.from()));
    let to = usize::from(context.threats.contains(mv.to()));
    from << 1 | to
}

/// How much a move's history gains that refuted a node.
fn bonus(depth: i32) -> i32 {
    (BONUS * depth + BONUS_OFFSET).clamp(0, MOST_BONUS)
}

/// Moves an entry, the less the nearer it is to its limit.
fn pull(entry: &mut i16, bonus: i32, most: i32) {
    let value = i32::from(*entry);
    *entry = (value + bonus - value * bonus.abs() / most) as i16;
}
