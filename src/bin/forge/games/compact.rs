//! Version 2 of a game: about two bytes a ply.
//!
//! | bytes | |
//! |---|---|
//! | 8 | the head of [`plain`]: its checksum is that of the game in version 1 |
//! | 4 | number of bytes after the first position |
//! | 32 | the first position, see [`packed_position`] |
//! | about 2 a ply | the move and the score, in bits |
//!
//! A move is coded as [`move_code`] describes: two bits more than its number among the legal moves, but
//! decoded in half the time, and independent of the order of the generator.
//! A score is coded as its sum with the score before it, which was the opponent's, in an adaptive Rice
//! code of the zigzag value: the part above the parameter in unary, then as many bits as the parameter
//! says; or [`ESCAPE`] ones and 16 bits.
//!
//! The checksum is of the decoded game, so it also fails if the coding of moves or positions should
//! ever change.

use super::bits::{BitReader, BitWriter};
use super::record::{GameRecord, ScoredPly};
use super::{move_code, packed_position, plain};

pub const HEAD: usize = plain::HEAD + 4;

/// Ones in front of a score that is not in Rice code.
const ESCAPE: u32 = 20;

/// The most bits of a ply: its move, and an escaped score.
const MAX_PLY_BITS: usize = (move_code::MAX_BITS + ESCAPE + 16) as usize;

/// The length of the game that begins with this head.
pub fn length(head: &[u8; HEAD]) -> Option<usize> {
    let (plain_head, packed) = head.split_first_chunk()?;
    plain::outcome(plain_head)?;
    let packed = u32::from_le_bytes(*packed.first_chunk()?) as usize;
    let most = (MAX_PLY_BITS * plain::plies(plain_head)).div_ceil(8);
    (packed <= most).then_some(HEAD + packed_position::BYTES + packed)
}

/// `None` if the game has too many plies, or an illegal move.
pub fn encode(game: &GameRecord) -> Option<Vec<u8>> {
    let plain = plain::encode(game)?;
    let mut bits = BitWriter::default();
    let mut coder = ScoreCoder::new();
    for (position, ply) in game.positions() {
        if !position.is_legal(ply.mv) {
            return None;
        }
        move_code::put(&position, ply.mv, &mut bits)?;
        coder.put(ply.score, &mut bits);
    }
    let packed = bits.finish();
    let (head, rest) = plain.split_at(plain::HEAD);
    let mut bytes = head.to_vec();
    bytes.extend((packed.len() as u32).to_le_bytes());
    bytes.extend(&rest[..packed_position::BYTES]);
    bytes.extend(packed);
    Some(bytes)
}

/// The game in these bytes, if they are whole.
pub fn decode(bytes: &[u8]) -> Option<GameRecord> {
    let (head, body): (&[u8; HEAD], _) = bytes.split_first_chunk()?;
    let (start_bytes, packed) = body.split_first_chunk()?;
    let head = head.first_chunk()?;
    let start = packed_position::unpack(start_bytes)?;
    let mut checked = [&head[plain::CHECKSUM..], start_bytes].concat();
    let mut bits = BitReader::new(packed);
    let mut coder = ScoreCoder::new();
    let mut position = start;
    let mut plies = Vec::with_capacity(plain::plies(head));
    for _ in 0..plain::plies(head) {
        let mv = move_code::take(&position, &mut bits)?;
        let score = coder.take(&mut bits);
        checked.extend(mv.bits().to_le_bytes());
        checked.extend(score.to_le_bytes());
        plies.push(ScoredPly { mv, score });
        position = position.after(mv);
    }
    let whole = bits.is_at_end() && *head.first_chunk()? == crc32fast::hash(&checked).to_le_bytes();
    whole.then_some(GameRecord { start, outcome: plain::outcome(head)?, plies })
}

/// The adaptive Rice code of scores.
struct ScoreCoder {
    /// The score before, for the side that is to move now.
    predicted: i16,
    /// A moving average of the zigzag values, eightfold.
    mean: u32,
}

impl ScoreCoder {
    const FIRST_MEAN: u32 = 40 << Self::DECAY;
    const DECAY: u32 = 3;
    /// Larger values count as this in the mean.
    const MAX_VALUE: u32 = 1000;

    fn new() -> ScoreCoder {
        ScoreCoder { predicted: 0, mean: Self::FIRST_MEAN }
    }

    /// The binary logarithm of half the mean, rounded up.
    fn parameter(&self) -> u32 {
        u32::BITS - (self.mean >> (Self::DECAY + 1)).leading_zeros()
    }

    fn adapt(&mut self, value: u32, score: i16) {
        self.mean = self.mean - (self.mean >> Self::DECAY) + value.min(Self::MAX_VALUE);
        self.predicted = score.wrapping_neg();
    }

    fn put(&mut self, score: i16, bits: &mut BitWriter) {
        let difference = score.wrapping_sub(self.predicted);
        let value = u32::from(((difference << 1) ^ (difference >> 15)).cast_unsigned());
        let parameter = self.parameter();
        let unary = value >> parameter;
        if unary < ESCAPE {
            bits.put((1 << unary) - 1, unary + 1);
            bits.put(value & ((1 << parameter) - 1), parameter);
        } else {
            bits.put((1 << ESCAPE) - 1, ESCAPE);
            bits.put(value, 16);
        }
        self.adapt(value, score);
    }

    #[inline(always)]
    fn take(&mut self, bits: &mut BitReader) -> i16 {
        let word = bits.peek();
        let unary = word.trailing_ones();
        let value = if unary < ESCAPE {
            let parameter = self.parameter();
            bits.skip(unary + 1 + parameter);
            (unary << parameter) | (word >> (unary + 1)) as u32 & ((1 << parameter) - 1)
        } else {
            bits.skip(ESCAPE + 16);
            (word >> ESCAPE) as u32 & 0xFFFF
        };
        let difference = (value >> 1) as i16 ^ -((value & 1) as i16);
        let score = self.predicted.wrapping_add(difference);
        self.adapt(value, score);
        score
    }
}

#[cfg(test)]
mod tests {
    use zebu::board::Move;

    use super::super::samples;
    use super::*;

    #[test]
    fn games_come_back() {
        for game in samples::games(300, 1) {
            let bytes = encode(&game).unwrap();
            assert_eq!(length(bytes.first_chunk().unwrap()), Some(bytes.len()));
            assert_eq!(decode(&bytes), Some(game));
        }
    }

    #[test]
    fn any_damaged_bit_is_noticed() {
        for game in samples::games(3, 2) {
            let bytes = encode(&game).unwrap();
            for bit in 0..8 * bytes.len() {
                let mut damaged = bytes.clone();
                damaged[bit / 8] ^= 1 << (bit % 8);
                let length = length(damaged.first_chunk().unwrap());
                assert!(length != Some(bytes.len()) || decode(&damaged).is_none(), "bit {bit}");
            }
        }
    }

    #[test]
    fn illegal_moves_are_refused() {
        let mut game = samples::games(1, 3).remove(0);
        game.plies[0].mv = Move::NONE;
        assert_eq!(encode(&game), None);
    }

    #[test]
    fn all_scores_come_back() {
        let mut bits = BitWriter::default();
        let mut coder = ScoreCoder::new();
        let scores = || (0..40_000_u32).map(|i| (i.wrapping_mul(i) >> 3) as i16);
        scores().chain(scores().rev()).for_each(|score| coder.put(score, &mut bits));
        let bytes = bits.finish();
        let (mut bits, mut coder) = (BitReader::new(&bytes), ScoreCoder::new());
        assert!(scores().chain(scores().rev()).all(|score| coder.take(&mut bits) == score));
        assert!(bits.is_at_end());
    }
}
