//! Random games and positions for several tests.

use engine::board::{CastlingSide, Color, Move, PieceType, Position, Setup, Square};
use engine::opening::double_chess960;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A generator with the same numbers in every run.
pub fn random(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// A number of trials, reduced in unoptimised builds.
pub const fn trials(optimised: usize) -> usize {
    if cfg!(debug_assertions) { optimised.div_ceil(50) } else { optimised }
}

/// The kind of starting position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    Standard,
    /// Double Chess960: each side has its own back rank.
    Chess960,
}

impl Start {
    pub const BOTH: [Start; 2] = [Start::Standard, Start::Chess960];

    pub fn position(self, random: &mut impl RngExt) -> Position {
        match self {
            Start::Standard => Position::start(),
            Start::Chess960 => double_chess960(random).expect("a starting position is legal"),
        }
    }
}

/// The longest game, in plies.
const LONGEST: usize = 300;

/// A game of random moves: its first position, then each move with the position after it. Some games prefer
/// captures, promotions and castling, so that castling happens before the king moves, and bare kings before
/// the end.
pub fn random_game(start: Start, random: &mut impl RngExt) -> (Position, Vec<(Move, Position)>) {
    let first = start.position(random);
    let appetite = 0.25 * random.random_range(0..4) as f64;
    let mut position = first;
    let next = || {
        if position.ending().is_some() {
            return None;
        }
        let moves = position.legal_moves();
        let (special, _): (Vec<Move>, Vec<Move>) =
            moves.iter().partition(|&&mv| mv.is_castling() || position.is_noisy(mv));
        let liked = match special.is_empty() || !random.random_bool(appetite) {
            true => &moves[..],
            false => &special[..],
        };
        let mv = *liked.choose(random)?;
        position = position.after(mv);
        Some((mv, position))
    };
    (first, std::iter::from_fn(next).take(LONGEST).collect())
}

/// An endless sequence of positions from random games, alternately standard and double Chess960.
pub fn random_positions(seed: u64) -> impl Iterator<Item = Position> {
    let mut random = random(seed);
    Start::BOTH.into_iter().cycle().flat_map(move |start| {
        let (first, moves) = random_game(start, &mut random);
        std::iter::once(first).chain(moves.into_iter().map(|(_, position)| position))
    })
}

/// An endless sequence of legal positions with randomly placed pieces. They have more checks, pins, promoted
/// pieces and pawns about to promote than games.
pub fn scattered_positions(seed: u64) -> impl Iterator<Item = Position> {
    let mut random = random(seed);
    std::iter::repeat_with(move || scattered(&mut random)).filter_map(|setup| setup.finish().ok())
}

fn scattered(random: &mut impl RngExt) -> Setup {
    let mut squares: Vec<Square> = Square::all().collect();
    squares.shuffle(random);
    let mut squares = squares.into_iter();
    let mut setup = Setup::empty();
    let side = *Color::BOTH.choose(random).expect("there are colors");
    setup.set_side(side);
    if random.random_bool(0.3) {
        // Two pawns, one of which may capture the other en passant.
        let rank = if side == Color::White { 4 } else { 3 };
        let file = random.random_range(0..7);
        let [west, east] = [file, file + 1].map(|file| Square::new(file, rank));
        let first = *Color::BOTH.choose(random).expect("there are colors");
        setup.put(PieceType::Pawn.of(first), west.expect("a square of the board"));
        setup.put(PieceType::Pawn.of(!first), east.expect("a square of the board"));
    }
    for color in Color::BOTH {
        let home = Square::new(random.random_range(0..8), color.home_rank());
        let king = if random.random_bool(0.5) { home } else { squares.next() };
        setup.put(PieceType::King.of(color), king.expect("a square of the board"));
    }
    // Sometimes a side has more pieces than at the start of a game.
    let most = if random.random_bool(0.2) { 31 } else { 24 };
    let white = if most > 24 { *[0.1, 0.9].choose(random).expect("shares") } else { 0.5 };
    for square in squares.take(random.random_range(2..most)) {
        let kind = *PieceType::ALL[..5].choose(random).expect("there are kinds");
        let on_edge = matches!(square.rank(), 0 | 7);
        if setup.piece_at(square).is_none() && !(kind == PieceType::Pawn && on_edge) {
            let color = if random.random_bool(white) { Color::White } else { Color::Black };
            setup.put(kind.of(color), square);
        }
    }
    give_rights(&mut setup, side);
    setup
}

/// Adds rights where possible: castling with most rooks, an en-passant capture where a pawn could have
/// advanced two squares.
fn give_rights(setup: &mut Setup, side: Color) {
    let before = *setup;
    for (square, piece) in before.pieces() {
        let Ok(king) = before.king(piece.color()) else { return };
        let home = piece.color().home_rank();
        if piece.is(PieceType::Rook) && (king.rank(), square.rank()) == (home, home) {
            setup.set_castling_rook(piece.color(), CastlingSide::of(king, square), square);
        }
        if piece == PieceType::Pawn.of(!side)
            && square.rank_for(!side) == 3
            && let Some(target) = square.step(side.forward())
            && let Some(origin) = target.step(side.forward())
            && before.piece_at(target).is_none()
            && before.piece_at(origin).is_none()
        {
            setup.set_en_passant(target);
        }
    }
}

/// Positions of random games alternating with scattered ones.
pub fn varied_positions(seed: u64) -> impl Iterator<Item = Position> {
    random_positions(seed)
        .zip(scattered_positions(seed))
        .flat_map(|(played, scattered)| [played, scattered])
}
