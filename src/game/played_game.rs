//! A game with takeback, its clock, and how it ends.

use std::fmt;
use std::time::Duration;

use super::clock::{GameClock, TimeControl};
use engine::board::{Color, Ending, Game, Move, Piece, PieceType, Position};
use engine::notation::{GameResult, PgnGame};
use engine::search::Score;
use engine::system::time::Instant;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Board(Ending),
    Resigned(Color),
    OnTime(Color),
    /// This side ran out of time, but a bare king cannot win.
    OnTimeAgainstKing(Color),
    DrawAgreed,
}

impl Outcome {
    pub fn result(self) -> GameResult {
        match self {
            Outcome::Board(Ending::Checkmate { winner }) => GameResult::Won(winner),
            Outcome::Resigned(loser) | Outcome::OnTime(loser) => GameResult::Won(!loser),
            Outcome::Board(_) | Outcome::OnTimeAgainstKing(_) | Outcome::DrawAgreed => {
                GameResult::Drawn
            }
        }
    }

    /// Parses an outcome other than by the position.
    pub fn of_words(words: &str) -> Option<Outcome> {
        let by_color = [Outcome::Resigned, Outcome::OnTime, Outcome::OnTimeAgainstKing];
        let of_loser = by_color.iter().flat_map(|outcome| Color::BOTH.map(outcome));
        of_loser.chain([Outcome::DrawAgreed]).find(|outcome| outcome.to_string() == words)
    }

    pub fn is_on_time(self) -> bool {
        matches!(self, Outcome::OnTime(_) | Outcome::OnTimeAgainstKing(_))
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Outcome::Board(Ending::Checkmate { winner }) => write!(f, "Checkmate, {winner} wins."),
            Outcome::Board(Ending::Stalemate) => f.write_str("A draw by stalemate."),
            Outcome::Board(Ending::InsufficientMaterial) => {
                f.write_str("A draw by insufficient material.")
            }
            Outcome::Board(Ending::FiftyMoves) => {
                f.write_str("A draw: fifty moves without a capture or a pawn's move.")
            }
            Outcome::Board(Ending::ThreefoldRepetition) => {
                f.write_str("A draw: the position is here for the third time.")
            }
            Outcome::Resigned(loser) => write!(f, "{loser} resigns, {} wins.", !*loser),
            Outcome::OnTime(loser) => write!(f, "{loser}'s time is up: {} wins.", !*loser),
            Outcome::OnTimeAgainstKing(loser) => {
                write!(f, "{loser}'s time is up; {} has only a king: a draw.", !*loser)
            }
            Outcome::DrawAgreed => f.write_str("A draw by agreement."),
        }
    }
}

/// The rule by which Zebu accepts a draw, in words.
pub const DRAW_RULE: &str = "Zebu takes a draw from move 20 on, if it did not think itself ahead by more than 0.20 \
     at any of its last three moves";

#[derive(Clone)]
pub struct PlayedGame {
    pub(super) board: Game,
    /// The scores of Zebu's moves.
    scores: Vec<Option<Score>>,
    /// How the game ended, if not by the position.
    called: Option<Outcome>,
    /// A draw that may be claimed in this position is not claimed.
    plays_on: bool,
    pub(super) clock: Option<GameClock>,
    /// The game as loaded from its file.
    pub(super) loaded: Option<PgnGame>,
}

impl PlayedGame {
    pub fn new(start: Position) -> PlayedGame {
        PlayedGame::from(Game::new(start))
    }

    pub fn board(&self) -> &Game {
        &self.board
    }

    pub fn position(&self) -> &Position {
        self.board.position()
    }

    /// Makes a legal move and presses the clock. A game that was resigned, drawn or lost on time goes on.
    pub fn play(&mut self, mv: Move, now: Instant) {
        self.go_on();
        let side = self.position().side();
        self.board.play(mv);
        self.scores.push(None);
        self.plays_on = false;
        if let Some(clock) = &mut self.clock {
            clock.press(side, now);
        }
    }

    /// Sets the score of the last move, which was Zebu's.
    pub fn set_score(&mut self, score: Score) {
        if let Some(last) = self.scores.last_mut() {
            *last = Some(score);
        }
    }

    /// Takes the last move back, with its time.
    pub fn take_back(&mut self) -> Option<Move> {
        let mv = self.board.undo()?;
        self.scores.pop();
        self.called = None;
        self.plays_on = false;
        if let Some(clock) = &mut self.clock {
            clock.take_back(self.board.moves().len());
        }
        Some(mv)
    }

    /// How the game ended, if it did.
    pub fn outcome(&self) -> Option<Outcome> {
        let on_board = self.position().ending().map(Outcome::Board);
        let claimed = || self.board.ending().map(Outcome::Board);
        on_board.or(self.called).or_else(|| claimed().filter(|_| !self.plays_on))
    }

    /// Ends the game by resignation, agreement or the clock.
    pub fn call(&mut self, outcome: Outcome) {
        self.called = Some(outcome);
    }

    /// The last move, "12... Nf6".
    pub fn last_move_name(&self) -> Option<String> {
        let mut before = self.board.clone();
        let mv = before.undo()?;
        let before = before.position();
        Some(format!("{} {}", before.san_number(), before.san(mv)))
    }

    fn is_called_or_done(&self) -> bool {
        self.called.is_some() || self.position().ending().is_some()
    }

    /// A side resigns, if a game is being played.
    pub fn resign(&mut self, loser: Color) -> Option<Outcome> {
        if !self.board.moves().is_empty() && !self.is_called_or_done() {
            self.called = Some(Outcome::Resigned(loser));
            return self.called;
        }
        None
    }

    /// A draw is claimed, or offered to Zebu, which takes it by `DRAW_RULE`.
    pub fn offer_draw(&mut self) -> Option<Outcome> {
        const FIRST_MOVE: u16 = 20;
        const MOVES: usize = 3;
        const AHEAD: i32 = 20;
        self.plays_on = false;
        let last: Vec<&Score> = self.scores.iter().rev().flatten().take(MOVES).collect();
        let is_ahead = |score: &&Score| match **score {
            Score::Centipawns(value) => value > AHEAD,
            Score::Mate(moves) => moves > 0,
        };
        let takes = self.position().move_number() >= FIRST_MOVE
            && last.len() == MOVES
            && !last.iter().any(is_ahead);
        if takes && self.outcome().is_none() {
            self.called = Some(Outcome::DrawAgreed);
        }
        self.outcome().filter(|outcome| outcome.result() == GameResult::Drawn)
    }

    /// A game that was over goes on. `true`: it was lost on time, and goes on without its clock.
    pub fn go_on(&mut self) -> bool {
        self.plays_on = true;
        let was_on_time = self.called.take().is_some_and(Outcome::is_on_time);
        if was_on_time {
            self.turn_clock_off();
        }
        was_on_time
    }

    /// Starts a new clock in the present position, or takes the clock away.
    pub fn set_clock(&mut self, control: Option<TimeControl>) {
        let moves = self.board.moves().len();
        self.clock = control.map(|control| GameClock::new(control, moves));
        self.called.take_if(|called| called.is_on_time());
    }

    /// Turns the clock off. The times so far are kept.
    pub fn turn_clock_off(&mut self) {
        if let Some(clock) = &mut self.clock {
            clock.is_off = true;
        }
    }

    /// The clock, unless it is off.
    pub fn clock(&self) -> Option<&GameClock> {
        self.clock.as_ref().filter(|clock| !clock.is_off)
    }

    /// The time left of White and Black.
    pub fn left(&self, now: Instant) -> Option<[Duration; 2]> {
        Some(self.clock()?.left(self.position().side(), now))
    }

    /// Starts or stops the clock. It never runs before the first move or after the end.
    pub fn run_clock(&mut self, runs: bool, now: Instant) {
        let (to_move, is_over) = (self.position().side(), self.outcome().is_some());
        if let Some(clock) = &mut self.clock {
            clock.run(runs && !is_over && clock.has_begun() && !clock.is_off, to_move, now);
        }
    }

    /// When the flag of the side to move falls, if nothing happens before.
    pub fn flag_falls_at(&self) -> Option<Instant> {
        self.clock.as_ref()?.falls_at(self.position().side())
    }

    /// Ends the game if the side to move has just lost on time.
    pub fn flag_fell(&mut self, now: Instant) -> Option<Outcome> {
        self.flag_falls_at().filter(|&falls| falls <= now)?;
        let loser = self.position().side();
        let is_winning = |piece: Piece| piece.color() == !loser && piece.kind() != PieceType::King;
        let has_more = self.position().pieces().any(|(_, piece)| is_winning(piece));
        let outcome =
            if has_more { Outcome::OnTime(loser) } else { Outcome::OnTimeAgainstKing(loser) };
        self.called = Some(outcome);
        self.run_clock(false, now);
        self.called
    }
}

impl From<Game> for PlayedGame {
    fn from(board: Game) -> PlayedGame {
        let scores = vec![None; board.moves().len()];
        PlayedGame { board, scores, called: None, plays_on: false, clock: None, loaded: None }
    }
}

/// The clock is stopped at the times of the last comments, if all moves since the first time have one.
impl From<PgnGame> for PlayedGame {
    fn from(loaded: PgnGame) -> PlayedGame {
        let mut board = Game::new(loaded.start);
        loaded.moves.iter().for_each(|played| board.play(played.mv));
        let clock = GameClock::of_pgn(&loaded);
        PlayedGame { clock, loaded: Some(loaded), ..PlayedGame::from(board) }
    }
}
