//! How scores turn into results in the games themselves.

use super::record::Record;
use crate::curve::{Bin, fitted_scale};

/// Records that are enough to fit one number.
pub const ENOUGH: usize = 1 << 20;

/// The score at which the odds are `e` to 1.
pub fn fit(records: &[Record]) -> f32 {
    let mut bins = vec![Bin::default(); 1 << 16];
    for record in records {
        let bin = &mut bins[usize::from(record.score.cast_unsigned())];
        bin.score = f64::from(record.score);
        bin.positions += 1.0;
        bin.points += f64::from(record.result());
    }
    bins.retain(|bin| bin.positions > 0.0);
    fitted_scale(&bins) as f32
}
