//! Sentences that were wrong once, or said nothing, and 300 that were judged.

use std::collections::BTreeMap;
use std::fs;

use engine::board::{Color, Fen, Move, Position};
use zebu::analysis::{PositionAnalysis, WhiteScore, move_note};

use crate::{analyse, folder};

/// A position, a move in it, and what its sentence says and does not say.
const SENTENCES: [(&str, &str, &str, &str); 13] = [
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
    // The queens are exchanged: the knight does not win one.
    (
        "r2qr1k1/5ppp/2pbpn2/1p4B1/p5Q1/2PP3P/PP3PP1/R2B1RK1 b - - 5 18",
        "18... Be7",
        "winning the exchange",
        "taking the queen",
    ),
    // The pawn on d3 is lost after the best move too.
    (
        "4r1k1/4bp1p/2p1pnp1/1p6/p2r4/3P3P/PP1B1PP1/2RB1RK1 w - - 0 26",
        "26. f3",
        "misses 26. Rxc6",
        "leaves the pawn on d3",
    ),
    // What the move allows is the reason, not that another one develops a piece.
    (
        "r1bqkb1r/ppp2ppp/2n1pn2/3p4/3P4/3QB3/PPPNPPPP/R3KBNR w KQkq - 0 5",
        "5. O-O-O",
        "lets 5... Nb4 attack the queen",
        "developing",
    ),
    // Both take the pawn.
    (
        "rnbqk1nr/pp1p2bp/2p1pPp1/8/3P4/2N2N2/PPP2PPP/R1BQKB1R b KQkq - 0 6",
        "6... Bxf6",
        "takes with the wrong piece",
        "developing",
    ),
    // A rook that is taken back is not sacrificed.
    ("3rr3/2p2k2/pbR1pp1p/8/3NP3/6PB/1P3P1P/3R2K1 w - - 1 26", "26. Bxe6+", "", "sacrifice"),
];

/// Judgements of sentences: true, with a wrong reason, false, or saying nothing.
const VERDICTS: [&str; 4] = ["true", "wrong", "false", "nothing"];

/// The sentences of real games, each judged beside the board. The file says how, and what its columns are.
#[test]
fn sentences_were_judged() {
    let rows: Vec<Vec<&str>> = include_str!("sentences.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
        .collect();
    let (mut counts, mut changed) = (BTreeMap::new(), Vec::new());
    for row in &rows {
        let [game, ply, fen, mv, was, best, is, answer, _, verdict, sentence] = row[..] else {
            panic!("{row:?}: it has no eleven columns")
        };
        let position = fen.parse::<Fen>().expect(fen).position;
        let played = line(&position, mv)[0];
        let before = found(&position, was, best);
        let after = found(&position.after(played), is, answer);
        let note = move_note(&position, played, &before, &after);
        let said = note.text().unwrap_or_default();
        if said != sentence {
            changed.push(format!("{game}, {ply}: {sentence}\n  now {said}"));
        }
        assert!(VERDICTS.contains(&verdict), "{game}, {ply}: {verdict}");
        *counts.entry(verdict).or_insert(0) += 1;
    }
    let count = |verdict| counts.get(verdict).copied().unwrap_or(0);
    assert_eq!(rows.len(), 300);
    // Two moves of one game that only a search of millions of nodes sees otherwise.
    assert!(count("false") <= 2);
    assert!(count("wrong") * 100 <= 3 * rows.len() && count("nothing") * 10 <= rows.len());
    assert!(changed.is_empty(), "to be judged again:\n{}", changed.join("\n"));
}

fn found(position: &Position, score: &str, moves: &str) -> PositionAnalysis {
    let number = |text: &str| text.parse::<i32>().expect("a number");
    let white_score = match (score, score.strip_prefix('#')) {
        ("1-0", _) => WhiteScore::Won(Color::White),
        ("0-1", _) => WhiteScore::Won(Color::Black),
        (_, Some(moves)) => WhiteScore::Mate(number(moves)),
        _ => WhiteScore::Centipawns(number(score)),
    };
    let pv = line(position, moves);
    PositionAnalysis { white_score, depth: 1, pv, others: Vec::new(), good_moves: Vec::new() }
}

/// A line of moves in UCI's notation.
fn line(start: &Position, moves: &str) -> Vec<Move> {
    let mut position = *start;
    let moves = moves.split_whitespace().map(|word| {
        let mv = position.parse_uci(word).expect("a legal move");
        position = position.after(mv);
        mv
    });
    moves.collect()
}

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

/// Fischer leaves his queen and a knight to be taken: the queen is the point.
#[test]
fn what_is_offered_is_praised() {
    let folder = folder("offered");
    let input = folder.join("games.pgn");
    let games =
        "[FEN \"r3r1k1/pp3pbp/1qp3p1/2B5/2BP2b1/Q1n2N2/P4PPP/3R1K1R b - - 3 17\"]\n\n17... Be6 *\n";
    fs::write(&input, games).expect("a file");
    assert!(analyse(&["--nodes", "200000", "--threads", "1"], &input).status.success());
    let written = fs::read_to_string(folder.join("games.analysed.pgn")).expect("its games");
    assert!(written.replace('\n', " ").contains("offers the queen"), "{written}");
}
