//! Time management: how long to think about a move.

use std::time::{Duration, Instant};

use super::limits::Limits;
use super::tunables::Tunables;
use crate::board::Move;

/// When to stop, counted from the start of the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimePlan {
    /// After this no new iteration begins, unless what was found asks for more time or less.
    pub soft: Option<Duration>,
    /// After this the search is stopped wherever it is.
    pub hard: Option<Duration>,
}

impl TimePlan {
    /// `overhead` is what a move costs on the way between clock and engine. An engine that ponders
    /// plans with more time, since part of it comes back while the opponent thinks.
    pub fn new(limits: &Limits, overhead: Duration, ponders: bool, tunables: Tunables) -> TimePlan {
        let mut plan = TimePlan::default();
        if let Some(time) = limits.time {
            let max_moves = tunables.time_max_moves() as u32;
            let moves = time.moves_to_go.map(|moves| moves.clamp(1, max_moves));
            let usable = time.left.saturating_sub(overhead);
            let planned = moves.unwrap_or(tunables.time_moves() as u32);
            let increment = time.increment.mul_f64(hundredths(tunables.time_increment()));
            let mut soft =
                usable.mul_f64(1.0 / f64::from(planned)) + increment.saturating_sub(overhead);
            if ponders {
                soft = soft.mul_f64(hundredths(tunables.time_ponder()));
            }
            let limit = match moves {
                Some(1) => tunables.time_limit_last(),
                _ => tunables.time_limit(),
            };
            let most = usable.mul_f64(hundredths(limit));
            let hard = soft.mul_f64(hundredths(tunables.time_hard()));
            let least = Duration::from_millis(1);
            plan.soft = Some(soft.min(most).max(least));
            plan.hard = Some(hard.min(most).max(least));
        }
        if let Some(move_time) = limits.move_time {
            let exact = move_time.saturating_sub(overhead.min(move_time / 2));
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
        let fall = self.fall.clamp(-tunables.time_trend_gain(), tunables.time_trend_loss());
        let trend = 1.0 + hundredths(fall);
        let effort = hundredths(tunables.time_effort_base()) - self.effort;
        let [min, max] = [tunables.time_factor_min(), tunables.time_factor_max()].map(hundredths);
        (stability * trend * effort).clamp(min, max)
    }
}

fn hundredths(number: i32) -> f64 {
    f64::from(number) / 100.0
}
