//! Searches that run to the end or to a wanted line.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;

use engine::board::{Game, Move, Position};
use engine::search::{Engine, Event, Line, Score, SearchResult, SyzygyOptions, Task};
use engine::tablebase::Tablebase;

/// All reports of a search.
pub struct Found {
    pub lines: Vec<Line>,
    /// The index of the wanted line, if it was reported.
    wanted: Option<usize>,
    pub outcome: SearchResult,
}

impl Found {
    /// The wanted line, or else the last of the best lines.
    pub fn line(&self) -> &Line {
        let last = || self.lines.iter().rfind(|line| line.pv_index == 1);
        self.wanted.map_or_else(last, |wanted| self.lines.get(wanted)).expect("a line is told")
    }

    pub fn score(&self) -> Score {
        self.line().score
    }

    /// Whether any report claims a mate, for either side, in fewer moves.
    pub fn claims_less_than(&self, moves: i32) -> bool {
        let is_less = |line: &Line| matches!(line.score, Score::Mate(told) if told.abs() < moves);
        self.lines.iter().any(is_less)
    }

    pub fn best(&self) -> Move {
        self.outcome.best.expect("there is a legal move")
    }
}

pub fn engine() -> Engine {
    Engine::new(1, 16).expect("a small table can be had")
}

pub fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Lets a search run to its end.
pub fn search(engine: &mut Engine, task: Task) -> Found {
    search_until(engine, task, |_| false)
}

/// Stops a search at the first of the best lines that is wanted, unless it ends before. A few more reports
/// may follow.
pub fn search_until(engine: &mut Engine, task: Task, is_wanted: impl Fn(&Line) -> bool) -> Found {
    let (sender, events) = channel();
    engine.start(task, Box::new(move |event| drop(sender.send(event))));
    let (mut lines, mut wanted): (Vec<Line>, _) = (Vec::new(), None);
    for event in events {
        match event {
            Event::Lines(report) => {
                for line in report {
                    if wanted.is_none() && line.pv_index == 1 && is_wanted(&line) {
                        wanted = Some(lines.len());
                        engine.stop();
                    }
                    lines.push(line);
                }
            }
            Event::Done(outcome) => return Found { lines, wanted, outcome },
            Event::Current { .. } => {}
        }
    }
    panic!("a search has an end")
}

/// The tables as an engine uses them.
pub fn syzygy(folder: &Path) -> SyzygyOptions {
    let tablebase = Tablebase::open(folder).unwrap_or_else(|error| panic!("{error}"));
    SyzygyOptions {
        tablebase: Some(Arc::new(tablebase)),
        min_depth: 1,
        max_pieces: 7,
        fifty_moves: true,
    }
}

/// Plays moves that must be legal.
pub fn play(game: &mut Game, moves: &[Move]) {
    for &mv in moves {
        assert!(game.position().is_legal(mv), "{mv} in {}", game.position().fen());
        game.play(mv);
    }
}
