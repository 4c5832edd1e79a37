//! Positions as inputs of the network.

use std::iter;

use bytemuck::{Pod, Zeroable};
use engine::board::{MAX_PIECES, PieceType, Position, Square, SquareSet};
use engine::eval::features::{Perspective, output_bucket};
use engine::eval::file::{INPUTS, KingBuckets, NetFile, THREAT_INPUTS, king_bucket_count};

use crate::games::GameOutcome;
use crate::sigmoid::sigmoid;

/// Inputs per piece.
const SQUARES: u16 = 64;

/// The stored value of a logit of 1.
const LOGIT_ONE: f32 = 1024.0;

/// Maps a piece as the side to move sees it to the piece as the other side sees it.
const SWAPPED: [u16; 16] = [6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 0, 0, 0, 0];

/// A position in 40 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct TrainingPosition {
    occupied: u64,
    /// The pieces on these squares, four bits each: the [`PieceType`], plus 6 for the opponent's.
    pieces: [u8; 16],
    /// Their dangers, two bits each.
    dangers: u64,
    /// The score for the side to move; [`TrainingPosition::rescale`] makes it a logit.
    pub score: i16,
    /// For the side to move: 0 lost, 1 drawn, 2 won.
    outcome: u8,
    /// The bits of squares that each perspective flips, the side to move's first.
    flips: [u8; 2],
    /// The king's square in each perspective, as an index of [`KingBuckets`].
    kings: [u8; 2],
    padding: u8,
}

impl TrainingPosition {
    pub fn new(position: &Position, score: i16, outcome: GameOutcome) -> TrainingPosition {
        let side = position.side();
        let colors = [side, !side];
        let perspectives = colors.map(|color| Perspective::of(position, color, &[0; 32]));
        let corner = Square::from_index(0);
        let threats = position.threats();
        let (mut pieces, mut dangers) = ([0; 16], 0);
        for (i, (square, piece)) in position.pieces().enumerate() {
            let input = perspectives[0].input(piece, corner) - THREAT_INPUTS as u16;
            pieces[i / 2] |= ((input / SQUARES) as u8) << (4 * (i % 2));
            dangers |= u64::from(threats.danger(square)) << (2 * i);
        }
        let king = PieceType::King.of(side);
        let flips = perspectives.map(|perspective| (perspective.input(king, corner) % 64) as u8);
        let king_seen = |side: usize| {
            let square = position.king(colors[side]).index() ^ flips[side];
            4 * (square / 8) + square % 8
        };
        TrainingPosition {
            occupied: position.occupied().bits(),
            pieces,
            dangers,
            score,
            outcome: outcome.half_points(side),
            flips,
            kings: [0, 1].map(king_seen),
            padding: 0,
        }
    }

    /// Converts the score to a logit of expected points, by the scale of its file.
    pub fn rescale(&mut self, scale: f32) {
        self.score = (f32::from(self.score) * (LOGIT_ONE / scale)).round() as i16;
    }

    /// The expected points of the score.
    pub fn expected(&self) -> f32 {
        sigmoid(f32::from(self.score) / LOGIT_ONE)
    }

    /// The target of training: the game's result with weight `wdl`, and the score's points with the rest.
    pub fn target(&self, wdl: f32) -> f32 {
        let expected = self.expected();
        expected + wdl * (self.result() - expected)
    }

    /// For the side to move: 0, 0.5 or 1.
    pub fn result(&self) -> f32 {
        f32::from(self.outcome) / 2.0
    }

    /// The number of pieces.
    #[inline]
    pub fn pieces(&self) -> usize {
        self.occupied.count_ones() as usize
    }

    /// The number of features per perspective: one per piece, and one more for each in danger.
    #[inline]
    pub fn features(&self) -> usize {
        let in_danger = (self.dangers | self.dangers >> 1) & (u64::MAX / 3);
        self.pieces() + in_danger.count_ones() as usize
    }

    /// The king bucket of each perspective, the side to move's first.
    #[inline]
    pub fn king_buckets(&self, layout: &KingBuckets) -> [usize; 2] {
        self.kings.map(|king| usize::from(layout[usize::from(king)]))
    }

    /// Writes the features of each perspective, given its king bucket: first the pieces, then the threats.
    #[inline]
    pub fn put_features(&self, king_buckets: [usize; 2], [own, other]: [&mut [u16]; 2]) {
        let squares = SquareSet::from_bits(self.occupied);
        let mut pieces = u128::from_le_bytes(self.pieces);
        let mut dangers = self.dangers;
        let [own_flip, other_flip] = self.flips.map(u16::from);
        let [own_first, other_first] =
            king_buckets.map(|bucket| (THREAT_INPUTS + INPUTS * bucket) as u16);
        let count = self.pieces();
        let (own, own_threats) = own.split_at_mut(count);
        let (other, other_threats) = other.split_at_mut(count);
        let mut of_threats = own_threats.iter_mut().zip(other_threats);
        for (square, (own, other)) in squares.into_iter().zip(own.iter_mut().zip(other)) {
            let (piece, square) = ((pieces & 15) as u16, u16::from(square.index()));
            let danger = (dangers & 3) as u16;
            pieces >>= 4;
            dangers >>= 2;
            let own_place = piece * SQUARES + (square ^ own_flip);
            let other_place = SWAPPED[usize::from(piece)] * SQUARES + (square ^ other_flip);
            (*own, *other) = (own_first + own_place, other_first + other_place);
            if danger > 0
                && let Some((own, other)) = of_threats.next()
            {
                let first = INPUTS as u16 * (danger - 1);
                (*own, *other) = (first + own_place, first + other_place);
            }
        }
    }
}

/// Positions per king bucket that pass through a tile of the weights together.
const POSITIONS: usize = 256;

/// Two perspectives of each position must have 16-bit numbers.
const MOST_POSITIONS: usize = 1 << 11;

/// Each piece is one, and so is its danger.
const MOST_FEATURES: usize = 2 * MAX_PIECES;

/// Perspectives in a group of the transpose.
const GROUP: usize = 4;

/// The best number of positions for so many king buckets: loading more rows of weights pays for more
/// positions.
pub const fn microbatch_size(king_buckets: usize) -> usize {
    let positions = POSITIONS * king_buckets;
    if positions < MOST_POSITIONS { positions } else { MOST_POSITIONS }
}

/// The buckets of a network.
#[derive(Clone, Copy, Debug)]
pub struct Buckets {
    pub king: KingBuckets,
    pub outputs: usize,
}

impl Buckets {
    pub fn of(file: &NetFile) -> Buckets {
        Buckets { king: file.king_buckets, outputs: file.output_buckets }
    }
}

/// Positions that pass through a tile of the weights together. Perspectives are sorted by king bucket, so
/// that those of a bucket find its weights in the near caches, and by number of features, so that loop ends
/// are predictable.
#[derive(Default)]
pub struct Microbatch {
    /// The features of all perspectives, one after the other.
    pub features: Vec<u16>,
    /// The end of each perspective's features.
    pub ends: Vec<usize>,
    /// The numbers of each position's perspectives, the side to move's first.
    pub perspectives: Vec<[u16; 2]>,
    pub output_buckets: Vec<u8>,
    /// The expected points that the network should predict.
    pub targets: Vec<f32>,
    /// The transpose: the perspectives that have a feature, in groups, padded with the number after the last
    /// perspective.
    pub users: Vec<[u16; GROUP]>,
    /// The feature of each group.
    pub user_features: Vec<u16>,
}

impl Microbatch {
    /// Replaces all positions. `wdl` is the share of results in the targets.
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

    /// Builds the transpose, by which the backward pass touches the gradient of each feature only a few
    /// times, and without a branch.
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

    /// The features of each perspective.
    pub fn perspective_features(&self) -> impl Iterator<Item = &[u16]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let place = start..end;
            start = end;
            &self.features[place]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::quantised::outputs;
    use super::super::weights::KingLayout;
    use super::*;
    use clap::ValueEnum;
    use engine::eval::Network;
    use engine::opening::random_opening;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn positions() -> impl Iterator<Item = Position> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        (0..300).map(move |_| random_opening(&mut random, 0.5))
    }

    fn batch(positions: &[Position], buckets: &Buckets) -> Microbatch {
        let positions: Vec<TrainingPosition> = positions
            .iter()
            .map(|position| TrainingPosition::new(position, 0, GameOutcome::Draw))
            .collect();
        let mut batch = Microbatch::default();
        batch.fill(&positions, buckets, 0.25);
        batch
    }

    #[test]
    fn features_are_those_of_the_engine() {
        for layout in KingLayout::value_variants().iter().map(|layout| layout.squares()) {
            let buckets = Buckets { king: layout, outputs: 8 };
            let positions: Vec<Position> = positions().collect();
            let batch = batch(&positions, &buckets);
            let features: Vec<&[u16]> = batch.perspective_features().collect();
            for (position, perspectives) in positions.iter().zip(&batch.perspectives) {
                let side = position.side();
                for (color, &found) in [side, !side].into_iter().zip(perspectives) {
                    let perspective = Perspective::of(position, color, &layout);
                    let threats = position.threats();
                    let inputs =
                        position.pieces().map(|(square, piece)| perspective.input(piece, square));
                    let in_danger = position.pieces().filter_map(|(square, piece)| {
                        let danger = threats.danger(square);
                        (danger > 0).then(|| perspective.threat_input(piece, square, danger))
                    });
                    let found = features[usize::from(found)];
                    assert!(found.iter().copied().eq(inputs.chain(in_danger)), "{position:?}");
                }
            }
            let first_features = features.iter().map(|features| features[0] / INPUTS as u16);
            assert!(first_features.is_sorted());
        }
    }

    #[test]
    fn the_target_is_relative_to_the_side_to_move() {
        let position: Position = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1".parse().unwrap();
        let target = |score, outcome| {
            let mut position = TrainingPosition::new(&position, score, outcome);
            position.rescale(400.0);
            position.target(0.25)
        };
        assert_eq!(target(0, GameOutcome::Draw), 0.5);
        assert_eq!(target(0, GameOutcome::WhiteWins), 0.375);
        assert_eq!(target(0, GameOutcome::BlackWins), 0.625);
        let expected = 1.0 / (1.0 + (-1.0f32).exp());
        assert!((target(400, GameOutcome::Draw) - (0.125 + 0.75 * expected)).abs() < 1e-6);
    }

    #[test]
    fn the_engine_evaluates_as_the_trainer() {
        let file = NetFile::parse(include_bytes!("../../engine/eval/zebu.net")).unwrap();
        let buckets = Buckets::of(&file);
        let positions: Vec<Position> = positions().collect();
        let outputs = outputs(&file, &batch(&positions, &buckets));
        for (position, output) in positions.iter().zip(outputs) {
            let score = Network::embedded().evaluate(position);
            assert_eq!((output * 400.0).round() as i32, score, "{position:?}");
        }
    }
}
