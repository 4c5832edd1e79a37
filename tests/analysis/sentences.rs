//! Sentences that were wrong once, or said nothing.

use std::fs;

use crate::{analyse, folder};

/// A position, a move in it, and what its sentence says and does not say.
const SENTENCES: [(&str, &str, &str, &str); 8] = [
    // The line ends in mate, the score promises none.
    ("1rb4k/p1q1b2p/1p2pn2/3p1pQ1/2p5/1PN1P2P/PBPPNP2/2KR4 w - - 2 20", "20. Nb5", "", "mate in"),
    // Both moves take the knight.
    (
        "r1br2k1/1ppnqp2/3p1npb/p3N3/P1BPPP1p/RPP2R2/1B1N2PP/3Q2K1 b - - 2 14",
        "14... Nxe5",
        "",
        "misses",
    ),
    // The replies of the missed line are not forced.
    (
        "r2qr1k1/ppp2npp/1n2b3/3p1p2/Pb3P2/1PNPPN2/2PQB2P/B1K1R1R1 b - - 4 18",
        "18... Rb8",
        "",
        "misses a rook",
    ),
    // A pin that wins nothing.
    ("r1br2k1/1pp1qp2/5npb/p3p3/P1BPP2p/RPP5/1B1N2PP/3Q1RK1 b - - 1 16", "16... Rb8", "", "pin"),
    (
        "rn2kbnr/2pb1ppp/p3q3/8/NPppQ3/P1P5/3PPPPP/R1B1KB1R w KQkq - 0 11",
        "11. Qh4",
        "rook",
        "piece",
    ),
    // A perpetual check is the point of the capture.
    (
        "r2k1n2/1pp2p2/p7/3p2pQ/8/1P1nP3/P1qN1P2/R1B2K2 w - - 0 20",
        "20. Kg1",
        "misses the draw: 20. Qxf7",
        "takes the undefended",
    ),
    (
        "rnbqkb1r/pppp1ppp/5n2/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 4 3",
        "3... Ng8",
        "allows mate in 1",
        "makes",
    ),
    // What a quiet reply does is no reason why the move was bad.
    (
        "rnbqkb1r/pppp1ppp/5n2/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 4 3",
        "3... Na6",
        "",
        "develop the",
    ),
];

#[test]
fn sentences_are_true_and_say_something() {
    let folder = folder("sentences");
    let input = folder.join("games.pgn");
    let games = SENTENCES.iter().map(|(fen, mv, _, _)| format!("[FEN \"{fen}\"]\n\n{mv} *\n\n"));
    fs::write(&input, games.collect::<String>()).expect("a file");
    assert!(analyse(&["--nodes", "40000", "--threads", "1"], &input).status.success());
    let written = fs::read_to_string(folder.join("games.analysed.pgn")).expect("its games");
    let games: Vec<_> = written.split("[Event ").skip(1).collect();
    assert_eq!(games.len(), SENTENCES.len(), "{written}");
    for ((fen, mv, wanted, unwanted), game) in SENTENCES.iter().zip(games) {
        let said = game.replace('\n', " ");
        let said = said.split(mv).nth(1).and_then(|it| it.split('}').next()).unwrap_or_default();
        assert!(said.contains(wanted) && !said.contains(unwanted), "{fen}, {mv}: {said}");
    }
}

/// Fischer leaves his queen and a knight to be taken.
#[test]
fn what_is_offered_is_praised() {
    let folder = folder("offered");
    let input = folder.join("games.pgn");
    let games =
        "[FEN \"r3r1k1/pp3pbp/1qp3p1/2B5/2BP2b1/Q1n2N2/P4PPP/3R1K1R b - - 3 17\"]\n\n17... Be6 *\n";
    fs::write(&input, games).expect("a file");
    assert!(analyse(&["--nodes", "200000", "--threads", "1"], &input).status.success());
    let written = fs::read_to_string(folder.join("games.analysed.pgn")).expect("its games");
    assert!(written.replace('\n', " ").contains("offers the "), "{written}");
}
