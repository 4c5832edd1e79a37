//! Recomputes accuracies from the written scores, by the formula that lichess publishes.

use std::fs;

use engine::notation::PgnReader;

use crate::{analyse, file, folder};

fn win_percent(eval: &str) -> f64 {
    let centipawns = match eval.strip_prefix('#') {
        Some(mate) => {
            if mate.starts_with('-') {
                -1000.0
            } else {
                1000.0
            }
        }
        None => (eval.parse::<f64>().expect("pawns") * 100.0).clamp(-1000.0, 1000.0),
    };
    50.0 + 50.0 * (2.0 / (1.0 + f64::exp(-0.00368208 * centipawns)) - 1.0)
}

/// The accuracies of White and Black, from White's chances after each move of a game that White begins.
fn accuracies(after_moves: &[f64]) -> [f64; 2] {
    let mut wins = vec![win_percent("0.15")];
    wins.extend(after_moves);
    let size = (after_moves.len() / 10).clamp(2, 8);
    let mut windows = vec![&wins[..size]; size - 2];
    windows.extend(wins.windows(size));
    [1.0, -1.0].map(|sign| {
        let own = wins
            .windows(2)
            .zip(&windows)
            .enumerate()
            .filter(|(i, _)| i % 2 == usize::from(sign < 0.0));
        let rated: Vec<(f64, f64)> = own
            .map(|(_, (pair, window))| {
                let loss = (pair[0] - pair[1]) * sign;
                let accuracy = if loss <= 0.0 {
                    100.0
                } else {
                    let raw = 103.1668100711649 * f64::exp(-0.04354415386753951 * loss);
                    (raw - 3.166924740191411 + 1.0).clamp(0.0, 100.0)
                };
                let mean = window.iter().sum::<f64>() / window.len() as f64;
                let squares = window.iter().map(|win| (win - mean) * (win - mean)).sum::<f64>();
                (accuracy, (squares / window.len() as f64).sqrt().clamp(0.5, 12.0))
            })
            .collect();
        let weights: f64 = rated.iter().map(|(_, weight)| weight).sum();
        let weighted =
            rated.iter().map(|(accuracy, weight)| accuracy * weight).sum::<f64>() / weights;
        let inverse: f64 = rated.iter().map(|(accuracy, _)| 1.0 / accuracy.max(1.0)).sum();
        (weighted + rated.len() as f64 / inverse) / 2.0
    })
}

#[test]
fn accuracy_is_what_lichess_would_reckon() {
    let folder = folder("accuracy");
    for name in ["immortal", "opera", "chesscom"] {
        let out = folder.join(name);
        let run = analyse(&["--nodes", "2000", "--out", &out.to_string_lossy()], &file(name));
        let said = String::from_utf8_lossy(&run.stdout).into_owned();
        let written = fs::read(out.with_extension("pgn")).expect("a file");
        let game = PgnReader::new(&written[..]).next().expect("a game").expect("a whole one");
        let evals = game.moves.iter().filter_map(|played| {
            let text = played.comments.first()?.split_once("[%eval ")?.1;
            Some(win_percent(text.split(']').next()?))
        });
        let mut wins: Vec<f64> = evals.collect();
        // A mate on the board has no score.
        if wins.len() < game.moves.len() {
            wins.push(win_percent("#1"));
        }
        let [white, black] = accuracies(&wins);
        let wanted = [format!("White {white:.1} ("), format!("Black {black:.1} (")];
        assert!(wanted.iter().all(|wanted| said.contains(wanted)), "{wanted:?}: {said}");
    }
}
