//! Polyglot opening books: entries of 16 bytes, sorted by key, each with key, move, weight and learning data
//! in big-endian order.

use std::io::{self, BufReader, Cursor, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rand::Rng;
use rand::seq::IndexedRandom;
use shakmaty::File;
use shakmaty::zobrist::{Zobrist64, ZobristValue};

use crate::board::square::{EAST, WEST};
use crate::board::{CastlingSide, Color, Game, Move, PieceType, Position, Square, UciMove};
use crate::system::files;

const ENTRY_BYTES: usize = 16;

/// At most this many entries of a position are read.
const MOST_MOVES: usize = 256;

/// The format's numbers for promotion pieces.
const PROMOTIONS: [Option<PieceType>; 5] = [
    None,
    Some(PieceType::Knight),
    Some(PieceType::Bishop),
    Some(PieceType::Rook),
    Some(PieceType::Queen),
];

/// An opening book: sorted, not empty, and searched on disk, so that its size does not matter.
pub struct Book {
    source: Mutex<Box<dyn Source>>,
    /// In entries.
    length: u64,
}

trait Source: Read + Seek + Send {}

impl<T: Read + Seek + Send> Source for T {}

/// Larger books are not checked for order when they are opened.
const MOST_CHECKED: u64 = 64 << 20;

type Entry = [u8; ENTRY_BYTES];

/// A legal book move. A move of weight 0 is known but not to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    pub mv: Move,
    pub weight: u16,
}

/// How to choose among a position's book moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The move with the highest weight.
    Best,
    /// At random, in proportion to weight.
    Weighted,
}

/// Why a file is not a valid book.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    #[error("it is empty")]
    Empty,
    #[error("it is cut off or no book: {0} bytes are not a multiple of {ENTRY_BYTES}")]
    Size(u64),
    #[error("it is damaged or no book: entry {0} does not come after the one before it")]
    Order(u64),
}

impl Book {
    /// Opens the book at a path, if there is one.
    pub fn load(path: Option<&Path>) -> Result<Option<Book>, BookError> {
        path.map(Book::open).transpose()
    }

    pub fn open(path: &Path) -> Result<Book, BookError> {
        let file = files::open(path)?;
        let bytes = file.metadata()?.len();
        Book::new(Box::new(file), bytes)
    }

    pub fn parse(bytes: Vec<u8>) -> Result<Book, BookError> {
        let length = bytes.len() as u64;
        Book::new(Box::new(Cursor::new(bytes)), length)
    }

    fn new(mut source: Box<dyn Source>, bytes: u64) -> Result<Book, BookError> {
        let length = bytes / ENTRY_BYTES as u64;
        if !bytes.is_multiple_of(ENTRY_BYTES as u64) {
            return Err(BookError::Size(bytes));
        }
        if length == 0 {
            return Err(BookError::Empty);
        }
        let mut input = BufReader::new(&mut source);
        let mut before = 0;
        for number in 1..=length.min(MOST_CHECKED / ENTRY_BYTES as u64) {
            let mut entry = [0; ENTRY_BYTES];
            input.read_exact(&mut entry).map_err(changed)?;
            if key_of(&entry) < before {
                return Err(BookError::Order(number));
            }
            before = key_of(&entry);
        }
        Ok(Book { source: Mutex::new(source), length })
    }

    /// The legal book moves of a game's position, heaviest first.
    pub fn moves(&self, game: &Game) -> io::Result<Vec<BookMove>> {
        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        let mut entry = |number: u64| {
            let mut entry = [0; ENTRY_BYTES];
            source.seek(SeekFrom::Start(number * ENTRY_BYTES as u64))?;
            source.read_exact(&mut entry).map(|()| entry).map_err(changed)
        };
        let wanted = key(game);
        let (mut first, mut end) = (0, self.length);
        while first < end {
            let middle = first + (end - first) / 2;
            if key_of(&entry(middle)?) < wanted { first = middle + 1 } else { end = middle }
        }
        let mut moves = Vec::new();
        // A position has no more entries than moves.
        for number in (first..self.length).take(MOST_MOVES) {
            let entry = entry(number)?;
            if key_of(&entry) != wanted {
                break;
            }
            moves.extend(read_move(&entry, game.position()));
        }
        moves.sort_by_key(|book| std::cmp::Reverse(book.weight));
        Ok(moves)
    }
}

/// Chooses a move, unless none of them is to be played.
pub fn choose(moves: &[BookMove], choice: Choice, random: &mut impl Rng) -> Option<BookMove> {
    match choice {
        Choice::Best => moves.iter().find(|book| book.weight > 0).copied(),
        Choice::Weighted => {
            moves.choose_weighted(random, |book| u64::from(book.weight)).ok().copied()
        }
    }
}

/// A table of book moves for people, with each move's share of the total weight.
pub fn table(position: &Position, moves: &[BookMove]) -> String {
    if moves.is_empty() {
        return "The book has no move for this position.".to_string();
    }
    let sum: u64 = moves.iter().map(|book| u64::from(book.weight)).sum();
    let mut text = "move     uci    weight   share".to_string();
    for &BookMove { mv, weight } in moves {
        let share = 100.0 * f64::from(weight) / sum.max(1) as f64;
        let (san, uci) = (position.san(mv), position.uci(mv, false));
        text += &format!("\n{san:<8} {uci:<6} {weight:>6} {share:>6.1}%");
    }
    text
}

/// A file that ends too early has shrunk since it was opened.
fn changed(error: io::Error) -> io::Error {
    match error.kind() {
        ErrorKind::UnexpectedEof => io::Error::other("it changes while it is read"),
        _ => error,
    }
}

fn key_of(entry: &Entry) -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = *entry;
    u64::from_be_bytes([a, b, c, d, e, f, g, h])
}

/// The move of an entry, if it is legal here. Castling is the king taking its rook.
fn read_move(entry: &Entry, position: &Position) -> Option<BookMove> {
    let [.., high, low, weight_high, weight_low, _, _, _, _] = *entry;
    let coded = u16::from_be_bytes([high, low]);
    let to = Square::from_index(coded as u8);
    let from = Square::from_index((coded >> 6) as u8);
    let promotion = *PROMOTIONS.get(usize::from(coded >> 12 & 7))?;
    let mv = position.legal_move(UciMove { from, to, promotion }).ok()?;
    Some(BookMove { mv, weight: u16::from_be_bytes([weight_high, weight_low]) })
}

/// The book key of a game's position. Its random numbers are part of the format, and shakmaty has them.
pub fn key(game: &Game) -> u64 {
    let position = game.position();
    let mut key = Zobrist64::default();
    for (square, piece) in position.pieces() {
        key ^= Zobrist64::zobrist_for_piece(square.into(), piece.into());
    }
    for color in Color::BOTH {
        for (side, theirs) in CastlingSide::BOTH
            .into_iter()
            .zip([shakmaty::CastlingSide::KingSide, shakmaty::CastlingSide::QueenSide])
        {
            if position.castling_rook(color, side).is_some() {
                key ^= Zobrist64::zobrist_for_castling_right(color.into(), theirs);
            }
        }
    }
    if let Some(stop) = long_step(game).filter(|&stop| can_be_reached(position, stop)) {
        key ^= Zobrist64::zobrist_for_en_passant_file(File::ALL[usize::from(stop.file())]);
    }
    if position.side() == Color::White {
        key ^= Zobrist64::zobrist_for_white_turn();
    }
    key.0
}

/// The square of a pawn that just advanced two squares.
fn long_step(game: &Game) -> Option<Square> {
    let position = game.position();
    let them = !position.side();
    match game.moves().last() {
        Some(mv) => {
            let two_ranks = mv.from().coordinate().abs_diff(mv.to().coordinate()) == 0x20;
            let pawn = position.piece_at(mv.to()) == Some(PieceType::Pawn.of(them));
            (two_ranks && pawn).then_some(mv.to())
        }
        None => position.en_passant()?.step(them.forward()),
    }
}

/// Whether a pawn is in place to capture en passant. Unlike Zebu's own keys, the format ignores whether the
/// capture is legal.
fn can_be_reached(position: &Position, stop: Square) -> bool {
    let taker = PieceType::Pawn.of(position.side());
    let beside = [WEST, EAST].into_iter().filter_map(|step| stop.step(step));
    beside.into_iter().any(|square| position.piece_at(square) == Some(taker))
}

#[cfg(test)]
mod tests {
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use shakmaty::uci::UciMove;
    use shakmaty::{Chess, EnPassantMode, Position as _};

    use super::*;

    fn game(words: &str) -> Game {
        let mut game = Game::new(Position::start());
        for word in words.split_whitespace() {
            let mv = game.position().parse_uci(word).expect("a legal move");
            game.play(mv);
        }
        game
    }

    /// The test positions from the specification.
    #[test]
    fn the_published_positions_have_their_keys() {
        let advance = "e2e4 d7d5 e4e5 f7f5 e1e2 e8f7";
        let captures = "a2a4 b7b5 h2h4 b5b4 c2c4";
        for (moves, wanted) in [
            ("", 0x463b96181691fc9c),
            ("e2e4", 0x823c9b50fd114196),
            ("e2e4 d7d5", 0x0756b94461c50fb0),
            ("e2e4 d7d5 e4e5", 0x662fafb965db29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a48b5a8e47ff78),
            (&advance[..advance.len() - 5], 0x652a607ca3f242c1),
            (advance, 0x00fdd303c946bdd9),
            (captures, 0x3c8123ea7b067637),
            (&format!("{captures} b4c3 a1a3"), 0x5c3f9b829b279560),
        ] {
            let game = game(moves);
            assert_eq!(key(&game), wanted, "{moves}");
            let from_fen = Game::new(game.position().fen().parse().expect("our own FEN"));
            assert_eq!(key(&from_fen), wanted, "{moves}");
        }
    }

    #[test]
    fn en_passant_counts_though_it_is_not_legal() {
        let position: Position = "8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1".parse().expect("a position");
        let mut game = Game::new("8/8/8/8/k3p2Q/8/3P4/3K4 w - - 0 1".parse().expect("a position"));
        game.play(game.position().parse_uci("d2d4").expect("a legal move"));
        assert_eq!(game.position().en_passant(), None, "the pawn is pinned along the rank");
        let passed = u64::from(Zobrist64::zobrist_for_en_passant_file(File::D));
        assert_eq!(key(&game), key(&Game::new(position)) ^ passed);
    }

    #[test]
    fn shakmaty_agrees_on_random_games() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1989);
        for _ in 0..100 {
            let mut game = Game::new(Position::start());
            let mut reference = Chess::default();
            for _ in 0..random.random_range(1..120) {
                let Some(&mv) = game.position().legal_moves().choose(&mut random) else { break };
                let word: UciMove = mv.to_string().parse().expect("a move");
                reference.play_unchecked(word.to_move(&reference).expect("a legal move"));
                game.play(mv);
                let theirs: Zobrist64 = reference.zobrist_hash(EnPassantMode::PseudoLegal);
                assert_eq!(key(&game), theirs.0, "{}", game.position().fen());
            }
        }
    }
}
