//! A position with its predecessors, to detect repetitions.

use super::{Color, Move, PieceType, Position};

/// How a game ended, or how it can be claimed to have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Checkmate { winner: Color },
    Stalemate,
    InsufficientMaterial,
    FiftyMoves,
    ThreefoldRepetition,
}

#[derive(Clone)]
pub struct Game {
    /// The first position, then the position after each move.
    positions: Vec<Position>,
    moves: Vec<Move>,
}

impl Game {
    pub fn new(start: Position) -> Game {
        Game { positions: vec![start], moves: Vec::new() }
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        self.positions.last().expect("a game has a first position")
    }

    /// The position that the game began with.
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: Move) {
        self.moves.push(mv);
        self.positions.push(self.position().after(mv));
    }

    /// Takes back the last move and returns it.
    pub fn undo(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        Some(mv)
    }

    /// The keys of the earlier positions that can still recur, oldest first.
    pub fn repeatable_keys(&self) -> impl Iterator<Item = u64> + '_ {
        let before = &self.positions[..self.positions.len() - 1];
        let reversible = usize::from(self.position().halfmoves());
        before[before.len().saturating_sub(reversible)..].iter().map(Position::key)
    }

    /// How often the current position occurred before.
    pub fn repetitions(&self) -> usize {
        let key = self.position().key();
        self.repeatable_keys().filter(|&earlier| earlier == key).count()
    }

    /// How the game ended, if it did. A draw that a player may claim counts.
    pub fn ending(&self) -> Option<Ending> {
        self.position().ending().or_else(|| {
            if self.position().halfmoves() >= 100 {
                Some(Ending::FiftyMoves)
            } else if self.repetitions() >= 2 {
                Some(Ending::ThreefoldRepetition)
            } else {
                None
            }
        })
    }
}

impl Position {
    /// How the game ended, as far as this position alone can tell.
    pub fn ending(&self) -> Option<Ending> {
        if self.legal_moves().is_empty() {
            if self.in_check() {
                Some(Ending::Checkmate { winner: !self.side() })
            } else {
                Some(Ending::Stalemate)
            }
        } else if self.is_insufficient() {
            Some(Ending::InsufficientMaterial)
        } else {
            None
        }
    }

    /// Whether no sequence of moves leads to mate: bare kings, a single minor piece, or only bishops on
    /// squares of one color.
    #[inline]
    pub fn is_insufficient(&self) -> bool {
        /// The pawn key of a board without pawns.
        const NO_PAWNS: u64 = 0;
        self.pawn_key() == NO_PAWNS && self.pieces_are_insufficient()
    }

    #[inline(never)]
    fn pieces_are_insufficient(&self) -> bool {
        let (mut knights, mut light, mut dark) = (0, 0, 0);
        for (square, piece) in self.pieces() {
            match piece.kind() {
                PieceType::King => {}
                PieceType::Knight => knights += 1,
                PieceType::Bishop if square.is_light() => light += 1,
                PieceType::Bishop => dark += 1,
                PieceType::Pawn | PieceType::Rook | PieceType::Queen => return false,
            }
        }
        match knights {
            0 => light == 0 || dark == 0,
            1 => light + dark == 0,
            _ => false,
        }
    }
}
