//! What a square sees, against slow definitions that do without 0x88 arithmetic.

use crate::common::{trials, varied_positions};
use zebu::board::{Checks, Color, MoveList, Piece, PieceType, Position, Square, SquareSet, Stage};

const POSITIONS: usize = trials(20_000);

/// A board of eight ranks of eight files.
type Board = [[Option<Piece>; 8]; 8];

fn board_of(position: &Position) -> Board {
    let at = |file, rank| position.piece_at(Square::new(file, rank)?);
    std::array::from_fn(|rank| std::array::from_fn(|file| at(file as u8, rank as u8)))
}

/// The squares that the piece on a square attacks, by the rules of chess and nothing else.
fn attacked_from(board: &Board, from: Square, piece: Piece) -> SquareSet {
    const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
    const JUMPS: [(i8, i8); 8] =
        [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    let forward = if piece.color() == Color::White { 1 } else { -1 };
    let queen = [STRAIGHT, DIAGONAL].concat();
    let (steps, farthest) = match piece.kind() {
        PieceType::Pawn => (vec![(-1, forward), (1, forward)], 1),
        PieceType::Knight => (JUMPS.to_vec(), 1),
        PieceType::King => (queen, 1),
        PieceType::Bishop => (DIAGONAL.to_vec(), 7),
        PieceType::Rook => (STRAIGHT.to_vec(), 7),
        PieceType::Queen => (queen, 7),
    };
    let mut squares = SquareSet::NONE;
    for (east, north) in steps {
        for distance in 1..=farthest {
            let file = from.file() as i8 + distance * east;
            let rank = from.rank() as i8 + distance * north;
            if !(0..8).contains(&file) || !(0..8).contains(&rank) {
                break;
            }
            squares.insert(Square::new(file as u8, rank as u8).expect("a square of the board"));
            if board[rank as usize][file as usize].is_some() {
                break;
            }
        }
    }
    squares
}

/// The squares of a side's pieces that attack a square.
fn attackers(board: &Board, square: Square, by: Color) -> SquareSet {
    pieces(board)
        .filter(|&(from, piece)| {
            piece.color() == by && attacked_from(board, from, piece).contains(square)
        })
        .map(|(from, _)| from)
        .collect()
}

fn pieces(board: &Board) -> impl Iterator<Item = (Square, Piece)> {
    Square::all().filter_map(|s| Some((s, board[s.rank() as usize][s.file() as usize]?)))
}

fn without(board: &Board, square: Square) -> Board {
    let mut board = *board;
    board[square.rank() as usize][square.file() as usize] = None;
    board
}

#[test]
fn attacks_are_what_pieces_reach() {
    for position in varied_positions(21).take(POSITIONS) {
        let board = board_of(&position);
        for by in Color::BOTH {
            let mut all = SquareSet::NONE;
            let attacks = position.attacks(by);
            for kind in PieceType::ALL {
                let expected = pieces(&board)
                    .filter(|&(_, piece)| piece == kind.of(by))
                    .map(|(from, piece)| attacked_from(&board, from, piece))
                    .fold(SquareSet::NONE, |all, squares| all | squares);
                assert_eq!(attacks.by(kind), expected, "{position:?}: {by}, {}", kind.name());
                all |= expected;
            }
            assert_eq!(attacks.all(), all, "{position:?}: {by}");
            let attacked: SquareSet =
                Square::all().filter(|&square| position.is_attacked(square, by)).collect();
            assert_eq!(attacked, all, "{position:?}: {by}");
        }
    }
}

#[test]
fn checkers_attack_the_king() {
    for position in varied_positions(22).take(POSITIONS) {
        let us = position.side();
        let expected = attackers(&board_of(&position), position.king(us), !us);
        assert_eq!(position.checkers(), expected, "{position:?}");
    }
}

/// A piece is pinned if the king would be attacked by one more enemy without it.
#[test]
fn pinned_pieces_uncover_a_check() {
    for position in varied_positions(23).take(POSITIONS) {
        let board = board_of(&position);
        for color in Color::BOTH {
            let king = position.king(color);
            let checkers = attackers(&board, king, !color);
            let expected: SquareSet = pieces(&board)
                .filter(|&(square, piece)| piece.color() == color && square != king)
                .filter(|&(square, _)| {
                    attackers(&without(&board, square), king, !color) != checkers
                })
                .map(|(square, _)| square)
                .collect();
            assert_eq!(position.pinned(color), expected, "{position:?}: {color}");
        }
    }
}

#[test]
fn gives_check_is_check_afterwards() {
    let mut checks = 0;
    for position in varied_positions(25).take(5 * POSITIONS) {
        let known = Checks::of(&position);
        for &mv in &position.legal_moves() {
            let after = position.after(mv);
            let us = after.side();
            let expected = !attackers(&board_of(&after), after.king(us), !us).is_empty();
            assert_eq!(position.gives_check(mv), expected, "{position:?} {mv:?}");
            assert_eq!(known.has(mv), expected, "{position:?} {mv:?}");
            checks += expected as usize;
        }
    }
    println!("{checks} checks");
}

#[test]
fn stages_part_the_moves() {
    for position in varied_positions(26).take(5 * POSITIONS) {
        let moves = |stage| {
            let mut moves = MoveList::new();
            position.generate(stage, &mut moves);
            moves
        };
        let (all, noisy, quiet) = (moves(Stage::All), moves(Stage::Noisy), moves(Stage::Quiet));
        let of_all =
            |wanted: bool| all.iter().copied().filter(move |&mv| position.is_noisy(mv) == wanted);
        assert!(noisy.iter().copied().eq(of_all(true)), "{position:?}");
        assert!(quiet.iter().copied().eq(of_all(false)), "{position:?}");
    }
}

#[test]
fn differences_are_where_the_boards_differ() {
    let positions: Vec<Position> = varied_positions(27).take(POSITIONS).collect();
    for (i, one) in positions.iter().enumerate() {
        for other in [one, &positions[i / 2], &positions[(i + 1) % POSITIONS]] {
            let differs = |&square: &Square| one.piece_at(square) != other.piece_at(square);
            let wanted: SquareSet = Square::all().filter(differs).collect();
            assert_eq!(one.differences(other), wanted, "{one:?}, {other:?}");
        }
    }
}
