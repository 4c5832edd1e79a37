//! What a person wants at the table, and what happens there.

use std::time::Duration;

use super::hint::Hint;
use super::judgement::Judged;
use crate::board::{Color, Game, Move};
use crate::game::clock::TimeControl;
use crate::game::level::Level;
use crate::game::played_game::{DRAW_RULE, Outcome, PlayedGame};
use crate::player::Go;
use crate::search::{Line, SearchResult, TimePlan};

/// Who searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Searcher {
    /// The player of Zebu's side.
    Opponent,
    /// The player who gives hints, judges moves, and looks at positions.
    Adviser,
}

/// What is agreed about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Zebu's side; `None` while it looks on.
    pub zebu: Option<Color>,
    pub level: Level,
    pub clock: Option<TimeControl>,
    /// Zebu's time for a move without a clock.
    pub move_time: Duration,
}

pub enum Ask {
    /// Another game begins, and whoever is to move may think.
    New(Box<PlayedGame>, Terms),
    /// Another game is put on the table by the same terms, and Zebu waits.
    SetUp(Box<PlayedGame>),
    /// A legal move of the person's.
    Move(Move),
    /// So many moves of both sides, or up to the person's last one.
    TakeBack(Option<usize>),
    Resign,
    /// A draw is claimed, or offered to Zebu.
    Draw,
    Hint,
    /// A game that is over goes on, unless the position ended it.
    GoOn,
    /// Zebu replies from now on. The person has this side, or the one that is not to move.
    Play(Option<Color>),
    /// Zebu looks on from now on.
    LookOn,
    Level(Level),
    /// A clock that starts in this position, or none.
    Clock(Option<TimeControl>),
    MoveTime(Duration),
    /// A search of a position, of any game. It is at the end of its `Go`, or when another one is asked for.
    Look(Box<Game>, Box<Go>),
    /// The look is of no more use.
    EndLook,
    /// What is being searched is enough: Zebu moves, and a hint or a look gives what was found.
    Stop,
    /// Nobody is at the table: the clock stands, and Zebu does not think.
    Leave,
    /// Somebody is there again.
    Return,
}

#[derive(Debug)]
pub enum Happened {
    /// Another game is on the table.
    Begun,
    /// A move was made, "12... Nf6".
    Moved {
        name: String,
        by_zebu: bool,
    },
    TakenBack,
    /// A game that was over goes on, perhaps without its clock.
    GoesOn {
        lost_clock: bool,
    },
    Over(Outcome),
    /// Zebu thinks about its move.
    Thinks(Begun),
    /// A look at a position begins.
    Looks(Begun),
    /// A line of the look.
    Line(Line),
    Looked(SearchResult),
    Hint(Hint),
    Judged(Judged),
    Refused(Refused),
    /// What is wrong with a search, an option or a table.
    Problem(String),
}

impl Happened {
    /// Whether the game is another one than before.
    pub fn changes_game(&self) -> bool {
        matches!(
            self,
            Happened::Begun
                | Happened::Moved { .. }
                | Happened::TakenBack
                | Happened::GoesOn { .. }
                | Happened::Over(_)
        )
    }
}

/// A search as it begins.
#[derive(Debug)]
pub struct Begun {
    pub plan: TimePlan,
    /// What there is to say of a move that needed no search.
    pub note: Option<String>,
}

/// Why something that a person wants does not happen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("It is not your move.")]
    NotYourMove,
    #[error("The game is over.")]
    Over,
    #[error("There is no move to take back.")]
    NoMoveToTakeBack,
    #[error("There is no game to resign.")]
    NoGameToResign,
    #[error("No draw: {DRAW_RULE}.")]
    Draw,
    #[error("A move takes from a millisecond to a day, not {} s.", .0.as_secs_f64())]
    MoveTime(Duration),
}
