//! Static exchange evaluation compared with a search of the captures on one square.

use crate::common::{trials, varied_positions};
use crate::rules::{attacks, board_without};
use engine::board::{Color, Move, MoveKind, Piece, PieceType, Position, Setup, Square, see_value};

#[test]
fn see_is_the_search_of_captures() {
    let (mut moves, mut compared) = (0, 0);
    for position in varied_positions(31).take(trials(100_000)) {
        for &mv in &position.legal_moves() {
            moves += 1;
            let Outcome { least, most } = search(&position, mv);
            if least != most {
                continue;
            }
            compared += 1;
            for threshold in (-1000..=1800).step_by(100) {
                let reached = position.see_ge(mv, threshold);
                assert_eq!(reached, most >= threshold, "{position:?} {mv:?} {threshold}: {most}");
            }
        }
    }
    assert!(compared > moves * 9 / 10);
}

/// The least and the greatest gain of a move, over the choices between equal attackers.
struct Outcome {
    least: i32,
    most: i32,
}

fn search(position: &Position, mv: Move) -> Outcome {
    if mv.is_castling() {
        return Outcome { least: 0, most: 0 };
    }
    let us = position.side();
    let target = mv.to();
    let mut board = board_without(position, &[]);
    let mover = board.take(mv.from()).expect("a piece moves");
    let mut gain = board.take(target).map_or(0, value);
    let mut arrived = mover;
    match mv.kind() {
        Some(MoveKind::EnPassant) => {
            let passed = target.step(-us.forward()).expect("a square of the board");
            gain = board.take(passed).map_or(0, value);
        }
        Some(MoveKind::Promotion(kind)) => {
            arrived = kind.of(us);
            gain += value(arrived) - value(mover);
        }
        _ => {}
    }
    board.put(arrived, target);
    let Outcome { least, most } = best_reply(&board, target, !us);
    Outcome { least: gain - most, most: gain - least }
}

/// A side's gain by capturing with its least valuable piece, or by stopping. The range of the opponent's
/// gains determines the range of its own.
fn best_reply(board: &Setup, target: Square, side: Color) -> Outcome {
    let stands = board.piece_at(target).expect("a piece stands on the target");
    let attackers: Vec<(Square, Piece)> = board
        .pieces()
        .filter(|&(from, piece)| piece.color() == side && attacks(board, piece, from, target))
        .collect();
    let Some(kind) =
        PieceType::ALL.into_iter().find(|&kind| attackers.iter().any(|(_, piece)| piece.is(kind)))
    else {
        return Outcome { least: 0, most: 0 };
    };
    let takes = attackers.iter().filter(|(_, piece)| piece.is(kind)).map(|&(from, piece)| {
        let mut next = *board;
        next.take(from);
        next.put(piece, target);
        let Outcome { least, most } = best_reply(&next, target, !side);
        Outcome { least: value(stands) - most, most: value(stands) - least }
    });
    let (least, most) = takes.fold((i32::MAX, i32::MIN), |(least, most), take| {
        (least.min(take.least), most.max(take.most))
    });
    Outcome { least: least.max(0), most: most.max(0) }
}

fn value(piece: Piece) -> i32 {
    see_value(piece.kind())
}

#[test]
fn known_exchanges() {
    let exchanges = [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -200),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
        ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", -100),
        ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8n", 700),
        // The king may not capture a protected piece.
        ("8/8/4k3/3p4/8/1B6/B7/4K3 w - - 0 1", "b3d5", 100),
        ("8/8/4k3/3p4/8/1B6/8/4K3 w - - 0 1", "b3d5", -200),
    ];
    for (fen, mv, value) in exchanges {
        let position: Position = fen.parse().expect("a FEN");
        let mv = position.parse_uci(mv).expect("a legal move");
        assert!(position.see_ge(mv, value), "{fen} {mv:?}: less than {value}");
        assert!(!position.see_ge(mv, value + 1), "{fen} {mv:?}: more than {value}");
    }
}
