//! Search threads, started and stopped in every state.

use std::env;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use engine::board::{Game, Position};
use engine::search::{Engine, Event, Limits, Running, Task};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::common::search;

/// Starts a search that only a stop ends.
fn start(engine: &mut Engine, position: Position) -> (Receiver<Event>, Option<Running>) {
    let (sender, events) = channel();
    let task = Task::new(position, Limits::default());
    let running = engine.start(task, Box::new(move |event| drop(sender.send(event))));
    (events, running)
}

fn is_done(event: &Event) -> bool {
    matches!(event, Event::Done(_))
}

/// Helpers search deeper than the main thread, but a depth limit applies to every reported line.
#[test]
fn a_depth_is_kept_by_all_threads() {
    let mut engine = Engine::new(4, 16).expect("a small table can be had");
    for depth in 1..=12 {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let found = search(&mut engine, Task::new(Position::start(), limits));
        assert_eq!(found.lines.iter().map(|line| line.depth).max(), Some(depth));
    }
}

fn random_position(random: &mut SmallRng) -> Position {
    let mut game = Game::new(Position::start());
    for _ in 0..random.random_range(0..80) {
        if game.ending().is_some() {
            break;
        }
        let moves = game.position().legal_moves();
        game.play(moves[random.random_range(0..moves.len())]);
    }
    *game.position()
}

/// Searches are stopped, replaced and left running, with all kinds of changes in between.
///
/// A nightly compiler's sanitizers see more: `ZEBU_SECONDS=60 cargo +nightly test --release --target
/// x86_64-unknown-linux-gnu --test search any_order` with `RUSTFLAGS=-Zsanitizer=address`;
/// `-Zsanitizer=thread` also needs the standard library built with it, by `-Zbuild-std` and
/// `CARGO_PROFILE_RELEASE_PANIC=unwind`.
#[test]
fn any_order_of_orders() {
    let seconds = env::var("ZEBU_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(2.0);
    let deadline = Instant::now() + Duration::from_secs_f64(seconds);
    let mut random = SmallRng::seed_from_u64(88);
    let mut engine = Engine::new(4, 1).expect("a small table can be had");
    let mut searches = Vec::new();
    while Instant::now() < deadline {
        let (events, running) = start(&mut engine, random_position(&mut random));
        searches.push(events);
        std::thread::sleep(Duration::from_micros(random.random_range(0..40_000)));
        match random.random_range(0..8) {
            0 => engine.clear(),
            1 => engine.set_hash(random.random_range(1..64)).expect("a small table can be had"),
            2 => drop(engine.set_threads(random.random_range(1..5))),
            3 => drop(engine.set_threads(4)),
            4 => running.iter().for_each(Running::ponder_hit),
            _ => engine.stop(),
        }
    }
    drop(engine);
    let count = searches.len();
    for search in searches {
        assert_eq!(search.iter().filter(is_done).count(), 1, "each search ends once");
    }
    println!("{count} searches");
}
