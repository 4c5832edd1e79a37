//! Files of games, of which only a part is in memory at a time.

use std::iter;
use std::path::PathBuf;

use bytemuck::Zeroable;
use rayon::prelude::*;

use super::filter::{Filter, Illegal};
use super::order::{Order, scramble};
use super::record::Record;
use crate::games::{Game, GamesError, Reader};

/// Games that are read together.
const BLOCK: usize = 32;

#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    #[error(transparent)]
    Games(#[from] GamesError),
    #[error("{}: ply {ply} of game {game} is not a legal move", .path.display())]
    Illegal { path: PathBuf, game: usize, ply: usize },
    #[error("{} changed while it was read", .0.display())]
    Changed(PathBuf),
    #[error("there is no position to learn from in {0} games")]
    Nothing(usize),
    #[error("of {0} games none is held out to judge by: more games are needed, or a larger share")]
    NothingHeldOut(usize),
}

/// Some games that stand together in a file.
struct Block {
    /// The file's number.
    file: usize,
    place: u64,
    /// The number of the first game in the file.
    first: usize,
    games: usize,
    /// How many positions they have to learn from.
    positions: usize,
}

pub struct Library {
    files: Vec<PathBuf>,
    filter: Filter,
    /// The share of games, chosen by how they start, that nobody learns from.
    held_out_share: f64,
    blocks: Vec<Block>,
    /// The positions of these games.
    pub held_out: Vec<Record>,
}

impl Library {
    /// Reads all files once.
    pub fn open(
        files: &[PathBuf],
        filter: Filter,
        held_out_share: f64,
    ) -> Result<Library, LibraryError> {
        let (files, blocks, held_out) = (files.to_vec(), Vec::new(), Vec::new());
        let mut library = Library { files, filter, held_out_share, blocks, held_out };
        for file in 0..library.files.len() {
            library.survey(file)?;
        }
        let games = library.games();
        match (library.positions(), library.held_out.len()) {
            (0, _) => Err(LibraryError::Nothing(games)),
            (_, 0) => Err(LibraryError::NothingHeldOut(games)),
            _ => Ok(library),
        }
    }

    pub fn games(&self) -> usize {
        self.blocks.iter().map(|block| block.games).sum()
    }

    /// How many positions there are to learn from.
    pub fn positions(&self) -> usize {
        self.blocks.iter().map(|block| block.positions).sum()
    }

    /// Finds the blocks of a file, and the positions that are held out.
    fn survey(&mut self, file: usize) -> Result<(), LibraryError> {
        let mut reader = Reader::open(&self.files[file])?;
        let mut first = 0;
        let blocks = iter::from_fn(|| {
            let place = reader.place();
            let games: Result<Vec<Game>, GamesError> = reader.by_ref().take(BLOCK).collect();
            let block = games.map(|games| {
                let block = Block { file, place, first, games: games.len(), positions: 0 };
                first += games.len();
                (block, games)
            });
            Some(block).filter(|block| block.as_ref().map_or(true, |(block, _)| block.games > 0))
        });
        let mut blocks = blocks
            .par_bridge()
            .map(|found| {
                let (mut block, games) = found?;
                let (mut own, mut held_out) = (0, Vec::new());
                self.select(&block, &games, |_| own += 1, |record| held_out.push(record))?;
                block.positions = own;
                Ok((block, held_out))
            })
            .collect::<Result<Vec<_>, LibraryError>>()?;
        blocks.sort_by_key(|(block, _)| block.place);
        for (block, held_out) in blocks {
            self.blocks.push(block);
            self.held_out.extend(held_out);
        }
        Ok(())
    }

    /// Gives the positions of a block's games to whom they are for.
    fn select(
        &self,
        block: &Block,
        games: &[Game],
        mut learn: impl FnMut(Record),
        mut hold_out: impl FnMut(Record),
    ) -> Result<(), LibraryError> {
        for (number, game) in games.iter().enumerate() {
            let lot = scramble(game.start.key()) as f64 / u64::MAX as f64;
            let passed = if lot < self.held_out_share {
                self.filter.pass(game, &mut hold_out)
            } else {
                self.filter.pass(game, &mut learn)
            };
            passed.map_err(|Illegal(ply)| LibraryError::Illegal {
                path: self.files[block.file].clone(),
                game: block.first + number + 1,
                ply: ply + 1,
            })?;
        }
        Ok(())
    }

    /// Deals all blocks, in an order that the seed decides, to shelves of at most so many positions
    /// (but at least one block).
    pub fn shelves(&self, capacity: usize, seed: u64) -> Vec<Shelf> {
        let order = Order::new(self.blocks.len(), seed);
        let mut shelves: Vec<Shelf> = Vec::new();
        for number in (0..self.blocks.len()).map(|place| order.at(place)) {
            let positions = self.blocks[number].positions;
            if positions == 0 {
                continue;
            }
            match shelves.last_mut().filter(|shelf| shelf.positions + positions <= capacity) {
                Some(shelf) => {
                    shelf.blocks.push(number);
                    shelf.positions += positions;
                }
                None => shelves.push(Shelf { blocks: vec![number], positions }),
            }
        }
        // What all fits one shelf stands there alike whatever the seed.
        shelves.iter_mut().for_each(|shelf| shelf.blocks.sort_unstable());
        shelves
    }

    /// Reads the positions of a shelf.
    pub fn fetch(&self, shelf: &Shelf) -> Result<Vec<Record>, LibraryError> {
        let mut records = vec![Record::zeroed(); shelf.positions];
        let mut rest = records.as_mut_slice();
        let mut places = Vec::new();
        for &number in &shelf.blocks {
            let block = &self.blocks[number];
            let (place, after) = rest.split_at_mut(block.positions);
            places.push((block, place));
            rest = after;
        }
        places.into_par_iter().try_for_each(|(block, place)| self.read(block, place))?;
        Ok(records)
    }

    fn read(&self, block: &Block, to: &mut [Record]) -> Result<(), LibraryError> {
        let mut reader = Reader::open(&self.files[block.file])?;
        reader.go_to(block.place)?;
        let games = reader.take(block.games).collect::<Result<Vec<Game>, GamesError>>()?;
        let mut places = to.iter_mut();
        let mut surplus = 0;
        let keep = |record| match places.next() {
            Some(place) => *place = record,
            None => surplus += 1,
        };
        self.select(block, &games, keep, |_| ())?;
        if surplus > 0 || places.next().is_some() {
            return Err(LibraryError::Changed(self.files[block.file].clone()));
        }
        Ok(())
    }
}

/// What is in memory at a time.
pub struct Shelf {
    /// The blocks' numbers.
    blocks: Vec<usize>,
    pub positions: usize,
}
