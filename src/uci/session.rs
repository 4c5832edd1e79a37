//! A session: lines come in, one command is obeyed after the other, and events of a search go out.

mod terminal_commands;

use std::io;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use log::{info, warn};

use super::background::BackgroundTask;
use super::command::{Command, Go, TerminalCommand, parse, parse_terminal};
use super::console::Console;
use super::display;
use super::game_record::GameRecord;
use super::input::{Input, read_pipe};
use super::options::{Effect, OPTIONS, OptionKind, Options, UciOption, Value, path};
use super::person::{Person, words};
use super::queue::{Queue, Queued};
use super::searcher::{Begun, Searcher, refused, times};
use super::terminal::Terminal;
use super::watchdog::Watchdog;
use super::writer::{Context, Look};
use crate::NAME;
use crate::board::{Game, Position};
use crate::processor::advice;
use crate::search::{Event, Line, SearchResult, centipawns};

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Think,
    /// The move is made on the board.
    Play,
    /// The move alone is told.
    Hint,
}

/// What the engine is doing.
enum SessionState {
    Idle,
    /// The best move is told as soon as the search ends.
    Searching {
        /// Only a stop ends it.
        endless: bool,
        purpose: Purpose,
    },
    /// `go ponder` and `go infinite`: the best move is held back until `ponderhit` or `stop`.
    Held {
        ponder: bool,
        result: Option<SearchResult>,
    },
    Background {
        stop: Arc<AtomicBool>,
    },
    /// The session ends.
    Over,
}

pub struct Session {
    console: Console,
    inputs: Receiver<Input>,
    sender: Sender<Input>,
    searcher: Searcher,
    game: Game,
    /// The last `position` was refused: there is nothing to search.
    refused: bool,
    options: Options,
    /// The options at the start, which are the defaults that are advertised.
    start: Options,
    /// What was wrong at the start, until it is told.
    complaints: Vec<String>,
    debug: bool,
    state: SessionState,
    /// When the running search should be over, if its clock runs.
    hard_limit: Option<Duration>,
    watchdog: Watchdog,
    /// The best line found while pondering. Unless another follows, it is told again after the hit:
    /// GUIs show what stands between the hit and the move.
    pondered: Option<Line>,
    person: Person,
    record: GameRecord,
    look: Look,
    queue: Queue,
}

impl Session {
    /// `complaints` are told in answer to `uci`.
    pub fn new(options: Options, complaints: Vec<String>) -> Session {
        let (sender, inputs) = channel();
        let mut session = Session {
            console: Console::uci(),
            inputs,
            sender,
            searcher: Searcher::new(&options),
            game: Game::new(Position::start()),
            refused: false,
            start: options.clone(),
            options,
            complaints,
            debug: false,
            state: SessionState::Idle,
            hard_limit: None,
            watchdog: Watchdog::default(),
            pondered: None,
            person: Person::new(),
            record: GameRecord::default(),
            look: Look::default(),
            queue: Queue::default(),
        };
        session.open_files();
        session.start = session.options.clone();
        session
    }

    /// Opens the files that the options name. An option that names a wrong one becomes empty.
    fn open_files(&mut self) {
        let mut options = self.options.clone();
        for option in OPTIONS {
            if let OptionKind::String { field } = option.kind
                && !field(&mut options).is_empty()
                && let Err(error) = self.apply(option.effect, &options)
            {
                self.complaints.push(error);
                field(&mut options).clear();
            }
        }
        self.options = options;
    }

    /// What was wrong at the start and is still untold.
    pub fn complaints(&self) -> &[String] {
        &self.complaints
    }

    /// Talks UCI on standard input and output until one of them ends.
    pub fn talk(mut self) -> io::Result<()> {
        read_pipe(self.sender.clone())?;
        self.run()
    }

    /// Talks with a person at a terminal.
    pub fn talk_at_terminal(mut self) -> io::Result<()> {
        let terminal = Terminal::open(self.sender.clone()).map_err(io::Error::other)?;
        self.console.attach(terminal);
        self.console.say(&self.console.writer.greeting(self.context()));
        self.advise();
        self.complain();
        self.run()
    }

    /// Obeys commands and ends when the last one is done. Returns the number of errors.
    pub fn obey_all(mut self, commands: Vec<Command>, for_person: bool) -> io::Result<usize> {
        if for_person {
            self.console.write_for_person();
        }
        for command in commands.into_iter().chain([Command::Quit]) {
            self.queue.push(command);
        }
        self.run()?;
        Ok(self.console.errors)
    }

    fn run(&mut self) -> io::Result<()> {
        loop {
            while let SessionState::Idle = self.state
                && let Some(Queued { command, stopped }) = self.queue.pop()
            {
                self.obey(command);
                if stopped {
                    self.stop_running();
                }
            }
            self.console.check()?;
            if let SessionState::Over = self.state {
                return Ok(());
            }
            if !self.queue.quits() {
                let busy = !matches!(self.state, SessionState::Idle);
                let Session { console, game, .. } = self;
                console.prompt(busy, || words(game));
            }
            let searches = matches!(self.state, SessionState::Searching { .. });
            match self.watchdog.wait(&self.inputs, searches) {
                Some(input) => self.receive(input),
                None => self.answer_in_time(),
            }
        }
    }

    fn receive(&mut self, input: Input) {
        if let Input::Line(_) | Input::Interrupt { .. } | Input::End = input {
            self.console.entered();
        }
        match input {
            Input::Line(line) => {
                self.console.received(&line);
                let parse = if self.console.interactive { parse_terminal } else { parse };
                match parse(&line) {
                    Ok(Some(command)) => self.take(command),
                    Ok(None) => {}
                    Err(error) => self.console.error(&error.to_string()),
                }
            }
            Input::Interrupt { typed } => self.interrupt(typed),
            Input::Signal => {
                self.console.interrupted();
                self.interrupt(false);
            }
            // A person leaves; a script wants what it asked for.
            Input::End if self.console.interactive => {
                self.stop();
                self.queue.push(Command::Quit);
            }
            Input::End => self.leave_in_turn(),
            Input::Search(number, event) => {
                if self.watchdog.hears(number, &event) {
                    self.hear(event);
                }
            }
            Input::Text(text) => self.console.say(&text),
            Input::TaskDone(result) => {
                self.state = SessionState::Idle;
                if let Err(error) = result {
                    self.console.error(&error);
                }
            }
        }
    }

    /// Ctrl-C stops what is running, or says how to leave.
    fn interrupt(&mut self, typed: bool) {
        if !matches!(self.state, SessionState::Idle) {
            self.stop();
        } else if !typed {
            self.console.note("quit, or Ctrl-D, leaves.");
        }
    }

    /// Obeys a command at once if it does not disturb a search, and otherwise in its turn.
    fn take(&mut self, command: Command) {
        if !matches!(command, Command::Quit) {
            self.person.stays();
        }
        match &command {
            Command::Uci
            | Command::IsReady
            | Command::Debug(_)
            | Command::Stop
            | Command::PonderHit
            | Command::Terminal(TerminalCommand::Help) => return self.obey(command),
            Command::Quit if self.queue.has_search() && !self.console.interactive => {
                return self.leave_in_turn();
            }
            Command::Quit => {
                self.queue.clear();
                self.stop_running();
            }
            Command::BadPosition(error) => self.console.error(&error.to_string()),
            _ => {}
        }
        self.queue.push(command);
        // A person who goes on has seen enough of a search that would never end.
        if self.is_endless() && self.console.interactive {
            self.stop_running();
        }
    }

    /// Whether only a stop ends what is running.
    fn is_endless(&self) -> bool {
        matches!(
            self.state,
            SessionState::Searching { endless: true, .. } | SessionState::Held { .. }
        )
    }

    /// Ends the session when all that was asked for is done.
    fn leave_in_turn(&mut self) {
        self.queue.stop_endless();
        if self.is_endless() {
            self.stop_running();
        }
        self.queue.push(Command::Quit);
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => {
                self.prepare();
                self.console.say("readyok");
            }
            Command::Debug(on) => self.debug = on,
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::SetOption(option, value) => self.set_option(option, value),
            Command::NewGame => {
                self.searcher.new_game();
                if self.refused {
                    self.set_game(Game::new(Position::start()));
                }
            }
            Command::Position { game, left_out } => {
                for part in left_out {
                    self.console.note(&part.to_string());
                }
                self.set_game(*game);
            }
            // A person sees which position is still on the board.
            Command::BadPosition(_) => self.refused = !self.console.interactive,
            Command::Go(_) | Command::Perft(_) if self.refused => {
                self.console.error("the last position was refused");
                if let Command::Go(_) = command {
                    self.console.say("bestmove 0000");
                }
            }
            Command::Go(go) => self.go(&go, Purpose::Think),
            Command::Perft(depth) => {
                let (position, chess960) = (*self.game.position(), self.options.chess960);
                self.run_in_background(BackgroundTask::Perft { position, depth, chess960 });
            }
            Command::Bench(settings) => {
                let network = Arc::clone(self.searcher.network());
                self.run_in_background(BackgroundTask::Bench(settings, network));
            }
            Command::Display => self.console.say(&self.console.writer.display(self.context())),
            Command::Eval => self.evaluate(),
            Command::Quit if self.may_leave() => self.state = SessionState::Over,
            Command::Quit => {}
            Command::Terminal(command) => self.obey_terminal(command),
        }
    }

    /// Answers `uci`; from now on nothing but UCI is spoken.
    fn introduce(&mut self) {
        self.console.turn_to_uci();
        let mut text = format!("id name {NAME}\nid author the Zebu developers");
        for option in UciOption::all() {
            text += &format!("\n{}", option.advertised(&self.start));
        }
        self.console.say(&text);
        self.advise();
        self.complain();
        self.console.say("uciok");
    }

    /// Tells of a build that suits this processor better.
    fn advise(&mut self) {
        if let Some(advice) = advice() {
            self.console.note(&advice);
        }
    }

    fn complain(&mut self) {
        for complaint in mem::take(&mut self.complaints) {
            self.console.error(&complaint);
        }
    }

    fn set_option(&mut self, option: &UciOption, value: Value) {
        let mut options = self.options.clone();
        value.put(&mut options);
        match self.apply(option.effect, &options) {
            Ok(note) => {
                self.options = options;
                if let Some(note) = note {
                    self.console.note(&note);
                }
            }
            Err(error) => self.console.error(&error),
        }
    }

    fn apply(&mut self, effect: Effect, options: &Options) -> Result<Option<String>, String> {
        if effect != Effect::Log {
            return self.searcher.apply(effect, options);
        }
        let file = &options.debug_log_file;
        let opened = self.console.set_log(path(file));
        opened.map(|()| None).map_err(|error| refused("Debug Log File", file, error))
    }

    /// Has the engine made, if that was not done before.
    fn prepare(&mut self) {
        if let Err(error) = self.searcher.prepare(&self.options) {
            self.console.error(&error);
        }
    }

    fn set_game(&mut self, game: Game) {
        self.person.resigned = None;
        self.record = GameRecord::new(&game);
        self.game = game;
        self.refused = false;
        self.show_board();
    }

    fn go(&mut self, go: &Go, purpose: Purpose) {
        let (limits, problems) = go.limits(self.game.position());
        for problem in problems {
            self.console.error(&problem.to_string());
        }
        self.prepare();
        let mut options = self.options.clone();
        // A hint is not worse because the opponent is.
        options.analyse_mode |= self.console.interactive && purpose != Purpose::Play;
        let (sender, number) = (self.sender.clone(), self.watchdog.next_search());
        let listener = Box::new(move |event| drop(sender.send(Input::Search(number, event))));
        match self.searcher.go(go, limits, &self.game, &options, listener) {
            Ok(Begun::BookMove(note)) => self.console.note(&note),
            Ok(Begun::Search { plan, known }) => {
                self.hard_limit = plan.hard.filter(|_| !go.ponder);
                self.watchdog.guard(plan.hard, self.options.threads, known);
                if self.debug {
                    self.console.note(&times(&plan));
                }
                if purpose == Purpose::Think {
                    self.console.say(&self.console.writer.search_begins());
                }
            }
            Err(error) => {
                self.console.error(&error);
                self.console.say("bestmove 0000");
                return;
            }
        }
        self.state = if go.infinite || go.ponder {
            SessionState::Held { ponder: go.ponder, result: None }
        } else {
            SessionState::Searching { endless: !go.ends(), purpose }
        };
    }

    fn hear(&mut self, event: Event) {
        while let Some(error) = self.searcher.damaged_table() {
            self.console.error(&error);
        }
        let writer = &self.console.writer;
        match event {
            // Who plays does not tell what it thinks.
            Event::Line(_) | Event::Current { .. } if !self.tells_thoughts() => {}
            Event::Line(line) => {
                self.console.say(&writer.line(&line, self.context()));
                let pondering = matches!(self.state, SessionState::Held { ponder: true, .. });
                if line.pv_index == 1 {
                    self.pondered = pondering.then_some(line);
                }
            }
            Event::Current { depth, mv, number } => {
                self.console.say(&writer.current(depth, mv, number, self.context()));
            }
            Event::Done(done) => {
                info!("{} nodes in {} ms", done.nodes, done.time.as_millis());
                self.show_overrun(done.time);
                match &mut self.state {
                    SessionState::Held { result, .. } => *result = Some(done),
                    &mut SessionState::Searching { purpose, .. } => self.conclude(&done, purpose),
                    SessionState::Idle | SessionState::Background { .. } | SessionState::Over => {}
                }
            }
        }
    }

    /// The search is late: its best move so far is told without it.
    fn answer_in_time(&mut self) {
        if let SessionState::Searching { purpose, .. } = self.state
            && let Some(result) = self.watchdog.answer()
        {
            self.searcher.stop();
            self.show_overrun(result.time);
            self.conclude(&result, purpose);
        }
    }

    /// How far a search went beyond its hard limit: on a busy machine the system takes that.
    fn show_overrun(&mut self, time: Duration) {
        let overrun = self.hard_limit.map_or(Duration::ZERO, |hard| time.saturating_sub(hard));
        if overrun >= Duration::from_millis(1) {
            let text = format!("time: {} ms beyond the hard limit", overrun.as_millis());
            warn!("{text}");
            self.searcher.overran(overrun);
            if self.debug {
                self.console.note(&text);
            }
        }
    }

    /// Tells the best move.
    fn conclude(&mut self, result: &SearchResult, purpose: Purpose) {
        self.state = SessionState::Idle;
        if let Some(line) = self.pondered.take() {
            self.console.say(&self.console.writer.line(&line, self.context()));
        }
        self.use_result(result, purpose);
        self.searcher.replied();
    }

    fn tells_thoughts(&self) -> bool {
        match self.state {
            SessionState::Searching { purpose, .. } => purpose == Purpose::Think,
            _ => true,
        }
    }

    /// Stops what is running, and all that was asked for before the stop.
    fn stop(&mut self) {
        self.queue.stop();
        self.stop_running();
    }

    fn stop_running(&mut self) {
        match &self.state {
            SessionState::Idle | SessionState::Over => {}
            SessionState::Searching { .. } => self.searcher.stop(),
            SessionState::Held { .. } => {
                self.searcher.stop();
                self.pondered = None;
                self.release();
            }
            SessionState::Background { stop } => stop.store(true, Relaxed),
        }
    }

    fn ponder_hit(&mut self) {
        if !self.queue.ponder_hit()
            && let SessionState::Held { ponder: true, .. } = self.state
        {
            self.searcher.ponder_hit();
            self.watchdog.ponder_hit();
            self.release();
        }
    }

    /// No longer holds the best move back.
    fn release(&mut self) {
        let SessionState::Held { result, .. } = &mut self.state else { return };
        match result.take() {
            Some(result) => self.conclude(&result, Purpose::Think),
            None => {
                self.state = SessionState::Searching { endless: false, purpose: Purpose::Think };
            }
        }
    }

    fn context(&self) -> Context<'_> {
        let tablebase = self.searcher.tablebase.as_deref();
        Context { game: &self.game, options: &self.options, tablebase, look: self.look }
    }

    fn show_board(&mut self) {
        self.console.say(&self.console.writer.board(self.context()));
    }

    fn evaluate(&mut self) {
        let (network, position) = (self.searcher.network(), self.game.position());
        let wide = self.console.writer.wide();
        self.console.say(&display::evaluation(network, position, wide));
        let score = centipawns(network.evaluate(position), position);
        self.console.note(&format!("{score} centipawns for {}", position.side()));
    }

    fn run_in_background(&mut self, task: BackgroundTask) {
        match task.start(self.sender.clone()) {
            Ok(stop) => self.state = SessionState::Background { stop },
            Err(error) => self.console.error(&error.to_string()),
        }
    }
}
