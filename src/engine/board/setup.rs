//! A board on which a position is being set up. Only a legal one becomes a [`Position`].

use super::{CastlingSide, Color, MAX_PIECES, Piece, PieceType, Position, Square};

/// A position under construction: any piece may stand on any square.
#[derive(Clone, Copy)]
pub struct Setup {
    position: Position,
    en_passant: Option<Square>,
}

/// Why a setup is not a legal position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    #[error("{0} has no king")]
    NoKing(Color),
    #[error("{0} has {1} kings")]
    ManyKings(Color, usize),
    #[error("there are {0} pieces, more than {MAX_PIECES}")]
    ManyPieces(usize),
    #[error("{0} has {1} pawns, more than 8")]
    ManyPawns(Color, usize),
    #[error("a pawn stands on {0}")]
    PawnOnEdge(Square),
    #[error("{0} is to move and could take the king on {1}")]
    KingCanBeTaken(Color, Square),
    #[error("{0} cannot castle with a rook on {1}: king or rook is elsewhere")]
    Castling(Color, Square),
    #[error("no pawn just passed {0}")]
    EnPassant(Square),
}

impl SetupError {
    /// The field of a FEN, counted from 1, that contains the error.
    pub const fn fen_field(&self) -> usize {
        match self {
            SetupError::KingCanBeTaken(..) => 2,
            SetupError::Castling(..) => 3,
            SetupError::EnPassant(..) => 4,
            _ => 1,
        }
    }
}

impl Default for Setup {
    fn default() -> Setup {
        Setup::empty()
    }
}

impl Setup {
    /// The empty board, White to move.
    pub const fn empty() -> Setup {
        Setup { position: Position::empty(), en_passant: None }
    }

    /// Puts a piece on a square, replacing what was there.
    pub fn put(&mut self, piece: Piece, square: Square) {
        self.position.take(square);
        self.position.put(piece, square);
    }

    /// Removes and returns the piece on a square.
    pub fn take(&mut self, square: Square) -> Option<Piece> {
        self.position.take(square)
    }

    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.position.piece_at(square)
    }

    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.position.pieces()
    }

    pub fn set_side(&mut self, side: Color) {
        if side != self.position.side() {
            self.position.set_state(self.position.state().with_other_side());
        }
    }

    pub fn set_castling_rook(&mut self, color: Color, side: CastlingSide, rook: Square) {
        self.position.set_state(self.position.state().with_castling_rook(color, side, rook));
    }

    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        self.position.castling_rook(color, side)
    }

    /// Sets the square that a pawn just passed. It is kept only if a capture there is legal.
    pub fn set_en_passant(&mut self, target: Square) {
        self.en_passant = Some(target);
    }

    pub fn clear_en_passant(&mut self) {
        self.en_passant = None;
    }

    pub fn set_counters(&mut self, halfmoves: u16, move_number: u16) {
        self.position.set_counters(halfmoves, move_number);
    }

    /// The Zobrist keys of the setup so far: all, pawns, White's other pieces, Black's, minor pieces.
    pub fn keys(&self) -> [u64; 5] {
        let [white, black] = Color::BOTH.map(|color| self.position.non_pawn_key(color));
        let position = &self.position;
        [position.key(), position.pawn_key(), white, black, position.minor_key()]
    }

    /// The king of a side, if it has exactly one.
    pub fn king(&self, color: Color) -> Result<Square, SetupError> {
        let mut kings = self.pieces().filter(|&(_, piece)| piece == PieceType::King.of(color));
        match (kings.next(), kings.count()) {
            (None, _) => Err(SetupError::NoKing(color)),
            (Some((square, _)), 0) => Ok(square),
            (Some(_), others) => Err(SetupError::ManyKings(color, others + 1)),
        }
    }

    /// Checks the setup and returns the position.
    pub fn finish(mut self) -> Result<Position, SetupError> {
        let pieces = self.pieces().count();
        if pieces > MAX_PIECES {
            return Err(SetupError::ManyPieces(pieces));
        }
        for color in Color::BOTH {
            let king = self.king(color)?;
            self.position.set_state(self.position.state().with_king(color, king));
            self.check_pawns(color)?;
        }
        if let Some((square, _)) = self
            .pieces()
            .find(|(square, piece)| piece.is(PieceType::Pawn) && matches!(square.rank(), 0 | 7))
        {
            return Err(SetupError::PawnOnEdge(square));
        }
        let side = self.position.side();
        let king = self.position.king(!side);
        if self.position.is_attacked(king, side) {
            return Err(SetupError::KingCanBeTaken(side, king));
        }
        for color in Color::BOTH {
            self.check_castling(color)?;
        }
        if let Some(target) = self.en_passant {
            self.check_en_passant(target)?;
        }
        Ok(self.position)
    }

    fn check_pawns(&self, color: Color) -> Result<(), SetupError> {
        let pawns = self.pieces().filter(|&(_, piece)| piece == PieceType::Pawn.of(color)).count();
        if pawns > 8 {
            return Err(SetupError::ManyPawns(color, pawns));
        }
        Ok(())
    }

    fn check_castling(&self, color: Color) -> Result<(), SetupError> {
        let king = self.position.king(color);
        for castling_side in CastlingSide::BOTH {
            let Some(rook) = self.castling_rook(color, castling_side) else { continue };
            let stands = self.piece_at(rook) == Some(PieceType::Rook.of(color));
            if !stands
                || [king.rank_for(color), rook.rank_for(color)] != [0, 0]
                || CastlingSide::of(king, rook) != castling_side
            {
                return Err(SetupError::Castling(color, rook));
            }
        }
        Ok(())
    }

    /// Checks that a pawn may just have passed `target`, and keeps the square if a capture there is legal.
    fn check_en_passant(&mut self, target: Square) -> Result<(), SetupError> {
        let them = !self.position.side();
        let holds = |square: Option<Square>, piece: Option<Piece>| {
            square.filter(|&square| self.piece_at(square) == piece)
        };
        let [stop, origin] = [them.forward(), -them.forward()].map(|step| target.step(step));
        let passed = target.rank_for(them) == 2
            && holds(Some(target), None).is_some()
            && holds(origin, None).is_some();
        let stop = holds(stop, Some(PieceType::Pawn.of(them))).filter(|_| passed);
        let legal = self.position.legal_en_passant(stop.ok_or(SetupError::EnPassant(target))?);
        self.position.set_state(self.position.state().with_en_passant(legal));
        Ok(())
    }
}
