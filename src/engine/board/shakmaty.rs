//! Conversions to the squares and pieces of shakmaty, which reads books and endgame tables.

use super::{Color, Piece, PieceType, Square};

impl From<Square> for shakmaty::Square {
    fn from(square: Square) -> Self {
        Self::new(square.index().into())
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
            PieceType::Pawn => shakmaty::Role::Pawn,
            PieceType::Knight => shakmaty::Role::Knight,
            PieceType::Bishop => shakmaty::Role::Bishop,
            PieceType::Rook => shakmaty::Role::Rook,
            PieceType::Queen => shakmaty::Role::Queen,
            PieceType::King => shakmaty::Role::King,
        };
        role.of(piece.color().into())
    }
}
