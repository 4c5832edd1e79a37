//! What the engine reads from files that options name: a network, a book, endgame
//! tables.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::options::{Options, Setting, printable, refused};
use crate::book::Book;
use crate::eval::Network;
use crate::search::SyzygyOptions;
use crate::tablebase::Tablebase;

pub struct Files {
    pub network: Arc<Network>,
    pub book: Option<Book>,
    pub tablebase: Option<Arc<Tablebase>>,
}

impl Files {
    /// What the options name. One that names something wrong becomes empty, and the first of these
    /// is complained about.
    pub fn load(options: &mut Options, complaint: &mut Option<String>) -> Files {
        let mut files = Files { network: Network::embedded(), book: None, tablebase: None };
        let mut keep = |name: &mut Option<PathBuf>, setting: fn(Option<PathBuf>) -> Setting| {
            if name.is_some()
                && let Err(reason) = files.take(&setting(name.clone()))
            {
                complaint.get_or_insert(reason);
                *name = None;
            }
        };
        keep(&mut options.eval_file, Setting::EvalFile);
        keep(&mut options.book_file, Setting::BookFile);
        keep(&mut options.syzygy_path, Setting::SyzygyPath);
        files
    }

    /// Reads what a setting names, in place of what was there. If that cannot be had, all stays as it
    /// was, and the error says why.
    pub fn take(&mut self, setting: &Setting) -> Result<(), String> {
        match setting {
            Setting::EvalFile(file) => {
                self.network = Network::load(file.as_deref())
                    .map_err(|error| refused("EvalFile", file, error))?;
            }
            Setting::BookFile(file) => {
                self.book = Book::load(file.as_deref())
                    .map_err(|error| refused("BookFile", file, error))?;
            }
            Setting::SyzygyPath(folders) => {
                let folders = folders.as_deref().map(Tablebase::open);
                self.tablebase = folders.transpose().map_err(wrong_tables)?.map(Arc::new);
            }
            _ => {}
        }
        Ok(())
    }

    /// Which of the endgame tables a search may ask, and when.
    pub fn syzygy(&self, options: &Options) -> SyzygyOptions {
        SyzygyOptions {
            tablebase: self.tablebase.clone(),
            min_depth: options.syzygy_probe_depth,
            max_pieces: options.syzygy_probe_limit,
            fifty_moves: options.syzygy_50_move_rule,
        }
    }

    /// A table that turned out damaged since this was last asked.
    pub fn trouble(&self) -> Option<String> {
        self.tablebase.as_ref()?.next_error().map(wrong_tables)
    }
}

fn wrong_tables(reason: impl fmt::Display) -> String {
    let reason: String = reason.to_string().chars().map(printable).collect();
    format!("option SyzygyPath: {reason}")
}
