//! The format of a game: about two bytes per ply. All numbers are little endian.
//!
//! | bytes | |
//! |---|---|
//! | 4 | CRC-32 of the next four, the first position, and the move and the score of each ply, two each |
//! | 2 | number of plies |
//! | 2 | outcome: 0 Black won, 1 draw, 2 White won |
//! | 4 | number of bytes after the first position |
//! | 32 | the first position |
//! | about 2 a ply | the move and the score, in bits |
//!
//! The checksum covers the decoded game, so it also detects changes in the coding of moves or positions.
//!
//! **The first position**: the occupied squares in 8 bytes, a1 the lowest bit; their pieces in that order by
//! [`Piece::index`], four bits each, the lower ones first; the side to move; the en-passant square, or 64; a
//! byte per side, with four bits per wing, kingside first: 8 and the rook's file, or 0; the halfmove clock
//! and the move number, two bytes each.
//!
//! **A move**: the number of the piece among the side's pieces, ordered by square from a1 to h8, in as few
//! bits as possible. Then its destination:
//!
//! | piece | bits | |
//! |---|---|---|
//! | pawn | 2 | one step, two steps, capture towards the a-file, towards the h-file |
//! | pawn on its seventh rank | 2 more | [`PieceType::PROMOTIONS`] |
//! | knight | 3 | [`KNIGHT_STEPS`] |
//! | king | 4 | [`KING_STEPS`], castling on the queen's side, on the king's side |
//! | rook | 3 + 1 | the file on its rank, or the rank on its file |
//! | bishop | 3 + 1 | the file on its diagonal, or on its antidiagonal |
//! | queen | 3 + 2 | a rook's move, or a bishop's |
//!
//! This takes two bits more than an index into the legal moves, but decodes in half the time and does not
//! depend on the order of the generator.
//!
//! **A score**: its sum with the previous score, which was the opponent's, in an adaptive Rice code of the
//! zigzag value: the part above the parameter in unary, then as many bits as the parameter says; or
//! [`ESCAPE`] ones and 16 bits.

use engine::board::{
    CastlingSide, Color, Move, Piece, PieceType, Position, Setup, Square, SquareSet,
};

use super::record::{GameOutcome, GameRecord, ScoredPly};

/// The bytes from which a game's length can be read.
pub const HEAD: usize = 12;

const POSITION: usize = 32;

/// The most bits of a move, and of a ply: a move and an escaped score.
const MAX_MOVE_BITS: u32 = 4 + 5;
const MAX_PLY_BITS: usize = (MAX_MOVE_BITS + ESCAPE + 16) as usize;

struct Head {
    checksum: u32,
    plies: usize,
    outcome: GameOutcome,
    /// The number of bytes of moves and scores.
    packed: usize,
}

impl Head {
    fn read(bytes: &[u8]) -> Option<Head> {
        let &[a, b, c, d, e, f, g, h, i, j, k, l] = bytes.first_chunk::<HEAD>()?;
        let head = Head {
            checksum: u32::from_le_bytes([a, b, c, d]),
            plies: usize::from(u16::from_le_bytes([e, f])),
            outcome: *GameOutcome::ALL.get(usize::from(u16::from_le_bytes([g, h])))?,
            packed: u32::from_le_bytes([i, j, k, l]) as usize,
        };
        (head.packed <= (MAX_PLY_BITS * head.plies).div_ceil(8)).then_some(head)
    }
}

/// The length of the game that begins here; `None` if there is none.
pub fn length(bytes: &[u8]) -> Option<usize> {
    Some(HEAD + POSITION + Head::read(bytes)?.packed)
}

/// `None` if the game has too many plies or an illegal move.
pub fn encode(game: &GameRecord) -> Option<Vec<u8>> {
    let plies = u16::try_from(game.plies.len()).ok()?;
    let mut bits = BitWriter::default();
    let mut coder = ScoreCoder::new();
    for (position, ply) in game.positions() {
        if !position.is_legal(ply.mv) {
            return None;
        }
        put_move(&position, ply.mv, &mut bits)?;
        coder.put(ply.score, &mut bits);
    }
    let (start, packed) = (pack(&game.start), bits.finish());
    let mut bytes = checksum(game, &start).to_le_bytes().to_vec();
    bytes.extend(plies.to_le_bytes());
    bytes.extend((game.outcome as u16).to_le_bytes());
    bytes.extend((packed.len() as u32).to_le_bytes());
    bytes.extend(start);
    bytes.extend(packed);
    Some(bytes)
}

/// Decodes a game if the bytes are intact and its moves legal.
pub fn decode(bytes: &[u8]) -> Option<GameRecord> {
    read(bytes).and_then(|(game, is_right)| is_right.then_some(game))
}

/// Decodes a game, and returns whether its checksum matches.
pub fn read(bytes: &[u8]) -> Option<(GameRecord, bool)> {
    let head = Head::read(bytes)?;
    let (start_bytes, packed) = bytes[HEAD..].split_first_chunk()?;
    let start = unpack(start_bytes)?;
    let mut bits = BitReader::new(packed);
    let mut coder = ScoreCoder::new();
    let mut position = start;
    let mut plies = Vec::with_capacity(head.plies);
    for _ in 0..head.plies {
        let mv = take_move(&position, &mut bits)?;
        plies.push(ScoredPly { mv, score: coder.take(&mut bits) });
        position = position.after(mv);
    }
    let game = GameRecord { start, outcome: head.outcome, plies };
    let is_right = checksum(&game, start_bytes) == head.checksum;
    bits.is_at_end().then_some((game, is_right))
}

fn checksum(game: &GameRecord, start: &[u8; POSITION]) -> u32 {
    let mut bytes = Vec::with_capacity(4 + POSITION + 4 * game.plies.len());
    bytes.extend((game.plies.len() as u16).to_le_bytes());
    bytes.extend((game.outcome as u16).to_le_bytes());
    bytes.extend(start);
    for ply in &game.plies {
        bytes.extend(ply.mv.bits().to_le_bytes());
        bytes.extend(ply.score.to_le_bytes());
    }
    crc32fast::hash(&bytes)
}

// Offsets in a packed position.
const PIECES: usize = 8;
const SIDE: usize = 24;
const EN_PASSANT: usize = 25;
const ROOKS: usize = 26;
const HALFMOVES: usize = 28;
const NUMBER: usize = 30;

const NO_SQUARE: u8 = 64;
const HAS_RIGHT: u8 = 8;

fn pack(position: &Position) -> [u8; POSITION] {
    let mut bytes = [0; POSITION];
    bytes[..PIECES].copy_from_slice(&position.occupied().bits().to_le_bytes());
    for (i, (_, piece)) in position.pieces().enumerate() {
        bytes[PIECES + i / 2] |= (piece.index() as u8) << (4 * (i % 2));
    }
    bytes[SIDE] = position.side().index() as u8;
    bytes[EN_PASSANT] = position.en_passant().map_or(NO_SQUARE, Square::index);
    for color in Color::BOTH {
        for wing in CastlingSide::BOTH {
            if let Some(rook) = position.castling_rook(color, wing) {
                bytes[ROOKS + color.index()] |= (HAS_RIGHT | rook.file()) << (4 * wing as u8);
            }
        }
    }
    bytes[HALFMOVES..NUMBER].copy_from_slice(&position.halfmoves().to_le_bytes());
    bytes[NUMBER..].copy_from_slice(&position.move_number().to_le_bytes());
    bytes
}

/// The position of these bytes, if it is legal.
fn unpack(bytes: &[u8; POSITION]) -> Option<Position> {
    let mut setup = Setup::empty();
    let occupied = SquareSet::from_bits(u64::from_le_bytes(*bytes.first_chunk()?));
    if occupied.len() as usize > 2 * (SIDE - PIECES) {
        return None;
    }
    for (i, square) in occupied.into_iter().enumerate() {
        setup.put(piece(bytes[PIECES + i / 2] >> (4 * (i % 2)) & 15)?, square);
    }
    setup.set_side(*Color::BOTH.get(usize::from(bytes[SIDE]))?);
    if bytes[EN_PASSANT] < NO_SQUARE {
        setup.set_en_passant(Square::from_index(bytes[EN_PASSANT]));
    }
    for color in Color::BOTH {
        for wing in CastlingSide::BOTH {
            let right = bytes[ROOKS + color.index()] >> (4 * wing as u8) & 15;
            if right & HAS_RIGHT != 0 {
                let rook = Square::new(right & !HAS_RIGHT, color.home_rank())?;
                setup.set_castling_rook(color, wing, rook);
            }
        }
    }
    let counter = |place| u16::from_le_bytes([bytes[place], bytes[place + 1]]);
    setup.set_counters(counter(HALFMOVES), counter(NUMBER));
    setup.finish().ok()
}

/// The piece with this [`Piece::index`].
fn piece(index: u8) -> Option<Piece> {
    let color = Color::BOTH.get(usize::from(index) / PieceType::ALL.len())?;
    Some(PieceType::ALL[usize::from(index) % PieceType::ALL.len()].of(*color))
}

const KNIGHT_STEPS: [i8; 8] = [-33, -31, -18, -14, 14, 18, 31, 33];
const KING_STEPS: [i8; 8] = [-17, -16, -15, -1, 1, 15, 16, 17];

/// The lines of a slider: rank, file, diagonal, antidiagonal.
const BISHOP_LINES: u32 = 2;

/// Appends a move. `None` if no piece of the side to move could make it.
fn put_move(position: &Position, mv: Move, bits: &mut BitWriter) -> Option<()> {
    let pieces = position.occupied_by(position.side());
    let number = pieces.into_iter().position(|square| square == mv.from())?;
    let piece = position.piece_at(mv.from())?.kind();
    let count = target_bits(position, piece, mv.from());
    let code =
        (0..1 << count).find(|&code| target(position, piece, mv.from(), code) == Some(mv))?;
    bits.put(number as u32, number_bits(pieces.len()));
    bits.put(code, count);
    Some(())
}

/// Reads a move, if it is legal.
#[inline(always)]
fn take_move(position: &Position, bits: &mut BitReader) -> Option<Move> {
    let word = bits.peek() as u32;
    let pieces = position.occupied_by(position.side());
    let number = number_bits(pieces.len());
    let from = pieces.into_iter().nth((word & ((1 << number) - 1)) as usize)?;
    let piece = position.piece_at(from)?.kind();
    let count = target_bits(position, piece, from);
    bits.skip(number + count);
    let code = word >> number & ((1 << count) - 1);
    target(position, piece, from, code).filter(|&mv| position.is_legal(mv))
}

fn number_bits(pieces: u32) -> u32 {
    u32::BITS - pieces.saturating_sub(1).leading_zeros()
}

fn target_bits(position: &Position, piece: PieceType, from: Square) -> u32 {
    match piece {
        PieceType::Pawn if from.rank_for(position.side()) == 6 => 4,
        PieceType::Pawn => 2,
        PieceType::Knight => 3,
        PieceType::King | PieceType::Rook | PieceType::Bishop => 4,
        PieceType::Queen => 5,
    }
}

/// The move with this code.
#[inline(always)]
fn target(position: &Position, piece: PieceType, from: Square, code: u32) -> Option<Move> {
    let step = |steps: [i8; 8]| from.step(steps[code as usize % 8]);
    let to = match piece {
        PieceType::Pawn => return pawn_move(position, from, code),
        PieceType::King if code >= 8 => {
            let side = *[CastlingSide::Queen, CastlingSide::King].get(code as usize - 8)?;
            let rook = position.castling_rook(position.side(), side)?;
            return Some(Move::castling(from, rook));
        }
        PieceType::King => step(KING_STEPS),
        PieceType::Knight => step(KNIGHT_STEPS),
        PieceType::Rook | PieceType::Queen => slide(from, code),
        PieceType::Bishop => slide(from, code + 8 * BISHOP_LINES),
    };
    Some(Move::normal(from, to?))
}

fn pawn_move(position: &Position, from: Square, code: u32) -> Option<Move> {
    let forward = position.side().forward();
    let steps = [forward, 2 * forward, forward - 1, forward + 1];
    let to = from.step(steps[code as usize % 4])?;
    let captures = code & 2 != 0;
    Some(if to.rank_for(position.side()) == 7 {
        Move::promotion(from, to, PieceType::PROMOTIONS[code as usize / 4 % 4])
    } else if captures && position.en_passant() == Some(to) {
        Move::en_passant(from, to)
    } else {
        Move::normal(from, to)
    })
}

/// A slide along a line to a file, or along a file to a rank.
fn slide(from: Square, code: u32) -> Option<Square> {
    let place = (code % 8) as u8;
    let (file, rank) = (from.file(), from.rank());
    match code / 8 {
        0 => Square::new(place, rank),
        1 => Square::new(file, place),
        2 => Square::new(place, rank.wrapping_add(place).wrapping_sub(file)),
        _ => Square::new(place, rank.wrapping_add(file).wrapping_sub(place)),
    }
}

/// The number of ones before a score that is not Rice coded.
const ESCAPE: u32 = 20;

/// The adaptive Rice code of scores.
struct ScoreCoder {
    /// The prediction for the side to move: the negated previous score.
    predicted: i16,
    /// A moving average of the zigzag values, times eight.
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

/// Writes bits to bytes, the lowest bit first.
#[derive(Default)]
struct BitWriter {
    bytes: Vec<u8>,
    /// The bits that do not fill a byte yet, and their number.
    rest: u64,
    len: u32,
}

impl BitWriter {
    /// Appends the lowest `count` bits of `value`, at most 32. The higher bits must be zero.
    fn put(&mut self, value: u32, count: u32) {
        self.rest |= u64::from(value) << self.len;
        self.len += count;
        while self.len >= u8::BITS {
            self.bytes.push(self.rest as u8);
            self.rest >>= u8::BITS;
            self.len -= u8::BITS;
        }
    }

    /// The bytes, the last one padded with zeros.
    fn finish(mut self) -> Vec<u8> {
        if self.len > 0 {
            self.bytes.push(self.rest as u8);
        }
        self.bytes
    }
}

/// Reads bits. Beyond the end they are zeros.
struct BitReader<'a> {
    bytes: &'a [u8],
    /// In bits.
    place: usize,
}

impl<'a> BitReader<'a> {
    fn new(bytes: &'a [u8]) -> BitReader<'a> {
        BitReader { bytes, place: 0 }
    }

    /// At least the next 57 bits, the first one lowest.
    #[inline(always)]
    fn peek(&self) -> u64 {
        let rest = &self.bytes[self.bytes.len().min(self.place / 8)..];
        let word = match rest.first_chunk() {
            Some(bytes) => u64::from_le_bytes(*bytes),
            None => {
                let mut bytes = [0; 8];
                bytes[..rest.len()].copy_from_slice(rest);
                u64::from_le_bytes(bytes)
            }
        };
        word >> (self.place % 8)
    }

    #[inline(always)]
    fn skip(&mut self, count: u32) {
        self.place += count as usize;
    }

    /// Whether all bytes were read, except for the padding of the last one, and none beyond.
    fn is_at_end(&self) -> bool {
        self.place.div_ceil(8) == self.bytes.len() && self.peek() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn every_legal_move_comes_back() {
        for game in samples::games(100, 5) {
            for (position, _) in game.positions() {
                for mv in position.legal_moves() {
                    let mut bits = BitWriter::default();
                    put_move(&position, mv, &mut bits).unwrap();
                    let bytes = bits.finish();
                    assert!(bytes.len() <= MAX_MOVE_BITS.div_ceil(8) as usize);
                    assert_eq!(take_move(&position, &mut BitReader::new(&bytes)), Some(mv));
                }
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

    #[test]
    fn positions_come_back_as_they_were() {
        for fen in [
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "1r1k3r/8/8/8/8/8/8/RK4R1 w AGbh - 99 1234",
            "8/8/4k3/8/8/4K3/8/8 b - - 12 300",
        ] {
            let position: Position = fen.parse().unwrap();
            assert!(unpack(&pack(&position)).unwrap() == position, "{fen}");
        }
        assert!(unpack(&[0; POSITION]).is_none() && unpack(&[255; POSITION]).is_none());
    }

    /// A game that can be read, whatever its checksum, can be written.
    #[test]
    fn fuzzed() {
        let corpus = samples::games(20, 2).iter().map(|game| encode(game).unwrap()).collect();
        crate::fuzzer::fuzz("game", corpus, |bytes| {
            // The file reader asks for the length first and passes as many bytes.
            let whole = length(bytes).and_then(|length| bytes.get(..length));
            match whole.map(read) {
                Some(Some((game, _))) => {
                    assert!(encode(&game).and_then(|bytes| decode(&bytes)).as_ref() == Some(&game));
                    "ply ".repeat(game.plies.len().checked_ilog2().unwrap_or(0) as usize)
                }
                Some(None) => "damaged".to_string(),
                None => "cut short".to_string(),
            }
        });
    }
}
