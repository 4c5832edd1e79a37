//! `forge mean`: a network with the mean weights of others.
//!
//! A network and one that was trained on from it differ by what was learned and by chance. Their mean keeps most
//! of the first and half of the second.

use std::error::Error;
use std::path::PathBuf;

use clap::Args;
use engine::eval::file::{NetFile, king_bucket_count};

use super::loss::outputs_of;
use super::quantised::{
    FromError, MEAN_EVALUATION, dequantise, factor_of_unit, fixed_positions, mean_evaluation,
    quantise,
};
use super::weights::{Shape, Weights};
use crate::common::{net_file, replace};

#[derive(Args)]
pub struct MeanArguments {
    /// The networks, of one shape and from one start; means of strangers know nothing
    #[arg(required = true, num_args = 2..)]
    networks: Vec<PathBuf>,
    /// The new network
    #[arg(long, short)]
    out: PathBuf,
}

#[derive(Debug, thiserror::Error)]
enum MeanError {
    #[error("the networks differ in neurons, king buckets, outputs or sums")]
    Shapes,
    #[error(transparent)]
    From(#[from] FromError),
}

pub fn run(arguments: &MeanArguments) -> Result<(), Box<dyn Error>> {
    let files = arguments.networks.iter().map(|path| net_file(Some(path)));
    let files: Vec<NetFile> = files.collect::<Result<_, _>>()?;
    let weights = mean(&files)?;
    let king_buckets = &files[0].king_buckets;
    let as_it_is = quantise(&weights, king_buckets, 1.0);
    let evaluation = mean_evaluation(&outputs_of(&as_it_is, &fixed_positions()));
    let (factor, _) = factor_of_unit(&weights, evaluation);
    let bytes = quantise(&weights, king_buckets, factor).to_bytes();
    NetFile::parse(&bytes)?;
    replace(&arguments.out, &bytes)?;
    say!("outputs times {factor:.3}: mean evaluation from {evaluation:.1} to {MEAN_EVALUATION:.1}");
    Ok(())
}

fn mean(files: &[NetFile]) -> Result<Weights, MeanError> {
    let of = |file: &NetFile| {
        let shape = Shape {
            hidden: file.hidden,
            king_buckets: king_bucket_count(&file.king_buckets),
            output_buckets: file.output_buckets,
            sums: file.sums,
        };
        (shape, file.king_buckets)
    };
    let (shape, king_buckets) = of(&files[0]);
    if files.iter().any(|file| of(file) != (shape, king_buckets)) {
        return Err(MeanError::Shapes);
    }
    let weights = |file| dequantise(file, shape, &king_buckets, 0);
    let mut mean = weights(&files[0])?;
    for (count, file) in (2..).zip(&files[1..]) {
        mean.approach(&weights(file)?, 1.0 / count as f32);
    }
    Ok(mean)
}

#[cfg(test)]
mod tests {
    use super::super::weights::{KingLayout, TILE};
    use super::*;

    #[test]
    fn each_weight_is_the_mean() {
        let shape = Shape { hidden: TILE, king_buckets: 4, output_buckets: 2, sums: 1 };
        let layout = KingLayout::Four.squares();
        let file = |seed| quantise(&Weights::random(shape, seed), &layout, 1.0);
        let [a, b, c] = [1, 2, 3].map(file);
        let files = [a.clone(), b.clone(), c.clone()];
        let mean_file = quantise(&mean(&files).unwrap(), &layout, 1.0);
        for (place, &weight) in mean_file.feature_weights.iter().enumerate() {
            let sum: i32 = files.iter().map(|file| i32::from(file.feature_weights[place])).sum();
            assert!((3 * i32::from(weight) - sum).abs() <= 2, "{place}: {weight}, {sum}");
        }
        assert_eq!(quantise(&mean(&[a.clone(), a.clone()]).unwrap(), &layout, 1.0), a);

        let one = quantise(
            &Weights::random(Shape { king_buckets: 1, ..shape }, 1),
            &KingLayout::One.squares(),
            1.0,
        );
        assert!(matches!(mean(&[a, one]), Err(MeanError::Shapes)));
    }
}
