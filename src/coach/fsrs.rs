//! FSRS 6, by its published formulas and default parameters: how long an exercise is remembered. Anki
//! schedules cards by it.
//!
//! The crate `fsrs` computes the same, and the parameters from one's own answers too, which nothing here needs:
//! it brings seventeen crates.

/// What is known of a memory: the days until it is recalled with 90 %, and how hard it is, from 1 to 10.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Memory {
    pub stability: f32,
    pub difficulty: f32,
}

/// Grades, as FSRS counts them.
pub const AGAIN: f32 = 1.0;
pub const HARD: f32 = 2.0;
pub const GOOD: f32 = 3.0;
const EASY: f32 = 4.0;

/// The stability after a first answer, by its grade.
const FIRST_STABILITY: [f32; 4] = [0.212, 1.2931, 2.3065, 8.2956];

/// The difficulty after a first answer: of the worst grade, and its growth with the grade.
const FIRST_DIFFICULTY: [f32; 2] = [6.4133, 0.8334];

/// The difficulty's change by a grade, and its return to that of an easy answer.
const DIFFICULTY_CHANGE: f32 = 3.0194;
const DIFFICULTY_RETURN: f32 = 0.001;

/// The growth of stability after a success: in all, by stability, by what was forgotten, and for a hard one.
const SUCCESS: [f32; 4] = [1.8722, 0.1666, 0.796, 0.6014];

/// The stability after a failure: in all, by difficulty, by stability, and by what was forgotten.
const FAILURE: [f32; 4] = [1.4835, 0.0614, 0.2629, 1.6483];

/// The growth of stability on the same day: by grade, an offset of the grade, and by stability.
const SAME_DAY: [f32; 3] = [0.5425, 0.0912, 0.0658];

/// The exponent of forgetting.
const DECAY: f32 = -0.1542;

const LEAST_STABILITY: f32 = 0.001;
const MOST_STABILITY: f32 = 36500.0;

/// The probability of recall after so many days.
fn recall(stability: f32, days: f32) -> f32 {
    let factor = 0.9_f32.powf(1.0 / DECAY) - 1.0;
    (1.0 + factor * days / stability).powf(DECAY)
}

fn first_difficulty(grade: f32) -> f32 {
    let [worst, growth] = FIRST_DIFFICULTY;
    worst - (growth * (grade - 1.0)).exp() + 1.0
}

impl Memory {
    pub fn first(grade: f32) -> Memory {
        let stability = FIRST_STABILITY[grade as usize - 1];
        Memory { stability, difficulty: first_difficulty(grade).clamp(1.0, 10.0) }
    }

    /// The memory after an answer, so many days after the previous one.
    pub fn after(self, grade: f32, days: u32) -> Memory {
        let stability = self.stability.clamp(LEAST_STABILITY, MOST_STABILITY);
        let difficulty = self.difficulty.clamp(1.0, 10.0);
        let forgotten = 1.0 - recall(stability, days as f32);
        let [by_grade, offset, by_stability] = SAME_DAY;
        let next_stability = if days == 0 {
            let growth = (by_grade * (grade - 3.0 + offset)).exp() * stability.powf(-by_stability);
            stability * if grade >= HARD { growth.max(1.0) } else { growth }
        } else if grade == AGAIN {
            let [scale, by_difficulty, power, by_forgotten] = FAILURE;
            let left = scale
                * difficulty.powf(-by_difficulty)
                * ((stability + 1.0).powf(power) - 1.0)
                * (forgotten * by_forgotten).exp();
            left.min(stability / (by_grade * offset).exp())
        } else {
            let [scale, power, by_forgotten, hard] = SUCCESS;
            let growth = scale.exp()
                * (11.0 - difficulty)
                * stability.powf(-power)
                * ((forgotten * by_forgotten).exp() - 1.0)
                * if grade == HARD { hard } else { 1.0 };
            stability * (1.0 + growth)
        };
        let changed = difficulty - DIFFICULTY_CHANGE * (grade - 3.0) * (10.0 - difficulty) / 9.0;
        let returned = changed + DIFFICULTY_RETURN * (first_difficulty(EASY) - changed);
        Memory {
            stability: next_stability.clamp(LEAST_STABILITY, MOST_STABILITY),
            difficulty: returned.clamp(1.0, 10.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers, each with the days since the one before, and the memory after them as the crate `fsrs` 6.6.2
    /// has it.
    const ANSWERS: [[(f32, u32, f32, f32); 6]; 3] = [
        [
            (GOOD, 0, 2.3065, 2.118104),
            (GOOD, 2, 10.964341, 2.1112142),
            (GOOD, 9, 41.46454, 2.1043313),
            (AGAIN, 30, 2.7123775, 7.3899755),
            (GOOD, 1, 4.7439065, 7.377814),
            (HARD, 4, 8.537486, 8.244499),
        ],
        [
            (AGAIN, 0, 0.212, 6.4133),
            (AGAIN, 0, 0.08335672, 8.806304),
            (GOOD, 0, 0.10314065, 8.7927265),
            (HARD, 1, 0.4592381, 9.183784),
            (GOOD, 3, 1.9129317, 9.169828),
            (AGAIN, 700, 1.1232709, 9.712357),
        ],
        [
            (HARD, 0, 1.2931, 5.1121707),
            (HARD, 3, 5.352597, 6.7404594),
            (AGAIN, 5, 0.96649367, 8.913839),
            (AGAIN, 2, 0.32694086, 9.628215),
            (GOOD, 400, 2.7782025, 9.613815),
            (GOOD, 0, 2.7782025, 9.59943),
        ],
    ];

    #[test]
    fn memories_are_those_of_anki() {
        for answers in ANSWERS {
            let mut memory: Option<Memory> = None;
            for (grade, days, stability, difficulty) in answers {
                let next =
                    memory.map_or_else(|| Memory::first(grade), |memory| memory.after(grade, days));
                let near = |one: f32, other: f32| (one / other - 1.0).abs() < 1e-5;
                assert!(
                    near(next.stability, stability) && near(next.difficulty, difficulty),
                    "{next:?}"
                );
                memory = Some(next);
            }
        }
    }
}
