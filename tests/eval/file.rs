//! Network files: a written file reads back the same, and faults are refused.

use engine::eval::file::{INPUTS, NetFile, NetFileError, THREAT_INPUTS, layer_size};

/// With one king bucket.
const FEATURES: usize = THREAT_INPUTS + INPUTS;

/// The offsets of the hash, and of the first number.
const HASH: usize = 24;
const PAYLOAD: usize = 32;

fn small() -> NetFile {
    let (hidden, buckets, sums) = (32, 2, 1);
    NetFile {
        hidden,
        output_buckets: buckets,
        sums,
        king_buckets: [0; 32],
        feature_weights: (0..FEATURES * hidden).map(|i| (i % 201) as i16 - 100).collect(),
        feature_biases: (0..hidden).map(|i| i as i16 - 7).collect(),
        output_weights: (0..2 * hidden * buckets * (1 + sums))
            .map(|i| (i % 1021) as i16 - 510)
            .collect(),
        output_biases: vec![-7_000_000, 9_000_000, 5, -3],
        layers: (0..buckets * layer_size(sums)).map(|i| i as f32 / 64.0 - 1.0).collect(),
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
        assert_eq!(with(12, hidden), NetFileError::Shape(hidden, 2, 1));
    }
    for buckets in [0, 33, u32::MAX] {
        assert_eq!(with(16, buckets), NetFileError::Shape(32, buckets, 1));
    }
    for sums in [65, u32::MAX] {
        assert_eq!(with(20, sums), NetFileError::Shape(32, 2, sums));
    }
}

#[test]
fn sums_that_could_overflow_are_refused() {
    let mut net = small();
    // One piece on each of 32 squares, each in one danger: the bias leaves exactly enough room.
    net.feature_weights.fill(0);
    for square in 0..40 {
        for (first, weight) in [(0, 200), (INPUTS, 300), (THREAT_INPUTS, 700)] {
            net.feature_weights[(first + square) * net.hidden + 5] = weight;
        }
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
    net.output_biases[0] = 0;
    net.output_biases[3] = i32::MIN;
    assert_eq!(refusal(&net), Some(NetFileError::Output(1)));

    for weight in [f32::NAN, f32::INFINITY, -33.0] {
        let mut net = small();
        net.layers[5] = weight;
        assert_eq!(refusal(&net), Some(NetFileError::Layer));
    }

    let hidden = 512;
    let mut net = NetFile {
        hidden,
        output_buckets: 1,
        sums: 0,
        king_buckets: [0; 32],
        feature_weights: vec![0; FEATURES * hidden],
        feature_biases: vec![0; hidden],
        output_weights: vec![516; 2 * hidden],
        output_biases: vec![0],
        layers: Vec::new(),
    };
    assert_eq!(refusal(&net), None);
    net.output_weights.fill(517);
    assert_eq!(refusal(&net), Some(NetFileError::Output(0)));
}
