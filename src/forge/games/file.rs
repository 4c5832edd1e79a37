//! Game files. They begin with 16 bytes: `ZEBUGAME`, the format version and a zero, four bytes each. Games
//! follow back to back, as [`super::format`] describes.

use std::fs::{File, OpenOptions, TryLockError, remove_file, rename};
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::format;
use super::record::GameRecord;
use crate::common::FileError;

pub const FILE_HEAD: [u8; 16] = *b"ZEBUGAME\x02\0\0\0\0\0\0\0";
const MAGIC: usize = 8;

/// Bytes per read.
const BUFFER: usize = 1 << 16;

#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{} is not a file of games", .0.display())]
    Foreign(PathBuf),
    #[error("{}: it has version {found} of the format; this program knows 2", .path.display())]
    Version { path: PathBuf, found: u32 },
    #[error("{} is there already", .0.display())]
    Exists(PathBuf),
    #[error("{}: another program is writing to it", .0.display())]
    Busy(PathBuf),
    #[error("a game of {0} plies is too long, or has an illegal move")]
    NotEncodable(usize),
}

/// Reads the games of a file in order. All their moves are legal.
///
/// Damaged bytes are reported on standard error and skipped: reading resumes at the first game with a valid
/// checksum. An incomplete game at the end is silently skipped, because its writer is still at work or was
/// killed.
pub struct GameReader {
    file: File,
    path: PathBuf,
    /// The bytes read so far, and how many of them have been consumed.
    buffer: Vec<u8>,
    done: usize,
    /// The file offset of the unconsumed bytes.
    place: u64,
    /// The file offset at which the next game would be appended.
    end: u64,
    reports: bool,
}

impl GameReader {
    pub fn open(path: &Path) -> Result<GameReader, GamesError> {
        GameReader::of(File::open(path).map_err(FileError::on(path))?, path)
    }

    /// Reads an open file from its beginning.
    fn of(mut file: File, path: &Path) -> Result<GameReader, GamesError> {
        let mut head = Vec::new();
        file.seek(SeekFrom::Start(0)).map_err(FileError::on(path))?;
        let read = Read::by_ref(&mut file).take(FILE_HEAD.len() as u64).read_to_end(&mut head);
        read.map_err(FileError::on(path))?;
        let head: Option<[u8; FILE_HEAD.len()]> = head.first_chunk().copied();
        let head = head.filter(|head| head[..MAGIC] == FILE_HEAD[..MAGIC]);
        let path = path.to_owned();
        let Some(head) = head else { return Err(GamesError::Foreign(path)) };
        if head[..12] != FILE_HEAD[..12] {
            let found = u32::from_le_bytes([head[8], head[9], head[10], head[11]]);
            return Err(GamesError::Version { path, found });
        }
        let start = FILE_HEAD.len() as u64;
        let (buffer, place, end) = (Vec::new(), start, start);
        Ok(GameReader { file, path, buffer, done: 0, place, end, reports: true })
    }

    /// The offset of the next game.
    pub fn place(&self) -> u64 {
        self.place
    }

    /// Moves to an offset in a file that was read before, whose damage has been reported.
    pub fn go_to(&mut self, place: u64) -> Result<(), GamesError> {
        self.file.seek(SeekFrom::Start(place)).map_err(FileError::on(&self.path))?;
        self.buffer.clear();
        (self.done, self.place, self.reports) = (0, place, false);
        Ok(())
    }

    fn read(&mut self) -> Result<Option<GameRecord>, GamesError> {
        let first = self.place;
        let mut cut_short = None;
        while !self.peek(1)?.is_empty() {
            let length = format::length(self.peek(format::HEAD)?);
            let needed = length.unwrap_or(format::HEAD);
            let bytes = self.peek(needed)?;
            let is_whole = bytes.len() == needed;
            if let Some(game) = length.filter(|_| is_whole).and_then(|_| format::decode(bytes)) {
                self.report_damage(first);
                self.skip(needed);
                self.end = self.place;
                return Ok(Some(game));
            }
            cut_short.get_or_insert(!is_whole);
            self.skip(1);
        }
        if cut_short == Some(false) {
            self.report_damage(first);
            self.end = self.place;
        }
        Ok(None)
    }

    /// The next `count` bytes, or fewer at the end of the file.
    fn peek(&mut self, count: usize) -> Result<&[u8], GamesError> {
        if self.buffer.len() - self.done < count {
            self.buffer.drain(..self.done);
            self.done = 0;
            let missing = (count - self.buffer.len()).max(BUFFER) as u64;
            let read = Read::by_ref(&mut self.file).take(missing).read_to_end(&mut self.buffer);
            read.map_err(FileError::on(&self.path))?;
        }
        let bytes = &self.buffer[self.done..];
        Ok(&bytes[..bytes.len().min(count)])
    }

    fn skip(&mut self, count: usize) {
        self.done += count;
        self.place += count as u64;
    }

    /// Reports the bytes from `first` to the current offset as damaged, if there are any.
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

/// Appends games to a locked file. A new file gets its name in [`GameWriter::finish`]; otherwise it is
/// removed.
pub struct GameWriter {
    file: BufWriter<File>,
    path: PathBuf,
    /// The final name of a new file.
    name: Option<PathBuf>,
}

impl GameWriter {
    /// Creates a new file, which must not exist yet.
    pub fn create(name: &Path) -> Result<GameWriter, GamesError> {
        if name.exists() {
            return Err(GamesError::Exists(name.to_owned()));
        }
        let mut path = name.to_owned().into_os_string();
        path.push(".part");
        let path = PathBuf::from(path);
        let file = open(&path)?;
        file.set_len(0).map_err(FileError::on(&path))?;
        GameWriter::begin(file, path, Some(name.to_owned()))
    }

    /// Continues a file, or begins a new one. `visit` gets the games in it. An incomplete game at the end is
    /// removed.
    pub fn append(
        path: &Path,
        mut visit: impl FnMut(GameRecord),
    ) -> Result<GameWriter, GamesError> {
        let mut file = open(path)?;
        if file.metadata().map_err(FileError::on(path))?.len() == 0 {
            return GameWriter::begin(file, path.to_owned(), None);
        }
        let mut reader = GameReader::of(file.try_clone().map_err(FileError::on(path))?, path)?;
        for game in reader.by_ref() {
            visit(game?);
        }
        file.set_len(reader.end).map_err(FileError::on(path))?;
        file.seek(SeekFrom::Start(reader.end)).map_err(FileError::on(path))?;
        Ok(GameWriter { file: BufWriter::new(file), path: path.to_owned(), name: None })
    }

    fn begin(file: File, path: PathBuf, name: Option<PathBuf>) -> Result<GameWriter, GamesError> {
        let mut writer = GameWriter { file: BufWriter::new(file), path, name };
        writer.write_bytes(&FILE_HEAD)?;
        writer.flush()?;
        Ok(writer)
    }

    pub fn write(&mut self, game: &GameRecord) -> Result<(), GamesError> {
        let bytes = format::encode(game).ok_or(GamesError::NotEncodable(game.plies.len()))?;
        self.write_bytes(&bytes)
    }

    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), GamesError> {
        Ok(self.file.write_all(bytes).map_err(FileError::on(&self.path))?)
    }

    /// Writes to disk: from here on no game is lost if the program is killed.
    pub fn flush(&mut self) -> Result<(), GamesError> {
        Ok(self.file.flush().map_err(FileError::on(&self.path))?)
    }

    pub fn finish(mut self) -> Result<(), GamesError> {
        self.flush()?;
        if let Some(name) = self.name.take() {
            rename(&self.path, &name).map_err(FileError::on(&name))?;
        }
        Ok(())
    }
}

impl Drop for GameWriter {
    fn drop(&mut self) {
        // A child process that just started may hold the file, and with it the lock, for a moment.
        self.flush().ok();
        self.file.get_ref().unlock().ok();
        if self.name.is_some() {
            remove_file(&self.path).ok();
        }
    }
}

/// Opens or creates a file for writing and locks it against other programs.
fn open(path: &Path) -> Result<File, GamesError> {
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create(true).truncate(false).open(path);
    let file = file.map_err(FileError::on(path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(GamesError::Busy(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(FileError::on(path)(error).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{self, TempFile};
    use super::*;

    fn read(file: &TempFile) -> Vec<GameRecord> {
        GameReader::open(file.path()).unwrap().map(Result::unwrap).collect()
    }

    #[test]
    fn games_come_back_from_any_place() {
        let file = TempFile::new("places");
        let games = samples::games(20, 5);
        let places = file.write_games(&games);
        assert_eq!(read(&file), games);
        let mut reader = GameReader::open(file.path()).unwrap();
        for ((game, &place), &end) in games.iter().zip(&places).zip(&places[1..]).rev() {
            reader.go_to(place as u64).unwrap();
            assert_eq!(reader.next().unwrap().unwrap(), *game);
            assert_eq!(reader.place(), end as u64);
        }
    }

    #[test]
    fn a_damaged_byte_costs_one_game() {
        let file = TempFile::new("damaged");
        let games = samples::games(4, 2);
        let places = file.write_games(&games);
        let bytes = file.bytes();
        // Damages each byte of the second game.
        for place in places[1]..places[2] {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x5A;
            file.write(&damaged);
            let left = [0, 2, 3].map(|number| games[number].clone());
            assert_eq!(read(&file), left, "byte {place}");
        }
    }

    #[test]
    fn lost_and_added_bytes_cost_their_games() {
        let file = TempFile::new("shifted");
        let games = samples::games(5, 3);
        let places = file.write_games(&games);
        let bytes = file.bytes();
        file.write(&[&bytes[..places[1] + 20], &bytes[places[2] + 7..]].concat());
        assert_eq!(read(&file), [0, 3, 4].map(|number| games[number].clone()));
        file.write(&[&bytes[..places[2]], &[0; 5000], &bytes[places[2]..]].concat());
        assert_eq!(read(&file), games);
    }

    #[test]
    fn a_game_cut_short_is_removed() {
        let file = TempFile::new("cut");
        let games = samples::games(3, 2);
        let places = file.write_games(&games);
        let bytes = file.bytes();
        for end in places[2] + 1..places[3] {
            file.write(&bytes[..end]);
            let mut writer = GameWriter::append(file.path(), |_| {}).unwrap();
            writer.write(&games[2]).unwrap();
            writer.finish().unwrap();
            assert_eq!(file.bytes(), bytes);
        }
    }

    #[test]
    fn a_file_has_one_writer() {
        let file = TempFile::new("once");
        file.write_games(&[]);
        let _writer = GameWriter::append(file.path(), |_| {}).unwrap();
        assert!(matches!(GameWriter::append(file.path(), |_| {}), Err(GamesError::Busy(_))));
    }

    #[test]
    fn an_unfinished_file_is_removed() {
        let file = TempFile::new("unfinished");
        let writer = GameWriter::create(file.path()).unwrap();
        let part = writer.path.clone();
        assert!(part.exists());
        drop(writer);
        assert!(!part.exists() && !file.path().exists());
    }

    #[test]
    fn fuzzed() {
        let file = TempFile::new("fuzzed");
        file.write_games(&samples::games(3, 1));
        crate::fuzzer::fuzz("game_file", vec![file.bytes()], |bytes| {
            file.write(bytes);
            match GameReader::open(file.path()) {
                Ok(reader) => "game ".repeat(reader.map(Result::unwrap).count()),
                Err(error) => error.to_string(),
            }
        });
    }
}
