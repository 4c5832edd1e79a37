//! Network files: their contents, and the proof that no sum of their numbers can overflow.
//!
//! ```text
//! 8 bytes   "ZEBUNET\0"
//! u32       version: 4
//! u32       hidden: the neurons of each perspective
//! u32       the outputs, chosen by the pieces on the board
//! u32       sums: those that each output has beside the first
//! u64       FNV-1a hash of all that follows
//! 32 bytes  the king bucket of each square of the left half, a1 … d1, a2 … d8
//! i16       for each of two dangers and then for each king bucket, the weight of each input (768)
//!           for each neuron, in 255ths
//! i16       bias of each neuron, in 255ths
//! i16       weight of each output, for each of its sums, for the neurons of the side to move, then the
//!           other's, in 512ths
//! i32       bias of each output, for each of its sums, in 255 * 255 * 512 / 16ths
//! f32       for each output that has more sums than one: for each of these, clipped and squared, the
//!           weights for 16 neurons; the neurons' biases; their weights for what is added to the output
//! ```
//!
//! All numbers are little endian.

/// Inputs per king bucket: piece types of both sides on squares.
pub const INPUTS: usize = 12 * SQUARES;

/// The dangers of a piece: attacked, or hanging. They are inputs in addition to the piece itself.
pub const DANGERS: usize = 2;
pub const THREAT_INPUTS: usize = DANGERS * INPUTS;

/// The quantised value of 1 in the hidden layer, at which its activation is clipped.
pub const QA: i16 = 255;

/// Squared activations are shifted right by this many bits to fit a signed 16-bit number.
pub const SQUARE_SHIFT: u32 = 4;

/// The quantised value of an output weight of 1.
pub const QB: i16 = 512;

/// The quantised value of an output of 1.
pub const OUTPUT_ONE: i32 = QA as i32 * QA as i32 * (QB as i32 >> SQUARE_SHIFT);

/// Neurons in the second layer of an output.
pub const NEURONS: usize = 16;

const MAGIC: &[u8; 8] = b"ZEBUNET\0";
const VERSION: u32 = 4;
const HEADER: usize = 32;
const HASH: usize = 24;
const SQUARES: usize = 64;
const MAX_PIECES: usize = 32;

/// The hidden layer is a multiple of this size, which fills registers.
const GROUP: usize = 32;
const MAX_HIDDEN: usize = 8192;
const MAX_OUTPUT_BUCKETS: usize = 32;
const MAX_SUMS: usize = 64;

/// Far larger than any trained weight, and small enough to be summed safely.
const MAX_LAYER_WEIGHT: f32 = 32.0;

/// The king bucket of each square on the left half, by rank and file.
pub type KingBuckets = [u8; SQUARES / 2];

/// The number of king buckets in a layout.
pub const fn king_bucket_count(layout: &KingBuckets) -> usize {
    let mut last = 0;
    let mut square = 0;
    while square < layout.len() {
        if layout[square] > last {
            last = layout[square];
        }
        square += 1;
    }
    last as usize + 1
}

#[derive(Clone, Debug, PartialEq)]
pub struct NetFile {
    pub hidden: usize,
    pub output_buckets: usize,
    /// The number of further sums of each output, which its second layer reads.
    pub sums: usize,
    pub king_buckets: KingBuckets,
    /// The weights of all neurons, for each threat, then for each input of each king bucket.
    pub feature_weights: Vec<i16>,
    pub feature_biases: Vec<i16>,
    /// For each sum of each output bucket, the weights for the neurons of the side to move, then of the
    /// opponent.
    pub output_weights: Vec<i16>,
    pub output_biases: Vec<i32>,
    /// The second layer of each output bucket.
    pub layers: Vec<f32>,
}

/// Why some bytes are not a valid network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetFileError {
    #[error("it is not a network file of Zebu")]
    Magic,
    #[error("its version is {0}, and {VERSION} is known")]
    Version(u32),
    #[error(
        "it has {0} neurons, not a multiple of {GROUP} up to {MAX_HIDDEN}, \
         or {1} outputs, not 1 to {MAX_OUTPUT_BUCKETS}, \
         or {2} more sums, not 0 to {MAX_SUMS}"
    )]
    Shape(u32, u32, u32),
    #[error("its king buckets are not numbered from 0 without gaps")]
    KingBuckets,
    #[error("it has {found} bytes, and its header speaks of {wanted}")]
    Length { wanted: usize, found: usize },
    #[error("its contents are damaged: the hash is wrong")]
    Hash,
    #[error("neuron {0} can leave 16 bits")]
    Neuron(usize),
    #[error("output {0} can leave 32 bits")]
    Output(usize),
    #[error("a weight of the second layer is no number or too large")]
    Layer,
}

impl NetFile {
    /// Parses a network and proves that no sum of its numbers can overflow.
    pub fn parse(bytes: &[u8]) -> Result<NetFile, NetFileError> {
        let file = NetFile::read(bytes)?;
        let (header, payload) = bytes.split_at(HEADER);
        if header[HASH..] != fnv(payload).to_le_bytes() {
            return Err(NetFileError::Hash);
        }
        file.check_neurons()?;
        file.check_outputs()?;
        file.check_layers()?;
        Ok(file)
    }

    /// Like [`NetFile::parse`], for bytes that have been checked before.
    pub fn read(bytes: &[u8]) -> Result<NetFile, NetFileError> {
        let (header, payload) = bytes.split_first_chunk::<HEADER>().ok_or(NetFileError::Magic)?;
        let ([magic, sizes, rest, _], _) = header.as_chunks::<8>() else {
            return Err(NetFileError::Magic);
        };
        if magic != MAGIC {
            return Err(NetFileError::Magic);
        }
        let words = |pair: &[u8; 8]| {
            let pair = u64::from_le_bytes(*pair);
            (pair as u32, (pair >> 32) as u32)
        };
        let ((version, hidden), (buckets, sums)) = (words(sizes), words(rest));
        if version != VERSION {
            return Err(NetFileError::Version(version));
        }
        let shape = [hidden, buckets, sums].map(|number| number as usize);
        let is_known = fits(shape[0], MAX_HIDDEN, GROUP)
            && fits(shape[1], MAX_OUTPUT_BUCKETS, 1)
            && shape[2] <= MAX_SUMS;
        if !is_known {
            return Err(NetFileError::Shape(hidden, buckets, sums));
        }
        let [hidden, output_buckets, sums] = shape;
        let (&king_buckets, numbers) =
            payload.split_first_chunk().unwrap_or((&[0; SQUARES / 2], payload));
        if !is_numbered_from_0(&king_buckets) {
            return Err(NetFileError::KingBuckets);
        }
        let inputs = THREAT_INPUTS + INPUTS * king_bucket_count(&king_buckets);
        let outputs = output_buckets * (1 + sums);
        let weights = 2 * (inputs * hidden + hidden + 2 * outputs * hidden);
        let wanted = weights + 4 * (outputs + output_buckets * layer_size(sums));
        if numbers.len() != wanted {
            let (wanted, found) = (bytes.len() - numbers.len() + wanted, bytes.len());
            return Err(NetFileError::Length { wanted, found });
        }
        let (halves, words) = numbers.split_at(weights);
        let mut halves = halves.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes));
        let mut take = |count| halves.by_ref().take(count).collect();
        let (biases, layers) = words.as_chunks().0.split_at(outputs);
        Ok(NetFile {
            hidden,
            output_buckets,
            sums,
            king_buckets,
            feature_weights: take(inputs * hidden),
            feature_biases: take(hidden),
            output_weights: take(2 * outputs * hidden),
            output_biases: biases.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect(),
            layers: layers.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect(),
        })
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut payload = self.king_buckets.to_vec();
        let halves = [&self.feature_weights, &self.feature_biases, &self.output_weights];
        payload.extend(halves.into_iter().flatten().flat_map(|number| number.to_le_bytes()));
        payload.extend(self.output_biases.iter().flat_map(|number| number.to_le_bytes()));
        payload.extend(self.layers.iter().flat_map(|number| number.to_le_bytes()));
        let mut bytes = MAGIC.to_vec();
        let shape = [self.hidden, self.output_buckets, self.sums].map(|number| number as u32);
        for word in [VERSION].into_iter().chain(shape) {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(fnv(&payload).to_le_bytes());
        bytes.extend(payload);
        bytes
    }

    /// The output weights in the order in which the engine reads them: by output bucket, side and group of
    /// neurons, those of all sums together.
    pub fn interleaved_output_weights(&self) -> Vec<i16> {
        let mut weights = Vec::with_capacity(self.output_weights.len());
        for bucket in self.output_weights.chunks(2 * (1 + self.sums) * self.hidden) {
            for side in 0..2 {
                for group in (0..self.hidden).step_by(GROUP) {
                    for sum in bucket.chunks(2 * self.hidden) {
                        weights.extend(&sum[side * self.hidden + group..][..GROUP]);
                    }
                }
            }
        }
        weights
    }

    /// Checks that each neuron stays within 16 bits. A board has at most 32 pieces, each square at most one
    /// piece in one danger; the worst of them are assumed, for every king bucket.
    fn check_neurons(&self) -> Result<(), NetFileError> {
        let (threats, pieces) = self.feature_weights.split_at(THREAT_INPUTS * self.hidden);
        pieces
            .chunks(INPUTS * self.hidden)
            .try_for_each(|weights| self.check_king_bucket(weights, threats))
    }

    fn check_king_bucket(&self, pieces: &[i16], threats: &[i16]) -> Result<(), NetFileError> {
        for neuron in 0..self.hidden {
            let bias = i32::from(self.feature_biases[neuron]);
            let weight =
                |weights: &[i16], input: usize| i32::from(weights[input * self.hidden + neuron]);
            for sign in [1, -1] {
                let mut worst: [i32; SQUARES] = std::array::from_fn(|square| {
                    let inputs = (square..INPUTS).step_by(SQUARES);
                    let with_danger = |input: usize| {
                        let dangers = (input..THREAT_INPUTS).step_by(INPUTS);
                        let danger = dangers.map(|input| sign * weight(threats, input));
                        sign * weight(pieces, input) + danger.fold(0, i32::max)
                    };
                    inputs.map(with_danger).fold(0, i32::max)
                });
                worst.sort_unstable();
                let most = sign * bias + worst[SQUARES - MAX_PIECES..].iter().sum::<i32>();
                if most > i32::from(i16::MAX) {
                    return Err(NetFileError::Neuron(neuron));
                }
            }
        }
        Ok(())
    }

    /// Checks that every partial sum of an output stays within 32 bits when all neurons are at their limits.
    fn check_outputs(&self) -> Result<(), NetFileError> {
        let outputs = self.output_weights.chunks(2 * self.hidden).zip(&self.output_biases);
        for (number, (weights, &bias)) in outputs.enumerate() {
            for sign in [1, -1] {
                let weights = weights.iter().map(|&weight| (sign * i64::from(weight)).max(0));
                let most = weights.sum::<i64>() * i64::from(OUTPUT_ONE / i32::from(QB));
                if most + i64::from(bias).abs() > i64::from(i32::MAX) {
                    return Err(NetFileError::Output(number / (1 + self.sums)));
                }
            }
        }
        Ok(())
    }

    fn check_layers(&self) -> Result<(), NetFileError> {
        // NaN fails this comparison too.
        let all_fit = self.layers.iter().all(|weight| weight.abs() <= MAX_LAYER_WEIGHT);
        if all_fit { Ok(()) } else { Err(NetFileError::Layer) }
    }
}

/// The number of values in the second layer of an output.
pub const fn layer_size(sums: usize) -> usize {
    if sums == 0 { 0 } else { 2 * (sums + 1) * NEURONS }
}

fn fits(number: usize, most: usize, step: usize) -> bool {
    (1..=most).contains(&number) && number.is_multiple_of(step)
}

fn is_numbered_from_0(layout: &KingBuckets) -> bool {
    (0..king_bucket_count(layout)).all(|bucket| layout.contains(&(bucket as u8)))
}

/// The 64-bit FNV-1a hash.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}
