//! The tabs that are open, and what they say and are told.

use std::collections::HashMap;

use super::messages::{Answer, Ask, Tell};

/// Takes an event, in JSON, or says that it cannot.
pub type Listener = Box<dyn FnMut(&str) -> bool + Send>;

/// What the voice hears of tabs.
pub enum Input {
    Opened(u64, Listener),
    Closed(u64),
    Asked(u64, Ask, Box<dyn FnOnce(Answer) + Send>),
    /// The end of the program.
    End,
}

#[derive(Default)]
pub struct Tabs(HashMap<u64, Listener>);

impl Tabs {
    pub fn open(&mut self, tab: u64, events: Listener) {
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
        self.0.retain(|_, tab| tab(&event));
    }

    /// A tab whose events wait unread is left: its stream ends, and the page begins a new one, which tells all
    /// that counts.
    pub fn tell_one(&mut self, tab: u64, tell: &Tell) {
        if let Some(listener) = self.0.get_mut(&tab)
            && !listener(&event(tell))
        {
            self.close(tab);
        }
    }
}

fn event(tell: &Tell) -> String {
    serde_json::to_string(tell).unwrap_or_default()
}
