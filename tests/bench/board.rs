//! How fast the board is: `cargo bench --bench board`.
//!
//! Each benchmark goes once through all positions (or through all their moves, or squares), and
//! each of these is an item: items per second are what is to be compared.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use zebu::board::{Color, Move, MoveList, Position, Square, Stage};

fn main() {
    divan::main();
}

/// Openings, middle games, endings; quiet and sharp, in check, with promotions, en passant, and
/// castling, Chess960 among them.
const POSITIONS: [&str; 32] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkb1r/pp2pp1p/3p1np1/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbqk2r/ppp1bppp/4pn2/3p4/2PP4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 4 5",
    "r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 3 9",
    "r1bqk2r/2ppbppp/p1n2n2/1p2p3/4P3/1B3N2/PPPP1PPP/RNBQR1K1 b kq - 1 7",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 1 6",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "2rq1rk1/pb1nbppp/1p2pn2/3p4/2PP4/1P1B1N2/PB1NQPPP/2R2RK1 w - - 4 13",
    "r1b2rk1/2q1bppp/p2p1n2/npp1p3/3PP3/2P2N1P/PPBN1PP1/R1BQR1K1 b - - 2 12",
    "r2qr1k1/1b1nbppp/p2p1n2/1pp1p1B1/P2PP3/2P2N1P/1PBN1PP1/R2QR1K1 w - - 0 15",
    "3r1rk1/p3qppp/2bb4/2p5/3p4/1P2P3/PBQN1PPP/2R2RK1 w - - 0 20",
    "2r2rk1/1p3ppp/p2qpn2/3p4/1P1P4/P2QPN2/5PPP/2RR2K1 b - - 0 21",
    "r3r1k1/pp3pbp/1qp3p1/2B5/2BP2b1/Q1n2N2/P4PPP/3R1K1R b - - 2 17",
    "5rk1/1p4pp/2R1p3/p5Q1/P4P2/6qr/2n3PP/5RK1 w - - 0 2",
    "r1bk3r/pppq1ppp/5n2/4N1N1/2Bp4/Bn6/P4PPP/4R1K1 w - - 0 17",
    "4k2r/1R3R2/p3p1pp/4b3/1BnNr3/8/P1P5/5K2 w k - 0 30",
    "6k1/1b2bp2/1p3np1/p2q2Np/3P1p1P/1P1Q2P1/1B3P2/6K1 w - - 0 28",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "8/6pk/1p6/8/PP3p1p/5P2/4KP1q/3Q4 w - - 0 1",
    "3r4/p1p2p1k/1p2pP1p/3bP2P/2p1rN2/P1P5/1P3RK1/5R2 b - - 5 34",
    "8/1r2kp2/4p1p1/3pP2p/1p1R1P1P/1P1K2P1/8/8 b - - 3 41",
    "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 99 50",
    "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1",
    "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "rbbqn1kr/pp2p1pp/6n1/2pp1p2/2P4P/P7/BP1PPPP1/R1BQNNKR w HAha - 0 9",
    "qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9",
];

fn positions() -> Vec<Position> {
    POSITIONS.iter().map(|fen| fen.parse().expect("a FEN")).collect()
}

/// All legal moves of all positions.
fn moves() -> Vec<(Position, Move)> {
    let with_moves =
        |position: Position| position.legal_moves().into_iter().map(move |mv| (position, mv));
    positions().into_iter().flat_map(with_moves).collect()
}

/// Measures `work` on each item.
fn each<T, R>(bencher: Bencher, items: Vec<T>, work: impl Fn(&T) -> R) {
    bencher.counter(ItemsCount::new(items.len())).bench_local(|| {
        for item in &items {
            black_box(work(black_box(item)));
        }
    });
}

fn generate(bencher: Bencher, stage: Stage) {
    each(bencher, positions(), |position| {
        let mut list = MoveList::new();
        position.generate(stage, &mut list);
        list.len()
    });
}

#[divan::bench]
fn generate_all(bencher: Bencher) {
    generate(bencher, Stage::All);
}

#[divan::bench]
fn generate_noisy(bencher: Bencher) {
    generate(bencher, Stage::Noisy);
}

#[divan::bench]
fn generate_quiet(bencher: Bencher) {
    generate(bencher, Stage::Quiet);
}

#[divan::bench]
fn after(bencher: Bencher) {
    each(bencher, moves(), |(position, mv)| position.after(*mv));
}

/// Moves that are legal in their own positions, as a hash table gives them.
#[divan::bench]
fn is_legal(bencher: Bencher) {
    each(bencher, moves(), |(position, mv)| position.is_legal(*mv));
}

/// The same moves in positions to which they do not belong.
#[divan::bench]
fn is_legal_elsewhere(bencher: Bencher) {
    let (positions, mut moves): (Vec<Position>, Vec<Move>) = moves().into_iter().unzip();
    let middle = moves.len() / 2;
    moves.rotate_left(middle);
    let pairs = positions.into_iter().zip(moves).collect();
    each(bencher, pairs, |(position, mv)| position.is_legal(*mv));
}

#[divan::bench]
fn checkers(bencher: Bencher) {
    each(bencher, positions(), Position::checkers);
}

#[divan::bench]
fn pinned(bencher: Bencher) {
    each(bencher, positions(), |position| position.pinned(position.side()));
}

/// Every square of every position.
#[divan::bench]
fn is_attacked(bencher: Bencher) {
    let with_squares = |position: Position| Square::all().map(move |square| (position, square));
    let squares = positions().into_iter().flat_map(with_squares).collect();
    each(bencher, squares, |(position, square)| position.is_attacked(*square, Color::White));
}

/// The attack map of the side that is not to move.
#[divan::bench]
fn attacks(bencher: Bencher) {
    each(bencher, positions(), |position| position.attacks(!position.side()));
}

#[divan::bench]
fn gives_check(bencher: Bencher) {
    each(bencher, moves(), |(position, mv)| position.gives_check(*mv));
}

/// Every capture and promotion, at the threshold that asks whether it loses material.
#[divan::bench]
fn see_of_noisy_moves(bencher: Bencher) {
    let noisy = moves().into_iter().filter(|(position, mv)| position.is_noisy(*mv)).collect();
    each(bencher, noisy, |(position, mv)| position.see_ge(*mv, 0));
}

#[divan::bench]
fn see_of_quiet_moves(bencher: Bencher) {
    let quiet = moves().into_iter().filter(|(position, mv)| !position.is_noisy(*mv)).collect();
    each(bencher, quiet, |(position, mv)| position.see_ge(*mv, 0));
}
