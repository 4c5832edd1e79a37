//! Perft of random positions against Stockfish, root move by root move.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;

use crate::common::{random_positions, trials};
use zebu::board::{Position, perft};

const POSITIONS: usize = trials(5_000);
const DEPTH: u32 = 3;
const PROCESSES: usize = 2;

/// One of this many positions of a game is compared.
const STRIDE: usize = 7;

#[test]
fn perft_agrees() {
    if Stockfish::start().is_none() {
        println!("skipped: no stockfish");
        return;
    }
    let positions: Vec<Position> = random_positions(5)
        .step_by(STRIDE)
        .filter(|p| p.ending().is_none())
        .take(POSITIONS)
        .collect();
    let nodes: u64 = thread::scope(|scope| {
        let parts: Vec<_> = positions
            .chunks(POSITIONS.div_ceil(PROCESSES))
            .map(|part| scope.spawn(|| compare(part)))
            .collect();
        parts.into_iter().map(|part| part.join().expect("the positions agree")).sum()
    });
    println!("{POSITIONS} positions agree at depth {DEPTH}, {nodes} nodes");
}

/// Compares the counts behind each root move and adds them up.
fn compare(positions: &[Position]) -> u64 {
    let mut stockfish = Stockfish::start().expect("it started before");
    let mut nodes = 0;
    for position in positions {
        let ours: BTreeMap<String, u64> = position
            .legal_moves()
            .iter()
            .map(|&mv| (position.uci(mv, true), perft(&position.after(mv), DEPTH - 1)))
            .collect();
        let theirs = stockfish.perft(position).expect("it answers");
        assert_eq!(ours, theirs, "{}", position.fen());
        nodes += ours.values().sum::<u64>();
    }
    nodes
}

/// A running Stockfish in Chess960 mode.
struct Stockfish {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Stockfish {
    /// The one on the path, or the one where Debian puts games.
    fn start() -> Option<Stockfish> {
        ["stockfish", "/usr/games/stockfish"].into_iter().find_map(|program| {
            let mut process = Command::new(program)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .ok()?;
            let mut input = process.stdin.take()?;
            let output = BufReader::new(process.stdout.take()?);
            writeln!(input, "setoption name UCI_Chess960 value true").ok()?;
            Some(Stockfish { process, input, output })
        })
    }

    /// The counts behind each root move.
    fn perft(&mut self, position: &Position) -> io::Result<BTreeMap<String, u64>> {
        writeln!(self.input, "position fen {}\ngo perft {DEPTH}", position.fen())?;
        let mut counts = BTreeMap::new();
        for line in self.output.by_ref().lines() {
            let line = line?;
            match line.split_once(": ") {
                Some(("Nodes searched", _)) => break,
                Some((mv, nodes)) => {
                    if let Ok(nodes) = nodes.parse() {
                        counts.insert(mv.to_string(), nodes);
                    }
                }
                None => {}
            }
        }
        Ok(counts)
    }
}

impl Drop for Stockfish {
    fn drop(&mut self) {
        // It ends by itself when told so; if it cannot be told it has ended already.
        let _ = writeln!(self.input, "quit");
        let _ = self.process.wait();
    }
}
