//! A position in 32 bytes, as files of games keep where a game starts.
//!
//! | bytes | |
//! |---|---|
//! | 0-7 | the occupied squares, a1 the lowest bit |
//! | 8-23 | their pieces in that order, by [`Piece::index`], four bits each, the lower ones first |
//! | 24 | the side to move |
//! | 25 | the en-passant square, or 64 |
//! | 26-27 | a byte a side: for each wing, king's first, four bits: 8 and the rook's file, or 0 |
//! | 28-29 | half moves without progress |
//! | 30-31 | the number of the move |

use zebu::board::{CastlingSide, Color, Piece, PieceType, Position, Setup, Square, SquareSet};

pub const BYTES: usize = 32;

const PIECES: usize = 8;
const SIDE: usize = 24;
const EN_PASSANT: usize = 25;
const ROOKS: usize = 26;
const HALFMOVES: usize = 28;
const NUMBER: usize = 30;

const NO_SQUARE: u8 = 64;
const HAS_RIGHT: u8 = 8;

pub fn pack(position: &Position) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    bytes[..PIECES].copy_from_slice(&position.occupied().bits().to_le_bytes());
    for (i, (_, piece)) in position.pieces().enumerate() {
        bytes[PIECES + i / 2] |= (piece.index() as u8) << (4 * (i % 2));
    }
    bytes[SIDE] = position.side().index() as u8;
    bytes[EN_PASSANT] = position.en_passant().map_or(NO_SQUARE, Square::index);
    for color in Color::BOTH {
        for wing in CastlingSide::BOTH {
            if let Some(rook) = position.castling_rook(color, wing) {
                bytes[ROOKS + color.index()] |= (HAS_RIGHT | rook.file()) << (4 * wing as u8);
            }
        }
    }
    bytes[HALFMOVES..NUMBER].copy_from_slice(&position.halfmoves().to_le_bytes());
    bytes[NUMBER..].copy_from_slice(&position.move_number().to_le_bytes());
    bytes
}

/// The position, unless these bytes are none.
pub fn unpack(bytes: &[u8; BYTES]) -> Option<Position> {
    let mut setup = Setup::empty();
    let occupied = SquareSet::from_bits(u64::from_le_bytes(*bytes.first_chunk()?));
    if occupied.len() as usize > 2 * (SIDE - PIECES) {
        return None;
    }
    for (i, square) in occupied.into_iter().enumerate() {
        setup.put(piece(bytes[PIECES + i / 2] >> (4 * (i % 2)) & 15)?, square);
    }
    setup.set_side(*Color::BOTH.get(usize::from(bytes[SIDE]))?);
    if bytes[EN_PASSANT] < NO_SQUARE {
        setup.set_en_passant(Square::from_index(bytes[EN_PASSANT]));
    }
    for color in Color::BOTH {
        for wing in CastlingSide::BOTH {
            let right = bytes[ROOKS + color.index()] >> (4 * wing as u8) & 15;
            if right & HAS_RIGHT != 0 {
                let rook = Square::new(right & !HAS_RIGHT, color.home_rank())?;
                setup.set_castling_rook(color, wing, rook);
            }
        }
    }
    let counter = |place| u16::from_le_bytes([bytes[place], bytes[place + 1]]);
    setup.set_counters(counter(HALFMOVES), counter(NUMBER));
    setup.finish().ok()
}

/// The piece with this [`Piece::index`].
fn piece(index: u8) -> Option<Piece> {
    let color = Color::BOTH.get(usize::from(index) / PieceType::ALL.len())?;
    Some(PieceType::ALL[usize::from(index) % PieceType::ALL.len()].of(*color))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_come_back_as_they_were() {
        for fen in [
            zebu::board::START,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 7 31",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "1r1k3r/8/8/8/8/8/8/RK4R1 w AGbh - 99 1234",
            "8/8/4k3/8/8/4K3/8/8 b - - 12 300",
        ] {
            let position: Position = fen.parse().unwrap();
            let back = unpack(&pack(&position)).unwrap();
            assert_eq!(back.shredder_fen(), position.shredder_fen());
            assert!(back == position, "{fen}");
        }
    }

    #[test]
    fn bytes_that_are_no_position_are_refused() {
        assert!(unpack(&[0; BYTES]).is_none());
        assert!(unpack(&[255; BYTES]).is_none());
        let mut bytes = pack(&Position::start());
        bytes[PIECES] = 0xFF;
        assert!(unpack(&bytes).is_none());
    }
}
