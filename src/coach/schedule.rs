//! The schedule of exercises.

use serde::{Deserialize, Serialize};

use super::fsrs::{self, AGAIN, GOOD, HARD};

/// The interval, in days, from which an exercise is retired.
const KNOWN: f32 = 180.0;

/// The number of failures from which an exercise is shown with its whole line.
const HARD_FAILURES: u32 = 3;

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

    /// An answer of a later day was given while the clock was wrong: it counts as long ago.
    pub fn is_due(&self, day: u32) -> bool {
        !self.retired && !self.is_new() && (self.due <= day || self.last > day)
    }

    pub fn is_retired(&self) -> bool {
        self.retired
    }

    pub fn is_hard(&self) -> bool {
        self.failed >= HARD_FAILURES
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

    /// The schedule after an answer. An exercise comes back when it is still known with 90 %. A clock that was
    /// set back is ignored.
    pub fn answered(&self, answer: Answer, day: u32) -> Memory {
        let grade = match answer {
            Answer::Wrong => AGAIN,
            Answer::Helped => HARD,
            Answer::Right => GOOD,
        };
        let known = self.state.filter(|state| state.0.is_finite() && state.1.is_finite());
        let next = match known {
            Some((stability, difficulty)) => {
                fsrs::Memory { stability, difficulty }.after(grade, day.saturating_sub(self.last))
            }
            None => fsrs::Memory::first(grade),
        };
        let days = next.stability.round().clamp(1.0, KNOWN);
        Memory {
            state: Some((next.stability, next.difficulty)),
            first: self.first.or(Some(day)),
            last: day,
            due: day.saturating_add(days as u32),
            failed: self.failed + u32::from(answer == Answer::Wrong),
            retired: answer == Answer::Right && next.stability >= KNOWN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_retired_and_what_is_failed_is_hard() {
        let mut memory = Memory::default();
        let mut answers = 0;
        while !memory.is_retired() {
            let (last, day) = (memory.due - memory.last, memory.due);
            memory = memory.answered(Answer::Right, day);
            assert!(memory.is_retired() || memory.due - memory.last > last);
            answers += 1;
            assert!(answers < 10);
        }
        assert!(answers > 2 && !memory.is_due(u32::MAX));
        let mut memory = Memory::default();
        for day in 0..HARD_FAILURES {
            assert!(!memory.is_hard());
            memory = memory.answered(Answer::Wrong, day);
            assert_eq!(memory.due, day + 1);
        }
        assert!(memory.is_hard());
        let helped = Memory::default().answered(Answer::Helped, 5);
        let right = Memory::default().answered(Answer::Right, 5);
        assert!(helped.due <= right.due);
        assert!(!right.is_due(5) && right.is_due(4), "the clock was wrong on day 5");
        // A clock that was set back, and numbers that are none.
        assert!(right.answered(Answer::Right, 1).due > 1);
        let broken = Memory { state: Some((f32::NAN, f32::NAN)), ..right };
        assert!(broken.answered(Answer::Right, 9).due > 9);
    }
}
