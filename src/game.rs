//! The game that is played: its moves with takeback, its clock, how it ends, its PGN, and the table where a
//! person plays it against Zebu.

mod clock;
mod file;
mod level;
mod played_game;
mod table;

pub use clock::{ClockError, GameClock, TimeControl, read_clk, shown};
pub use file::{GameFile, Occasion};
pub use level::{LEVELS, Level, LevelError};
pub use played_game::{Outcome, PlayedGame};
pub use table::{Ask, Begun, Happened, Hint, Judged, Refused, Searcher, Table, Terms};
