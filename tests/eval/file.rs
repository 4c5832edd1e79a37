//! A network's file: what is read is what was written, and what is wrong is refused.

use zebu::eval::file::{INPUTS, NetFile, NetFileError};

/// The place of the hash, and of the first number.
const HASH: usize = 24;
const PAYLOAD: usize = 32;

fn small() -> NetFile {
    let (hidden, buckets) = (32, 2);
    NetFile {
        hidden,
        output_buckets: buckets,
        king_buckets: [0; 32],
        feature_weights: (0..INPUTS * hidden).map(|i| (i % 201) as i16 - 100).collect(),
        feature_biases: (0..hidden).map(|i| i as i16 - 7).collect(),
        output_weights: (0..2 * hidden * buckets).map(|i| (i % 1021) as i16 - 510).collect(),
        output_biases: vec![-7_000_000, 9_000_000],
    }
}

fn refusal(net: &NetFile) -> Option<NetFileError> {
    NetFile::parse(&net.to_bytes()).err()
}

#[test]
fn what_is_written_is_read() {
    assert_eq!(NetFile::parse(&small().to_bytes()), Ok(small()));
}

#[test]
fn a_cut_file_is_refused() {
    let bytes = small().to_bytes();
    for length in [0, 7, 8, PAYLOAD - 1] {
        assert_eq!(NetFile::parse(&bytes[..length]), Err(NetFileError::Magic));
    }
    for found in [PAYLOAD + 32, bytes.len() - 1] {
        let wanted = bytes.len();
        let cut = NetFile::parse(&bytes[..found]);
        assert_eq!(cut, Err(NetFileError::Length { wanted, found }));
    }
    let mut long = bytes.clone();
    long.push(0);
    assert!(matches!(NetFile::parse(&long), Err(NetFileError::Length { .. })));
}

#[test]
fn a_changed_bit_is_noticed() {
    let bytes = small().to_bytes();
    for place in (0..20).chain(HASH..PAYLOAD + 64).chain([bytes.len() - 1]) {
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[place] ^= 1 << bit;
            assert!(NetFile::parse(&changed).is_err(), "bit {bit} of byte {place}");
        }
    }
}

#[test]
fn foreign_versions_and_shapes_are_refused() {
    let with = |place: usize, word: u32| {
        let mut bytes = small().to_bytes();
        bytes[place..place + 4].copy_from_slice(&word.to_le_bytes());
        NetFile::parse(&bytes).unwrap_err()
    };
    assert_eq!(with(8, 2), NetFileError::Version(2));
    for hidden in [0, 31, 48, u32::MAX] {
        assert_eq!(with(12, hidden), NetFileError::Shape(hidden, 2));
    }
    for buckets in [0, 33, u32::MAX] {
        assert_eq!(with(16, buckets), NetFileError::Shape(32, buckets));
    }
}

#[test]
fn sums_that_could_overflow_are_refused() {
    let mut net = small();
    // One piece on each of 32 squares: the bias leaves room for this much and no more.
    net.feature_weights.fill(0);
    for square in 0..40 {
        net.feature_weights[square * net.hidden + 5] = 1000;
    }
    net.feature_biases[5] = i16::MAX - 32_000;
    assert_eq!(refusal(&net), None);
    net.feature_biases[5] += 1;
    assert_eq!(refusal(&net), Some(NetFileError::Neuron(5)));
    net.feature_weights.iter_mut().for_each(|weight| *weight = -*weight);
    net.feature_biases[5] = i16::MIN + 32_000;
    assert_eq!(refusal(&net), Some(NetFileError::Neuron(5)));

    let mut net = small();
    net.output_biases[0] = i32::MIN;
    assert_eq!(refusal(&net), Some(NetFileError::Output(0)));
    let hidden = 512;
    let mut net = NetFile {
        hidden,
        output_buckets: 1,
        king_buckets: [0; 32],
        feature_weights: vec![0; INPUTS * hidden],
        feature_biases: vec![0; hidden],
        output_weights: vec![516; 2 * hidden],
        output_biases: vec![0],
    };
    assert_eq!(refusal(&net), None);
    net.output_weights.fill(517);
    assert_eq!(refusal(&net), Some(NetFileError::Output(0)));
}
