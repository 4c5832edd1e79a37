//! A conversation: one command after the other, one search at a time.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use log::{debug, info, warn};

use super::command::{Command, Go, Person, Speaker, parse};
use super::input::{Input, read_pipe, read_terminal};
use super::options::{Options, SPECS, Setting, shortened};
use super::output::{Output, Scene, Strict};
use super::perft::{Progress, count_by_move};
use super::terminal::{HELP, Human};
use super::wire::{Stdout, Wire};
use crate::bench::{self, Settings};
use crate::board::{Game, Position};
use crate::eval::evaluate;
use crate::search::{Engine, Event, Limits, Outcome, Plan, TableError, Task, Time};

/// What a person sees where the next command goes.
const PROMPT: &str = "zebu> ";

/// How long the engine thinks when a person just says `play`.
const ANSWER_MILLISECONDS: u64 = 1000;

/// What the engine is at.
enum Busy {
    Search {
        /// No best move is told before the other side says so.
        held: bool,
        outcome: Option<Outcome>,
        /// The engine makes its move itself, for a person.
        plays: bool,
    },
    Chore(Arc<AtomicBool>),
}

pub struct Session {
    wire: Wire,
    output: Box<dyn Output>,
    speaker: Speaker,
    /// Lets a person type the next line.
    prompts: Option<Sender<&'static str>>,
    inputs: Receiver<Input>,
    sender: Sender<Input>,
    engine: Engine,
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
    errors: usize,
}

impl Session {
    /// `complaint` is told to whoever says `uci`.
    pub fn new(options: Options, complaint: Option<String>) -> Result<Session, TableError> {
        let (sender, inputs) = channel();
        Ok(Session {
            wire: Wire::new(Box::new(Stdout)),
            output: Box::new(Strict),
            speaker: Speaker::Program,
            prompts: None,
            inputs,
            sender,
            engine: Engine::new(options.threads, options.hash)?,
            game: Game::new(Position::start()),
            start: options.clone(),
            options,
            complaint,
            debug: false,
            busy: None,
            later: VecDeque::new(),
            leaving: false,
            hurrying: false,
            errors: 0,
        })
    }

    /// Talks UCI on standard input and output until one of them ends.
    pub fn talk(mut self) -> io::Result<()> {
        read_pipe(self.sender.clone())?;
        self.run()
    }

    /// Talks with a person at a terminal.
    pub fn talk_with_person(mut self) -> io::Result<()> {
        let terminal = read_terminal(self.sender.clone()).map_err(io::Error::other)?;
        self.wire = Wire::new(terminal.sink);
        self.output = Box::new(Human::new(terminal.columns));
        self.speaker = Speaker::Person;
        self.prompts = Some(terminal.prompts);
        let greeting = self.output.greeting(self.scene());
        self.wire.send(&greeting)?;
        self.complain()?;
        self.prompt();
        self.run()
    }

    /// Obeys commands and ends when the last one is done. Gives the number of errors.
    pub fn obey_all(mut self, commands: Vec<Command>, for_person: bool) -> io::Result<usize> {
        if for_person {
            self.output = Box::new(Human::new(100));
        }
        self.leaving = true;
        for command in commands {
            self.take(command)?;
        }
        while self.busy.is_some() {
            self.step()?;
        }
        Ok(self.errors)
    }

    fn run(&mut self) -> io::Result<()> {
        self.wire
            .record(self.options.debug_log_file.clone().as_deref())
            .or_else(|error| self.error(&format!("option Debug Log File: {error}")))?;
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
                self.read(&line)?;
                self.prompt();
                Ok(())
            }
            Ok(Input::Interrupt) => {
                if self.busy.is_some() {
                    self.stop()?
                } else {
                    self.leave()
                }
                self.prompt();
                Ok(())
            }
            Ok(Input::End) | Err(_) => {
                self.leave();
                self.stop()
            }
            Ok(Input::Search(event)) => self.hear(event),
            Ok(Input::Chore(Progress::Text(text))) => self.wire.send(&text),
            Ok(Input::Chore(Progress::Done)) => self.become_idle(),
        }
    }

    fn scene(&self) -> Scene<'_> {
        Scene { game: &self.game, options: &self.options }
    }

    fn prompt(&self) {
        if let Some(prompts) = self.prompts.as_ref().filter(|_| !self.leaving) {
            prompts.send(if self.speaker == Speaker::Person { PROMPT } else { "" }).ok();
        }
    }

    fn error(&mut self, text: &str) -> io::Result<()> {
        warn!("{text}");
        self.errors += 1;
        self.wire.send(&self.output.error(text))
    }

    fn note(&mut self, text: &str) -> io::Result<()> {
        self.wire.send(&self.output.note(text))
    }

    fn complain(&mut self) -> io::Result<()> {
        match self.complaint.take() {
            Some(complaint) => self.error(&complaint),
            None => Ok(()),
        }
    }

    fn read(&mut self, line: &str) -> io::Result<()> {
        self.wire.received(line);
        match parse(line, self.speaker) {
            Ok(Some(command)) => self.take(command),
            Ok(None) => Ok(()),
            Err(error) => self.error(&error.to_string()),
        }
    }

    /// Obeys a command now, or later if a search is running and the command would disturb it.
    fn take(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => self.wire.send("readyok"),
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
            Command::Person(Person::Help) => self.wire.send(HELP),
            _ if self.busy.is_some() => {
                self.later.push_back(command);
                // A person who goes on has seen enough of a search that would never end.
                let endless = matches!(self.busy, Some(Busy::Search { held: true, .. }));
                if endless && self.speaker == Speaker::Person { self.stop() } else { Ok(()) }
            }
            Command::Set(setting) => self.set(setting),
            Command::NewGame => {
                self.engine.clear();
                Ok(())
            }
            Command::Position(game) => {
                self.game = *game;
                self.show_board()
            }
            Command::Go(go) => self.go(&go, false),
            Command::Display => self.wire.send(&self.output.display(self.scene())),
            Command::Person(Person::Board) => self.show_board(),
            Command::Evaluate => self.evaluate(),
            Command::Perft(depth) => {
                let (position, chess960) = (*self.game.position(), self.options.chess960);
                self.work(move |stop, tell| count_by_move(&position, depth, chess960, stop, tell))
            }
            Command::Bench(numbers) => self.bench(&numbers),
            Command::Person(Person::Moves) => {
                let position = self.game.position();
                let moves: Vec<_> =
                    position.legal_moves().iter().map(|&mv| position.san(mv)).collect();
                self.wire.send(&moves.join(" "))
            }
            Command::Person(Person::Undo) => match self.game.undo() {
                Some(_) => self.show_board(),
                None => self.error("there is no move to take back"),
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
        self.output = Box::new(Strict);
        self.speaker = Speaker::Program;
        let mut text =
            format!("id name Zebu {}\nid author the Zebu developers\n", env!("CARGO_PKG_VERSION"));
        for spec in &SPECS {
            text += &spec.advertised(&self.start);
            text.push('\n');
        }
        self.wire.send(text.trim_end())?;
        self.complain()?;
        self.wire.send("uciok")
    }

    fn set(&mut self, setting: Setting) -> io::Result<()> {
        let done = match &setting {
            Setting::Hash(megabytes) => {
                self.engine.set_hash(*megabytes).map_err(|error| format!("option Hash: {error}"))
            }
            Setting::Threads(wanted) => match self.engine.set_threads(*wanted) {
                got if got == *wanted => Ok(()),
                got => {
                    self.options.threads = got;
                    Err(format!("option Threads: the system has no more than {got}"))
                }
            },
            Setting::DebugLogFile(file) => self.wire.record(file.as_deref()).map_err(|error| {
                let file = file.as_ref().map(|file| file.display().to_string());
                format!("option Debug Log File: {}: {error}", shortened(&file.unwrap_or_default()))
            }),
            Setting::ClearHash => {
                self.engine.clear();
                Ok(())
            }
            _ => Ok(()),
        };
        match done {
            Ok(()) => {
                debug!("{setting:?}");
                self.options.apply(setting);
                Ok(())
            }
            Err(reason) => self.error(&reason),
        }
    }

    fn go(&mut self, go: &Go, plays: bool) -> io::Result<()> {
        let position = *self.game.position();
        let mut moves = Vec::new();
        for word in &go.moves {
            let word = word.to_string();
            match position.parse_uci(&word) {
                Ok(mv) => moves.push(mv),
                Err(reason) => return self.error(&format!("searchmoves '{word}': {reason}")),
            }
        }
        let side = position.side().index();
        let time = go.time[side].map(|left| Time {
            left,
            increment: go.increment[side].unwrap_or_default(),
            moves_to_go: go.moves_to_go,
        });
        let limits = Limits {
            depth: go.depth,
            nodes: go.nodes,
            mate: go.mate,
            move_time: go.move_time,
            time,
            moves,
        };
        let plan = Plan::new(&limits, self.options.move_overhead, self.options.ponder);
        if self.debug {
            let told = |time: Option<std::time::Duration>| {
                time.map_or("none".to_string(), |time| format!("{} ms", time.as_millis()))
            };
            self.note(&format!("time: soft {}, hard {}", told(plan.soft), told(plan.hard)))?;
        }
        info!("search of {} for {limits:?}, {plan:?}", position.fen());
        let mut past: Vec<u64> = self.game.repeatable_keys().collect();
        past.reverse();
        let task = Task {
            position,
            past,
            limits,
            plan,
            lines: self.options.multi_pv,
            pondering: go.ponder,
            thorough: self.options.analyse_mode,
        };
        self.wire.send(&self.output.search_begins(self.scene()))?;
        let sender = self.sender.clone();
        let listener = move |event| drop(sender.send(Input::Search(event)));
        self.engine.start(task, Box::new(listener));
        let held = !self.hurrying && (go.infinite || go.ponder);
        self.busy = Some(Busy::Search { held, outcome: None, plays });
        if self.hurrying {
            self.engine.stop();
        }
        Ok(())
    }

    fn hear(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Line(line) => self.wire.send(&self.output.line(&line, self.scene())),
            Event::Current { depth, mv, number } => {
                self.wire.send(&self.output.current(depth, mv, number, self.scene()))
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
        let Some(Busy::Search { held: false, outcome: Some(outcome), plays }) = &self.busy else {
            return Ok(());
        };
        let best = outcome.best.filter(|_| *plays);
        self.wire.send(&self.output.outcome(outcome, self.scene()))?;
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
                self.engine.stop();
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
        self.engine.ponder_hit();
        if let Some(Busy::Search { held, .. }) = &mut self.busy {
            *held = false;
        }
        self.conclude()
    }

    fn leave(&mut self) {
        self.leaving = true;
        self.hurrying = true;
    }

    fn show_board(&mut self) -> io::Result<()> {
        self.wire.send(&self.output.board(self.scene()))
    }

    fn evaluate(&mut self) -> io::Result<()> {
        let position = self.game.position();
        let text = format!("{} centipawns for {}", evaluate(position), position.side());
        self.note(&text)
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
                self.error(&format!(
                    "'{word}' is neither a command (try help) nor a move: {reason}"
                ))
            }
        }
    }

    fn bench(&mut self, numbers: &[u64]) -> io::Result<()> {
        let Settings { depth, threads, hash } = Settings::default();
        let settings = Settings {
            depth: numbers.first().map_or(depth, |&depth| depth as u32),
            threads: numbers.get(1).map_or(threads, |&threads| threads as usize),
            hash: numbers.get(2).map_or(hash, |&hash| hash as usize),
        };
        self.work(move |stop, mut tell| {
            match bench::run(settings, &mut tell, || !stop.load(Relaxed)) {
                Ok(line) => tell(line),
                Err(error) => tell(format!("info string error: bench: {error}")),
            }
        })
    }

    /// Does work beside the search, on a thread of its own.
    fn work(
        &mut self,
        work: impl FnOnce(&AtomicBool, &mut dyn FnMut(String)) + Send + 'static,
    ) -> io::Result<()> {
        let stop = Arc::new(AtomicBool::new(self.hurrying));
        let (sender, flag) = (self.sender.clone(), Arc::clone(&stop));
        thread::Builder::new().name("chore".to_string()).spawn(move || {
            let mut tell = |text| drop(sender.send(Input::Chore(Progress::Text(text))));
            work(&flag, &mut tell);
            sender.send(Input::Chore(Progress::Done)).ok();
        })?;
        self.busy = Some(Busy::Chore(stop));
        Ok(())
    }
}
