//! The clock of a game: the time left of both sides, now and after each move.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use engine::board::Color;
use engine::notation::{PgnGame, PgnMove};
use engine::system::text::shortened;
use engine::system::time::Instant;

/// In seconds.
const MINUTE: f64 = 60.0;
const LONGEST: RangeInclusive<f64> = 0.01 * MINUTE..=1440.0 * MINUTE;
const LARGEST_INCREMENT: f64 = 3600.0;

/// The time of each side at the start, and its increment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    pub base: Duration,
    pub increment: Duration,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{}' is no clock: it is minutes, and perhaps seconds for each move, 5+3.", shortened(.0))]
pub struct ClockError(String);

impl TimeControl {
    /// Minutes, and perhaps seconds for each move: `5+3`, `5 3` or `5`.
    pub fn parse(text: &str) -> Result<TimeControl, ClockError> {
        TimeControl::read(text, MINUTE).ok_or_else(|| ClockError(text.to_string()))
    }

    /// The base in a unit of so many seconds.
    fn read(text: &str, unit: f64) -> Option<TimeControl> {
        let parts = text.split(['+', ' ']).filter(|part| !part.is_empty());
        let (base, increment) = match parts.collect::<Vec<_>>()[..] {
            [base] => (base, "0"),
            [base, increment] => (base, increment),
            _ => return None,
        };
        let base = base.parse::<f64>().ok()? * unit;
        let increment: f64 = increment.parse().ok()?;
        let is_allowed = LONGEST.contains(&base) && (0.0..=LARGEST_INCREMENT).contains(&increment);
        let milliseconds = |seconds: f64| Duration::from_millis((seconds * 1000.0).round() as u64);
        is_allowed
            .then(|| TimeControl { base: milliseconds(base), increment: milliseconds(increment) })
    }
}

/// As in PGN: in seconds.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.base.as_secs_f64())?;
        match self.increment {
            Duration::ZERO => Ok(()),
            increment => write!(f, "+{}", increment.as_secs_f64()),
        }
    }
}

#[derive(Clone)]
pub struct GameClock {
    pub control: TimeControl,
    /// The clock was turned off. Its past times are kept.
    pub is_off: bool,
    /// The number of moves in the game when it was set.
    first: usize,
    /// The times of White and Black at that moment, and after each move since.
    left: Vec<[Duration; 2]>,
    /// Since when the clock of the side to move runs. `None`: the clock is stopped.
    since: Option<Instant>,
}

impl GameClock {
    /// A stopped clock in a game that already has some moves.
    pub fn new(control: TimeControl, moves: usize) -> GameClock {
        GameClock {
            control,
            is_off: false,
            first: moves,
            left: vec![[control.base; 2]],
            since: None,
        }
    }

    /// Reads the clock of a game from the comments of its moves.
    pub fn of_pgn(pgn: &PgnGame) -> Option<GameClock> {
        let control = TimeControl::read(pgn.tags.get("TimeControl")?, 1.0)?;
        let time = |played: &PgnMove| played.comments.iter().find_map(|text| read_clk(text));
        let first = pgn.moves.iter().position(|played| time(played).is_some())?;
        let mut clock = GameClock::new(control, first);
        for (played, position) in pgn.moves.iter().zip(pgn.positions()).skip(first) {
            let mut left = *clock.left.last()?;
            left[position.side().index()] = time(played)?;
            clock.left.push(left);
        }
        Some(clock)
    }

    /// Whether a move was made since it was set: the first one takes no time.
    pub fn has_begun(&self) -> bool {
        self.left.len() > 1
    }

    pub fn is_running(&self) -> bool {
        self.since.is_some()
    }

    /// The time left of White and Black, with this side to move.
    pub fn left(&self, to_move: Color, now: Instant) -> [Duration; 2] {
        let mut left = self.left.last().copied().unwrap_or([self.control.base; 2]);
        let spent = self.since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
        let own = &mut left[to_move.index()];
        *own = own.saturating_sub(spent);
        left
    }

    /// Starts or stops the clock of the side to move.
    pub fn run(&mut self, runs: bool, to_move: Color, now: Instant) {
        if runs == self.is_running() {
            return;
        }
        let left = self.left(to_move, now);
        if let Some(last) = self.left.last_mut() {
            *last = left;
        }
        self.since = runs.then_some(now);
    }

    /// This side has made a move.
    pub fn press(&mut self, side: Color, now: Instant) {
        if self.is_off {
            return;
        }
        let mut left = self.left(side, now);
        if self.is_running() {
            left[side.index()] += self.control.increment;
            self.since = Some(now);
        }
        self.left.push(left);
    }

    /// Restores the times after this many moves of the game.
    pub fn take_back(&mut self, moves: usize) {
        self.first = self.first.min(moves);
        self.left.truncate(moves - self.first + 1);
        self.since = None;
    }

    /// When the flag of the side to move falls, if nothing happens before.
    pub fn falls_at(&self, to_move: Color) -> Option<Instant> {
        let left = self.left.last()?[to_move.index()];
        self.since?.checked_add(left)
    }

    /// The time left of the side that made this move, after it.
    pub fn after_move(&self, index: usize, side: Color) -> Option<Duration> {
        let since_set = index.checked_sub(self.first)?;
        Some(self.left.get(since_set + 1)?[side.index()])
    }
}

/// Minutes and seconds as clocks show them: rounded up, and with tenths when few are left.
pub fn shown(left: Duration) -> String {
    let tenth = tenth(left);
    let begun =
        if tenth.is_empty() { left.as_millis().div_ceil(1000) } else { left.as_secs().into() };
    let [hours, minutes, seconds] = parts(begun as u64);
    match hours {
        0 => format!("{minutes}:{seconds:02}{tenth}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// As in the comments of PGN.
pub fn clk(left: Duration) -> String {
    let [hours, minutes, seconds] = parts(left.as_secs());
    format!("[%clk {hours}:{minutes:02}:{seconds:02}{}]", tenth(left))
}

/// The time in a comment.
pub fn read_clk(comment: &str) -> Option<Duration> {
    let (_, time) = comment.split_once("[%clk ")?;
    let (time, _) = time.split_once(']')?;
    let mut seconds = 0.0;
    for part in time.trim().split(':') {
        seconds = seconds * 60.0 + part.parse::<f64>().ok().filter(|part| *part >= 0.0)?;
    }
    Duration::try_from_secs_f64(seconds).ok()
}

fn parts(seconds: u64) -> [u64; 3] {
    [seconds / 3600, seconds / 60 % 60, seconds % 60]
}

fn tenth(left: Duration) -> String {
    const FEW: u64 = 20;
    let tenth = left.subsec_millis() / 100;
    if left.as_secs() < FEW { format!(".{tenth}") } else { String::new() }
}
