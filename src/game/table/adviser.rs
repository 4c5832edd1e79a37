//! The adviser: hints, judgements of moves, and looks at positions, one search at a time.

use std::collections::VecDeque;
use std::time::Duration;

use crossbeam_channel::{Receiver, never};

use super::events::{Begun, Happened};
use super::hint::{Hint, hints};
use super::judgement::Judgement;
use super::known::Known;
use crate::analysis::{Note, PositionAnalysis};
use engine::board::Game;
use engine::player::{Go, Player, Thinking, UciOption};
use engine::search::{Bound, Event, Line, SearchResult};
use engine::system::time::Instant;

/// The time for a hint, but at most a twentieth of the person's clock.
const HINT_TIME: Duration = Duration::from_secs(1);
const HINTS_IN_CLOCK: u32 = 20;

/// The nodes for each search of a judgement.
const JUDGEMENT_NODES: u64 = 150_000;

enum Purpose {
    Look,
    Hint,
    Judge(Judgement),
}

struct Search {
    purpose: Purpose,
    game: Game,
    thinking: Thinking,
    /// The latest exact lines, the best first.
    lines: Vec<Line>,
}

impl Search {
    fn analysis(&self) -> Option<PositionAnalysis> {
        PositionAnalysis::of(self.lines.iter().cloned(), self.game.position().side())
    }
}

pub struct Adviser {
    player: Player,
    search: Option<Search>,
    /// These wait for the current search: a hint comes first, a look last.
    wanted_hint: Option<(Game, Go)>,
    /// The newest move is judged first.
    judgements: Vec<Judgement>,
    wanted_look: Option<(Game, Go)>,
    /// The remaining hints about the current position.
    hints: VecDeque<Hint>,
    known: Known,
}

impl Adviser {
    /// An adviser with the options and files of a player.
    pub fn new(player: &Player) -> Adviser {
        Adviser {
            player: Player::beside(player),
            search: None,
            wanted_hint: None,
            judgements: Vec::new(),
            wanted_look: None,
            hints: VecDeque::new(),
            known: Known::default(),
        }
    }

    /// Ends all searches, and takes over the options and files of a player again.
    pub fn follow(&mut self, player: &Player) {
        self.leave_game();
        self.end_look();
        self.player = Player::beside(player);
    }

    /// Sets options of its own. A search with other ones is ended.
    pub fn set(&mut self, threads: u32, hash: u32, lines: u32) -> Result<(), String> {
        let options = self.player.options();
        let values = [
            ("Threads", threads, options.threads),
            ("Hash", hash, options.hash),
            ("MultiPV", lines, options.multi_pv),
        ];
        for (name, value, _) in values.into_iter().filter(|(_, value, old)| value != old) {
            self.leave_game();
            self.end_look();
            let option = UciOption::named(name).map_err(|error| error.to_string())?;
            self.player.set(option, Some(&value.to_string()))?;
        }
        Ok(())
    }

    /// Gives the next hint about the position of a game, at once or after a search. `left` is the time of the
    /// side to move.
    pub fn hint(&mut self, game: &Game, left: Option<Duration>, happened: &mut Vec<Happened>) {
        if let Some(hint) = self.hints.pop_front() {
            return happened.push(Happened::Hint(hint));
        }
        if matches!(&self.search, Some(Search { purpose: Purpose::Hint, .. })) {
            return;
        }
        self.end_look();
        let time = left.map_or(HINT_TIME, |left| HINT_TIME.min(left / HINTS_IN_CLOCK));
        let go = Go { move_time: Some(time.as_millis() as u64), ..one_line() };
        self.wanted_hint = Some((game.clone(), go));
    }

    /// Judges a move, unless a look at a position has priority.
    pub fn judge(&mut self, judgement: Judgement) {
        if self.wanted_look.is_none() && !self.is_looking() {
            self.judgements.push(judgement);
        }
    }

    /// Looks at the position of a game once all else is done. This ends an earlier look.
    pub fn look(&mut self, game: Game, go: Go) {
        self.end_look();
        self.wanted_look = Some((game, go));
    }

    fn is_looking(&self) -> bool {
        matches!(&self.search, Some(Search { purpose: Purpose::Look, .. }))
    }

    /// Ends a look, and remembers its result.
    pub fn end_look(&mut self) {
        self.wanted_look = None;
        self.remember();
        self.search.take_if(|search| matches!(search.purpose, Purpose::Look));
    }

    /// Remembers the result of a look so far.
    fn remember(&mut self) {
        if let Some(search @ Search { purpose: Purpose::Look, .. }) = &self.search
            && let Some(found) = search.analysis()
        {
            self.known.remember(search.game.position().key(), found);
        }
    }

    /// The note on the last move of a game, if looks before and after it were deep enough.
    pub fn note(&mut self, game: &Game) -> Option<Note> {
        self.remember();
        self.known.note(game)
    }

    /// The position changes: drops the hints about the old one.
    pub fn leave_position(&mut self) {
        self.hints.clear();
        self.wanted_hint = None;
        self.search.take_if(|search| matches!(search.purpose, Purpose::Hint));
    }

    /// The moves of the game change: drops the judgements, too.
    pub fn leave_game(&mut self) {
        self.leave_position();
        self.judgements.clear();
        self.search.take_if(|search| matches!(search.purpose, Purpose::Judge(_)));
    }

    /// Ends the current search with its result so far, and drops all that waits.
    pub fn stop(&mut self, now: Instant) {
        self.judgements.clear();
        self.wanted_hint = None;
        self.wanted_look = None;
        match &mut self.search {
            Some(Search { purpose: Purpose::Judge(_), .. }) => self.search = None,
            Some(search) => search.thinking.stop(now),
            None => {}
        }
    }

    /// Stops a look that would never end by itself.
    pub fn stop_endless(&mut self, now: Instant) {
        if let Some(search) = &mut self.search
            && search.thinking.is_endless()
        {
            search.thinking.stop(now);
        }
    }

    pub fn ponder_hit(&mut self, now: Instant) {
        self.search.iter_mut().for_each(|search| search.thinking.ponder_hit(now));
    }

    /// Whether a person waits for a search. Nobody waits for a judgement.
    pub fn is_awaited(&self) -> bool {
        let is_judging = |search: &Search| matches!(search.purpose, Purpose::Judge(_));
        self.wanted_hint.is_some()
            || self.wanted_look.is_some()
            || self.search.as_ref().is_some_and(|search| !is_judging(search))
    }

    pub fn events(&self) -> Receiver<Event> {
        self.search.as_ref().map_or_else(never, |search| search.thinking.events.clone())
    }

    pub fn wakes_at(&self) -> Option<Instant> {
        self.search.as_ref()?.thinking.late_at()
    }

    pub fn heard(&mut self, event: &Event, happened: &mut Vec<Happened>) {
        while let Some(problem) = self.player.damaged_table() {
            happened.push(Happened::Problem(problem));
        }
        let Some(search) = &mut self.search else { return };
        search.thinking.hear(event);
        let Event::Lines(lines) = event else { return };
        for line in lines {
            if let Purpose::Look = search.purpose {
                happened.push(Happened::Line(line.clone()));
            }
            if line.bound == Bound::Exact {
                match search.lines.get_mut(line.pv_index - 1) {
                    Some(old) => *old = line.clone(),
                    None => search.lines.push(line.clone()),
                }
            }
        }
    }

    /// Takes the results that are due, and starts the next search.
    pub fn settle(&mut self, now: Instant, happened: &mut Vec<Happened>) {
        loop {
            if let Some(search) = &mut self.search {
                search.thinking.late(now);
                let Some(answer) = search.thinking.answer() else { return };
                self.player.answered(&search.thinking, now);
                self.finish(&answer.result, now, happened);
            }
            if self.search.is_none() && !self.begin_next(now, happened) {
                return;
            }
        }
    }

    /// Starts the next search, if one waits.
    fn begin_next(&mut self, now: Instant, happened: &mut Vec<Happened>) -> bool {
        if let Some((game, go)) = self.wanted_hint.take() {
            self.begin(Purpose::Hint, game, &go, now, happened);
        } else if let Some(next) = self.judgements.pop() {
            self.judge_on(next, now, happened);
        } else if let Some((game, go)) = self.wanted_look.take() {
            self.begin(Purpose::Look, game, &go, now, happened);
        } else {
            return false;
        }
        true
    }

    fn begin(
        &mut self,
        purpose: Purpose,
        game: Game,
        go: &Go,
        now: Instant,
        happened: &mut Vec<Happened>,
    ) {
        let mut problems: Vec<String> = self.player.prepare().err().into_iter().collect();
        match self.player.begin(&game, go, now) {
            Ok(mut thinking) => {
                problems.extend(thinking.problem.take());
                happened.extend(problems.into_iter().map(Happened::Problem));
                if let Purpose::Look = purpose {
                    let note = thinking.note.take();
                    happened.push(Happened::Looks(Begun { plan: thinking.plan, note }));
                }
                self.search = Some(Search { purpose, game, thinking, lines: Vec::new() });
            }
            Err(problem) => happened.push(Happened::Problem(problem)),
        }
    }

    /// Starts the next search of a judgement, or gives the judgement.
    fn judge_on(&mut self, judgement: Judgement, now: Instant, happened: &mut Vec<Happened>) {
        match judgement.wanted() {
            Some((game, search_moves)) => {
                let go = Go { nodes: Some(JUDGEMENT_NODES), search_moves, ..one_line() };
                self.begin(Purpose::Judge(judgement), game, &go, now, happened);
            }
            None => happened.extend(judgement.judged().map(Happened::Judged)),
        }
    }

    fn finish(&mut self, result: &SearchResult, now: Instant, happened: &mut Vec<Happened>) {
        self.remember();
        let Some(Search { purpose, game, lines, .. }) = self.search.take() else { return };
        let line = lines.into_iter().next();
        match purpose {
            Purpose::Look => happened.push(Happened::Looked(*result)),
            Purpose::Hint => {
                if let Some(best) = result.best {
                    self.hints = hints(game.position(), best, line);
                    happened.extend(self.hints.pop_front().map(Happened::Hint));
                }
            }
            Purpose::Judge(mut judgement) => {
                if let Some(line) = line {
                    judgement.heard(line);
                    self.judge_on(judgement, now, happened);
                }
            }
        }
    }
}

/// The adviser always has full strength.
fn one_line() -> Go {
    Go { analyse: true, lines: Some(1), ..Go::default() }
}
