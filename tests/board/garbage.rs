//! No bytes from outside cause a panic, and no FEN passes that shakmaty refuses.
//!
//! Chosen differences in what is accepted, apart from which the two agree on the position too:
//! - checks that no move can have given are accepted ("impossible checks");
//! - any white space separates the fields, not only blanks.

use crate::common::{random, trials, varied_positions};
use ::shakmaty::fen::Fen;
use ::shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, PositionError};
use rand::RngExt;
use rand::seq::IndexedRandom;
use zebu::board::Position;

const TEXTS: usize = trials(1_000_000);

/// What FEN, SAN and UCI moves are made of, and a little more.
const LETTERS: &[u8] = b"pnbrqkPNBRQK12345678/-wabcdefghABCDEFGH 09xO=+#_~[]\t\0\xC3\xA9";

/// Any bytes, every second time only [`LETTERS`].
fn random_bytes(random: &mut impl RngExt, longest: usize) -> Vec<u8> {
    let length = random.random_range(0..=longest);
    let plausible = random.random_bool(0.5);
    std::iter::repeat_with(|| match plausible {
        true => *LETTERS.choose(random).expect("there are letters"),
        false => random.random(),
    })
    .take(length)
    .collect()
}

/// Reads a FEN. If it is accepted, shakmaty must accept it and see the same position.
fn read(text: &str) -> Option<Position> {
    let position: Position = match text.parse() {
        Ok(position) => position,
        Err(error) => {
            assert!(error.to_string().starts_with("FEN field "), "{error}");
            return None;
        }
    };
    let ours = position.fen();
    let mut fields: Vec<&str> = text.split_whitespace().collect();
    // Rights and en-passant squares that cannot be are left out.
    fields[2] = ours.split_whitespace().nth(2).expect("a field of castling rights");
    if fields.len() > 3 {
        fields[3] = ours.split_whitespace().nth(3).expect("a field of en passant");
    }
    let theirs = Fen::from_ascii(fields.join(" ").as_bytes())
        .unwrap_or_else(|error| panic!("{text:?}: {error}"));
    let theirs = Chess::from_setup(theirs.into_setup(), CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .unwrap_or_else(|error| panic!("{text:?}: {error}"));
    let fen = Fen::from_position(&theirs, EnPassantMode::Legal).to_string();
    assert_eq!(ours, fen, "{text:?}");
    Some(position)
}

#[test]
fn random_bytes_as_fen() {
    let mut random = random(41);
    let accepted = (0..TEXTS)
        .filter(|_| read(&String::from_utf8_lossy(&random_bytes(&mut random, 90))).is_some())
        .count();
    println!("{accepted} of {TEXTS} random strings accepted");
}

#[test]
fn mutated_fens() {
    let mut random = random(42);
    let mut accepted = 0;
    for position in varied_positions(43).take(TEXTS / 10) {
        let fen = match random.random_bool(0.5) {
            true => position.fen(),
            false => position.shredder_fen(),
        };
        for _ in 0..10 {
            let mut bytes = fen.clone().into_bytes();
            for _ in 0..random.random_range(1..=2) {
                mutate(&mut bytes, &mut random);
            }
            accepted += read(&String::from_utf8_lossy(&bytes)).is_some() as usize;
        }
    }
    println!("{accepted} of {TEXTS} mutated FENs accepted");
    assert!(accepted > TEXTS / 20, "the mutations are too wild to test much");
}

/// Changes, adds, takes away or exchanges something, or changes a whole field.
fn mutate(bytes: &mut Vec<u8>, random: &mut impl RngExt) {
    if bytes.is_empty() {
        return;
    }
    let place = random.random_range(0..bytes.len());
    let other = random.random_range(0..bytes.len());
    let letter = match random.random_bool(0.9) {
        true => *LETTERS.choose(random).expect("there are letters"),
        false => random.random(),
    };
    match random.random_range(0..10) {
        0 => bytes[place] = letter,
        1 => bytes.insert(place, letter),
        2 => _ = bytes.remove(place),
        3 => bytes.swap(place, other),
        4 => bytes.truncate(place),
        5..8 => change_piece(bytes, random),
        _ => change_field(bytes, random),
    }
}

/// Puts another piece where one stands.
fn change_piece(bytes: &mut [u8], random: &mut impl RngExt) {
    const PIECES: &[u8; 12] = b"pnbrqkPNBRQK";
    let pieces = bytes.iter_mut().take_while(|byte| **byte != b' ');
    let mut pieces: Vec<&mut u8> = pieces.filter(|byte| PIECES.contains(byte)).collect();
    if !pieces.is_empty() {
        let place = random.random_range(0..pieces.len());
        *pieces[place] = *PIECES.choose(random).expect("there are pieces");
    }
}

fn change_field(bytes: &mut Vec<u8>, random: &mut impl RngExt) {
    const FIELDS: [&[&str]; 5] = [
        &["w", "b", "W", ""],
        &["-", "KQkq", "K", "q", "HAha", "Gb", "KK", "Kh", "EeQ", "KQkqA"],
        &["-", "e3", "d6", "a3", "h6", "e4", "i3", "e33"],
        &["0", "99", "100", "150", "9999", "10000", "65536", "-1", "+1", "1e3", "٣"],
        &["0", "1", "300", "9999", "10000", "99999999999", "", "1.5"],
    ];
    let text = String::from_utf8_lossy(bytes).into_owned();
    let mut fields: Vec<&str> = text.split(' ').collect();
    let number = random.random_range(0..FIELDS.len());
    if let Some(field) = fields.get_mut(number + 1) {
        *field = FIELDS[number].choose(random).expect("there are choices");
    }
    *bytes = fields.join(" ").into_bytes();
}

#[test]
fn garbled_moves() {
    let mut random = random(44);
    let (mut uci, mut san) = (0, 0);
    for position in varied_positions(45).take(TEXTS / 100) {
        let moves = position.legal_moves();
        for _ in 0..100 {
            let mut word = match moves.choose(&mut random) {
                Some(&mv) if random.random_bool(0.4) => position.san(mv).into_bytes(),
                Some(&mv) if random.random_bool(0.6) => position.uci(mv, false).into_bytes(),
                _ => random_bytes(&mut random, 8),
            };
            mutate(&mut word, &mut random);
            let word = String::from_utf8_lossy(&word);
            uci += position.parse_uci(&word).is_ok() as usize;
            san += position.parse_san(&word).is_ok() as usize;
        }
    }
    println!("of {TEXTS} garbled words {uci} are UCI moves and {san} SAN");
}
