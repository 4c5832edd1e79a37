//! What `go` asks for, in any position.

use std::time::Duration;

use crate::board::{Color, Position, UciMove, UciMoveError};
use crate::search::{Limits, Time};

/// How long a move takes if nothing says how long.
pub const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(1);

/// Times are in milliseconds.
#[derive(Debug, Default)]
pub struct Go {
    pub ponder: bool,
    pub infinite: bool,
    /// White's and Black's.
    pub time: [Option<u64>; 2],
    pub increment: [Option<u64>; 2],
    pub moves_to_go: Option<u64>,
    pub move_time: Option<u64>,
    pub depth: Option<u64>,
    pub nodes: Option<u64>,
    pub mate: Option<u64>,
    pub search_moves: Vec<UciMove>,
    /// Analysis, whatever the options say: at full strength and without a book.
    pub analyse: bool,
    /// The lines to find, whatever the options say.
    pub lines: Option<u32>,
    /// What could not be read. The search begins without it: a GUI waits for its best move.
    pub problem: Option<String>,
}

/// What does not fit the position. The search begins without it, too.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GoProblem {
    #[error("go has no clock for {0}, who is to move: the opponent's is taken")]
    NoClock(Color),
    #[error("searchmoves '{mv}': {reason}")]
    SearchMove { mv: UciMove, reason: UciMoveError },
}

impl Go {
    /// Whether some limit surely ends the search: a mate may never be found.
    pub fn is_bounded(&self) -> bool {
        let timed = self.move_time.is_some() || self.time.iter().any(Option::is_some);
        timed || self.depth.is_some() || self.nodes.is_some()
    }

    /// Whether its only limits could not be read, so that there is nothing to search.
    pub fn is_void(&self) -> bool {
        self.problem.is_some() && !self.infinite && self.mate.is_none() && !self.is_bounded()
    }

    /// Whether it ends without `stop` or `ponderhit`.
    pub fn ends(&self) -> bool {
        !self.infinite && !self.ponder && self.is_bounded()
    }

    /// The limits of a search of this position, and the first problem with them. Illegal moves are left
    /// out.
    pub fn limits(&self, position: &Position) -> (Limits, Option<GoProblem>) {
        let mut problem = None;
        let mut moves = Vec::new();
        for &mv in &self.search_moves {
            match position.legal_move(mv) {
                Ok(mv) => moves.push(mv),
                Err(reason) => {
                    problem.get_or_insert(GoProblem::SearchMove { mv, reason });
                }
            }
        }
        let side = position.side();
        let [own, others] = [side, !side].map(|color| self.time[color.index()]);
        // A search that knows only the opponent's clock would never end.
        if own.is_none() && others.is_some() {
            problem.get_or_insert(GoProblem::NoClock(side));
        }
        let time = own.or(others).map(|left| Time {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(self.increment[side.index()].unwrap_or(0)),
            moves_to_go: self.moves_to_go.filter(|&moves| moves > 0).map(|moves| moves as u32),
        });
        let limits = Limits {
            depth: self.depth.map(|depth| depth as u32),
            nodes: self.nodes,
            soft_nodes: None,
            forcing_soft_nodes: None,
            mate: self.mate.map(|moves| moves as u32),
            move_time: self.move_time.map(Duration::from_millis),
            time,
            moves,
        };
        (limits, problem)
    }
}
