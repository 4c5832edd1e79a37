//! The tree of a person's openings: how often each move was played, the results, the winning chance after the
//! opening, and which of the person's moves cost something.

use serde::Serialize;

use crate::analysis::{GameAnalysis, opening};
use engine::board::{Color, Move, Position};
use engine::notation::{GameResult, PgnGame};

/// The depth of the tree, in plies.
const DEPTH: usize = 24;

/// The least number of games of a shown move.
const LEAST_GAMES: usize = 2;

/// The mean loss, in points, from which a move costs something.
const COSTLY: f64 = 0.05;

/// A move with its continuations.
#[derive(Debug, Default, Serialize)]
pub struct Branch {
    pub uci: String,
    pub san: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'static str>,
    pub games: usize,
    /// The person's points, and the games with a result.
    pub points: f64,
    pub results: usize,
    /// The person's mean winning chance after the opening, in reviewed games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<f64>,
    /// The mean loss of a move of the person that costs something, and the better move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub better: Option<String>,
    pub moves: Vec<Branch>,
}

/// The games of one color from the usual start.
#[derive(Default)]
pub struct Tree {
    games: usize,
    nodes: Vec<(Move, Node)>,
}

#[derive(Default)]
struct Node {
    games: usize,
    points: f64,
    results: usize,
    left: Mean,
    loss: Mean,
    better: Option<Move>,
    nodes: Vec<(Move, Node)>,
}

#[derive(Clone, Copy, Default)]
struct Mean {
    sum: f64,
    count: usize,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    fn value(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

impl Tree {
    /// Adds a game in which the person had this color, with its review if there is one.
    pub fn add(&mut self, game: &PgnGame, me: Color, analysis: Option<&GameAnalysis>) {
        if game.start.key() != Position::start().key() {
            return;
        }
        self.games += 1;
        let result = match game.result {
            GameResult::Won(winner) => Some(f64::from(u8::from(winner == me))),
            GameResult::Drawn => Some(0.5),
            GameResult::Unknown => None,
        };
        let end = game.moves.len().min(DEPTH);
        let left = analysis.and_then(|analysis| analysis.analyses.get(end));
        let left = left.map(|found| found.white_score.win_percent(me) / 100.0);
        let mut nodes = &mut self.nodes;
        for (ply, played) in game.moves[..end].iter().enumerate() {
            let at = nodes.iter().position(|(mv, _)| *mv == played.mv).unwrap_or_else(|| {
                nodes.push((played.mv, Node::default()));
                nodes.len() - 1
            });
            let node = &mut nodes[at].1;
            node.games += 1;
            node.points += result.unwrap_or_default();
            node.results += usize::from(result.is_some());
            left.into_iter().for_each(|left| node.left.add(left));
            let judged = analysis.and_then(|analysis| analysis.moves.get(ply));
            if let Some(judged) = judged.filter(|judged| judged.color == me) {
                node.loss.add(judged.loss / 100.0);
                let best = analysis.and_then(|analysis| analysis.analyses[ply].pv.first().copied());
                node.better = best.or(node.better);
            }
            nodes = &mut node.nodes;
        }
    }

    pub fn games(&self) -> usize {
        self.games
    }

    /// The first moves, most frequent first.
    pub fn branches(&self) -> Vec<Branch> {
        branches(&self.nodes, &[Position::start()], LEAST_GAMES, DEPTH)
    }

    /// The moves played after these, most frequent first, without continuations.
    pub fn after(&self, moves: &[Move]) -> Vec<Branch> {
        let mut positions = vec![Position::start()];
        let mut nodes = &self.nodes;
        for &mv in moves {
            let Some((_, node)) = nodes.iter().find(|(other, _)| *other == mv) else {
                return Vec::new();
            };
            nodes = &node.nodes;
            positions.push(positions[positions.len() - 1].after(mv));
        }
        branches(nodes, &positions, 1, 1)
    }
}

/// The moves with at least `least` games, `depth` plies deep.
fn branches(
    nodes: &[(Move, Node)],
    positions: &[Position],
    least: usize,
    depth: usize,
) -> Vec<Branch> {
    let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
    let position = positions.last().expect("there is a start");
    let kept = nodes.iter().filter(|(_, node)| node.games >= least);
    let branch = |(mv, node): &(Move, Node)| {
        let line = [positions, &[position.after(*mv)]].concat();
        let loss = node.loss.value().filter(|&loss| loss >= COSTLY);
        // What the opening is called here, where that is more than it was called before.
        let name = opening(&line).filter(|name| opening(positions) != Some(*name));
        Branch {
            uci: position.uci(*mv, true),
            san: position.san(*mv),
            name,
            games: node.games,
            points: node.points,
            results: node.results,
            left: node.left.value(),
            loss,
            better: loss
                .and(node.better)
                .filter(|better| better != mv)
                .map(|better| position.san(better)),
            moves: branches(&node.nodes, &line, least, depth),
        }
    };
    let mut branches: Vec<Branch> = kept.map(branch).collect();
    branches.sort_by_key(|branch| std::cmp::Reverse(branch.games));
    branches
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::notation::PgnReader;

    fn tree(games: &str, me: Color) -> Tree {
        let mut tree = Tree::default();
        for game in PgnReader::new(games.as_bytes()) {
            tree.add(&game.expect("a game"), me, None);
        }
        tree
    }

    #[test]
    fn moves_count_with_their_results() {
        let games = "1. e4 e5 2. Nf3 1-0\n\n1. e4 e5 2. Bc4 0-1\n\n1. e4 c5 1/2-1/2\n\n1. d4 *\n\n\
                     [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 1-0\n";
        let tree = tree(games, Color::White);
        let [king_pawn] = &tree.branches()[..] else { panic!("moves of one game are left out") };
        let found = (king_pawn.san.as_str(), king_pawn.games, king_pawn.points, king_pawn.results);
        assert_eq!(found, ("e4", 3, 1.5, 3));
        let [open] = &king_pawn.moves[..] else { panic!("one answer came twice") };
        assert_eq!((open.san.as_str(), open.points, open.moves.len()), ("e5", 1.0, 0));
        assert_eq!(tree.games(), 4);
        assert!(king_pawn.name.is_some());
        let moves = |words: &[&str]| {
            let mut position = Position::start();
            let moves = words.iter().map(|word| {
                let mv = position.parse_uci(word).expect("a move");
                position = position.after(mv);
                mv
            });
            moves.collect::<Vec<_>>()
        };
        let answers = tree.after(&moves(&["e2e4"]));
        let answers: Vec<_> = answers.iter().map(|it| (it.san.as_str(), it.games)).collect();
        assert_eq!(answers, [("e5", 2), ("c5", 1)]);
        assert!(tree.after(&moves(&["e2e4", "e7e6"])).is_empty());
    }
}
