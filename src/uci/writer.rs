//! What is said, and how UCI says it.

use super::display;
use super::options::Options;
use crate::board::{Game, Move, Position};
use crate::search::{Bound, Line, Score, SearchResult};
use crate::tablebase::Tablebase;
use crate::text::one_line;

/// What answers are about.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub game: &'a Game,
    pub options: &'a Options,
    pub tablebase: Option<&'a Tablebase>,
    pub look: Look,
}

/// How a person wants the board drawn.
#[derive(Clone, Copy, Default)]
pub struct Look {
    /// Black is below.
    pub turned: bool,
    /// Chess pieces, not letters.
    pub pieces: bool,
}

impl Context<'_> {
    pub fn position(&self) -> &Position {
        self.game.position()
    }
}

/// How things are said: by UCI, or for people. An empty text is not printed.
pub trait Writer {
    fn greeting(&self, _: Context) -> String {
        String::new()
    }

    fn help(&self) -> String {
        String::new()
    }

    /// Whether there is room for wide tables.
    fn wide(&self) -> bool {
        true
    }

    fn search_begins(&self) -> String {
        String::new()
    }

    fn line(&self, line: &Line, context: Context) -> String;

    /// The root move that is being searched.
    fn current(&self, _depth: u32, _mv: Move, _number: usize, _: Context) -> String {
        String::new()
    }

    fn result(&self, result: &SearchResult, context: Context) -> String;

    /// The answer to `d`.
    fn display(&self, context: Context) -> String;

    /// The board after a move, for people.
    fn board(&self, _: Context) -> String {
        String::new()
    }

    fn note(&self, text: &str) -> String;
    fn error(&self, text: &str) -> String;
}

/// UCI and nothing else.
pub struct UciWriter;

impl Writer for UciWriter {
    fn line(&self, line: &Line, context: Context) -> String {
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
        if context.options.show_wdl {
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
        let mut position = *context.position();
        for &mv in &line.moves {
            text += &format!(" {}", position.uci(mv, context.options.chess960));
            position = position.after(mv);
        }
        text
    }

    fn current(&self, depth: u32, mv: Move, number: usize, context: Context) -> String {
        let mv = context.position().uci(mv, context.options.chess960);
        format!("info depth {depth} currmove {mv} currmovenumber {number}")
    }

    fn result(&self, result: &SearchResult, context: Context) -> String {
        let Some(best) = result.best else { return "bestmove (none)".to_string() };
        let (position, chess960) = (context.position(), context.options.chess960);
        let mut text = format!("bestmove {}", position.uci(best, chess960));
        if let Some(ponder) = result.ponder {
            text += &format!(" ponder {}", position.after(best).uci(ponder, chess960));
        }
        text
    }

    fn display(&self, context: Context) -> String {
        let position = context.position();
        format!("{}\n{}", display::board(position), display::facts(position, context.tablebase))
    }

    fn note(&self, text: &str) -> String {
        format!("info string {}", one_line(text))
    }

    fn error(&self, text: &str) -> String {
        format!("info string error: {}", one_line(text))
    }
}
