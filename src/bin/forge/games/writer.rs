//! Writes files of games.

use std::fs::{File, OpenOptions, TryLockError, remove_file, rename};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::format::{GamesError, Version};
use super::reader::GameReader;
use super::record::GameRecord;
use crate::files::FileError;

/// Adds games to a file, which is locked meanwhile. A new file gets its name in
/// [`GameWriter::finish`], and is removed if that is not called.
pub struct GameWriter {
    file: BufWriter<File>,
    version: Version,
    path: PathBuf,
    /// The final name of a new file.
    name: Option<PathBuf>,
}

impl GameWriter {
    /// A new file, which must not exist yet.
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
        GameWriter::begin(file, path, Some(name.to_owned()))
    }

    /// Continues a file in its version of the format, or begins a new one. `visit` gets the games that
    /// are in it. A game at the end that is cut short is removed.
    pub fn append(
        path: &Path,
        mut visit: impl FnMut(GameRecord),
    ) -> Result<GameWriter, GamesError> {
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path);
        let mut file = file.map_err(FileError::on(path))?;
        lock(&file, path)?;
        if file.metadata().map_err(FileError::on(path))?.len() == 0 {
            return GameWriter::begin(file, path.to_owned(), None);
        }
        let mut reader = GameReader::of(file.try_clone().map_err(FileError::on(path))?, path)?;
        for game in reader.by_ref() {
            visit(game?);
        }
        file.set_len(reader.end()).map_err(FileError::on(path))?;
        file.seek(SeekFrom::Start(reader.end())).map_err(FileError::on(path))?;
        let (file, version) = (BufWriter::new(file), reader.version());
        Ok(GameWriter { file, version, path: path.to_owned(), name: None })
    }

    fn begin(file: File, path: PathBuf, name: Option<PathBuf>) -> Result<GameWriter, GamesError> {
        let version = Version::Compact;
        let mut writer = GameWriter { file: BufWriter::new(file), version, path, name };
        writer.write_bytes(&version.file_head())?;
        writer.flush()?;
        Ok(writer)
    }

    pub fn write(&mut self, game: &GameRecord) -> Result<(), GamesError> {
        self.write_bytes(&self.version.encode(game)?)
    }

    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), GamesError> {
        Ok(self.file.write_all(bytes).map_err(FileError::on(&self.path))?)
    }

    /// From here on no game is lost if the program is killed.
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
        // A process that was just begun may hold the file for a moment, and with it the lock.
        self.flush().ok();
        self.file.get_ref().unlock().ok();
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
    use super::super::samples::{self, TempFile, VERSIONS};
    use super::*;

    /// Adds a game to a file, and returns what is in it then.
    fn append(file: &TempFile, game: &GameRecord) -> Vec<GameRecord> {
        let mut writer = GameWriter::append(file.path(), |_| {}).unwrap();
        writer.write(game).unwrap();
        writer.finish().unwrap();
        GameReader::open(file.path()).unwrap().map(Result::unwrap).collect()
    }

    #[test]
    fn files_are_continued_in_their_version() {
        let file = TempFile::new("continued");
        let games = samples::games(5, 1);
        for version in VERSIONS {
            file.write_games(version, &games[..4]);
            assert_eq!(append(&file, &games[4]), games);
            let bytes = file.bytes();
            file.write_games(version, &games);
            assert_eq!(file.bytes(), bytes);
        }
    }

    #[test]
    fn a_game_cut_short_is_removed() {
        let file = TempFile::new("cut");
        let games = samples::games(3, 2);
        for version in VERSIONS {
            let places = file.write_games(version, &games);
            let bytes = file.bytes();
            for end in places[2] + 1..places[3] {
                file.write(&bytes[..end]);
                assert_eq!(append(&file, &games[2]), games);
                assert_eq!(file.bytes(), bytes);
            }
        }
    }

    #[test]
    fn damage_stays_where_it_is() {
        let file = TempFile::new("kept");
        let games = samples::games(3, 3);
        for version in VERSIONS {
            let places = file.write_games(version, &games[..2]);
            let mut bytes = file.bytes();
            bytes[places[1] + 30] ^= 1;
            file.write(&bytes);
            assert_eq!(append(&file, &games[2]), [0, 2].map(|number| games[number].clone()));
            assert!(file.bytes().starts_with(&bytes));
        }
    }

    #[test]
    fn a_file_has_one_writer_and_is_never_replaced() {
        let file = TempFile::new("once");
        file.write_games(Version::Compact, &[]);
        assert!(matches!(GameWriter::create(file.path()), Err(GamesError::Exists(_))));
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
}
