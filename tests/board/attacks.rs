//! What a square sees, against slow definitions.

use crate::common::{trials, varied_positions};
use crate::rules::{attackers, attacks, board_without};
use zebu::board::{Color, MoveList, Piece, PieceType, Position, Square, SquareSet, Squares, Stage};

const POSITIONS: usize = trials(20_000);

#[test]
fn attacks_are_what_pieces_reach() {
    for position in varied_positions(21).take(POSITIONS) {
        let board = board_without(&position, &[]);
        for by in Color::BOTH {
            let mut all = SquareSet::NONE;
            let known = position.attacks(by);
            for kind in PieceType::ALL {
                let these = board.pieces().filter(|&(_, piece)| piece == kind.of(by));
                let expected: SquareSet = these
                    .flat_map(|(from, piece)| {
                        let board = &board;
                        Square::all().filter(move |&to| attacks(board, piece, from, to))
                    })
                    .collect();
                assert_eq!(known.by(kind), expected, "{position:?}: {by}, {}", kind.name());
                all |= expected;
            }
            assert_eq!(known.all(), all, "{position:?}: {by}");
            let attacked: SquareSet =
                Square::all().filter(|&square| position.is_attacked(square, by)).collect();
            assert_eq!(attacked, all, "{position:?}: {by}");
        }
    }
}

/// What hangs is attacked by a lesser piece, or attacked and without a defender.
#[test]
fn threats_are_what_hangs() {
    let value = |piece: Piece| match piece.kind() {
        PieceType::Pawn => 1,
        PieceType::Knight | PieceType::Bishop => 3,
        PieceType::Rook => 5,
        PieceType::Queen => 9,
        PieceType::King => 100,
    };
    for position in varied_positions(28).take(POSITIONS) {
        let (board, threats) = (board_without(&position, &[]), position.threats());
        for (square, piece) in position.pieces() {
            let mut by_lesser = false;
            let mut count = [Color::White, Color::Black].map(|color| {
                let attackers = attackers(&board, square, color);
                if color != piece.color() {
                    let mut pieces =
                        attackers.into_iter().filter_map(|from| position.piece_at(from));
                    by_lesser = pieces.any(|attacker| value(attacker) < value(piece));
                }
                attackers.len()
            });
            if piece.color() == Color::Black {
                count.swap(0, 1);
            }
            let expected = match (piece.is(PieceType::King), count) {
                (true, _) | (_, [_, 0]) => 0,
                (_, [0, _]) => 2,
                _ => 1 + u16::from(by_lesser),
            };
            assert_eq!(threats.danger(square), expected, "{position:?}: {piece:?} on {square}");
        }
    }
}

#[test]
fn checkers_attack_the_king() {
    for position in varied_positions(22).take(POSITIONS) {
        let us = position.side();
        let expected = attackers(&board_without(&position, &[]), position.king(us), !us);
        assert_eq!(position.checkers(), expected, "{position:?}");
    }
}

/// A piece is pinned if the king would be attacked by one more enemy without it.
#[test]
fn pinned_pieces_uncover_a_check() {
    for position in varied_positions(23).take(POSITIONS) {
        let board = board_without(&position, &[]);
        for color in Color::BOTH {
            let king = position.king(color);
            let checkers = attackers(&board, king, !color);
            let expected: SquareSet = board
                .pieces()
                .filter(|&(square, piece)| piece.color() == color && square != king)
                .filter(|&(square, _)| {
                    let mut board = board;
                    board.take(square);
                    attackers(&board, king, !color) != checkers
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
        let known = position.checks();
        for &mv in &position.legal_moves() {
            let after = position.after(mv);
            let us = after.side();
            let expected = !attackers(&board_without(&after, &[]), after.king(us), !us).is_empty();
            assert_eq!(position.gives_check(mv), expected, "{position:?} {mv:?}");
            assert_eq!(known.has(&position, mv), expected, "{position:?} {mv:?}");
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
            assert_eq!(
                Squares::of(one).differences(&Squares::of(other)),
                wanted,
                "{one:?}, {other:?}"
            );
        }
    }
}
