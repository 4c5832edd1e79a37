//! Positions as inputs of the network.

use zebu::eval::features::output_bucket;
use zebu::eval::file::{KingBuckets, king_bucket_count};

use super::training_position::TrainingPosition;

/// Positions that pass through a tile of the weights together, for each king bucket.
const POSITIONS: usize = 256;

/// Two perspectives of each position have 16-bit numbers.
const MOST_POSITIONS: usize = 1 << 11;

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
/// bucket, so that those of a bucket meet its weights in the near caches.
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
    /// The transpose, feature after feature: the perspectives that have it.
    pub users: Vec<u16>,
    /// Where the users of each feature end.
    pub user_ends: Vec<u32>,
}

impl Microbatch {
    /// Replaces all positions. The results have this share in the targets.
    pub fn fill(&mut self, positions: &[TrainingPosition], buckets: &Buckets, wdl: f32) {
        let mut next = vec![[0; 2]; king_bucket_count(&buckets.king)];
        for position in positions {
            for bucket in position.king_buckets(&buckets.king) {
                next[bucket][0] += 1;
                next[bucket][1] += position.pieces();
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
            let pieces = position.pieces();
            let kings = position.king_buckets(&buckets.king);
            let [own, other] = kings.map(|bucket| {
                let [number, start] = next[bucket];
                next[bucket] = [number + 1, start + pieces];
                self.ends[number] = start + pieces;
                (number as u16, start)
            });
            let places = [own.1..own.1 + pieces, other.1..other.1 + pieces];
            if let Ok(places) = self.features.get_disjoint_mut(places) {
                position.put_features(kings, places);
            }
            self.perspectives.push([own.0, other.0]);
            self.output_buckets.push(output_bucket(pieces, buckets.outputs) as u8);
            self.targets.push(position.target(wdl));
        }
    }

    /// Fills in the transpose, by which the backward pass touches the gradient of each feature once.
    pub fn transpose(&mut self, features: usize) {
        let mut ends = std::mem::take(&mut self.user_ends);
        ends.clear();
        ends.resize(features + 1, 0);
        for &feature in &self.features {
            ends[usize::from(feature) + 1] += 1;
        }
        for feature in 0..features {
            ends[feature + 1] += ends[feature];
        }
        let mut users = std::mem::take(&mut self.users);
        users.resize(self.features.len(), 0);
        for (perspective, features) in self.perspective_features().enumerate() {
            for &feature in features {
                let place = &mut ends[usize::from(feature)];
                users[*place as usize] = perspective as u16;
                *place += 1;
            }
        }
        (self.users, self.user_ends) = (users, ends);
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
