//! Answers as UCI writes them.

use super::display;
use crate::board::{Move, Position};
use crate::eval::Network;
use crate::search::{Bound, Line, Score, SearchResult};
use crate::session::{Context, Writer};
use crate::text::one_line;

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

    fn result(&self, result: Option<&SearchResult>, context: Context) -> String {
        let Some(result) = result else { return "bestmove 0000".to_string() };
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

    fn evaluation(&self, network: &Network, position: &Position) -> String {
        display::evaluation(network, position, true)
    }

    fn note(&self, text: &str) -> String {
        format!("info string {}", one_line(text))
    }

    fn error(&self, text: &str) -> String {
        format!("info string error: {}", one_line(text))
    }
}
