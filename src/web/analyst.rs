//! The analysis of the position that a tab looks at; and between, hints and judgements of moves.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use crossbeam_channel::{Receiver, never};

use super::messages::{Lines, Settings, ShownLine, Tell};
use super::tabs::Tabs;
use crate::analysis::{Note, PositionAnalysis, WhiteScore, move_note, moves_text};
use crate::board::{Color, Game, Move};
use crate::player::{Go, Options, Player, Thinking, UciOption};
use crate::search::{Bound, Event, Line};
use crate::time::Instant;

/// How often lines are told, at most.
const BETWEEN: Duration = Duration::from_millis(100);

/// What a hint and a judgement take.
const HINT_TIME: u64 = 1000;
const JUDGEMENT_NODES: u64 = 150_000;

/// The least depths of the positions before and after a move that is judged.
const LEAST_DEPTH: u32 = 10;

/// The positions whose analyses are remembered, for the judgement of moves made there.
const MOST_KNOWN: usize = 500;

/// The moves of a line that are shown.
const SHOWN_MOVES: usize = 12;

/// What a search is for.
pub enum Work {
    Look {
        tab: u64,
        number: u64,
    },
    Hint {
        tab: u64,
    },
    /// The positions before and after the person's move.
    Judgement {
        after: Option<Move>,
    },
}

struct Search {
    work: Work,
    game: Game,
    thinking: Thinking,
    lines: Vec<Line>,
    /// When they are to be told.
    tells: Option<Instant>,
    told: Instant,
    over: bool,
}

pub struct Analyst {
    player: Player,
    search: Option<Search>,
    known: HashMap<u64, PositionAnalysis>,
    /// The same positions, in the order in which they became known.
    order: VecDeque<u64>,
}

impl Analyst {
    pub fn new(options: &Options) -> Analyst {
        let (player, _) = Player::new(options.clone());
        Analyst { player, search: None, known: HashMap::new(), order: VecDeque::new() }
    }

    /// Sets what a person sets. A search that runs begins anew when it is asked for again.
    pub fn set(&mut self, settings: &Settings) -> Result<(), String> {
        self.end();
        let values = [
            ("Threads", settings.threads, self.player.options().threads),
            ("Hash", settings.hash, self.player.options().hash),
            ("MultiPV", settings.lines, self.player.options().multi_pv),
        ];
        for (name, value, old) in values {
            if value != old {
                let option = UciOption::named(name).map_err(|error| error.to_string())?;
                self.player.set(option, Some(&value.to_string()))?;
            }
        }
        Ok(())
    }

    pub fn look(&mut self, tab: u64, number: u64, game: Game) -> Result<(), String> {
        self.begin(Work::Look { tab, number }, game)
    }

    /// Judges a move that is about to be made, unless a tab looks at something.
    pub fn judge(&mut self, game: &Game, mv: Move) {
        if !matches!(&self.search, Some(Search { work: Work::Look { .. }, over: false, .. })) {
            // What cannot be judged is not.
            self.begin(Work::Judgement { after: Some(mv) }, game.clone()).ok();
        }
    }

    pub fn begin(&mut self, work: Work, game: Game) -> Result<(), String> {
        self.end();
        let go = match work {
            Work::Look { .. } => Go { infinite: true, ..Go::default() },
            Work::Hint { .. } => Go { move_time: Some(HINT_TIME), ..Go::default() },
            Work::Judgement { .. } => Go { nodes: Some(JUDGEMENT_NODES), ..Go::default() },
        };
        let go = Go { analyse: true, ..go };
        self.player.prepare()?;
        let thinking = self.player.begin(&game, &go)?;
        let told = Instant::now();
        let lines = Vec::new();
        self.search = Some(Search { work, game, thinking, lines, tells: None, told, over: false });
        Ok(())
    }

    /// A tab looks no longer.
    pub fn left(&mut self, tab: u64) {
        if matches!(&self.search, Some(Search { work: Work::Look { tab: own, .. }, .. }) if *own == tab)
        {
            self.end();
        }
    }

    /// Ends the search. What it has found is remembered, though it was not told yet.
    fn end(&mut self) {
        if let Some(found) = self.search.as_ref().and_then(analysis) {
            self.remember(found);
        }
        self.search = None;
    }

    pub fn events(&self) -> Receiver<Event> {
        self.search.as_ref().map_or_else(never, |search| search.thinking.events.clone())
    }

    pub fn tells_at(&self) -> Option<Instant> {
        self.search.as_ref()?.tells
    }

    pub fn hear(&mut self, event: Event) {
        let Some(search) = &mut self.search else { return };
        search.thinking.hear(&event);
        match event {
            Event::Line(line) if line.bound == Bound::Exact => {
                let index = line.pv_index - 1;
                let is_first = search.lines.is_empty();
                match search.lines.get_mut(index) {
                    Some(old) => *old = line,
                    None => search.lines.push(line),
                }
                let next = if is_first { Instant::now() } else { search.told + BETWEEN };
                search.tells.get_or_insert(next);
            }
            Event::Done(_) => {
                search.over = true;
                search.tells = Some(Instant::now());
            }
            Event::Line(_) | Event::Current { .. } => {}
        }
    }

    /// Tells what is due.
    pub fn settle(&mut self, tabs: &mut Tabs) {
        let now = Instant::now();
        let Some(search) = &mut self.search else { return };
        if search.tells.take_if(|at| *at <= now).is_none() {
            return;
        }
        search.told = now;
        if let Some(found) = analysis(search) {
            self.remember(found);
        }
        let Some(search) = &self.search else { return };
        match search.work {
            Work::Look { tab, number } => {
                let note = self.note(&search.game);
                tabs.tell_one(tab, &Tell::Lines(lines(search, number, note)));
            }
            Work::Hint { tab } if search.over => {
                let position = search.game.position();
                if let Some(&mv) = search.lines.first().and_then(|line| line.moves.first()) {
                    let ply = search.game.moves().len();
                    let (mv, san) = (position.uci(mv, true), position.san(mv));
                    tabs.tell_one(tab, &Tell::Hint { ply, mv, san });
                }
                self.search = None;
            }
            Work::Judgement { after: Some(mv) } if search.over => {
                let mut game = search.game.clone();
                game.play(mv);
                self.begin(Work::Judgement { after: None }, game).ok();
            }
            Work::Judgement { after: None } if search.over => {
                let ply = search.game.moves().len();
                if let Some(note) = self.note(&search.game) {
                    tabs.tell(&Tell::Judged { ply, note });
                }
                self.search = None;
            }
            Work::Hint { .. } | Work::Judgement { .. } => {}
        }
    }

    fn remember(&mut self, found: PositionAnalysis) {
        let Some(search) = &self.search else { return };
        let key = search.game.position().key();
        if self.known.get(&key).is_some_and(|known| known.depth > found.depth) {
            return;
        }
        if self.known.insert(key, found).is_none() {
            self.order.push_back(key);
        }
        if self.order.len() > MOST_KNOWN
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
    }

    /// What the last move of a game was worth, if both positions are known well enough.
    fn note(&self, game: &Game) -> Option<Note> {
        let mut before = game.clone();
        let mv = before.undo()?;
        let [was, is] = [&before, game].map(|game| self.known.get(&game.position().key()));
        let (was, is) = (was?, is?);
        if was.depth.min(is.depth) < LEAST_DEPTH {
            return None;
        }
        Some(move_note(before.position(), mv, was, is))
    }
}

fn analysis(search: &Search) -> Option<PositionAnalysis> {
    PositionAnalysis::of(search.lines.iter().cloned(), search.game.position().side())
}

fn lines(search: &Search, number: u64, note: Option<Note>) -> Lines {
    let position = search.game.position();
    let shown = |line: &Line| {
        let score = WhiteScore::of(line.score, position.side());
        ShownLine {
            score: score.to_string(),
            win: score.win_percent(Color::White),
            moves: moves_text(position, line.moves.iter().take(SHOWN_MOVES)),
        }
    };
    let last = search.lines.iter().max_by_key(|line| line.nodes);
    Lines {
        number,
        depth: search.lines.first().map_or(0, |line| line.depth),
        nodes: last.map_or(0, |line| line.nodes),
        speed: last.map_or(0, Line::nodes_per_second),
        over: search.over,
        lines: search.lines.iter().map(shown).collect(),
        note,
    }
}
