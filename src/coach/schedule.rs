//! The schedule of exercises: FSRS, by the crate `fsrs`.
//!
//! The other crate for it, `rs-fsrs`, is much smaller: 900 lines and chrono, where this one brings a dozen
//! crates and half a minute of building. But it has FSRS 5, no release for two years, and no licence in its
//! manifest. `fsrs` is maintained with Anki, has FSRS 6, counts in plain days, and returns an error where a
//! number is none. Neither panics on what is kept here.

use fsrs::{FSRS, MemoryState};
use serde::{Deserialize, Serialize};

/// The probability of still knowing an exercise when it comes back.
const RETENTION: f32 = 0.9;

/// The interval, in days, from which an exercise is retired.
const KNOWN: f32 = 180.0;

/// The number of failures from which an exercise is shown with its whole line.
const HARD: u32 = 3;

/// The grade of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    Wrong,
    /// Right with hints, or at the second try.
    Helped,
    Right,
}

/// The stored schedule of an exercise. Days count from 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Stability and difficulty, as FSRS has them, once it was answered.
    state: Option<(f32, f32)>,
    first: Option<u32>,
    last: u32,
    due: u32,
    failed: u32,
    retired: bool,
}

impl Memory {
    pub fn is_new(&self) -> bool {
        self.state.is_none()
    }

    pub fn is_due(&self, day: u32) -> bool {
        !self.retired && !self.is_new() && self.due <= day
    }

    pub fn is_retired(&self) -> bool {
        self.retired
    }

    pub fn is_hard(&self) -> bool {
        self.failed >= HARD
    }

    pub fn due(&self) -> u32 {
        self.due
    }

    /// The day of the first answer.
    pub fn first(&self) -> Option<u32> {
        self.first
    }

    /// The day of the last answer.
    pub fn last(&self) -> u32 {
        self.last
    }
}

#[derive(Default)]
pub struct Schedule(FSRS);

impl Schedule {
    /// The schedule after an answer. A clock that was set back is ignored.
    pub fn answered(&self, memory: &Memory, answer: Answer, day: u32) -> Memory {
        let state =
            memory.state.map(|(stability, difficulty)| MemoryState { stability, difficulty });
        let elapsed = day.saturating_sub(memory.last);
        // NaN starts again.
        let states = self.0.next_states(state, RETENTION, elapsed);
        let states = states.or_else(|_| self.0.next_states(None, RETENTION, 0));
        let Ok(states) = states else { return *memory };
        let next = match answer {
            Answer::Wrong => states.again,
            Answer::Helped => states.hard,
            Answer::Right => states.good,
        };
        let days = next.interval.round().clamp(1.0, KNOWN);
        Memory {
            state: Some((next.memory.stability, next.memory.difficulty)),
            first: memory.first.or(Some(day)),
            last: day,
            due: day.saturating_add(days as u32),
            failed: memory.failed + u32::from(answer == Answer::Wrong),
            retired: answer == Answer::Right && next.interval >= KNOWN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_retired_and_what_is_failed_is_hard() {
        let schedule = Schedule::default();
        let mut memory = Memory::default();
        let mut answers = 0;
        while !memory.is_retired() {
            let (last, day) = (memory.due - memory.last, memory.due);
            memory = schedule.answered(&memory, Answer::Right, day);
            assert!(memory.is_retired() || memory.due - memory.last > last);
            answers += 1;
            assert!(answers < 10);
        }
        assert!(answers > 2 && !memory.is_due(u32::MAX));
        let mut memory = Memory::default();
        for day in 0..HARD {
            assert!(!memory.is_hard());
            memory = schedule.answered(&memory, Answer::Wrong, day);
            assert_eq!(memory.due, day + 1);
        }
        assert!(memory.is_hard());
        let helped = schedule.answered(&Memory::default(), Answer::Helped, 5);
        let right = schedule.answered(&Memory::default(), Answer::Right, 5);
        assert!(helped.due <= right.due);
        // A clock that was set back, and numbers that are none.
        assert!(schedule.answered(&right, Answer::Right, 1).due > 1);
        let broken = Memory { state: Some((f32::NAN, f32::NAN)), ..right };
        assert!(schedule.answered(&broken, Answer::Right, 9).due > 9);
    }
}
