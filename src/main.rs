//! The engine's binary.

use std::process::ExitCode;
use std::time::Instant;

use zebu::board::{Position, START, perft};

/// `zebu perft DEPTH [FEN]`
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (depth, fen) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["perft", depth] => (depth.parse(), START),
        ["perft", depth, fen] => (depth.parse(), fen),
        _ => {
            eprintln!("usage: zebu perft DEPTH [FEN]");
            return ExitCode::FAILURE;
        }
    };
    match (depth, fen.parse::<Position>()) {
        (Ok(depth), Ok(position)) => {
            let start = Instant::now();
            let nodes = perft(&position, depth);
            println!("Nodes searched: {nodes}");
            println!("{:.0} nodes per second", nodes as f64 / start.elapsed().as_secs_f64());
            ExitCode::SUCCESS
        }
        (Err(error), _) => {
            eprintln!("depth: {error}");
            ExitCode::FAILURE
        }
        (_, Err(error)) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
