//! The orders of a person at the table, and the events there.

use std::time::Duration;

use super::hint::Hint;
use super::judgement::Judged;
use crate::game::clock::TimeControl;
use crate::game::level::Level;
use crate::game::played_game::{DRAW_RULE, Outcome, PlayedGame};
use engine::board::{Color, Game, Move};
use engine::player::Go;
use engine::search::{Line, SearchResult, TimePlan};

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Searcher {
    /// The player of Zebu's side.
    Opponent,
    /// The player that gives hints, judges moves and looks at positions.
    Adviser,
}

/// The terms of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Zebu's side; `None` while it looks on.
    pub zebu: Option<Color>,
    pub level: Level,
    pub clock: Option<TimeControl>,
    /// Zebu's time for a move without a clock.
    pub move_time: Duration,
}

impl Terms {
    /// What the table would refuse.
    pub fn check(&self) -> Result<(), Refused> {
        checked_move_time(self.move_time).map(drop)
    }
}

/// The limits of Zebu's time for a move.
const SHORTEST_MOVE: Duration = Duration::from_millis(1);
const LONGEST_MOVE: Duration = Duration::from_secs(86_400);

pub fn checked_move_time(move_time: Duration) -> Result<Duration, Refused> {
    let is_allowed = (SHORTEST_MOVE..=LONGEST_MOVE).contains(&move_time);
    if is_allowed { Ok(move_time) } else { Err(Refused::MoveTime(move_time)) }
}

pub enum Ask {
    /// Starts a new game.
    New(Box<PlayedGame>, Terms),
    /// Puts another game on the table by the same terms. Zebu waits.
    SetUp(Box<PlayedGame>),
    /// Makes a legal move for the person.
    Move(Move),
    /// Takes back some moves of both sides, or by default the person's last one with the reply.
    TakeBack(Option<usize>),
    Resign,
    /// Claims a draw, or offers it to Zebu.
    Draw,
    Hint,
    /// Goes on with a game that is over, unless the position ended it.
    GoOn,
    /// Zebu replies from now on. The person has this side, by default the one that is not to move.
    Play(Option<Color>),
    /// Zebu looks on from now on.
    LookOn,
    Level(Level),
    /// Starts a clock in this position, or takes it away.
    Clock(Option<TimeControl>),
    MoveTime(Duration),
    /// Searches a position of any game, until its `Go` ends or another look is asked for.
    Look(Box<Game>, Box<Go>),
    /// Ends the look.
    EndLook,
    /// Stops all searches: Zebu moves, and a hint or a look gives its result so far.
    Stop,
    /// The person leaves: the clock stops, and Zebu does not think.
    Leave,
    /// The person is back.
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
    /// An error of a search, an option or an endgame table.
    Problem(String),
}

impl Happened {
    /// Whether the game or its position changed.
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

/// The start of a search.
#[derive(Debug)]
pub struct Begun {
    pub plan: TimePlan,
    /// A note on a move that needed no search.
    pub note: Option<String>,
}

/// Why an order of the person is refused.
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
