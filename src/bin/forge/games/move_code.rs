//! Moves in few bits, which are decoded without generating moves.
//!
//! First the number of the piece among the side's pieces, by square from a1 to h8, in as few bits as
//! their number takes. Then where it goes:
//!
//! | piece | bits | |
//! |---|---|---|
//! | pawn | 2 | one step, two steps, capture towards the a-file, towards the h-file |
//! | pawn on its seventh rank | 2 more | [`PieceType::PROMOTIONS`] |
//! | knight | 3 | [`KNIGHT_STEPS`] |
//! | king | 4 | [`KING_STEPS`], castling on the queen's side, on the king's side |
//! | rook | 3 + 1 | the file on its rank, or the rank on its file |
//! | bishop | 3 + 1 | the file on its diagonal, or on its antidiagonal |
//! | queen | 3 + 2 | a rook's move, or a bishop's |

use zebu::board::{CastlingSide, Move, PieceType, Position, Square};

use super::bits::{BitReader, BitWriter};

/// The most bits of a move.
pub const MAX_BITS: u32 = 4 + 5;

const KNIGHT_STEPS: [i8; 8] = [-33, -31, -18, -14, 14, 18, 31, 33];
const KING_STEPS: [i8; 8] = [-17, -16, -15, -1, 1, 15, 16, 17];

/// The lines of a slider: rank, file, diagonal, antidiagonal.
const BISHOP_LINES: u32 = 2;

/// Appends a move. `None` if it is not one that a piece of the side to move could make.
pub fn put(position: &Position, mv: Move, bits: &mut BitWriter) -> Option<()> {
    let pieces = position.occupied_by(position.side());
    let number = pieces.into_iter().position(|square| square == mv.from())?;
    let piece = position.piece_at(mv.from())?.kind();
    let count = code_bits(position, piece, mv.from());
    let code =
        (0..1 << count).find(|&code| target(position, piece, mv.from(), code) == Some(mv))?;
    bits.put(number as u32, number_bits(pieces.len()));
    bits.put(code, count);
    Some(())
}

/// The next move, if it is legal.
#[inline(always)]
pub fn take(position: &Position, bits: &mut BitReader) -> Option<Move> {
    let word = bits.peek() as u32;
    let pieces = position.occupied_by(position.side());
    let number = number_bits(pieces.len());
    let from = pieces.into_iter().nth((word & ((1 << number) - 1)) as usize)?;
    let piece = position.piece_at(from)?.kind();
    let count = code_bits(position, piece, from);
    bits.skip(number + count);
    let code = word >> number & ((1 << count) - 1);
    target(position, piece, from, code).filter(|&mv| position.is_legal(mv))
}

fn number_bits(pieces: u32) -> u32 {
    u32::BITS - pieces.saturating_sub(1).leading_zeros()
}

fn code_bits(position: &Position, piece: PieceType, from: Square) -> u32 {
    match piece {
        PieceType::Pawn if from.rank_for(position.side()) == 6 => 4,
        PieceType::Pawn => 2,
        PieceType::Knight => 3,
        PieceType::King | PieceType::Rook | PieceType::Bishop => 4,
        PieceType::Queen => 5,
    }
}

/// The move with this code.
#[inline(always)]
fn target(position: &Position, piece: PieceType, from: Square, code: u32) -> Option<Move> {
    let step = |steps: [i8; 8]| from.step(steps[code as usize % 8]);
    let to = match piece {
        PieceType::Pawn => return pawn_move(position, from, code),
        PieceType::King if code >= 8 => {
            let side = *[CastlingSide::Queen, CastlingSide::King].get(code as usize - 8)?;
            let rook = position.castling_rook(position.side(), side)?;
            return Some(Move::castling(from, rook));
        }
        PieceType::King => step(KING_STEPS),
        PieceType::Knight => step(KNIGHT_STEPS),
        PieceType::Rook | PieceType::Queen => slide(from, code),
        PieceType::Bishop => slide(from, code + 8 * BISHOP_LINES),
    };
    Some(Move::normal(from, to?))
}

fn pawn_move(position: &Position, from: Square, code: u32) -> Option<Move> {
    let forward = position.side().forward();
    let steps = [forward, 2 * forward, forward - 1, forward + 1];
    let to = from.step(steps[code as usize % 4])?;
    let captures = code & 2 != 0;
    Some(if to.rank_for(position.side()) == 7 {
        Move::promotion(from, to, PieceType::PROMOTIONS[code as usize / 4 % 4])
    } else if captures && position.en_passant() == Some(to) {
        Move::en_passant(from, to)
    } else {
        Move::normal(from, to)
    })
}

/// Along a line to a file, or on its own file to a rank.
fn slide(from: Square, code: u32) -> Option<Square> {
    let place = (code % 8) as u8;
    let (file, rank) = (from.file(), from.rank());
    match code / 8 {
        0 => Square::new(place, rank),
        1 => Square::new(file, place),
        2 => Square::new(place, rank.wrapping_add(place).wrapping_sub(file)),
        _ => Square::new(place, rank.wrapping_add(file).wrapping_sub(place)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn every_legal_move_comes_back() {
        for game in samples::games(100, 5) {
            for (position, _) in game.positions() {
                for mv in position.legal_moves() {
                    let mut bits = BitWriter::default();
                    put(&position, mv, &mut bits).unwrap();
                    let bytes = bits.finish();
                    assert!(bytes.len() <= MAX_BITS.div_ceil(8) as usize);
                    assert_eq!(take(&position, &mut BitReader::new(&bytes)), Some(mv));
                }
            }
        }
    }

    #[test]
    fn any_bits_are_a_legal_move_or_none() {
        for game in samples::games(10, 6) {
            for (position, _) in game.positions() {
                for bits in 0..1_u16 << MAX_BITS {
                    if let Some(mv) = take(&position, &mut BitReader::new(&bits.to_le_bytes())) {
                        assert!(position.legal_moves().contains(&mv));
                    }
                }
            }
        }
    }
}
