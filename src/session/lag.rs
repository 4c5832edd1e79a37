//! What a move costs beyond the time that was spent on it, learned from the GUI's clock.

use std::time::{Duration, Instant};

use log::info;

use crate::board::Position;
use crate::search::Time;

/// The most that is kept back for it: that of the option Move Overhead.
const MOST: Duration = Duration::from_secs(5);

/// What was learned fades by an eighth with each move.
const FADING: u32 = 8;

#[derive(Default)]
pub struct Lag {
    learned: Duration,
    /// The move that is being searched, its clock with the increment, and since when.
    searched: Option<(MoveNumber, Duration, Instant)>,
    /// The next move of the same game, and the most that its clock can have.
    expected: Option<(MoveNumber, Duration)>,
}

/// Twice the number of the move, and one more for Black's.
type MoveNumber = u32;

impl Lag {
    /// A search on the clock begins, or one without. Returns what is to be kept back.
    pub fn begin(&mut self, time: Option<&Time>, position: &Position) -> Duration {
        self.searched = None;
        let expected = self.expected.take();
        let Some(time) = time else { return Duration::ZERO };
        let number =
            2 * u32::from(position.move_number()) + u32::from(position.side().index() as u8);
        if let Some((next, most)) = expected
            && next == number
        {
            let lag = most.saturating_sub(time.left).min(MOST);
            if lag > self.learned {
                info!("the last move cost {} ms more than was spent on it", lag.as_millis());
            }
            self.learned = lag.max(self.learned - self.learned / FADING);
        }
        self.searched = Some((number, time.left.saturating_add(time.increment), Instant::now()));
        self.learned.min(time.left / 2)
    }

    /// The move was told.
    pub fn replied(&mut self) {
        let next = |(number, clock, begin): (MoveNumber, Duration, Instant)| {
            (number + 2, clock.saturating_sub(begin.elapsed()))
        };
        self.expected = self.searched.take().map(next);
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

    fn time(seconds: u64, milliseconds: u64) -> Time {
        let left = Duration::from_millis(1000 * seconds - milliseconds);
        Time { left, increment: Duration::from_secs(1), moves_to_go: None }
    }

    fn position(number: u32) -> Position {
        format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number}").parse().unwrap()
    }

    /// What is kept back for a second move, 500 ms of whose clock were lost.
    fn second(lag: &mut Lag, number: u32) -> Duration {
        assert_eq!(lag.begin(Some(&time(60, 0)), &position(1)), Duration::ZERO);
        lag.replied();
        lag.begin(Some(&time(61, 500)), &position(number))
    }

    #[test]
    fn what_is_lost_is_kept_back() {
        let mut lag = Lag::default();
        let learned = second(&mut lag, 2);
        // The machine may be busy between two moves.
        assert!(learned <= Duration::from_millis(500) && learned > Duration::ZERO, "{learned:?}");
        lag.replied();
        let later = lag.begin(Some(&time(90, 0)), &position(3));
        assert!(later < learned && later > learned / 2, "it fades");
    }

    #[test]
    fn other_games_and_clocks_teach_nothing() {
        assert_eq!(second(&mut Lag::default(), 7), Duration::ZERO);
        let mut lag = Lag::default();
        lag.begin(Some(&time(60, 0)), &position(1));
        lag.replied();
        lag.forget();
        assert_eq!(lag.begin(Some(&time(2, 0)), &position(2)), Duration::ZERO);
        lag.begin(None, &position(3));
        lag.replied();
        assert_eq!(lag.begin(Some(&time(1, 0)), &position(4)), Duration::ZERO);
    }
}
