//! A bounded queue of commands that wait for their turn. A stop applies to all commands before it.

use std::collections::VecDeque;
use std::mem;

/// The capacity, in bytes of input and of its storage.
const MOST_BYTES: usize = 16 << 20;

pub struct Queue<T> {
    waiting: VecDeque<Waiting<T>>,
    bytes: usize,
    /// An item did not fit. Nothing more is taken until the queue is empty.
    overflowed: bool,
    /// The number of the last item, from 1, and of the last one before a stop.
    last: u64,
    stopped: u64,
}

struct Waiting<T> {
    item: T,
    number: u64,
    bytes: usize,
}

/// The next item of a queue.
pub struct Next<T> {
    pub item: T,
    pub number: u64,
    /// A stop came after it, so that whatever it starts is stopped at once.
    pub is_stopped: bool,
}

/// Why an item is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// The queue is full, which is worth a message.
    Full,
    /// It is still full.
    StillFull,
}

/// The message of [`Overflow::Full`].
pub const FULL: &str = "too much waits: nothing more is taken until all that is done";

impl<T> Default for Queue<T> {
    fn default() -> Queue<T> {
        Queue { waiting: VecDeque::new(), bytes: 0, overflowed: false, last: 0, stopped: 0 }
    }
}

impl<T> Queue<T> {
    /// Adds an item of this many bytes of input, if it fits.
    pub fn push(&mut self, item: T, length: usize) -> Result<(), Overflow> {
        let bytes = length + size_of::<Waiting<T>>();
        if self.overflowed || self.bytes + bytes > MOST_BYTES {
            return Err(match mem::replace(&mut self.overflowed, true) {
                true => Overflow::StillFull,
                false => Overflow::Full,
            });
        }
        self.add(item, bytes);
        Ok(())
    }

    /// Adds an item that always fits.
    pub fn push_last(&mut self, item: T) {
        self.add(item, 0);
    }

    fn add(&mut self, item: T, bytes: usize) {
        self.last += 1;
        self.bytes += bytes;
        self.waiting.push_back(Waiting { item, number: self.last, bytes });
    }

    pub fn pop(&mut self) -> Option<Next<T>> {
        let Waiting { item, number, bytes } = self.waiting.pop_front()?;
        self.bytes -= bytes;
        Some(Next { item, number, is_stopped: number <= self.stopped })
    }

    /// Whether items were lost since the queue was last empty. If it is empty now, it takes items again.
    pub fn has_lost(&mut self) -> bool {
        self.waiting.is_empty() && mem::take(&mut self.overflowed)
    }

    /// Stops all waiting items: each is still returned, marked as stopped.
    pub fn stop(&mut self) {
        self.stopped = self.last;
    }

    /// Drops all items.
    pub fn clear(&mut self) {
        self.waiting.clear();
        self.bytes = 0;
    }

    /// The number of the last item added.
    pub fn last_number(&self) -> u64 {
        self.last
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.waiting.iter().map(|waiting| &waiting.item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_is_for_what_came_before_it() {
        let mut queue = Queue::default();
        for item in ["a", "b"] {
            queue.push(item, 1).expect("there is room");
        }
        queue.stop();
        queue.push("c", 1).expect("there is room");
        let order: Vec<_> = std::iter::from_fn(|| queue.pop())
            .map(|next| (next.item, next.number, next.is_stopped))
            .collect();
        assert_eq!(order, [("a", 1, true), ("b", 2, true), ("c", 3, false)]);
    }

    #[test]
    fn what_does_not_fit_is_lost_until_the_rest_is_done() {
        let mut queue = Queue::default();
        queue.push(1, MOST_BYTES / 2).expect("there is room");
        assert!(!queue.has_lost());
        assert_eq!(queue.push(2, MOST_BYTES / 2), Err(Overflow::Full));
        // It would fit, but not in its order.
        assert_eq!(queue.push(3, 1), Err(Overflow::StillFull));
        queue.push_last(4);
        assert!(!queue.has_lost(), "it is not empty");
        assert_eq!(queue.pop().map(|next| next.item), Some(1));
        assert_eq!(queue.push(5, 1), Err(Overflow::StillFull));
        assert_eq!(queue.pop().map(|next| next.item), Some(4));
        assert!(queue.has_lost() && !queue.has_lost());
        queue.push(6, MOST_BYTES / 2).expect("there is room again");
        queue.clear();
        queue.push(7, MOST_BYTES / 2).expect("its bytes are free");
        assert_eq!(queue.iter().collect::<Vec<_>>(), [&7]);
    }
}
