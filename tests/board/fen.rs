//! FEN in all its dialects, and the messages for invalid ones.

use engine::board::{Fen, LeftOut, Position, START};

/// Every kind of fault has its own message, which names the field.
const FAULTS: &str = "\
4k3/8/8/8/8/8/8/4K3 -> FEN field 2 (side to move): it is missing
4k3/8/8/8/8/8/8/4K3 w -> FEN field 3 (castling): it is missing
4k3/8/8/8/8/8/8/4K3 w - - 0 1 startpos -> FEN field 7 (after the last): there is no such field, but 'startpos' stands there
4k3/8/8/8/8/8/4K3 w - - 0 1 -> FEN field 1 (pieces): it needs 8 ranks, not 7
4k3/8/8/8/8/8/8/8/4K3 w - - 0 1 -> FEN field 1 (pieces): it needs 8 ranks, not 9
4k3/7/8/8/8/8/8/4K3 w - - 0 1 -> FEN field 1 (pieces): rank 7 needs 8 files, not 7
4k3/8/8/44p/8/8/8/4K3 w - - 0 1 -> FEN field 1 (pieces): rank 5 needs 8 files, not 9
4k3/8//8/8/8/8/4K3 w - - 0 1 -> FEN field 1 (pieces): rank 6 needs 8 files, not 0
4k3/8/8/8/8/8/8/4K2X w - - 0 1 -> FEN field 1 (pieces): 'X' in rank 1 is neither a piece nor a number of empty squares
4k3/8/9/8/8/8/8/4K3 w - - 0 1 -> FEN field 1 (pieces): '9' in rank 6 is neither a piece nor a number of empty squares
4k3/8/0/8/8/8/8/4K3 w - - 0 1 -> FEN field 1 (pieces): '0' in rank 6 is neither a piece nor a number of empty squares
4k3/8/8/8/8/8/8/8 w - - 0 1 -> FEN field 1 (pieces): White has no king
4k3/8/8/8/8/8/8/K3K2K w - - 0 1 -> FEN field 1 (pieces): White has 3 kings
rnbqkbnr/pppppppp/8/8/8/QQ6/PPPPPPPP/RNBQKBNR w - - 0 1 -> FEN field 1 (pieces): there are 34 pieces, more than 32
4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1 -> FEN field 1 (pieces): Black has 9 pawns, more than 8
4k3/8/8/8/8/8/8/4K2p w - - 0 1 -> FEN field 1 (pieces): a pawn stands on h1
P3k3/8/8/8/8/8/8/4K3 w - - 0 1 -> FEN field 1 (pieces): a pawn stands on a8
4k3/8/8/8/8/8/8/4RK2 w - - 0 1 -> FEN field 2 (side to move): White is to move and could take the king on e8
4K3/4k3/8/8/8/8/8/8 b - - 0 1 -> FEN field 2 (side to move): Black is to move and could take the king on e8
4k3/8/8/8/8/8/8/4K3 white - - 0 1 -> FEN field 2 (side to move): 'white' is neither 'w' nor 'b'
4k3/8/8/8/8/8/8/4K3 abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq - - 0 1 -> FEN field 2 (side to move): 'abcdefghijklmnopqrstuvwxyzabcdefghijklmn…' is neither 'w' nor 'b'
4k3/8/8/8/8/8/8/4K2R w K- - 0 1 -> FEN field 3 (castling): '-' is neither K, Q, k, q nor a file
4k3/8/8/8/8/8/8/4K2R w KH - 0 1 -> FEN field 3 (castling): 'H' names a right that was named before
8/8/8/8/8/8/4K3/7R w H - 0 1 -> FEN field 1 (pieces): Black has no king
4k3/8/8/3pP3/8/8/8/4K3 w - d9 0 1 -> FEN field 4 (en passant): 'd9' is neither a square nor '-'
4k3/8/8/8/8/8/8/4K3 w - - -1 1 -> FEN field 5 (half moves): '-1' is not a number from 0 to 9999
4k3/8/8/8/8/8/8/4K3 w - - +1 1 -> FEN field 5 (half moves): '+1' is not a number from 0 to 9999
4k3/8/8/8/8/8/8/4K3 w - - 10000 1 -> FEN field 5 (half moves): '10000' is not a number from 0 to 9999
4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999999999 -> FEN field 6 (move number): '99999999999999999999' is not a number from 0 to 9999";

#[test]
fn bad_fens_say_what_is_wrong() {
    let empty = "".parse::<Position>().expect_err("there is nothing");
    assert_eq!(empty.to_string(), "FEN field 1 (pieces): it is missing");
    for line in FAULTS.lines() {
        let (fen, message) = line.split_once(" -> ").expect("a FEN and what is wrong with it");
        assert_eq!(fen.parse::<Position>().expect_err(fen).to_string(), message, "{fen}");
    }
}

/// Inputs, and how they are written back.
#[test]
fn dialects() {
    let dialects = [
        (START, START),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq", START),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", START),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0", START),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", START),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w qkQK - 0 0", START),
        ("  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR \t w  KQkq\t- 0   1 \r\n", START),
        // The square that a pawn passed is kept only where a capture there is legal.
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        ),
        ("8/8/8/8/k2Pp2Q/8/8/4K3 b - d3 0 1", "8/8/8/8/k2Pp2Q/8/8/4K3 b - - 0 1"),
        ("8/8/8/8/k2Pp3/8/8/4K3 b - d3 0 1", "8/8/8/8/k2Pp3/8/8/4K3 b - d3 0 1"),
        // In X-FEN the outermost rook needs no file, any other does.
        ("r1k1r2q/8/8/8/8/8/8/R1K1R2Q w KQkq - 0 1", "r1k1r2q/8/8/8/8/8/8/R1K1R2Q w KQkq - 0 1"),
        ("4k3/8/8/8/8/8/8/4KRR1 w G - 0 1", "4k3/8/8/8/8/8/8/4KRR1 w K - 0 1"),
        ("4k3/8/8/8/8/8/8/4KRR1 w F - 0 1", "4k3/8/8/8/8/8/8/4KRR1 w F - 0 1"),
        ("rr2k3/8/8/8/8/8/8/RR2K3 w Bb - 7 42", "rr2k3/8/8/8/8/8/8/RR2K3 w Bb - 7 42"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 9999 9999", "4k3/8/8/8/8/8/8/4K3 w - - 9999 9999"),
        // Rights without king and rook in place are dropped.
        ("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("4k3/8/8/8/8/8/8/4K2R w EGH - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("4k3/8/8/8/8/8/4K3/7R w KH - 0 1", "4k3/8/8/8/8/8/4K3/7R w - - 0 1"),
        // More pieces than pawns could have become.
        ("4k3/8/8/8/8/8/PPPPPPPP/QQQ1K3 w - - 0 1", "4k3/8/8/8/8/8/PPPPPPPP/QQQ1K3 w - - 0 1"),
    ];
    for (text, written) in dialects {
        let position: Position = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(position.fen(), written, "{text}");
    }
    let shredder = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1";
    assert_eq!(Position::start().shredder_fen(), shredder);
}

/// Impossible parts are dropped, as in other programs, and reported.
#[test]
fn what_cannot_be_is_left_out() {
    for text in [
        "4k3/8/8/3pP3/8/8/8/4K3 w - d5 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 1",
        "4k3/8/8/4p3/3Pp3/8/8/4K3 b - d6 0 1",
        "4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - e6 0 1",
        "4k3/8/8/3nP3/8/8/8/4K3 w - d6 0 1",
        "4k3/3r4/8/3pP3/8/8/8/4K3 w - d6 0 1",
    ] {
        let fen: Fen = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(fen.position.en_passant(), None, "{text}");
        let target = text.split(' ').nth(3).unwrap().parse().unwrap();
        assert_eq!(fen.left_out, [LeftOut::EnPassant(target)], "{text}");
    }
    // A pawn did pass, but no piece can capture it.
    let fen: Fen = "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1".parse().expect("a position");
    assert!(fen.left_out.is_empty() && fen.position.en_passant().is_none());
    let fen: Fen = "r3k3/8/8/8/8/8/8/4K2R w KQkq - 0 1".parse().expect("a position");
    assert_eq!(fen.left_out, [LeftOut::Rights("Qk".to_string())]);
}

/// A side may have more pieces than at the start, if the board has no more than 32.
#[test]
fn many_queens() {
    const FIFTEEN_QUEENS: &str = "1QQQ1Q1Q/Q7/6Q1/3Q4/Q4Q1Q/2Q4Q/K3k3/1Q4Q1 w - - 0 1";
    for fen in [
        FIFTEEN_QUEENS,
        "kr6/pp6/8/8/QQQQQQQQ/QQQQQQQQ/QQQQQQQ1/K7 w - - 0 1",
        "nnnnnnnn/nnnnnnnn/nnnnnnnn/nnnnn2k/8/8/8/K7 b - - 0 1",
    ] {
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(position.fen(), fen);
    }
    let position: Position = FIFTEEN_QUEENS.parse().expect("a position");
    assert_eq!(position.legal_moves().len(), 223);
}
