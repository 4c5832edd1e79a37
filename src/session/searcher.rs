//! What a move takes: engine, network, book and endgame tables, and the way from `go` to a task for
//! the search.

use std::cell::OnceCell;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use log::info;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::go::Go;
use super::lag::Lag;
use super::options::{Effect, Options, path};
use crate::board::{Game, Move};
use crate::eval::{Evaluator, Network, Noise};
use crate::notation::book::{Book, BookMove, Choice, choose};
use crate::search::{
    Engine, EngineError, Event, Limits, Listener, SearchResult, Strength, SyzygyOptions, Task,
    TimePlan,
};
use crate::tablebase::Tablebase;
use crate::text::{printable, shortened_path};

pub struct Searcher {
    /// Made when it is first needed: a table that is never used need not be had.
    engine: Option<Engine>,
    /// Read when it is first needed: `uci` is answered at once.
    network: OnceCell<Arc<Network>>,
    book: Option<Book>,
    pub tablebase: Option<Arc<Tablebase>>,
    random: Xoshiro256PlusPlus,
    lag: Lag,
    /// The strength of the last search.
    strength: Option<Strength>,
    /// Which positions a weaker player misjudges; others in each game.
    noise_seed: u64,
}

/// How a search began.
pub enum Begun {
    Search {
        plan: TimePlan,
        /// The move that earlier searches had for the position, if it is one to be searched.
        known: Option<Move>,
    },
    /// What is told of the move.
    BookMove(String),
}

impl Searcher {
    /// Without what the options name: that is for [`Searcher::apply`].
    pub fn new(options: &Options) -> Searcher {
        let mut random = generator(options.seed);
        Searcher {
            engine: None,
            network: OnceCell::new(),
            book: None,
            tablebase: None,
            noise_seed: random.random(),
            random,
            lag: Lag::default(),
            strength: None,
        }
    }

    pub fn network(&self) -> &Arc<Network> {
        self.network.get_or_init(Network::embedded)
    }

    /// Brings an option that was set into effect, with something to tell perhaps. If that fails, all
    /// stays as it was.
    pub fn apply(&mut self, effect: Effect, options: &Options) -> Result<Option<String>, String> {
        let mut note = None;
        match effect {
            Effect::Hash => self.set_hash(options)?,
            Effect::Threads => self.set_threads(options)?,
            Effect::Clear => self.clear(),
            Effect::Network => {
                let file = &options.eval_file;
                let network =
                    Network::load(path(file)).map_err(|e| refused("EvalFile", file, e))?;
                self.network = OnceCell::from(network);
                self.clear();
            }
            Effect::Tables => {
                let opened = path(&options.syzygy_path).map(Tablebase::open).transpose();
                self.tablebase = opened.map_err(wrong_tables)?.map(Arc::new);
                note = self.tablebase.as_ref().map(|tablebase| tablebase.to_string());
                self.clear();
            }
            Effect::Book => {
                let file = &options.book_file;
                self.book = Book::load(path(file)).map_err(|e| refused("BookFile", file, e))?;
            }
            Effect::Seed => {
                self.random = generator(options.seed);
                self.noise_seed = self.random.random();
            }
            Effect::None | Effect::Log => {}
        }
        Ok(note)
    }

    /// Makes the engine, with less than the options say if the system has no more.
    pub fn prepare(&mut self, options: &Options) -> Result<(), String> {
        if self.engine.is_some() {
            return Ok(());
        }
        let (threads, megabytes) = (options.threads as usize, options.hash as usize);
        self.make_engine(options).map_err(|error| {
            let smaller = match error {
                EngineError::Table(_) => Engine::new(threads, Options::new().hash as usize),
                EngineError::Threads(most) => Engine::new(most, megabytes),
            };
            self.engine = smaller.or_else(|_| Engine::new(1, 1)).ok();
            refused_by_system(error)
        })
    }

    fn make_engine(&mut self, options: &Options) -> Result<(), EngineError> {
        let engine = Engine::new(options.threads as usize, options.hash as usize)?;
        self.engine = Some(engine);
        Ok(())
    }

    fn set_hash(&mut self, options: &Options) -> Result<(), String> {
        let done = match &mut self.engine {
            Some(engine) => engine.set_hash(options.hash as usize).map_err(EngineError::Table),
            None => self.make_engine(options),
        };
        done.map_err(refused_by_system)
    }

    fn set_threads(&mut self, options: &Options) -> Result<(), String> {
        let done = match &mut self.engine {
            Some(engine) => engine.set_threads(options.threads as usize),
            None => self.make_engine(options),
        };
        done.map_err(refused_by_system)
    }

    pub fn new_game(&mut self) {
        self.noise_seed = self.random.random();
        self.lag.forget();
        self.clear();
    }

    /// Forgets what searches learned.
    fn clear(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.clear();
        }
    }

    /// Begins a search, or answers from the book; the listener hears the result in any case.
    pub fn go(
        &mut self,
        go: &Go,
        limits: Limits,
        game: &Game,
        options: &Options,
        mut listener: Listener,
    ) -> Result<Begun, String> {
        if let Some(BookMove { mv, weight }) = self.book_move(go, &limits, game, options) {
            let time = Duration::ZERO;
            listener(Event::Done(SearchResult { best: Some(mv), ponder: None, nodes: 0, time }));
            let san = game.position().san(mv);
            return Ok(Begun::BookMove(format!("book move {san}, weight {weight}")));
        }
        let task = self.task(go, limits, game, options);
        let plan = task.plan();
        info!("search of {} for {:?}, {plan:?}", task.position.fen(), task.limits);
        let engine = self.engine.as_mut().ok_or("there is no thread for a search")?;
        let known = engine.tt_move(&task.position).filter(|mv| task.root_moves().contains(mv));
        engine.start(task, listener);
        Ok(Begun::Search { plan, known })
    }

    /// The book's move, if one is to be played. Analysis does without.
    fn book_move(
        &mut self,
        go: &Go,
        limits: &Limits,
        game: &Game,
        options: &Options,
    ) -> Option<BookMove> {
        let analyses = options.analyse_mode || go.infinite || go.mate.is_some();
        let late = u32::from(game.position().move_number()) > options.book_depth;
        if !options.own_book || analyses || late {
            return None;
        }
        let mut moves = self.book.as_ref()?.moves(game);
        moves.retain(|book| limits.moves.is_empty() || limits.moves.contains(&book.mv));
        let choice = if options.best_book_move { Choice::Best } else { Choice::Weighted };
        choose(&moves, choice, &mut self.random)
    }

    /// What is to be searched.
    fn task(&mut self, go: &Go, mut limits: Limits, game: &Game, options: &Options) -> Task {
        let network = Arc::clone(self.network());
        let strength = options.strength();
        let evaluator = match strength {
            None => Evaluator::Network(network),
            Some(Strength { nodes, spread }) => {
                limits.nodes = Some(limits.nodes.map_or(nodes, |wanted| wanted.min(nodes)));
                Evaluator::Noisy(network, Noise { spread, seed: self.noise_seed })
            }
        };
        // A weaker player must not know what a stronger one learned.
        if self.strength != strength {
            self.strength = strength;
            self.clear();
        }
        let timed = limits.time.as_ref().filter(|_| !go.ponder);
        let mut overhead = self.lag.begin(timed, game.position(), Instant::now());
        overhead.next = overhead.next.max(Duration::from_millis(options.move_overhead.into()));
        Task {
            overhead,
            ponders: options.ponder,
            multi_pv: options.multi_pv as usize,
            pondering: go.ponder,
            analyse: options.analyse_mode,
            evaluator,
            single_threaded: strength.is_some(),
            syzygy: SyzygyOptions {
                tablebase: self.tablebase.clone(),
                min_depth: options.syzygy_probe_depth as i32,
                max_pieces: options.syzygy_probe_limit,
                fifty_moves: options.syzygy_50_move_rule,
            },
            tunables: options.tunables,
            ..Task::in_game(game, limits)
        }
    }

    /// A search went so far beyond its hard limit.
    pub fn overran(&mut self, overrun: Duration) {
        self.lag.overran(overrun);
    }

    /// The best move was told.
    pub fn replied(&mut self) {
        self.lag.replied(Instant::now());
    }

    pub fn stop(&self) {
        if let Some(engine) = &self.engine {
            engine.stop();
        }
    }

    pub fn ponder_hit(&self) {
        if let Some(engine) = &self.engine {
            engine.ponder_hit();
        }
    }

    /// An endgame table that turned out to be damaged since this was last asked.
    pub fn damaged_table(&self) -> Option<String> {
        self.tablebase.as_ref()?.next_error().map(wrong_tables)
    }
}

/// A time plan as debug mode tells it.
pub fn times(plan: &TimePlan) -> String {
    let ms = |time: Option<Duration>| {
        time.map_or("none".to_string(), |time| format!("{} ms", time.as_millis()))
    };
    format!("time: soft {}, hard {}", ms(plan.soft), ms(plan.hard))
}

/// The same numbers for the same seed, but new ones for 0.
fn generator(seed: u32) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(if seed == 0 { rand::random() } else { seed.into() })
}

/// Which option the system does not bear.
fn refused_by_system(error: EngineError) -> String {
    let option = match error {
        EngineError::Table(_) => "Hash",
        EngineError::Threads(_) => "Threads",
    };
    format!("option {option}: {error}")
}

/// Why an option does not take a file.
pub fn refused(option: &str, file: &str, reason: impl fmt::Display) -> String {
    format!("option {option}: {}: {reason}", shortened_path(file))
}

fn wrong_tables(reason: impl fmt::Display) -> String {
    let reason: String = reason.to_string().chars().map(printable).collect();
    format!("option SyzygyPath: {reason}")
}
