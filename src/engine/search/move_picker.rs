//! Move ordering.
//!
//! Moves are generated in stages and sorted lazily, so a node that fails high early does little work.

use arrayvec::ArrayVec;
use wide::i32x8;

use super::history::History;
use super::places::{NoisyPlace, PieceTo};
use super::ply::{Ply, Stack};
use super::sight::Vision;
use super::tunables::Tunables;
use crate::board::{
    Move, MoveList, Piece, PieceType, Position, SquareSet, Stage, king_attacks, see_value,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiet,
    GoodQuiet,
    BadNoisy,
    BadQuiet,
}

/// Picks the moves of a node, the most promising first: the TT move, good noisy moves by SEE, quiet moves
/// with good histories, bad noisy moves, the remaining quiet moves.
pub struct MovePicker {
    step: Step,
    tunables: Tunables,
    tt_move: Option<Move>,
    with_quiets: bool,
    /// What good noisy moves must gain by SEE. If `None`, it depends on a move's score.
    see_threshold: Option<i32>,
    moves: ScoredMoves,
    bad_noisy: MoveList,
    next_bad: usize,
}

impl MovePicker {
    /// Picks all moves; in check, all evasions. The TT move must be legal.
    pub fn all(tt_move: Option<Move>, tunables: Tunables) -> MovePicker {
        MovePicker::new(tt_move, tunables, None)
    }

    /// Picks noisy moves that gain `see_threshold` by SEE, and the TT move, which must be legal.
    pub fn noisy(tt_move: Option<Move>, see_threshold: i32, tunables: Tunables) -> MovePicker {
        MovePicker::new(tt_move, tunables, Some(see_threshold))
    }

    fn new(tt_move: Option<Move>, tunables: Tunables, see_threshold: Option<i32>) -> MovePicker {
        let step = if tt_move.is_some() { Step::TtMove } else { Step::GenerateNoisy };
        MovePicker {
            step,
            tunables,
            tt_move,
            with_quiets: see_threshold.is_none(),
            see_threshold,
            moves: ScoredMoves::new(),
            bad_noisy: MoveList::new(),
            next_bad: 0,
        }
    }

    /// Whether the last picked move is noisy and loses by SEE.
    pub fn is_bad_noisy(&self) -> bool {
        self.step == Step::BadNoisy
    }

    /// Skips all further quiet moves.
    pub fn skip_quiets(&mut self) {
        self.with_quiets = false;
        if self.step == Step::GoodQuiet {
            self.step = Step::BadNoisy;
        }
    }

    /// Skips all further quiet moves except checks.
    pub fn skip_quiets_but_checks(&mut self, node: &Ply) {
        if matches!(self.step, Step::GoodQuiet | Step::BadQuiet) {
            let checks = node.checks();
            self.moves.retain(|mv| checks.has(&node.position, mv));
        }
    }

    /// The next move. `only_checks` is called before quiet moves are scored; if it returns true, only those
    /// that give check are picked, in any order.
    pub fn next(
        &mut self,
        history: &History,
        stack: &Stack,
        vision: &impl Vision,
        only_checks: impl Fn() -> bool,
    ) -> Option<Move> {
        let node = &stack[0];
        loop {
            match self.step {
                Step::TtMove => {
                    self.step = Step::GenerateNoisy;
                    return self.tt_move;
                }
                Step::GenerateNoisy => {
                    self.generate_noisy(history, stack, vision);
                    self.step = Step::GoodNoisy;
                }
                Step::GoodNoisy => match self.best() {
                    Some((mv, score)) if node.see_ge(mv, self.see_threshold(score)) => {
                        return Some(mv);
                    }
                    Some((mv, _)) if self.with_quiets => self.bad_noisy.push(mv),
                    Some(_) => {}
                    None => self.step = Step::GenerateQuiet,
                },
                Step::GenerateQuiet => {
                    self.step = Step::BadNoisy;
                    if self.with_quiets {
                        self.step = Step::GoodQuiet;
                        if only_checks() {
                            self.generate(stack, vision, Stage::Quiet, |_| 0);
                            self.skip_quiets_but_checks(node);
                        } else {
                            self.generate_quiets(history, stack, vision);
                        }
                    }
                }
                Step::GoodQuiet => match self.best_at_least(self.tunables.good_quiet()) {
                    Some(mv) => return Some(mv),
                    None => self.step = Step::BadNoisy,
                },
                Step::BadNoisy => match self.bad_noisy.get(self.next_bad) {
                    Some(&mv) => {
                        self.next_bad += 1;
                        return Some(mv);
                    }
                    None if self.with_quiets => self.step = Step::BadQuiet,
                    None => return None,
                },
                Step::BadQuiet => {
                    let left = if self.with_quiets { self.best() } else { None };
                    return left.map(|(mv, _)| mv);
                }
            }
        }
    }

    /// The SEE threshold of a good noisy move. A move with a high score may lose more.
    fn see_threshold(&self, score: i32) -> i32 {
        self.see_threshold.unwrap_or(-score / self.tunables.good_noisy_divisor())
    }

    // These two are not inlined: copies in every search would overflow the instruction cache.

    #[inline(never)]
    fn generate_noisy(&mut self, history: &History, stack: &Stack, vision: &impl Vision) {
        let mvv = self.tunables.mvv();
        let score = |mv| noisy_score(history, &stack[0], mv, mvv);
        self.generate(stack, vision, Stage::Noisy, score);
    }

    #[inline(never)]
    fn generate_quiets(&mut self, history: &History, stack: &Stack, vision: &impl Vision) {
        history.prefetch_quiets(stack);
        let node = &stack[0];
        let threat_score = threat_score(node, self.tunables);
        let history = history.quiet_score(stack);
        let score = |mv: Move| {
            let piece = node.position.piece_at(mv.from());
            piece.map_or(0, |piece| threat_score(mv, piece) + history(mv, piece))
        };
        self.generate(stack, vision, Stage::Quiet, score);
    }

    fn generate(
        &mut self,
        stack: &Stack,
        vision: &impl Vision,
        stage: Stage,
        score: impl Fn(Move) -> i32,
    ) {
        let generate = |moves: &mut MoveList| {
            stack[0].generate(stage, moves);
            // The root moves were already restricted to those seen.
            if stack.ply() > 0 {
                vision.retain_seen(stack, moves);
            }
        };
        self.moves.fill(generate, score);
    }

    /// The best remaining move other than the TT move, and its score.
    fn best(&mut self) -> Option<(Move, i32)> {
        loop {
            let picked = self.moves.take_best()?;
            if Some(picked.0) != self.tt_move {
                return Some(picked);
            }
        }
    }

    /// The best remaining move other than the TT move, if its score is at least `least`.
    fn best_at_least(&mut self, least: i32) -> Option<Move> {
        while self.moves.best_score()? >= least {
            let (mv, _) = self.moves.take_best()?;
            if Some(mv) != self.tt_move {
                return Some(mv);
            }
        }
        None
    }
}

/// MVV and capture history: the most valuable victim first, ties broken by history. Underpromotions come
/// last.
fn noisy_score(history: &History, node: &Ply, mv: Move, mvv: i32) -> i32 {
    let victim = node.position.captured(mv);
    let value = victim.map_or(0, |piece| see_value(piece.kind()));
    let promotion = match mv.promoted() {
        Some(PieceType::Queen) => see_value(PieceType::Queen),
        Some(_) => -see_value(PieceType::Queen),
        None => 0,
    };
    let piece_to = PieceTo::of(&node.position, mv);
    let place = NoisyPlace::new(node.opponent_attacks().all(), piece_to, mv, victim);
    mvv * (value + promotion) + history.capture(place)
}

/// The part of a quiet move's score that is not history: leaving or entering danger, attacking something,
/// giving check, and leaving the king without its pawn shield.
fn threat_score(node: &Ply, tunables: Tunables) -> impl Fn(Move, Piece) -> i32 {
    let (position, attacks, checks) = (&node.position, node.opponent_attacks(), node.checks());
    let pawns = attacks.by(PieceType::Pawn);
    let minors = pawns | attacks.by(PieceType::Knight) | attacks.by(PieceType::Bishop);
    let rooks = minors | attacks.by(PieceType::Rook);
    // The squares on which a lesser piece attacks a piece, by the piece's type.
    let dangers = PieceType::ALL.map(|kind| match kind {
        PieceType::Knight | PieceType::Bishop => pawns,
        PieceType::Rook => minors,
        PieceType::Queen => rooks,
        PieceType::Pawn | PieceType::King => SquareSet::NONE,
    });
    let values = PieceType::ALL.map(|kind| tunables.threat_score() * see_value(kind));
    let offense = offense(node);
    let mut shields = [SquareSet::NONE; 6];
    shields[PieceType::Pawn.index()] = pawn_shield(position);
    move |mv, piece| {
        // Arithmetic instead of branches, which would often be mispredicted.
        let kind = piece.kind_index();
        let escapes = i32::from(dangers[kind].contains(mv.from()))
            - i32::from(dangers[kind].contains(mv.to()));
        let attacks = i32::from(offense[kind].contains(mv.to()));
        let bares_king = i32::from(shields[kind].contains(mv.from()));
        let mut score = escapes * values[kind] + attacks * tunables.offense_score()
            - bares_king * tunables.pawn_shield_score();
        if checks.has_by(position, mv, piece) && node.see_ge(mv, tunables.check_see()) {
            score += tunables.check_score();
        }
        score
    }
}

/// The squares, not attacked by the opponent, from which a piece of each type attacks something that is
/// undefended or worth more.
fn offense(node: &Ply) -> [SquareSet; 6] {
    let them = !node.position.side();
    let attacked = node.opponent_attacks().all();
    let of = |kind| node.pieces.kind(kind) & node.pieces.by(them);
    let minors = of(PieceType::Knight) | of(PieceType::Bishop);
    let (rooks, queens) = (of(PieceType::Rook), of(PieceType::Queen));
    let loose = (minors | rooks | queens) & !attacked;
    // Attacks are symmetric: a piece attacks another from the squares that a piece like it would attack from
    // there.
    let from = node.pieces.attacks_from(
        PieceType::ALL.map(|kind| match kind {
            PieceType::Pawn => minors | rooks | queens,
            PieceType::Knight | PieceType::Bishop => loose | rooks | queens,
            PieceType::Rook => loose | queens,
            PieceType::Queen => loose,
            PieceType::King => SquareSet::NONE,
        }),
        them,
    );
    PieceType::ALL.map(|kind| from.by(kind) & !attacked)
}

/// The squares around the king of the side to move, where pawns shield it, while it is on its first two
/// ranks.
fn pawn_shield(position: &Position) -> SquareSet {
    let king = position.king(position.side());
    if king.rank_for(position.side()) < 2 { king_attacks(king) } else { SquareSet::NONE }
}

/// The number of scores that are compared at once.
const LANES: usize = 8;

/// Less than every key of a move.
const TAKEN: i32 = i32::MIN;

/// The low bits of a key hold the index, counted from the end, so that the first of equal scores wins.
const PLACE_BITS: u32 = 9;
const PLACES: i32 = 1 << PLACE_BITS;

/// Moves with scores, from which the best is taken repeatedly.
struct ScoredMoves {
    moves: MoveList,
    /// Each move's score, combined with its index; then padding for the last lanes.
    keys: ArrayVec<i32, { PLACES as usize + LANES }>,
    next: usize,
    /// The highest key.
    best: i32,
}

impl ScoredMoves {
    fn new() -> ScoredMoves {
        ScoredMoves { moves: MoveList::new(), keys: ArrayVec::new(), next: 0, best: TAKEN }
    }

    /// Replaces the moves. A score has at most 22 bits and a sign.
    fn fill(&mut self, generate: impl FnOnce(&mut MoveList), score: impl Fn(Move) -> i32) {
        self.moves.clear();
        self.keys.clear();
        self.next = 0;
        generate(&mut self.moves);
        let keys = self.moves.iter().enumerate().map(|(place, &mv)| key(score(mv), place));
        self.keys.extend(keys);
        self.keys.extend([TAKEN; LANES]);
        self.best = self.highest();
    }

    /// Drops remaining moves.
    fn retain(&mut self, wanted: impl Fn(Move) -> bool) {
        for (key, &mv) in self.keys[self.next..].iter_mut().zip(&self.moves[self.next..]) {
            if !wanted(mv) {
                *key = TAKEN;
            }
        }
        self.best = self.highest();
    }

    fn highest(&self) -> i32 {
        let chunks = self.keys.as_chunks::<LANES>().0.iter().map(|&keys| i32x8::new(keys));
        chunks.fold(i32x8::splat(TAKEN), i32x8::max).reduce_max()
    }

    /// The highest remaining score.
    fn best_score(&self) -> Option<i32> {
        (self.best != TAKEN).then_some(self.best >> PLACE_BITS)
    }

    /// Removes and returns the move with the highest score.
    fn take_best(&mut self) -> Option<(Move, i32)> {
        if self.best == TAKEN {
            return None;
        }
        let (score, place) = (self.best >> PLACE_BITS, place(self.best));
        let mv = self.moves[place];
        self.moves[place] = self.moves[self.next];
        self.keys[place] = match self.keys[self.next] {
            TAKEN => TAKEN,
            other => key(other >> PLACE_BITS, place),
        };
        self.keys[self.next] = TAKEN;
        self.next += 1;
        self.best = self.highest();
        Some((mv, score))
    }
}

fn key(score: i32, place: usize) -> i32 {
    debug_assert!(score.abs() < 1 << (31 - PLACE_BITS));
    score << PLACE_BITS | (PLACES - 1 - place as i32)
}

fn place(key: i32) -> usize {
    (!key & (PLACES - 1)) as usize
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::board::Position;

    #[test]
    fn every_move_comes_once_and_the_best_first() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let position = Position::start();
        let mut moves = ScoredMoves::new();
        for spread in [1, 3, 1 << 22] {
            let all = position.legal_moves();
            let scores: Vec<i32> =
                all.iter().map(|_| random.random_range(-spread..spread)).collect();
            let score =
                |mv: Move| all.iter().position(|&other| other == mv).map_or(0, |i| scores[i]);
            moves.fill(|moves| moves.extend(all.iter().copied()), score);
            let taken: Vec<(Move, i32)> = std::iter::from_fn(|| moves.take_best()).collect();
            assert!(taken.is_sorted_by(|one, other| one.1 >= other.1), "{taken:?}");
            assert!(taken.iter().all(|&(mv, told)| told == score(mv)), "{taken:?}");
            assert_eq!(
                taken[0].0,
                all[scores.iter().position(|&score| score == taken[0].1).unwrap()]
            );
            let mut moves: Vec<u16> = taken.iter().map(|(mv, _)| mv.bits()).collect();
            moves.sort_unstable();
            moves.dedup();
            assert_eq!(moves.len(), all.len());
        }
    }
}
