//! The material that a line wins, and its name.

use std::ops::Sub;

use super::motifs::{Line, PAWN, gain, list, mates, most, taken, winnings};
use engine::board::{Color, PieceType, SquareSet};

/// One side's pawns, minor pieces, rooks, queens and promoted queens, less the other side's. A promoted queen
/// also still counts as a pawn.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct Material([i32; 5]);

/// The worth of each.
const PAWNS: [i32; 5] = [1, 3, 5, 9, 8];

/// The number of plies after which material is counted.
pub const HORIZON: usize = 8;

impl Material {
    pub const NEW_QUEEN: Material = Material([0, 0, 0, 0, 1]);

    /// The material after some plies of a line.
    pub fn after(line: &Line, plies: usize, side: Color) -> Material {
        let mut new_queens = SquareSet::NONE;
        for mv in &line.moves[..plies] {
            let stays = new_queens.contains(mv.from());
            new_queens = new_queens & !(SquareSet::one(mv.from()) | SquareSet::one(mv.to()));
            if stays || mv.promoted() == Some(PieceType::Queen) {
                new_queens.insert(mv.to());
            }
        }
        let mut counts = [0; 5];
        for (square, piece) in line.positions[plies].pieces() {
            let counted: &[usize] = match piece.kind() {
                PieceType::King => &[],
                PieceType::Pawn => &[0],
                PieceType::Knight | PieceType::Bishop => &[1],
                PieceType::Rook => &[2],
                PieceType::Queen if new_queens.contains(square) => &[0, 4],
                PieceType::Queen => &[3],
            };
            counted.iter().for_each(|&i| counts[i] += if piece.color() == side { 1 } else { -1 });
        }
        Material(counts)
    }

    /// The material after a line once the exchange at its horizon is played out. A last capture does not count
    /// if the reply wins as much, or a piece. What the side that is not the hero then gives up without need does
    /// not count either.
    pub fn settled(line: &Line, side: Color) -> Material {
        let is_quiet = |&ply: &usize| line.positions[ply].captured(line.moves[ply]).is_none();
        let plies = (HORIZON..line.moves.len()).find(is_quiet).unwrap_or(line.moves.len());
        let plies = plies.min(gift(line).unwrap_or(plies));
        let stands = |&ply: &usize| {
            let taken = taken(&line.positions[ply], line.moves[ply]);
            is_quiet(&ply) || most(&line.positions[ply + 1]) < taken.min(2 * PAWN)
        };
        // A line of captures alone counts with the captures of both sides.
        let end = (0..plies).rev().find(stands).map_or(plies, |ply| ply + 1);
        Material::after(line, end, side)
    }

    pub fn worth(self) -> i32 {
        PAWN * self.0.iter().zip(PAWNS).map(|(count, pawns)| count * pawns).sum::<i32>()
    }

    /// "loses a rook for 2 pawns", "allows a new queen".
    pub fn as_loss(self) -> String {
        let new_queens = Material([0, 0, 0, 0, self.0[4].max(0)]);
        let [lost, won] = (self - new_queens).names();
        let lost = (!lost.is_empty()).then(|| format!("loses {lost}"));
        let allowed = (new_queens.worth() > 0).then(|| "allows a new queen".to_string());
        let does = list(&lost.into_iter().chain(allowed).collect::<Vec<_>>());
        if won.is_empty() { does } else { format!("{does} for {won}") }
    }

    /// "a rook for a piece and 2 pawns", "the exchange".
    pub fn as_gain(self) -> String {
        let [won, lost] = self.names();
        if lost.is_empty() { won } else { format!("{won} for {lost}") }
    }

    /// The names of the material that a side is ahead by, and behind by.
    fn names(self) -> [String; 2] {
        let (exchange, rest) = match self.0 {
            [pawns, -1, 1, queens, new] => (1, [pawns, 0, 0, queens, new]),
            [pawns, 1, -1, queens, new] => (-1, [pawns, 0, 0, queens, new]),
            all => (0, all),
        };
        [1, -1].map(|sign| {
            let names = ["pawn", "piece", "rook", "queen", "new queen"].iter().zip(rest).rev();
            let names = names.filter_map(|(name, count)| match sign * count {
                ..=0 => None,
                1 if *name == "queen" => Some("the queen".to_string()),
                1 => Some(format!("a {name}")),
                count => Some(format!("{count} {name}s")),
            });
            let mut names: Vec<String> = names.collect();
            if exchange == sign {
                let place = names.iter().take_while(|name| name.ends_with("queen")).count();
                names.insert(place, "the exchange".to_string());
            }
            list(&names)
        })
    }
}

/// The first ply at which the side that is not the hero gives something up without need: neither in check nor
/// threatened with mate, it puts a piece that was safe where the next move wins it.
fn gift(line: &Line) -> Option<usize> {
    (line.first + 1..line.moves.len().saturating_sub(1)).step_by(2).find(|&ply| {
        let (before, mv, next) = (&line.positions[ply], line.moves[ply], line.moves[ply + 1]);
        let after = &line.positions[ply + 1];
        let is_taken = next.to() == mv.to() && gain(after, next) >= taken(before, mv) + PAWN;
        let takes_back = line.moves[ply - 1].to() == mv.to();
        let is_free = || {
            let again = before.after_null();
            winnings(&again, mv.from()) == 0 && mates(&again).next().is_none()
        };
        is_taken && !takes_back && !before.in_check() && is_free()
    })
}

impl Sub for Material {
    type Output = Material;

    fn sub(self, other: Material) -> Material {
        Material(std::array::from_fn(|i| self.0[i] - other.0[i]))
    }
}
