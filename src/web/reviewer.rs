//! A review on a thread of its own, and what came of it.

use std::io::Cursor;
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
use super::tabs::Tabs;
use crate::analysis::{GameData, Review, Reviewed, readable, told};
use crate::eval::Network;
use crate::notation::PgnReader;
use crate::page;
use crate::search::Limits;
#[cfg(target_family = "wasm")]
use crate::wasm::{self, Worker};

/// The results that are given at once.
const MOST_ITEMS: usize = 50;

/// The games of a PGN, the limits for each position, and megabytes for the table.
#[derive(Serialize, Deserialize)]
struct Order {
    pgn: Vec<u8>,
    limits: Limits,
    hash: usize,
}

#[derive(Serialize, Deserialize)]
pub enum ReviewEvent {
    /// The share that is done, and how much that is.
    Progress(f64, String),
    Found(Item),
    Over(Result<(), String>),
}

/// A game as JSON, or what is wrong with one.
#[derive(Serialize, Deserialize)]
pub enum Item {
    Game(String),
    Broken(String),
}

#[derive(Default)]
pub struct Reviewer {
    events: Option<Receiver<ReviewEvent>>,
    stop: Arc<AtomicBool>,
    items: Vec<Item>,
    done: f64,
    /// How far it is, and at the end what it came to.
    said: String,
    #[cfg(target_family = "wasm")]
    worker: Option<Worker>,
}

impl Reviewer {
    /// Begins anew with the games of a PGN and so much time for each position, and ends what runs.
    pub fn begin(
        &mut self,
        pgn: Vec<u8>,
        time: Duration,
        hash: usize,
        network: Arc<Network>,
    ) -> Result<(), String> {
        self.stop();
        let (sender, events) = unbounded();
        *self = Reviewer { events: Some(events), ..Reviewer::default() };
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

    pub fn events(&self) -> Receiver<ReviewEvent> {
        self.events.clone().unwrap_or_else(never)
    }

    pub fn hear(&mut self, event: ReviewEvent, tabs: &mut Tabs) {
        match event {
            ReviewEvent::Progress(done, said) => {
                self.done = done;
                self.said = said;
            }
            ReviewEvent::Found(item) => self.items.push(item),
            ReviewEvent::Over(over) => {
                self.events = None;
                self.said = over.err().unwrap_or_else(|| self.summary());
            }
        }
        tabs.tell(&self.state());
    }

    fn summary(&self) -> String {
        let games = self.items.iter().filter(|item| matches!(item, Item::Game(_))).count();
        let games = match games {
            0 if self.items.is_empty() => "There is no game in it".to_string(),
            1 => "1 game is analysed".to_string(),
            _ => format!("{games} games are analysed"),
        };
        let stopped = if self.stop.load(Relaxed) { "Stopped. " } else { "" };
        format!("{stopped}{games}.")
    }

    pub fn runs(&self) -> bool {
        self.events.is_some()
    }

    pub fn state(&self) -> Tell<'static> {
        let (done, items, text) = (self.done, self.items.len(), self.said.clone());
        Tell::Review { runs: self.events.is_some(), done, items, text }
    }

    /// Some of what there is from one on, in JSON.
    pub fn items(&self, from: usize) -> String {
        let items = self.items.iter().skip(from).take(MOST_ITEMS).map(|item| match item {
            Item::Game(json) => format!("{{\"game\":{json}}}"),
            Item::Broken(text) => serde_json::json!({ "broken": text }).to_string(),
        });
        format!("{{\"items\":[{}]}}", items.collect::<Vec<_>>().join(","))
    }

    /// The page that holds it all.
    pub fn page(&self) -> String {
        let items = self.items.iter().map(|item| match item {
            Item::Game(json) => page::game(json),
            Item::Broken(text) => page::complaint(text),
        });
        page::head("games") + &items.collect::<String>() + page::FOOT
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
    let counted = readable(PgnReader::new(&pgn[..])).flatten();
    let all: usize = counted.map(|game| game.moves.len() + 1).sum();
    let games = readable(PgnReader::new(Cursor::new(pgn)));
    let reviewed = review.run(games, stop, |reviewed| {
        let event = match reviewed {
            // Some positions are looked at twice.
            Reviewed::Progress { done, known } => {
                let all = all.max(known);
                let share = done as f64 / all as f64;
                ReviewEvent::Progress(share, format!("{done} of {all} positions"))
            }
            Reviewed::Game(game) => ReviewEvent::Found(Item::Game(GameData::of(&game).json())),
            Reviewed::Broken(error) => ReviewEvent::Found(Item::Broken(told(&error))),
        };
        hear(event);
    });
    hear(ReviewEvent::Over(reviewed.map_err(|error| format!("{error}."))));
}
