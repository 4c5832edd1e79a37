//! Opening books in the Polyglot format: entries of 16 bytes, each a key, a move, a weight and what
//! was learned of it, all big-endian and sorted by the key.

mod key;

use std::io;
use std::path::Path;

use rand::Rng;
use rand::seq::IndexedRandom;

pub use key::key;

use crate::board::{Game, Move, PieceType, Position, Square, UciMove};
use crate::files;

const ENTRY_BYTES: usize = 16;

/// How the format numbers what a pawn becomes.
const PROMOTIONS: [Option<PieceType>; 5] = [
    None,
    Some(PieceType::Knight),
    Some(PieceType::Bishop),
    Some(PieceType::Rook),
    Some(PieceType::Queen),
];

/// An opening book, sorted and not empty.
pub struct Book {
    entries: Vec<Entry>,
}

type Entry = [u8; ENTRY_BYTES];

/// A legal move of a book. One of weight 0 is known, but not to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    pub mv: Move,
    pub weight: u16,
}

/// Which of a book's moves is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The heaviest.
    Best,
    /// Each as often as its weight says.
    Weighted,
}

/// Why a file is no book.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    #[error("it is empty")]
    Empty,
    #[error("it is cut off or no book: {0} bytes are not a multiple of {ENTRY_BYTES}")]
    Size(usize),
    #[error("it is damaged or no book: entry {0} does not come after the one before it")]
    Order(usize),
}

impl Book {
    /// The book of a file, if one is named.
    pub fn load(path: Option<&Path>) -> Result<Option<Book>, BookError> {
        path.map(Book::open).transpose()
    }

    pub fn open(path: &Path) -> Result<Book, BookError> {
        Book::parse(&files::read(path)?)
    }

    pub fn parse(bytes: &[u8]) -> Result<Book, BookError> {
        let (entries, rest) = bytes.as_chunks();
        if !rest.is_empty() {
            return Err(BookError::Size(bytes.len()));
        }
        if entries.is_empty() {
            return Err(BookError::Empty);
        }
        match entries.windows(2).position(|pair| key_of(&pair[0]) > key_of(&pair[1])) {
            Some(before) => Err(BookError::Order(before + 2)),
            None => Ok(Book { entries: entries.to_vec() }),
        }
    }

    /// The legal moves for the position on the board, the heaviest first.
    pub fn moves(&self, game: &Game) -> Vec<BookMove> {
        let wanted = key(game);
        let first = self.entries.partition_point(|entry| key_of(entry) < wanted);
        let same = self.entries[first..].iter().take_while(|entry| key_of(entry) == wanted);
        let mut moves: Vec<BookMove> =
            same.filter_map(|entry| read_move(entry, game.position())).collect();
        moves.sort_by_key(|book| std::cmp::Reverse(book.weight));
        moves
    }
}

/// One of these moves, if one is to be played.
pub fn choose(moves: &[BookMove], choice: Choice, random: &mut impl Rng) -> Option<BookMove> {
    match choice {
        Choice::Best => moves.iter().find(|book| book.weight > 0).copied(),
        Choice::Weighted => {
            moves.choose_weighted(random, |book| u64::from(book.weight)).ok().copied()
        }
    }
}

/// A book's moves as a table for people: a line for each, with its share of all weight.
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

fn key_of(entry: &Entry) -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = *entry;
    u64::from_be_bytes([a, b, c, d, e, f, g, h])
}

/// The move of an entry, unless it is not legal here. Castling is the king taking its rook.
fn read_move(entry: &Entry, position: &Position) -> Option<BookMove> {
    let [.., high, low, weight_high, weight_low, _, _, _, _] = *entry;
    let coded = u16::from_be_bytes([high, low]);
    let to = Square::from_index(coded as u8);
    let from = Square::from_index((coded >> 6) as u8);
    let promotion = *PROMOTIONS.get(usize::from(coded >> 12 & 7))?;
    let mv = position.legal_move(UciMove { from, to, promotion }).ok()?;
    Some(BookMove { mv, weight: u16::from_be_bytes([weight_high, weight_low]) })
}
