//! The open tabs, and the messages from and to them.

use std::collections::HashMap;

use super::messages::{Ask, Message, Reply};
use crate::coach::{Export, Sink};

/// Sends an event in JSON. `false`: the tab takes none.
pub type Listener = Box<dyn FnMut(&str) -> bool + Send>;

/// An event from a tab or from the program.
pub enum TabEvent {
    Opened(u64, Listener),
    Closed(u64),
    Asked(u64, Ask, Box<dyn FnOnce(Reply) + Send>),
    /// The library is downloaded.
    Export(Export, Sink),
    /// The program ends.
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

    pub fn tell(&mut self, tell: &Message) {
        let event = event(tell);
        self.0.retain(|_, tab| tab(&event));
    }

    /// Sends an event to all tabs. A tab with too many unread events is dropped: its stream ends, and the page
    /// starts a new one with the full state.
    pub fn tell_one(&mut self, tab: u64, tell: &Message) {
        if let Some(listener) = self.0.get_mut(&tab)
            && !listener(&event(tell))
        {
            self.close(tab);
        }
    }
}

fn event(tell: &Message) -> String {
    serde_json::to_string(tell).unwrap_or_default()
}
