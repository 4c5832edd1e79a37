//! The board's voice: one game, one analysis and one review for all tabs, and one loop over what they ask
//! and what the searches report.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::Receiver;
#[cfg(not(target_family = "wasm"))]
use crossbeam_channel::{at, never, select};
use rand::RngExt;

use super::analyst::{Analyst, Work};
use super::kept::Kept;
use super::messages::{Answer, Ask, Match, Settings, Table, Tell};
use super::reviewer::Reviewer;
use super::tabs::{Input, Tabs};
use crate::NAME;
use crate::analysis::{GameAnalysis, GameData};
use crate::board::{Color, Game, Move, Position};
use crate::game::{DRAW_RULE, Occasion, Outcome, PlayedGame, TimeControl};
use crate::notation::{PgnGame, PgnReader, to_pgn};
use crate::player::{DEFAULT_MOVE_TIME, Go, Options, Player, Thinking, UciOption};
use crate::search::{Event, FULL_SKILL, MAX_ELO, MIN_ELO, Score, title};
use crate::time::Instant;

/// In milliseconds.
const MOVE_TIMES: RangeInclusive<u64> = 1..=600_000;

/// A move that waits until a person would make it.
struct Reply {
    at: Instant,
    mv: Move,
}

pub struct Voice {
    inputs: Receiver<Input>,
    tabs: Tabs,
    kept: Kept,
    /// Plays the game.
    opponent: Player,
    analyst: Analyst,
    reviewer: Reviewer,
    game: PlayedGame,
    terms: Match,
    zebu: Color,
    thinking: Option<Thinking>,
    /// What the search says of its best move.
    score: Option<Score>,
    reply: Option<Reply>,
}

impl Voice {
    pub fn new(options: &Options, inputs: Receiver<Input>, kept: Kept) -> (Voice, Vec<String>) {
        // The person chooses the level, and one line is played.
        let of_game = Options {
            analyse_mode: false,
            skill_level: FULL_SKILL,
            multi_pv: 1,
            ponder: false,
            ..options.clone()
        };
        let (opponent, mut problems) = Player::new(of_game);
        let analyst = Analyst::new(options);
        let mut game = match PgnReader::new(kept.pgn.as_bytes()).next() {
            Some(Ok(game)) => PlayedGame::from(game),
            _ => PlayedGame::new(Position::start()),
        };
        let terms = if kept.pgn.is_empty() {
            Match { zebu_is_white: Some(false), elo: Some(1500), ..Match::default() }
        } else {
            kept.terms.clone()
        };
        // A clock that has shown nothing yet is not in the PGN.
        if game.board().moves().is_empty() {
            game.set_clock(terms.clock.as_deref().and_then(TimeControl::parse));
        }
        let zebu = if terms.zebu_is_white == Some(true) { Color::White } else { Color::Black };
        let mut voice = Voice {
            inputs,
            tabs: Tabs::default(),
            kept,
            opponent,
            analyst,
            reviewer: Reviewer::default(),
            game,
            terms,
            zebu,
            thinking: None,
            score: None,
            reply: None,
        };
        voice.take_level();
        let settings = voice.kept.settings.clone();
        if let Err(problem) = voice.apply(&settings) {
            problems.push(problem);
            voice.kept.settings = Settings::default();
        }
        (voice, problems)
    }

    /// Analyses games with all that the machine has.
    pub fn review(&mut self, pgn: Vec<u8>, time: Duration) -> Result<(), String> {
        let network = Arc::clone(self.opponent.network());
        self.reviewer.begin(pgn, time, self.kept.settings.hash as usize, network)?;
        self.tabs.tell(&self.reviewer.state());
        Ok(())
    }

    /// Until the program is to end.
    #[cfg(not(target_family = "wasm"))]
    pub fn run(mut self) {
        loop {
            let play = self.thinking.as_ref().map_or_else(never, |it| it.events.clone());
            let analysis = self.analyst.events();
            let review = self.reviewer.events();
            let due = self.wakes_at().map_or_else(never, at);
            select! {
                recv(self.inputs) -> input => match input {
                    Ok(Input::End) | Err(_) => return,
                    Ok(input) => self.hear(input),
                },
                recv(play) -> event => event.into_iter().for_each(|event| self.searched(&event)),
                recv(analysis) -> event => event.into_iter().for_each(|event| self.analyst.hear(event)),
                recv(review) -> event => event.into_iter().for_each(|event| {
                    self.reviewer.hear(event, &mut self.tabs);
                }),
                recv(due) -> _ => {}
            }
            self.settle();
        }
    }

    /// Hears all that there is, and says when something will be due.
    #[cfg(target_family = "wasm")]
    pub fn turn(&mut self) -> Option<Instant> {
        while let Ok(input) = self.inputs.try_recv() {
            self.hear(input);
        }
        while let Some(Ok(event)) = self.thinking.as_ref().map(|it| it.events.try_recv()) {
            self.searched(&event);
        }
        while let Ok(event) = self.analyst.events().try_recv() {
            self.analyst.hear(event);
        }
        while let Ok(event) = self.reviewer.events().try_recv() {
            self.reviewer.hear(event, &mut self.tabs);
        }
        self.settle();
        self.wakes_at()
    }

    /// When something is due, whatever comes.
    fn wakes_at(&self) -> Option<Instant> {
        let wakes = [
            self.thinking.as_ref().and_then(Thinking::late_at),
            self.reply.as_ref().map(|reply| reply.at),
            self.game.flag_falls_at(),
            self.analyst.tells_at(),
        ];
        wakes.into_iter().flatten().min()
    }

    fn hear(&mut self, input: Input) {
        match input {
            Input::Opened(tab, events) => {
                self.tabs.open(tab, events);
                let kept_in = self.kept.games().map(|file| file.display().to_string());
                let hello = Tell::Hello {
                    tab,
                    settings: &self.kept.settings,
                    most_threads: most_threads(),
                    levels: (MIN_ELO..=MAX_ELO).step_by(100).map(|elo| (elo, title(elo))).collect(),
                    kept_in: kept_in.as_deref(),
                };
                self.tabs.tell_one(tab, &hello);
                let table = Tell::Game(Box::new(self.table()));
                self.tabs.tell_one(tab, &table);
                self.tabs.tell_one(tab, &self.reviewer.state());
                self.go_on();
            }
            Input::Closed(tab) => {
                self.tabs.close(tab);
                self.analyst.left(tab);
                // Nobody is there to see a move, and the clock stands.
                if self.tabs.is_empty() {
                    self.stop_thinking();
                    self.game.run_clock(false, Instant::now());
                }
            }
            Input::Asked(tab, ask, reply) => {
                let answer = self.answer(tab, ask).unwrap_or_else(Answer::Wrong);
                reply(answer);
            }
            Input::End => {}
        }
    }

    fn answer(&mut self, tab: u64, ask: Ask) -> Result<Answer, String> {
        match ask {
            Ask::Play(terms) => self.begin(terms)?,
            Ask::Move { mv, ply } => self.person_moves(&mv, ply)?,
            Ask::TakeBack => self.take_back()?,
            Ask::Hint => self.hint(tab)?,
            Ask::Resign => {
                if self.is_over() || self.game.resign(!self.zebu).is_none() {
                    return Err("There is no game to resign.".to_string());
                }
                self.stop_thinking();
                self.changed();
            }
            Ask::OfferDraw => {
                if self.is_over() {
                    return Err("The game is over.".to_string());
                }
                if self.game.offer_draw().is_none() {
                    return Ok(Answer::Said(format!("No draw yet. {DRAW_RULE}.")));
                }
                self.stop_thinking();
                self.changed();
            }
            Ask::Look(look) => {
                let game = game_of(Some(&look.start), &look.moves)?;
                self.analyst.look(tab, look.number, game)?;
            }
            Ask::Stop => self.analyst.left(tab),
            Ask::Set(settings) => {
                self.apply(&settings)?;
                self.kept.settings = settings;
                self.keep();
                self.tabs.tell(&Tell::Settings { settings: &self.kept.settings });
            }
            Ask::Review { pgn, time } => {
                if !MOVE_TIMES.contains(&time) {
                    return Err(format!("A position takes 1 to 600,000 ms, not {time}."));
                }
                self.review(pgn.into_bytes(), Duration::from_millis(time))?;
            }
            Ask::StopReview => self.reviewer.stop(),
            Ask::Items { from } => return Ok(Answer::Json(self.reviewer.items(from))),
            Ask::Page => return Ok(Answer::Said(self.reviewer.page())),
        }
        Ok(Answer::Done)
    }

    fn apply(&mut self, settings: &Settings) -> Result<(), String> {
        if !(1..=10).contains(&settings.lines) {
            return Err(format!("An analysis has 1 to 10 lines, not {}.", settings.lines));
        }
        self.analyst.set(settings)
    }

    fn begin(&mut self, mut terms: Match) -> Result<(), String> {
        let board = game_of(terms.start.as_deref(), &terms.moves)?;
        let clock = terms.clock.as_deref().map(|text| {
            let wrong = format!("'{text}' is no clock: it is minutes and seconds a move, 5+3.");
            TimeControl::parse(text).ok_or(wrong)
        });
        let clock = clock.transpose()?;
        if let Some(elo) = terms.elo.filter(|elo| !(MIN_ELO..=MAX_ELO).contains(elo)) {
            return Err(format!("A level is from {MIN_ELO} to {MAX_ELO}, not {elo}."));
        }
        if let Some(time) = terms.move_time.filter(|time| !MOVE_TIMES.contains(time)) {
            return Err(format!("A move takes 1 to 600,000 ms, not {time}."));
        }
        let is_white = terms.zebu_is_white.unwrap_or_else(|| rand::rng().random());
        self.stop_thinking();
        terms.moves.clear();
        self.zebu = if is_white { Color::White } else { Color::Black };
        self.terms = terms;
        self.take_level();
        self.opponent.new_game();
        self.game = PlayedGame::from(board);
        self.game.set_clock(clock);
        self.kept.over = None;
        self.kept.forget_game();
        self.changed();
        Ok(())
    }

    /// The opponent plays as the terms say.
    fn take_level(&mut self) {
        let elo = self.terms.elo.unwrap_or(MAX_ELO).to_string();
        let limited = self.terms.elo.is_some().to_string();
        for (name, value) in [("UCI_LimitStrength", limited), ("UCI_Elo", elo)] {
            if let Ok(option) = UciOption::named(name) {
                self.opponent.set(option, Some(&value)).ok();
            }
        }
    }

    fn is_over(&self) -> bool {
        self.kept.over.is_some() || self.game.outcome().is_some()
    }

    fn zebu_is_to_move(&self) -> bool {
        self.game.position().side() == self.zebu && !self.is_over()
    }

    fn person_moves(&mut self, word: &str, ply: usize) -> Result<(), String> {
        if self.is_over() {
            return Err("The game is over.".to_string());
        }
        if ply != self.game.board().moves().len() || self.zebu_is_to_move() {
            return Err("It is not your move.".to_string());
        }
        let position = *self.game.position();
        let mv = position.parse_uci(word).map_err(|error| format!("'{word}': {error}."))?;
        if self.kept.settings.judges {
            self.analyst.judge(self.game.board(), mv);
        }
        self.game.play(mv, Instant::now());
        self.changed();
        Ok(())
    }

    /// Takes back the person's last move, and what Zebu replied.
    fn take_back(&mut self) -> Result<(), String> {
        let own = |game: &PlayedGame, zebu| game.position().side() != zebu;
        let had_move = self.game.board().moves().len() > usize::from(own(&self.game, self.zebu));
        if !had_move {
            return Err("You have made no move.".to_string());
        }
        self.stop_thinking();
        self.kept.over = None;
        self.game.take_back();
        if !own(&self.game, self.zebu) {
            self.game.take_back();
        }
        self.changed();
        Ok(())
    }

    fn hint(&mut self, tab: u64) -> Result<(), String> {
        if self.is_over() || self.zebu_is_to_move() {
            return Err("It is not your move.".to_string());
        }
        self.analyst.begin(Work::Hint { tab }, self.game.board().clone())
    }

    /// The game is another one now: it is kept and told, and goes on.
    fn changed(&mut self) {
        let outcome = self.game.outcome();
        if let Some(outcome) = outcome.filter(|_| self.kept.over.is_none()) {
            self.kept.over = Some(outcome.to_string());
            if let Err(error) = self.kept.add_game(&to_pgn(&self.pgn())) {
                self.say(format!("The game could not be kept: {error}."));
            }
        }
        self.keep();
        self.go_on();
        let table = Tell::Game(Box::new(self.table()));
        self.tabs.tell(&table);
    }

    fn keep(&mut self) {
        self.kept.terms =
            Match { zebu_is_white: Some(self.zebu == Color::White), ..self.terms.clone() };
        self.kept.pgn = to_pgn(&self.pgn());
        if let Err(error) = self.kept.save() {
            self.say(format!("The game could not be kept: {error}."));
        }
    }

    fn say(&mut self, text: String) {
        self.tabs.tell(&Tell::Say { text });
    }

    /// Whoever is to move thinks, if somebody is there to see it.
    fn go_on(&mut self) {
        let now = Instant::now();
        self.game.run_clock(!self.is_over() && !self.tabs.is_empty(), now);
        let thinks = self.thinking.is_some() || self.reply.is_some();
        if thinks || !self.zebu_is_to_move() || self.tabs.is_empty() {
            return;
        }
        let left = self.game.left(now).map(|left| left.map(|left| left.as_millis() as u64));
        let increment = self.game.clock().map(|clock| clock.control.increment.as_millis() as u64);
        let move_time = self.terms.move_time.unwrap_or(DEFAULT_MOVE_TIME.as_millis() as u64);
        let go = Go {
            time: left.map_or([None; 2], |left| left.map(Some)),
            increment: [increment; 2],
            move_time: left.is_none().then_some(move_time),
            ..Go::default()
        };
        let begun =
            self.opponent.prepare().and_then(|()| self.opponent.begin(self.game.board(), &go));
        match begun {
            Ok(thinking) => self.thinking = Some(thinking),
            Err(problem) => self.say(problem),
        }
        self.score = None;
    }

    fn stop_thinking(&mut self) {
        self.thinking = None;
        self.reply = None;
    }

    fn searched(&mut self, event: &Event) {
        if let Event::Line(line) = event
            && line.pv_index == 1
        {
            self.score = Some(line.score);
        }
        if let Some(thinking) = &mut self.thinking {
            thinking.hear(event);
        }
    }

    /// Does what is due: a move that was found or has waited, a flag, lines that are to be told.
    fn settle(&mut self) {
        if let Some(thinking) = &mut self.thinking {
            thinking.late();
            if let Some(answer) = thinking.answer() {
                self.opponent.answered(thinking);
                self.thinking = None;
                if let Some(mv) = answer.result.best {
                    self.reply =
                        Some(Reply { at: Instant::now() + self.pause(answer.result.time), mv });
                }
            }
        }
        let now = Instant::now();
        if self.game.flag_fell(now).is_some() {
            self.stop_thinking();
            self.changed();
        }
        if let Some(reply) = self.reply.take_if(|reply| reply.at <= now) {
            self.game.play(reply.mv, now);
            if let Some(score) = self.score {
                self.game.set_score(score);
            }
            self.changed();
        }
        self.analyst.settle(&mut self.tabs);
    }

    /// How much longer than its search Zebu takes for a move, as a person of limited strength would.
    fn pause(&self, spent: Duration) -> Duration {
        const USUAL: Duration = Duration::from_millis(1500);
        const LONGEST: Duration = Duration::from_secs(10);
        let position = self.game.position();
        if self.terms.elo.is_none() || !self.kept.settings.takes_its_time {
            return Duration::ZERO;
        }
        let left = self.game.left(Instant::now()).map(|left| left[self.zebu.index()]);
        let usual = left.map_or(USUAL, |left| (left / 50).min(LONGEST));
        let is_easy = position.legal_moves().len() < 4;
        let share = rand::rng().random_range(0.4..1.6) * if is_easy { 0.3 } else { 1.0 };
        usual.mul_f64(share).saturating_sub(spent)
    }

    fn pgn(&self) -> PgnGame {
        let level = match self.terms.elo {
            Some(elo) => format!("{NAME}, level {elo}"),
            None => NAME.to_string(),
        };
        let occasion = Occasion { event: "In the browser", zebu: Some((self.zebu, level)) };
        self.game.pgn(&occasion)
    }

    fn table(&self) -> Table {
        let now = Instant::now();
        let over = self.kept.over.clone().or(self.game.outcome().as_ref().map(Outcome::to_string));
        Table {
            game: GameData::of(&GameAnalysis::new(self.pgn(), Vec::new())),
            zebu_is_white: self.zebu == Color::White,
            thinks: self.zebu_is_to_move(),
            left: self.game.left(now).map(|left| left.map(|left| left.as_millis() as u64)),
            runs: self.game.clock().is_some_and(|clock| clock.is_running()),
            over,
            terms: self.terms.clone(),
        }
    }
}

/// A position by its FEN, and the moves made there.
fn game_of(start: Option<&str>, moves: &[String]) -> Result<Game, String> {
    const MOST_MOVES: usize = 2000;
    if moves.len() > MOST_MOVES {
        return Err(format!("A game has at most {MOST_MOVES} moves here, not {}.", moves.len()));
    }
    let start = match start {
        Some(fen) => fen.parse().map_err(|error| format!("This is no position: {error}."))?,
        None => Position::start(),
    };
    let mut game = Game::new(start);
    for word in moves {
        let mv = game.position().parse_uci(word);
        game.play(mv.map_err(|error| format!("'{word}': {error}."))?);
    }
    Ok(game)
}

fn most_threads() -> u32 {
    std::thread::available_parallelism().map_or(1, |count| count.get() as u32)
}
