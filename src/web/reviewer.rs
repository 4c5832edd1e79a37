//! Analyses games of the list one after the other, on a thread of its own.

#[cfg(not(target_family = "wasm"))]
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
#[cfg(not(target_family = "wasm"))]
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, never, unbounded};
use serde::{Deserialize, Serialize};

use super::messages::Message;
use crate::analysis::{GameData, Review, Reviewed, Seen};
use engine::eval::Network;
use engine::notation::{PgnError, PgnGame, PgnReader};
use engine::search::Limits;
use engine::system::time::Instant;
#[cfg(target_family = "wasm")]
use engine::system::wasm::{self, Worker};

/// The least time between two progress reports.
const BETWEEN: Duration = Duration::from_millis(150);

/// The numbers and the PGN of games, the limits per position, and the size of the hash table in megabytes.
#[derive(Serialize, Deserialize)]
struct Order {
    pgn: Vec<(usize, String)>,
    limits: Limits,
    hash: usize,
}

#[derive(Serialize, Deserialize)]
pub enum ReviewEvent {
    /// The number of positions done, the total, and the findings.
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
    /// The findings since the last report.
    seen: Vec<Seen>,
    /// The result.
    said: String,
    /// When to send the next report.
    pub tells_at: Option<Instant>,
    #[cfg(target_family = "wasm")]
    worker: Option<Worker>,
}

impl Reviewer {
    /// Stops the current review, and starts another one of these games with this time per position.
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

    /// Returns a game whose analysis is complete, if there is one.
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

    /// The progress, with the findings since the last call.
    pub fn news(&mut self, edition: u64) -> Message<'static> {
        self.tells_at = None;
        let seen = std::mem::take(&mut self.seen);
        self.state(edition, seen)
    }

    pub fn state(&self, edition: u64, seen: Vec<Seen>) -> Message<'static> {
        let runs = self.runs();
        let share = self.done as f64 / self.all.max(1) as f64;
        let text = match runs {
            true if self.all == 0 => String::new(),
            true => format!("{} of {} positions", self.done, self.all),
            false => self.said.clone(),
        };
        // There is no estimate at first.
        const FIRST: usize = 3;
        let spent = self.begun.filter(|_| runs && self.done >= FIRST);
        let left = spent.map(|begun| (begun.elapsed().as_secs_f64() * (1.0 / share - 1.0)) as u64);
        Message::Review { runs, done: share, left, edition, seen, text }
    }
}

/// Executes the orders of the page's reviewer in a worker.
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
            // A game whose analysis was stopped stays as it was.
            if game.analyses.len() == game.positions.len() {
                hear(ReviewEvent::Game(number, GameData::of(&game).json()));
            }
        }
        Reviewed::Broken(_) => {}
    });
    hear(ReviewEvent::Over(reviewed.map_err(|error| format!("{error}."))));
}
