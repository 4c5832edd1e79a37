//! Our squares and pieces in the words of the crate that knows the formats of books and tables.

use super::{Color, Kind, Piece, Square};

impl From<Square> for shakmaty::Square {
    fn from(square: Square) -> Self {
        Self::new(square.dense().into())
    }
}

impl From<Color> for shakmaty::Color {
    fn from(color: Color) -> Self {
        Self::from_white(color == Color::White)
    }
}

impl From<Piece> for shakmaty::Piece {
    fn from(piece: Piece) -> Self {
        let role = match piece.kind() {
            Kind::Pawn => shakmaty::Role::Pawn,
            Kind::Knight => shakmaty::Role::Knight,
            Kind::Bishop => shakmaty::Role::Bishop,
            Kind::Rook => shakmaty::Role::Rook,
            Kind::Queen => shakmaty::Role::Queen,
            Kind::King => shakmaty::Role::King,
        };
        role.of(piece.color().into())
    }
}
