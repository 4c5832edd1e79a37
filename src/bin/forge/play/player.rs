//! Plays self-play games.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use zebu::board::{self, Position};
use zebu::eval::Evaluator;
use zebu::search::{Limits, SingleThread, Task, ThreadResult};

use super::adjudicator::{Adjudicator, outcome_of};
use crate::games::{GameRecord, Labels, ScoredPly};
use crate::opening::is_balanced;

/// Hard node limit, in soft limits.
const HARD_LIMIT: u64 = 8;

/// Openings are searched with ten soft limits, or with this many nodes if that is less.
const OPENING_NODES: u64 = 3000;

/// One thread's player, both sides at once.
pub struct Player {
    search: SingleThread,
    evaluator: Evaluator,
    /// See [`Task::scale_eval`].
    scale_eval: bool,
    /// Soft limits.
    nodes: u64,
    label_nodes: u64,
    labels: Labels,
    forcing_nodes: Option<u64>,
    /// Nodes of all searches so far.
    pub searched: u64,
}

impl Player {
    /// All positions are searched alike.
    pub fn new(search: SingleThread, evaluator: Evaluator, scale_eval: bool, nodes: u64) -> Player {
        let labels = Labels::ALL;
        Player {
            search,
            evaluator,
            scale_eval,
            nodes,
            label_nodes: nodes,
            labels,
            forcing_nodes: None,
            searched: 0,
        }
    }

    /// Playout cap randomisation: some positions are searched with more nodes.
    pub fn with_labels(self, labels: Labels, nodes: u64) -> Player {
        Player { labels, label_nodes: nodes, ..self }
    }

    /// Positions that training leaves out, in check or with a noisy best move, are searched with these.
    pub fn with_forcing_nodes(self, nodes: Option<u64>) -> Player {
        Player { forcing_nodes: nodes, ..self }
    }

    /// Forgets earlier games: table and histories.
    pub fn clear(&mut self) {
        self.search.clear();
    }

    /// Whether a search finds neither side further ahead than this.
    pub fn is_balanced(&mut self, start: Position, most: i32) -> bool {
        let nodes = OPENING_NODES.min(10 * self.nodes);
        is_balanced(start, nodes, most, self.evaluator.clone(), &mut self.search)
    }

    /// A game to its end or to where the adjudicator ends it, unless `stop` is set meanwhile.
    pub fn play(
        &mut self,
        start: Position,
        mut adjudicator: Option<Adjudicator>,
        stop: &AtomicBool,
    ) -> Option<GameRecord> {
        let mut game = board::Game::new(start);
        let mut plies = Vec::new();
        let outcome = loop {
            if let Some(ending) = game.ending() {
                break outcome_of(ending);
            }
            let found = self.search(&game).filter(|_| !stop.load(Relaxed))?;
            let mv = *found.line.moves.first()?;
            plies.push(ScoredPly { mv, score: found.score as i16 });
            let side = game.position().side();
            let adjudicated = adjudicator.as_mut();
            if let Some(outcome) =
                adjudicated.and_then(|by| by.after(plies.len(), side, found.score))
            {
                break outcome;
            }
            game.play(mv);
        };
        Some(GameRecord { start, outcome, plies })
    }

    pub fn search(&mut self, game: &board::Game) -> Option<ThreadResult> {
        let is_label = self.labels.contains(game.position());
        let nodes = if is_label { self.label_nodes } else { self.nodes };
        self.search_with(game, nodes, self.forcing_nodes)
    }

    fn search_with(
        &mut self,
        game: &board::Game,
        nodes: u64,
        forcing_soft_nodes: Option<u64>,
    ) -> Option<ThreadResult> {
        let limits = Limits {
            soft_nodes: Some(nodes),
            forcing_soft_nodes,
            nodes: Some(HARD_LIMIT * nodes),
            ..Limits::default()
        };
        let key_history = game.repeatable_keys().collect();
        let evaluator = self.evaluator.clone();
        let task = Task {
            key_history,
            evaluator,
            scale_eval: self.scale_eval,
            ..Task::new(*game.position(), limits)
        };
        let found = self.search.search(task)?;
        self.searched += found.line.nodes;
        Some(found)
    }
}
