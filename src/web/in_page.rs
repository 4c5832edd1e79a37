//! The engine inside a web page: the functions that `page/own_engine.js` calls. In the page it is the board's
//! voice; in the page's workers it searches and reviews.

use std::cell::RefCell;
use std::sync::atomic::AtomicBool;

use crossbeam_channel::{Sender, unbounded};

use super::kept::SavedState;
use super::messages::Reply;
use super::reviewer;
use super::tabs::TabEvent;
use super::voice::Voice;
use crate::page::live;
use engine::bench::{self, Report};
use engine::eval::Evaluator;
use engine::player::Options;
use engine::search::{self, per_second};
use engine::system::time::Instant;
use engine::system::wasm::{self, tell_page};

/// The only tab.
const TAB: u64 = 1;

thread_local! {
    static VOICE: RefCell<Option<(Voice, Sender<TabEvent>)>> = const { RefCell::new(None) };
}

/// Allocates memory for an argument from the page. The function that gets it frees it.
#[unsafe(no_mangle)]
extern "C" fn allocate(count: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; count].into_boxed_slice()).cast()
}

fn take(bytes: *mut u8, count: usize) -> Box<[u8]> {
    // SAFETY: the page passes memory from `allocate`, once.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(bytes, count)) }
}

/// Starts with the state of an earlier visit, or else with a hash table of this many megabytes.
#[unsafe(no_mangle)]
extern "C" fn begin(bytes: *mut u8, count: usize, hash: u32) {
    std::panic::set_hook(Box::new(|panic| {
        let lost = serde_json::json!({ "tell": "lost", "text": panic.to_string() });
        tell_page(lost.to_string().as_bytes());
    }));
    let text = take(bytes, count);
    let is_first = text.is_empty() || text.starts_with(b"\n");
    let mut kept = SavedState::of(&text);
    if is_first {
        kept.settings.hash = hash;
    }
    let (sender, inputs) = unbounded();
    let (voice, _) = Voice::new(&Options::default(), inputs, kept);
    let tell = |event: &str| {
        tell_page(event.as_bytes());
        true
    };
    sender.send(TabEvent::Opened(TAB, Box::new(tell))).ok();
    VOICE.set(Some((voice, sender)));
}

/// Takes a question in JSON. Its answer comes before the end of the next turn.
#[unsafe(no_mangle)]
extern "C" fn ask(bytes: *mut u8, count: usize) {
    let answer = |answer: Reply| tell_page(answer.json().as_bytes());
    match serde_json::from_slice(&take(bytes, count)) {
        Ok(ask) => VOICE.with_borrow(|voice| {
            if let Some((_, sender)) = voice {
                sender.send(TabEvent::Asked(TAB, ask, Box::new(answer))).ok();
            }
        }),
        Err(error) => answer(Reply::Wrong(error.to_string())),
    }
}

/// Takes a worker's message.
#[unsafe(no_mangle)]
extern "C" fn hear(worker: u32, bytes: *mut u8, count: usize) {
    wasm::hear(worker, &take(bytes, count));
}

/// Does what is due, and returns the milliseconds until more is due, or -1.
#[unsafe(no_mangle)]
extern "C" fn turn() -> f64 {
    VOICE.with_borrow_mut(|voice| {
        let wakes_at = voice.as_mut().and_then(|(voice, _)| voice.turn());
        wakes_at.map_or(-1.0, |at| 1000.0 * (at - Instant::now()).as_secs_f64())
    })
}

/// Executes an order of the page in a worker.
#[unsafe(no_mangle)]
extern "C" fn obey(bytes: *mut u8, count: usize) {
    let order = take(bytes, count);
    if !search::obey(&order) {
        reviewer::obey(&order);
    }
}

/// Runs the benchmark, and reports nodes and speed.
#[unsafe(no_mangle)]
extern "C" fn bench(depth: u32) {
    let settings = bench::Settings { depth, ..bench::Settings::default() };
    let tell = |report| {
        if let Report::Bench { nodes, time } = report {
            tell_page(format!("{nodes} nodes {} nps", per_second(nodes, time)).as_bytes());
        }
    };
    bench::run(settings, Evaluator::default(), tell, &AtomicBool::new(false)).ok();
}

/// The page, its style and its scripts, to be written to files.
#[unsafe(no_mangle)]
extern "C" fn page() {
    for part in [live::page(), live::style(), live::script()] {
        tell_page(part.as_bytes());
    }
}
