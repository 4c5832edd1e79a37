//! Whoever plays or analyses: options, network, book, endgame tables, and an engine that searches one
//! position at a time. It knows no line, no console and no voice.

mod go;
mod lag;
mod options;
mod thinking;

use std::cell::OnceCell;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::unbounded;
use log::{info, warn};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::{Game, Move, Position};
use crate::eval::{Evaluator, Network, Taste};
use crate::notation::book::{Book, BookMove, Choice, choose};
use crate::search::{
    Engine, EngineError, Limits, Sight, Strength, SyzygyOptions, Task, most_threads,
};
use crate::system::files;
use crate::system::text::{printable, shortened_path};
use crate::system::time::Instant;
use crate::tablebase::Tablebase;
use lag::Lag;

pub use go::{DEFAULT_MOVE_TIME, Go};
pub use options::{EMPTY, Effect, OPTIONS, OptionError, OptionKind, Options, UciOption, path};
pub use thinking::{Finished, Thinking};

pub struct Player {
    options: Options,
    /// The options at the start.
    defaults: Options,
    /// Made when it is first needed, since its table takes memory.
    engine: Option<Engine>,
    /// Read when it is first needed, so that `uci` is answered at once.
    network: OnceCell<Arc<Network>>,
    book: Option<Arc<Book>>,
    tablebase: Option<Arc<Tablebase>>,
    random: Xoshiro256PlusPlus,
    lag: Lag,
    /// The strength of the last search.
    strength: Option<Strength>,
    /// Decides what a weaker player overlooks and likes. Each game has another.
    person: u64,
}

impl Player {
    /// Opens the files that the options name. An option whose file is of no use becomes empty, and the
    /// second part says why.
    pub fn new(options: Options) -> (Player, Vec<String>) {
        let mut random = generator(options.seed);
        let mut player = Player {
            options: options.clone(),
            defaults: Options::default(),
            engine: None,
            network: OnceCell::new(),
            book: None,
            tablebase: None,
            person: random.random(),
            random,
            lag: Lag::default(),
            strength: None,
        };
        let mut problems = Vec::new();
        for option in OPTIONS {
            if let OptionKind::String { field } = option.kind
                && !field(&mut player.options).is_empty()
                && let Err(problem) = player.apply(option.effect, &options)
            {
                problems.push(problem);
                field(&mut player.options).clear();
            }
        }
        player.defaults = player.options.clone();
        (player, problems)
    }

    /// Another player with these options and files, and an engine of its own once it needs one.
    pub fn beside(other: &Player) -> Player {
        Player {
            options: other.options.clone(),
            defaults: other.defaults.clone(),
            engine: None,
            network: other.network.clone(),
            book: other.book.clone(),
            tablebase: other.tablebase.clone(),
            random: other.random.clone(),
            lag: Lag::default(),
            strength: None,
            person: other.person,
        }
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The options at the start, which are the defaults that are advertised.
    pub fn defaults(&self) -> &Options {
        &self.defaults
    }

    pub fn network(&self) -> &Arc<Network> {
        self.network.get_or_init(Network::embedded)
    }

    pub fn tablebase(&self) -> Option<&Tablebase> {
        self.tablebase.as_deref()
    }

    /// The next endgame table that turned out to be damaged.
    pub fn damaged_table(&self) -> Option<String> {
        self.tablebase.as_ref()?.next_error().map(wrong_tables)
    }

    /// Sets an option, and returns a note for the user, if there is one. An error changes nothing.
    pub fn set(
        &mut self,
        option: &UciOption,
        text: Option<&str>,
    ) -> Result<Option<String>, String> {
        let mut options = self.options.clone();
        option.set(&mut options, text).map_err(|error| error.to_string())?;
        let note = self.apply(option.effect, &options)?;
        self.options = options;
        Ok(note)
    }

    fn apply(&mut self, effect: Effect, options: &Options) -> Result<Option<String>, String> {
        let mut note = None;
        match effect {
            Effect::Hash => self.resize(effect, options).map_err(refused_by_system)?,
            Effect::Threads => {
                self.resize(effect, options).map_err(refused_by_system)?;
                let most = most_threads();
                note = (options.threads as usize > most)
                    .then(|| format!("{most} threads search: four for each processor"));
            }
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
                let book = Book::load(path(file)).map_err(|e| refused("BookFile", file, e))?;
                self.book = book.map(Arc::new);
            }
            Effect::Seed => {
                self.random = generator(options.seed);
                self.person = self.random.random();
            }
            Effect::Log => {
                let file = &options.debug_log_file;
                // The voice writes it.
                let opened = path(file).map(files::append).transpose();
                opened.map_err(|error| refused("Debug Log File", file, error))?;
            }
            Effect::None => {}
        }
        Ok(note)
    }

    /// Makes the engine, smaller than the options say if the system has too little.
    pub fn prepare(&mut self) -> Result<(), String> {
        if self.engine.is_some() {
            return Ok(());
        }
        let (threads, megabytes) = (self.options.threads as usize, self.options.hash as usize);
        Engine::new(threads, megabytes).map(|engine| self.engine = Some(engine)).map_err(|error| {
            let smaller = match error {
                EngineError::Table(_) => Engine::new(threads, Options::default().hash as usize),
                EngineError::Threads(most) => Engine::new(most, megabytes),
            };
            self.engine = smaller.or_else(|_| Engine::new(1, 1)).ok();
            refused_by_system(error)
        })
    }

    /// Gives the engine the table or the threads of the options.
    fn resize(&mut self, effect: Effect, options: &Options) -> Result<(), EngineError> {
        let (threads, megabytes) = (options.threads as usize, options.hash as usize);
        match &mut self.engine {
            Some(engine) if effect == Effect::Hash => engine.set_hash(megabytes)?,
            Some(engine) => engine.set_threads(threads)?,
            None => self.engine = Some(Engine::new(threads, megabytes)?),
        }
        Ok(())
    }

    /// Forgets the game before.
    pub fn new_game(&mut self) {
        self.person = self.random.random();
        self.lag.forget();
        self.clear();
    }

    /// Forgets what searches learned.
    fn clear(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.clear();
        }
    }

    /// Begins a search of the position on the board, or answers from the book.
    pub fn begin(&mut self, game: &Game, go: &Go, now: Instant) -> Result<Thinking, String> {
        if let Some(problem) = go.problem.as_ref().filter(|_| go.is_void()) {
            return Err(problem.clone());
        }
        let (limits, problem) = go.limits(game.position());
        let mut thinking = match self.book_move(go, &limits, game) {
            Some(BookMove { mv, weight }) => {
                let note = format!("book move {}, weight {weight}", game.position().san(mv));
                Thinking::known(go, now, mv, note)
            }
            None => self.search(go, limits, game, now)?,
        };
        thinking.problem = go.problem.clone().or(problem.map(|problem| problem.to_string()));
        Ok(thinking)
    }

    fn search(
        &mut self,
        go: &Go,
        limits: Limits,
        game: &Game,
        now: Instant,
    ) -> Result<Thinking, String> {
        let task = self.task(go, limits, game);
        let plan = task.plan();
        info!("search of {} for {:?}, {plan:?}", task.position.fen(), task.limits);
        let (position, moves, analyses) = (task.position, task.root_moves(), task.analyse);
        let network = Arc::clone(self.network());
        let engine = self.engine.as_mut().ok_or("there is no thread for a search")?;
        let known = engine.tt_move(&position).filter(|mv| moves.contains(mv));
        let (sender, events) = unbounded();
        let running = engine.start(task, Box::new(move |event| drop(sender.send(event))));
        let glance = || plan.hard.and_then(|_| at_a_glance(&network, &position, &moves));
        // Who analyses wants a line, however late.
        let known = known.or_else(glance).filter(|_| !analyses);
        let has_helpers = self.options.threads > 1;
        Ok(Thinking::new(go, plan, now, known, has_helpers, events, running))
    }

    /// The move of this search was sent to the opponent or GUI.
    pub fn answered(&mut self, thinking: &Thinking, now: Instant) {
        self.lag.answered(thinking.spent(now), thinking.overrun());
    }

    /// The book's move, if one is to be played. Analysis does without.
    fn book_move(&mut self, go: &Go, limits: &Limits, game: &Game) -> Option<BookMove> {
        let options = &self.options;
        let analyses = self.analyses(go) || go.infinite || go.mate.is_some();
        let late = u32::from(game.position().move_number()) > options.book_depth;
        if !options.own_book || analyses || late {
            return None;
        }
        let found = self.book.as_ref()?.moves(game);
        let mut moves = found.inspect_err(|error| warn!("BookFile: {error}")).ok()?;
        moves.retain(|book| limits.moves.is_empty() || limits.moves.contains(&book.mv));
        let choice = if options.best_book_move { Choice::Best } else { Choice::Weighted };
        choose(&moves, choice, &mut self.random)
    }

    /// What is to be searched.
    fn task(&mut self, go: &Go, mut limits: Limits, game: &Game) -> Task {
        let network = Arc::clone(self.network());
        let analyses = self.analyses(go);
        let strength = self.options.strength().filter(|_| !analyses);
        let strength = strength.map(|strength| strength.in_position(game.position()));
        let seed = self.person;
        let (evaluator, sight) = match strength {
            None => (Evaluator::Network(network), None),
            Some(Strength { nodes, sight, selfishness, spread, simplicity }) => {
                limits.nodes = Some(limits.nodes.map_or(nodes, |wanted| wanted.min(nodes)));
                let taste = Taste { spread, simplicity, seed };
                (
                    Evaluator::Tasted(network, taste),
                    sight.map(|rating| Sight { rating, selfishness, seed }),
                )
            }
        };
        // A weaker player must not know what a stronger one learned.
        if self.strength != strength {
            self.strength = strength;
            self.clear();
        }
        let options = &self.options;
        let mut overhead = self.lag.begin(limits.time.as_ref(), game.position());
        overhead.next = overhead.next.max(Duration::from_millis(options.move_overhead.into()));
        Task {
            overhead,
            ponders: options.ponder,
            multi_pv: go.lines.unwrap_or(options.multi_pv) as usize,
            pondering: go.ponder,
            analyse: analyses,
            evaluator,
            sight,
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

    /// Analysis is at full strength and without a book.
    fn analyses(&self, go: &Go) -> bool {
        go.analyse || self.options.analyse_mode
    }
}

/// The move that leads to the best position as the network alone sees it: what there is to answer with
/// if the system lets no search begin in time.
fn at_a_glance(network: &Network, position: &Position, moves: &[Move]) -> Option<Move> {
    moves.iter().copied().min_by_key(|&mv| network.evaluate(&position.after(mv)))
}

/// The random numbers of a seed; for 0 others each time.
pub fn generator(seed: u32) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(if seed == 0 { rand::random() } else { seed.into() })
}

/// The option for which the system has too little.
fn refused_by_system(error: EngineError) -> String {
    let option = match error {
        EngineError::Table(_) => "Hash",
        EngineError::Threads(_) => "Threads",
    };
    format!("option {option}: {error}")
}

/// Why an option does not take a file.
fn refused(option: &str, file: &str, reason: impl fmt::Display) -> String {
    format!("option {option}: {}: {reason}", shortened_path(file))
}

fn wrong_tables(reason: impl fmt::Display) -> String {
    let reason: String = reason.to_string().chars().map(printable).collect();
    format!("option SyzygyPath: {reason}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However late the system lets the search begin, there is a move, and not any.
    #[test]
    fn a_search_that_never_ran_had_no_move() {
        let (mut player, _) = Player::new(Options::default());
        player.prepare().expect("a thread and a small table can be had");
        let position = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1".parse().expect("a position");
        let go = Go { time: [Some(100); 2], ..Go::default() };
        let mut thinking =
            player.begin(&Game::new(position), &go, Instant::now()).expect("a search");
        let late_at = thinking.late_at().expect("a move is known");
        std::thread::sleep(late_at.saturating_duration_since(Instant::now()));
        // Nothing that it told was heard.
        thinking.late(Instant::now());
        let best = thinking.answer().expect("it is late").result.best;
        assert_eq!(best, position.parse_uci("e4d5").ok());
    }
}
