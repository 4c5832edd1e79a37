//! Files of games.
//!
//! A file begins with 16 bytes: `ZEBUGAME`, the version of the format and a zero, four bytes each.
//! Games follow back to back. All numbers are little endian.
//!
//! | bytes | of a game |
//! |---|---|
//! | 4 | CRC-32 of the rest of the game |
//! | 2 | number of plies |
//! | 2 | the outcome: 0 Black won, 1 draw, 2 White won |
//! | 32 | the first position, see [`packed_position`] |
//! | 4 a ply | the move by [`Move::bits`], and the score |
//!
//! A file may end in the middle of a game, if its writer was killed. Readers see the games before it,
//! and a writer cuts it off before it adds to the file.

use std::fs::{File, OpenOptions, TryLockError, remove_file, rename};
use std::io::{BufRead, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use zebu::board::Move;

use super::packed_position;
use super::record::{GameOutcome, GameRecord, ScoredPly};
use crate::file_error::FileError;

const MAGIC: [u8; 8] = *b"ZEBUGAME";
const VERSION: u32 = 1;
const FILE_HEAD: usize = 16;
const CHECKSUM: usize = 4;
const GAME_HEAD: usize = 8;

#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{} is not a file of games", .0.display())]
    Foreign(PathBuf),
    #[error("{}: its format has version {found}, and this program knows none after {VERSION}", .path.display())]
    Newer { path: PathBuf, found: u32 },
    #[error("{}: the game at byte {at} is damaged; those before it are whole", .path.display())]
    Damaged { path: PathBuf, at: u64 },
    #[error("{} is there already", .0.display())]
    Exists(PathBuf),
    #[error("{}: another program is writing to it", .0.display())]
    Busy(PathBuf),
    #[error("a game of {0} plies is too long for a file")]
    TooLong(usize),
}

/// The games of a file, one after the other.
pub struct GameReader {
    file: BufReader<File>,
    path: PathBuf,
    /// Where the last whole game ends.
    end: u64,
}

impl GameReader {
    pub fn open(path: &Path) -> Result<GameReader, GamesError> {
        let file = File::open(path).map_err(FileError::on(path))?;
        GameReader::new(file, path)
    }

    fn new(file: File, path: &Path) -> Result<GameReader, GamesError> {
        let mut file = BufReader::with_capacity(1 << 16, file);
        let mut head = [0; FILE_HEAD];
        match file.read_exact(&mut head) {
            Ok(()) if head.starts_with(&MAGIC) => {}
            Err(error) if error.kind() != ErrorKind::UnexpectedEof => {
                return Err(FileError::on(path)(error).into());
            }
            _ => return Err(GamesError::Foreign(path.to_owned())),
        }
        let found = u32::from_le_bytes([head[8], head[9], head[10], head[11]]);
        if found > VERSION {
            return Err(GamesError::Newer { path: path.to_owned(), found });
        }
        Ok(GameReader { file, path: path.to_owned(), end: FILE_HEAD as u64 })
    }

    /// Where the next game begins.
    pub fn place(&self) -> u64 {
        self.end
    }

    /// Goes on where a game begins.
    pub fn go_to(&mut self, place: u64) -> Result<(), GamesError> {
        self.file.seek(SeekFrom::Start(place)).map_err(FileError::on(&self.path))?;
        self.end = place;
        Ok(())
    }

    /// The next game, or `None` where the last whole one ends.
    fn read(&mut self) -> Result<Option<GameRecord>, GamesError> {
        let mut head = [0; GAME_HEAD];
        if !self.fill(&mut head)? {
            return Ok(None);
        }
        let plies = usize::from(u16::from_le_bytes([head[4], head[5]]));
        let mut body = vec![0; packed_position::BYTES + 4 * plies];
        if !self.fill(&mut body)? {
            return Ok(None);
        }
        match decode(&head, &body) {
            Some(game) => {
                self.end += (head.len() + body.len()) as u64;
                Ok(Some(game))
            }
            None if self.is_at_end()? => Ok(None),
            None => Err(GamesError::Damaged { path: self.path.clone(), at: self.end }),
        }
    }

    /// Fills `bytes`, or returns `false` at the end of the file.
    fn fill(&mut self, bytes: &mut [u8]) -> Result<bool, GamesError> {
        match self.file.read_exact(bytes) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
            Err(error) => Err(FileError::on(&self.path)(error).into()),
        }
    }

    fn is_at_end(&mut self) -> Result<bool, GamesError> {
        Ok(self.file.fill_buf().map_err(FileError::on(&self.path))?.is_empty())
    }
}

impl Iterator for GameReader {
    type Item = Result<GameRecord, GamesError>;

    fn next(&mut self) -> Option<Result<GameRecord, GamesError>> {
        self.read().transpose()
    }
}

fn encode(game: &GameRecord) -> Result<Vec<u8>, GamesError> {
    let plies = game.plies.len();
    let count = u16::try_from(plies).map_err(|_| GamesError::TooLong(plies))?;
    let mut bytes = Vec::with_capacity(GAME_HEAD + packed_position::BYTES + 4 * plies);
    bytes.extend([0; CHECKSUM]);
    bytes.extend(count.to_le_bytes());
    bytes.extend((game.outcome as u16).to_le_bytes());
    bytes.extend(packed_position::pack(&game.start));
    for ply in &game.plies {
        bytes.extend(ply.mv.bits().to_le_bytes());
        bytes.extend(ply.score.to_le_bytes());
    }
    let checksum = crc32fast::hash(&bytes[CHECKSUM..]);
    bytes[..CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
    Ok(bytes)
}

fn decode(head: &[u8; GAME_HEAD], body: &[u8]) -> Option<GameRecord> {
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(&head[CHECKSUM..]);
    checksum.update(body);
    if head[..CHECKSUM] != checksum.finalize().to_le_bytes() {
        return None;
    }
    let outcome = usize::from(u16::from_le_bytes([head[6], head[7]]));
    let (first, plies) = body.split_first_chunk()?;
    let (plies, _) = plies.as_chunks();
    let ply = |&[a, b, c, d]: &[u8; 4]| ScoredPly {
        mv: Move::from_bits(u16::from_le_bytes([a, b])),
        score: i16::from_le_bytes([c, d]),
    };
    Some(GameRecord {
        start: packed_position::unpack(first)?,
        outcome: *GameOutcome::ALL.get(outcome)?,
        plies: plies.iter().map(ply).collect(),
    })
}

/// Adds games to a file, which is locked meanwhile. A new file gets its name in
/// [`GameWriter::finish`], and is removed if that is not called.
pub struct GameWriter {
    file: BufWriter<File>,
    path: PathBuf,
    /// The name to be, of a new file.
    name: Option<PathBuf>,
}

impl GameWriter {
    /// Begins a file, which must not be there yet.
    pub fn create(name: &Path) -> Result<GameWriter, GamesError> {
        if name.exists() {
            return Err(GamesError::Exists(name.to_owned()));
        }
        let mut path = name.to_owned().into_os_string();
        path.push(".part");
        let path = PathBuf::from(path);
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(false).open(&path);
        let file = file.map_err(FileError::on(&path))?;
        lock(&file, &path)?;
        file.set_len(0).map_err(FileError::on(&path))?;
        let writer = GameWriter { file: BufWriter::new(file), path, name: Some(name.to_owned()) };
        writer.begin()
    }

    /// Goes on with a file, or begins it. The games that are in it are shown to `present`.
    pub fn append(
        path: &Path,
        mut present: impl FnMut(GameRecord),
    ) -> Result<GameWriter, GamesError> {
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path);
        let mut file = file.map_err(FileError::on(path))?;
        lock(&file, path)?;
        let is_new = file.metadata().map_err(FileError::on(path))?.len() == 0;
        if !is_new {
            let mut reader = GameReader::new(file.try_clone().map_err(FileError::on(path))?, path)?;
            while let Some(game) = reader.read()? {
                present(game);
            }
            file.set_len(reader.end).map_err(FileError::on(path))?;
            file.seek(SeekFrom::Start(reader.end)).map_err(FileError::on(path))?;
        }
        let writer = GameWriter { file: BufWriter::new(file), path: path.to_owned(), name: None };
        if is_new { writer.begin() } else { Ok(writer) }
    }

    fn begin(mut self) -> Result<GameWriter, GamesError> {
        let mut head = [0; FILE_HEAD];
        head[..8].copy_from_slice(&MAGIC);
        head[8..12].copy_from_slice(&VERSION.to_le_bytes());
        self.file.write_all(&head).map_err(FileError::on(&self.path))?;
        self.flush()?;
        Ok(self)
    }

    pub fn write(&mut self, game: &GameRecord) -> Result<(), GamesError> {
        Ok(self.file.write_all(&encode(game)?).map_err(FileError::on(&self.path))?)
    }

    /// Sees to it that no game is lost from here on, even if the program is killed.
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
        if self.name.is_some() {
            remove_file(&self.path).ok();
        }
    }
}

fn lock(file: &File, path: &Path) -> Result<(), GamesError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(GamesError::Busy(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(FileError::on(path)(error).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zebu::board::Position;

    const GAMES: [usize; 3] = [1, 7, 200];

    fn game(plies: usize) -> GameRecord {
        let ply = |i: usize| ScoredPly { mv: Move::from_bits(i as u16), score: 100 - i as i16 };
        let outcome = GameOutcome::ALL[plies % 3];
        GameRecord { start: Position::start(), outcome, plies: (0..plies).map(ply).collect() }
    }

    /// A file of games that is gone when the test is over.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Scratch {
            let name = format!("zebu-games-{}-{name}", std::process::id());
            let scratch = Scratch(std::env::temp_dir().join(name));
            let mut writer = GameWriter::create(&scratch.0).unwrap();
            for plies in GAMES {
                writer.write(&game(plies)).unwrap();
            }
            writer.finish().unwrap();
            scratch
        }

        fn read(&self) -> Result<Vec<GameRecord>, GamesError> {
            GameReader::open(&self.0)?.collect()
        }

        fn change(&self, change: impl FnOnce(&mut Vec<u8>)) {
            let mut bytes = std::fs::read(&self.0).unwrap();
            change(&mut bytes);
            std::fs::write(&self.0, bytes).unwrap();
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            remove_file(&self.0).ok();
        }
    }

    #[test]
    fn games_come_back_as_they_were() {
        let scratch = Scratch::new("whole");
        assert_eq!(scratch.read().unwrap(), GAMES.map(game));
    }

    #[test]
    fn a_torn_game_is_not_seen_and_is_cut_off() {
        let scratch = Scratch::new("torn");
        for lost in 1..300 {
            scratch.change(|bytes| bytes.truncate(bytes.len() - lost));
            assert_eq!(
                scratch.read().unwrap(),
                GAMES[..2].iter().map(|&n| game(n)).collect::<Vec<_>>()
            );
            let mut seen = 0;
            let mut writer = GameWriter::append(&scratch.0, |_| seen += 1).unwrap();
            assert_eq!(seen, 2);
            writer.write(&game(GAMES[2])).unwrap();
            writer.finish().unwrap();
            assert_eq!(scratch.read().unwrap(), GAMES.map(game));
        }
    }

    #[test]
    fn a_damaged_game_is_named() {
        let scratch = Scratch::new("damaged");
        scratch.change(|bytes| bytes[70] ^= 1);
        let at = FILE_HEAD + GAME_HEAD + packed_position::BYTES + 4;
        let error = scratch.read().unwrap_err();
        assert!(matches!(error, GamesError::Damaged { at: place, .. } if place == at as u64));
        assert!(GameWriter::append(&scratch.0, |_| {}).is_err());
    }

    #[test]
    fn foreign_and_newer_files_are_refused() {
        let scratch = Scratch::new("foreign");
        scratch.change(|bytes| bytes[8] = 9);
        assert!(matches!(scratch.read(), Err(GamesError::Newer { found: 9, .. })));
        scratch.change(|bytes| bytes[0] = 0);
        assert!(matches!(scratch.read(), Err(GamesError::Foreign(_))));
        scratch.change(|bytes| bytes.truncate(5));
        assert!(matches!(GameWriter::append(&scratch.0, |_| {}), Err(GamesError::Foreign(_))));
        assert_eq!(std::fs::read(&scratch.0).unwrap().len(), 5);
    }

    #[test]
    fn a_file_is_written_by_one_and_never_replaced() {
        let scratch = Scratch::new("once");
        assert!(matches!(GameWriter::create(&scratch.0), Err(GamesError::Exists(_))));
        let _writer = GameWriter::append(&scratch.0, |_| {}).unwrap();
        assert!(matches!(GameWriter::append(&scratch.0, |_| {}), Err(GamesError::Busy(_))));
    }

    #[test]
    fn what_is_not_finished_leaves_nothing() {
        let scratch = Scratch::new("unfinished");
        remove_file(&scratch.0).unwrap();
        let writer = GameWriter::create(&scratch.0).unwrap();
        let part = writer.path.clone();
        assert!(part.exists());
        drop(writer);
        assert!(!part.exists() && !scratch.0.exists());
    }
}
