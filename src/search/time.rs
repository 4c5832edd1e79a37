//! Limits of a search, and time management: how long to think about a move.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::tunables::Tunables;
use crate::board::{Move, Position};
use crate::time::Instant;

/// The time of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Time {
    pub left: Duration,
    pub increment: Duration,
    /// Moves to the next time control; `None` if this time is for all that follow.
    pub moves_to_go: Option<u32>,
}

/// What ends a search: the first of these that is reached. Without any, only a stop does.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Limits {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// After this many no new iteration is begun.
    pub soft_nodes: Option<u64>,
    /// The same while the root is in check or its best move is noisy.
    pub forcing_soft_nodes: Option<u64>,
    /// A mate in this many moves is found.
    pub mate: Option<u32>,
    pub move_time: Option<Duration>,
    pub time: Option<Time>,
    /// The root moves to search; none means all.
    pub moves: Vec<Move>,
}

impl Limits {
    /// The soft limit at a root with this best move.
    pub fn soft_nodes_for(&self, root: &Position, best: Move) -> Option<u64> {
        let is_forcing = root.in_check() || root.is_noisy(best);
        self.forcing_soft_nodes.filter(|_| is_forcing).or(self.soft_nodes)
    }
}

/// Enough for a search of a few plies.
const LEAST: Duration = Duration::from_micros(100);

/// When to stop, counted from the start of the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimePlan {
    /// After this no new iteration begins, unless what was found asks for more time or less.
    pub soft: Option<Duration>,
    /// After this the search is stopped wherever it is.
    pub hard: Option<Duration>,
}

/// What moves cost beyond the time that is spent on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overhead {
    /// The next move, at the worst.
    pub next: Duration,
    /// Each move to come.
    pub each: Duration,
}

impl TimePlan {
    /// An engine that ponders plans with more time, since part of it comes back while the opponent
    /// thinks.
    pub fn new(limits: &Limits, overhead: Overhead, ponders: bool, tunables: Tunables) -> TimePlan {
        let mut plan = TimePlan::default();
        if let Some(time) = limits.time {
            let max_moves = tunables.time_max_moves() as u32;
            let moves = time.moves_to_go.map(|moves| moves.clamp(1, max_moves));
            let planned = moves.unwrap_or(tunables.time_moves() as u32);
            // A quarter is left to think with.
            let kept = overhead.each.saturating_mul(planned).min(time.left / 4 * 3);
            let usable = time.left.saturating_sub(overhead.next.saturating_add(kept));
            let increment = time.increment.mul_f64(hundredths(tunables.time_increment()));
            let mut soft = usable.mul_f64(1.0 / f64::from(planned)) + increment;
            if ponders {
                soft = soft.mul_f64(hundredths(tunables.time_ponder()));
            }
            let limit = match moves {
                Some(1) => tunables.time_limit_last(),
                _ => tunables.time_limit(),
            };
            // The less there is beside a reserve for what the system may take, the smaller the part
            // of it that one move may use.
            let reserve = Duration::from_millis(tunables.time_reserve() as u64)
                + time.increment.mul_f64(hundredths(tunables.time_reserve_increments()));
            let ease = usable.as_secs_f64() / (usable + reserve).as_secs_f64();
            let most = usable.mul_f64(hundredths(limit) * ease);
            let hard = soft.mul_f64(hundredths(tunables.time_hard()));
            // A clock of a few milliseconds must do for many moves.
            let least = (time.left / 100).clamp(LEAST, Duration::from_millis(1));
            plan.soft = Some(soft.min(most).max(least));
            plan.hard = Some(hard.min(most).max(least));
        }
        if let Some(move_time) = limits.move_time {
            let exact = move_time.saturating_sub(overhead.next.min(move_time / 2));
            plan.hard = Some(plan.hard.map_or(exact, |hard| hard.min(exact)));
        }
        plan
    }
}

/// A running clock.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Instant,
    plan: TimePlan,
    tunables: Tunables,
}

impl Clock {
    pub fn start(plan: TimePlan, tunables: Tunables) -> Clock {
        Clock { start: Instant::now(), plan, tunables }
    }

    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    pub fn has_soft_limit(&self) -> bool {
        self.plan.soft.is_some()
    }

    /// Whether the hard limit is reached.
    pub fn is_over(&self) -> bool {
        self.plan.hard.is_some_and(|hard| self.elapsed() >= hard)
    }

    /// Whether the soft limit, scaled by what the iterations found, is reached.
    pub fn is_late(&self, scale: &SoftScale) -> bool {
        let factor = scale.factor(self.tunables);
        self.plan.soft.is_some_and(|soft| self.elapsed() >= soft.mul_f64(factor))
    }
}

/// What the iterations found, as far as it scales the soft limit.
#[derive(Default)]
pub struct SoftScale {
    best_move: Option<Move>,
    /// The iterations for which the best move has been the same.
    stability: i32,
    /// The mean of the scores before, in which the later ones weigh more.
    mean_score: Option<i32>,
    /// How far the last score is below it.
    fall: i32,
    /// The share of all nodes that went into the best move.
    effort: f64,
}

impl SoftScale {
    /// `last_score` is that of the search before, if there was one.
    pub fn new(last_score: Option<i32>) -> SoftScale {
        SoftScale { mean_score: last_score, ..SoftScale::default() }
    }

    /// An iteration is complete.
    pub fn update(&mut self, best: Move, score: i32, effort: f64, tunables: Tunables) {
        self.stability = if self.best_move == Some(best) { self.stability + 1 } else { 0 };
        self.best_move = Some(best);
        self.fall = self.mean_score.map_or(0, |mean| mean - score);
        let memory = tunables.time_trend_memory();
        let mean = self.mean_score.map_or(score, |mean| (mean * memory + score) / (memory + 1));
        self.mean_score = Some(mean);
        self.effort = effort;
    }

    /// Less time for a best move that is stable and took most of the effort, more for a score that
    /// has fallen.
    fn factor(&self, tunables: Tunables) -> f64 {
        let iterations = self.stability.min(tunables.time_stability_limit());
        let stability = hundredths(
            tunables.time_stability_base() - tunables.time_stability_step() * iterations,
        );
        let change = tunables.time_trend_rate() * self.fall;
        let change = change.clamp(-tunables.time_trend_gain(), tunables.time_trend_loss());
        let trend = 1.0 + hundredths(change);
        let effort = hundredths(tunables.time_effort_base()) - self.effort;
        let [min, max] = [tunables.time_factor_min(), tunables.time_factor_max()].map(hundredths);
        (stability * trend * effort).clamp(min, max)
    }
}

fn hundredths(number: i32) -> f64 {
    f64::from(number) / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Overhead = Overhead { next: Duration::from_millis(10), each: Duration::ZERO };

    fn plan(left: Duration, increment: Duration, moves_to_go: Option<u32>) -> TimePlan {
        let time = Some(Time { left, increment, moves_to_go });
        let limits = Limits { time, ..Limits::default() };
        TimePlan::new(&limits, OVERHEAD, true, Tunables::DEFAULT)
    }

    #[test]
    fn no_move_may_use_up_the_clock() {
        for increment in [0, 1, 20, 1000] {
            let mut share_before = 1.0;
            for left in [60_000, 2000, 500, 100, 50] {
                let [left, increment] = [left, increment].map(Duration::from_millis);
                for moves_to_go in [None, Some(1), Some(40)] {
                    let TimePlan { soft, hard } = plan(left, increment, moves_to_go);
                    assert!(soft <= hard && hard.is_some_and(|hard| hard < left - OVERHEAD.next));
                }
                // The less is left, the smaller is the part of it that a move may take.
                let hard = plan(left, increment, Some(2)).hard.unwrap_or_default();
                let share = hard.as_secs_f64() / left.as_secs_f64();
                assert!(share <= share_before, "{left:?} + {increment:?}");
                share_before = share;
            }
        }
    }

    #[test]
    fn what_moves_cost_is_kept_back_for_those_to_come() {
        let [left, increment] = [10_000, 100].map(Duration::from_millis);
        let limits = |moves_to_go| {
            let time = Some(Time { left, increment, moves_to_go });
            Limits { time, ..Limits::default() }
        };
        let plan = |moves_to_go, each| {
            let overhead = Overhead { each: Duration::from_millis(each), ..OVERHEAD };
            TimePlan::new(&limits(moves_to_go), overhead, false, Tunables::DEFAULT)
        };
        for moves_to_go in [None, Some(2), Some(40)] {
            let (none, some, much) =
                (plan(moves_to_go, 0), plan(moves_to_go, 50), plan(moves_to_go, 5000));
            assert!(much.soft < some.soft && some.soft < none.soft);
            assert!(much.hard < some.hard && some.hard <= none.hard);
            assert!(much.hard > Some(Duration::from_millis(100)), "there is time to think");
        }
    }

    #[test]
    fn odd_clocks_are_borne() {
        let none = Duration::ZERO;
        assert_eq!(plan(none, none, None).hard, Some(LEAST));
        assert_eq!(plan(none, Duration::from_secs(60), Some(0)).hard, Some(LEAST));
        let most = Duration::from_millis(u64::MAX);
        assert!(plan(most, most, None).hard < Some(most));
    }
}
