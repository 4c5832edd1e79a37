//! A breakdown of an evaluation: what each piece contributes, and what each output says.

use super::features::Perspective;
use super::network::Network;
use super::shape::{KING_BUCKETS, OUTPUT_BUCKETS};
use crate::board::{Color, MAX_PIECES, Piece, PieceType, Position, Square};

/// All scores are White's, in centipawns.
pub struct Breakdown {
    /// Each piece and by how much the score would fall without it; no king can be done without.
    pub pieces: Vec<(Square, Piece, Option<i32>)>,
    /// What each output says; only one is made for this number of pieces.
    pub outputs: [i32; OUTPUT_BUCKETS],
    pub used: usize,
}

impl Breakdown {
    pub fn new(network: &Network, position: &Position) -> Breakdown {
        let used = Network::output_bucket(position);
        let perspectives = Color::BOTH.map(|color| Perspective::of(position, color, &KING_BUCKETS));
        let threats = position.threats();
        let score = |without: Option<Square>, output: usize| {
            let accumulators = perspectives.map(|perspective| {
                let pieces = position.pieces().filter(|&(square, _)| Some(square) != without);
                network.accumulator(pieces, &threats, perspective)
            });
            let score = network.output(accumulators.each_ref(), position.side(), output);
            if position.side() == Color::White { score } else { -score }
        };
        let whole = score(None, used);
        let value = |square| whole - score(Some(square), used);
        let explained = |(square, piece): (Square, Piece)| {
            (square, piece, (!piece.is(PieceType::King)).then(|| value(square)))
        };
        Breakdown {
            pieces: position.pieces().map(explained).collect(),
            outputs: std::array::from_fn(|output| score(None, output)),
            used,
        }
    }

    /// The fewest and the most pieces that an output is made for.
    pub fn pieces_of(output: usize) -> (usize, usize) {
        let least = |output: usize| (output * MAX_PIECES).div_ceil(OUTPUT_BUCKETS) + 1;
        (least(output), least(output + 1) - 1)
    }
}
