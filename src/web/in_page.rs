//! The engine inside a web page: the functions that `page/own_engine.js` calls. In the page it is the board's
//! voice; in the page's workers it searches and reviews.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crossbeam_channel::{Sender, unbounded};
use serde::Deserialize;

use super::board_state::BoardState;
use super::earlier::Earlier;
use super::messages::Reply;
use super::tabs::TabEvent;
use super::voice::Voice;
use crate::coach::{self, Background, NODES, Order};
use crate::library::{Library, Pages};
use crate::page::live;
use engine::bench::{self, Report};
use engine::eval::{Evaluator, Network};
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

/// What the page knows at the start.
#[derive(Deserialize)]
struct Visit {
    /// The size of the first hash table in megabytes.
    hash: u32,
    /// Why the browser keeps nothing, if that is so.
    problem: Option<String>,
    /// What earlier versions kept.
    earlier: Earlier,
}

/// Starts with the library of earlier visits, which is empty at first.
#[unsafe(no_mangle)]
extern "C" fn begin(visit: *mut u8, visit_size: usize, library: *mut u8, library_size: usize) {
    std::panic::set_hook(Box::new(|panic| {
        let lost = serde_json::json!({ "tell": "lost", "text": panic.to_string() });
        tell_page(lost.to_string().as_bytes());
    }));
    let (visit, library) = (take(visit, visit_size), take(library, library_size));
    let visit = serde_json::from_slice(&visit);
    let Visit { hash, problem, earlier } =
        visit.unwrap_or(Visit { hash: 16, problem: None, earlier: Earlier::default() });
    let (library, pages, problem) = open(library.into_vec(), problem);
    if problem.is_none() && library.is_migrated().is_ok_and(|is_migrated| !is_migrated) {
        earlier.bring(&library).ok();
    }
    let board: Option<BoardState> = library.board().ok().flatten();
    let mut board = board.unwrap_or_else(|| {
        let mut board = BoardState::default();
        board.settings.hash = hash;
        board
    });
    board.begin();
    let network = Network::embedded();
    let order = Order { nodes: NODES, threads: 1, hash: 1, network, rests: Arc::default() };
    let background = Background::begin(library, pages, order, problem);
    let (sender, inputs) = unbounded();
    let (voice, _) = Voice::new(&Options::default(), inputs, board, background, None);
    let tell = |event: &str| {
        tell_page(event.as_bytes());
        true
    };
    sender.send(TabEvent::Opened(TAB, Box::new(tell))).ok();
    VOICE.set(Some((voice, sender)));
}

/// The library that the browser keeps. One that is damaged stays as it is, and nothing is kept.
fn open(bytes: Vec<u8>, problem: Option<String>) -> (Library, Arc<Pages>, Option<String>) {
    let pages = match &problem {
        None => Pages::new(bytes, Box::new(wasm::keep_file)),
        Some(_) => Pages::new(bytes, Box::new(|_, _| ())),
    };
    match Library::of_pages(&pages) {
        Ok(library) => (library, pages, problem),
        Err(error) => {
            let pages = Pages::new(Vec::new(), Box::new(|_, _| ()));
            let library = Library::of_pages(&pages).expect("an empty library in memory");
            (library, pages, Some(format!("Nothing is kept: {error}.")))
        }
    }
}

/// Takes a question in JSON. Its answer comes with its number.
#[unsafe(no_mangle)]
extern "C" fn ask(number: u32, bytes: *mut u8, count: usize) {
    let answer = move |answer: Reply| {
        tell_page(format!("{{\"number\":{number},\"answer\":{}}}", answer.json()).as_bytes());
    };
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
        coach::obey(&order);
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
