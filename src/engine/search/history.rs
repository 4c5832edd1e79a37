//! History heuristics: how good moves were in this thread's tree, how wrong static evaluations were, and the
//! rules that update both.
//!
//! Gravity: an entry moves towards each new result, and by less the nearer it is to its limit, which it
//! therefore never exceeds.

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_box;

use super::memory::{CACHE_LINE, advise_huge_pages, prefetch};
use super::places::{Moved, NoisyPlace, PieceTo, Place, QuietPlace};
use super::ply::{CONTINUATION_PLIES, Stack};
use super::tunables::Tunables;
use crate::board::{Color, Move, Piece, Position};

/// The limit of every entry.
const LIMIT: i32 = 16_384;

/// The sizes of hashed tables.
const CORRECTIONS: usize = 1 << 16;
const PAWN_STRUCTURES: usize = 1 << 9;

/// The number of plies from the root that have a history of their own.
const LOW_PLIES: usize = 5;

/// Origins and destinations.
const MOVES: usize = 64 * 64;

/// The earlier moves, in plies back, that the continuation correction combines with the last move.
const CORRECTION_PLIES: [isize; 2] = [2, 4];

/// One centipawn, in the unit of weights times entries. Weights are in 1024ths.
const CORRECTION_UNIT: i32 = 256 * 1024;

/// A table that remembers which rows were used, so that only those are cleared. Short searches use few rows,
/// and the forge plays thousands of games a minute.
#[derive(Zeroable)]
#[repr(C)]
struct Rows<const COLUMNS: usize, const ROWS: usize> {
    rows: [[i16; COLUMNS]; ROWS],
    is_used: [bool; ROWS],
}

impl<const COLUMNS: usize, const ROWS: usize> Rows<COLUMNS, ROWS> {
    #[inline(always)]
    fn entry(&mut self, row: usize, column: usize) -> &mut i16 {
        self.is_used[row] = true;
        &mut self.rows[row][column]
    }

    fn clear(&mut self) {
        for (row, is_used) in self.rows.iter_mut().zip(&mut self.is_used) {
            if std::mem::take(is_used) {
                row.fill(0);
            }
        }
    }
}

#[derive(Zeroable)]
#[repr(C, align(64))]
struct Tables {
    /// Butterfly history: quiet moves by origin and destination, and by whether those are attacked.
    butterfly: [i16; QuietPlace::COUNT],
    /// Low-ply history: quiet moves by ply near the root, in this search.
    low_ply: [[i16; MOVES]; LOW_PLIES],
    /// Capture history: noisy moves.
    capture: [i16; NoisyPlace::COUNT],
    /// Pawn history: moves by pawn structure.
    pawn: Rows<{ PieceTo::COUNT }, PAWN_STRUCTURES>,
    /// Continuation history: moves by an earlier move.
    continuation: Rows<{ PieceTo::COUNT }, { Moved::ROWS }>,
    /// Correction history: errors of the static evaluation by pawns, minor pieces and each side's pieces.
    correction: [[i16; 2 * CORRECTIONS]; 4],
    /// Errors of the static evaluation by an earlier move and the last one.
    continuation_correction: Rows<{ PieceTo::COUNT + 1 }, { Moved::ROWS }>,
}

pub struct History {
    tables: Box<Tables>,
    tunables: Tunables,
}

impl History {
    /// Empty histories, or `None` if there is not enough memory.
    pub fn new() -> Option<History> {
        let tables: Box<Tables> = try_zeroed_box().ok()?;
        advise_huge_pages(std::slice::from_ref(&*tables));
        Some(History { tables, tunables: Tunables::DEFAULT })
    }

    /// Clears in place. New memory from the system would fault page by page.
    pub fn clear(&mut self) {
        let tables = &mut *self.tables;
        tables.butterfly.fill(0);
        tables.capture.fill(0);
        tables.correction.as_flattened_mut().fill(0);
        tables.pawn.clear();
        tables.continuation.clear();
        tables.continuation_correction.clear();
    }

    /// Clears what depends on the distance from the root.
    pub fn begin_search(&mut self, tunables: Tunables) {
        self.tables.low_ply.as_flattened_mut().fill(0);
        self.tunables = tunables;
    }

    /// Returns a function that scores the node's quiet moves for ordering: the weighted sum of their
    /// histories.
    #[inline(always)]
    pub fn quiet_score<'a>(&'a self, stack: &'a Stack) -> impl Fn(Move, Piece) -> i32 + 'a {
        let (tunables, tables, node) = (self.tunables, &*self.tables, &stack[0]);
        let (side, attacked) = (node.position.side(), node.opponent_attacks().all());
        let low_ply = tables.low_ply.get(stack.ply());
        let pawn = &tables.pawn.rows[pawn_row(&node.position)];
        let continuation =
            CONTINUATION_PLIES.map(|plies| &tables.continuation.rows[stack[-plies].moved.row()]);
        move |mv, piece| {
            let piece_to = PieceTo::new(piece, mv.to()).index();
            let place = QuietPlace::new(side, attacked, mv);
            let butterfly = i32::from(tables.butterfly[place.index()]);
            let [one, two, four, six] = continuation.map(|row| i32::from(row[piece_to]));
            let low_ply = low_ply.map_or(0, |table| {
                let entry = i32::from(table[mv.squares()]);
                tunables.order_low_ply() * entry / (1 + stack.ply() as i32)
            });
            let sum = tunables.order_butterfly() * butterfly
                + tunables.order_pawn() * i32::from(pawn[piece_to])
                + tunables.order_continuation_1() * one
                + tunables.order_continuation_2() * two
                + tunables.order_continuation_far() * (four + six);
            (sum + low_ply) / 1024
        }
    }

    /// Prefetches what quiet moves of the side to move are scored by: half a row for each earlier move.
    #[inline(always)]
    pub fn prefetch_quiets(&self, stack: &Stack) {
        const HALF: usize = PieceTo::COUNT / 2;
        let first = stack[0].position.side().index() * HALF;
        for plies in CONTINUATION_PLIES {
            let row = &self.tables.continuation.rows[stack[-plies].moved.row()];
            row[first..first + HALF].chunks(CACHE_LINE / 2).for_each(|line| prefetch(&line[0]));
        }
    }

    #[inline(always)]
    pub fn capture(&self, place: NoisyPlace) -> i32 {
        i32::from(self.tables.capture[place.index()])
    }

    /// How trustworthy a move is, for reductions: its capture history, or its butterfly history plus the
    /// continuation histories of the last two moves.
    #[inline(always)]
    pub fn reliability(&self, stack: &Stack, moved: &Moved) -> i32 {
        let tables = &*self.tables;
        match moved.place {
            Place::Quiet(place) => {
                let after = |plies: isize| {
                    tables.continuation.rows[stack[-plies].moved.row()][moved.piece_to.index()]
                };
                i32::from(tables.butterfly[place.index()])
                    + i32::from(after(1))
                    + i32::from(after(2))
            }
            Place::Noisy(place) => self.capture(place),
            Place::Untaught => 0,
        }
    }

    // History updates

    /// Rewards a quiet move that was best in a search or in the transposition table.
    pub fn reward_quiet(&mut self, stack: &Stack, mv: Move, depth: i32) {
        let tunables = self.tunables;
        let butterfly = tunables.butterfly_bonus().at(depth);
        let pawn = butterfly * tunables.pawn_bonus_share() / 1024;
        self.give_quiet(stack, mv, butterfly, pawn, tunables.continuation_bonus().at(depth));
    }

    /// Rewards the best move and punishes those tried before it, the first quiet one most.
    pub fn reward_best_move(
        &mut self,
        stack: &Stack,
        best: Move,
        quiets: &[Move],
        noisies: &[Move],
        depth: i32,
    ) {
        let tunables = self.tunables;
        let node = &stack[0];
        if node.position.is_noisy(best) {
            self.give_capture(node.noisy_place(best), tunables.capture_bonus().at(depth));
        } else {
            self.reward_quiet(stack, best, depth);
            for (place, &quiet) in quiets.iter().enumerate() {
                let fade = 1024 + tunables.malus_fade() * place as i32;
                let faded = |malus: i32| -malus * 1024 / fade;
                let butterfly = faded(tunables.butterfly_malus().at(depth));
                let pawn = butterfly * tunables.pawn_malus_share() / 1024;
                let continuation = faded(tunables.continuation_malus().at(depth));
                self.give_quiet(stack, quiet, butterfly, pawn, continuation);
            }
        }
        let malus = tunables.capture_malus().at(depth);
        for &noisy in noisies {
            self.give_capture(node.noisy_place(noisy), -malus);
        }
        self.refute_last_move(stack, 1, tunables.refuted_malus().at(depth));
    }

    /// Punishes the opponent's last move if it was quiet and among the first `moves` of its node.
    pub fn refute_last_move(&mut self, stack: &Stack, moves: i32, malus: i32) {
        let last = &stack[-1];
        if matches!(last.moved.place, Place::Quiet(_)) && last.move_count <= moves {
            self.give_continuation(stack, -1, last.moved.piece_to, -malus);
        }
    }

    /// Rewards a quiet move that failed high both in its reduced search and in the following one.
    pub fn reward_researched_move(&mut self, stack: &Stack, mv: Move, depth: i32) {
        let bonus = self.tunables.research_bonus().at(depth);
        self.give_continuation(stack, 0, PieceTo::of(&stack[0].position, mv), bonus);
    }

    /// Rewards the opponent's last move after all replies failed low. A quiet move earns more the later it
    /// was tried and the lower the score is. `static_eval` is the node's, if known.
    pub fn reward_last_move(
        &mut self,
        stack: &Stack,
        depth: i32,
        score: i32,
        static_eval: Option<i32>,
    ) {
        let tunables = self.tunables;
        let last = &stack[-1];
        let butterfly = match last.moved.place {
            Place::Quiet(place) => place,
            Place::Noisy(place) => {
                let bonus = tunables.last_noisy_bonus() * depth;
                self.give_capture(place, bonus.min(tunables.last_noisy_bonus_limit()));
                return;
            }
            Place::Untaught => return,
        };
        let margin = tunables.last_move_margin();
        let is_worse = static_eval.is_some_and(|eval| score <= eval - margin);
        let is_better_for_it = last.static_eval.is_some_and(|eval| score <= -eval - margin);
        let mut share = tunables.last_move_base()
            + (tunables.last_move_count() * last.move_count).min(tunables.last_move_count_limit());
        if last.is_tt_move {
            share += tunables.last_move_tt_move();
        }
        if is_worse {
            share += tunables.last_move_worse();
        }
        if is_better_for_it {
            share += tunables.last_move_better();
        }
        let bonus = tunables.butterfly_bonus().at(depth) * share / 1024;
        give(&mut self.tables.butterfly[butterfly.index()], bonus);
        let before = &stack[-2].moved;
        if !before.is_null() {
            let bonus = tunables.continuation_bonus().at(depth) * share / 1024;
            let (row, column) = (before.row(), last.moved.piece_to.index());
            give(self.tables.continuation.entry(row, column), bonus);
        }
    }

    /// Rewards or punishes the opponent's last quiet move by the change of the static evaluation, which rose
    /// by `rise` for the side to move.
    pub fn reward_last_move_by_eval(&mut self, stack: &Stack, rise: i32) {
        let tunables = self.tunables;
        if let Place::Quiet(place) = stack[-1].moved.place {
            let bonus = (-rise * tunables.eval_history_rate())
                .clamp(-tunables.eval_history_malus_limit(), tunables.eval_history_bonus_limit());
            give(&mut self.tables.butterfly[place.index()], bonus);
        }
    }

    /// Adds a bonus, or a negative malus, to the capture history.
    pub fn give_capture(&mut self, place: NoisyPlace, bonus: i32) {
        give(&mut self.tables.capture[place.index()], bonus);
    }

    /// Adds bonuses to the histories of a quiet move of the current node.
    fn give_quiet(
        &mut self,
        stack: &Stack,
        mv: Move,
        butterfly: i32,
        pawn: i32,
        continuation: i32,
    ) {
        let (node, tables) = (&stack[0], &mut *self.tables);
        let piece_to = PieceTo::of(&node.position, mv);
        give(&mut tables.butterfly[node.quiet_place(mv).index()], butterfly);
        if let Some(table) = tables.low_ply.get_mut(stack.ply()) {
            let bonus = butterfly * self.tunables.low_ply_share() / 1024;
            give(&mut table[mv.squares()], bonus);
        }
        give(tables.pawn.entry(pawn_row(&node.position), piece_to.index()), pawn);
        self.give_continuation(stack, 0, piece_to, continuation);
    }

    /// Adds a bonus to a move's continuation histories, as seen from a node of the line.
    fn give_continuation(&mut self, stack: &Stack, node: isize, moved: PieceTo, bonus: i32) {
        for plies in CONTINUATION_PLIES {
            let before = &stack[node - plies].moved;
            if !before.is_null() {
                give(self.tables.continuation.entry(before.row(), moved.index()), bonus);
            }
        }
    }

    /// Correction history: the correction of the static evaluation, in centipawns.
    #[inline(always)]
    pub fn correction(&self, stack: &Stack) -> i32 {
        let (tunables, tables) = (self.tunables, &*self.tables);
        let non_pawn = tunables.correction_non_pawn();
        let weights = [tunables.correction_pawn(), tunables.correction_minor(), non_pawn, non_pawn];
        let places = correction_places(&stack[0].position);
        let mut sum = 0;
        for ((weight, table), place) in weights.into_iter().zip(&tables.correction).zip(places) {
            sum += weight * i32::from(table[place]);
        }
        let last = stack[-1].moved.piece_to.index();
        for plies in CORRECTION_PLIES {
            let entry = tables.continuation_correction.rows[stack[-plies].moved.row()][last];
            sum += tunables.correction_continuation() * i32::from(entry);
        }
        sum / CORRECTION_UNIT
    }

    /// Prefetches the entries that [`History::correction`] reads.
    #[inline(always)]
    pub fn prefetch_correction(&self, stack: &Stack) {
        let places = correction_places(&stack[0].position);
        for (table, place) in self.tables.correction.iter().zip(places) {
            prefetch(&table[place]);
        }
        let last = stack[-1].moved.piece_to.index();
        for plies in CORRECTION_PLIES {
            prefetch(&self.tables.continuation_correction.rows[stack[-plies].moved.row()][last]);
        }
    }

    /// Records that a position is worth `error` more than its static evaluation.
    pub fn update_correction(&mut self, stack: &Stack, depth: i32, error: i32) {
        let (tunables, tables) = (self.tunables, &mut *self.tables);
        let limit = tunables.correction_limit();
        let bonus = (error * depth * tunables.correction_rate()).clamp(-limit, limit);
        let places = correction_places(&stack[0].position);
        for (table, place) in tables.correction.iter_mut().zip(places) {
            give(&mut table[place], bonus);
        }
        let last = &stack[-1].moved;
        for before in CORRECTION_PLIES.map(|plies| &stack[-plies].moved) {
            if !last.is_null() && !before.is_null() {
                let column = last.piece_to.index();
                give(tables.continuation_correction.entry(before.row(), column), bonus);
            }
        }
    }
}

/// Gravity: adds a bonus and pulls the entry back from its limit.
#[inline(always)]
fn give(entry: &mut i16, bonus: i32) {
    let (value, bonus) = (i32::from(*entry), bonus.clamp(-LIMIT, LIMIT));
    *entry = (value + bonus - value * bonus.abs() / LIMIT) as i16;
}

#[inline(always)]
fn pawn_row(position: &Position) -> usize {
    position.pawn_key() as usize % PAWN_STRUCTURES
}

/// The indices of a position's corrections in their tables.
#[inline(always)]
fn correction_places(position: &Position) -> [usize; 4] {
    let [white, black] = Color::BOTH.map(|color| position.non_pawn_key(color));
    let side = position.side().index() * CORRECTIONS;
    [position.pawn_key(), position.minor_key(), white, black]
        .map(|key| side + key as usize % CORRECTIONS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_entry_exceeds_its_limit() {
        for bonus in [1, 700, LIMIT, i32::MAX / LIMIT] {
            let mut entry = 0;
            (0..100).for_each(|_| give(&mut entry, bonus));
            assert!(0 < entry && i32::from(entry) <= LIMIT, "{entry} by {bonus}");
            (0..1000).for_each(|_| give(&mut entry, -bonus));
            assert!(-LIMIT <= i32::from(entry) && entry < 0, "{entry} by {bonus}");
        }
    }

    #[test]
    fn low_ply_history_is_of_this_search_and_near_the_root() {
        let position = Position::start();
        let mv = position.legal_moves()[0];
        let knight = position.piece_at(mv.from()).unwrap();
        let (mut history, mut stack) = (History::new().unwrap(), Stack::new().unwrap());
        stack.begin(&position, 0);
        for table in [1, LOW_PLIES - 1] {
            give(&mut history.tables.low_ply[table][mv.squares()], LIMIT / 2);
        }
        let scores = |history: &History, stack: &mut Stack| {
            stack.begin(&position, 0);
            [0; LOW_PLIES + 1].map(|_| {
                let score = history.quiet_score(stack)(mv, knight);
                stack.push(Moved::NULL, position, false);
                score
            })
        };
        let [zero, one, two, three, four, far] = scores(&history, &mut stack);
        assert_eq!([zero, two, three, far], [0; 4]);
        assert!(one > four && four > 0);
        history.begin_search(Tunables::DEFAULT);
        assert_eq!(scores(&history, &mut stack), [0; LOW_PLIES + 1]);
    }
}
