//! Training as text: prints questions, reads moves, and stores the schedule after each answer.

use std::io::{self, BufRead, Write};
use std::sync::atomic::AtomicBool;

use super::day::{MOST_NEW, due};
use super::exercises::{Exercise, ExerciseKind, Named, is_right, pairs};
use super::library::{Library, LibraryError};
use super::reviews::Order;
use super::schedule::{Answer, Schedule};
use engine::board::{Color, Position, Square};
use engine::search::EngineError;
use engine::system::text::one_line;

#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    #[error(transparent)]
    Library(#[from] LibraryError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The end of a question.
enum Ended {
    Answered(Answer),
    Skipped,
    /// The person ends the training.
    Left,
}

pub struct Training<'a, I, O> {
    pub order: &'a Order,
    pub input: I,
    pub output: O,
    pub stop: &'a AtomicBool,
}

impl<I: BufRead, O: Write> Training<'_, I, O> {
    /// Asks the exercises that are due on a day, until they or the input end.
    pub fn run(&mut self, library: &Library, day: u32) -> Result<(), TrainingError> {
        let (keys, mut exercises): (Vec<_>, Vec<Exercise>) =
            library.exercises()?.into_iter().unzip();
        let today = due(&exercises, day, MOST_NEW);
        if today.is_empty() {
            writeln!(self.output, "{}", nothing_due(&exercises, day))?;
            return Ok(());
        }
        let minutes = today.len().div_ceil(2);
        writeln!(self.output, "{} today, about {minutes} minutes.", counted(today.len()))?;
        let schedule = Schedule::default();
        for (number, &at) in today.iter().enumerate() {
            writeln!(self.output, "\nExercise {} of {}", number + 1, today.len())?;
            match self.ask(&exercises[at])? {
                Ended::Left => break,
                Ended::Skipped => continue,
                Ended::Answered(answer) => {
                    let memory = schedule.answered(&exercises[at].memory, answer, day);
                    exercises[at].memory = memory;
                    library.keep_exercise(keys[at], &exercises[at])?;
                    let days = memory.due() - day;
                    match memory.is_retired() {
                        true => writeln!(self.output, "You know this one. It does not come back.")?,
                        false => writeln!(self.output, "It comes back in {}.", in_days(days))?,
                    }
                }
            }
        }
        Ok(())
    }

    fn ask(&mut self, exercise: &Exercise) -> Result<Ended, TrainingError> {
        // An unreadable exercise is skipped.
        let Ok(position) = exercise.fen.parse::<Position>() else { return Ok(Ended::Skipped) };
        let (good, played) = (pairs(&exercise.good), pairs(&exercise.played));
        let played = played.first().copied().unwrap_or_default();
        writeln!(self.output, "{}\n", one_line(&exercise.game))?;
        writeln!(self.output, "{}", board(&position))?;
        let number = position.san_number();
        writeln!(self.output, "The moves before: {}", numbered(&position, &exercise.before))?;
        match played.1 {
            _ if exercise.kind == ExerciseKind::Quiet => {
                writeln!(self.output, "There is nothing to find here: do you keep calm?")?;
            }
            "" => writeln!(self.output, "What do you play?")?,
            san => writeln!(
                self.output,
                "In the game you played {number} {san}. What do you play now?"
            )?,
        }
        let mut hints = hints(exercise, &position).into_iter();
        let (mut hinted, mut wrong) = (false, 0);
        let answer = loop {
            write!(self.output, "A move, hint, answer, skip or quit: ")?;
            self.output.flush()?;
            let mut line = String::new();
            if self.input.read_line(&mut line)? == 0 {
                writeln!(self.output)?;
                return Ok(Ended::Left);
            }
            match line.trim() {
                "" => continue,
                "quit" | "exit" => return Ok(Ended::Left),
                "skip" => return Ok(Ended::Skipped),
                "answer" => break Answer::Wrong,
                "hint" => {
                    hinted = true;
                    let hint = hints.next().unwrap_or("There are no more hints.".to_string());
                    writeln!(self.output, "{hint}")?;
                    continue;
                }
                word => {
                    let mv =
                        position.parse_san(word).ok().or_else(|| position.parse_uci(word).ok());
                    let Some(mv) = mv else {
                        writeln!(self.output, "That is no legal move here.")?;
                        continue;
                    };
                    if is_right(self.order, exercise, &position, mv, self.stop)? {
                        break match (wrong, hinted) {
                            (0, false) => Answer::Right,
                            (0 | 1, _) => Answer::Helped,
                            _ => Answer::Wrong,
                        };
                    }
                    wrong += 1;
                    writeln!(self.output, "There is something better.")?;
                }
            }
        };
        let line: Vec<&str> = pairs(&exercise.line).iter().map(|(_, san)| *san).collect();
        let best = good.first().map_or("", |(_, san)| san);
        let told = if answer == Answer::Wrong { "The answer is" } else { "Right. Best is" };
        writeln!(self.output, "{told} {number} {best}.")?;
        match (exercise.kind, played.1) {
            (ExerciseKind::Quiet, _) => writeln!(self.output, "{}", exercise.why)?,
            (_, "") => {}
            (_, san) => writeln!(self.output, "{san} {}", exercise.why)?,
        }
        let shown = if exercise.memory.is_hard() { line.len() } else { line.len().min(4) };
        writeln!(self.output, "{number} {}", line[..shown].join(" "))?;
        Ok(Ended::Answered(answer))
    }
}

/// The moves before a position with their numbers: "11. Nf3 Nc6 12. d4".
fn numbered(position: &Position, before: &str) -> String {
    let moves = pairs(before);
    let plies =
        2 * usize::from(position.move_number()) + usize::from(position.side() == Color::Black);
    let word = |(back, (_, san)): (usize, &Named)| match plies.saturating_sub(moves.len() - back) {
        ply if ply % 2 == 0 => format!("{}. {san}", ply / 2),
        ply if back == 0 => format!("{}... {san}", ply / 2),
        _ => (*san).to_string(),
    };
    moves.iter().enumerate().map(word).collect::<Vec<_>>().join(" ")
}

/// What to look for, which piece moves, and the move.
fn hints(exercise: &Exercise, position: &Position) -> Vec<String> {
    let mut hints = Vec::new();
    hints.push(match &exercise.hint {
        Some(hint) => format!("Look for {hint}."),
        None => "Nothing is to be won by force.".to_string(),
    });
    let good = pairs(&exercise.good);
    if let Some((_, best)) = good.first() {
        let piece = exercise.from.parse().ok().and_then(|from: Square| position.piece_at(from));
        let piece = piece.map_or("piece", |piece| piece.kind().name());
        hints.push(format!("Move the {piece} on {}.", exercise.from));
        hints.push(format!("Play {best}."));
    }
    hints
}

/// Draws a board with White's pieces as capital letters and the person's side at the bottom.
fn board(position: &Position) -> String {
    let turned = position.side() == Color::Black;
    let order = |i: u8| if turned { 7 - i } else { i };
    let mut text = String::new();
    for rank in (0..8).rev().map(order) {
        text += &format!("{} ", rank + 1);
        for file in (0..8).map(order) {
            let piece = Square::new(file, rank).and_then(|square| position.piece_at(square));
            text += &format!(" {}", piece.map_or('.', |piece| piece.letter()));
        }
        text.push('\n');
    }
    let files: String =
        (0..8).map(order).map(|file| format!(" {}", char::from(b'a' + file))).collect();
    format!("{text}  {files}\n")
}

fn counted(count: usize) -> String {
    if count == 1 { "1 exercise".to_string() } else { format!("{count} exercises") }
}

fn in_days(days: u32) -> String {
    if days == 1 { "1 day".to_string() } else { format!("{days} days") }
}

fn nothing_due(exercises: &[Exercise], day: u32) -> String {
    let left = exercises.iter().filter(|exercise| !exercise.memory.is_retired());
    match left.map(|exercise| exercise.memory.due()).min() {
        None => "There are no exercises.".to_string(),
        Some(due) => {
            format!(
                "Nothing is due today. The next exercise comes in {}.",
                in_days(due.saturating_sub(day))
            )
        }
    }
}
