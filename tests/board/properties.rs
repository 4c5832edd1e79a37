//! Invariants of all positions, moves and keys.

use std::collections::HashSet;

use crate::common::{Start, random, random_game, trials, varied_positions};
use engine::board::{
    CastlingSide, Color, Move, MoveList, Piece, PieceType, Position, SanError, Setup, Square,
    Stage, UciMoveError, zobrist,
};
use rand::RngExt;
use rand::seq::SliceRandom;

/// After every move of long games, and after null moves, each key is that of the whole position.
#[test]
fn keys_stay_true() {
    let mut random = random(51);
    let (mut plies, mut games, mut likely) = (0, 0, 0);
    while plies < trials(300_000) {
        let (mut position, moves) = random_game(Start::BOTH[games % 2], &mut random);
        games += 1;
        assert!(keys_are_true(&position), "{position:?}");
        for (mv, _) in moves {
            if !position.in_check() {
                let passed = position.after_null();
                assert!(keys_are_true(&passed), "{position:?} passed");
                assert_eq!(passed.side(), !position.side());
            }
            let next = position.after(mv);
            assert!(keys_are_true(&next), "{position:?} {mv:?}");
            likely += usize::from(position.likely_key_after(mv) == next.key());
            position = next;
            plies += 1;
        }
    }
    for position in varied_positions(52).take(trials(50_000)) {
        for &mv in &position.legal_moves() {
            assert!(keys_are_true(&position.after(mv)), "{position:?} {mv:?}");
        }
    }
    assert!(likely > plies * 4 / 5, "{likely} of {plies}");
    println!("the keys are true after {plies} plies of {games} games");
}

/// Whether each key is the xor of the numbers of all facts about the position.
fn keys_are_true(position: &Position) -> bool {
    let (mut key, mut pawns, mut minors, mut others) = (0, 0, 0, [0; 2]);
    for (square, piece) in position.pieces() {
        let number = zobrist::piece(piece, square);
        key ^= number;
        if piece.is(PieceType::Pawn) {
            pawns ^= number;
        } else {
            others[piece.color().index()] ^= number;
        }
        if piece.is(PieceType::Knight) || piece.is(PieceType::Bishop) {
            minors ^= number;
        }
    }
    if position.side() == Color::Black {
        key ^= zobrist::black_to_move();
    }
    if let Some(target) = position.en_passant() {
        key ^= zobrist::en_passant(target.file());
    }
    for color in Color::BOTH {
        for side in CastlingSide::BOTH {
            if let Some(rook) = position.castling_rook(color, side) {
                key ^= zobrist::castling(color, rook.file());
            }
        }
    }
    let kept = Color::BOTH.map(|color| position.non_pawn_key(color));
    (position.key(), position.pawn_key(), position.minor_key(), kept)
        == (key, pawns, minors, others)
}

/// One of two pawns that might capture en passant is pinned, on a file or a diagonal. Random games do not
/// contain such positions.
const ONE_MAY_PASS: [&str; 3] = [
    "4k3/8/8/8/2pPp3/8/8/4R1K1 b - d3 0 1",
    "8/1k6/8/8/2pPp3/8/6B1/6K1 b - d3 0 1",
    "6k1/q7/8/2PpP3/8/4K3/8/8 w - d6 0 1",
];

/// `is_legal` agrees with the list of legal moves on all 65,536 moves.
#[test]
fn is_legal_of_any_16_bits() {
    let (mut checks, mut en_passant, mut castling, mut promotions) = (0, 0, 0, 0);
    // Positions far apart in the games, and as many scattered ones.
    let positions = varied_positions(53).step_by(7).take(trials(4_000));
    let positions = positions.chain(ONE_MAY_PASS.map(|fen| fen.parse().expect("a position")));
    for position in positions {
        let mut moves = MoveList::new();
        position.generate(Stage::All, &mut moves);
        let listed: HashSet<Move> = moves.iter().copied().collect();
        assert_eq!(listed.len(), moves.len(), "{position:?}: a move came twice");
        for mv in (0..=u16::MAX).map(Move::from_bits) {
            let expected = listed.contains(&mv);
            assert_eq!(position.is_legal(mv), expected, "{position:?} {mv:?}");
        }
        checks += position.in_check() as usize;
        en_passant += position.en_passant().is_some() as usize;
        castling += moves.iter().any(|mv| mv.is_castling()) as usize;
        promotions += moves.iter().any(|mv| mv.promoted().is_some()) as usize;
    }
    let counts = [checks, en_passant, castling, promotions];
    assert!(counts.iter().all(|&count| count > trials(20)), "{counts:?}");
}

#[test]
fn no_two_keys_are_equal() {
    let keys = zobrist::all();
    let different: HashSet<u64> = keys.iter().copied().collect();
    assert_eq!(different.len(), keys.len());
    assert!(!different.contains(&0));

    let mut used: Vec<u64> = Color::BOTH
        .into_iter()
        .flat_map(|color| PieceType::ALL.map(|kind| kind.of(color)))
        .flat_map(|piece| Square::all().map(move |square| zobrist::piece(piece, square)))
        .collect();
    for file in 0..8 {
        used.extend(Color::BOTH.map(|color| zobrist::castling(color, file)));
        used.push(zobrist::en_passant(file));
    }
    used.push(zobrist::black_to_move());
    assert_eq!(used.len(), keys.len());
    assert_eq!(used.into_iter().collect::<HashSet<u64>>(), different, "each thing has its own");
}

/// SAN as people and other programs write it.
#[test]
fn tolerant_san() {
    for position in varied_positions(56).take(trials(20_000)) {
        for &mv in &position.legal_moves() {
            let san = position.san(mv);
            let bare = san.trim_end_matches(['+', '#']);
            let mut forms = vec![bare.to_string(), format!("{san}!?"), format!("{bare}+")];
            if mv.is_castling() {
                forms.push(bare.replace('O', "0"));
            } else if let Some(rest) = bare.strip_prefix(['N', 'B', 'R', 'Q', 'K']) {
                let letter = &bare[..1];
                forms.push(format!("{letter}{}-{}", mv.from(), mv.to()));
                forms.push(format!("{letter}{}x{}", mv.from(), mv.to()));
                forms.push(format!("{letter}{}", rest.replace('x', "")));
            } else {
                forms.push(bare.replace('=', ""));
                forms.push(format!("P{bare}"));
                if let Some((square, kind)) = bare.split_once('=') {
                    forms.push(format!("{square}({kind})"));
                    forms.push(format!("{square}={}", kind.to_lowercase()));
                }
                if mv.is_en_passant() {
                    forms.push(format!("{bare}e.p."));
                }
            }
            for form in forms {
                assert_eq!(position.parse_san(&form), Ok(mv), "{position:?} {form}");
            }
        }
    }
}

#[test]
fn san_refused() {
    let position: Position = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1".parse().expect("a FEN");
    for (word, error) in [
        ("", SanError::Malformed),
        ("N", SanError::Malformed),
        ("Nz9", SanError::Malformed),
        ("é4", SanError::Malformed),
        ("Nd4d5d6", SanError::Malformed),
        ("O-O", SanError::Illegal),
        ("Nh5", SanError::Illegal),
        ("e4", SanError::Illegal),
        ("Nd2", SanError::Ambiguous),
    ] {
        assert_eq!(position.parse_san(word), Err(error), "{word}");
    }
    assert_eq!(position.parse_san("Nbd2").map(|mv| position.san(mv)).as_deref(), Ok("Nbd2"));
}

#[test]
fn uci_moves() {
    let position: Position = "r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().expect("a FEN");
    let castling = position.parse_uci("e1h1");
    assert!(castling.is_ok_and(|mv| mv.is_castling()));
    assert_eq!(position.parse_uci("e1g1"), castling);
    assert_eq!(position.parse_uci("e1c1"), position.parse_uci("e1a1"));
    assert!(position.parse_uci("b7a8n").is_ok_and(|mv| mv.promoted() == Some(PieceType::Knight)));
    for (word, error) in [
        ("0000", UciMoveError::Null),
        ("", UciMoveError::Malformed),
        ("e1", UciMoveError::Malformed),
        ("e1i1", UciMoveError::Malformed),
        ("b7b8k", UciMoveError::Malformed),
        ("b7b8qq", UciMoveError::Malformed),
        ("éé", UciMoveError::Malformed),
        ("b7b8", UciMoveError::NoPiece),
        ("e1g1q", UciMoveError::Illegal),
        ("e8g8", UciMoveError::Illegal),
    ] {
        assert_eq!(position.parse_uci(word), Err(error), "{word}");
    }
}

/// If king and rook are adjacent, castling has a spelling of its own; the king's single step remains a step.
#[test]
fn a_step_is_not_castling() {
    let position: Position = "4k3/8/8/8/8/8/8/5K1R w H - 0 1".parse().expect("a FEN");
    assert!(position.parse_uci("f1g1").is_ok_and(|mv| mv.is_normal()));
    assert!(position.parse_uci("f1h1").is_ok_and(|mv| mv.is_castling()));
    let position: Position = "4k3/8/8/8/8/8/8/6KR w H - 0 1".parse().expect("a FEN");
    assert_eq!(position.parse_uci("g1g1"), Err(UciMoveError::Illegal));
    let position: Position = "4k3/8/8/8/8/8/8/5KR1 w G - 0 1".parse().expect("a FEN");
    assert!(position.parse_uci("f1g1").is_ok_and(|mv| mv.is_castling()));
}

/// Keys depend on the pieces on the board, not on how they got there.
#[test]
fn what_is_put_and_taken_leaves_no_key() {
    let mut random = random(57);
    for _ in 0..trials(10_000) {
        let mut pieces: Vec<(Square, Piece)> = Square::all()
            .take(random.random_range(0..64))
            .map(|square| (square, any_piece(&mut random)))
            .collect();
        let mut setups = [Setup::empty(); 2];
        for setup in &mut setups {
            pieces.shuffle(&mut random);
            for &(square, piece) in &pieces {
                setup.put(any_piece(&mut random), square);
                setup.put(piece, square);
            }
        }
        let [mut setup, other] = setups;
        assert_eq!(setup.keys(), other.keys());
        for &(square, piece) in &pieces {
            assert_eq!(setup.take(square), Some(piece));
        }
        assert_eq!(setup.keys(), [0; 5]);
    }
}

fn any_piece(random: &mut impl RngExt) -> Piece {
    PieceType::ALL[random.random_range(0..6)].of(Color::BOTH[random.random_range(0..2)])
}

/// A difference of keys that exactly one move makes identifies the move's squares.
#[test]
fn cuckoo_moves_are_reversible_moves() {
    let mut found = 0;
    for position in varied_positions(53).take(trials(20_000)) {
        for &mv in &position.legal_moves() {
            let next = position.after(mv);
            let difference = position.key() ^ next.key();
            let pawn = position.piece_at(mv.from()).is_some_and(|piece| piece.is(PieceType::Pawn));
            let plain = mv.is_normal()
                && !position.is_noisy(mv)
                && !pawn
                && position.en_passant().is_none()
                && Color::BOTH.iter().all(|&color| {
                    CastlingSide::BOTH.iter().all(|&side| {
                        position.castling_rook(color, side) == next.castling_rook(color, side)
                    })
                });
            let (low, high) = (mv.from().min(mv.to()), mv.from().max(mv.to()));
            let expected = plain.then_some((low, high));
            assert_eq!(position.cuckoo_move(difference), expected, "{position:?} {mv:?}");
            found += usize::from(plain);
        }
    }
    println!("{found} moves are told from their keys' difference");
}
