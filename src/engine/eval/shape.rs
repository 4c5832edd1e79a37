//! The shape of the embedded network, and its few numbers that are not rows.

use super::file::{KingBuckets, king_bucket_count};

include!(concat!(env!("OUT_DIR"), "/net_shape.rs"));

pub const KING_BUCKET_COUNT: usize = king_bucket_count(&KING_BUCKETS);
