//! The key under which a book knows a position. Its random numbers are part of the format; shakmaty
//! has them.

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{CastlingSide, File, Role};

use crate::board::square::{EAST, WEST};
use crate::board::{Color, Game, Kind, Position, Square, Wing};

/// The key of the position on the board.
pub fn key(game: &Game) -> u64 {
    let position = game.position();
    let mut key = Zobrist64::default();
    for (square, piece) in position.pieces() {
        let place = shakmaty::Square::ALL[usize::from(square.dense())];
        key ^= Zobrist64::zobrist_for_piece(
            place,
            role(piece.kind()).of(shakmaty_color(piece.color())),
        );
    }
    for color in Color::BOTH {
        for (wing, side) in
            Wing::BOTH.into_iter().zip([CastlingSide::KingSide, CastlingSide::QueenSide])
        {
            if position.castling_rook(color, wing).is_some() {
                key ^= Zobrist64::zobrist_for_castling_right(shakmaty_color(color), side);
            }
        }
    }
    if let Some(stop) = long_step(game).filter(|&stop| can_be_reached(position, stop)) {
        key ^= Zobrist64::zobrist_for_en_passant_file(File::ALL[usize::from(stop.file())]);
    }
    if position.side() == Color::White {
        key ^= Zobrist64::zobrist_for_white_turn();
    }
    key.0
}

/// Where the pawn stands that just went two squares.
fn long_step(game: &Game) -> Option<Square> {
    let position = game.position();
    let them = !position.side();
    match game.moves().last() {
        Some(mv) => {
            let two_ranks = mv.from().coordinate().abs_diff(mv.to().coordinate()) == 0x20;
            let pawn = position.piece_at(mv.to()) == Some(Kind::Pawn.of(them));
            (two_ranks && pawn).then_some(mv.to())
        }
        None => position.en_passant()?.step(them.forward()),
    }
}

/// Whether a pawn stands ready to capture in passing. Unlike our own keys, those of the format do
/// not ask whether it legally can.
fn can_be_reached(position: &Position, stop: Square) -> bool {
    let taker = Kind::Pawn.of(position.side());
    let beside = [WEST, EAST].into_iter().filter_map(|step| stop.step(step));
    beside.into_iter().any(|square| position.piece_at(square) == Some(taker))
}

fn shakmaty_color(color: Color) -> shakmaty::Color {
    match color {
        Color::White => shakmaty::Color::White,
        Color::Black => shakmaty::Color::Black,
    }
}

fn role(kind: Kind) -> Role {
    match kind {
        Kind::Pawn => Role::Pawn,
        Kind::Knight => Role::Knight,
        Kind::Bishop => Role::Bishop,
        Kind::Rook => Role::Rook,
        Kind::Queen => Role::Queen,
        Kind::King => Role::King,
    }
}
