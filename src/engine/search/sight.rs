//! Limited strength: which moves a player overlooks. Some moves are harder to see than others; overlooked
//! moves are not searched.

use super::ply::{Ply, Stack};
use super::strength::Sight;
use crate::board::square::JUMPS;
use crate::board::{Bitboards, Move, MoveList, Piece, PieceType, Square, SquareSet};
use crate::eval::{deviation, is_middlegame};

/// How much the rating varies from move to move.
const SPREAD: i32 = 200;

// How hard a move is to see. Each ply of lookahead adds to it, and each piece beyond twenty.
const NEAREST: i32 = 300;
const PLY: i32 = 200;
const PIECE: i32 = 8;

const MATE: i32 = -350;
const UNDEFENDED: i32 = -450;
const WINNING_CAPTURE: i32 = -100;
/// For a capture that the last move threatened, on the board or after one move. Half of the handicap for the
/// opponent's moves is cancelled.
const THREATENED_CAPTURE: i32 = -400;
const QUIET: i32 = 200;
/// Nobody considers them while the king should hide.
const KING_STEP: i32 = 1300;
const SACRIFICE: i32 = 500;
/// For each square beyond two.
const FAR: i32 = 50;
const BACKWARDS: i32 = 100;
const BY_A_PINNED_PIECE: i32 = 200;
const KNIGHT_FORK: i32 = 100;
const DISCOVERED: i32 = 200;
/// Promotion to a knight for the sake of its check, then to a rook or a bishop, which is hardly ever better
/// than a queen.
const PROMOTION_TO_A_KNIGHT: i32 = 1000;
const UNDERPROMOTION: i32 = 3000;

/// Which moves a player sees. The search is compiled for each kind of player, so that full strength does not
/// pay for limited strength.
pub trait Vision {
    const SEES_ALL: bool;

    /// Drops the moves of the current node that the player overlooks.
    fn retain_seen(&self, stack: &Stack, moves: &mut MoveList);

    /// Whether the player overlooks most ordinary quiet moves at this ply.
    fn is_past_horizon(&self, ply: usize) -> bool;
}

/// Full strength.
pub struct FullVision;

impl Vision for FullVision {
    const SEES_ALL: bool = true;

    fn retain_seen(&self, _: &Stack, _: &mut MoveList) {}

    fn is_past_horizon(&self, _: usize) -> bool {
        false
    }
}

impl Vision for Sight {
    const SEES_ALL: bool = false;

    /// In check, every move is seen.
    fn retain_seen(&self, stack: &Stack, moves: &mut MoveList) {
        let node = &stack[0];
        if node.in_check {
            return;
        }
        let difficulty = self.difficulty(stack);
        moves.retain(|mv| {
            let key = node.position.key() ^ self.seed ^ u64::from(mv.bits()) << 48;
            difficulty.of(*mv).is_none_or(|points| points < self.rating + deviation(key, SPREAD))
        });
    }

    fn is_past_horizon(&self, ply: usize) -> bool {
        let selfishness = if ply.is_multiple_of(2) { 0 } else { self.selfishness };
        let lookahead = (self.rating - NEAREST - QUIET - selfishness).max(0) / PLY;
        ply > lookahead as usize
    }
}

impl Sight {
    fn difficulty<'a>(&self, stack: &'a Stack) -> Difficulty<'a> {
        let (node, ply) = (&stack[0], stack.ply() as i32);
        let pieces = node.position.occupied().len() as i32;
        let of_opponent = self.selfishness * (ply % 2);
        Difficulty {
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
struct Difficulty<'a> {
    node: &'a Ply,
    /// Whether the node is the root.
    is_root: bool,
    /// Whether the node is the root or a child of it.
    is_near: bool,
    last_to: Option<Square>,
    pinned: SquareSet,
    of_opponent: i32,
    points: i32,
}

impl Difficulty<'_> {
    /// How hard a move is to see. `None` means that every player sees it.
    fn of(&self, mv: Move) -> Option<i32> {
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
        let is_undefended = !self.node.opponent_attacks().all().contains(to);
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
            // A player may overlook the consequences of a move, but not the move itself.
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

    /// Whether a knight on a square attacks two pieces that are undefended or worth more.
    fn forks(&self, to: Square) -> bool {
        let (pieces, them) = (&self.node.pieces, !self.node.position.side());
        let minors = pieces.kind(PieceType::Knight) | pieces.kind(PieceType::Bishop);
        let majors = pieces.kind(PieceType::Rook) | pieces.kind(PieceType::Queen);
        let loose = minors & !self.node.opponent_attacks().all();
        let targets = (majors | loose | pieces.kind(PieceType::King)) & pieces.by(them);
        let jumps = JUMPS.into_iter().filter_map(|step| to.step(step));
        jumps.filter(|&square| targets.contains(square)).count() >= 2
    }

    /// Whether the move opens a line on which another piece attacks something.
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
