//! Executes the commands of a person at a terminal.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::command::{TerminalCommand, legal_moves, typed_move};
use super::{End, Terminal};
use crate::game::{Ask, GameFile, Happened, Level, PlayedGame, TimeControl, shown};
use engine::bench::Job;
use engine::board::{Color, Position};
use engine::player::{Effect, Go};
use engine::system::files::at_home;
use engine::system::text::shortened;
use engine::uci::answers::{Log, verdict};
use engine::uci::command::{Command, set_up};

impl Terminal {
    pub(super) fn execute(&mut self, command: TerminalCommand) -> Result<(), String> {
        match command {
            TerminalCommand::Uci(command) => self.execute_uci(command)?,
            TerminalCommand::Help => self.say(&self.style.help()),
            TerminalCommand::Board => self.show_board(),
            TerminalCommand::Fen => self.say(&self.table.game().position().fen().to_string()),
            TerminalCommand::Moves => {
                self.note(&legal_moves(self.table.game().position()).join(" "));
            }
            TerminalCommand::Flip => {
                self.style.turned = !self.style.turned;
                self.show_board();
            }
            TerminalCommand::Pieces(pieces) => {
                self.style.pieces = pieces.unwrap_or(!self.style.pieces);
                self.show_board();
            }
            TerminalCommand::Move(word) => {
                let mv = typed_move(&word, self.table.game().position())?;
                self.ask(Ask::GoOn);
                self.ask(Ask::Move(mv));
            }
            TerminalCommand::Undo(moves) => drop(self.ask(Ask::TakeBack(moves))),
            TerminalCommand::Play(side) => self.play(side),
            TerminalCommand::Analyse => {
                self.ask(Ask::LookOn);
                self.note("Zebu looks on: moves are yours for both sides, go lets it think.");
            }
            TerminalCommand::New => {
                self.file = GameFile::default();
                let game = PlayedGame::new(Position::start());
                self.ask(Ask::New(Box::new(game), self.table.terms()));
                if self.table.zebu().is_none() {
                    self.note("Zebu looks on; play lets it reply.");
                }
            }
            TerminalCommand::Hint => drop(self.ask(Ask::Hint)),
            TerminalCommand::Words(wanted) => {
                self.table.judges = wanted.unwrap_or(self.table.judges);
                let is = if self.table.judges { "told" } else { "not told" };
                self.note(&format!("What your moves do is {is}."));
            }
            TerminalCommand::Pauses(wanted) => {
                self.table.takes_its_time = wanted.unwrap_or(self.table.takes_its_time);
                self.note(match self.table.takes_its_time {
                    true => "At a level, Zebu takes about as long for a move as a person.",
                    false => "Zebu moves as soon as it knows its move.",
                });
            }
            TerminalCommand::Resign => drop(self.ask(Ask::Resign)),
            TerminalCommand::Draw => drop(self.ask(Ask::Draw)),
            TerminalCommand::Level(level) => {
                if let Some(level) = level {
                    let level = Level::parse(&level).map_err(|error| error.to_string())?;
                    self.ask(Ask::Level(level));
                }
                self.note(&self.table.level().to_string());
            }
            TerminalCommand::Save(file) => {
                let file = file.as_deref().map(at_home);
                let occasion = self.table.occasion("At the terminal");
                let file = self.file.save(file.as_deref(), self.table.game(), &occasion)?;
                self.note(&format!("The game is in {file}."));
            }
            TerminalCommand::Time(seconds) => self.time(seconds.as_deref())?,
            TerminalCommand::Clock(wanted) => self.set_clock(wanted.as_deref())?,
            TerminalCommand::Load(file) => self.load(&file)?,
            TerminalCommand::Games(file) => self.games(file.as_deref())?,
        }
        Ok(())
    }

    fn execute_uci(&mut self, command: Command) -> Result<(), String> {
        let position = *self.table.game().position();
        match command {
            Command::Uci => self.end = Some(End::TurnedToUci),
            Command::Quit => self.quit(),
            // The loop has done it.
            Command::Stop | Command::PonderHit => {}
            Command::IsReady => {
                self.table.prepare().unwrap_or_else(|problem| self.error(&problem));
                self.say("readyok");
            }
            Command::Debug(on) => self.debug = on,
            Command::SetOption(option, value) => {
                if let Some(note) = self.table.set_option(option, value.as_deref())? {
                    self.note(&note);
                }
                if option.effect == Effect::Log {
                    self.log = Log::open(self.table.options());
                }
            }
            Command::NewGame => self.table.forget(),
            Command::Position(words) => {
                let (game, left_out) = set_up(&words).map_err(|error| error.to_string())?;
                left_out.iter().for_each(|part| self.note(&part.to_string()));
                let game = PlayedGame::from(game);
                self.file = GameFile::new(&game);
                self.ask(Ask::SetUp(Box::new(game)));
            }
            Command::Go(go) => {
                let go = Go { analyse: self.editor.is_some(), ..*go };
                let game = self.table.game().board().clone();
                self.ask(Ask::Look(Box::new(game), Box::new(go)));
            }
            Command::Perft(depth) => {
                self.run_job(Job::perft(position, depth))?;
            }
            Command::Bench(settings) => {
                self.run_job(Job::bench(settings, Arc::clone(self.table.opponent().network())))?;
            }
            Command::Display => {
                let tablebase = self.table.opponent().tablebase();
                self.say(&self.style.display(self.table.game(), tablebase));
            }
            Command::Eval => {
                let network = self.table.opponent().network();
                let verdict = verdict(network, &position);
                self.say(&self.style.evaluation(network, &position));
                self.note(&verdict);
            }
        }
        Ok(())
    }

    fn run_job(&mut self, job: io::Result<Job>) -> Result<(), String> {
        self.job = Some(job.map_err(|error| error.to_string())?);
        Ok(())
    }

    /// Gives the person a side. Zebu moves if it is to move.
    fn play(&mut self, side: Option<Color>) {
        let side = side.unwrap_or(!self.table.game().position().side());
        self.style.turned = side == Color::Black;
        self.note(&format!("You have {side}, Zebu has {}.", !side));
        let happened = self.table.ask(Ask::Play(Some(side)), Instant::now());
        let thinks = happened.iter().any(|it| matches!(it, Happened::Thinks(_)));
        self.show(happened);
        if !thinks {
            self.show_board();
        }
    }

    /// A flag that the next Ctrl-C sets.
    fn interrupted(&self) -> Arc<AtomicBool> {
        let interrupted = self.editor.as_ref().map(|editor| Arc::clone(&editor.is_interrupted));
        let interrupted = interrupted.unwrap_or_default();
        interrupted.store(false, Relaxed);
        interrupted
    }

    /// Loads a game from a file: the first one, or the one whose number follows the name. A number alone refers
    /// to the file that was loaded last.
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
        self.file = file;
        self.ask(Ask::SetUp(Box::new(game)));
        self.ask(Ask::LookOn);
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

    fn time(&mut self, seconds: Option<&str>) -> Result<(), String> {
        if let Some(text) = seconds {
            let time = text.parse().ok().and_then(|text| Duration::try_from_secs_f64(text).ok());
            let time = time.ok_or_else(|| {
                format!("time takes seconds, up to a day of them, not '{}'", shortened(text))
            })?;
            if !self.ask(Ask::MoveTime(time)) {
                return Ok(());
            }
        }
        let seconds = self.table.terms().move_time.as_secs_f64();
        let has_clock = self.table.game().clock().is_some();
        let by_clock = if has_clock { ", when the clock is off" } else { "" };
        self.note(&format!("Zebu takes up to {seconds} s for a move{by_clock}."));
        Ok(())
    }

    /// Sets the clock or turns it off, and shows it.
    fn set_clock(&mut self, wanted: Option<&str>) -> Result<(), String> {
        match wanted {
            None => {}
            Some("off") => drop(self.ask(Ask::Clock(None))),
            Some(text) => {
                let control = TimeControl::parse(text).map_err(|error| error.to_string())?;
                self.ask(Ask::Clock(Some(control)));
            }
        }
        let game = self.table.game();
        let (Some(clock), Some(left)) = (game.clock(), game.left(Instant::now())) else {
            let most = self.table.terms().move_time.as_secs_f64();
            self.note(&format!("There is no clock; Zebu takes up to {most} s for a move."));
            return Ok(());
        };
        let [white, black] = left.map(shown);
        let increment = match clock.control.increment {
            Duration::ZERO => String::new(),
            increment => format!(", and {} s more with each move", increment.as_secs_f64()),
        };
        let stands = match (self.table.zebu(), clock.has_begun()) {
            (None, _) => " The clock stands while Zebu looks on.",
            (Some(_), false) => " The clock starts with the next move.",
            (Some(_), true) => "",
        };
        let text = format!("White has {white}, Black has {black}{increment}.{stands}");
        self.note(&text);
        Ok(())
    }

    /// Leaves, after one warning if the game is not saved.
    fn quit(&mut self) {
        let game = self.table.game();
        let lost = game.board().moves().len() >= 2 && !self.file.is_saved(game);
        if lost && !self.was_warned {
            self.was_warned = true;
            self.note("The game is not saved: save FILE does that, quit again leaves without.");
        } else {
            self.end = Some(End::Left);
        }
    }
}
