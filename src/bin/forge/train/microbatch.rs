//! Positions as inputs of the network.

use std::iter;

use zebu::board::MAX_PIECES;
use zebu::eval::features::output_bucket;
use zebu::eval::file::{KingBuckets, king_bucket_count};

use super::training_position::TrainingPosition;

/// Positions that pass through a tile of the weights together, for each king bucket.
const POSITIONS: usize = 256;

/// Two perspectives of each position have 16-bit numbers.
const MOST_POSITIONS: usize = 1 << 11;

/// Each piece is one, and so is its danger.
const MOST_FEATURES: usize = 2 * MAX_PIECES;

/// Perspectives in a group of the transpose.
const GROUP: usize = 4;

/// How many positions are best with so many king buckets: more rows of weights are worth loading for
/// more positions.
pub const fn microbatch_size(king_buckets: usize) -> usize {
    let positions = POSITIONS * king_buckets;
    if positions < MOST_POSITIONS { positions } else { MOST_POSITIONS }
}

/// What a network tells apart in a position.
#[derive(Clone, Copy, Debug)]
pub struct Buckets {
    pub king: KingBuckets,
    pub outputs: usize,
}

/// Positions that pass through a tile of the weights together. Their perspectives are sorted by king
/// bucket, so that those of a bucket meet its weights in the near caches, and by features, so that loops
/// end where the processor expects it.
#[derive(Default)]
pub struct Microbatch {
    /// The features of each perspective in turn.
    pub features: Vec<u16>,
    /// Where each perspective's features end.
    pub ends: Vec<usize>,
    /// The numbers of each position's perspectives, the side to move's first.
    pub perspectives: Vec<[u16; 2]>,
    pub output_buckets: Vec<u8>,
    /// The expected points that the network should predict.
    pub targets: Vec<f32>,
    /// The transpose: perspectives that have a feature, in groups with the number after the last
    /// perspective in empty places.
    pub users: Vec<[u16; GROUP]>,
    /// The feature of each group.
    pub user_features: Vec<u16>,
}

impl Microbatch {
    /// Replaces all positions. The results have this share in the targets.
    pub fn fill(&mut self, positions: &[TrainingPosition], buckets: &Buckets, wdl: f32) {
        let mut next = vec![[0; 2]; king_bucket_count(&buckets.king) * (MOST_FEATURES + 1)];
        let place = |bucket: usize, features: usize| bucket * (MOST_FEATURES + 1) + features;
        for position in positions {
            let features = position.features();
            for bucket in position.king_buckets(&buckets.king) {
                next[place(bucket, features)][0] += 1;
                next[place(bucket, features)][1] += features;
            }
        }
        let mut sum = [0; 2];
        for next in &mut next {
            let counts = std::mem::replace(next, sum);
            sum = [sum[0] + counts[0], sum[1] + counts[1]];
        }
        self.ends.clear();
        self.ends.resize(sum[0], 0);
        self.features.resize(sum[1], 0);
        self.perspectives.clear();
        self.output_buckets.clear();
        self.targets.clear();
        for position in positions {
            let features = position.features();
            let kings = position.king_buckets(&buckets.king);
            let [own, other] = kings.map(|bucket| {
                let next = &mut next[place(bucket, features)];
                let [number, start] = *next;
                *next = [number + 1, start + features];
                self.ends[number] = start + features;
                (number as u16, start)
            });
            let places = [own.1..own.1 + features, other.1..other.1 + features];
            if let Ok(places) = self.features.get_disjoint_mut(places) {
                position.put_features(kings, places);
            }
            self.perspectives.push([own.0, other.0]);
            self.output_buckets.push(output_bucket(position.pieces(), buckets.outputs) as u8);
            self.targets.push(position.target(wdl));
        }
    }

    /// Fills in the transpose, by which the backward pass touches the gradient of each feature a few
    /// times, without a branch.
    pub fn transpose(&mut self, features: usize) {
        let mut next = vec![0; features + 1];
        for &feature in &self.features {
            next[usize::from(feature) + 1] += 1;
        }
        self.user_features.clear();
        for feature in 0..features {
            let groups = usize::div_ceil(next[feature + 1], GROUP);
            self.user_features.extend(iter::repeat_n(feature as u16, groups));
            next[feature + 1] = next[feature] + GROUP * groups;
        }
        let mut users = std::mem::take(&mut self.users);
        users.clear();
        users.resize(self.user_features.len(), [self.ends.len() as u16; GROUP]);
        let places = users.as_flattened_mut();
        for (perspective, features) in self.perspective_features().enumerate() {
            for &feature in features {
                let place = &mut next[usize::from(feature)];
                places[*place] = perspective as u16;
                *place += 1;
            }
        }
        self.users = users;
    }

    pub fn len(&self) -> usize {
        self.perspectives.len()
    }

    /// The features of each perspective in turn.
    pub fn perspective_features(&self) -> impl Iterator<Item = &[u16]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let place = start..end;
            start = end;
            &self.features[place]
        })
    }
}
