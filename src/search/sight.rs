//! What a weaker player overlooks: some moves are harder to see than others, and those that a player does
//! not see are not in its search.

use super::ply::{Ply, Stack};
use super::strength::Sight;
use crate::board::square::JUMPS;
use crate::board::{Bitboards, Move, MoveList, Piece, PieceType, Square, SquareSet};
use crate::eval::{deviation, is_middlegame};

/// How far the rating varies from move to move.
const SPREAD: i32 = 200;

// How hard a move is to see: more for each ply that is looked ahead, and for each piece above twenty.
const NEAREST: i32 = 300;
const PLY: i32 = 200;
const PIECE: i32 = 8;

const MATE: i32 = -350;
const UNDEFENDED: i32 = -450;
const WINNING_CAPTURE: i32 = -100;
/// The same on the board, where it is what the last move threatened, and after a move: of what makes the
/// opponent's moves harder half counts then.
const THREATENED_CAPTURE: i32 = -400;
const QUIET: i32 = 200;
/// Nobody looks at them as long as the king should hide.
const KING_STEP: i32 = 1300;
const SACRIFICE: i32 = 500;
/// For each square beyond two.
const FAR: i32 = 50;
const BACKWARDS: i32 = 100;
const BY_A_PINNED_PIECE: i32 = 200;
const KNIGHT_FORK: i32 = 100;
const DISCOVERED: i32 = 200;
/// A knight for its check, and a rook or a bishop, which is hardly ever better than a queen.
const PROMOTION_TO_A_KNIGHT: i32 = 1000;
const UNDERPROMOTION: i32 = 3000;

impl Sight {
    /// The first plies, even and odd, at which most of the ordinary quiet moves are not seen.
    pub fn horizons(&self) -> [usize; 2] {
        [0, self.selfishness]
            .map(|more| ((self.rating - NEAREST - QUIET - more).max(0) / PLY + 1) as usize)
    }

    /// Leaves out the moves of the present node that the player does not see. In check it sees all.
    pub fn keep_seen(&self, stack: &Stack, moves: &mut MoveList) {
        let node = &stack[0];
        if node.in_check {
            return;
        }
        let looks = self.looks(stack);
        moves.retain(|mv| {
            let key = node.position.key() ^ self.seed ^ u64::from(mv.bits()) << 48;
            looks.points(*mv).is_none_or(|points| points < self.rating + deviation(key, SPREAD))
        });
    }

    fn looks<'a>(&self, stack: &'a Stack) -> Looks<'a> {
        let (node, ply) = (&stack[0], stack.ply() as i32);
        let pieces = node.position.occupied().len() as i32;
        let of_opponent = self.selfishness * (ply % 2);
        Looks {
            node,
            is_root: ply == 0,
            is_near: ply <= 1,
            last_to: stack[-1].moved.piece_to.to(),
            pinned: node.position.pinned(node.position.side()),
            of_opponent,
            points: NEAREST + PLY * ply + PIECE * (pieces - 20) + of_opponent,
        }
    }
}

/// What makes the moves of a node hard to see.
struct Looks<'a> {
    node: &'a Ply,
    /// Whether it is the position on the board.
    is_root: bool,
    /// Whether it is that or the one after a move.
    is_near: bool,
    last_to: Option<Square>,
    pinned: SquareSet,
    of_opponent: i32,
    points: i32,
}

impl Looks<'_> {
    /// How hard it is to see a move; none is seen by everybody.
    fn points(&self, mv: Move) -> Option<i32> {
        let position = &self.node.position;
        let (from, to, side) = (mv.from(), mv.to(), position.side());
        let piece = position.piece_at(from)?;
        let is_knight = piece.is(PieceType::Knight);
        let is_king_step = piece.is(PieceType::King) && !mv.is_castling();
        let victim = position.captured(mv);
        let captures = victim.is_some();
        let gives_check = self.node.gives_check(mv);
        if gives_check && position.after(mv).legal_moves().is_empty() {
            return Some(self.points + MATE);
        }
        let is_undefended = !self.node.threats().all().contains(to);
        let is_queen = |piece: Piece| piece.is(PieceType::Queen);
        let wins_queen = victim.is_some_and(is_queen) && !is_queen(piece);
        let wins = || self.node.see_ge(mv, 1);
        let kind = match mv.promoted() {
            Some(PieceType::Queen) => return None,
            Some(PieceType::Knight) if gives_check => PROMOTION_TO_A_KNIGHT,
            Some(_) => UNDERPROMOTION,
            None if captures && self.last_to == Some(to) => return None,
            None if captures && self.is_near && (is_undefended || wins_queen) => return None,
            None if captures && is_undefended => UNDEFENDED,
            None if captures && self.is_near && wins() => THREATENED_CAPTURE - self.of_opponent / 2,
            None if captures && wins() => WINNING_CAPTURE,
            None if captures || gives_check => 0,
            None if is_king_step && is_middlegame(position) => KING_STEP,
            // What it leads to may be overlooked, but not that it can be played.
            None if self.is_root => return None,
            None => QUIET,
        };
        let rows = i32::from(to.rank_for(side)) - i32::from(from.rank_for(side));
        let files = i32::from(to.file().abs_diff(from.file()));
        let distance = if is_knight { 0 } else { (rows.abs().max(files) - 2).max(0) };
        let traits = [
            (BACKWARDS, rows < 0),
            (SACRIFICE, !self.node.see_ge(mv, 0)),
            (BY_A_PINNED_PIECE, self.pinned.contains(from)),
            (KNIGHT_FORK, is_knight && self.forks(to)),
            (DISCOVERED, !captures && self.discovers(mv)),
        ];
        let more: i32 = traits.into_iter().filter(|&(_, has)| has).map(|(more, _)| more).sum();
        Some(self.points + kind + FAR * distance + more)
    }

    /// Whether a knight on a square attacks two pieces that are worth more or undefended.
    fn forks(&self, to: Square) -> bool {
        let (pieces, them) = (&self.node.pieces, !self.node.position.side());
        let minors = pieces.kind(PieceType::Knight) | pieces.kind(PieceType::Bishop);
        let majors = pieces.kind(PieceType::Rook) | pieces.kind(PieceType::Queen);
        let loose = minors & !self.node.threats().all();
        let targets = (majors | loose | pieces.kind(PieceType::King)) & pieces.by(them);
        let jumps = JUMPS.into_iter().filter_map(|step| to.step(step));
        jumps.filter(|&square| targets.contains(square)).count() >= 2
    }

    /// Whether a piece attacks another once a move has opened its line.
    fn discovers(&self, mv: Move) -> bool {
        let position = &self.node.position;
        let us = position.side();
        let before = self.node.own_attacks();
        if !before.by_sliders().contains(mv.from()) {
            return false;
        }
        let next = Bitboards::of(&position.after(mv));
        let after = next.attacks(us);
        let from_there = PieceType::ALL.map(|kind| next.kind(kind) & SquareSet::one(mv.to()));
        let by_mover = next.attacks_from(from_there, us).all();
        let new = after.by_sliders() & !before.all() & !by_mover & next.by(!us);
        !new.is_empty()
    }
}
