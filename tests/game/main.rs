//! The game that a person plays: its clock, its end, and the table with Zebu at the other side.

mod clock;
mod played_game;
mod table;
