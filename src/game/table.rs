//! The table where a person plays against Zebu. It owns the game, its terms, the player of Zebu's side and the
//! adviser. It has no thread, console or clock of its own: a voice calls `ask` for the person, `heard` for each
//! report of a search, and `due` when it is time. Each returns what happened.

mod adviser;
mod events;
mod hint;
mod judgement;
mod known;

use std::mem;
use std::time::Duration;

use crossbeam_channel::{Receiver, never};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::clock::TimeControl;
use super::file::Occasion;
use super::level::Level;
use super::played_game::{Outcome, PlayedGame};
use crate::analysis::Note;
use adviser::Adviser;
use engine::board::{Color, Game, Move};
use engine::player::{Go, Options, Player, Thinking, UciOption, generator};
use engine::search::{Bound, Event, Score};
use engine::system::time::Instant;
use events::checked_move_time;
use judgement::Judgement;

pub use events::{Ask, Begun, Happened, Refused, Searcher, Terms};
pub use hint::Hint;
pub use judgement::Judged;

pub struct Table {
    game: PlayedGame,
    /// Zebu's side; `None` while it looks on.
    zebu: Option<Color>,
    clock: Option<TimeControl>,
    move_time: Duration,
    /// At a limited level, Zebu takes about as long for a move as a person.
    pub takes_its_time: bool,
    /// Whether the person's moves are judged.
    pub judges: bool,
    /// The clock is stopped, and Zebu does not think even if it is to move.
    rests: bool,
    opponent: Player,
    thinking: Option<Thinking>,
    /// The score of the best line so far.
    score: Option<Score>,
    reply: Option<Reply>,
    adviser: Adviser,
    random: Xoshiro256PlusPlus,
    happened: Vec<Happened>,
}

/// A move that Zebu delays as long as a person would.
struct Reply {
    at: Instant,
    mv: Move,
}

impl Table {
    /// Nothing happens until the first `ask`.
    pub fn new(player: Player, game: PlayedGame, terms: &Terms) -> Table {
        let mut table = Table {
            game,
            zebu: terms.zebu,
            clock: terms.clock,
            move_time: terms.move_time,
            takes_its_time: false,
            judges: false,
            rests: true,
            adviser: Adviser::new(&player),
            random: generator(player.options().seed),
            opponent: player,
            thinking: None,
            score: None,
            reply: None,
            happened: Vec::new(),
        };
        terms.level.set(&mut table.opponent);
        table
    }

    pub fn game(&self) -> &PlayedGame {
        &self.game
    }

    pub fn terms(&self) -> Terms {
        let Table { zebu, clock, move_time, .. } = *self;
        Terms { zebu, level: self.level(), clock, move_time }
    }

    /// Zebu's side; `None` while it looks on.
    pub fn zebu(&self) -> Option<Color> {
        self.zebu
    }

    pub fn level(&self) -> Level {
        Level::of(self.options())
    }

    /// The tags of the game.
    pub fn occasion<'a>(&self, event: &'a str) -> Occasion<'a> {
        let name = || self.level().player_name();
        Occasion { event, zebu: self.zebu.map(|zebu| (zebu, name())) }
    }

    /// Whether Zebu is to move.
    pub fn is_zebus_turn(&self) -> bool {
        self.zebu == Some(self.game.position().side()) && self.game.outcome().is_none()
    }

    /// Whether Zebu thinks about its move, or delays it.
    pub fn is_thinking(&self) -> bool {
        self.thinking.is_some() || self.reply.is_some()
    }

    /// Whether the person waits for no search.
    pub fn is_free(&self) -> bool {
        !self.is_thinking() && !self.adviser.is_awaited()
    }

    /// The note on the last move of a game, if looks before and after it were deep enough.
    pub fn note(&mut self, game: &Game) -> Option<Note> {
        self.adviser.note(game)
    }

    pub fn events(&self, searcher: Searcher) -> Receiver<Event> {
        match searcher {
            Searcher::Opponent => {
                self.thinking.as_ref().map_or_else(never, |thinking| thinking.events.clone())
            }
            Searcher::Adviser => self.adviser.events(),
        }
    }

    /// The time at which `due` must be called at the latest.
    pub fn wakes_at(&self) -> Option<Instant> {
        let wakes = [
            self.thinking.as_ref().and_then(Thinking::late_at),
            self.reply.as_ref().map(|reply| reply.at),
            self.game.flag_falls_at(),
            self.adviser.wakes_at(),
        ];
        wakes.into_iter().flatten().min()
    }

    /// Does what a person wants, or refuses it.
    pub fn ask(&mut self, what: Ask, now: Instant) -> Vec<Happened> {
        // An order that arrives as the flag falls is too late.
        let is_late = self.flag_fell(now) && matches!(what, Ask::GoOn | Ask::Play(_));
        if !is_late && let Err(refused) = self.obey(what, now) {
            self.happened.push(Happened::Refused(refused));
        }
        self.due(now)
    }

    /// Takes a search's report.
    pub fn heard(&mut self, searcher: Searcher, event: &Event, now: Instant) -> Vec<Happened> {
        match searcher {
            Searcher::Adviser => self.adviser.heard(event, &mut self.happened),
            Searcher::Opponent => {
                while let Some(problem) = self.opponent.damaged_table() {
                    self.happened.push(Happened::Problem(problem));
                }
                if let Event::Lines(lines) = event
                    && let Some(line) = lines.first()
                    && line.pv_index == 1
                    && line.bound == Bound::Exact
                {
                    self.score = Some(line.score);
                }
                self.thinking.iter_mut().for_each(|thinking| thinking.hear(event));
            }
        }
        self.due(now)
    }

    /// Does what is due: makes a move that was found or delayed, ends the game by the clock, gives advice.
    pub fn due(&mut self, now: Instant) -> Vec<Happened> {
        self.run_clock(now);
        self.think(now);
        self.take_result(now);
        self.flag_fell(now);
        if let Some(reply) = self.reply.take_if(|reply| reply.at <= now) {
            self.make_move(reply.mv, true, now);
            self.score.into_iter().for_each(|score| self.game.set_score(score));
        }
        self.adviser.settle(now, &mut self.happened);
        mem::take(&mut self.happened)
    }

    fn obey(&mut self, what: Ask, now: Instant) -> Result<(), Refused> {
        match what {
            Ask::New(game, terms) => self.begin(*game, terms)?,
            Ask::SetUp(game) => {
                self.put(*game);
                self.rests = true;
            }
            Ask::Move(mv) => self.person_moves(mv, now)?,
            Ask::TakeBack(moves) => self.take_back(moves)?,
            Ask::Resign => {
                let side = self.zebu.map_or(self.game.position().side(), |zebu| !zebu);
                let outcome = self.game.resign(side).ok_or(Refused::NoGameToResign)?;
                self.end(outcome);
            }
            Ask::Draw => {
                self.not_over()?;
                let outcome = self.game.offer_draw().ok_or(Refused::Draw)?;
                self.end(outcome);
            }
            Ask::Hint => {
                self.not_over()?;
                if self.is_zebus_turn() && !self.rests {
                    return Err(Refused::NotYourMove);
                }
                let left = self.game.left(now);
                let left = left.map(|left| left[self.game.position().side().index()]);
                self.adviser.hint(self.game.board(), left, &mut self.happened);
            }
            Ask::GoOn => self.go_on(),
            Ask::Play(side) => {
                self.stop_thinking();
                self.go_on();
                self.zebu = Some(side.map_or(self.game.position().side(), |side| !side));
                self.rests = false;
            }
            Ask::LookOn => {
                self.stop_thinking();
                self.zebu = None;
            }
            Ask::Level(level) => level.set(&mut self.opponent),
            Ask::Clock(control) => {
                self.clock = control;
                match control {
                    Some(_) => self.game.set_clock(control),
                    None => self.game.turn_clock_off(),
                }
            }
            Ask::MoveTime(time) => self.move_time = checked_move_time(time)?,
            Ask::Look(game, go) => self.adviser.look(*game, *go),
            Ask::EndLook => self.adviser.end_look(),
            Ask::Stop => {
                self.thinking.iter_mut().for_each(|thinking| thinking.stop(now));
                self.reply.iter_mut().for_each(|reply| reply.at = now);
                self.adviser.stop(now);
            }
            Ask::Leave => {
                self.stop_thinking();
                self.rests = true;
            }
            Ask::Return => self.rests = false,
        }
        Ok(())
    }

    fn not_over(&self) -> Result<(), Refused> {
        self.game.outcome().map_or(Ok(()), |_| Err(Refused::Over))
    }

    fn begin(&mut self, game: PlayedGame, terms: Terms) -> Result<(), Refused> {
        terms.check()?;
        self.move_time = terms.move_time;
        self.zebu = terms.zebu;
        self.clock = terms.clock;
        self.rests = false;
        terms.level.set(&mut self.opponent);
        self.put(game);
        self.opponent.new_game();
        Ok(())
    }

    fn put(&mut self, game: PlayedGame) {
        self.stop_thinking();
        self.adviser.leave_game();
        self.game = game;
        self.game.set_clock(self.clock);
        self.happened.push(Happened::Begun);
        self.tell_outcome();
    }

    fn person_moves(&mut self, mv: Move, now: Instant) -> Result<(), Refused> {
        self.not_over()?;
        if self.is_zebus_turn() {
            if !self.rests {
                return Err(Refused::NotYourMove);
            }
            // A person who moves for Zebu while it rests takes its side.
            self.zebu = self.zebu.map(|zebu| !zebu);
        }
        self.rests = false;
        let before = self.game.board().clone();
        self.make_move(mv, false, now);
        if self.judges && self.game.outcome().is_none() {
            self.adviser.judge(Judgement::new(before, mv));
        }
        Ok(())
    }

    /// Makes a move of either side, and presses the clock.
    fn make_move(&mut self, mv: Move, by_zebu: bool, now: Instant) {
        self.adviser.leave_position();
        self.game.play(mv, now);
        self.run_clock(now);
        let name = self.game.last_move_name().unwrap_or_default();
        self.happened.push(Happened::Moved { name, by_zebu });
        self.tell_outcome();
    }

    fn tell_outcome(&mut self) {
        self.happened.extend(self.game.outcome().map(Happened::Over));
    }

    /// Takes back some moves, or by default the person's last one with Zebu's reply.
    fn take_back(&mut self, moves: Option<usize>) -> Result<(), Refused> {
        let played = self.game.board().moves().len();
        let is_own_turn = self.zebu.is_some_and(|zebu| zebu != self.game.position().side());
        // A person cannot replace a move of Zebu's.
        let least = 1 + usize::from(is_own_turn && moves.is_none());
        if played < least {
            return Err(Refused::NoMoveToTakeBack);
        }
        self.stop_thinking();
        self.adviser.leave_game();
        for _ in 0..moves.unwrap_or(least) {
            self.game.take_back();
        }
        self.rests = self.is_zebus_turn();
        self.happened.push(Happened::TakenBack);
        Ok(())
    }

    /// Ends the game other than by the position.
    fn end(&mut self, outcome: Outcome) {
        self.stop_thinking();
        self.happened.push(Happened::Over(outcome));
    }

    fn go_on(&mut self) {
        if self.game.outcome().is_some() && self.game.position().ending().is_none() {
            let lost_clock = self.game.go_on();
            self.happened.push(Happened::GoesOn { lost_clock });
        }
    }

    /// Ends the game if the side to move has just run out of time.
    fn flag_fell(&mut self, now: Instant) -> bool {
        let outcome = self.game.flag_fell(now);
        outcome.into_iter().for_each(|outcome| self.end(outcome));
        outcome.is_some()
    }

    fn run_clock(&mut self, now: Instant) {
        self.game.run_clock(self.zebu.is_some() && !self.rests, now);
    }

    /// Starts to think if Zebu is to move and does not think yet.
    fn think(&mut self, now: Instant) {
        if self.is_thinking() || self.rests || !self.is_zebus_turn() {
            return;
        }
        let milliseconds = |time: Duration| Some(time.as_millis() as u64);
        let left = self.game.left(now);
        let increment = self.game.clock().map(|clock| clock.control.increment);
        let go = Go {
            time: left.map_or([None; 2], |left| left.map(milliseconds)),
            increment: [increment.and_then(milliseconds); 2],
            move_time: milliseconds(self.move_time).filter(|_| left.is_none()),
            lines: Some(1),
            ..Go::default()
        };
        self.score = None;
        self.happened.extend(self.opponent.prepare().err().map(Happened::Problem));
        match self.opponent.begin(self.game.board(), &go, now) {
            Ok(mut thinking) => {
                let note = thinking.note.take();
                self.happened.push(Happened::Thinks(Begun { plan: thinking.plan, note }));
                self.thinking = Some(thinking);
            }
            Err(problem) => {
                self.rests = true;
                self.happened.push(Happened::Problem(problem));
            }
        }
    }

    fn take_result(&mut self, now: Instant) {
        let Some(thinking) = &mut self.thinking else { return };
        thinking.late(now);
        let Some(answer) = thinking.answer() else { return };
        self.opponent.answered(thinking, now);
        self.thinking = None;
        if let Some(mv) = answer.result.best {
            self.reply = Some(Reply { at: now + self.pause(answer.result.time, now), mv });
        }
    }

    /// How long Zebu delays its move, so that it takes as long as a person of its strength.
    fn pause(&mut self, spent: Duration, now: Instant) -> Duration {
        const USUAL: Duration = Duration::from_millis(1500);
        const LONGEST: Duration = Duration::from_secs(10);
        /// With fewer moves than this, there is little to think about.
        const FEW_MOVES: usize = 4;
        if !self.takes_its_time || self.level() == Level::Full {
            return Duration::ZERO;
        }
        let position = self.game.position();
        let left = self.game.left(now).map(|left| left[position.side().index()]);
        let usual = left.map_or(USUAL, |left| (left / 50).min(LONGEST));
        let is_easy = position.legal_moves().len() < FEW_MOVES;
        let share = self.random.random_range(0.4..1.6) * if is_easy { 0.3 } else { 1.0 };
        usual.mul_f64(share).saturating_sub(spent)
    }

    fn stop_thinking(&mut self) {
        self.thinking = None;
        self.reply = None;
    }
}

/// Access to the two players: their options and engines.
impl Table {
    pub fn opponent(&self) -> &Player {
        &self.opponent
    }

    pub fn options(&self) -> &Options {
        self.opponent.options()
    }

    /// Sets an option of both players, and returns a note for the user, if there is one.
    pub fn set_option(
        &mut self,
        option: &UciOption,
        value: Option<&str>,
    ) -> Result<Option<String>, String> {
        let note = self.opponent.set(option, value)?;
        self.adviser.follow(&self.opponent);
        Ok(note)
    }

    /// Sets options of the adviser alone.
    pub fn set_adviser(&mut self, threads: u32, hash: u32, lines: u32) -> Result<(), String> {
        self.adviser.set(threads, hash, lines)
    }

    /// Prepares the opponent's engine.
    pub fn prepare(&mut self) -> Result<(), String> {
        self.opponent.prepare()
    }

    /// Both players forget the games before.
    pub fn forget(&mut self) {
        self.opponent.new_game();
        self.adviser.follow(&self.opponent);
    }

    /// Stops a look that would never end by itself.
    pub fn stop_endless(&mut self, now: Instant) {
        self.adviser.stop_endless(now);
    }

    pub fn ponder_hit(&mut self, now: Instant) {
        self.adviser.ponder_hit(now);
    }

    /// Ends the table, and returns the player of Zebu's side.
    pub fn into_opponent(self) -> Player {
        self.opponent
    }
}
