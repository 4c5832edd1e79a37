//! What is said, as UCI wants it.

use crate::board::{Game, Move, Position};
use crate::search::{Bound, Line, Score, SearchResult};
use crate::tablebase::Tablebase;

use super::options::Options;

/// What answers are about.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    pub game: &'a Game,
    pub options: &'a Options,
    pub tablebase: Option<&'a Tablebase>,
}

impl Scene<'_> {
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// A move of the position as UCI writes it.
    fn uci(&self, mv: Move) -> String {
        self.position().uci(mv, self.options.chess960)
    }
}

/// A way to say things: strictly, or for people. An empty text says nothing.
pub trait Output {
    fn greeting(&self, scene: Scene) -> String;
    fn search_begins(&self, scene: Scene) -> String;
    fn line(&self, line: &Line, scene: Scene) -> String;
    fn current(&self, depth: u32, mv: Move, number: usize, scene: Scene) -> String;
    fn outcome(&self, outcome: &SearchResult, scene: Scene) -> String;
    /// The answer to `d`.
    fn display(&self, scene: Scene) -> String;
    /// What the board looks like now, for who does not keep it themselves.
    fn board(&self, scene: Scene) -> String;
    fn note(&self, text: &str) -> String;
    fn error(&self, text: &str) -> String;
}

/// UCI and nothing else.
pub struct Strict;

impl Output for Strict {
    fn greeting(&self, _: Scene) -> String {
        String::new()
    }

    fn search_begins(&self, _: Scene) -> String {
        String::new()
    }

    fn line(&self, line: &Line, scene: Scene) -> String {
        let score = match line.score {
            Score::Centipawns(value) => format!("cp {value}"),
            Score::Mate(moves) => format!("mate {moves}"),
        };
        let bound = match line.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        let mut text = format!(
            "info depth {} seldepth {} multipv {} score {score}{bound}",
            line.depth, line.sel_depth, line.pv_index
        );
        if scene.options.show_wdl {
            text += &format!(" wdl {} {} {}", line.wdl.win, line.wdl.draw, line.wdl.loss);
        }
        text += &format!(
            " nodes {} nps {} hashfull {} tbhits {} time {}",
            line.nodes,
            line.nodes_per_second(),
            line.hashfull,
            line.tb_hits,
            line.time.as_millis()
        );
        if !line.moves.is_empty() {
            text += " pv";
        }
        let mut position = *scene.position();
        for &mv in &line.moves {
            text += &format!(" {}", position.uci(mv, scene.options.chess960));
            position = position.after(mv);
        }
        text
    }

    fn current(&self, depth: u32, mv: Move, number: usize, scene: Scene) -> String {
        format!("info depth {depth} currmove {} currmovenumber {number}", scene.uci(mv))
    }

    fn outcome(&self, outcome: &SearchResult, scene: Scene) -> String {
        let Some(best) = outcome.best else { return "bestmove (none)".to_string() };
        let mut text = format!("bestmove {}", scene.uci(best));
        if let Some(ponder) = outcome.ponder {
            let next = scene.position().after(best);
            text += &format!(" ponder {}", next.uci(ponder, scene.options.chess960));
        }
        text
    }

    fn board(&self, _: Scene) -> String {
        String::new()
    }

    fn display(&self, scene: Scene) -> String {
        let position = scene.position();
        let mut text = String::from(" +---+---+---+---+---+---+---+---+\n");
        for rank in (0..8).rev() {
            for file in 0..8 {
                text += &format!(" | {}", letter_at(position, file, rank));
            }
            text += &format!(" | {}\n +---+---+---+---+---+---+---+---+\n", rank + 1);
        }
        text + "   a   b   c   d   e   f   g   h\n\n" + &facts(scene)
    }

    fn note(&self, text: &str) -> String {
        format!("info string {text}")
    }

    fn error(&self, text: &str) -> String {
        format!("info string error: {text}")
    }
}

/// The letter of the piece on a square, or a space.
pub fn letter_at(position: &Position, file: u8, rank: u8) -> char {
    let square = crate::board::Square::new(file, rank);
    square.and_then(|square| position.piece_at(square)).map_or(' ', |piece| piece.letter())
}

/// FEN, key and checkers, and what endgame tables say.
pub fn facts(scene: Scene) -> String {
    let position = scene.position();
    let checkers: Vec<String> =
        position.checkers().into_iter().map(|square| square.to_string()).collect();
    let mut text = format!(
        "Fen: {}\nKey: {:016X}\nCheckers: {}",
        position.fen(),
        position.key(),
        checkers.join(" ")
    );
    let verdict = scene.tablebase.and_then(|tablebase| tablebase.probe_wdl(position));
    if let Some(verdict) = verdict {
        text += &format!("\nTablebase: WDL {}", i32::from(verdict));
    }
    if let Some(distance) = scene.tablebase.and_then(|tablebase| tablebase.probe_dtz(position)) {
        text += &format!(", DTZ {distance}");
    }
    text.trim_end().to_string()
}
