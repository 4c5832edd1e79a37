//! The services of a web page for Zebu in WebAssembly, which lacks a clock, threads and randomness.
//! `page/own_engine.js` is the other side.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ops::{Add, Sub};
use std::time::Duration;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Milliseconds since 1970, never decreasing.
    safe fn now() -> f64;
    /// Fills memory with random bytes.
    fn fill(bytes: *mut u8, count: usize);
    /// Sends a message to the page.
    fn tell(bytes: *const u8, count: usize);
    /// Sends a task to a worker of the page.
    fn order(worker: u32, bytes: *const u8, count: usize);
    /// Stops a worker's task. The worker still reports its end.
    safe fn stop_worker(worker: u32);
    safe fn end_worker(worker: u32);
    /// Keeps a block of a file. It counts with the next `kept`.
    fn keep(block: u32, bytes: *const u8, count: usize);
    /// The blocks of before belong together, and the file has this length.
    safe fn kept(length: f64);
    /// Whether this worker's task should stop.
    safe fn is_told_to_stop() -> bool;
}

/// A point in time; the counterpart of `std::time::Instant`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(Duration);

impl Instant {
    pub fn now() -> Instant {
        Instant(Duration::from_secs_f64(now() / 1000.0))
    }

    pub fn since_1970(self) -> Duration {
        self.0
    }

    pub fn elapsed(self) -> Duration {
        Instant::now() - self
    }

    pub fn saturating_duration_since(self, earlier: Instant) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    pub fn checked_add(self, time: Duration) -> Option<Instant> {
        self.0.checked_add(time).map(Instant)
    }
}

impl Add<Duration> for Instant {
    type Output = Instant;

    fn add(self, time: Duration) -> Instant {
        Instant(self.0.saturating_add(time))
    }
}

impl Sub for Instant {
    type Output = Duration;

    fn sub(self, earlier: Instant) -> Duration {
        self.saturating_duration_since(earlier)
    }
}

/// The source of randomness for the crate `getrandom`.
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(
    bytes: *mut u8,
    count: usize,
) -> Result<(), getrandom::Error> {
    // SAFETY: the memory is the caller's.
    unsafe { fill(bytes, count) };
    Ok(())
}

/// Sends a message to the page, in JSON.
pub fn tell_page(json: &[u8]) {
    // SAFETY: the page reads it before it returns.
    unsafe { tell(json.as_ptr(), json.len()) };
}

/// Has the browser keep the changed blocks of a file of this length.
pub fn keep_file(length: usize, blocks: &[(usize, &[u8])]) {
    for &(number, bytes) in blocks {
        // SAFETY: the page copies it before it returns.
        unsafe { keep(number as u32, bytes.as_ptr(), bytes.len()) };
    }
    kept(length as f64);
}

/// The interval between two questions whether to stop.
const BETWEEN: Duration = Duration::from_millis(20);

thread_local! {
    static LOOKED: Cell<Instant> = const { Cell::new(Instant(Duration::ZERO)) };
}

/// Whether the page wants the current task to end. The page is asked only now and then, because the answer
/// takes a while.
pub fn is_stopped() -> bool {
    let now = Instant::now();
    let looks = now - LOOKED.get() >= BETWEEN;
    looks && {
        LOOKED.set(now);
        is_told_to_stop()
    }
}

type Hear = Box<dyn FnMut(&[u8])>;

thread_local! {
    /// The listener of each worker of the page.
    static LISTENERS: RefCell<HashMap<u32, Hear>> = RefCell::default();
}

/// A worker of the page: another instance of this program, which does one task at a time. Dropping it ends
/// the worker.
pub struct Worker(u32);

impl Worker {
    pub fn new() -> Worker {
        let used = LISTENERS.with_borrow(|listeners| listeners.keys().max().copied());
        let number = used.map_or(0, |last| last + 1);
        LISTENERS.with_borrow_mut(|listeners| listeners.insert(number, Box::new(|_| {})));
        Worker(number)
    }

    /// Queues a task; `hear` receives the worker's messages from now on.
    pub fn order(&self, json: &[u8], hear: impl FnMut(&[u8]) + 'static) {
        LISTENERS.with_borrow_mut(|listeners| listeners.insert(self.0, Box::new(hear)));
        // SAFETY: the page copies it before it returns.
        unsafe { order(self.0, json.as_ptr(), json.len()) };
    }

    pub fn number(&self) -> u32 {
        self.0
    }

    pub fn stop(&self) {
        stop(self.0);
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        LISTENERS.with_borrow_mut(|listeners| listeners.remove(&self.0));
        end_worker(self.0);
    }
}

/// Stops a worker's task.
pub fn stop(worker: u32) {
    stop_worker(worker);
}

/// Passes a worker's message to its listener.
pub fn hear(worker: u32, json: &[u8]) {
    LISTENERS.with_borrow_mut(|listeners| {
        if let Some(hear) = listeners.get_mut(&worker) {
            hear(json);
        }
    });
}
