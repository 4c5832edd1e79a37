//! How long to think.

use std::time::{Duration, Instant};

use super::limits::Limits;

/// Without a number of moves to go, a move may take this part of the time left, and this part of
/// the increment.
const SHARE: f64 = 1.0 / 24.0;
const INCREMENT_SHARE: f64 = 0.75;

/// No more moves than these are planned for.
const MOST_MOVES_TO_GO: u32 = 40;

/// When to stop, counted from the start of the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimePlan {
    /// After this no new iteration is begun.
    pub soft: Option<Duration>,
    /// After this the search is stopped wherever it is.
    pub hard: Option<Duration>,
}

impl TimePlan {
    /// `overhead` is what a move costs on the way between the clock and the engine. Who ponders
    /// spends a quarter more, since part of it comes back while the opponent thinks.
    pub fn new(limits: &Limits, overhead: Duration, ponders: bool) -> TimePlan {
        let mut plan = TimePlan::default();
        if let Some(time) = limits.time {
            let moves = time.moves_to_go.map(|moves| moves.clamp(1, MOST_MOVES_TO_GO));
            let usable = time.left.saturating_sub(overhead);
            let share = moves.map_or(SHARE, |moves| 1.0 / f64::from(moves));
            let increment = time.increment.mul_f64(INCREMENT_SHARE);
            let soft = usable.mul_f64(share) + increment.saturating_sub(overhead);
            let soft = if ponders { soft * 5 / 4 } else { soft };
            let most = usable.mul_f64(if moves == Some(1) { 0.9 } else { 0.5 });
            let least = Duration::from_millis(1);
            plan.soft = Some(soft.min(most).max(least));
            plan.hard = Some((soft * 4).min(most).max(least));
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
}

impl Clock {
    pub fn start(plan: TimePlan) -> Clock {
        Clock { start: Instant::now(), plan }
    }

    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    pub fn has_plan(&self) -> bool {
        self.plan.soft.is_some()
    }

    /// Whether the search must stop now.
    pub fn is_over(&self) -> bool {
        self.plan.hard.is_some_and(|hard| self.elapsed() >= hard)
    }

    /// Whether another iteration is not worth beginning. A move deserves the less time the longer
    /// it has been the best (`calm`, in iterations) and the more of all nodes it took (`effort`),
    /// and more if the score has `fallen` by so many centipawns.
    pub fn is_late(&self, calm: u32, fallen: i32, effort: f64) -> bool {
        let stability = 1.5 - 0.1 * f64::from(calm.min(8));
        let trend = 1.0 + f64::from(fallen.clamp(-20, 60)) / 100.0;
        let clarity = 1.7 - effort;
        self.plan.soft.is_some_and(|soft| {
            self.elapsed() >= soft.mul_f64((stability * trend * clarity).clamp(0.2, 2.5))
        })
    }
}
