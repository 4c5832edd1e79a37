//! Reads files of games, past damaged parts.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::format::{FILE_HEAD, GamesError, Version};
use super::record::GameRecord;
use crate::files::FileError;

/// Bytes to read at once.
const BUFFER: usize = 1 << 16;

/// The games of a file in turn. All their moves are legal.
///
/// Damaged bytes are reported on standard error and left out: the next game is the first one after
/// them whose checksum is right. A game at the end that is cut short is left out too, without a word:
/// its writer is at work, or was killed.
pub struct GameReader {
    file: File,
    path: PathBuf,
    version: Version,
    /// What was read from the file, and how much of it is done with.
    buffer: Vec<u8>,
    done: usize,
    /// Where that is in the file.
    place: u64,
    /// Where the game that was read last begins.
    last: u64,
    /// Where the next game would be appended.
    end: u64,
    reports: bool,
}

impl GameReader {
    pub fn open(path: &Path) -> Result<GameReader, GamesError> {
        GameReader::of(File::open(path).map_err(FileError::on(path))?, path)
    }

    /// Of an open file, from its beginning.
    pub fn of(mut file: File, path: &Path) -> Result<GameReader, GamesError> {
        let mut head = Vec::new();
        file.seek(SeekFrom::Start(0)).map_err(FileError::on(path))?;
        let read = file.by_ref().take(FILE_HEAD as u64).read_to_end(&mut head);
        read.map_err(FileError::on(path))?;
        let version = Version::read(&head, path)?;
        let (path, buffer, place) = (path.to_owned(), Vec::new(), FILE_HEAD as u64);
        let (last, end) = (place, place);
        Ok(GameReader { file, path, version, buffer, done: 0, place, last, end, reports: true })
    }

    /// Where the next game begins.
    pub fn place(&self) -> u64 {
        self.place
    }

    /// Where the game that was read last begins.
    pub fn last_place(&self) -> u64 {
        self.last
    }

    pub fn version(&self) -> Version {
        self.version
    }

    /// Where the next game would be appended, after all games were read.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Goes to a place in a file that was read before, whose damage is known, or to any byte: the next
    /// game is the first that begins there or after it.
    pub fn go_to(&mut self, place: u64) -> Result<(), GamesError> {
        self.file.seek(SeekFrom::Start(place)).map_err(FileError::on(&self.path))?;
        self.buffer.clear();
        (self.done, self.place, self.reports) = (0, place, false);
        Ok(())
    }

    /// Reports damage from the next game on.
    pub fn report(&mut self) {
        self.reports = true;
    }

    fn read(&mut self) -> Result<Option<GameRecord>, GamesError> {
        let first = self.place;
        let mut cut_short = None;
        while !self.peek(1)?.is_empty() {
            let head = self.version.game_head();
            let length = self.version.game_length(self.peek(head)?);
            let needed = length.unwrap_or(head);
            let (version, bytes) = (self.version, self.peek(needed)?);
            let whole = bytes.len() == needed;
            if let Some(game) = length.filter(|_| whole).and_then(|_| version.decode(bytes)) {
                self.report_damage(first);
                self.last = self.place;
                self.skip(needed);
                self.end = self.place;
                return Ok(Some(game));
            }
            cut_short.get_or_insert(!whole);
            self.skip(1);
        }
        if cut_short == Some(false) {
            self.report_damage(first);
            self.end = self.place;
        }
        Ok(None)
    }

    /// The next bytes, as many as there are up to this number.
    fn peek(&mut self, count: usize) -> Result<&[u8], GamesError> {
        if self.buffer.len() - self.done < count {
            self.buffer.drain(..self.done);
            self.done = 0;
            let missing = (count - self.buffer.len()).max(BUFFER) as u64;
            let read = self.file.by_ref().take(missing).read_to_end(&mut self.buffer);
            read.map_err(FileError::on(&self.path))?;
        }
        let bytes = &self.buffer[self.done..];
        Ok(&bytes[..bytes.len().min(count)])
    }

    fn skip(&mut self, count: usize) {
        self.done += count;
        self.place += count as u64;
    }

    /// Reports the bytes from `first` up to here, if there are any.
    fn report_damage(&self, first: u64) {
        if self.reports && first < self.place {
            let (path, end) = (self.path.display(), self.place);
            eprintln!("forge: {path}: damaged from byte {first} to {end}, which is left out");
        }
    }
}

impl Iterator for GameReader {
    type Item = Result<GameRecord, GamesError>;

    fn next(&mut self) -> Option<Result<GameRecord, GamesError>> {
        self.read().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{self, TempFile, VERSIONS};
    use super::*;

    fn read(file: &TempFile) -> Vec<GameRecord> {
        GameReader::open(file.path()).unwrap().map(Result::unwrap).collect()
    }

    #[test]
    fn games_come_back_from_any_place() {
        let file = TempFile::new("places");
        let games = samples::games(20, 1);
        for version in VERSIONS {
            let places = file.write_games(version, &games);
            assert_eq!(read(&file), games);
            let mut reader = GameReader::open(file.path()).unwrap();
            for (&place, game) in places.iter().zip(&games) {
                assert_eq!(reader.place(), place as u64);
                assert_eq!(reader.next().unwrap().unwrap(), *game);
            }
            for (&place, game) in places.iter().zip(&games).rev() {
                reader.go_to(place as u64).unwrap();
                assert_eq!(reader.next().unwrap().unwrap(), *game);
            }
        }
    }

    #[test]
    fn any_byte_leads_to_the_next_game() {
        let file = TempFile::new("bytes");
        let games = samples::games(5, 5);
        for version in VERSIONS {
            let places = file.write_games(version, &games);
            let mut reader = GameReader::open(file.path()).unwrap();
            for byte in places[0]..places[4] {
                let next = places.iter().position(|&place| place >= byte).unwrap();
                reader.go_to(byte as u64).unwrap();
                assert_eq!(reader.next().unwrap().unwrap(), games[next]);
                assert_eq!(reader.last_place(), places[next] as u64);
            }
        }
    }

    #[test]
    fn a_damaged_byte_costs_one_game() {
        let file = TempFile::new("damaged");
        let games = samples::games(4, 2);
        for version in VERSIONS {
            let places = file.write_games(version, &games);
            let bytes = file.bytes();
            // All fields of the second game, with its lengths.
            for place in places[1]..places[2] {
                let mut damaged = bytes.clone();
                damaged[place] ^= 0x5A;
                file.write(&damaged);
                let left = [0, 2, 3].map(|number| games[number].clone());
                assert_eq!(read(&file), left, "{version:?}, byte {place}");
            }
        }
    }

    #[test]
    fn lost_and_added_bytes_cost_their_games() {
        let file = TempFile::new("shifted");
        let games = samples::games(5, 3);
        for version in VERSIONS {
            let places = file.write_games(version, &games);
            let bytes = file.bytes();
            file.write(&[&bytes[..places[1] + 20], &bytes[places[2] + 7..]].concat());
            assert_eq!(read(&file), [0, 3, 4].map(|number| games[number].clone()));
            file.write(&[&bytes[..places[2]], &[0; 5000], &bytes[places[2]..]].concat());
            assert_eq!(read(&file), games);
        }
    }

    #[test]
    fn other_files_are_refused() {
        let file = TempFile::new("foreign");
        file.write_games(Version::Compact, &samples::games(1, 4));
        let mut bytes = file.bytes();
        let open = |bytes: &[u8]| {
            file.write(bytes);
            GameReader::open(file.path()).err()
        };
        bytes[8] = 9;
        assert!(matches!(open(&bytes), Some(GamesError::Version { found: 9, .. })));
        bytes[0] = 0;
        assert!(matches!(open(&bytes), Some(GamesError::Foreign(_))));
        assert!(matches!(open(b"ZEBUG"), Some(GamesError::Foreign(_))));
    }
}
