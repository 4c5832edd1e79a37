//! The piece-square teacher: a simple evaluation by material, centralisation and advancement. The first
//! network learns from its games.
//!
//! Each piece has a middlegame and an endgame value on each square, both computed by formula. The remaining
//! pieces determine the phase, which blends the two.

use crate::board::{Color, Piece, PieceType, Position, Square};

/// Packs middlegame value, endgame value and phase into one number, so that they are summed at once.
const fn packed(middle: i32, end: i32, phase: i32) -> i64 {
    ((phase as i64) << 40) + ((middle as i64) << 20) + end as i64
}

/// The phase of the full board. Bare kings and pawns have phase 0.
const FULL_PHASE: i32 = 24;

/// The values by [`Piece::row`] and 0x88 coordinate; negative for Black.
static VALUES: [[i64; 128]; 32] = {
    let mut table = [[0; 128]; 32];
    let mut color = 0;
    while color < 2 {
        let mut kind = 0;
        while kind < 6 {
            let piece = Piece::new(Color::BOTH[color], PieceType::ALL[kind]);
            let mut square = 0;
            while square < 64 {
                let (file, rank) = (square % 8, square / 8);
                let rank_for = if color == 0 { rank } else { 7 - rank };
                let (middle, end) = value(piece.kind(), file, rank_for);
                let sign = 1 - 2 * color as i32;
                let place = Square::from_index(square as u8).coordinate() as usize;
                let value = packed(sign * middle, sign * end, phase(piece.kind()));
                table[piece.row()][place] = value;
                square += 1;
            }
            kind += 1;
        }
        color += 1;
    }
    table
};

const fn value(kind: PieceType, file: i32, rank: i32) -> (i32, i32) {
    // From 0 at the edge to 6 in the middle.
    let central_file = 7 - (2 * file - 7).abs();
    let central_rank = 7 - (2 * rank - 7).abs();
    let centre = central_file + central_rank;
    match kind {
        PieceType::Pawn => (85 + 2 * rank * central_file / 3, 100 + 3 * rank * rank),
        PieceType::Knight => (305 + 4 * centre, 270 + 4 * centre),
        PieceType::Bishop => (325 + 2 * centre, 295 + 2 * centre),
        PieceType::Rook => (470 + 2 * central_file + 4 * (rank == 6) as i32, 520 + rank),
        PieceType::Queen => (970 + centre / 2, 960 + 3 * centre),
        PieceType::King => (-3 * central_file - 14 * rank, 5 * centre),
    }
}

const fn phase(kind: PieceType) -> i32 {
    match kind {
        PieceType::Knight | PieceType::Bishop => 1,
        PieceType::Rook => 2,
        PieceType::Queen => 4,
        PieceType::Pawn | PieceType::King => 0,
    }
}

/// Evaluates a position for the side to move, in centipawns.
pub fn teacher_score(position: &Position) -> i32 {
    let sum: i64 =
        position.pieces().map(|(s, piece)| VALUES[piece.row()][usize::from(s.coordinate())]).sum();
    let end = ((sum << 44) >> 44) as i32;
    let rest = (sum - i64::from(end)) >> 20;
    let (middle, left) = (((rest << 44) >> 44) as i32, ((rest + (1 << 19)) >> 20) as i32);
    let left = left.min(FULL_PHASE);
    let white = (middle * left + end * (FULL_PHASE - left)) / FULL_PHASE;
    let own = if position.side() == Color::White { white } else { -white };
    own + 10
}
