//! Threads that search, and what they send.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, scope};

use zebu::search::STACK_BYTES;

/// Runs each worker on a thread of its own. `receive` gets what they send, until they have all ended.
pub fn on_threads<W: Send, T: Send>(
    workers: Vec<W>,
    work: impl Fn(W, &Sender<T>) + Sync,
    receive: impl FnOnce(Receiver<T>) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let work = &work;
    scope(|scope| {
        let (sender, results) = channel();
        for worker in workers {
            let sender = sender.clone();
            let thread = Builder::new().stack_size(STACK_BYTES);
            thread.spawn_scoped(scope, move || work(worker, &sender))?;
        }
        drop(sender);
        receive(results)
    })
}

/// Numbered results in their order, from this number on, so that the threads do not decide it.
pub fn in_order<T>(
    mut next: u64,
    results: impl IntoIterator<Item = (u64, T)>,
) -> impl Iterator<Item = T> {
    let mut early = BTreeMap::new();
    results.into_iter().flat_map(move |(number, result)| {
        early.insert(number, result);
        let mut ready = Vec::new();
        while let Some(result) = early.remove(&next) {
            ready.push(result);
            next += 1;
        }
        ready
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        let mut numbers = Vec::new();
        let work = |worker: u64, sender: &Sender<(u64, u64)>| {
            for number in (0..100).filter(|number| number % 3 == worker).rev() {
                sender.send((number, number)).unwrap();
            }
        };
        let receive = |results| {
            numbers.extend(in_order(0, results));
            Ok(())
        };
        on_threads(vec![0, 1, 2], work, receive).unwrap();
        assert_eq!(numbers, (0..100).collect::<Vec<_>>());
        assert_eq!(
            in_order(5, [(7, 'c'), (5, 'a'), (9, 'e'), (6, 'b')]).collect::<String>(),
            "abc"
        );
    }
}
