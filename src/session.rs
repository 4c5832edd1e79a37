//! A session: the game on the board, the options, and an engine that does one thing at a time. Who
//! gives the orders is for its front end to know.

mod background;
mod console;
pub mod front_end;
mod go;
mod input;
mod lag;
mod options;
mod searcher;
mod watchdog;
mod writer;

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use log::{info, warn};

use crate::bench::Settings;
use crate::board::{Game, Position};
use crate::processor::advice;
use crate::search::{Event, Line, SearchResult, centipawns};
use background::BackgroundTask;
use searcher::{Begun, Searcher, refused, times};
use watchdog::Watchdog;

pub use console::{Console, Screen, print};
pub use go::{DEFAULT_MOVE_TIME, Go, GoProblem};
pub use input::{Input, read_pipe};
pub use options::{
    EMPTY, Effect, OPTIONS, OptionError, OptionKind, Options, Spin, UciOption, Value, path,
};
pub use writer::{Context, Writer};

/// What the engine is doing.
enum State {
    Idle,
    /// The result is told as soon as the search ends.
    Searching {
        /// Only a stop ends it.
        endless: bool,
        silent: bool,
    },
    /// `go ponder` and `go infinite`: the result is held back until `ponderhit` or `stop`.
    Held {
        ponder: bool,
        result: Option<SearchResult>,
    },
    /// A search has ended, and its result is not told yet.
    Finished(SearchResult),
    Background {
        stop: Arc<AtomicBool>,
    },
}

pub struct Session {
    pub console: Console,
    pub game: Game,
    pub options: Options,
    /// The options at the start, which are the defaults that are advertised.
    pub defaults: Options,
    pub debug: bool,
    inputs: Receiver<Input>,
    sender: Sender<Input>,
    searcher: Searcher,
    /// What was wrong at the start, until it is reported.
    complaints: Vec<String>,
    state: State,
    /// When the running search should be over, if its clock runs.
    hard_limit: Option<Duration>,
    watchdog: Watchdog,
    /// The best line found while pondering. Unless another follows, it is told again after the hit:
    /// GUIs show what stands between the hit and the move.
    pondered: Option<Line>,
}

impl Session {
    pub fn new(options: Options, complaints: Vec<String>, writer: Box<dyn Writer>) -> Session {
        let (sender, inputs) = channel();
        let mut session = Session {
            console: Console::new(writer),
            game: Game::new(Position::start()),
            defaults: options.clone(),
            debug: false,
            inputs,
            sender,
            searcher: Searcher::new(&options),
            options,
            complaints,
            state: State::Idle,
            hard_limit: None,
            watchdog: Watchdog::default(),
            pondered: None,
        };
        session.open_files();
        session.defaults = session.options.clone();
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

    /// What was wrong at the start and is not reported yet.
    pub fn complaints(&self) -> &[String] {
        &self.complaints
    }

    /// Reports what was wrong at the start, and a build that suits this processor better.
    pub fn report_start(&mut self) {
        if let Some(advice) = advice() {
            self.console.note(&advice);
        }
        for complaint in mem::take(&mut self.complaints) {
            self.console.error(&complaint);
        }
    }

    /// Where lines are sent to.
    pub fn sender(&self) -> Sender<Input> {
        self.sender.clone()
    }

    /// The next input; `None` if a search is late and its move so far is to be told, or at the alarm.
    fn next_input(&self, alarm: Option<Instant>) -> Option<Input> {
        self.watchdog.wait(&self.inputs, self.searches(), alarm)
    }

    fn searches(&self) -> bool {
        matches!(self.state, State::Searching { .. })
    }

    pub fn set_option(&mut self, option: &UciOption, value: Value) {
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

    /// Makes the engine ready, if it is not.
    pub fn prepare(&mut self) {
        if let Err(error) = self.searcher.prepare(&self.options) {
            self.console.error(&error);
        }
    }

    /// Nothing is known any more of the game before.
    pub fn new_game(&mut self) {
        self.searcher.new_game();
    }

    /// Begins a search of the position on the board.
    pub fn go(&mut self, go: &Go) -> Result<(), String> {
        let (limits, problems) = go.limits(self.game.position());
        for problem in problems {
            self.console.error(&problem.to_string());
        }
        self.prepare();
        let mut options = self.options.clone();
        options.analyse_mode |= go.analyse;
        let (sender, number) = (self.sender.clone(), self.watchdog.next_search());
        let listener = Box::new(move |event| drop(sender.send(Input::Search(number, event))));
        match self.searcher.go(go, limits, &self.game, &options, listener)? {
            Begun::BookMove(note) => self.console.note(&note),
            Begun::Search { plan, known } => {
                self.hard_limit = plan.hard.filter(|_| !go.ponder);
                self.watchdog.guard(plan.hard, self.options.threads, known);
                if self.debug {
                    self.console.note(&times(&plan));
                }
                if !go.silent {
                    self.console.say(&self.console.writer.search_begins());
                }
            }
        }
        self.state = if go.infinite || go.ponder {
            State::Held { ponder: go.ponder, result: None }
        } else {
            State::Searching { endless: !go.ends(), silent: go.silent }
        };
        Ok(())
    }

    fn on_event(&mut self, number: u64, event: Event) {
        if !self.watchdog.hears(number, &event) {
            return;
        }
        while let Some(error) = self.searcher.damaged_table() {
            self.console.error(&error);
        }
        let writer = &self.console.writer;
        match event {
            Event::Line(_) | Event::Current { .. }
                if matches!(self.state, State::Searching { silent: true, .. }) => {}
            Event::Line(line) => {
                self.console.say(&writer.line(&line, self.context()));
                let pondering = matches!(self.state, State::Held { ponder: true, .. });
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
                    State::Held { result, .. } => *result = Some(done),
                    State::Searching { .. } => self.state = State::Finished(done),
                    State::Idle | State::Finished(_) | State::Background { .. } => {}
                }
            }
        }
    }

    /// The best move so far of a search that is late is its result.
    fn answer_in_time(&mut self) {
        if self.searches()
            && let Some(result) = self.watchdog.answer()
        {
            self.searcher.stop();
            self.show_overrun(result.time);
            self.state = State::Finished(result);
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

    /// The result of a search that has ended, once.
    fn take_result(&mut self) -> Option<SearchResult> {
        let State::Finished(result) = self.state else { return None };
        self.state = State::Idle;
        if let Some(line) = self.pondered.take() {
            self.console.say(&self.console.writer.line(&line, self.context()));
        }
        Some(result)
    }

    /// The best move was told.
    fn replied(&mut self) {
        self.searcher.replied();
    }

    /// Stops what is running.
    pub fn stop(&mut self) {
        match &self.state {
            State::Idle | State::Finished(_) => {}
            State::Searching { .. } => self.searcher.stop(),
            State::Held { .. } => {
                self.searcher.stop();
                self.pondered = None;
                self.release();
            }
            State::Background { stop } => stop.store(true, Relaxed),
        }
    }

    pub fn ponder_hit(&mut self) {
        if let State::Held { ponder: true, .. } = self.state {
            self.searcher.ponder_hit();
            self.watchdog.ponder_hit();
            self.release();
        }
    }

    /// No longer holds the result back.
    fn release(&mut self) {
        if let State::Held { result, .. } = &mut self.state {
            let searching = State::Searching { endless: false, silent: false };
            self.state = result.take().map_or(searching, State::Finished);
        }
    }

    pub fn is_idle(&self) -> bool {
        matches!(self.state, State::Idle)
    }

    /// Whether only a stop ends what is running.
    pub fn is_endless(&self) -> bool {
        matches!(self.state, State::Searching { endless: true, .. } | State::Held { .. })
    }

    pub fn context(&self) -> Context<'_> {
        let tablebase = self.searcher.tablebase.as_deref();
        Context { game: &self.game, options: &self.options, tablebase }
    }

    pub fn show_evaluation(&mut self) {
        let (network, position) = (self.searcher.network(), self.game.position());
        self.console.say(&self.console.writer.evaluation(network, position));
        let score = centipawns(network.evaluate(position), position);
        self.console.note(&format!("{score} centipawns for {}", position.side()));
    }

    pub fn perft(&mut self, depth: u32) {
        let (position, chess960) = (*self.game.position(), self.options.chess960);
        self.run_in_background(BackgroundTask::Perft { position, depth, chess960 });
    }

    pub fn bench(&mut self, settings: Settings) {
        let network = Arc::clone(self.searcher.network());
        self.run_in_background(BackgroundTask::Bench(settings, network));
    }

    fn run_in_background(&mut self, task: BackgroundTask) {
        match task.start(self.sender.clone()) {
            Ok(stop) => self.state = State::Background { stop },
            Err(error) => self.console.error(&error.to_string()),
        }
    }

    fn on_task_done(&mut self, done: Result<(), String>) {
        self.state = State::Idle;
        if let Err(error) = done {
            self.console.error(&error);
        }
    }
}
