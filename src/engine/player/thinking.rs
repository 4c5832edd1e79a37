//! A search, as seen by its voice. The voice passes each event to it. It withholds the result while it ponders
//! or is infinite, and returns it once.
//!
//! On a busy machine, the system may not schedule the search thread when its time is up, for longer than a fast
//! clock allows. It prefers a thread that slept, so the sleeping voice asks for the best move so far.

use std::time::Duration;

use crossbeam_channel::{Receiver, never};
use log::{info, warn};

use super::go::Go;
use crate::board::Move;
use crate::search::{Bound, Event, Line, Running, SearchResult, TimePlan};
use crate::system::time::Instant;

/// How late a search ends at most on a quiet machine: the clock is looked at after some nodes only, and
/// helpers are waited for.
const GRACE: Duration = Duration::from_millis(2);
const GRACE_OF_HELPERS: Duration = Duration::from_millis(2);

/// What a search may take beyond its hard limit without counting as late.
const OVERRUN: Duration = Duration::from_millis(1);

/// A search, which ends when this is dropped.
pub struct Thinking {
    /// What was asked for and cannot be done; the search ignores it.
    pub problem: Option<String>,
    /// A note to show before it begins.
    pub note: Option<String>,
    pub plan: TimePlan,
    /// The events of the search, of which [`Event::Done`] is the last.
    pub events: Receiver<Event>,
    /// `None` for a move of the book.
    running: Option<Running>,
    begin: Instant,
    /// Since when the clock runs.
    clock_runs: Option<Instant>,
    pondering: bool,
    infinite: bool,
    /// Some limit ends it.
    bounded: bool,
    /// When it should have ended at the latest.
    deadline: Option<Instant>,
    /// Its best move so far.
    found: Option<SearchResult>,
    result: Option<SearchResult>,
    /// The best line found while pondering.
    pondered: Option<Line>,
    overrun: Duration,
}

/// The result of a finished search.
pub struct Finished {
    pub result: SearchResult,
    /// The last line reported while pondering, if none was since the hit. It is reported again, since GUIs show
    /// the lines between the hit and the move.
    pub line: Option<Line>,
}

impl Thinking {
    /// A search that has begun; `known` is a move that was found without it.
    pub fn new(
        go: &Go,
        plan: TimePlan,
        begin: Instant,
        known: Option<Move>,
        has_helpers: bool,
        events: Receiver<Event>,
        running: Option<Running>,
    ) -> Thinking {
        let grace = if has_helpers { GRACE + GRACE_OF_HELPERS } else { GRACE };
        Thinking {
            problem: None,
            note: None,
            plan,
            events,
            running,
            begin,
            clock_runs: (!go.ponder).then_some(begin),
            pondering: go.ponder,
            infinite: go.infinite,
            bounded: go.is_bounded(),
            deadline: plan.hard.and_then(|hard| begin.checked_add(hard.saturating_add(grace))),
            found: known.map(of_move),
            result: None,
            pondered: None,
            overrun: Duration::ZERO,
        }
    }

    /// A move that needs no search, and a note about it.
    pub fn known(go: &Go, now: Instant, mv: Move, note: String) -> Thinking {
        let mut thinking = Thinking::new(go, TimePlan::default(), now, None, false, never(), None);
        thinking.result = Some(of_move(mv));
        thinking.note = Some(note);
        thinking
    }

    fn is_held(&self) -> bool {
        self.pondering || self.infinite
    }

    /// Whether only a stop, or a hit, ends it.
    pub fn is_endless(&self) -> bool {
        self.is_held() || !self.bounded
    }

    pub fn hear(&mut self, event: &Event) {
        match event {
            Event::Lines(lines) => {
                let Some(line) = lines.first().filter(|line| line.pv_index == 1) else { return };
                if line.bound != Bound::Upper {
                    let [best, ponder] = [0, 1].map(|ply| line.moves.get(ply).copied());
                    let (nodes, time) = (line.nodes, line.time);
                    self.found = Some(SearchResult { best, ponder, nodes, time });
                }
                self.pondered = self.pondering.then(|| line.clone());
            }
            Event::Current { .. } => {}
            Event::Done(result) => {
                info!("{} nodes in {} ms", result.nodes, result.time.as_millis());
                self.events = never();
                self.end(*result);
            }
        }
    }

    /// When the best move so far is asked for by [`Thinking::late`].
    pub fn late_at(&self) -> Option<Instant> {
        let waits = !self.is_held() && self.found.is_some() && self.result.is_none();
        self.deadline.filter(|_| waits)
    }

    /// The best move so far of a search that is late is its result.
    pub fn late(&mut self, now: Instant) {
        if self.late_at().is_some_and(|at| at <= now)
            && let Some(found) = self.found
        {
            let time = now.saturating_duration_since(self.begin);
            self.end(SearchResult { time, ..found });
        }
    }

    fn end(&mut self, result: SearchResult) {
        self.result = Some(result);
        // While pondering nobody's time is lost.
        let hard = self.plan.hard.filter(|_| self.clock_runs == Some(self.begin));
        let overrun = hard.map_or(Duration::ZERO, |hard| result.time.saturating_sub(hard));
        if overrun >= OVERRUN {
            self.overrun = overrun;
            warn!("{} ms beyond the hard limit", overrun.as_millis());
        }
    }

    /// How far it went beyond its hard limit, as happens on a busy machine.
    pub fn overrun(&self) -> Duration {
        self.overrun
    }

    /// How long the clock has run, if it ever did.
    pub fn spent(&self, now: Instant) -> Option<Duration> {
        self.clock_runs.map(|since| now.saturating_duration_since(since))
    }

    /// Ends the search, which gives its result soon. By the clock its best move so far is its result if it
    /// does not.
    pub fn stop(&mut self, now: Instant) {
        self.running.iter().for_each(Running::stop);
        let soon = now + GRACE + GRACE_OF_HELPERS;
        self.deadline = self.deadline.map(|deadline| deadline.min(soon));
        if self.is_held() {
            self.pondered = None;
        }
        self.pondering = false;
        self.infinite = false;
    }

    /// The opponent made the expected move.
    pub fn ponder_hit(&mut self, now: Instant) {
        if !self.pondering {
            return;
        }
        self.pondering = false;
        if let Some(running) = &self.running {
            running.ponder_hit();
        }
        self.clock_runs = Some(now);
        // The time that went by while pondering counts, but the search may see first that it is over.
        let soon = now + GRACE + GRACE_OF_HELPERS;
        self.deadline = self.deadline.map(|deadline| deadline.max(soon));
    }

    /// The result as soon as it may be told, once.
    pub fn answer(&mut self) -> Option<Finished> {
        if self.is_held() {
            return None;
        }
        let result = self.result.take()?;
        Some(Finished { result, line: self.pondered.take() })
    }
}

fn of_move(mv: Move) -> SearchResult {
    SearchResult { best: Some(mv), ponder: None, nodes: 0, time: Duration::ZERO }
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.running.iter().for_each(Running::stop);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::search::{Score, Wdl};

    fn thinking(go: &Go, hard: Option<Duration>, known: Option<Move>) -> Thinking {
        let plan = TimePlan { soft: hard, hard };
        Thinking::new(go, plan, Instant::now(), known, false, never(), None)
    }

    fn mv(san: &str) -> Move {
        Position::start().parse_san(san).unwrap()
    }

    fn line(bound: Bound, san: &str) -> Event {
        Event::Lines(vec![Line {
            depth: 1,
            sel_depth: 1,
            pv_index: 1,
            score: Score::Centipawns(0),
            bound,
            wdl: Wdl::DRAW,
            nodes: 20,
            tb_hits: 0,
            time: Duration::ZERO,
            hashfull: 0,
            moves: vec![mv(san)],
        }])
    }

    fn best(thinking: &mut Thinking) -> Option<Move> {
        thinking.answer()?.result.best
    }

    #[test]
    fn a_late_search_is_answered_for_once() {
        let mut late = thinking(&Go::default(), Some(Duration::ZERO), None);
        std::thread::sleep(GRACE);
        late.late(Instant::now());
        assert!(late.late_at().is_none() && best(&mut late).is_none(), "there is no move");
        late.hear(&line(Bound::Exact, "e4"));
        late.hear(&line(Bound::Upper, "d4"));
        assert!(late.late_at().is_some_and(|at| at <= Instant::now()));
        late.late(Instant::now());
        assert_eq!(best(&mut late), Some(mv("e4")));
        assert!(best(&mut late).is_none() && late.overrun() > Duration::ZERO);
    }

    #[test]
    fn a_known_move_is_better_than_none() {
        let mut late = thinking(&Go::default(), Some(Duration::ZERO), Some(mv("d4")));
        std::thread::sleep(GRACE);
        late.late(Instant::now());
        assert_eq!(best(&mut late), Some(mv("d4")));
    }

    /// After a wrong guess the clock runs while the search that pondered ends.
    #[test]
    fn a_search_that_does_not_stop_was_waited_for() {
        let ponder = Go { ponder: true, ..Go::default() };
        let mut stopped = thinking(&ponder, Some(Duration::from_secs(3600)), Some(mv("d4")));
        stopped.stop(Instant::now());
        std::thread::sleep(GRACE + GRACE_OF_HELPERS);
        stopped.late(Instant::now());
        assert_eq!(best(&mut stopped), Some(mv("d4")));
    }

    #[test]
    fn what_is_not_late_is_waited_for() {
        let hour = Some(Duration::from_secs(3600));
        let ponder = Go { ponder: true, ..Go::default() };
        for (go, hard) in [(&Go::default(), None), (&Go::default(), hour), (&ponder, None)] {
            let mut thinking = thinking(go, hard, Some(mv("d4")));
            thinking.late(Instant::now());
            assert!(best(&mut thinking).is_none(), "{go:?}");
        }
        let held = thinking(&ponder, Some(Duration::ZERO), Some(mv("d4")));
        assert!(held.late_at().is_none());
    }
}
