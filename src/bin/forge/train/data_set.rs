//! The training positions of files of games, a chunk in memory at a time.

use std::path::PathBuf;

use bytemuck::Zeroable;
use rayon::prelude::*;

use super::filter::Filter;
use super::permutation::{Permutation, mix};
use super::training_position::TrainingPosition;
use crate::games::{GameReader, GameRecord, GamesError};

/// Games in a block, the unit of shuffling on disk.
const BLOCK: usize = 32;

#[derive(Debug, thiserror::Error)]
pub enum DataSetError {
    #[error(transparent)]
    Games(#[from] GamesError),
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
        let mut data_set = DataSet {
            files: files.to_vec(),
            filter,
            validation_share,
            blocks: Vec::new(),
            validation_set: Vec::new(),
        };
        let indices: Result<Vec<_>, GamesError> =
            (0..files.len()).into_par_iter().map(|file| data_set.index(file)).collect();
        for (blocks, validation_set) in indices? {
            data_set.blocks.extend(blocks);
            data_set.validation_set.extend(validation_set);
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

    /// The blocks of a file, and its part of the validation set.
    fn index(&self, file: usize) -> Result<(Vec<Block>, Vec<TrainingPosition>), GamesError> {
        let mut reader = GameReader::open(&self.files[file])?;
        let (mut blocks, mut validation_set) = (Vec::new(), Vec::new());
        loop {
            let mut block = Block { file, place: reader.place(), games: 0, positions: 0 };
            for game in reader.by_ref().take(BLOCK) {
                let game = game?;
                block.games += 1;
                if self.is_for_validation(&game) {
                    validation_set.extend(self.filter.positions(&game));
                } else {
                    block.positions += self.filter.positions(&game).count();
                }
            }
            if block.games == 0 {
                return Ok((blocks, validation_set));
            }
            blocks.push(block);
        }
    }

    fn is_for_validation(&self, game: &GameRecord) -> bool {
        (mix(game.start.key()) as f64) < self.validation_share * u64::MAX as f64
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
        let changed = || DataSetError::Changed(self.files[block.file].clone());
        let mut reader = GameReader::open(&self.files[block.file])?;
        reader.go_to(block.place)?;
        let mut filled = 0;
        for game in reader.take(block.games) {
            let game = game?;
            if !self.is_for_validation(&game) {
                for position in self.filter.positions(&game) {
                    *to.get_mut(filled).ok_or_else(changed)? = position;
                    filled += 1;
                }
            }
        }
        if filled == to.len() { Ok(()) } else { Err(changed()) }
    }
}

/// Blocks whose positions are in memory together.
pub struct Chunk {
    /// Indices.
    blocks: Vec<usize>,
    pub positions: usize,
}
