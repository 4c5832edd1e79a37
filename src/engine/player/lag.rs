//! What a move costs beyond the time that was planned for it: what the GUI's clock shows to be lost on
//! the way, and what a search took beyond its hard limit. Busy machines cost more, again and again.

use std::time::Duration;

use log::info;

use crate::board::Position;
use crate::search::{Overhead, Time};

/// The most that is kept back for it: that of the option Move Overhead.
const MOST: Duration = Duration::from_secs(5);

/// What was learned fades by an eighth with each move.
const FADING: u32 = 8;

/// What each move may cost without being kept back for those to come: clocks are told in whole
/// milliseconds, and a quiet machine takes a little.
const QUIET: Duration = Duration::from_millis(2);

#[derive(Default)]
pub struct Lag {
    /// What a move cost at the worst, and on average where it was more than [`QUIET`].
    worst: Duration,
    mean: Duration,
    /// The move that is being searched, and its clock with the increment.
    searched: Option<(MoveNumber, Duration)>,
    /// The next move of the same game, and the most that its clock can have.
    expected: Option<(MoveNumber, Duration)>,
    /// What the last search took beyond its hard limit.
    overrun: Duration,
}

/// Twice the number of the move, and one more for Black's.
type MoveNumber = u32;

impl Lag {
    /// A search on the clock begins, or one without. Returns what is to be kept back.
    pub fn begin(&mut self, time: Option<&Time>, position: &Position) -> Overhead {
        self.searched = None;
        let overrun = std::mem::take(&mut self.overrun);
        let expected = self.expected.take();
        let Some(time) = time else { return Overhead::default() };
        let number =
            2 * u32::from(position.move_number()) + u32::from(position.side().index() as u8);
        if let Some((next, most)) = expected
            && next == number
        {
            self.learn((most.saturating_sub(time.left) + overrun).min(MOST));
        }
        self.searched = Some((number, time.left.saturating_add(time.increment)));
        Overhead { next: self.worst.min(time.left / 2), each: self.mean }
    }

    fn learn(&mut self, cost: Duration) {
        if cost > self.worst {
            info!("the last move cost {} ms more than was planned", cost.as_millis());
        }
        self.worst = cost.max(self.worst - self.worst / FADING);
        let counted = if cost > QUIET { cost } else { Duration::ZERO };
        self.mean = self.mean - self.mean / FADING + counted / FADING;
    }

    /// The move was told after so much of its clock, and its search went so far beyond the hard limit.
    /// Without a time it will not be played.
    pub fn answered(&mut self, spent: Option<Duration>, overrun: Duration) {
        self.overrun = overrun;
        let searched = self.searched.take().zip(spent);
        self.expected =
            searched.map(|((number, clock), spent)| (number + 2, clock.saturating_sub(spent)));
    }

    /// Nothing is known of the next clock.
    pub fn forget(&mut self) {
        self.searched = None;
        self.expected = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Limits, TimePlan, Tunables};

    fn time(seconds: u64, milliseconds: u64) -> Time {
        let left = Duration::from_millis(1000 * seconds - milliseconds);
        Time { left, increment: Duration::from_secs(1), moves_to_go: None }
    }

    const AT_ONCE: Option<Duration> = Some(Duration::ZERO);

    fn position(number: u32) -> Position {
        format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number}").parse().unwrap()
    }

    /// What is kept back for a second move, 500 ms of whose clock were lost.
    fn second(lag: &mut Lag, number: u32) -> Overhead {
        assert_eq!(lag.begin(Some(&time(60, 0)), &position(1)), Overhead::default());
        lag.answered(AT_ONCE, Duration::ZERO);
        lag.begin(Some(&time(61, 500)), &position(number))
    }

    #[test]
    fn what_is_lost_is_kept_back() {
        let mut lag = Lag::default();
        let learned = second(&mut lag, 2);
        assert_eq!(learned.next, Duration::from_millis(500));
        assert_eq!(learned.each, Duration::from_millis(500) / FADING);
        lag.answered(AT_ONCE, Duration::ZERO);
        let later = lag.begin(Some(&time(90, 0)), &position(3));
        assert!(later.next < learned.next && later.next > learned.next / 2, "it fades");
        assert!(later.each < learned.each && later.each > learned.each / 2, "it fades");
    }

    #[test]
    fn other_games_and_clocks_teach_nothing() {
        assert_eq!(second(&mut Lag::default(), 7), Overhead::default());
        let mut lag = Lag::default();
        lag.begin(Some(&time(60, 0)), &position(1));
        lag.answered(AT_ONCE, Duration::ZERO);
        lag.forget();
        assert_eq!(lag.begin(Some(&time(2, 0)), &position(2)), Overhead::default());
        lag.begin(None, &position(3));
        lag.answered(AT_ONCE, Duration::ZERO);
        assert_eq!(lag.begin(Some(&time(1, 0)), &position(4)), Overhead::default());
        // A move that was pondered on and not expected is searched anew, by the same clock.
        lag.begin(Some(&time(60, 0)), &position(5));
        lag.answered(None, Duration::ZERO);
        assert_eq!(lag.begin(Some(&time(1, 0)), &position(6)), Overhead::default());
    }

    /// A game of so many moves by a clock of 300 ms and 3 ms a move. A move is searched up to its soft
    /// limit, each third one to the hard limit and beyond it by `overrun`, and `lost` is lost on the
    /// way; all is in milliseconds. What the clock has left at least, and what was kept back at last.
    fn least_left(moves: u32, overrun: &[u64], lost: &[u64], learns: bool) -> (f64, Overhead) {
        let mut lag = Lag::default();
        let increment = Duration::from_millis(3);
        let mut left = 0.3;
        let (mut least, mut overhead) = (left, Overhead::default());
        for number in 1..=moves {
            let time = Time { left: Duration::from_secs_f64(left), increment, moves_to_go: None };
            overhead = lag.begin(Some(&time), &position(number));
            overhead.next = overhead.next.max(Duration::from_millis(10));
            if !learns {
                overhead = Overhead { next: Duration::from_millis(10), ..Overhead::default() };
            }
            let limits = Limits { time: Some(time), ..Limits::default() };
            let plan = TimePlan::new(&limits, overhead, false, Tunables::DEFAULT);
            let at = |list: &[u64]| Duration::from_millis(list[number as usize % list.len()]);
            let overrun = if number % 3 == 0 { at(overrun) } else { Duration::ZERO };
            let spent =
                if number % 3 == 0 { plan.hard.unwrap() + overrun } else { plan.soft.unwrap() };
            lag.answered(Some(spent), overrun);
            left -= (spent + at(lost)).as_secs_f64();
            least = least.min(left);
            if left < 0.0 {
                break;
            }
            left += increment.as_secs_f64();
        }
        (least, overhead)
    }

    #[test]
    fn a_busy_machine_costs_no_game() {
        let (overrun, lost) = ([4, 12, 0, 9, 15, 2], [1, 0, 6, 2, 0, 9, 1, 0, 3, 11, 0]);
        assert!(least_left(45, &overrun, &lost, false).0 < 0.0, "unlearned, the game is lost");
        let (least, overhead) = least_left(45, &overrun, &lost, true);
        assert!(least > 0.0, "{least} {overhead:?}");
    }

    /// Where moves cost nothing that the option Move Overhead does not know, nothing changes.
    #[test]
    fn a_quiet_machine_keeps_nothing_back() {
        let quiet = ([0], [1, 0, 2, 1]);
        let (least, overhead) = least_left(60, &quiet.0, &quiet.1, true);
        assert_eq!(overhead, Overhead { next: Duration::from_millis(10), each: Duration::ZERO });
        assert_eq!(least, least_left(60, &quiet.0, &quiet.1, false).0);
    }
}
