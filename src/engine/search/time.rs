//! Search limits and time management.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::tunables::Tunables;
use crate::board::{Move, Position};
use crate::system::time::Instant;

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Time {
    pub left: Duration,
    pub increment: Duration,
    /// Moves to the next time control; `None` in sudden death.
    pub moves_to_go: Option<u32>,
}

/// The limits of a search. The first one reached ends it; without any, only a stop does.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Limits {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// No iteration begins after this many nodes.
    pub soft_nodes: Option<u64>,
    /// Replaces `soft_nodes` while the root is in check or its best move is noisy.
    pub forcing_soft_nodes: Option<u64>,
    /// Ends the search at a mate in this many moves.
    pub mate: Option<u32>,
    pub move_time: Option<Duration>,
    pub time: Option<Time>,
    /// The root moves to search; empty means all.
    pub moves: Vec<Move>,
}

impl Limits {
    /// The soft limit for a root and its best move.
    pub fn soft_nodes_for(&self, root: &Position, best: Move) -> Option<u64> {
        let is_forcing = root.in_check() || root.is_noisy(best);
        self.forcing_soft_nodes.filter(|_| is_forcing).or(self.soft_nodes)
    }
}

/// From here on an increment is more than a delay of a busy system takes.
const SMALL_INCREMENT: Duration = Duration::from_millis(5);

/// Enough for a search of a few plies.
const LEAST: Duration = Duration::from_micros(100);

/// When to stop, counted from the start of the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimePlan {
    /// No iteration begins after this, scaled by what the search has found.
    pub soft: Option<Duration>,
    /// The search is stopped after this.
    pub hard: Option<Duration>,
}

/// The time that moves cost beyond their search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overhead {
    /// The worst case for the next move.
    pub next: Duration,
    /// For each further move.
    pub each: Duration,
}

impl TimePlan {
    /// A pondering engine plans with more time, since part of it is regained on the opponent's clock.
    pub fn new(limits: &Limits, overhead: Overhead, ponders: bool, tunables: Tunables) -> TimePlan {
        let mut plan = TimePlan::default();
        if let Some(time) = limits.time {
            let max_moves = tunables.time_max_moves() as u32;
            let moves = time.moves_to_go.map(|moves| moves.clamp(1, max_moves));
            let planned = moves.unwrap_or(tunables.time_moves() as u32);
            // An increment this small never makes up for a delay of the system, so there is time for one.
            let is_small = (Duration::from_nanos(1)..SMALL_INCREMENT).contains(&time.increment);
            let for_delay = Duration::from_millis(tunables.time_delay() as u64);
            let for_delay = if is_small { for_delay } else { Duration::ZERO };
            // Leaves at least a quarter of the time to think.
            let kept = overhead.each.saturating_mul(planned).saturating_add(for_delay);
            let kept = kept.min(time.left / 4 * 3);
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
            // The less time there is compared with a reserve for delays of the system, the smaller the share
            // that one move may use.
            let reserve = Duration::from_millis(tunables.time_reserve() as u64)
                + time.increment.mul_f64(hundredths(tunables.time_reserve_increments()));
            let ease = usable.as_secs_f64() / (usable + reserve).as_secs_f64();
            let most = usable.mul_f64(hundredths(limit) * ease);
            let hard = soft.mul_f64(hundredths(tunables.time_hard()));
            // A clock of a few milliseconds must last for many moves.
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

    /// Whether the soft limit, scaled by the results of the iterations, is reached.
    pub fn is_late(&self, scale: &SoftScale) -> bool {
        let factor = scale.factor(self.tunables);
        self.plan.soft.is_some_and(|soft| self.elapsed() >= soft.mul_f64(factor))
    }
}

/// The results of the iterations, as far as they scale the soft limit.
#[derive(Default)]
pub struct SoftScale {
    best_move: Option<Move>,
    /// The number of iterations since the best move changed.
    stability: i32,
    /// A moving average of the scores.
    mean_score: Option<i32>,
    /// How far the last score is below the average.
    fall: i32,
    /// The share of all nodes that were spent on the best move.
    effort: f64,
}

impl SoftScale {
    /// `last_score` is that of the previous search, if any.
    pub fn new(last_score: Option<i32>) -> SoftScale {
        SoftScale { mean_score: last_score, ..SoftScale::default() }
    }

    /// Records a complete iteration.
    pub fn update(&mut self, best: Move, score: i32, effort: f64, tunables: Tunables) {
        self.stability = if self.best_move == Some(best) { self.stability + 1 } else { 0 };
        self.best_move = Some(best);
        self.fall = self.mean_score.map_or(0, |mean| mean - score);
        let memory = tunables.time_trend_memory();
        let mean = self.mean_score.map_or(score, |mean| (mean * memory + score) / (memory + 1));
        self.mean_score = Some(mean);
        self.effort = effort;
    }

    /// Less time for a best move that is stable and took most of the nodes, more for a falling score.
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
                // The less time is left, the smaller the share that a move may use.
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

    /// Where the increment is small, a clock of 40 ms is left alone.
    #[test]
    fn a_small_increment_leaves_time_for_a_delay() {
        let hard = |increment| {
            let [left, increment] = [40, increment].map(Duration::from_millis);
            plan(left, increment, None).hard.unwrap_or_default()
        };
        assert!(hard(1) < Duration::from_millis(1));
        assert!(hard(0) > 2 * hard(1) && hard(5) > 2 * hard(1));
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
