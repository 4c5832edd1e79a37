//! Attacks by the rules of chess, slowly and without 0x88 arithmetic, as a reference.

use engine::board::{Color, Piece, PieceType, Position, Setup, Square, SquareSet};

/// The pieces of a position without those on some squares.
pub fn board_without(position: &Position, squares: &[Square]) -> Setup {
    let mut board = Setup::empty();
    for (square, piece) in position.pieces().filter(|(square, _)| !squares.contains(square)) {
        board.put(piece, square);
    }
    board
}

/// Whether a piece on one square attacks the other.
pub fn attacks(board: &Setup, piece: Piece, from: Square, to: Square) -> bool {
    let east = to.file() as i8 - from.file() as i8;
    let north = to.rank() as i8 - from.rank() as i8;
    let distance = east.abs().max(north.abs());
    let (straight, diagonal) = (east == 0 || north == 0, east.abs() == north.abs());
    let forward = if piece.color() == Color::White { 1 } else { -1 };
    let is_free = |step: i8| {
        let file = from.file() as i8 + step * east.signum();
        let rank = from.rank() as i8 + step * north.signum();
        let square = Square::new(file as u8, rank as u8).expect("a square of the board");
        board.piece_at(square).is_none()
    };
    let slides = || (1..distance).all(is_free);
    from != to
        && match piece.kind() {
            PieceType::Pawn => distance == 1 && diagonal && north == forward,
            PieceType::Knight => east.abs() * north.abs() == 2,
            PieceType::King => distance == 1,
            PieceType::Bishop => diagonal && slides(),
            PieceType::Rook => straight && slides(),
            PieceType::Queen => (straight || diagonal) && slides(),
        }
}

/// The squares of a side's pieces that attack a square.
pub fn attackers(board: &Setup, square: Square, by: Color) -> SquareSet {
    let attackers = board
        .pieces()
        .filter(|&(from, piece)| piece.color() == by && attacks(board, piece, from, square));
    attackers.map(|(from, _)| from).collect()
}
