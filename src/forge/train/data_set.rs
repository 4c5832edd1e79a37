//! The training positions of game files, one chunk in memory at a time.

use std::path::PathBuf;
use std::vec;

use bytemuck::Zeroable;
use engine::board::Position;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::microbatch::TrainingPosition;
use crate::games::{GameReader, GameRecord, GamesError, Labels, ScoredPly};
use crate::sigmoid::{ScoreBin, fitted_scale, sigmoid};

/// Games in a block, the unit of shuffling on disk.
const BLOCK: usize = 32;

/// The largest score to train on.
const LIMIT: i16 = 2000;

/// The most positions for validation. More would cost time without adding information.
const MOST_VALIDATION: usize = 1 << 20;

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
    /// The number of their training positions.
    positions: usize,
}

/// An index of a file.
struct Index {
    blocks: Vec<Block>,
    /// With scores that are not blended.
    validation_set: Vec<TrainingPosition>,
    /// Positions by score, from the lowest one.
    bins: Vec<ScoreBin>,
}

pub struct DataSet {
    files: Vec<PathBuf>,
    /// One per file.
    filters: Vec<Filter>,
    /// The share of games, chosen by their openings, for validation.
    validation_share: f64,
    /// The scale of each file's scores.
    pub scales: Vec<f32>,
    blocks: Vec<Block>,
    pub validation_set: Vec<TrainingPosition>,
}

impl DataSet {
    /// Reads all files once to find their blocks, the scales of their scores and the validation set. A
    /// `scale` overrides those of the files.
    pub fn open(
        files: &[PathBuf],
        filters: Vec<Filter>,
        validation_share: f64,
        scale: Option<f32>,
    ) -> Result<DataSet, DataSetError> {
        let mut data_set = DataSet {
            files: files.to_vec(),
            filters,
            validation_share,
            scales: Vec::new(),
            blocks: Vec::new(),
            validation_set: Vec::new(),
        };
        let indices: Vec<Result<Index, GamesError>> =
            (0..files.len()).into_par_iter().map(|file| data_set.index(file)).collect();
        for index in indices {
            let mut index = index?;
            let scale = scale.unwrap_or_else(|| fitted_scale(&index.bins) as f32);
            index.validation_set.iter_mut().for_each(|position| position.rescale(scale));
            data_set.scales.push(scale);
            data_set.blocks.extend(index.blocks);
            data_set.validation_set.extend(index.validation_set);
        }
        let step = data_set.validation_set.len().div_ceil(MOST_VALIDATION).max(1);
        data_set.validation_set = data_set.validation_set.into_iter().step_by(step).collect();
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

    /// The number of training positions in all files.
    pub fn positions(&self) -> usize {
        self.blocks.iter().map(|block| block.positions).sum()
    }

    /// The number of training positions in a file.
    pub fn positions_of(&self, file: usize) -> usize {
        let blocks = self.blocks.iter().filter(|block| block.file == file);
        blocks.map(|block| block.positions).sum()
    }

    fn index(&self, file: usize) -> Result<Index, GamesError> {
        let bin = |score: i16| ScoreBin { score: score.into(), ..ScoreBin::default() };
        let bins = (-LIMIT..=LIMIT).map(bin).collect();
        let mut index = Index { blocks: Vec::new(), validation_set: Vec::new(), bins };
        let mut reader = GameReader::open(&self.files[file])?;
        loop {
            let place = reader.place();
            let Some(game) = reader.next() else { return Ok(index) };
            let game = game?;
            let block = match index.blocks.last_mut().filter(|block| block.games < BLOCK) {
                Some(block) => block,
                None => index.blocks.push_mut(Block { file, place, games: 0, positions: 0 }),
            };
            block.games += 1;
            let is_for_validation = self.is_for_validation(&game);
            for position in self.filters[file].positions(&game) {
                let bin = &mut index.bins[(position.score + LIMIT) as usize];
                bin.positions += 1.0;
                bin.points += f64::from(position.result());
                if is_for_validation {
                    index.validation_set.push(position);
                } else {
                    block.positions += 1;
                }
            }
        }
    }

    fn is_for_validation(&self, game: &GameRecord) -> bool {
        (mix(game.start.key()) as f64) < self.validation_share * u64::MAX as f64
    }

    /// All blocks in random order, in chunks of up to this many positions, but at least one block.
    fn chunks(&self, capacity: usize, seed: u64) -> Vec<Chunk> {
        let mut blocks: Vec<usize> = (0..self.blocks.len()).collect();
        blocks.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        let mut chunks: Vec<Chunk> = Vec::new();
        for block in blocks {
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
        // Makes a single chunk the same for every seed.
        chunks.iter_mut().for_each(|chunk| chunk.blocks.sort_unstable());
        chunks
    }

    /// Reads the positions of a chunk.
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
                for mut position in self.filters[block.file].positions(&game) {
                    position.rescale(self.scales[block.file]);
                    *to.get_mut(filled).ok_or_else(changed)? = position;
                    filled += 1;
                }
            }
        }
        if filled == to.len() { Ok(()) } else { Err(changed()) }
    }
}

/// Blocks whose positions are in memory together.
#[derive(PartialEq, Eq)]
pub struct Chunk {
    /// Indices.
    blocks: Vec<usize>,
    pub positions: usize,
}

/// An endless sequence of chunks: those of one epoch, then those of the next one in another order.
pub struct Schedule<'a> {
    data_set: &'a DataSet,
    /// Positions in a chunk.
    capacity: usize,
    seed: u64,
    epochs: u64,
    rest: vec::IntoIter<Chunk>,
}

impl<'a> Schedule<'a> {
    pub fn new(data_set: &'a DataSet, capacity: usize, seed: u64) -> Schedule<'a> {
        Schedule { data_set, capacity, seed, epochs: 0, rest: Vec::new().into_iter() }
    }

    pub fn next(&mut self) -> Chunk {
        loop {
            // A data set is not empty.
            if let Some(chunk) = self.rest.next() {
                return chunk;
            }
            let seed = mix(self.seed.wrapping_add(self.epochs));
            self.rest = self.data_set.chunks(self.capacity, seed).into_iter();
            self.epochs += 1;
        }
    }
}

/// The choice of training positions in a game: quiet ones, since quiescence search resolves the others.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    /// See [`blended_scores`].
    pub lambda: f32,
    pub labels: Labels,
}

impl Filter {
    pub fn positions(self, game: &GameRecord) -> impl Iterator<Item = TrainingPosition> + '_ {
        let scores = blended_scores(&game.plies, self.lambda);
        let kept = game
            .positions()
            .zip(scores)
            .filter(move |((position, ply), _)| self.keeps(position, *ply));
        kept.map(move |((position, _), score)| {
            TrainingPosition::new(&position, score.clamp(-LIMIT, LIMIT), game.outcome)
        })
    }

    fn keeps(self, position: &Position, ply: ScoredPly) -> bool {
        ply.score.unsigned_abs() <= LIMIT.unsigned_abs()
            && !position.is_noisy(ply.mv)
            && !position.in_check()
            && self.labels.contains(position)
    }
}

/// The centipawns per logit for blending scores. It need not be precise, because the blend of equal scores is
/// the score.
const BLEND_SCALE: f32 = 400.0;

/// The score of each ply, of which the share `lambda` comes from the blended score of the next ply:
/// TD(lambda). A search of a few dozen nodes sees little; the scores of the following moves saw more, as if
/// the search had gone deeper where the game went.
fn blended_scores(plies: &[ScoredPly], lambda: f32) -> Vec<i16> {
    let mut scores: Vec<i16> = plies.iter().map(|ply| ply.score).collect();
    if lambda > 0.0 {
        let mut next: Option<f32> = None;
        for score in scores.iter_mut().rev() {
            let own = sigmoid(f32::from(*score) / BLEND_SCALE);
            let points = next.map_or(own, |next| own + lambda * (1.0 - next - own));
            next = Some(points);
            // Rust's casts saturate, including for the infinite logits of mates.
            *score = (BLEND_SCALE * (points / (1.0 - points)).ln()).round() as i16;
        }
    }
    scores
}

/// A hash whose upper bits depend on all bits of `number`.
pub fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (number ^ number >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::samples::{TempFile, extremes};

    fn blend(scores: &[i16], lambda: f32) -> Vec<i16> {
        let mv = Position::start().legal_moves()[0];
        let plies: Vec<ScoredPly> = scores.iter().map(|&score| ScoredPly { mv, score }).collect();
        blended_scores(&plies, lambda)
    }

    #[test]
    fn later_scores_count_from_the_other_side() {
        assert_eq!(blend(&[10, 300, -32000], 0.0), [10, 300, -32000]);
        assert_eq!(blend(&[120, -120, 120], 0.5), [120, -120, 120]);
        assert_eq!(blend(&[20, 0, 0, -60], 1.0), [60, -60, 60, -60]);
        // Small scores are nearly proportional to their points.
        assert_eq!(blend(&[0, 0, 40], 0.5), [10, -20, 40]);
    }

    #[test]
    fn mates_stay_in_range() {
        let blended = blend(&[0, 31_999, -31_998, 32_000], 0.5);
        assert!(blended[0] < 0 && blended[1] > 0, "{blended:?}");
        assert!((-2000..2000).contains(&blended[0]), "{blended:?}");
    }

    /// All counted positions can be loaded, and their numbers are valid.
    #[test]
    fn fuzzed() {
        let (file, others) = (TempFile::new("fuzzed-data-set"), extremes());
        crate::fuzzer::fuzz("data_set", others.clone(), |game| {
            // The first byte decides whether it is alone.
            let others =
                if game.first().is_some_and(|byte| byte % 8 == 0) { &[] } else { &others[..] };
            let Some(()) = file.write_fuzzed(game, others) else { return "damaged".to_string() };
            let filters = vec![Filter { lambda: 0.5, labels: Labels(1.0) }];
            match DataSet::open(&[file.path().to_owned()], filters, 0.5, None) {
                Ok(set) => {
                    let chunks = set.chunks(3, 1);
                    let loaded =
                        chunks.iter().map(|chunk| set.load(chunk).expect("it is there").len());
                    assert_eq!(loaded.sum::<usize>(), set.positions());
                    assert!(set.scales.iter().all(|scale| scale.is_finite() && *scale > 0.0));
                    "position ".repeat(set.positions())
                }
                Err(error) => error.to_string(),
            }
        });
    }
}
