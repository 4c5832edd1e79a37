//! The exercises of a day.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::exercises::{Exercise, ExerciseKind};
use engine::system::time::utc_now;

/// The new exercises of a day.
pub const MOST_NEW: usize = 10;

/// Days since 1970.
pub fn today() -> u32 {
    (utc_now().timestamp().max(0) / 86_400) as u32
}

/// The exercises of a day by their places: what is due, then so many new ones less those that were begun
/// already, those of the motifs that are due first; and for every few of them a quiet position, somewhere between them. The order depends on the
/// day alone.
pub fn due(exercises: &[Exercise], day: u32, most_new: usize) -> Vec<usize> {
    const FOR_A_QUIET_ONE: usize = 5;
    let is_quiet = |&at: &usize| exercises[at].kind == ExerciseKind::Quiet;
    let all = || 0..exercises.len();
    let memory = |at: usize| &exercises[at].memory;
    let mut due: Vec<usize> =
        all().filter(|&at| memory(at).is_due(day) && !is_quiet(&at)).collect();
    due.sort_by_key(|&at| memory(at).due());
    let motifs: Vec<_> = due.iter().filter_map(|&at| exercises[at].motif.as_ref()).collect();
    let mut new: Vec<usize> = all().filter(|&at| memory(at).is_new() && !is_quiet(&at)).collect();
    let fits =
        |at: usize| exercises[at].motif.as_ref().is_some_and(|motif| motifs.contains(&motif));
    new.sort_by_key(|&at| !fits(at));
    let begun = all().filter(|&at| memory(at).first() == Some(day) && !is_quiet(&at)).count();
    due.extend(new.iter().take(most_new.saturating_sub(begun)));
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(day.into());
    let may_come = |&at: &usize| {
        is_quiet(&at)
            && !memory(at).is_retired()
            && (memory(at).is_new() || memory(at).last() != day)
    };
    let mut quiet: Vec<usize> = all().filter(may_come).collect();
    quiet.shuffle(&mut generator);
    for &at in quiet.iter().take(due.len() / FOR_A_QUIET_ONE) {
        due.insert(generator.random_range(0..=due.len()), at);
    }
    due
}

#[cfg(test)]
mod tests {
    use super::super::schedule::{Answer, Memory};
    use super::*;

    fn exercise(kind: ExerciseKind, motif: Option<&str>) -> Exercise {
        let text = String::new;
        Exercise {
            kind,
            game: text(),
            fen: text(),
            played: text(),
            good: text(),
            line: text(),
            before: text(),
            chance: 50.0,
            motif: motif.map(str::to_string),
            hint: None,
            from: text(),
            why: text(),
            memory: Memory::default(),
        }
    }

    /// A person learns 100 exercises, ten new ones a day, and remembers each as long as chance will have it:
    /// a day at first, three times as long after each success.
    #[test]
    fn a_month() {
        let mut exercises: Vec<Exercise> =
            (0..100).map(|_| exercise(ExerciseKind::Mistake, None)).collect();
        let mut strength = vec![0.0_f64; exercises.len()];
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(1);
        let (mut asked, mut repeated, mut forgotten) = (Vec::new(), 0, 0);
        for day in 20_000..20_030 {
            let today = due(&exercises, day, 10);
            for &at in &today {
                let memory = exercises[at].memory;
                let days = f64::from(day - memory.last());
                let is_new = memory.is_new();
                let knows = !is_new && generator.random_bool((-days / strength[at] * 0.1).exp());
                repeated += usize::from(!is_new);
                forgotten += usize::from(!is_new && !knows);
                strength[at] = if knows { strength[at] * 3.0 } else { 1.0 };
                let answer = if knows { Answer::Right } else { Answer::Wrong };
                exercises[at].memory = memory.answered(answer, day);
                assert!(exercises[at].memory.due() > day);
            }
            asked.push(today.len());
        }
        println!("exercises a day: {asked:?}; {forgotten} of {repeated} forgotten");
        assert!(asked.iter().all(|&asked| (1..=60).contains(&asked)), "{asked:?}");
        assert!(exercises.iter().all(|exercise| !exercise.memory.is_new()));
        assert!(repeated > 150 && forgotten * 3 < repeated, "{forgotten} of {repeated}");
        // The last days have fewer than those with new ones.
        let days = |days: &[usize]| days.iter().sum::<usize>() / days.len();
        assert!(days(&asked[20..]) < days(&asked[5..10]));
    }

    #[test]
    fn a_day_mixes_what_is_due_with_its_motifs_and_quiet_positions() {
        let mut all: Vec<Exercise> = (0..20)
            .map(|i| {
                exercise(ExerciseKind::Mistake, Some(if i % 2 == 0 { "a pin" } else { "a fork" }))
            })
            .collect();
        all.push(exercise(ExerciseKind::Quiet, None));
        all.push(exercise(ExerciseKind::Quiet, None));
        all[3].memory = all[3].memory.answered(Answer::Wrong, 99);
        all[4].memory = all[4].memory.answered(Answer::Right, 99);
        let today = due(&all, 100, 5);
        assert_eq!(today, due(&all, 100, 5));
        let quiet = today.iter().filter(|&&at| at >= 20).count();
        assert_eq!((today.len(), quiet), (7, 1));
        assert!(today.contains(&3) && !today.contains(&4));
        let new = today.iter().filter(|&&at| at < 20 && at != 3);
        assert!(new.clone().all(|at| at % 2 == 1) && new.count() == 5);
        assert!(due(&[], 100, 5).is_empty());
    }
}
