//! The watchdog of a search on the clock: on a busy machine the system may let the search thread wait
//! just when it should see that its time is over, for longer than a fast clock has. The session
//! sleeps, and who slept is let run first: it answers with the best move so far.

use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use super::input::Input;
use crate::board::Move;
use crate::search::{Bound, Event, SearchResult};

/// How late a search ends where nothing disturbs it, at most: with the nodes between two looks at the
/// clock, and with several threads the wait for the helpers.
const GRACE: Duration = Duration::from_millis(2);
const GRACE_OF_HELPERS: Duration = Duration::from_millis(2);

#[derive(Default)]
pub struct Watchdog {
    /// The number of the search that is heard.
    search: u64,
    begin: Option<Instant>,
    /// When the search should have ended at the latest.
    deadline: Option<Instant>,
    /// Its best move so far.
    found: Option<SearchResult>,
}

impl Watchdog {
    /// The number of the next search. What earlier ones still report is not heard.
    pub fn next_search(&mut self) -> u64 {
        *self = Watchdog { search: self.search + 1, ..Watchdog::default() };
        self.search
    }

    /// The search has begun. There may be a move that is known for its position.
    pub fn guard(&mut self, hard_limit: Option<Duration>, threads: u32, known: Option<Move>) {
        let now = Instant::now();
        let grace = if threads > 1 { GRACE + GRACE_OF_HELPERS } else { GRACE };
        self.begin = Some(now);
        self.found =
            known.map(|mv| SearchResult { best: Some(mv), ponder: None, nodes: 0, time: GRACE });
        self.deadline = hard_limit.and_then(|hard| now.checked_add(hard.saturating_add(grace)));
    }

    /// The time that went by while pondering counts, but the search may see first that it is over.
    pub fn ponder_hit(&mut self) {
        let soon = Instant::now() + GRACE + GRACE_OF_HELPERS;
        self.deadline = self.deadline.map(|deadline| deadline.max(soon));
    }

    /// Whether an event is of the present search.
    pub fn hears(&mut self, number: u64, event: &Event) -> bool {
        if number != self.search {
            return false;
        }
        if let Event::Line(line) = event
            && line.pv_index == 1
            && line.bound != Bound::Upper
        {
            let [best, ponder] = [0, 1].map(|ply| line.moves.get(ply).copied());
            let (nodes, time) = (line.nodes, line.time);
            self.found = Some(SearchResult { best, ponder, nodes, time });
        }
        true
    }

    /// The next input; `None` if the search is late and its move so far is to be told, or at the alarm.
    pub fn wait(
        &self,
        inputs: &Receiver<Input>,
        searches: bool,
        alarm: Option<Instant>,
    ) -> Option<Input> {
        let late = self.deadline.filter(|_| searches && self.found.is_some());
        // The session itself has a sender, so that there is always one.
        match [late, alarm].into_iter().flatten().min() {
            None => inputs.recv().ok(),
            Some(deadline) => {
                let left = deadline.saturating_duration_since(Instant::now());
                inputs.recv_timeout(left).ok()
            }
        }
    }

    /// The best move so far of a search that is late. It is not heard any more.
    pub fn answer(&mut self) -> Option<SearchResult> {
        self.deadline.filter(|&deadline| deadline <= Instant::now())?;
        let time = self.begin?.elapsed();
        let found = self.found.take()?;
        self.next_search();
        Some(SearchResult { time, ..found })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;
    use crate::board::Position;
    use crate::search::{Line, Score, Wdl};

    const MOVES: [&str; 2] = ["e4", "d4"];

    fn line(bound: Bound, san: &str) -> Event {
        let mv = Position::start().parse_san(san).unwrap();
        Event::Line(Line {
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
            moves: vec![mv],
        })
    }

    fn told(watchdog: &mut Watchdog) -> Option<String> {
        let best = watchdog.answer()?.best?;
        Some(Position::start().san(best))
    }

    #[test]
    fn a_late_search_is_answered_for_and_heard_no_more() {
        let (sender, inputs) = channel();
        let mut watchdog = Watchdog::default();
        let number = watchdog.next_search();
        watchdog.guard(Some(Duration::ZERO), 1, None);
        // Without a move nothing can be told.
        sender.send(Input::End).unwrap();
        assert!(watchdog.wait(&inputs, true, None).is_some());
        assert!(watchdog.answer().is_none());
        assert!(watchdog.hears(number, &line(Bound::Exact, MOVES[0])));
        assert!(watchdog.hears(number, &line(Bound::Upper, MOVES[1])));
        // What has come in is heard first, and a search that is held back is not answered for.
        for searches in [true, false] {
            sender.send(Input::End).unwrap();
            assert!(watchdog.wait(&inputs, searches, None).is_some());
        }
        assert!(watchdog.wait(&inputs, true, None).is_none());
        assert_eq!(told(&mut watchdog).as_deref(), Some(MOVES[0]));
        assert!(!watchdog.hears(number, &line(Bound::Exact, MOVES[1])));
        assert!(watchdog.answer().is_none());
    }

    #[test]
    fn a_known_move_is_better_than_none() {
        let (_sender, inputs) = channel();
        let mut watchdog = Watchdog::default();
        watchdog.next_search();
        let known = Position::start().parse_san(MOVES[1]).unwrap();
        watchdog.guard(Some(Duration::ZERO), 2, Some(known));
        assert!(watchdog.wait(&inputs, true, None).is_none());
        assert_eq!(told(&mut watchdog).as_deref(), Some(MOVES[1]));
    }

    #[test]
    fn an_alarm_is_no_reason_to_answer() {
        let (_sender, inputs) = channel();
        let mut watchdog = Watchdog::default();
        let number = watchdog.next_search();
        watchdog.guard(Some(Duration::from_secs(3600)), 1, None);
        assert!(watchdog.hears(number, &line(Bound::Exact, MOVES[0])));
        assert!(watchdog.wait(&inputs, true, Some(Instant::now())).is_none());
        assert!(watchdog.answer().is_none());
    }

    #[test]
    fn a_search_without_a_clock_is_waited_for() {
        let (sender, inputs) = channel();
        let mut watchdog = Watchdog::default();
        let number = watchdog.next_search();
        watchdog.guard(None, 1, None);
        assert!(watchdog.hears(number, &line(Bound::Exact, MOVES[0])));
        sender.send(Input::End).unwrap();
        assert!(watchdog.wait(&inputs, true, None).is_some());
    }
}
