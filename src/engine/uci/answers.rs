//! What is told in the words of UCI, to a program or to a person who asks for it.

use std::fs::File;
use std::io::{self, Write};
use std::time::Duration;

use log::debug;

use super::vampirc::advertised;
use crate::NAME;
use crate::bench::Report;
use crate::board::{Move, Position, Square};
use crate::eval::{Breakdown, Network};
use crate::player::{Options, UciOption, path};
use crate::search::{Bound, Line, Score, SearchResult, TimePlan, centipawns, per_second};
use crate::system::files;
use crate::system::text::message;
use crate::tablebase::Tablebase;

/// Prints at once, even to a pipe.
pub fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// The log of the option Debug Log File.
pub struct Log(Option<File>);

impl Log {
    pub fn open(options: &Options) -> Log {
        Log(path(&options.debug_log_file).and_then(|file| files::append(file).ok()))
    }

    /// Logs what came in, or with `<<` what was told. A full disk ends the log, and no game.
    pub fn write(&mut self, direction: &str, text: &str) -> Result<(), String> {
        debug!(target: "zebu::protocol", "{direction} {text}");
        let Some(file) = &mut self.0 else { return Ok(()) };
        let lines: String = text.lines().map(|line| format!("{direction} {line}\n")).collect();
        file.write_all(lines.as_bytes()).map_err(|error| {
            self.0 = None;
            format!("Debug Log File: {error}: nothing is logged any more")
        })
    }
}

pub fn note(text: &str) -> String {
    format!("info string {}", message(text))
}

pub fn error(text: &str) -> String {
    format!("info string error: {}", message(text))
}

/// Who we are, and the options with these defaults.
pub fn introduction(defaults: &Options) -> String {
    let mut text = format!("id name {NAME}\nid author the Zebu developers");
    for option in UciOption::all() {
        text += &format!("\n{}", advertised(option, defaults));
    }
    text
}

/// A principal variation of a position.
pub fn info(line: &Line, position: &Position, options: &Options) -> String {
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
    if options.show_wdl {
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
    let mut position = *position;
    for &mv in &line.moves {
        text += &format!(" {}", position.uci(mv, options.chess960));
        position = position.after(mv);
    }
    text
}

/// The root move that is being searched.
pub fn current(depth: u32, mv: Move, number: usize, position: &Position, chess960: bool) -> String {
    format!("info depth {depth} currmove {} currmovenumber {number}", position.uci(mv, chess960))
}

/// The one answer to `go`; without a result there was no search.
pub fn best_move(result: Option<SearchResult>, position: &Position, chess960: bool) -> String {
    let Some(result) = result else { return "bestmove 0000".to_string() };
    let Some(best) = result.best else { return "bestmove (none)".to_string() };
    let mut text = format!("bestmove {}", position.uci(best, chess960));
    if let Some(ponder) = result.ponder {
        text += &format!(" ponder {}", position.after(best).uci(ponder, chess960));
    }
    text
}

/// The squares of a rank, from the a-file.
pub fn squares(rank: u8) -> impl Iterator<Item = Square> {
    (0..8).filter_map(move |file| Square::new(file, rank))
}

/// The letter of the piece on a square, or a space.
pub fn letter_at(position: &Position, square: Square) -> char {
    position.piece_at(square).map_or(' ', |piece| piece.letter())
}

pub fn board(position: &Position) -> String {
    const LINE: &str = " +---+---+---+---+---+---+---+---+\n";
    let mut text = LINE.to_string();
    for rank in (0..8).rev() {
        for square in squares(rank) {
            text += &format!(" | {}", letter_at(position, square));
        }
        text += &format!(" | {}\n{LINE}", rank + 1);
    }
    text + "   a   b   c   d   e   f   g   h\n"
}

/// FEN, key and checkers, and what endgame tables say.
pub fn facts(position: &Position, tablebase: Option<&Tablebase>) -> String {
    let checkers: Vec<String> =
        position.checkers().into_iter().map(|square| square.to_string()).collect();
    let mut text = format!(
        "Fen: {}\nKey: {:016X}\nCheckers: {}",
        position.fen(),
        position.key(),
        checkers.join(" ")
    );
    if let Some(wdl) = tablebase.and_then(|tablebase| tablebase.probe_wdl(position)) {
        text += &format!("\nTablebase: WDL {}", i32::from(wdl));
    }
    if let Some(dtz) = tablebase.and_then(|tablebase| tablebase.probe_dtz(position)) {
        text += &format!(", DTZ {dtz}");
    }
    text.trim_end().to_string()
}

/// What each piece is worth to the network, and what each of its outputs says: White's view, in
/// pawns. Where there is no room, the outputs alone.
pub fn evaluation(network: &Network, position: &Position, wide: bool) -> String {
    const LINE: &str = "  +-------+-------+-------+-------+-------+-------+-------+-------+\n";
    let breakdown = Breakdown::new(network, position);
    let pawns = |score: i32| format!("{:+.2}", f64::from(centipawns(score, position)) / 100.0);
    let mut text = if wide { LINE.to_string() } else { String::new() };
    for rank in (0..8).rev().filter(|_| wide) {
        let (mut letters, mut values) = (format!("{} ", rank + 1), "  ".to_string());
        for square in squares(rank) {
            let here = breakdown.pieces.iter().find(|(place, ..)| *place == square);
            let letter = letter_at(position, square);
            let value = here.and_then(|&(.., value)| value).map_or(String::new(), pawns);
            letters += &format!("|   {letter}   ");
            values += &format!("|{value:>6} ");
        }
        text += &format!("{letters}|\n{values}|\n{LINE}");
    }
    if wide {
        text += "      a       b       c       d       e       f       g       h\n\n";
    }
    for (output, &score) in breakdown.outputs.iter().enumerate() {
        let (least, most) = Breakdown::pieces_of(output);
        let mark = if output == breakdown.used { "  counts here" } else { "" };
        text += &format!("{least:>2} to {most:>2} pieces: {:>6}{mark}\n", pawns(score));
    }
    text.trim_end().to_string()
}

/// The evaluation in one number, for the side to move.
pub fn verdict(network: &Network, position: &Position) -> String {
    let score = centipawns(network.evaluate(position), position);
    format!("{score} centipawns for {}", position.side())
}

/// What a benchmark or a count reports, of a count in this position.
pub fn report(report: &Report, position: &Position, chess960: bool) -> String {
    match *report {
        Report::Position { number, count, nodes, fen } => {
            format!("{number:>2}/{count}  {nodes:>10} nodes  {fen}")
        }
        Report::Bench { nodes, time } => {
            format!("{} ms\n{nodes} nodes {} nps", time.as_millis(), per_second(nodes, time))
        }
        Report::Move { mv, leaves } => format!("{}: {leaves}", position.uci(mv, chess960)),
        Report::Perft { leaves, .. } => format!("\nNodes searched: {leaves}"),
    }
}

/// How fast a count was.
pub fn count_speed(report: &Report) -> Option<String> {
    let Report::Perft { leaves, time } = *report else { return None };
    Some(format!("{} ms, {} nodes per second", time.as_millis(), per_second(leaves, time)))
}

/// A time plan, for debug mode.
pub fn times(plan: &TimePlan) -> String {
    let ms = |time: Option<Duration>| {
        time.map_or("none".to_string(), |time| format!("{} ms", time.as_millis()))
    };
    format!("time: soft {}, hard {}", ms(plan.soft), ms(plan.hard))
}
