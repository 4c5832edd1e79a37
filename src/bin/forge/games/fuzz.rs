//! Fuzzing: files of games, and games whose checksum is right all the same.

use super::format::Version;
use super::plain;
use super::plot;
use super::reader::GameReader;
use super::record::GameRecord;
use super::samples::{self, TempFile, VERSIONS};
use super::statistics::Statistics;
use crate::fuzzer::fuzz;

/// What was read can be written; its length in words, since the fuzzer takes numbers for alike.
fn examined(games: &[GameRecord]) -> String {
    for game in games {
        assert!(Version::Compact.encode(game).is_ok(), "{game:?}");
    }
    let plies = games.iter().map(|game| game.plies.len());
    let words = |plies: usize| plies.checked_ilog2().unwrap_or(0) as usize;
    plies.map(|plies| "ply ".repeat(words(plies)) + "game ").collect()
}

#[test]
fn game_file() {
    let file = TempFile::new("fuzzed");
    let corpus = VERSIONS.map(|version| {
        file.write_games(version, &samples::games(3, 1));
        file.bytes()
    });
    fuzz("game_file", corpus.to_vec(), |bytes| {
        file.write(bytes);
        match GameReader::open(file.path()) {
            Ok(mut reader) => {
                reader.go_to(reader.place()).expect("the place is in the file");
                examined(&reader.map(Result::unwrap).collect::<Vec<_>>())
            }
            Err(error) => error.to_string(),
        }
    });
}

/// `forge inspect --plot`.
#[test]
fn statistics() {
    let (file, page) = (TempFile::new("fuzzed-statistics"), TempFile::new("fuzzed.svg"));
    fuzz("statistics", samples::extremes(), |game| {
        let Some(bytes) = samples::file_of(game, &[]) else { return "damaged".to_string() };
        file.write(&bytes);
        let mut statistics = Statistics::new();
        let games = GameReader::open(file.path()).expect("its head is right");
        games.for_each(|game| statistics.add(&game.expect("it can be read")));
        assert_eq!(statistics.counts.games(), 1);
        plot::draw(&statistics, page.path()).expect("a page");
        let plies = statistics.lengths.len();
        format!("{}mates: {}", "ply ".repeat(plies.min(9)), statistics.mates > 0)
    });
}

#[test]
fn game() {
    for version in VERSIONS {
        let games = samples::games(20, 2);
        let corpus = games.iter().map(|game| version.encode(game).unwrap()).collect();
        fuzz("game", corpus, |bytes| {
            let mut bytes = bytes.to_vec();
            if let (Version::Plain, Some((checksum, rest))) =
                (version, bytes.split_first_chunk_mut::<{ plain::CHECKSUM }>())
            {
                *checksum = crc32fast::hash(rest).to_le_bytes();
            }
            // The reader asks for the length first, and hands over as many bytes.
            let whole = version.game_length(&bytes).and_then(|length| bytes.get(..length));
            match whole.map(|bytes| version.decode(bytes)) {
                Some(Some(game)) => examined(&[game]),
                Some(None) => "damaged".to_string(),
                None => "cut short".to_string(),
            }
        });
    }
}
