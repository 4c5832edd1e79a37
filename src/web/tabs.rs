//! The tabs that are open, and what they say and are told.

use std::collections::HashMap;

use hyper::body::Bytes;
use tokio::sync::{mpsc, oneshot};

use super::messages::{Answer, Ask, Tell};

/// What the voice hears from the server.
pub enum Input {
    Opened(u64, mpsc::Sender<Bytes>),
    Closed(u64),
    Asked(u64, Ask, oneshot::Sender<Answer>),
    /// The end of the program.
    End,
}

#[derive(Default)]
pub struct Tabs(HashMap<u64, mpsc::Sender<Bytes>>);

impl Tabs {
    pub fn open(&mut self, tab: u64, events: mpsc::Sender<Bytes>) {
        self.0.insert(tab, events);
    }

    pub fn close(&mut self, tab: u64) {
        self.0.remove(&tab);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn tell(&mut self, tell: &Tell) {
        let event = event(tell);
        self.0.retain(|_, tab| tab.try_send(event.clone()).is_ok());
    }

    /// A tab whose events wait unread is left: its stream ends, and the page begins a new one, which tells all
    /// that counts.
    pub fn tell_one(&mut self, tab: u64, tell: &Tell) {
        if let Some(sender) = self.0.get(&tab)
            && sender.try_send(event(tell)).is_err()
        {
            self.close(tab);
        }
    }
}

fn event(tell: &Tell) -> Bytes {
    format!("data: {}\n\n", serde_json::to_string(tell).unwrap_or_default()).into()
}
