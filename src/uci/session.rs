//! A conversation: one command after the other, one search at a time.

mod go;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use log::{debug, info};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::chore::{Chore, Progress};
use super::command::{Command, Go, Person, Speaker, parse};
use super::explained::explained;
use super::files::Files;
use super::input::{Input, read_pipe, read_terminal};
use super::options::{Options, SPECS, Setting, refused, shortened};
use super::output::Scene;
use super::terminal::HELP;
use super::voice::Voice;
use crate::board::{Game, Position};
use crate::search::{Engine, Event, SearchResult, Strength, centipawns};

/// How long the engine thinks when a person just says `play`.
const ANSWER_MILLISECONDS: u64 = 1000;

/// What the engine is at.
enum Busy {
    Search {
        /// No best move is told before the other side says so.
        held: bool,
        /// Nothing but a stop ends it.
        endless: bool,
        outcome: Option<SearchResult>,
        /// The engine makes its move itself, for a person.
        plays: bool,
    },
    Chore(Arc<AtomicBool>),
}

pub struct Session {
    voice: Voice,
    inputs: Receiver<Input>,
    sender: Sender<Input>,
    /// Made when it is first needed, so that nobody waits for a table that is never used.
    engine: Option<Engine>,
    files: Files,
    random: Xoshiro256PlusPlus,
    /// The strength of the last search.
    strength: Option<Strength>,
    /// Which positions a weaker player misjudges; others in each game.
    opinions: u64,
    game: Game,
    options: Options,
    /// The options as they were at the start, which are the defaults that are advertised.
    start: Options,
    /// What the other side must know about how the engine was started.
    complaint: Option<String>,
    debug: bool,
    busy: Option<Busy>,
    /// What came during a search and takes effect after it.
    later: VecDeque<Command>,
    /// The session is over as soon as nothing is running.
    leaving: bool,
    /// And nothing shall run any longer.
    hurrying: bool,
}

impl Session {
    /// `complaint` is told to whoever says `uci`.
    pub fn new(mut options: Options, mut complaint: Option<String>) -> Session {
        let files = Files::load(&mut options, &mut complaint);
        let mut random = generator(options.seed);
        let (sender, inputs) = channel();
        Session {
            voice: Voice::strict(),
            inputs,
            sender,
            engine: None,
            files,
            opinions: random.random(),
            random,
            strength: None,
            game: Game::new(Position::start()),
            start: options.clone(),
            options,
            complaint,
            debug: false,
            busy: None,
            later: VecDeque::new(),
            leaving: false,
            hurrying: false,
        }
    }

    /// Talks UCI on standard input and output until one of them ends.
    pub fn talk(mut self) -> io::Result<()> {
        read_pipe(self.sender.clone())?;
        self.run()
    }

    /// Talks with a person at a terminal.
    pub fn talk_with_person(mut self) -> io::Result<()> {
        let terminal = read_terminal(self.sender.clone()).map_err(io::Error::other)?;
        self.voice = Voice::at_terminal(terminal);
        self.voice.say(&self.voice.output.greeting(self.scene()))?;
        self.complain()?;
        self.prompt();
        self.run()
    }

    /// Obeys commands and ends when the last one is done. Gives the number of errors.
    pub fn obey_all(mut self, commands: Vec<Command>, for_person: bool) -> io::Result<usize> {
        if for_person {
            self.voice = Voice::for_reader();
        }
        self.leaving = true;
        for command in commands {
            self.take(command)?;
        }
        while self.busy.is_some() {
            self.step()?;
        }
        Ok(self.voice.errors)
    }

    fn run(&mut self) -> io::Result<()> {
        self.voice
            .record(self.options.debug_log_file.clone().as_deref())
            .or_else(|error| self.voice.error(&format!("option Debug Log File: {error}")))?;
        while !self.is_over() {
            self.step()?;
        }
        Ok(())
    }

    /// Work beside the search is simply left behind.
    fn is_over(&self) -> bool {
        let searching = matches!(self.busy, Some(Busy::Search { .. }));
        self.leaving && !searching && (self.hurrying || self.busy.is_none())
    }

    fn step(&mut self) -> io::Result<()> {
        match self.inputs.recv() {
            Ok(Input::Line(line)) => {
                self.voice.answered();
                self.read(&line)?;
                self.prompt();
                Ok(())
            }
            Ok(Input::Interrupt) => {
                self.voice.answered();
                if self.busy.is_some() {
                    self.stop()?
                } else {
                    self.leave()
                }
                self.prompt();
                Ok(())
            }
            Ok(Input::End) | Err(_) => {
                self.voice.answered();
                self.leave();
                self.stop()
            }
            Ok(Input::Search(event)) => self.hear(event),
            Ok(Input::Chore(Progress::Text(text))) => self.voice.say(&text),
            Ok(Input::Chore(Progress::Done)) => self.become_idle(),
        }
    }

    /// The engine, with a small table if the one that was wanted cannot be had.
    fn engine(&mut self) -> io::Result<&mut Engine> {
        if self.engine.is_none() {
            let made = Engine::new(self.options.threads, self.options.hash);
            let engine = match made {
                Ok(engine) => engine,
                Err(error) => {
                    self.voice.error(&format!("option Hash: {error}"))?;
                    self.options.hash = 1;
                    Engine::new(self.options.threads, 1).map_err(io::Error::other)?
                }
            };
            return Ok(self.engine.insert(engine));
        }
        self.engine.as_mut().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn forget(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.clear();
        }
    }

    fn scene(&self) -> Scene<'_> {
        let tablebase = self.files.tablebase.as_deref();
        Scene { game: &self.game, options: &self.options, tablebase }
    }

    fn prompt(&mut self) {
        if !self.leaving {
            self.voice.prompt();
        }
    }

    fn complain(&mut self) -> io::Result<()> {
        match self.complaint.take() {
            Some(complaint) => self.voice.error(&complaint),
            None => Ok(()),
        }
    }

    fn read(&mut self, line: &str) -> io::Result<()> {
        self.voice.hear(line);
        match parse(line, self.voice.speaker) {
            Ok(Some(command)) => self.take(command),
            Ok(None) => Ok(()),
            Err(error) => self.voice.error(&error.to_string()),
        }
    }

    /// Obeys a command now, or later if a search is running and the command would disturb it.
    fn take(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => {
                self.engine()?;
                self.voice.say("readyok")
            }
            Command::Debug(on) => {
                self.debug = on;
                Ok(())
            }
            Command::Register => Ok(()),
            Command::Stop => {
                // What was asked for before the stop is stopped too.
                if self.later.iter().any(|command| matches!(command, Command::Go(_))) {
                    self.later.push_back(Command::Stop);
                }
                self.stop()
            }
            Command::PonderHit => self.ponder_hit(),
            Command::Quit => {
                self.later.clear();
                self.leave();
                self.stop()
            }
            Command::Person(Person::Help) => self.voice.say(HELP),
            _ if self.busy.is_some() => {
                self.later.push_back(command);
                // A person who goes on has seen enough of a search that would never end.
                let endless = matches!(self.busy, Some(Busy::Search { endless: true, .. }));
                if endless && self.voice.speaker == Speaker::Person { self.stop() } else { Ok(()) }
            }
            Command::Set(setting) => self.set(setting),
            Command::NewGame => {
                self.opinions = self.random.random();
                self.forget();
                Ok(())
            }
            Command::Position(game) => {
                self.game = *game;
                self.show_board()
            }
            Command::Go(go) => self.go(&go, false),
            Command::Display => self.voice.say(&self.voice.output.display(self.scene())),
            Command::Person(Person::Board) => self.show_board(),
            Command::Evaluate => self.evaluate(),
            Command::Perft(depth) => {
                let (position, chess960) = (*self.game.position(), self.options.chess960);
                self.start(Chore::Perft { position, depth, chess960 })
            }
            Command::Bench(settings) => {
                self.start(Chore::Bench(settings, Arc::clone(&self.files.network)))
            }
            Command::Person(Person::Moves) => {
                let position = self.game.position();
                let moves: Vec<_> =
                    position.legal_moves().iter().map(|&mv| position.san(mv)).collect();
                self.voice.say(&moves.join(" "))
            }
            Command::Person(Person::Undo) => match self.game.undo() {
                Some(_) => self.show_board(),
                None => self.voice.error("there is no move to take back"),
            },
            Command::Person(Person::Play(word)) => self.play(&word),
            Command::Person(Person::Answer) => {
                let move_time = Some(std::time::Duration::from_millis(ANSWER_MILLISECONDS));
                self.go(&Go { move_time, ..Go::default() }, true)
            }
        }
    }

    /// Answers `uci`; from now on nothing but UCI is spoken.
    fn introduce(&mut self) -> io::Result<()> {
        self.voice.turn_strict();
        let mut text =
            format!("id name Zebu {}\nid author the Zebu developers\n", env!("CARGO_PKG_VERSION"));
        for spec in &SPECS {
            text += &spec.advertised(&self.start);
            text.push('\n');
        }
        self.voice.say(text.trim_end())?;
        self.complain()?;
        self.voice.say("uciok")
    }

    fn set(&mut self, setting: Setting) -> io::Result<()> {
        let done = match &setting {
            Setting::Hash(megabytes) => {
                let made = match &mut self.engine {
                    Some(engine) => engine.set_hash(*megabytes),
                    None => Engine::new(self.options.threads, *megabytes)
                        .map(|engine| self.engine = Some(engine)),
                };
                made.map_err(|error| format!("option Hash: {error}"))
            }
            Setting::Threads(wanted) => match self.engine()?.set_threads(*wanted) {
                got if got == *wanted => Ok(()),
                got => {
                    self.options.threads = got;
                    Err(format!("option Threads: the system has no more than {got}"))
                }
            },
            Setting::DebugLogFile(file) => self
                .voice
                .record(file.as_deref())
                .map_err(|error| refused("Debug Log File", file, error)),
            Setting::Seed(seed) => {
                self.random = generator(*seed);
                self.opinions = self.random.random();
                Ok(())
            }
            setting => self.files.take(setting),
        };
        match done {
            Ok(()) => {
                debug!("{setting:?}");
                if setting.changes_scores() {
                    self.forget();
                }
                let tablebase = self.files.tablebase.as_ref();
                let tables = tablebase.filter(|_| matches!(setting, Setting::SyzygyPath(_)));
                let found = tables.map(|tables| tables.to_string());
                self.options.apply(setting);
                found.map_or(Ok(()), |found| self.voice.note(&found))
            }
            Err(reason) => self.voice.error(&reason),
        }
    }

    fn hear(&mut self, event: Event) -> io::Result<()> {
        while let Some(trouble) = self.files.trouble() {
            self.voice.error(&trouble)?;
        }
        match event {
            Event::Line(line) => self.voice.say(&self.voice.output.line(&line, self.scene())),
            Event::Current { depth, mv, number } => {
                self.voice.say(&self.voice.output.current(depth, mv, number, self.scene()))
            }
            Event::Done(done) => {
                info!("{} nodes in {} ms", done.nodes, done.time.as_millis());
                if let Some(Busy::Search { outcome, .. }) = &mut self.busy {
                    *outcome = Some(done);
                }
                self.conclude()
            }
        }
    }

    /// Tells the best move if the search is over and nobody holds it back.
    fn conclude(&mut self) -> io::Result<()> {
        let Some(Busy::Search { held: false, outcome: Some(outcome), plays, .. }) = &self.busy
        else {
            return Ok(());
        };
        let best = outcome.best.filter(|_| *plays);
        self.voice.say(&self.voice.output.outcome(outcome, self.scene()))?;
        if let Some(mv) = best {
            self.game.play(mv);
            self.show_board()?;
        }
        self.become_idle()
    }

    /// Obeys what came in the meantime.
    fn become_idle(&mut self) -> io::Result<()> {
        self.busy = None;
        while self.busy.is_none()
            && let Some(command) = self.later.pop_front()
        {
            // Nothing is left for it to stop.
            if !matches!(command, Command::Stop) {
                self.take(command)?;
            }
        }
        // A stop that was said after a search that has just begun is for that search.
        if let Some(Command::Stop) = self.later.front() {
            self.later.pop_front();
            self.stop()?;
        }
        Ok(())
    }

    fn stop(&mut self) -> io::Result<()> {
        match &mut self.busy {
            Some(Busy::Search { held, .. }) => {
                *held = false;
                if let Some(engine) = &self.engine {
                    engine.stop();
                }
                self.conclude()
            }
            Some(Busy::Chore(stop)) => {
                stop.store(true, Relaxed);
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn ponder_hit(&mut self) -> io::Result<()> {
        if let Some(Busy::Search { held, .. }) = &mut self.busy {
            *held = false;
            if let Some(engine) = &self.engine {
                engine.ponder_hit();
            }
        }
        self.conclude()
    }

    fn leave(&mut self) {
        self.leaving = true;
        self.hurrying = true;
    }

    fn show_board(&mut self) -> io::Result<()> {
        self.voice.say(&self.voice.output.board(self.scene()))
    }

    fn evaluate(&mut self) -> io::Result<()> {
        let position = self.game.position();
        self.voice.say(&explained(&self.files.network, position))?;
        let score = centipawns(self.files.network.evaluate(position), position);
        self.voice.note(&format!("{score} centipawns for {}", position.side()))
    }

    fn play(&mut self, word: &str) -> io::Result<()> {
        let position = self.game.position();
        let read = position.parse_uci(word).ok();
        match read.map_or_else(|| position.parse_san(word), Ok) {
            Ok(mv) => {
                self.game.play(mv);
                self.show_board()
            }
            Err(reason) => {
                let word = shortened(word);
                self.voice.error(&format!(
                    "'{word}' is neither a command (try help) nor a move: {reason}"
                ))
            }
        }
    }

    /// Does work beside the search, on a thread of its own.
    fn start(&mut self, chore: Chore) -> io::Result<()> {
        let stop = Arc::new(AtomicBool::new(self.hurrying));
        let (sender, flag) = (self.sender.clone(), Arc::clone(&stop));
        let tell = move |progress| drop(sender.send(Input::Chore(progress)));
        thread::Builder::new().name("chore".to_string()).spawn(move || chore.run(&flag, tell))?;
        self.busy = Some(Busy::Chore(stop));
        Ok(())
    }
}

/// The same numbers for the same seed, but new ones for 0.
fn generator(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(if seed == 0 { rand::random() } else { seed })
}
