//! Endgame tables in the Syzygy format: what is known of positions with few pieces.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{env, fmt, fs, io};

use shakmaty::{CastlingMode, Chess, PositionError, Setup};
use shakmaty_syzygy::{Dtz, Metric, ProbeError, SyzygyError};

use crate::board::{CastlingSide, Color, Position};

/// What the side to move gets, if the fifty moves are counted from now on. Wins that they spoil are
/// cursed, losses that they spoil blessed.
pub use shakmaty_syzygy::Wdl as Verdict;

/// Files that may be open at once: all tables of up to seven pieces, and what the engine needs
/// besides.
const OPEN_FILES: u64 = 4096;

/// Why there is no tablebase.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    #[error("{}: {reason}", .path.display())]
    Unreadable { path: PathBuf, reason: io::Error },
    #[error("{}: there are no tables in it", .0.display())]
    NoTables(PathBuf),
    #[error("{}: no whole table has this size", .0.display())]
    Damaged(PathBuf),
}

/// The tables of some folders. A file is opened when it is first needed.
pub struct Tablebase {
    tables: shakmaty_syzygy::Tablebase<Chess>,
    files: usize,
    troubles: Mutex<Troubles>,
}

/// What went wrong with tables, each named once.
#[derive(Default)]
struct Troubles {
    all: Vec<String>,
    told: usize,
}

impl Tablebase {
    /// The tables of folders that are separated as in the variable PATH.
    pub fn open(folders: &Path) -> Result<Tablebase, TablebaseError> {
        // Where the system allows less, tables are found not to open one by one.
        rlimit::increase_nofile_limit(OPEN_FILES).ok();
        let tables = shakmaty_syzygy::Tablebase::new();
        let mut tablebase = Tablebase { tables, files: 0, troubles: Mutex::default() };
        for folder in env::split_paths(folders).filter(|path| !path.as_os_str().is_empty()) {
            let before = tablebase.files;
            tablebase.add(&folder)?;
            if tablebase.files == before {
                return Err(TablebaseError::NoTables(folder));
            }
        }
        if tablebase.files == 0 {
            return Err(TablebaseError::NoTables(folders.to_path_buf()));
        }
        Ok(tablebase)
    }

    fn add(&mut self, folder: &Path) -> Result<(), TablebaseError> {
        let unreadable =
            |path: &Path, reason| TablebaseError::Unreadable { path: path.to_path_buf(), reason };
        for entry in fs::read_dir(folder).map_err(|reason| unreadable(folder, reason))? {
            let file = entry.map_err(|reason| unreadable(folder, reason))?.path();
            match self.tables.add_file(&file) {
                Ok(()) => self.files += 1,
                // Something else may stand beside the tables.
                Err(error) if error.kind() == io::ErrorKind::InvalidInput => {}
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    return Err(TablebaseError::Damaged(file));
                }
                Err(reason) => return Err(unreadable(&file, reason)),
            }
        }
        Ok(())
    }

    /// No table is about more pieces than this, kings included.
    pub fn most_pieces(&self) -> usize {
        self.tables.max_pieces()
    }

    /// What the side to move gets, if the tables know it.
    pub fn verdict(&self, position: &Position) -> Option<Verdict> {
        let position = self.translated(position)?;
        self.answer(self.tables.probe_wdl_after_zeroing(&position))
    }

    /// The plies to the next capture, pawn move or mate if both sides play for the result, if the
    /// tables know it: negative for who loses, 0 for a draw, and by at least 100 more where fifty
    /// moves are not enough. It may be one too few.
    pub fn distance(&self, position: &Position) -> Option<i32> {
        let position = self.translated(position)?;
        let distance = self.answer(self.tables.probe_dtz(&position))?;
        Some(distance.ignore_rounding().0)
    }

    /// The position as the tables' package wants it. Nothing is known where there are many pieces,
    /// or a right to castle.
    fn translated(&self, position: &Position) -> Option<Chess> {
        let rights = |color| CastlingSide::BOTH.map(|wing| position.castling_rook(color, wing));
        let can_castle = Color::BOTH.into_iter().flat_map(rights).any(|rook| rook.is_some());
        if can_castle || position.occupied().len() as usize > self.most_pieces() {
            return None;
        }
        let mut setup = Setup::empty();
        for (square, piece) in position.pieces() {
            setup.board.set_piece_at(square.into(), piece.into());
        }
        setup.turn = position.side().into();
        setup.ep_square = position.en_passant().map(Into::into);
        let read = setup.position::<Chess>(CastlingMode::Chess960);
        read.or_else(PositionError::ignore_impossible_check).ok()
    }

    /// An answer if there is one. That a table is missing is no trouble; that it is damaged is.
    fn answer<T>(&self, answer: Result<T, SyzygyError>) -> Option<T> {
        match answer {
            Ok(answer) => Some(answer),
            Err(SyzygyError::ProbeFailed { metric, material, error }) => {
                let kind = if metric == Metric::Wdl { "rtbw" } else { "rtbz" };
                let reason = match *error {
                    ProbeError::Read { error } => error.to_string(),
                    ProbeError::Magic { .. } | ProbeError::CorruptedTable { .. } => {
                        "it is damaged".to_string()
                    }
                };
                self.note(format!("{material}.{kind}: {reason}"));
                None
            }
            Err(_) => None,
        }
    }

    fn note(&self, trouble: String) {
        let mut troubles = self.troubles.lock().unwrap_or_else(PoisonError::into_inner);
        if !troubles.all.contains(&trouble) {
            troubles.all.push(trouble);
        }
    }

    /// A table that turned out damaged, and was not told before.
    pub fn next_trouble(&self) -> Option<String> {
        let mut troubles = self.troubles.lock().unwrap_or_else(PoisonError::into_inner);
        let trouble = troubles.all.get(troubles.told).cloned()?;
        troubles.told += 1;
        Some(trouble)
    }
}

impl fmt::Display for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} tables of up to {} pieces", self.files, self.most_pieces())
    }
}

/// The distance to a capture or pawn move that brings a verdict, if it is made at once.
pub fn distance_at_once(verdict: Verdict) -> i32 {
    Dtz::before_zeroing(verdict).0
}
