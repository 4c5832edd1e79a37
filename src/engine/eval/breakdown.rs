//! A breakdown of an evaluation into the contributions of pieces, and all outputs of the network.

use super::features::Perspective;
use super::network::Network;
use super::shape::{KING_BUCKETS, OUTPUT_BUCKETS};
use crate::board::{Color, MAX_PIECES, Piece, PieceType, Position, Square};

/// All scores are White's, in centipawns.
pub struct Breakdown {
    /// Each piece, and the loss of score if it were removed. Kings cannot be removed.
    pub pieces: Vec<(Square, Piece, Option<i32>)>,
    /// The score of every output bucket. Only one of them applies to this number of pieces.
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

    /// The lowest and the highest number of pieces for which an output bucket is used.
    pub fn pieces_of(output: usize) -> (usize, usize) {
        let least = |output: usize| (output * MAX_PIECES).div_ceil(OUTPUT_BUCKETS) + 1;
        (least(output), least(output + 1) - 1)
    }
}
