//! Checkpoints, from which training resumes.
//!
//! The file is, in the machine's own byte order: `ZEBUTRAI`, version, fingerprint of the settings,
//! chunks, steps, hidden, king buckets, output buckets, sums, points of the loss curve, eight bytes each;
//! then the points, the weights, their two moments, and the CRC-32 of all that.

use std::path::{Path, PathBuf};

use bytemuck::{Zeroable, bytes_of, cast_slice, cast_slice_mut};

use super::loss_curve::LossPoint;
use super::optimiser::Optimiser;
use super::weights::{Shape, Weights};
use crate::files::{FileError, replace};

const MAGIC: u64 = u64::from_le_bytes(*b"ZEBUTRAI");
const VERSION: u64 = 3;

/// Numbers before the rest.
const HEAD: usize = 10;

#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{} is not a checkpoint of this version", .0.display())]
    Foreign(PathBuf),
    #[error("{} is damaged", .0.display())]
    Damaged(PathBuf),
    #[error("{} was made with other games or settings", .0.display())]
    Other(PathBuf),
}

/// All that decides how training goes on.
pub struct TrainingState {
    pub weights: Weights,
    pub optimiser: Optimiser,
    /// Chunks trained on.
    pub chunks: u64,
    pub loss_curve: Vec<LossPoint>,
}

fn numbers(shape: Shape) -> [u64; 4] {
    [shape.hidden, shape.king_buckets, shape.output_buckets, shape.sums].map(|number| number as u64)
}

impl TrainingState {
    fn head(&self, fingerprint: u64) -> [u64; HEAD] {
        let [hidden, king, output, sums] = numbers(self.weights.shape);
        let points = self.loss_curve.len() as u64;
        let (chunks, steps) = (self.chunks, self.optimiser.steps);
        [MAGIC, VERSION, fingerprint, chunks, steps, hidden, king, output, sums, points]
    }

    /// `fingerprint` is of all that must be the same when training resumes.
    pub fn save(&self, path: &Path, fingerprint: u64) -> Result<(), FileError> {
        let mut bytes = bytes_of(&self.head(fingerprint)).to_vec();
        bytes.extend_from_slice(cast_slice(&self.loss_curve));
        for weights in [&self.weights, &self.optimiser.moments[0], &self.optimiser.moments[1]] {
            weights.parts().iter().for_each(|part| bytes.extend_from_slice(cast_slice(part)));
        }
        bytes.extend(crc32fast::hash(&bytes).to_ne_bytes());
        replace(path, &bytes)
    }

    pub fn load(
        path: &Path,
        fingerprint: u64,
        shape: Shape,
    ) -> Result<TrainingState, CheckpointError> {
        let bytes = std::fs::read(path).map_err(FileError::on(path))?;
        let damaged = || CheckpointError::Damaged(path.to_owned());
        let (bytes, checksum) = bytes.split_last_chunk().ok_or_else(damaged)?;
        let mut rest = Rest(bytes);
        let mut head = [0u64; HEAD];
        rest.fill(&mut head).ok_or_else(damaged)?;
        if head[..2] != [MAGIC, VERSION] {
            return Err(CheckpointError::Foreign(path.to_owned()));
        }
        if crc32fast::hash(bytes) != u32::from_ne_bytes(*checksum) {
            return Err(damaged());
        }
        let [_, _, found, chunks, steps, hidden, king, output, sums, points] = head;
        if (found, [hidden, king, output, sums]) != (fingerprint, numbers(shape)) {
            return Err(CheckpointError::Other(path.to_owned()));
        }
        let mut read = || {
            let points = usize::try_from(points)
                .ok()
                .filter(|&points| points <= bytes.len() / size_of::<LossPoint>())?;
            let mut loss_curve = vec![LossPoint::zeroed(); points];
            rest.fill(&mut loss_curve)?;
            let mut weights = || {
                let mut weights = Weights::zero(shape);
                weights.parts_mut().into_iter().try_for_each(|part| rest.fill(part))?;
                Some(weights)
            };
            let (weights, moments) = (weights()?, [weights()?, weights()?]);
            let optimiser = Optimiser { steps, moments };
            rest.0.is_empty().then_some(TrainingState { weights, optimiser, chunks, loss_curve })
        };
        read().ok_or_else(damaged)
    }
}

/// The unread rest of a file.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn fill<T: bytemuck::Pod>(&mut self, numbers: &mut [T]) -> Option<()> {
        let bytes: &mut [u8] = cast_slice_mut(numbers);
        let (now, later) = self.0.split_at_checked(bytes.len())?;
        bytes.copy_from_slice(now);
        self.0 = later;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::weights::TILE;

    const SHAPE: Shape = Shape { hidden: TILE, king_buckets: 2, output_buckets: 1, sums: 2 };

    /// A checkpoint after three chunks.
    fn state() -> TrainingState {
        let (weights, optimiser) = (Weights::zero(SHAPE), Optimiser::new(SHAPE));
        TrainingState { weights, optimiser, chunks: 3, loss_curve: vec![LossPoint::zeroed(); 2] }
    }

    /// A file of its own, and the bytes of the state in it.
    fn saved(name: &str) -> (PathBuf, Vec<u8>) {
        let name = format!("zebu-checkpoint-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        state().save(&path, 7).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        (path, bytes)
    }

    /// Writes these bytes with a right checksum in place of their last four, and loads them.
    fn load(path: &Path, mut bytes: Vec<u8>) -> Result<TrainingState, CheckpointError> {
        if let Some((rest, checksum)) = bytes.split_last_chunk_mut() {
            *checksum = crc32fast::hash(rest).to_ne_bytes();
        }
        std::fs::write(path, &bytes).unwrap();
        TrainingState::load(path, 7, SHAPE)
    }

    #[test]
    fn a_false_count_of_points_is_damage() {
        let (path, mut bytes) = saved("points");
        for points in [1, 2, 3, 1 << 20, 1 << 58, u64::MAX] {
            bytes[8 * (HEAD - 1)..][..8].copy_from_slice(&u64::to_ne_bytes(points));
            match (points, load(&path, bytes.clone())) {
                (2, loaded) => assert_eq!(loaded.ok().unwrap().loss_curve, state().loss_curve),
                (_, loaded) => assert!(matches!(loaded, Err(CheckpointError::Damaged(_)))),
            }
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn fuzzed() {
        let (path, bytes) = saved("fuzzed");
        let (head, rest) = bytes.split_at(8 * HEAD);
        crate::fuzzer::fuzz("checkpoint", vec![head.to_vec()], |head| {
            match load(&path, [head, rest].concat()) {
                Ok(state) => format!("{} points", state.loss_curve.len()),
                Err(error) => error.to_string(),
            }
        });
        std::fs::remove_file(&path).unwrap();
    }
}
