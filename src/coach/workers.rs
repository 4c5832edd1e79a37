//! The library and the coach behind a web page: what takes long is done by workers, each with a copy of the library.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use crossbeam_channel::{Receiver, Sender, unbounded};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::export::{Export, Sink};
use super::reviews::{NODES, Order};
use super::service::{Batch, Service, Task};
use super::wants::{Analysing, Reply, State, Want};
use crate::library::{Finding, Library, Pages};
use engine::eval::Network;
use engine::notation::PgnGame;
use engine::system::wasm::{Worker, tell_page};

/// How the order of a worker begins: the task in JSON follows, and behind a line break the library.
const ORDER: &[u8] = b"library ";

/// The size of a worker's table in megabytes.
const HASH: usize = 16;

/// What a worker tells.
#[derive(Serialize, Deserialize)]
enum Event {
    Found(Finding),
    Progress(Analysing),
    Over(Result<Value, String>),
}

/// A worker, with what it is doing.
struct Assistant<T> {
    worker: Worker,
    events: (Sender<Event>, Receiver<Event>),
    does: RefCell<Option<T>>,
}

pub struct Background {
    service: Service,
    pages: Arc<Pages>,
    states: Receiver<State>,
    /// Reviews, and whether a stop was sent.
    reviewer: Assistant<Batch>,
    stops: Cell<bool>,
    /// A failed review is not tried again before there is something new.
    waits: Cell<bool>,
    /// Answers what takes long, one after the other.
    answerer: Assistant<Reply>,
    waiting: RefCell<VecDeque<(Task, Reply)>>,
    rests: Cell<bool>,
}

impl<T> Assistant<T> {
    fn new() -> Assistant<T> {
        Assistant { worker: Worker::new(), events: unbounded(), does: RefCell::default() }
    }

    fn order(&self, task: &Task, pages: &Pages, what: T) {
        let mut order = ORDER.to_vec();
        order.extend(serde_json::to_vec(task).unwrap_or_default());
        order.push(b'\n');
        order.extend(pages.bytes());
        let sender = self.events.0.clone();
        self.worker.order(&order, move |event| {
            serde_json::from_slice(event).into_iter().for_each(|event| drop(sender.send(event)));
        });
        self.does.replace(Some(what));
    }

    fn is_free(&self) -> bool {
        self.does.borrow().is_none()
    }
}

impl Background {
    pub fn begin(
        library: Library,
        pages: Arc<Pages>,
        order: Order,
        problem: Option<String>,
    ) -> Background {
        let (tell, states) = unbounded();
        let tell = move |state: &State| drop(tell.send(state.clone()));
        let service = Service::new(library, order, problem, tell);
        service.count();
        Background {
            service,
            pages,
            states,
            reviewer: Assistant::new(),
            stops: Cell::new(false),
            waits: Cell::new(false),
            answerer: Assistant::new(),
            waiting: RefCell::default(),
            rests: Cell::new(false),
        }
    }

    pub fn ask(&self, want: Want, reply: Reply) {
        let gives_work = Service::gives_work(&want);
        let task = match want {
            Want::Overview => Some(Task::Overview),
            Want::Judge { ref place, ref mv } => Some(Task::Judge(place.clone(), mv.clone())),
            _ => None,
        };
        match task {
            Some(task) => self.waiting.borrow_mut().push_back((task, reply)),
            None => reply(self.service.answer(want)),
        }
        self.waits.set(self.waits.get() && !gives_work);
    }

    pub fn export(&self, export: Export, sink: Sink) {
        export.hand_over(&self.service.library, sink);
    }

    pub fn add_played(&self, game: PgnGame, is_over: bool) {
        self.service.add_played(&game, is_over);
        self.waits.set(false);
    }

    pub fn forget_played(&self) {
        self.service.forget_played();
    }

    pub fn keep_board(&self, board: Value) {
        self.service.keep_board(&board);
    }

    pub fn states(&self) -> &Receiver<State> {
        &self.states
    }

    pub fn rest(&self, rests: bool) {
        self.rests.set(rests);
    }

    /// Hears the workers, and gives them more to do.
    pub fn turn(&self) {
        self.hear_reviewer();
        self.hear_answerer();
        if self.reviewer.is_free() && !self.waits.get() {
            self.review_next();
        }
        let is_stopped = self.service.stop.load(Relaxed);
        let is_unwanted = self
            .reviewer
            .does
            .borrow()
            .as_ref()
            .is_some_and(|batch| is_stopped || (self.rests.get() && !batch.is_asked));
        if is_unwanted && !self.stops.replace(true) {
            self.service.stop.store(true, Relaxed);
            self.reviewer.worker.stop();
        }
        if self.answerer.is_free()
            && let Some((task, reply)) = self.waiting.borrow_mut().pop_front()
        {
            self.answerer.order(&task, &self.pages, reply);
        }
    }

    fn review_next(&self) {
        self.service.stop.store(false, Relaxed);
        match self.service.next_batch() {
            Ok(Some(mut batch)) if batch.is_asked || !self.rests.get() => {
                // A copy of the library that is not old, and an answer that comes soon.
                batch.games.truncate(1);
                self.service.change(|state| state.is_reviewing = true);
                self.stops.set(false);
                self.reviewer.order(&Task::Review(batch.clone()), &self.pages, batch);
            }
            Ok(Some(_)) => {}
            Ok(None) => {
                self.waits.set(true);
                self.service.change(|state| state.is_reviewing = false);
            }
            Err(error) => self.fail(error.to_string()),
        }
    }

    fn fail(&self, problem: String) {
        self.waits.set(true);
        self.service.change(|state| (state.is_reviewing, state.problem) = (false, Some(problem)));
    }

    fn hear_reviewer(&self) {
        for event in self.reviewer.events.1.try_iter() {
            match event {
                Event::Found(finding) => {
                    if let Err(error) = self.service.library.keep(finding) {
                        self.fail(error.to_string());
                    }
                }
                Event::Progress(Analysing { done, .. }) => self.service.progress(done),
                Event::Over(done) => {
                    if let Some(batch) = self.reviewer.does.take() {
                        self.service.end_batch(&batch);
                    }
                    if let Err(problem) = done {
                        self.fail(problem);
                    }
                }
            }
        }
    }

    fn hear_answerer(&self) {
        for event in self.answerer.events.1.try_iter() {
            if let (Event::Over(answer), Some(reply)) = (event, self.answerer.does.take()) {
                reply(answer);
            }
        }
    }
}

/// Does a task of the page in a worker. `false`: the order is none of these.
pub fn obey(order: &[u8]) -> bool {
    let Some(rest) = order.strip_prefix(ORDER) else { return false };
    let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    let (task, library) = rest.split_at(end);
    let done = match serde_json::from_slice(task) {
        Ok(task) => done(&task, library.get(1..).unwrap_or_default().to_vec()),
        Err(error) => Err(error.to_string()),
    };
    tell(&Event::Over(done));
    true
}

fn done(task: &Task, library: Vec<u8>) -> Result<Value, String> {
    let pages = Pages::new(library, Box::new(|_, _| ()));
    let mut library = Library::of_pages(&pages).map_err(|error| error.to_string())?;
    library.tell(|finding| tell(&Event::Found(finding.clone())));
    let network = Network::embedded();
    let order = Order { nodes: NODES, threads: 1, hash: HASH, network, rests: Arc::default() };
    let service = Service::new(library, order, None, |state| {
        state.analysing.into_iter().for_each(|analysing| tell(&Event::Progress(analysing)));
    });
    if let Task::Review(batch) = task {
        service.wait_for(batch);
    }
    service.work(task)
}

fn tell(event: &Event) {
    tell_page(&serde_json::to_vec(event).unwrap_or_default());
}
