//! Rules, FEN and SAN compared with shakmaty, on positions of random games and on scattered ones. Written
//! text is read back.

use crate::common::{Start, random, random_game, scattered_positions, trials};
use ::shakmaty::fen::Fen;
use ::shakmaty::san::SanPlus;
use ::shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position as _, PositionError};
use engine::board::{Ending, Move, MoveKind, PieceType, Position};

/// Positions to compare for each kind of start.
const POSITIONS: usize = trials(300_000);

#[test]
fn standard_games() {
    compare_games(Start::Standard);
}

#[test]
fn double_chess960_games() {
    compare_games(Start::Chess960);
}

/// Counts of comparisons.
#[derive(Default, Debug)]
struct Count {
    games: usize,
    positions: usize,
    moves: usize,
    castling: usize,
    en_passant: usize,
    promotions: usize,
    checks: usize,
    checkmates: usize,
    stalemates: usize,
    insufficient: usize,
}

#[test]
fn scattered_pieces() {
    let mut count = Count::default();
    for position in scattered_positions(2).take(POSITIONS) {
        compare(&position, &read(&position), &mut count);
    }
    println!("scattered: {count:?}");
    assert!(count.insufficient.min(count.stalemates) > POSITIONS / 1000, "{count:?}");
}

fn compare_games(start: Start) {
    let mut random = random(start as u64);
    let mut count = Count::default();
    while count.positions < POSITIONS {
        let (first, moves) = random_game(start, &mut random);
        let mut theirs = read(&first);
        compare(&first, &theirs, &mut count);
        for (mv, position) in moves {
            let same = theirs.legal_moves().into_iter().find(|&m| plain_theirs(m) == plain(mv));
            theirs = theirs.play(same.expect("the move is legal")).expect("the move is legal");
            compare(&position, &theirs, &mut count);
        }
        count.games += 1;
    }
    println!("{start:?}: {count:?}");
}

/// The position as shakmaty reads its FEN. Unlike shakmaty, Zebu does not ask whether a check or the number
/// of pieces is possible.
fn read(position: &Position) -> Chess {
    let fen: Fen = position.fen().parse().expect("a FEN");
    Chess::from_setup(fen.into_setup(), CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .expect("a legal position")
}

fn compare(ours: &Position, theirs: &Chess, count: &mut Count) {
    let fen = ours.fen();
    assert_eq!(fen, Fen::from_position(theirs, EnPassantMode::Legal).to_string());
    assert_eq!(ours.in_check(), theirs.is_check(), "{fen}");
    assert_eq!(ours.is_insufficient(), theirs.is_insufficient_material(), "{fen}");
    match ours.ending() {
        Some(Ending::Checkmate { winner }) => {
            let same = theirs.outcome().winner().expect("a side wins");
            assert!(theirs.is_checkmate(), "{fen}");
            assert_eq!(same.is_white(), winner == engine::board::Color::White, "{fen}");
            count.checkmates += 1;
        }
        Some(Ending::Stalemate) => {
            assert!(theirs.is_stalemate(), "{fen}");
            count.stalemates += 1;
        }
        Some(Ending::InsufficientMaterial) => {
            assert!(theirs.is_insufficient_material(), "{fen}");
            count.insufficient += 1;
        }
        Some(other) => panic!("{fen}: {other:?} is not of a position alone"),
        None => assert!(!theirs.is_game_over(), "{fen}"),
    }

    assert!(ours.shredder_fen().parse() == Ok(*ours), "{fen}");
    let (our_moves, their_moves) = (ours.legal_moves(), theirs.legal_moves());
    for &mv in &our_moves {
        assert_eq!(ours.parse_san(&ours.san(mv)), Ok(mv), "{fen}");
        assert_eq!(ours.parse_uci(&ours.uci(mv, true)), Ok(mv), "{fen}");
    }
    let mut our_sans: Vec<(PlainMove, String)> =
        our_moves.iter().map(|&mv| (plain(mv), ours.san(mv))).collect();
    let mut their_sans: Vec<(PlainMove, String)> = their_moves
        .into_iter()
        .map(|m| (plain_theirs(m), SanPlus::from_move(theirs.clone(), m).to_string()))
        .collect();
    our_sans.sort();
    their_sans.sort();
    assert_eq!(our_sans, their_sans, "{fen}");

    let of_kind = |wanted: fn(&&Move) -> bool| our_moves.iter().filter(wanted).count();
    count.positions += 1;
    count.moves += our_moves.len();
    count.castling += of_kind(|mv| mv.is_castling());
    count.en_passant += of_kind(|mv| mv.is_en_passant());
    count.promotions += of_kind(|mv| mv.promoted().is_some());
    count.checks += ours.in_check() as usize;
}

/// A move in common terms: its piece, and the indices of its squares; castling goes from the king to its
/// rook.
type PlainMove = (char, u32, u32);

fn plain(mv: Move) -> PlainMove {
    let what = match mv.kind().expect("a legal move is of some kind") {
        MoveKind::Normal => '-',
        MoveKind::Castling => 'c',
        MoveKind::EnPassant => 'e',
        MoveKind::Promotion(kind) => kind.letter(),
    };
    (what, mv.from().index().into(), mv.to().index().into())
}

fn plain_theirs(m: ::shakmaty::Move) -> PlainMove {
    let what = match m {
        ::shakmaty::Move::Castle { .. } => 'c',
        ::shakmaty::Move::EnPassant { .. } => 'e',
        _ => m.promotion().map_or('-', |role| {
            PieceType::from_letter(role.char()).expect("the same kinds of pieces").letter()
        }),
    };
    (what, m.from().expect("nothing is dropped").into(), m.to().into())
}
