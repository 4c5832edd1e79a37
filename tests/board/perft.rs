//! Perft counts compared with published ones.

use std::fs;

use engine::board::{Position, START, perft};

use crate::data::data;

/// Larger trees are left to optimised builds.
const MOST_NODES: u64 = if cfg!(debug_assertions) { 100_000 } else { 1 << 40 };

fn check(fen: &str, depth: u32, nodes: u64) {
    let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    if nodes <= MOST_NODES {
        assert_eq!(perft(&position, depth), nodes, "{fen} at depth {depth}");
    }
}

/// The standard positions of https://www.chessprogramming.org/Perft_Results.
#[test]
fn standard_positions() {
    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    const POSITION_4: &str = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
    const POSITION_6: &str =
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
    for (fen, depth, nodes) in [
        (START, 6, 119_060_324),
        (KIWIPETE, 5, 193_690_690),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 178_633_661),
        (POSITION_4, 5, 15_833_292),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5, 89_941_194),
        (POSITION_6, 5, 164_075_551),
    ] {
        check(fen, depth, nodes);
    }
}

/// Small trees in which a single rule decides, so that a wrong count identifies it.
#[test]
fn rules_one_by_one() {
    let rules = [
        (
            "en passant uncovers a check on a rank",
            "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1",
            6,
            1_134_888,
        ),
        (
            "en passant uncovers a check on a diagonal",
            "8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1",
            6,
            824_064,
        ),
        ("en passant gives check", "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1_440_467),
        ("castling short gives check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661_072),
        ("castling long gives check", "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, 803_711),
        (
            "a rook's capture ends a right",
            "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1",
            4,
            1_274_206,
        ),
        ("castling through attacks", "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1_720_476),
        ("promotion out of check", "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, 3_821_001),
        ("discovered check", "8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1_004_658),
        ("promotion gives check", "4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217_342),
        ("underpromotion gives check", "8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, 92_683),
        ("stalemate", "K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2_217),
        ("stalemate and promotion", "8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567_584),
        ("a rook pinned by one beyond it", "4k3/8/8/8/8/8/8/qRK5 w B - 0 1", 5, 256_258),
        ("a rook pinned by one at the edge", "4k3/8/8/8/8/8/8/5KRr w G - 0 1", 5, 199_438),
        ("king and rook change places", "4k3/8/8/8/8/8/8/5KR1 w G - 0 1", 5, 105_989),
        (
            "castling in Chess960",
            "1rk4r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/1R1K2R1 w GBhb - 0 1",
            4,
            3_941_891,
        ),
        (
            "as many moves as there can be",
            "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
            3,
            19_073,
        ),
        (
            "captures, promotions and pins everywhere",
            "r1n1n1b1/1P1P1P1P/1N1N1N2/2RnQrRq/2pKp3/3BNQbQ/k7/4Bb2 w - - 0 1",
            3,
            713_485,
        ),
        ("double check", "8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, 23_527),
    ];
    for (rule, fen, depth, nodes) in rules {
        println!("{rule}");
        check(fen, depth, nodes);
    }
}

#[test]
fn tricky_positions() {
    check_file("perft/tricky.perft");
}

#[test]
fn chess960_positions() {
    check_file("perft/chess960.perft");
}

/// Checks every entry of a file of `epd POSITION` and `perft DEPTH NODES` lines.
fn check_file(name: &str) {
    let Some(file) = data(name) else { return };
    let text = fs::read_to_string(file).expect("a file of counts");
    let (mut entries, mut counts) = (0, 0);
    let mut fen = "";
    for line in text.lines() {
        if let Some(position) = line.strip_prefix("epd ") {
            fen = position;
            entries += 1;
        } else if let Some(count) = line.strip_prefix("perft ") {
            let (depth, nodes) = count.split_once(' ').expect("a depth and a count");
            let number = |text: &str| text.trim().parse::<u64>().expect("a number");
            check(fen, number(depth) as u32, number(nodes));
            counts += 1;
        }
    }
    println!("{name}: {counts} counts of {entries} positions agree");
}
