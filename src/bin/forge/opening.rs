//! Where self-play begins: a few random moves from the standard or a shuffled start.

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use zebu::board::{Color, Kind, Position, Setup, Square, Wing};

/// One more or less decides who moves first.
const PLIES: [usize; 2] = [8, 9];

/// A position after random moves that did not end the game. `shuffled` is the share of those that
/// come from double Chess960.
pub fn draw(random: &mut impl RngExt, shuffled: f64) -> Position {
    loop {
        let start = if random.random_bool(shuffled) { double_chess960(random) } else { None };
        let mut position = start.unwrap_or_else(Position::start);
        let plies = PLIES[random.random_range(0..PLIES.len())];
        let whole = (0..plies).all(|_| {
            let moves = position.legal_moves();
            let mv = moves.choose(random).copied();
            position = mv.map_or(position, |mv| position.after(mv));
            mv.is_some()
        });
        if whole && position.ending().is_none() {
            return position;
        }
    }
}

/// A start in which each side has an order of its own.
fn double_chess960(random: &mut impl RngExt) -> Option<Position> {
    let mut setup = Setup::empty();
    for color in Color::BOTH {
        let mut wings = [Wing::Queen, Wing::King].into_iter();
        for (file, kind) in (0..8).zip(back_rank(random)) {
            let home = Square::new(file, color.home_rank())?;
            setup.put(kind.of(color), home);
            setup.put(Kind::Pawn.of(color), home.step(color.forward())?);
            if kind == Kind::Rook {
                setup.set_castling_rook(color, wings.next()?, home);
            }
        }
    }
    setup.finish().ok()
}

/// One of the 960 orders: bishops on squares of both colors, the king between the rooks.
fn back_rank(random: &mut impl RngExt) -> [Kind; 8] {
    // What is not drawn below is rook, king, rook from the left.
    let mut rank = [Kind::Pawn; 8];
    rank[2 * random.random_range(0..4)] = Kind::Bishop;
    rank[2 * random.random_range(0..4) + 1] = Kind::Bishop;
    let mut free: Vec<usize> = (0..8).filter(|&file| rank[file] == Kind::Pawn).collect();
    free.shuffle(random);
    for kind in [Kind::Queen, Kind::Knight, Kind::Knight] {
        if let Some(file) = free.pop() {
            rank[file] = kind;
        }
    }
    free.sort();
    for (file, kind) in free.into_iter().zip([Kind::Rook, Kind::King, Kind::Rook]) {
        rank[file] = kind;
    }
    rank
}
