//! Short scripts, each with what must be answered.

use crate::driver::answers;

/// What is sent, and a piece of a line that must be among the answers; with `!` before it, one
/// that must not.
type Exchange = (&'static [&'static str], &'static [&'static str]);

const MATE_IN_ONE: &str = "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";

#[test]
fn introductions() {
    check(&[
        (&["uci"], &["id name Zebu", "id author", "option name Clear Hash type button", "uciok"]),
        (&["ucinewgame"], &["!error"]),
        (&["register later"], &["!error"]),
        (&["debug on", "debug off"], &["!error"]),
        (&["stop", "ponderhit"], &["!bestmove", "!error"]),
        (&["", "   \t  "], &["!error"]),
        (&["  UCI  "], &["uciok"]),
    ]);
}

/// Lines that vampirc-uci would panic over or read wrongly, and what is like them.
#[test]
fn what_the_parser_cannot_bear() {
    check(&[
        (&[MATE_IN_ONE, "go depth 300 mate 1"], &["bestmove a1a8"]),
        (&[MATE_IN_ONE, "go depth 99999999999999999999 mate 1"], &["bestmove a1a8"]),
        (&["go wtime 300 btime 300 movestogo 300"], &["bestmove"]),
        (&["go wtime 300 btime 300 movestogo 0"], &["bestmove"]),
        (&["go movetime 99999999999999999999 nodes 100"], &["bestmove"]),
        (&["go nodes 1234567890123456 depth 2"], &["bestmove"]),
        (&["go depth -1"], &["error: depth takes a number of at least 1, not '-1'", "bestmove"]),
        (&["go depth"], &["error: 'depth' is incomplete", "bestmove 0000", "!info depth"]),
        (&["go depth soon"], &["error: depth takes a number, not 'soon'", "bestmove 0000"]),
        (&["go depth nodes 9"], &["error: depth takes a number, not 'nodes'", "!0000", "bestmove"]),
        (&["go depth 0"], &["error: depth takes a number of at least 1, not '0'", "bestmove"]),
        (&["go nodes -5"], &["error: nodes takes a number of at least 1, not '-5'", "bestmove"]),
        (&["go mate 300 depth 2"], &["bestmove"]),
        (&["position fen 8/8/8/8/8/4k3/4p3/4K3 w - -", "d"], &["4k3/4p3/4K3 w - - 0 1"]),
        (
            &["position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "d"],
            &["R3K2R w KQkq - 0 1", "!error"],
        ),
        (
            &["position startpos moves e2e4 0000"],
            &["error: move 2 of the list, '0000': it is the null move"],
        ),
        (&["go wtime 100000 btime 100000 movetime 30"], &["bestmove"]),
        (&["go movetime 60000 wtime 300 btime 300"], &["bestmove"]),
        (&["d"], &["Fen: rnbqkbnr", "Key: ", "Checkers:", "| r | n | b | q | k | b | n | r | 8"]),
        (&["eval"], &["info string", "centipawns for White"]),
        (&["eval"], &["|   r   |   n   |", " to 32 pieces:", "counts here"]),
    ]);
}

/// What a FEN says is tried in `tests/board/fen.rs`.
#[test]
fn positions() {
    const PAWN: &str = "position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves";
    for (mv, wanted) in [
        ("a7a8N", "N3k3/8"),
        (
            "a7a8",
            "error: move 1 of the list, 'a7a8': it needs the piece that the pawn becomes: q, r, b or n",
        ),
        ("a7a8k", "error: move 1 of the list, 'a7a8k': it is not written like a move"),
    ] {
        let told = answers(&[&format!("{PAWN} {mv}"), "d"]);
        assert!(told.iter().any(|line| line.contains(wanted)), "{mv}: {told:?}");
    }
    check(&[
        (&["position startpos moves", "d"], &["RNBQKBNR w KQkq - 0 1", "!error"]),
        (
            &["POSITION\tstartpos  MOVES \t e2e4", "GO DEPTH 1", "d"],
            &["bestmove", "4P3/8/PPPP1PPP"],
        ),
        (&["position startpos moves g1f3 g8f6 f3g1 f6g8", "d"], &["w KQkq - 4 3"]),
        (&["position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1", "d"], &["R4RK1 b kq"]),
        (&["position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1h1", "d"], &["R4RK1 b kq"]),
        (&["position startpos moves e2e4 a7a6 e4e5 d7d5 e5d6", "d"], &["p2P4", "b KQkq"]),
        (
            &["position startpos moves e2e4", "position startpos moves e2e5", "d"],
            &["error: move 1 of the list, 'e2e5': it is not legal here", "4P3/8/PPPP1PPP"],
        ),
        (&["position"], &["error: 'position' is incomplete"]),
        (&["position fen"], &["error: FEN field 1"]),
        (&["position start"], &["error: 'start' is not what position takes"]),
        (&["position startpos move e2e4"], &["error: 'move' is not what startpos takes"]),
        (
            &["position fen 8/8/8/8/8/4k3/4p3/4K3 w K e6 0 1", "go depth 1"],
            &[
                "castling rights K are left out: king or rook is elsewhere",
                "en passant e6 is left out: no pawn just passed it",
                "bestmove",
            ],
        ),
    ]);
}

#[test]
fn searches() {
    check(&[
        (
            &["go depth 1"],
            &[
                "info depth 1 seldepth",
                " multipv 1 score cp ",
                " nps ",
                " hashfull 0 tbhits 0 time ",
                " pv ",
                "bestmove",
            ],
        ),
        (&["go movetime 0"], &["bestmove"]),
        (&["go wtime 0 btime 0"], &["bestmove"]),
        (&["go wtime -500 btime -500"], &["bestmove"]),
        (&["go winc 100"], &["error: go has an increment or moves but no clock", "bestmove"]),
        (&["go movestogo 5 depth 2"], &["!error", "bestmove"]),
        (
            &["position startpos moves e2e4", "go wtime 100 winc 5"],
            &[
                "error: go has no clock for Black, who is to move: the opponent's is taken",
                "bestmove",
            ],
        ),
        (&["go wtime 200 btime 1 winc 10 binc 10 movestogo 1"], &["bestmove"]),
        (&[MATE_IN_ONE, "go mate 1"], &["score mate 1 ", "bestmove a1a8"]),
        (&["go searchmoves a2a3 h2h3 depth 2"], &["!pv e2e4", "!pv d2d4", "bestmove"]),
        (&["go searchmoves a2a3 depth 2 searchmoves"], &["bestmove a2a3"]),
        (
            &["go searchmoves e2e5 a2a3 e1e2 depth 2"],
            &["error: searchmoves 'e2e5'", "!'e1e2'", "bestmove a2a3"],
        ),
        (
            &["go hello depth 2 world"],
            &["error: 'hello' is not what go takes", "!'world'", "bestmove", "!info depth 3 "],
        ),
        (&["go searchmoves a2a3 hello depth 2"], &["error: 'hello'", "bestmove a2a3"]),
        (&["go movetime -5"], &["error: movetime takes a number of at least 0", "bestmove"]),
        (&["go wtime -5 btime -5 winc -1 binc -1 movestogo -1"], &["bestmove", "!error"]),
        (&["go depth"], &["error: 'depth' is incomplete", "bestmove"]),
        (&["go depth nodes 500"], &["error: depth takes a number, not 'nodes'", "bestmove"]),
        (&["go depth 2 movetime"], &["error: 'movetime' is incomplete", "!info depth 3 "]),
        (&["go wtime 12a btime 5"], &["error: wtime takes a number, not '12a'", "bestmove"]),
        (&["go nodes 1e6"], &["error: nodes takes a number, not '1e6'", "bestmove"]),
        (&["go perft"], &["error: 'perft' is incomplete"]),
        (&["go perft 0"], &["error: perft takes a number of at least 1"]),
        (
            &["position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go depth 5"],
            &["info depth 0", "score cp 0", "bestmove (none)"],
        ),
        (
            &["position fen R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "go depth 5"],
            &["info depth 0", "score mate 0", "bestmove (none)"],
        ),
    ]);
}

/// A GUI that sent a position that is refused must not get a move for another one.
#[test]
fn no_search_after_a_refused_position() {
    const REFUSED: &str = "position fen 8/8/8/8/8/8/8/8 w - - 0 1";
    const ILLEGAL: &str = "position startpos moves e2e4 e2e4";
    const REFUSAL: &str = "error: the last position was refused";
    check(&[
        (&[REFUSED, "go depth 2"], &[REFUSAL, "bestmove 0000", "!info depth"]),
        (&[ILLEGAL, "go depth 2", "go ponder"], &[REFUSAL, "bestmove 0000", "!info depth"]),
        (&["position", "go depth 2"], &[REFUSAL, "bestmove 0000"]),
        (&[REFUSED, "position startpos", "go depth 2"], &["bestmove", "!0000"]),
        (&[MATE_IN_ONE, REFUSED, "ucinewgame", "go depth 2"], &["bestmove", "!0000", "!mate"]),
        (&[MATE_IN_ONE, "ucinewgame", "go depth 2"], &["bestmove a1a8"]),
        (&[MATE_IN_ONE, REFUSED, "d"], &["Fen: 6k1/5ppp"]),
    ]);
}

#[test]
fn errors_and_unknown_words() {
    check(&[
        (&["hello"], &["error: unknown command 'hello'"]),
        (&["help"], &["error: this is UCI; zebu --help tells"]),
        (&["hello world uci"], &["uciok", "!error"]),
        (&["joho debug on"], &["!error"]),
        (&["xsetoption foo setoption name Hash value 5"], &["!error"]),
        (&["xsetoption name Hash value 0"], &["error: unknown command 'xsetoption'"]),
        (&["debug"], &["error: 'debug' is incomplete"]),
        (&["debug maybe"], &["error: 'maybe' is not what debug takes"]),
        (&["setoption"], &["error: 'setoption' is incomplete"]),
        (
            &["setoption Hash value 3"],
            &[
                "error: 'Hash' is not what setoption takes: did you mean 'setoption name Hash value 3'?",
            ],
        ),
        (&["setoption name uci_elo 1200"], &["did you mean 'setoption name UCI_Elo value 1200'?"]),
        (&["setoption move overhead 5"], &["did you mean 'setoption name Move Overhead value 5'?"]),
        (&["setoption to 5"], &["error: 'to' is not what setoption takes"]),
        (&["setoption name Nonsense value 3"], &["error: no option is called 'Nonsense'"]),
        (&["setoption name Hash"], &["error: option Hash needs a value"]),
        (&["setoption name Hash value 0"], &["error: option Hash takes a number from 1 to"]),
        (&["setoption name Hash value many"], &["error: option Hash takes a number", "not 'many'"]),
        (
            &["setoption name Ponder value maybe"],
            &["error: option Ponder takes true or false, not 'maybe'"],
        ),
        (&["setoption name Clear Hash value 1"], &["error: option Clear Hash takes no value"]),
        (&["setoption name  Move   Overhead  value 20"], &["!error"]),
        (&["SETOPTION NAME HASH VALUE 2"], &["!error"]),
        (&["setoption name UCI_ShowWDL value TRUE"], &["!error"]),
        (&["bench x"], &["error: depth takes a number, not 'x'"]),
        (&["e4"], &["error: unknown command 'e4'"]),
    ]);
}

fn check(exchanges: &[Exchange]) {
    for (lines, expected) in exchanges {
        let answers = answers(lines);
        for wanted in *expected {
            let (wanted, want) = match wanted.strip_prefix('!') {
                Some(unwanted) => (unwanted, false),
                None => (*wanted, true),
            };
            let found = answers.iter().any(|answer| answer.contains(wanted));
            assert_eq!(found, want, "'{wanted}' after {lines:?}:\n{}", answers.join("\n"));
        }
    }
}
