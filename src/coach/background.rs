//! The library and the coach behind a board, on threads of their own: answers to requests, and reviews in the
//! background with spare time of the machine.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};
use serde_json::Value;

use super::export::{Export, Sink};
use super::reviews::Order;
use super::service::{Service, Task};
use super::wants::{Reply, State, Want};
use crate::library::Library;
use engine::notation::PgnGame;

/// How often a file whose page may be gone is looked after.
const BETWEEN: Duration = Duration::from_secs(1);

/// What a board asks.
enum Call {
    Want(Want, Reply),
    Export(Export, Sink),
    /// The game on the board, and whether it is over.
    Played(Box<PgnGame>, bool),
    /// Another game is on the board.
    NewGame,
    /// The state of the board.
    Board(Value),
    End,
}

/// When it is dropped, everything that it was told is on the disk.
pub struct Background {
    calls: Sender<Call>,
    states: Receiver<State>,
    rests: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Background {
    /// Serves a library. `problem` is what is wrong with the person's own, in whose place this one stands.
    pub fn begin(
        library: Library,
        order: Order,
        problem: Option<String>,
    ) -> io::Result<Background> {
        let (calls, called) = unbounded();
        let (tell, states) = unbounded();
        let rests = Arc::clone(&order.rests);
        let tell = move |state: &State| drop(tell.send(state.clone()));
        let service = Arc::new(Service::new(library, order, problem, tell));
        let thread = spawn("library", move || serve(&service, &called))?;
        Ok(Background { calls, states, rests, thread: Some(thread) })
    }

    pub fn ask(&self, want: Want, reply: Reply) {
        self.call(Call::Want(want, reply));
    }

    /// Hands over everything that the library has.
    pub fn export(&self, export: Export, sink: Sink) {
        self.call(Call::Export(export, sink));
    }

    /// Keeps the game on the board, or replaces it if it went on after an earlier end.
    pub fn add_played(&self, game: PgnGame, is_over: bool) {
        self.call(Call::Played(Box::new(game), is_over));
    }

    /// Another game is on the board.
    pub fn forget_played(&self) {
        self.call(Call::NewGame);
    }

    /// Keeps the state of the board.
    pub fn keep_board(&self, board: Value) {
        self.call(Call::Board(board));
    }

    fn call(&self, call: Call) {
        self.calls.send(call).ok();
    }

    pub fn states(&self) -> &Receiver<State> {
        &self.states
    }

    /// Pauses reviews that nobody waits for while the machine is needed for something else.
    pub fn rest(&self, rests: bool) {
        self.rests.store(rests, Relaxed);
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.call(Call::End);
        self.thread.take().map(JoinHandle::join);
    }
}

/// Serves requests until the end.
fn serve(service: &Arc<Service>, called: &Receiver<Call>) {
    let (wake, woken) = bounded(1);
    let ends = Arc::new(AtomicBool::new(false));
    service.count();
    let (own, own_ends) = (Arc::clone(service), Arc::clone(&ends));
    let reviewer = spawn("reviews", move || review(&own, &woken, &own_ends)).ok();
    let mut has_file = false;
    wake.try_send(()).ok();
    loop {
        let call = match has_file {
            true => called.recv_timeout(BETWEEN),
            false => called.recv().map_err(RecvTimeoutError::from),
        };
        let own = Arc::clone(service);
        match call {
            Ok(Call::Want(
                want @ (Want::Overview | Want::Judge { .. } | Want::Moves { .. }),
                reply,
            )) => {
                spawn("an answer", move || reply(own.answer(want))).ok();
            }
            Ok(Call::Want(want, reply)) => {
                let gives_work = Service::gives_work(&want);
                reply(service.answer(want));
                if gives_work {
                    wake.try_send(()).ok();
                }
            }
            Ok(Call::Export(export, sink)) => {
                spawn("an export", move || export.hand_over(&own.library, sink)).ok();
            }
            Ok(Call::Played(game, is_over)) => {
                service.add_played(&game, is_over);
                wake.try_send(()).ok();
            }
            Ok(Call::NewGame) => service.forget_played(),
            Ok(Call::Board(board)) => service.keep_board(&board),
            Err(RecvTimeoutError::Timeout) => {}
            Ok(Call::End) | Err(RecvTimeoutError::Disconnected) => break,
        }
        has_file = service.end_lost_file();
    }
    ends.store(true, Relaxed);
    service.stop.store(true, Relaxed);
    drop(wake);
    reviewer.map(JoinHandle::join);
}

/// Reviews games whenever there are some and the machine has time.
fn review(service: &Service, woken: &Receiver<()>, ends: &AtomicBool) {
    if let Err(error) = service.add_summaries() {
        service.change(|state| state.problem = Some(error.to_string()));
    }
    service.changed();
    while woken.recv().is_ok() {
        let mut problem = None;
        while problem.is_none() && !ends.load(Relaxed) {
            service.stop.store(false, Relaxed);
            // An end that came just before must not be missed.
            service.stop.fetch_or(ends.load(Relaxed), Relaxed);
            let batch = match service.next_batch() {
                Ok(Some(batch)) => batch,
                Ok(None) => break,
                Err(error) => {
                    problem = Some(error.to_string());
                    break;
                }
            };
            service.change(|state| state.is_reviewing = true);
            problem = service.work(&Task::Review(batch.clone())).err();
            service.end_batch(&batch);
        }
        service.change(|state| {
            state.is_reviewing = false;
            state.problem = problem.or(state.problem.take());
        });
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name(name.to_string()).spawn(work)
}
