//! What a person at a terminal asks for: games against Zebu, and a look at them.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::command::{LEVELS, TerminalCommand, legal_moves, typed_move};
use super::words::{Hints, Judged, Part};
use super::{End, Purpose, Terminal};
use crate::NAME;
use crate::bench::Job;
use crate::board::{Color, Game, Move, Position};
use crate::files::at_home;
use crate::game::{DRAW_RULE, GameFile, Occasion, PlayedGame, TimeControl, shown};
use crate::player::{Go, Options, UciOption};
use crate::search::{FULL_SKILL, MAX_ELO, MIN_ELO, elo_of_skill, title};
use crate::text::shortened;
use crate::uci::answers::{times, verdict};
use crate::uci::command::{Command, set_up};

/// How well Zebu plays.
enum Level {
    Elo(u32),
    Skill(u32),
    Full,
}

impl Terminal {
    pub(super) fn execute(&mut self, command: TerminalCommand) -> Result<(), String> {
        match command {
            TerminalCommand::Uci(command) => self.execute_uci(command)?,
            TerminalCommand::Help => self.say(&self.style.help()),
            TerminalCommand::Board => self.show_board(),
            TerminalCommand::Fen => self.say(&self.game.position().fen().to_string()),
            TerminalCommand::Moves => {
                self.note(&legal_moves(self.game.position()).join(" "));
            }
            TerminalCommand::Flip => {
                self.style.turned = !self.style.turned;
                self.show_board();
            }
            TerminalCommand::Pieces(pieces) => {
                self.style.pieces = pieces;
                self.show_board();
            }
            TerminalCommand::Move(word) => self.move_of_person(&word)?,
            TerminalCommand::Undo(moves) => self.undo(moves)?,
            TerminalCommand::Play(side) => self.play(side)?,
            TerminalCommand::Analyse => {
                self.plays = false;
                self.note("Zebu looks on: moves are yours for both sides, go lets it think.");
            }
            TerminalCommand::New => self.new_game()?,
            TerminalCommand::Hint => self.hint()?,
            TerminalCommand::Words(wanted) => {
                self.has_words = wanted.unwrap_or(self.has_words);
                let is = if self.has_words { "told" } else { "not told" };
                self.note(&format!("What your moves do is {is}."));
            }
            TerminalCommand::Resign => self.resign()?,
            TerminalCommand::Draw => self.draw(),
            TerminalCommand::Level(level) => self.level(level.as_deref())?,
            TerminalCommand::Save(file) => self.save(file.as_deref())?,
            TerminalCommand::Time(seconds) => self.time(seconds.as_deref())?,
            TerminalCommand::Clock(wanted) => self.set_clock(wanted.as_deref())?,
            TerminalCommand::Load(file) => self.load(&file)?,
            TerminalCommand::Games(file) => self.games(file.as_deref())?,
        }
        Ok(())
    }

    fn execute_uci(&mut self, command: Command) -> Result<(), String> {
        match command {
            Command::Uci => self.end = Some(End::TurnedToUci),
            Command::Quit => self.quit(),
            // The loop has done it.
            Command::Stop | Command::PonderHit => {}
            Command::IsReady => {
                self.prepare();
                self.say("readyok");
            }
            Command::Debug(on) => self.debug = on,
            Command::SetOption(option, value) => {
                if let Some(note) = self.player.set(option, value.as_deref())? {
                    self.note(&note);
                }
            }
            Command::NewGame => self.player.new_game(),
            Command::Position(words) => {
                let (game, left_out) = set_up(&words).map_err(|error| error.to_string())?;
                left_out.iter().for_each(|part| self.note(&part.to_string()));
                let game = PlayedGame::from(game);
                let file = GameFile::new(&game);
                self.begin(game, file);
            }
            Command::Go(go) => {
                let go = Go { analyse: self.editor.is_some(), ..*go };
                let game = self.game.board().clone();
                self.search(&game, &go, Purpose::Think)?;
            }
            Command::Perft(depth) => {
                let chess960 = self.player.options().chess960;
                self.run_job(Job::perft(*self.game.position(), depth, chess960))?;
            }
            Command::Bench(settings) => {
                self.run_job(Job::bench(settings, Arc::clone(self.player.network())))?;
            }
            Command::Display => {
                self.say(&self.style.display(self.game.board(), self.player.tablebase()));
            }
            Command::Eval => {
                let (network, position) = (self.player.network(), self.game.position());
                let table = self.style.evaluation(network, position);
                let verdict = verdict(network, position);
                self.say(&table);
                self.note(&verdict);
            }
        }
        Ok(())
    }

    /// Makes the engine ready, if it is not.
    fn prepare(&mut self) {
        self.player.prepare().unwrap_or_else(|problem| self.error(&problem));
    }

    fn search(&mut self, game: &Game, go: &Go, purpose: Purpose) -> Result<(), String> {
        self.prepare();
        let mut thinking = self.player.begin(game, go)?;
        if let Some(problem) = &thinking.problem {
            self.error(problem);
        }
        match &thinking.note {
            Some(note) => self.note(note),
            None if self.debug => self.note(&times(&thinking.plan)),
            None => {}
        }
        if thinking.note.is_none() && purpose == Purpose::Think {
            self.say(&self.style.header());
        }
        if self.number <= self.stopped {
            thinking.stop();
        }
        self.thinking = Some(thinking);
        self.purpose = purpose;
        self.found = None;
        Ok(())
    }

    fn run_job(&mut self, job: io::Result<Job>) -> Result<(), String> {
        let job = job.map_err(|error| error.to_string())?;
        if self.number <= self.stopped {
            job.stop();
        }
        self.job = Some(job);
        Ok(())
    }

    /// Another game is on the board.
    fn begin(&mut self, game: PlayedGame, file: GameFile) {
        self.game = game;
        self.file = file;
        self.game.set_clock(self.time_control);
        if self.editor.is_some() {
            self.show_board();
        }
    }

    fn new_game(&mut self) -> Result<(), String> {
        self.begin(PlayedGame::new(Position::start()), GameFile::default());
        self.player.new_game();
        match (self.plays, self.side) {
            (true, Color::White) => {}
            (true, Color::Black) => self.reply()?,
            (false, _) => self.note("Zebu looks on; play lets it reply."),
        }
        Ok(())
    }

    fn move_of_person(&mut self, word: &str) -> Result<(), String> {
        let mv = typed_move(word, self.game.position())?;
        if self.flag_fell() {
            return Ok(());
        }
        let position = *self.game.position();
        self.side = position.side();
        self.go_on();
        self.make_move(mv);
        if self.has_words && self.game.outcome().is_none() {
            return self.judge(Judged::new(position, mv), Part::Before(Vec::new()));
        }
        self.go_on_after_move()
    }

    /// Zebu replies to the person's move, unless it looks on.
    fn go_on_after_move(&mut self) -> Result<(), String> {
        if self.plays && self.game.position().ending().is_none() {
            self.think(Purpose::Play)
        } else {
            self.show_board();
            Ok(())
        }
    }

    /// Zebu moves, unless the game is over.
    fn reply(&mut self) -> Result<(), String> {
        if self.game.position().ending().is_some() {
            return Ok(());
        }
        self.think(Purpose::Play)
    }

    fn think(&mut self, purpose: Purpose) -> Result<(), String> {
        let game = self.game.board().clone();
        self.search(&game, &self.limits(purpose), purpose)?;
        if let Some(left) = self.game.left(Instant::now()).filter(|_| purpose == Purpose::Play) {
            let [white, black] = left.map(shown);
            self.note(&format!("Zebu thinks: White {white}, Black {black}."));
        }
        Ok(())
    }

    /// Looks at the positions before and after the move that was just made, and then says what it did.
    fn judge(&mut self, judged: Judged, part: Part) -> Result<(), String> {
        self.judged = Some(judged);
        let (mut game, mut go) = (self.game.board().clone(), self.limits(Purpose::Judge));
        if let Part::Before(moves) = part {
            game.undo();
            go.search_moves = moves;
        }
        self.search(&game, &go, Purpose::Judge)
    }

    /// A part is analysed, unless it was stopped.
    pub(super) fn take_judgement(&mut self) -> Result<(), String> {
        if let (Some(mut judged), Some(found)) = (self.judged.take(), self.found.take()) {
            judged.hear(found);
            if let Some(part) = judged.wanted() {
                return self.judge(judged, part);
            }
            judged.said().iter().for_each(|said| self.note(said));
        }
        self.go_on_after_move()?;
        self.update_clock();
        Ok(())
    }

    fn hint(&mut self) -> Result<(), String> {
        let hints = self.hints.as_mut();
        match hints.and_then(|hints| hints.next(self.game.position())) {
            Some(hint) => self.note(&hint),
            None => self.think(Purpose::Hint)?,
        }
        Ok(())
    }

    pub(super) fn take_hint(&mut self, best: Move) {
        self.hints = Some(Hints::new(*self.game.position(), best, self.found.take()));
        self.hint().unwrap_or_else(|problem| self.error(&problem));
    }

    /// The person gets a side, and Zebu moves if the other one is to move.
    fn play(&mut self, side: Option<Color>) -> Result<(), String> {
        let to_move = self.game.position().side();
        self.go_on();
        self.plays = true;
        self.side = side.unwrap_or(!to_move);
        self.style.turned = self.side == Color::Black;
        self.note(&format!("You have {}, Zebu has {}.", self.side, !self.side));
        if to_move != self.side {
            return self.reply();
        }
        self.show_board();
        Ok(())
    }

    /// Takes moves back: as many as named, or until the person can replace a move.
    fn undo(&mut self, moves: Option<u64>) -> Result<(), String> {
        let mut left = moves.unwrap_or(1);
        if self.game.take_back().is_none() {
            return Err("there is no move to take back".to_string());
        }
        left -= 1;
        while left > 0 || moves.is_none() && self.plays && self.game.position().side() != self.side
        {
            if self.game.take_back().is_none() {
                break;
            }
            left = left.saturating_sub(1);
        }
        self.show_board();
        Ok(())
    }

    fn resign(&mut self) -> Result<(), String> {
        let side = if self.plays { self.side } else { self.game.position().side() };
        let resigned = self.game.resign(side);
        let outcome = resigned.ok_or("there is no game to resign")?;
        self.note(&format!("{outcome} new starts another game."));
        Ok(())
    }

    fn draw(&mut self) {
        let answer = match self.game.offer_draw() {
            Some(outcome) => format!("{outcome} new starts another game."),
            None => format!("No draw: {DRAW_RULE}."),
        };
        self.note(&answer);
    }

    /// Takes a game of a file, the first one, or that with a number behind the file's name; with the
    /// number alone that of the file which was loaded last.
    /// What the next Ctrl-C sets.
    fn interrupted(&self) -> Arc<AtomicBool> {
        let interrupted = self.editor.as_ref().map(|editor| Arc::clone(&editor.is_interrupted));
        let interrupted = interrupted.unwrap_or_default();
        interrupted.store(false, Relaxed);
        interrupted
    }

    fn load(&mut self, words: &str) -> Result<(), String> {
        let numbered = |(file, number): (&str, &str)| {
            let number = number.parse().ok().filter(|&number| number > 0)?;
            (!Path::new(&at_home(words)).exists()).then(|| (at_home(file), number))
        };
        let of_loaded = || numbered((self.loaded.as_deref()?, words));
        let named = words.rsplit_once(' ').and_then(numbered).or_else(of_loaded);
        let (path, number) = named.unwrap_or_else(|| (at_home(words), 1));
        let (game, file) = GameFile::load(&path, number, self.interrupted())?;
        self.loaded = Some(path);
        self.begin(game, file);
        self.plays = false;
        self.note("Zebu looks on; play goes on with the game.");
        Ok(())
    }

    fn games(&mut self, file: Option<&str>) -> Result<(), String> {
        let path = file.map(at_home).or_else(|| self.loaded.clone());
        let path = path.ok_or("no file was loaded: games FILE lists its games")?;
        let list = GameFile::games(&path, self.interrupted())?;
        self.say(&list.join("\n"));
        self.note("load FILE 2 takes the second game of a file.");
        Ok(())
    }

    fn level(&mut self, level: Option<&str>) -> Result<(), String> {
        let mut set = |name: &str, text: &str| {
            let option = UciOption::named(name).map_err(|error| error.to_string())?;
            self.player.set(option, Some(text))
        };
        let named = |&&(name, _): &&(&str, _)| level.is_some_and(|level| level == name);
        let level = match LEVELS.iter().find(named) {
            Some((_, Some(elo))) => Some(elo.to_string()),
            _ => level.map(str::to_string),
        };
        match level.as_deref() {
            None => {}
            Some("full") => {
                set("UCI_LimitStrength", "false")?;
                set("Skill Level", &FULL_SKILL.to_string())?;
            }
            Some(elo) => {
                set("UCI_Elo", elo).map_err(|_| {
                    format!(
                        "level takes an Elo from {MIN_ELO} to {MAX_ELO}, or easy, medium, hard, full, not '{}'",
                        shortened(elo)
                    )
                })?;
                set("UCI_LimitStrength", "true")?;
            }
        }
        self.note(&match level_of(self.player.options()) {
            Level::Elo(elo) => format!("Zebu plays at {elo} Elo: {}.", title(elo)),
            Level::Skill(level) => {
                let elo = elo_of_skill(level);
                let title = title(elo);
                format!("Zebu plays at Skill Level {level} of {FULL_SKILL}, {elo} Elo: {title}.")
            }
            Level::Full => "Zebu plays as well as it can.".to_string(),
        });
        Ok(())
    }

    fn time(&mut self, seconds: Option<&str>) -> Result<(), String> {
        if let Some(text) = seconds {
            let seconds = text.parse().ok().filter(|seconds| (0.01..=86_400.0).contains(seconds));
            let seconds: f64 = seconds.ok_or_else(|| {
                format!("time takes seconds, up to a day of them, not '{}'", shortened(text))
            })?;
            self.move_time = Duration::from_secs_f64(seconds);
        }
        let seconds = self.move_time.as_secs_f64();
        let by_clock = if self.game.clock().is_some() { ", when the clock is off" } else { "" };
        self.note(&format!("Zebu takes up to {seconds} s for a move{by_clock}."));
        Ok(())
    }

    fn save(&mut self, file: Option<&str>) -> Result<(), String> {
        let name = match level_of(self.player.options()) {
            Level::Elo(elo) => format!("{NAME}, level {elo}"),
            Level::Skill(level) => format!("{NAME}, skill level {level}"),
            Level::Full => NAME.to_string(),
        };
        let zebu = self.plays.then_some((!self.side, name));
        let occasion = Occasion { event: "At the terminal", zebu };
        let file = self.file.save(file.map(at_home).as_deref(), &self.game, &occasion)?;
        self.note(&format!("The game is in {file}."));
        Ok(())
    }

    /// Leaves. A game that is not saved is asked about once.
    fn quit(&mut self) {
        let lost = self.game.board().moves().len() >= 2 && !self.file.is_saved(&self.game);
        if lost && !self.was_warned {
            self.was_warned = true;
            self.note("The game is not saved: save FILE does that, quit again leaves without.");
        } else {
            self.end = Some(End::Left);
        }
    }

    pub(super) fn show_board(&mut self) {
        let clock = self.game.left(Instant::now()).map(|left| left.map(shown));
        let outcome = self.game.outcome();
        self.say(&self.style.board(self.game.board(), clock, outcome));
    }

    /// Sets the clock, turns it off, or tells it.
    fn set_clock(&mut self, wanted: Option<&str>) -> Result<(), String> {
        match wanted {
            None => {}
            Some("off") => {
                self.time_control = None;
                self.game.turn_clock_off();
            }
            Some(text) => {
                let control = TimeControl::parse(text).ok_or_else(|| {
                    let text = shortened(text);
                    format!(
                        "clock takes minutes and perhaps seconds: clock 5+3; or off; not '{text}'"
                    )
                })?;
                self.time_control = Some(control);
                self.game.set_clock(self.time_control);
            }
        }
        let (Some(clock), Some(left)) = (self.game.clock(), self.game.left(Instant::now())) else {
            let least = self.move_time.as_secs_f64();
            self.note(&format!("There is no clock; Zebu takes up to {least} s for a move."));
            return Ok(());
        };
        let [white, black] = left.map(shown);
        let increment = match clock.control.increment {
            Duration::ZERO => String::new(),
            increment => format!(", and {} s more with each move", increment.as_secs_f64()),
        };
        let stands = match (self.plays, clock.has_begun()) {
            (false, _) => " The clock stands while Zebu looks on.",
            (true, false) => " The clock starts with the next move.",
            (true, true) => "",
        };
        let text = format!("White has {white}, Black has {black}{increment}.{stands}");
        self.note(&text);
        Ok(())
    }

    /// A game that was lost on time, or given up, goes on; on time without the clock.
    pub(super) fn go_on(&mut self) {
        if self.game.go_on() {
            self.note("The game goes on without the clock.");
        }
    }

    /// Lets the clock run while a game is played and somebody thinks about a move.
    pub(super) fn update_clock(&mut self) {
        let thinks = self.game.position().side() == self.side || self.zebu_thinks();
        self.game.run_clock(self.plays && thinks, Instant::now());
    }

    /// Makes a move on the board, and presses the clock.
    pub(super) fn make_move(&mut self, mv: Move) {
        self.game.play(mv, Instant::now());
        self.update_clock();
    }

    /// Whether the side to move has lost on time just now, which is told.
    pub(super) fn flag_fell(&mut self) -> bool {
        let Some(outcome) = self.game.flag_fell(Instant::now()) else { return false };
        let is_person = self.game.position().side() == self.side;
        let goes_on = if is_person { "A move" } else { "Play" };
        self.note(&format!(
            "{outcome} {goes_on} goes on without the clock, undo takes a move and its time back, new starts another game.",
        ));
        true
    }

    /// Zebu's limits for a move.
    pub(super) fn limits(&self, purpose: Purpose) -> Go {
        /// The part of a person's time that a hint may take, and the most for each half of a judgement.
        const HINT: u32 = 20;
        const JUDGEMENT: Duration = Duration::from_millis(300);
        let milliseconds = |time: Duration| Some(time.as_millis() as u64);
        let left = self.game.left(Instant::now());
        let limits = match (self.game.clock(), left) {
            (Some(clock), Some(left)) if purpose == Purpose::Play => Go {
                time: left.map(milliseconds),
                increment: [milliseconds(clock.control.increment); 2],
                ..Go::default()
            },
            _ => {
                let own = left.map(|left| left[self.game.position().side().index()] / HINT);
                let most = own.map_or(self.move_time, |own| own.min(self.move_time));
                let most = if purpose == Purpose::Judge { most.min(JUDGEMENT) } else { most };
                Go { move_time: milliseconds(most), ..Go::default() }
            }
        };
        // A hint is not worse because the opponent is.
        Go { analyse: purpose != Purpose::Play, ..limits }
    }
}

fn level_of(options: &Options) -> Level {
    match (options.limit_strength, options.skill_level) {
        (true, _) => Level::Elo(options.elo),
        (false, FULL_SKILL) => Level::Full,
        (false, level) => Level::Skill(level),
    }
}
