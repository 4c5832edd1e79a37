//! Layouts of king buckets.

use clap::ValueEnum;
use zebu::eval::file::{KingBuckets, king_bucket_count};

/// The left half of the board, a1 to d8: boards are mirrored when the king stands on the right. Finer
/// where kings are most of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum KingLayout {
    #[value(name = "1")]
    One,
    #[value(name = "4")]
    Four,
    #[value(name = "8")]
    Eight,
    #[value(name = "16")]
    Sixteen,
}

impl KingLayout {
    #[cfg(test)]
    pub const ALL: [KingLayout; 4] =
        [KingLayout::One, KingLayout::Four, KingLayout::Eight, KingLayout::Sixteen];

    /// The king bucket of each square.
    #[rustfmt::skip]
    pub const fn squares(self) -> KingBuckets {
        match self {
            KingLayout::One => [0; 32],
            KingLayout::Four => [
                0, 0, 1, 1,
                2, 2, 2, 2,
                3, 3, 3, 3,
                3, 3, 3, 3,
                3, 3, 3, 3,
                3, 3, 3, 3,
                3, 3, 3, 3,
                3, 3, 3, 3,
            ],
            KingLayout::Eight => [
                0, 1, 2, 3,
                4, 4, 5, 5,
                6, 6, 6, 6,
                6, 6, 6, 6,
                7, 7, 7, 7,
                7, 7, 7, 7,
                7, 7, 7, 7,
                7, 7, 7, 7,
            ],
            KingLayout::Sixteen => [
                 0,  1,  2,  3,
                 4,  5,  6,  7,
                 8,  8,  9,  9,
                10, 10, 11, 11,
                12, 12, 13, 13,
                12, 12, 13, 13,
                14, 14, 15, 15,
                14, 14, 15, 15,
            ],
        }
    }

    pub const fn count(self) -> usize {
        king_bucket_count(&self.squares())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_named_by_their_count_and_survive_the_file() {
        use crate::train::quantised::quantise;
        use crate::train::weights::{Shape, TILE, Weights};
        use zebu::eval::file::NetFile;

        for layout in KingLayout::ALL {
            let name = layout.to_possible_value().unwrap();
            assert_eq!(name.get_name(), layout.count().to_string());
            let shape =
                Shape { hidden: TILE, king_buckets: layout.count(), output_buckets: 1, sums: 0 };
            let bytes = quantise(&Weights::random(shape, 1), &layout.squares(), 1.0).to_bytes();
            assert_eq!(NetFile::parse(&bytes).unwrap().king_buckets, layout.squares());
        }
    }
}
