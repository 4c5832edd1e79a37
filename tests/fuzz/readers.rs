//! The readers of text and files.

use std::fs;
use std::path::{Path, PathBuf};

use engine::board::{Game, Position, perft};
use engine::config::Config;
use engine::eval::Network;
use engine::eval::file::{NetFile, layer_size};
use engine::notation::book::Book;
use engine::notation::{EpdLine, PgnReader, epd_positions};
use engine::uci::{Command, parse, set_up};
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, PositionError};

use crate::fuzzer::fuzz;

const FENS: &str = include_str!("corpus/fen.txt");
const SANS: &str = include_str!("corpus/san.txt");
const PGN: &str = include_str!("corpus/games.pgn");
const EPD: &str = include_str!("corpus/positions.epd");
const CONFIGURATION: &str = include_str!("../../engine.toml");
const UCI: &str = include_str!("corpus/uci.txt");

/// The lines of a corpus.
fn lines(corpus: &str) -> Vec<Vec<u8>> {
    corpus.lines().filter(|line| !line.is_empty()).map(|line| line.as_bytes().to_vec()).collect()
}

/// Exercises an accepted position: its moves, their names, and the positions after them.
fn examine(position: &Position) -> String {
    for mv in position.legal_moves() {
        assert_eq!(position.parse_san(&position.san(mv)), Ok(mv), "{position:?}");
        assert_eq!(position.parse_uci(&position.uci(mv, true)), Ok(mv), "{position:?}");
    }
    let again: Position = position.fen().parse().expect("what is written is read");
    assert_eq!(again.fen(), position.fen());
    format!("{} moves, {}", perft(position, 1), position.in_check())
}

pub fn told<T, E: ToString>(read: Result<T, E>, then: impl FnOnce(T) -> String) -> String {
    match read {
        Ok(value) => then(value),
        Err(error) => {
            let text = error.to_string();
            assert!(text.len() < 400 && !text.contains('\n'), "{text:?}");
            text
        }
    }
}

/// Accepted FENs are accepted by shakmaty too, with the same position. Deliberate differences: impossible
/// checks are accepted, and any white space between fields.
#[test]
fn fen() {
    fuzz("fen", lines(FENS), |bytes| {
        let text = String::from_utf8_lossy(bytes);
        told(text.parse(), |position: Position| {
            assert_eq!(position.fen(), shakmatys(&text, &position), "{text:?}");
            examine(&position)
        })
    });
}

/// The FEN as shakmaty reads and writes it, without the rights and en-passant squares that we dropped.
fn shakmatys(text: &str, position: &Position) -> String {
    let ours = position.fen();
    let kept: Vec<&str> = ours.split_whitespace().collect();
    let fields = text.split_whitespace().enumerate();
    let fields: Vec<&str> =
        fields.map(|(i, field)| if matches!(i, 2 | 3) { kept[i] } else { field }).collect();
    let theirs = shakmaty::fen::Fen::from_ascii(fields.join(" ").as_bytes())
        .unwrap_or_else(|error| panic!("{text:?}: {error}"));
    let theirs = Chess::from_setup(theirs.into_setup(), CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .unwrap_or_else(|error| panic!("{text:?}: {error}"));
    shakmaty::fen::Fen::from_position(&theirs, EnPassantMode::Legal).to_string()
}

#[test]
fn san() {
    let positions: Vec<Position> = FENS.lines().filter_map(|fen| fen.parse().ok()).collect();
    fuzz("san", lines(SANS), |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let position = positions[bytes.len() % positions.len()];
        told(position.parse_san(&text), |mv| {
            assert!(position.legal_moves().contains(&mv));
            "a move".to_string()
        })
    });
}

#[test]
fn uci_line() {
    fuzz("uci_line", lines(UCI), |bytes| {
        told(parse(&String::from_utf8_lossy(bytes)), |command| match command {
            Some(Command::Position(words)) => {
                told(set_up(&words), |(game, _)| examine(game.position()))
            }
            Some(Command::Go(go)) => {
                let (limits, problem) = go.limits(&Position::start());
                format!("{limits:?} {} {}", go.problem.is_some(), problem.is_some())
            }
            Some(_) => "another command".to_string(),
            None => "nothing".to_string(),
        })
    });
}

#[test]
fn pgn() {
    let games: Vec<Vec<u8>> = PGN.split("\n\n\n").map(|game| game.as_bytes().to_vec()).collect();
    fuzz("pgn", games, |bytes| {
        let mut answer = String::new();
        for game in PgnReader::new(bytes) {
            answer = told(game, |game| {
                game.positions().iter().for_each(|position| {
                    assert!(position.legal_moves().len() < 480);
                });
                format!("{} moves, {}", game.moves.len(), game.result)
            });
        }
        answer
    });
}

#[test]
fn epd() {
    fuzz("epd", lines(EPD), |bytes| {
        told(EpdLine::parse(&String::from_utf8_lossy(bytes)), |line| examine(&line.position))
    });
}

/// The reported line number is that of an existing line.
#[test]
fn epd_book() {
    let corpus = vec![EPD.as_bytes().to_vec(), lines(EPD).join(&b"\r\n\n"[..])];
    fuzz("epd_book", corpus, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        match epd_positions(&text) {
            Ok(positions) => "position ".repeat(positions.len().min(9)),
            Err((line, error)) => {
                let wrong = text.lines().nth(line - 1).expect("there is such a line");
                assert!(EpdLine::parse(wrong).is_err_and(|wrong| wrong == error));
                error.to_string()
            }
        }
    });
}

/// Whole books: entries in the order of their keys, which mutations seldom leave intact.
#[test]
fn book() {
    let key = engine::notation::book::key(&Game::new(Position::start()));
    let entry =
        |key: u64, mv: u16| [&key.to_be_bytes()[..], &mv.to_be_bytes(), &[0, 9], &[0; 4]].concat();
    let corpus = vec![
        entry(key, 0x31c),
        [entry(key, 0x31c), entry(key, 0x2db), entry(key, 0x104)].concat(),
        [entry(1, 1), entry(key, 0x31c), entry(u64::MAX, 0)].concat(),
    ];
    fuzz("book", corpus, |bytes| {
        told(Book::parse(bytes.to_vec()), |book| {
            let game = Game::new(Position::start());
            let moves = book.moves(&game).expect("it is in memory");
            let legal = game.position().legal_moves();
            assert!(moves.iter().all(|book| legal.contains(&book.mv)));
            format!("{} moves", moves.len().min(3))
        })
    });
}

#[test]
fn network() {
    let file = NetFile {
        hidden: 32,
        output_buckets: 2,
        sums: 1,
        king_buckets: [0; 32],
        feature_weights: (0..3 * 768 * 32).map(|i| (i % 7) as i16 - 3).collect(),
        feature_biases: vec![5; 32],
        output_weights: vec![2; 2 * 2 * 2 * 32],
        output_biases: vec![7; 4],
        layers: vec![0.5; 2 * layer_size(1)],
    };
    let whole = file.to_bytes();
    let corpus = vec![whole.clone(), whole[..64].to_vec(), whole[..whole.len() - 1].to_vec()];
    fuzz("network", corpus, |bytes| {
        // The checksum would hide faults behind it.
        told(NetFile::read(bytes), |file| told(Network::new(&file), |_| "a network".to_string()))
            + &told(NetFile::parse(bytes), |_| "whole".to_string())
    });
}

/// A file for one test.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    folder.join(format!("fuzz-{}-{name}", std::process::id()))
}

#[test]
fn configuration() {
    let file = scratch("configuration.toml");
    let corpus = [CONFIGURATION.to_string(), CONFIGURATION.replace("# ", "")];
    let corpus = corpus.map(String::into_bytes).to_vec();
    fuzz("configuration", corpus, |bytes| {
        fs::write(&file, bytes).expect("the file can be written");
        let (_, errors) = Config::load(Some(&file));
        errors.iter().take(2).map(|error| told(Err::<(), _>(error), |()| String::new())).collect()
    });
    fs::remove_file(&file).ok();
}
