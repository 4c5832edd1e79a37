//! What the clock costs.

use engine::board::Color;
use zebu::analysis::{GameAnalysis, PositionAnalysis, WhiteScore};
use zebu::coach::{JudgedGame, JudgedMove};
use zebu::library::Head;

use crate::games;

/// A short game with these tags and clocks, in which White is two pawns ahead throughout.
fn judged(tags: &str, moves: &str) -> JudgedGame {
    let game = games(format!("{tags}\n\n{moves}\n").as_bytes()).remove(0);
    let ahead = |_| PositionAnalysis {
        white_score: WhiteScore::Centipawns(200),
        depth: 1,
        pv: Vec::new(),
        others: Vec::new(),
        good_moves: Vec::new(),
    };
    let analyses = (0..=game.moves.len()).map(ahead).collect();
    let head = Head {
        players: Default::default(),
        ratings: [None; 2],
        date: String::new(),
        result: game.result.to_string(),
        plies: game.moves.len(),
        opening: String::new(),
        clock: String::new(),
    };
    JudgedGame::of(&GameAnalysis::new(game, analyses), &head, Color::White)
}

fn has(mv: &JudgedMove, name: &str) -> bool {
    mv.groups.iter().chain(&mv.ways).any(|group| group.name == name)
}

#[test]
fn a_flag_costs_what_was_to_be_scored() {
    for termination in ["Time forfeit", "Ben won on time"] {
        let tags = format!("[Termination \"{termination}\"]");
        let game = judged(&tags, "1. e4 e5 2. Nf3 Nc6 0-1");
        let last = game.moves.last().expect("moves");
        assert!(last.is_mine && last.ply == 4 && last.loss > 0.6, "{}", last.loss);
        assert!(has(last, "running out of time"));
    }
    let others = [
        ("[Termination \"Normal\"]", "1. e4 e5 2. Nf3 Nc6 0-1"),
        ("[Termination \"Time forfeit\"]", "1. e4 e5 2. Nf3 Nc6 1/2-1/2"),
        ("", "1. e4 e5 2. Nf3 Nc6 0-1"),
    ];
    for (tags, moves) in others {
        assert_eq!(judged(tags, moves).moves.len(), 4, "{tags} {moves}");
    }
}

#[test]
fn a_clock_is_low_below_each_limit() {
    let moves = "1. e4 {[%clk 0:01:00]} e5 {[%clk 0:01:00]} 2. Nf3 {[%clk 0:00:25]} Nc6 {[%clk 0:00:59]} \
                 3. Bc4 {[%clk 0:00:09]} d6 {[%clk 0:00:58]} 4. O-O {[%clk 0:00:08]} *";
    let game = judged("", moves);
    let named = |ply: usize| {
        let names = game.moves[ply].groups.iter().map(|group| group.name.as_ref());
        names.filter(|name| name.ends_with(" left")).collect::<Vec<_>>()
    };
    assert!(named(2).is_empty(), "a minute is all there was");
    assert_eq!(named(4), ["with under 30 seconds left"]);
    let (quarter, tenth) =
        ("with under a quarter of your time left", "with under a tenth of your time left");
    assert_eq!(named(6), [quarter, "with under 10 seconds left", "with under 30 seconds left"]);
    assert!(!has(&game.moves[6], tenth), "nine seconds of sixty");
}
