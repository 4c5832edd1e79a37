//! A review on a thread of its own, and what came of it.

use std::io::Cursor;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, Builder};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, never, unbounded};

use super::messages::Tell;
use super::tabs::Tabs;
use crate::analysis::{GameData, Review, Reviewed, readable, told};
use crate::eval::Network;
use crate::notation::PgnReader;
use crate::page;
use crate::search::Limits;

/// The results that are given at once.
const MOST_ITEMS: usize = 50;

pub enum ReviewEvent {
    /// The share that is done, and how much that is.
    Progress(f64, String),
    Found(Item),
    Over(Result<(), String>),
}

/// A game as JSON, or what is wrong with one.
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
        let review = Review {
            limits: Limits { move_time: Some(time), ..Limits::default() },
            multi_pv: 1,
            threads: thread::available_parallelism().map_or(1, NonZero::get),
            hash,
            network,
        };
        let (sender, events) = unbounded();
        let stop = Arc::new(AtomicBool::new(false));
        *self = Reviewer { events: Some(events), stop: Arc::clone(&stop), ..Reviewer::default() };
        let work = move || {
            let over = run(&review, pgn, &stop, &sender);
            sender.send(ReviewEvent::Over(over)).ok();
        };
        let begun = Builder::new().name("review".to_string()).spawn(work);
        begun.map(drop).map_err(|error| format!("There is no thread for a review: {error}."))
    }

    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
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

fn run(
    review: &Review,
    pgn: Vec<u8>,
    stop: &AtomicBool,
    events: &Sender<ReviewEvent>,
) -> Result<(), String> {
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
        events.send(event).ok();
    });
    reviewed.map_err(|error| format!("{error}."))
}
