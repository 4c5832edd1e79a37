//! Attacks, checks, pins and threats, compared with the slow rules of `rules.rs`.

use crate::common::{trials, varied_positions};
use crate::rules::{attackers, attacks, board_without};
use engine::board::{Bitboards, Color, Piece, PieceType, Square, SquareSet};

const POSITIONS: usize = trials(20_000);

/// A piece is pinned if without it one more enemy would attack the king.
#[test]
fn attacks_checks_and_pins_are_by_the_rules() {
    for position in varied_positions(21).take(POSITIONS) {
        let board = board_without(&position, &[]);
        for color in Color::BOTH {
            let (known, mut all) = (position.attacks(color), SquareSet::NONE);
            for kind in PieceType::ALL {
                let from = board.pieces().filter(|&(_, piece)| piece == kind.of(color));
                let attacked = |(from, piece): (Square, Piece)| {
                    let board = &board;
                    Square::all().filter(move |&to| attacks(board, piece, from, to))
                };
                let expected: SquareSet = from.flat_map(attacked).collect();
                assert_eq!(known.by(kind), expected, "{position:?}: {color}, {}", kind.name());
                all |= expected;
            }
            let attacked = Square::all().filter(|&square| position.is_attacked(square, color));
            assert_eq!(attacked.collect::<SquareSet>(), all, "{position:?}: {color}");
            assert_eq!(known.all(), all, "{position:?}: {color}");

            let king = position.king(color);
            let checkers = attackers(&board, king, !color);
            let is_pinned = |&(square, piece): &(Square, Piece)| {
                let without = board_without(&position, &[square]);
                let is_ours = piece.color() == color && square != king;
                is_ours && attackers(&without, king, !color) != checkers
            };
            let pinned = board.pieces().filter(is_pinned).map(|(square, _)| square);
            assert_eq!(position.pinned(color), pinned.collect(), "{position:?}: {color}");
            if color == position.side() {
                assert_eq!(position.checkers(), checkers, "{position:?}");
            }
        }
    }
}

/// A piece hangs if a lesser piece attacks it, or if it is attacked and undefended.
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
            let enemies = attackers(&board, square, !piece.color());
            let defended = !attackers(&board, square, piece.color()).is_empty();
            let mut pieces = enemies.into_iter().filter_map(|from| position.piece_at(from));
            let by_lesser = pieces.any(|attacker| value(attacker) < value(piece));
            let expected = match piece.is(PieceType::King) || enemies.is_empty() {
                true => 0,
                false => 1 + u16::from(by_lesser || !defended),
            };
            assert_eq!(threats.danger(square), expected, "{position:?}: {piece:?} on {square}");
        }
    }
}

#[test]
fn gives_check_is_check_afterwards() {
    for position in varied_positions(25).take(5 * POSITIONS) {
        let known = position.checks(&Bitboards::of(&position));
        for &mv in &position.legal_moves() {
            let after = position.after(mv);
            let us = after.side();
            let expected = !attackers(&board_without(&after, &[]), after.king(us), !us).is_empty();
            assert_eq!(position.gives_check(mv), expected, "{position:?} {mv:?}");
            assert_eq!(known.has(&position, mv), expected, "{position:?} {mv:?}");
        }
    }
}
