//! From `go` to a search, or to the move that a book has.

use std::io;
use std::sync::Arc;

use log::info;

use super::{Busy, Session};
use crate::book::{BookMove, Choice, choose};
use crate::eval::{Evaluator, Noise};
use crate::search::{Event, Limits, SearchResult, Strength, Task, TimePlan, Tunables};
use crate::uci::command::Go;
use crate::uci::input::Input;

impl Session {
    /// `plays` says that the engine makes its move itself.
    pub(super) fn go(&mut self, go: &Go, plays: bool) -> io::Result<()> {
        let limits = match go.limits(self.game.position()) {
            Ok(limits) => limits,
            Err(error) => return self.voice.error(&error.to_string()),
        };
        match self.book_move(go, &limits) {
            Some(found) => self.answer(found)?,
            None => self.search(go, limits)?,
        }
        let held = go.infinite || go.ponder;
        let endless = !go.ends();
        self.busy = Some(Busy::Search { held, endless, outcome: None, plays });
        if self.hurrying { self.stop() } else { Ok(()) }
    }

    /// The book's move, if one is to be played. Who analyses is not interested in it.
    fn book_move(&mut self, go: &Go, limits: &Limits) -> Option<BookMove> {
        let options = &self.options;
        let analyses = options.analyse_mode || go.infinite || go.mate.is_some();
        let late = self.game.position().move_number() > options.book_depth;
        if !options.own_book || analyses || late {
            return None;
        }
        let mut moves = self.files.book.as_ref()?.moves(&self.game);
        moves.retain(|book| limits.moves.is_empty() || limits.moves.contains(&book.mv));
        let choice = if options.best_book_move { Choice::Best } else { Choice::Weighted };
        choose(&moves, choice, &mut self.random)
    }

    /// Announces a move of the book, which is the outcome as if a search had found it.
    fn answer(&mut self, BookMove { mv, weight }: BookMove) -> io::Result<()> {
        let san = self.game.position().san(mv);
        self.voice.note(&format!("book move {san}, weight {weight}"))?;
        let outcome =
            SearchResult { best: Some(mv), ponder: None, nodes: 0, time: Default::default() };
        self.sender.send(Input::Search(Event::Done(outcome))).map_err(io::Error::other)
    }

    fn search(&mut self, go: &Go, mut limits: Limits) -> io::Result<()> {
        let position = *self.game.position();
        let network = Arc::clone(&self.files.network);
        let strength = self.options.strength();
        let evaluator = match strength {
            None => Evaluator::Network(network),
            Some(Strength { nodes, spread }) => {
                limits.nodes = Some(limits.nodes.map_or(nodes, |wanted| wanted.min(nodes)));
                Evaluator::Noisy(network, Noise { spread, seed: self.opinions })
            }
        };
        // What the stronger one found out, the weaker one must not know.
        if self.strength != strength {
            self.strength = strength;
            self.forget();
        }
        let tunables = Tunables::DEFAULT;
        let (overhead, ponder) = (self.options.move_overhead, self.options.ponder);
        let plan = TimePlan::new(&limits, overhead, ponder, tunables);
        if self.debug {
            let told = |time: Option<std::time::Duration>| {
                time.map_or("none".to_string(), |time| format!("{} ms", time.as_millis()))
            };
            self.voice.note(&format!(
                "time: soft {}, hard {}",
                told(plan.soft),
                told(plan.hard)
            ))?;
        }
        info!("search of {} for {limits:?}, {plan:?}", position.fen());
        let task = Task {
            position,
            key_history: self.game.repeatable_keys().collect(),
            limits,
            plan,
            multi_pv: self.options.multi_pv,
            pondering: go.ponder,
            analyse: self.options.analyse_mode,
            evaluator,
            single_threaded: strength.is_some(),
            syzygy: self.files.syzygy(&self.options),
            tunables,
        };
        self.voice.say(&self.voice.output.search_begins(self.scene()))?;
        let sender = self.sender.clone();
        let listener = move |event| drop(sender.send(Input::Search(event)));
        self.engine()?.start(task, Box::new(listener));
        Ok(())
    }
}
