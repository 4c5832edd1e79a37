//! A review on a thread of its own: it analyses games of the list, one after the other.

#[cfg(not(target_family = "wasm"))]
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
#[cfg(not(target_family = "wasm"))]
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, never, unbounded};
use serde::{Deserialize, Serialize};

use super::messages::Tell;
use crate::analysis::{GameData, Review, Reviewed, Seen};
use crate::eval::Network;
use crate::notation::{PgnError, PgnGame, PgnReader};
use crate::search::Limits;
use crate::time::Instant;
#[cfg(target_family = "wasm")]
use crate::wasm::{self, Worker};

/// How often tabs are told how far it is, at most.
const BETWEEN: Duration = Duration::from_millis(150);

/// The numbers and the PGN of games, the limits for each position, and megabytes for the table.
#[derive(Serialize, Deserialize)]
struct Order {
    pgn: Vec<(usize, String)>,
    limits: Limits,
    hash: usize,
}

#[derive(Serialize, Deserialize)]
pub enum ReviewEvent {
    /// The positions that are done, of so many, and what was found.
    Progress(usize, usize, Option<Seen>),
    /// A game's number and its JSON.
    Game(usize, String),
    Over(Result<(), String>),
}

#[derive(Default)]
pub struct Reviewer {
    events: Option<Receiver<ReviewEvent>>,
    stop: Arc<AtomicBool>,
    begun: Option<Instant>,
    games: usize,
    done: usize,
    all: usize,
    /// What was found since tabs were told.
    seen: Vec<Seen>,
    /// What it came to.
    said: String,
    /// When tabs are to be told more.
    pub tells_at: Option<Instant>,
    #[cfg(target_family = "wasm")]
    worker: Option<Worker>,
}

impl Reviewer {
    /// Begins with games by their numbers and so much time for each position, and ends what runs.
    pub fn begin(
        &mut self,
        pgn: Vec<(usize, String)>,
        time: Duration,
        hash: usize,
        network: Arc<Network>,
    ) -> Result<(), String> {
        self.stop();
        let (sender, events) = unbounded();
        let begun = Some(Instant::now());
        *self = Reviewer { events: Some(events), begun, tells_at: begun, ..Reviewer::default() };
        let limits = Limits { move_time: Some(time), ..Limits::default() };
        self.start(Order { pgn, limits, hash }, network, move |event| drop(sender.send(event)))
    }

    #[cfg(not(target_family = "wasm"))]
    fn start(
        &mut self,
        order: Order,
        network: Arc<Network>,
        mut hear: impl FnMut(ReviewEvent) + Send + 'static,
    ) -> Result<(), String> {
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let stop = Arc::clone(&self.stop);
        let work = move || run(order, threads, network, &stop, &mut hear);
        let begun = thread::Builder::new().name("review".to_string()).spawn(work);
        begun.map(drop).map_err(|error| format!("There is no thread for a review: {error}."))
    }

    #[cfg(target_family = "wasm")]
    fn start(
        &mut self,
        order: Order,
        _: Arc<Network>,
        mut hear: impl FnMut(ReviewEvent) + 'static,
    ) -> Result<(), String> {
        let order = serde_json::to_vec(&order).map_err(|error| error.to_string())?;
        let worker = self.worker.insert(Worker::new());
        worker.order(&order, move |event| {
            serde_json::from_slice(event).into_iter().for_each(&mut hear);
        });
        Ok(())
    }

    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
        #[cfg(target_family = "wasm")]
        self.worker.iter().for_each(Worker::stop);
    }

    pub fn runs(&self) -> bool {
        self.events.is_some()
    }

    pub fn events(&self) -> Receiver<ReviewEvent> {
        self.events.clone().unwrap_or_else(never)
    }

    /// Gives the game that is analysed, if one is.
    pub fn hear(&mut self, event: ReviewEvent) -> Option<(usize, String)> {
        self.tells_at.get_or_insert_with(|| Instant::now() + BETWEEN);
        match event {
            ReviewEvent::Progress(done, all, seen) => {
                (self.done, self.all) = (done, all);
                self.seen.extend(seen);
            }
            ReviewEvent::Game(number, json) => {
                self.games += 1;
                return Some((number, json));
            }
            ReviewEvent::Over(over) => {
                self.events = None;
                self.said = over.err().unwrap_or_else(|| self.summary());
            }
        }
        None
    }

    fn summary(&self) -> String {
        let stopped = if self.stop.load(Relaxed) { "Stopped. " } else { "" };
        match self.games {
            1 => format!("{stopped}1 game is analysed."),
            games => format!("{stopped}{games} games are analysed."),
        }
    }

    /// How far it is, with what was found since this was last asked for.
    pub fn news(&mut self, edition: u64) -> Tell<'static> {
        self.tells_at = None;
        let seen = std::mem::take(&mut self.seen);
        self.state(edition, seen)
    }

    pub fn state(&self, edition: u64, seen: Vec<Seen>) -> Tell<'static> {
        let runs = self.runs();
        let share = self.done as f64 / self.all.max(1) as f64;
        let text = match runs {
            true if self.all == 0 => String::new(),
            true => format!("{} of {} positions", self.done, self.all),
            false => self.said.clone(),
        };
        // At first there is nothing to guess by.
        const FIRST: usize = 3;
        let spent = self.begun.filter(|_| runs && self.done >= FIRST);
        let left = spent.map(|begun| (begun.elapsed().as_secs_f64() * (1.0 / share - 1.0)) as u64);
        Tell::Review { runs, done: share, left, edition, seen, text }
    }
}

/// Does what a page's reviewer orders, as its worker.
#[cfg(target_family = "wasm")]
pub fn obey(order: &[u8]) {
    if let Ok(order) = serde_json::from_slice(order) {
        run(order, 1, Network::embedded(), &AtomicBool::new(false), &mut |event| {
            wasm::tell_page(&serde_json::to_vec(&event).unwrap_or_default());
        });
    }
}

fn run(
    order: Order,
    threads: usize,
    network: Arc<Network>,
    stop: &AtomicBool,
    hear: &mut dyn FnMut(ReviewEvent),
) {
    let Order { pgn, limits, hash } = order;
    let review = Review { limits, multi_pv: 1, threads, hash, network, notebook: None };
    let read = |(number, pgn): &(usize, String)| -> Option<Result<PgnGame, PgnError>> {
        let mut game = PgnReader::new(pgn.as_bytes()).next()?.ok()?;
        game.number = *number;
        Some(Ok(game))
    };
    let all: usize = pgn.iter().filter_map(read).flatten().map(|game| game.moves.len() + 1).sum();
    let reviewed = review.run(pgn.iter().filter_map(read), stop, |reviewed| match reviewed {
        Reviewed::Progress { done, seen, .. } => hear(ReviewEvent::Progress(done, all, seen)),
        Reviewed::Game(game) => {
            let number = game.game.number;
            // One that a stop cut short stays as it was.
            if game.analyses.len() == game.positions.len() {
                hear(ReviewEvent::Game(number, GameData::of(&game).json()));
            }
        }
        Reviewed::Broken(_) => {}
    });
    hear(ReviewEvent::Over(reviewed.map_err(|error| format!("{error}."))));
}
