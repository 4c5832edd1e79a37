//! Fuzzing: games to train on, and networks to go on from.

use zebu::eval::file::NetFile;

use super::data_set::DataSet;
use super::filter::Filter;
use super::king_layout::KingLayout;
use super::quantised::{dequantise, largest_factor, quantise};
use super::weights::{Shape, TILE, Weights};
use crate::fuzzer::fuzz;
use crate::games::Labels;
use crate::games::samples::{TempFile, extremes, file_of};

/// All that is counted can be loaded, and its numbers are those of positions.
#[test]
fn data_set() {
    let (file, others) = (TempFile::new("fuzzed-data-set"), extremes());
    fuzz("data_set", others.clone(), |game| {
        // By its first byte it is alone or not.
        let others = if game.first().is_some_and(|byte| byte % 8 == 0) { &[] } else { &others[..] };
        let Some(bytes) = file_of(game, others) else { return "damaged".to_string() };
        file.write(&bytes);
        let filters = vec![Filter { skip: 0, limit: 2000, lambda: 0.5, labels: Labels::ALL }];
        match DataSet::open(&[file.path().to_owned()], filters, 0.5, None) {
            Ok(set) => {
                let chunks = set.chunks(3, 1);
                let loaded = chunks.iter().map(|chunk| set.load(chunk).expect("it is there").len());
                assert_eq!(loaded.sum::<usize>(), set.positions());
                assert!(set.scales.iter().all(|scale| scale.is_finite() && *scale > 0.0));
                "position ".repeat(set.positions())
            }
            Err(error) => error.to_string(),
        }
    });
}

/// What can be trained on from a network is finite, and the network itself comes back.
#[test]
fn network_to_go_on_from() {
    let layout = KingLayout::One.squares();
    let shape = Shape { hidden: TILE, king_buckets: 1, output_buckets: 2, sums: 1 };
    let finer = KingLayout::Four.squares();
    let larger = Shape { hidden: 2 * TILE, king_buckets: 4, ..shape };
    let whole = quantise(&Weights::random(shape, 1), &layout, 1.0).to_bytes();
    let corpus = vec![whole.clone(), whole[..64].to_vec(), whole[..whole.len() - 1].to_vec()];
    fuzz("network_to_go_on_from", corpus, |bytes| {
        // The checksum would hide what stands behind it.
        let read = NetFile::read(bytes).and_then(|file| NetFile::parse(&file.to_bytes()));
        let file = match read {
            Ok(file) => file,
            Err(error) => return error.to_string(),
        };
        for (shape, layout) in [(shape, layout), (larger, finer)] {
            match dequantise(&file, shape, &layout, 1) {
                Ok(weights) => {
                    assert!(weights.parts().iter().all(|part| part.iter().all(|n| n.is_finite())));
                    assert!(largest_factor(&weights) > 0.0);
                    let again = quantise(&weights, &layout, 1.0);
                    assert!(shape == larger || again.feature_weights == file.feature_weights);
                }
                Err(error) => return error.to_string(),
            }
        }
        "a network".to_string()
    });
}
