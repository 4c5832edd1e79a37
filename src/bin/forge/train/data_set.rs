//! The training positions of files of games, a chunk in memory at a time.

use std::iter;
use std::path::PathBuf;

use bytemuck::Zeroable;
use rayon::prelude::*;

use super::filter::{Filter, Illegal};
use super::permutation::{Permutation, mix};
use super::training_position::TrainingPosition;
use crate::games::{GameReader, GameRecord, GamesError};

/// Games in a block, the unit of shuffling on disk.
const BLOCK: usize = 32;

#[derive(Debug, thiserror::Error)]
pub enum DataSetError {
    #[error(transparent)]
    Games(#[from] GamesError),
    #[error("{}: ply {ply} of game {game} is not a legal move", .path.display())]
    Illegal { path: PathBuf, game: usize, ply: usize },
    #[error("{} changed while it was read", .0.display())]
    Changed(PathBuf),
    #[error("there is no position to train on in {0} games")]
    Empty(usize),
    #[error("of {0} games none is for validation: more games are needed, or a larger share")]
    NoValidation(usize),
}

/// Consecutive games of a file.
struct Block {
    /// The index of the file.
    file: usize,
    place: u64,
    /// The number of the first game in the file.
    first: usize,
    games: usize,
    /// Their training positions.
    positions: usize,
}

pub struct DataSet {
    files: Vec<PathBuf>,
    filter: Filter,
    /// The share of games, chosen by their openings, for validation.
    validation_share: f64,
    blocks: Vec<Block>,
    pub validation_set: Vec<TrainingPosition>,
}

impl DataSet {
    /// Reads all files once, to find their blocks and the validation set.
    pub fn open(
        files: &[PathBuf],
        filter: Filter,
        validation_share: f64,
    ) -> Result<DataSet, DataSetError> {
        let (files, blocks, validation_set) = (files.to_vec(), Vec::new(), Vec::new());
        let mut data_set = DataSet { files, filter, validation_share, blocks, validation_set };
        for file in 0..data_set.files.len() {
            data_set.index(file)?;
        }
        let games = data_set.games();
        match (data_set.positions(), data_set.validation_set.len()) {
            (0, _) => Err(DataSetError::Empty(games)),
            (_, 0) => Err(DataSetError::NoValidation(games)),
            _ => Ok(data_set),
        }
    }

    pub fn games(&self) -> usize {
        self.blocks.iter().map(|block| block.games).sum()
    }

    /// Training positions of all files.
    pub fn positions(&self) -> usize {
        self.blocks.iter().map(|block| block.positions).sum()
    }

    /// Adds the blocks of a file, and its part of the validation set.
    fn index(&mut self, file: usize) -> Result<(), DataSetError> {
        let mut reader = GameReader::open(&self.files[file])?;
        let mut first = 0;
        let blocks = iter::from_fn(|| {
            let place = reader.place();
            let games: Result<Vec<GameRecord>, GamesError> = reader.by_ref().take(BLOCK).collect();
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
                let (mut positions, mut validation_set) = (0, Vec::new());
                let count = |_| positions += 1;
                self.divide(&block, &games, count, |position| validation_set.push(position))?;
                block.positions = positions;
                Ok((block, validation_set))
            })
            .collect::<Result<Vec<_>, DataSetError>>()?;
        blocks.sort_by_key(|(block, _)| block.place);
        for (block, validation_set) in blocks {
            self.blocks.push(block);
            self.validation_set.extend(validation_set);
        }
        Ok(())
    }

    /// Gives the positions of a block's games to the sink for training or for validation.
    fn divide(
        &self,
        block: &Block,
        games: &[GameRecord],
        mut train: impl FnMut(TrainingPosition),
        mut validate: impl FnMut(TrainingPosition),
    ) -> Result<(), DataSetError> {
        for (number, game) in games.iter().enumerate() {
            let random = mix(game.start.key()) as f64 / u64::MAX as f64;
            let passed = if random < self.validation_share {
                self.filter.pass(game, &mut validate)
            } else {
                self.filter.pass(game, &mut train)
            };
            passed.map_err(|Illegal(ply)| DataSetError::Illegal {
                path: self.files[block.file].clone(),
                game: block.first + number + 1,
                ply: ply + 1,
            })?;
        }
        Ok(())
    }

    /// All blocks in random order, in chunks of up to this many positions (but at least one block).
    pub fn chunks(&self, capacity: usize, seed: u64) -> Vec<Chunk> {
        let permutation = Permutation::new(self.blocks.len(), seed);
        let mut chunks: Vec<Chunk> = Vec::new();
        for block in (0..self.blocks.len()).map(|index| permutation.at(index)) {
            let positions = self.blocks[block].positions;
            if positions == 0 {
                continue;
            }
            match chunks.last_mut().filter(|chunk| chunk.positions + positions <= capacity) {
                Some(chunk) => {
                    chunk.blocks.push(block);
                    chunk.positions += positions;
                }
                None => chunks.push(Chunk { blocks: vec![block], positions }),
            }
        }
        // A single chunk is then the same for every seed.
        chunks.iter_mut().for_each(|chunk| chunk.blocks.sort_unstable());
        chunks
    }

    /// The positions of a chunk.
    pub fn load(&self, chunk: &Chunk) -> Result<Vec<TrainingPosition>, DataSetError> {
        let mut positions = vec![TrainingPosition::zeroed(); chunk.positions];
        let mut rest = positions.as_mut_slice();
        let mut parts = Vec::new();
        for &block in &chunk.blocks {
            let block = &self.blocks[block];
            let (part, after) = rest.split_at_mut(block.positions);
            parts.push((block, part));
            rest = after;
        }
        parts.into_par_iter().try_for_each(|(block, part)| self.load_block(block, part))?;
        Ok(positions)
    }

    fn load_block(&self, block: &Block, to: &mut [TrainingPosition]) -> Result<(), DataSetError> {
        let mut reader = GameReader::open(&self.files[block.file])?;
        reader.go_to(block.place)?;
        let games = reader.take(block.games).collect::<Result<Vec<GameRecord>, GamesError>>()?;
        let mut slots = to.iter_mut();
        let mut surplus = 0;
        let keep = |position| match slots.next() {
            Some(slot) => *slot = position,
            None => surplus += 1,
        };
        self.divide(block, &games, keep, |_| ())?;
        if surplus > 0 || slots.next().is_some() {
            return Err(DataSetError::Changed(self.files[block.file].clone()));
        }
        Ok(())
    }
}

/// Blocks whose positions are in memory together.
pub struct Chunk {
    /// Indices.
    blocks: Vec<usize>,
    pub positions: usize,
}
