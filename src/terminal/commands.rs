//! What a person at a terminal asks for: games against Zebu, and a look at them.

use std::time::{Duration, Instant};

use super::command::{TerminalCommand, legal_moves, typed_move};
use super::{Purpose, Terminal};
use crate::NAME;
use crate::board::{Color, Position};
use crate::files::at_home;
use crate::game::{GameFile, Occasion, PlayedGame, shown};
use crate::search::FULL_SKILL;
use crate::session::{Go, Options, Session, UciOption};
use crate::text::shortened;
use crate::uci::Command;

/// How well Zebu plays.
enum Strength {
    Elo(u32),
    Skill(u32),
    Full,
}

impl Terminal {
    pub(super) fn execute(
        &mut self,
        session: &mut Session,
        command: TerminalCommand,
    ) -> Result<(), String> {
        match command {
            TerminalCommand::Uci(Command::Uci) => {
                self.turned_to_uci = true;
                self.over = true;
            }
            TerminalCommand::Uci(Command::Quit) => self.quit(session),
            TerminalCommand::Uci(Command::Go { go, problems }) => {
                for problem in problems {
                    session.console.error(&problem.to_string());
                }
                self.purpose = Purpose::Think;
                session.go(&Go { analyse: true, ..go })?;
            }
            TerminalCommand::Uci(position @ Command::Position { .. }) => {
                self.protocol.execute(session, position);
                let game = PlayedGame::from(session.game.clone());
                let file = GameFile::new(&game);
                self.begin(session, game, file);
            }
            TerminalCommand::Uci(command) => self.protocol.execute(session, command),
            TerminalCommand::Help => session.console.say(&self.writer.help()),
            TerminalCommand::Board => self.show_board(session),
            TerminalCommand::Fen => session.console.say(&session.game.position().fen().to_string()),
            TerminalCommand::Moves => {
                session.console.note(&legal_moves(session.game.position()).join(" "));
            }
            TerminalCommand::Flip => {
                self.writer.turned = !self.writer.turned;
                self.draw_anew(session);
            }
            TerminalCommand::Pieces(pieces) => {
                self.writer.pieces = pieces;
                self.draw_anew(session);
            }
            TerminalCommand::Move(word) => self.move_of_person(session, &word)?,
            TerminalCommand::Undo(moves) => self.undo(session, moves)?,
            TerminalCommand::Play(side) => self.play(session, side)?,
            TerminalCommand::Analyse => {
                self.plays = false;
                session
                    .console
                    .note("Zebu looks on: moves are yours for both sides, go lets it think.");
            }
            TerminalCommand::New => self.new_game(session)?,
            TerminalCommand::Hint => self.think(session, Purpose::Hint)?,
            TerminalCommand::Resign => self.resign(session)?,
            TerminalCommand::Level(level) => self.level(session, level.as_deref())?,
            TerminalCommand::Save(file) => self.save(session, file.as_deref())?,
            TerminalCommand::Time(seconds) => self.time(session, seconds.as_deref())?,
            TerminalCommand::Clock(wanted) => self.set_clock(session, wanted.as_deref())?,
            TerminalCommand::Load(file) => {
                let (game, file) = GameFile::load(&at_home(&file))?;
                self.begin(session, game, file);
                self.plays = false;
                session.console.note("Zebu looks on; play goes on with the game.");
            }
        }
        Ok(())
    }

    /// Another game is on the board.
    fn begin(&mut self, session: &mut Session, game: PlayedGame, file: GameFile) {
        session.game = game.board().clone();
        self.game = game;
        self.file = file;
        self.game.set_clock(self.time_control);
        self.show_board(session);
    }

    fn new_game(&mut self, session: &mut Session) -> Result<(), String> {
        self.begin(session, PlayedGame::new(Position::start()), GameFile::default());
        session.new_game();
        match (self.plays, self.side) {
            (true, Color::White) => {}
            (true, Color::Black) => self.reply(session)?,
            (false, _) => session.console.note("Zebu looks on; play lets it reply."),
        }
        Ok(())
    }

    fn move_of_person(&mut self, session: &mut Session, word: &str) -> Result<(), String> {
        let mv = typed_move(word, session.game.position())?;
        if self.flag_fell(session) {
            return Ok(());
        }
        self.side = session.game.position().side();
        self.go_on(session);
        self.make_move(session, mv);
        if self.plays && session.game.position().ending().is_none() {
            self.think(session, Purpose::Play)
        } else {
            self.show_board(session);
            Ok(())
        }
    }

    /// Zebu moves, unless the game is over.
    fn reply(&mut self, session: &mut Session) -> Result<(), String> {
        if session.game.position().ending().is_some() {
            return Ok(());
        }
        self.think(session, Purpose::Play)
    }

    fn think(&mut self, session: &mut Session, purpose: Purpose) -> Result<(), String> {
        self.purpose = purpose;
        session.go(&self.limits(purpose))?;
        if let Some(left) = self.game.left(Instant::now()).filter(|_| purpose == Purpose::Play) {
            let [white, black] = left.map(shown);
            session.console.note(&format!("Zebu thinks: White {white}, Black {black}."));
        }
        Ok(())
    }

    /// The person gets a side, and Zebu moves if the other one is to move.
    fn play(&mut self, session: &mut Session, side: Option<Color>) -> Result<(), String> {
        let to_move = session.game.position().side();
        self.go_on(session);
        self.plays = true;
        self.side = side.unwrap_or(!to_move);
        self.writer.turned = self.side == Color::Black;
        session.console.writer = Box::new(self.writer.clone());
        session.console.note(&format!("You have {}, Zebu has {}.", self.side, !self.side));
        if to_move != self.side {
            return self.reply(session);
        }
        self.show_board(session);
        Ok(())
    }

    /// Takes moves back: as many as named, or until the person can replace a move.
    fn undo(&mut self, session: &mut Session, moves: Option<u64>) -> Result<(), String> {
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
        session.game = self.game.board().clone();
        self.show_board(session);
        Ok(())
    }

    fn resign(&mut self, session: &mut Session) -> Result<(), String> {
        let side = if self.plays { self.side } else { self.game.position().side() };
        let resigned = self.game.resign(side);
        let outcome = resigned.ok_or("there is no game to resign")?;
        session.console.note(&format!("{outcome} new starts another game."));
        Ok(())
    }

    fn level(&mut self, session: &mut Session, level: Option<&str>) -> Result<(), String> {
        let mut options = session.options.clone();
        let mut set = |name: &str, text: &str| {
            let value = UciOption::named(name).and_then(|option| option.parse(Some(text)));
            value.map(|value| value.put(&mut options)).map_err(|error| error.to_string())
        };
        match level {
            None => {}
            Some("full") => {
                set("UCI_LimitStrength", "false")?;
                set("Skill Level", &FULL_SKILL.to_string())?;
            }
            Some(elo) => {
                set("UCI_LimitStrength", "true")?;
                set("UCI_Elo", elo).map_err(|_| {
                    format!("level takes an Elo from 1000 to 3200, or full, not '{elo}'")
                })?;
            }
        }
        session.options = options;
        session.console.note(&match strength(&session.options) {
            Strength::Elo(elo) => format!("Zebu plays at {elo} Elo."),
            Strength::Skill(level) => format!("Zebu plays at Skill Level {level} of {FULL_SKILL}."),
            Strength::Full => "Zebu plays as well as it can.".to_string(),
        });
        Ok(())
    }

    fn time(&mut self, session: &mut Session, seconds: Option<&str>) -> Result<(), String> {
        if let Some(text) = seconds {
            let seconds = text.parse().ok().filter(|seconds| (0.01..=86_400.0).contains(seconds));
            let seconds: f64 = seconds.ok_or_else(|| {
                format!("time takes seconds, up to a day of them, not '{}'", shortened(text))
            })?;
            self.move_time = Duration::from_secs_f64(seconds);
        }
        let seconds = self.move_time.as_secs_f64();
        let by_clock = if self.game.clock().is_some() { ", when the clock is off" } else { "" };
        session.console.note(&format!("Zebu takes up to {seconds} s for a move{by_clock}."));
        Ok(())
    }

    fn save(&mut self, session: &mut Session, file: Option<&str>) -> Result<(), String> {
        let name = match strength(&session.options) {
            Strength::Elo(elo) => format!("{NAME}, level {elo}"),
            Strength::Skill(level) => format!("{NAME}, skill level {level}"),
            Strength::Full => NAME.to_string(),
        };
        let zebu = self.plays.then_some((!self.side, name));
        let occasion = Occasion { event: "At the terminal", zebu };
        let file = self.file.save(file.map(at_home).as_deref(), &self.game, &occasion)?;
        session.console.note(&format!("The game is in {file}."));
        Ok(())
    }

    /// Leaves. A game that is not saved is asked about once.
    fn quit(&mut self, session: &mut Session) {
        let lost = session.game.moves().len() >= 2 && !self.file.is_saved(&self.game);
        if lost && !self.was_warned {
            self.was_warned = true;
            session
                .console
                .note("The game is not saved: save FILE does that, quit again leaves without.");
        } else {
            self.over = true;
        }
    }

    fn draw_anew(&self, session: &mut Session) {
        session.console.writer = Box::new(self.writer.clone());
        self.show_board(session);
    }

    pub(super) fn show_board(&self, session: &mut Session) {
        let clock = self.game.left(Instant::now()).map(|left| left.map(shown));
        let outcome = self.game.outcome();
        session.console.say(&self.writer.board(self.game.board(), clock, outcome));
    }
}

fn strength(options: &Options) -> Strength {
    match (options.limit_strength, options.skill_level) {
        (true, _) => Strength::Elo(options.elo),
        (false, FULL_SKILL) => Strength::Full,
        (false, level) => Strength::Skill(level),
    }
}
