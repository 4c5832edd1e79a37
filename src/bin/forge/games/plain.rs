//! Version 1 of a game: moves and scores as they are.
//!
//! | bytes | |
//! |---|---|
//! | 4 | CRC-32 of the rest |
//! | 2 | number of plies |
//! | 2 | outcome: 0 Black won, 1 draw, 2 White won |
//! | 32 | the first position, see [`packed_position`] |
//! | 4 a ply | the move by [`Move::bits`], and the score |

use zebu::board::Move;

use super::packed_position;
use super::record::{GameOutcome, GameRecord, ScoredPly};

pub const CHECKSUM: usize = 4;
pub const HEAD: usize = 8;
const PLY: usize = 4;

/// The length of the game that begins with this head.
pub fn length(head: &[u8; HEAD]) -> Option<usize> {
    outcome(head)?;
    Some(HEAD + packed_position::BYTES + PLY * plies(head))
}

pub fn plies(head: &[u8; HEAD]) -> usize {
    usize::from(u16::from_le_bytes([head[4], head[5]]))
}

pub fn outcome(head: &[u8; HEAD]) -> Option<GameOutcome> {
    GameOutcome::ALL.get(usize::from(u16::from_le_bytes([head[6], head[7]]))).copied()
}

/// `None` if the game has too many plies.
pub fn encode(game: &GameRecord) -> Option<Vec<u8>> {
    let plies = u16::try_from(game.plies.len()).ok()?;
    let mut bytes = vec![0; CHECKSUM];
    bytes.extend(plies.to_le_bytes());
    bytes.extend((game.outcome as u16).to_le_bytes());
    bytes.extend(packed_position::pack(&game.start));
    for ply in &game.plies {
        bytes.extend(ply.mv.bits().to_le_bytes());
        bytes.extend(ply.score.to_le_bytes());
    }
    let checksum = crc32fast::hash(&bytes[CHECKSUM..]);
    bytes[..CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
    Some(bytes)
}

/// The game in these bytes, if they are whole and its moves legal.
pub fn decode(bytes: &[u8]) -> Option<GameRecord> {
    let (head, body) = bytes.split_first_chunk()?;
    let (start, plies) = body.split_first_chunk()?;
    let start = packed_position::unpack(start)?;
    if *head.first_chunk()? != crc32fast::hash(&bytes[CHECKSUM..]).to_le_bytes() {
        return None;
    }
    let mut position = start;
    let ply = |&[a, b, c, d]: &[u8; PLY]| {
        let mv = Move::from_bits(u16::from_le_bytes([a, b]));
        let score = i16::from_le_bytes([c, d]);
        position = position.is_legal(mv).then(|| position.after(mv))?;
        Some(ScoredPly { mv, score })
    };
    let plies = plies.as_chunks().0.iter().map(ply).collect::<Option<_>>()?;
    Some(GameRecord { start, outcome: outcome(head)?, plies })
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn games_come_back() {
        for game in samples::games(100, 1) {
            let bytes = encode(&game).unwrap();
            assert_eq!(length(bytes.first_chunk().unwrap()), Some(bytes.len()));
            assert_eq!(decode(&bytes), Some(game));
        }
    }

    #[test]
    fn illegal_moves_are_refused() {
        for mut game in samples::games(20, 2) {
            let ply = game.plies.len() / 2;
            game.plies[ply].mv = Move::NONE;
            assert_eq!(decode(&encode(&game).unwrap()), None);
        }
    }
}
