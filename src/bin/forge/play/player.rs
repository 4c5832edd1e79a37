//! Plays self-play games.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use zebu::board::{Game, Position};
use zebu::eval::Evaluator;
use zebu::search::{Limits, SingleThread, Task, ThreadResult};

use super::adjudicator::Adjudicator;
use super::game::play_game;
use crate::games::{GameRecord, Labels};
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
        adjudicator: Option<Adjudicator>,
        stop: &AtomicBool,
    ) -> Option<GameRecord> {
        play_game(start, adjudicator, |game| self.search(game).filter(|_| !stop.load(Relaxed)))
    }

    pub fn search(&mut self, game: &Game) -> Option<ThreadResult> {
        let is_label = self.labels.contains(game.position());
        let nodes = if is_label { self.label_nodes } else { self.nodes };
        let limits = Limits {
            soft_nodes: Some(nodes),
            forcing_soft_nodes: self.forcing_nodes,
            nodes: Some(HARD_LIMIT * nodes),
            ..Limits::default()
        };
        let evaluator = self.evaluator.clone();
        let task = Task { evaluator, scale_eval: self.scale_eval, ..Task::in_game(game, limits) };
        let found = self.search.search(task)?;
        self.searched += found.line.nodes;
        Some(found)
    }
}
