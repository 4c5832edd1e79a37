//! What a person at a terminal asks for: games against Zebu, and a look at them.

use std::time::Duration;

use super::{Purpose, Session};
use crate::NAME;
use crate::board::{Color, Game, Position};
use crate::files::at_home;
use crate::search::{FULL_SKILL, SearchResult};
use crate::text::shortened;
use crate::uci::command::{Go, TerminalCommand, typed_move};
use crate::uci::game_record::GameRecord;
use crate::uci::options::UciOption;
use crate::uci::person::legal_moves;

/// How well Zebu plays.
enum Strength {
    Elo(u32),
    Skill(u32),
    Full,
}

impl Session {
    pub(super) fn obey_terminal(&mut self, command: TerminalCommand) {
        if let Err(error) = self.try_to_obey(command) {
            self.console.error(&error);
        }
    }

    fn try_to_obey(&mut self, command: TerminalCommand) -> Result<(), String> {
        match command {
            TerminalCommand::Help => self.console.say(&self.console.writer.help()),
            TerminalCommand::Board => self.show_board(),
            TerminalCommand::Fen => self.console.say(&self.game.position().fen().to_string()),
            TerminalCommand::Moves => {
                self.console.note(&legal_moves(self.game.position()).join(" "))
            }
            TerminalCommand::Flip => {
                self.look.turned = !self.look.turned;
                self.show_board();
            }
            TerminalCommand::Pieces(pieces) => {
                self.look.pieces = pieces;
                self.show_board();
            }
            TerminalCommand::Move(word) => self.move_of_person(&word)?,
            TerminalCommand::Undo(moves) => self.undo(moves)?,
            TerminalCommand::Play(side) => self.play(side),
            TerminalCommand::Analyse => {
                self.person.plays = false;
                self.console
                    .note("Zebu looks on: moves are yours for both sides, go lets it think.");
            }
            TerminalCommand::New => {
                self.set_game(Game::new(Position::start()));
                self.searcher.new_game();
                match (self.person.plays, self.person.side) {
                    (true, Color::White) => {}
                    (true, Color::Black) => self.reply(),
                    (false, _) => self.console.note("Zebu looks on; play lets it reply."),
                }
            }
            TerminalCommand::Hint => self.think_for(Purpose::Hint),
            TerminalCommand::Resign => self.resign()?,
            TerminalCommand::Level(level) => self.level(level.as_deref())?,
            TerminalCommand::Save(file) => self.save(file.as_deref())?,
            TerminalCommand::Time(seconds) => self.time(seconds.as_deref())?,
            TerminalCommand::Load(file) => {
                let file = at_home(&file);
                let (game, record) = GameRecord::load(&file)?;
                self.set_game(game);
                self.record = record;
                self.person.plays = false;
                self.console.note("Zebu looks on; play goes on with the game.");
            }
        }
        Ok(())
    }

    fn move_of_person(&mut self, word: &str) -> Result<(), String> {
        let mv = typed_move(word, self.game.position())?;
        self.person.side = self.game.position().side();
        self.person.resigned = None;
        self.game.play(mv);
        if self.person.plays && self.game.position().ending().is_none() {
            self.think_for(Purpose::Play);
        } else {
            self.show_board();
        }
        Ok(())
    }

    /// Zebu moves, unless the game is over.
    fn reply(&mut self) {
        if self.game.position().ending().is_none() {
            self.think_for(Purpose::Play);
        }
    }

    fn think_for(&mut self, purpose: Purpose) {
        let move_time = Some(self.person.move_time.as_millis() as u64);
        self.go(&Go { move_time, ..Go::default() }, purpose);
    }

    /// The person gets a side, and Zebu moves if the other one is to move.
    fn play(&mut self, side: Option<Color>) {
        let to_move = self.game.position().side();
        self.person.plays = true;
        self.person.side = side.unwrap_or(!to_move);
        self.look.turned = self.person.side == Color::Black;
        self.console
            .note(&format!("You have {}, Zebu has {}.", self.person.side, !self.person.side));
        if to_move == self.person.side {
            self.show_board();
        } else {
            self.reply();
        }
    }

    /// Takes moves back: as many as named, or until the person can replace a move.
    fn undo(&mut self, moves: Option<u64>) -> Result<(), String> {
        let mut left = moves.unwrap_or(1);
        if self.game.undo().is_none() {
            return Err("there is no move to take back".to_string());
        }
        left -= 1;
        let own = |session: &Session| session.game.position().side() == session.person.side;
        while left > 0 || moves.is_none() && self.person.plays && !own(self) {
            if self.game.undo().is_none() {
                break;
            }
            left = left.saturating_sub(1);
        }
        self.person.resigned = None;
        self.show_board();
        Ok(())
    }

    fn resign(&mut self) -> Result<(), String> {
        if self.game.moves().is_empty() || self.game.position().ending().is_some() {
            return Err("there is no game to resign".to_string());
        }
        let side = if self.person.plays { self.person.side } else { self.game.position().side() };
        self.person.resigned = Some(side);
        self.console.note(&format!("{side} resigns, {} wins. new starts another game.", !side));
        Ok(())
    }

    fn level(&mut self, level: Option<&str>) -> Result<(), String> {
        let mut options = self.options.clone();
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
        self.options = options;
        self.console.note(&match self.strength() {
            Strength::Elo(elo) => format!("Zebu plays at {elo} Elo."),
            Strength::Skill(level) => format!("Zebu plays at Skill Level {level} of {FULL_SKILL}."),
            Strength::Full => "Zebu plays as well as it can.".to_string(),
        });
        Ok(())
    }

    fn strength(&self) -> Strength {
        match (self.options.limit_strength, self.options.skill_level) {
            (true, _) => Strength::Elo(self.options.elo),
            (false, FULL_SKILL) => Strength::Full,
            (false, level) => Strength::Skill(level),
        }
    }

    fn time(&mut self, seconds: Option<&str>) -> Result<(), String> {
        if let Some(text) = seconds {
            let seconds = text.parse().ok().filter(|seconds| (0.01..=86_400.0).contains(seconds));
            let seconds: f64 = seconds.ok_or_else(|| {
                format!("time takes seconds, up to a day of them, not '{}'", shortened(text))
            })?;
            self.person.move_time = Duration::from_secs_f64(seconds);
        }
        let seconds = self.person.move_time.as_secs_f64();
        self.console.note(&format!("Zebu takes up to {seconds} s for a move."));
        Ok(())
    }

    fn save(&mut self, file: Option<&str>) -> Result<(), String> {
        let name = match self.strength() {
            Strength::Elo(elo) => format!("{NAME}, level {elo}"),
            Strength::Skill(level) => format!("{NAME}, skill level {level}"),
            Strength::Full => NAME.to_string(),
        };
        let file = file.map(at_home);
        let file = self.record.save(file.as_deref(), &self.game, &self.person, &name)?;
        self.console.note(&format!("The game is in {file}."));
        Ok(())
    }

    /// What becomes of a search's result.
    pub(super) fn use_result(&mut self, result: &SearchResult, purpose: Purpose) {
        let position = *self.game.position();
        let Some(best) = result.best.filter(|_| purpose != Purpose::Think) else {
            self.console.say(&self.console.writer.result(result, self.context()));
            if self.console.interactive && result.best.is_some() {
                self.console.note("It is not played: type it, or play, for that.");
            }
            return;
        };
        let san = format!("{} {}", position.san_number(), position.san(best));
        if purpose == Purpose::Hint {
            return self.console.note(&format!("{san} is good."));
        }
        self.console.note(&format!("Zebu plays {san}."));
        self.game.play(best);
        self.show_board();
    }

    /// Whether the session may end. A game that is not saved is asked about once.
    pub(super) fn may_leave(&mut self) -> bool {
        if !self.console.interactive
            || self.game.moves().len() < 2
            || self.record.is_saved(&self.game)
            || self.person.leaves
        {
            return true;
        }
        self.person.leaves = true;
        self.console.note("The game is not saved: save FILE does that, quit again leaves without.");
        false
    }
}
