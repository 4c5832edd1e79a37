//! Checkpoints, from which training resumes.
//!
//! The file contains, in native byte order: `ZEBUTRAI`, version, fingerprint of the settings, chunks, steps,
//! and the number of points of the loss curve, eight bytes each; then the points, the weights, their two
//! moments, their average if there is one, and a CRC-32 of everything.

use std::iter;
use std::path::{Path, PathBuf};

use bytemuck::{Zeroable, bytes_of, cast_slice, cast_slice_mut};

use super::loss::LossPoint;
use super::optimiser::Optimiser;
use super::weights::Weights;
use crate::common::{FileError, replace};

const MAGIC: u64 = u64::from_le_bytes(*b"ZEBUTRAI");
const VERSION: u64 = 4;

/// Numbers in the header.
const HEAD: usize = 6;

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

/// The complete state of a training.
pub struct TrainingState {
    pub weights: Weights,
    pub optimiser: Optimiser,
    /// A moving average of the weights, which is written instead of them.
    pub average: Option<Weights>,
    /// Chunks trained on.
    pub chunks: u64,
    pub loss_curve: Vec<LossPoint>,
}

impl TrainingState {
    pub fn new(weights: Weights, is_averaged: bool) -> TrainingState {
        let optimiser = Optimiser::new(&weights);
        let average = is_averaged.then(|| weights.clone());
        TrainingState { weights, optimiser, average, chunks: 0, loss_curve: Vec::new() }
    }

    /// The weights to write.
    pub fn learned(&self) -> &Weights {
        self.average.as_ref().unwrap_or(&self.weights)
    }

    /// `fingerprint` covers everything that must be the same when training resumes, including its start.
    pub fn save(&self, path: &Path, fingerprint: u64) -> Result<(), FileError> {
        let (points, steps) = (self.loss_curve.len() as u64, self.optimiser.steps);
        let head = [MAGIC, VERSION, fingerprint, self.chunks, steps, points];
        let mut bytes = bytes_of(&head).to_vec();
        bytes.extend_from_slice(cast_slice(&self.loss_curve));
        let moments = self.optimiser.moments.each_ref();
        for weights in iter::once(&self.weights).chain(moments).chain(&self.average) {
            weights.parts().iter().for_each(|part| bytes.extend_from_slice(cast_slice(part)));
        }
        bytes.extend(crc32fast::hash(&bytes).to_ne_bytes());
        replace(path, &bytes)
    }

    /// The saved state of a training that began with this state.
    pub fn resumed(
        mut self,
        path: &Path,
        fingerprint: u64,
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
        let [_, _, found, chunks, steps, points] = head;
        if found != fingerprint {
            return Err(CheckpointError::Other(path.to_owned()));
        }
        (self.chunks, self.optimiser.steps) = (chunks, steps);
        let most = (bytes.len() / size_of::<LossPoint>()) as u64;
        let points = Some(points).filter(|&points| points <= most).ok_or_else(damaged)?;
        self.loss_curve = vec![LossPoint::zeroed(); points as usize];
        rest.fill(&mut self.loss_curve).ok_or_else(damaged)?;
        let moments = self.optimiser.moments.each_mut();
        for weights in iter::once(&mut self.weights).chain(moments).chain(&mut self.average) {
            let filled = weights.parts_mut().into_iter().try_for_each(|part| rest.fill(part));
            filled.ok_or_else(damaged)?;
        }
        if rest.0.is_empty() { Ok(self) } else { Err(damaged()) }
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
    use super::super::weights::{Shape, TILE};
    use super::*;

    #[test]
    fn fuzzed() {
        const SHAPE: Shape = Shape { hidden: TILE, king_buckets: 2, output_buckets: 1, sums: 2 };
        let name = format!("zebu-checkpoint-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let start = || TrainingState::new(Weights::zero(SHAPE), true);
        let state = TrainingState { loss_curve: vec![LossPoint::zeroed(); 2], ..start() };
        state.save(&path, 7).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let (head, rest) = bytes.split_at(8 * HEAD);
        let rest = &rest[..rest.len() - 4];
        // Wrong numbers of points.
        let heads = [2, 3, 1 << 20, 1 << 58, u64::MAX]
            .map(|points: u64| [&head[..8 * (HEAD - 1)], &points.to_ne_bytes()].concat());
        crate::fuzzer::fuzz("checkpoint", heads.to_vec(), |head| {
            let all = [head, rest].concat();
            std::fs::write(&path, [&all, &crc32fast::hash(&all).to_ne_bytes()[..]].concat())
                .unwrap();
            match start().resumed(&path, 7) {
                Ok(state) => {
                    assert_eq!(state.loss_curve.len(), 2);
                    "a state".to_string()
                }
                Err(error) => error.to_string(),
            }
        });
        std::fs::remove_file(&path).unwrap();
    }
}
