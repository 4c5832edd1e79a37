//! Mates, with their patterns, and threats of mate.

use super::geometry::{attackers, attacks, captures, is_mate, kind_at};
use super::line::Turn;
use super::motif::{Motif, Seen};
use engine::board::square::JUMPS;
use engine::board::{Color, Move, PieceType, Position, Square, SquareSet};

pub fn find(turn: Turn, found: &mut Vec<Seen>) {
    let moves = turn.line.moves.len();
    if turn.ply == turn.line.first && is_mate(turn.line.end()) && (moves - turn.ply) % 2 == 1 {
        let pattern = pattern(turn.line.end());
        found.push((Motif::Mate { moves: (moves - turn.ply).div_ceil(2), pattern }, true));
    }
    found.extend(threat(turn));
    found.extend(back_rank(turn));
}

/// All moves that give mate.
pub fn mates(position: &Position) -> impl Iterator<Item = Move> {
    let moves = position.legal_moves();
    moves.into_iter().filter(|&mv| is_mate(&position.after(mv)))
}

fn threat(turn: Turn) -> Option<Seen> {
    if turn.after().in_check() || mates(turn.before()).next().is_some() {
        return None;
    }
    let mate = mates(&turn.after().after_null()).next()?;
    let pays = turn.next().is_some_and(|next| next.mv() == mate);
    Some((Motif::MateThreat { mate }, pays))
}

/// A defended piece can be captured, since a recapture allows mate on the back rank.
fn back_rank(turn: Turn) -> Option<Seen> {
    let taken = turn.mv().to();
    let defences = captures(turn.after(), taken);
    let loses = |&mv: &Move| {
        let next = turn.after().after(mv);
        mates(&next).any(|mate| pattern(&next.after(mate)) == Some("back-rank"))
    };
    (turn.taken() > 0 && !defences.is_empty() && defences.iter().all(loses))
        .then_some((Motif::BackRank { taken }, true))
}

/// A king that is mated.
struct Mated<'a> {
    position: &'a Position,
    king: Square,
    side: Color,
    checker: Square,
    /// The squares around the king: those that its own pieces block, and the others.
    blocked: SquareSet,
    open: SquareSet,
}

impl<'a> Mated<'a> {
    fn of(position: &'a Position) -> Mated<'a> {
        let (side, king) = (position.side(), position.king(position.side()));
        let around = attacks(position, king);
        let blocked = around & position.occupied_by(side);
        let checker = position.checkers().into_iter().next().unwrap_or(king);
        Mated { position, king, side, checker, blocked, open: around & !blocked }
    }

    fn enemies(&self, kind: PieceType) -> SquareSet {
        self.position.squares_of(kind.of(!self.side))
    }

    /// Files and ranks from the king to a square.
    fn apart(&self, square: Square) -> (u8, u8) {
        (square.file().abs_diff(self.king.file()), square.rank().abs_diff(self.king.rank()))
    }

    fn has_knight(&self, apart: (u8, u8)) -> bool {
        self.enemies(PieceType::Knight).into_iter().any(|knight| self.apart(knight) == apart)
    }

    /// The mating side's pieces of a type that guard a square.
    fn guards(&self, square: Square, kind: PieceType) -> SquareSet {
        attackers(self.position, square, !self.side) & self.enemies(kind)
    }

    /// Check along the king's first rank, with its own pieces in front of it.
    fn is_on_back_rank(&self) -> bool {
        let home = |square: Square| square.rank() == self.side.home_rank();
        home(self.king) && home(self.checker) && self.open.into_iter().all(home)
    }

    /// Two bishops on crossing diagonals cover all escape squares.
    fn is_between_bishops(&self) -> bool {
        let bishops = self.enemies(PieceType::Bishop);
        let is_right = |bishop: Square| bishop.file() > self.king.file();
        let right = bishops.into_iter().filter(|&bishop| is_right(bishop)).count();
        let seen = |square| !self.guards(square, PieceType::Bishop).is_empty();
        bishops.len() == 2 && right == 1 && self.open.into_iter().all(seen)
    }

    /// One heavy piece covers the edge, another the line beside it.
    fn is_on_ladder(&self) -> bool {
        let lines: [fn(Square) -> u8; 2] = [Square::rank, Square::file];
        lines.iter().any(|line| {
            let king = line(self.king);
            let is_second = |square: Square| line(square).abs_diff(king) == 1;
            let holds = |second: Square| {
                let seen = attacks(self.position, second);
                is_second(second)
                    && self.open.into_iter().all(|at| !is_second(at) || seen.contains(at))
            };
            let heavy = self.enemies(PieceType::Rook) | self.enemies(PieceType::Queen);
            let is_edge = [0, 7].contains(&king) && line(self.checker) == king;
            is_edge && self.blocked.is_empty() && heavy.into_iter().any(holds)
        })
    }
}

/// The name of the first mating pattern that fits.
fn pattern(position: &Position) -> Option<&'static str> {
    use PieceType::{Bishop, Knight, Pawn, Queen, Rook};
    let mated = Mated::of(position);
    let (king, checker, side) = (mated.king, mated.checker, mated.side);
    let kind = kind_at(position, checker).filter(|_| position.checkers().len() == 1)?;
    let (apart, is_heavy) = (mated.apart(checker), matches!(kind, Rook | Queen));
    let is_beside = matches!(apart, (0, 1) | (1, 0));
    let is_edge = |at: u8| [0, 7].contains(&at);
    let is_backed_by = |kind| !mated.guards(checker, kind).is_empty();
    let shoulders = mated.blocked.into_iter().filter(|&at| mated.apart(at) == (1, 0)).count();
    let tail = JUMPS.iter().filter_map(|&jump| checker.step(jump));
    let tail = tail.filter(|&at| mated.blocked.contains(at)).count();
    let mut knights = mated.guards(checker, Knight).into_iter();
    let at_home = king.file() == 4 && king.rank_for(side) == 0;
    let on_weak_pawn = checker.file() == 5 && checker.rank_for(side) == 1;
    let patterns = [
        ("smothered", kind == Knight && mated.open.is_empty()),
        ("back-rank", is_heavy && mated.is_on_back_rank()),
        (
            "Arabian",
            kind == Rook
                && is_beside
                && is_edge(king.file())
                && is_edge(king.rank())
                && is_backed_by(Knight)
                && mated.has_knight((2, 2)),
        ),
        (
            "Anastasia's",
            is_heavy
                && apart.0 == 0
                && is_edge(king.file())
                && shoulders == 1
                && mated.has_knight((3, 0)),
        ),
        ("Boden's", kind == Bishop && mated.is_between_bishops()),
        ("scholar's", kind == Queen && at_home && on_weak_pawn && is_backed_by(Bishop)),
        (
            "opera",
            kind == Rook && apart == (1, 0) && king.rank_for(side) == 0 && is_backed_by(Bishop),
        ),
        (
            "hook",
            kind == Rook
                && is_beside
                && knights.any(|knight| !mated.guards(knight, Pawn).is_empty()),
        ),
        ("epaulette", kind == Queen && apart == (0, 2) && shoulders == 2),
        ("swallow's tail", kind == Queen && is_beside && tail == 2),
        ("ladder", is_heavy && mated.is_on_ladder()),
    ];
    patterns.into_iter().find(|&(_, fits)| fits).map(|(name, _)| name)
}
