//! The game that is played: its moves with takeback, its clock, how it ends, and its PGN. It knows
//! nobody who plays it.

mod clock;
mod file;
mod played_game;

pub use clock::{GameClock, TimeControl, shown};
pub use file::{GameFile, Occasion};
pub use played_game::{DRAW_RULE, Outcome, PlayedGame};
