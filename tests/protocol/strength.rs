//! Weaker play, as a GUI notices it.

use crate::driver::{Engine, answers, best_move, last_line, number_after};

const LIMIT: &str = "setoption name UCI_LimitStrength value true";

/// The nodes of a search that nothing but a level ends early.
fn nodes(before: &[&str]) -> i64 {
    let seed = ["setoption name Seed value 1"];
    let told = answers(&[&seed, before, &["go nodes 300000"]].concat());
    number_after(last_line(&told), "nodes").expect("a count")
}

#[test]
fn a_weaker_player_sees_less() {
    let all = nodes(&[]);
    let [low, middle, high] = ["600", "2000", "3200"]
        .map(|elo| nodes(&[LIMIT, &format!("setoption name UCI_Elo value {elo}")]));
    assert!(low < 500 && low < middle && middle < high && high < all, "{low}, {middle}, {high}");
    let [worst, best] =
        ["0", "20"].map(|level| nodes(&[&format!("setoption name Skill Level value {level}")]));
    assert_eq!((worst, best), (low, all));
    let threads = "setoption name Threads value 3";
    assert_eq!(nodes(&[threads, LIMIT, "setoption name UCI_Elo value 600"]), low);
}

#[test]
fn ratings_count_more_than_skill_and_analysis_has_all_the_strength() {
    let skill = "setoption name Skill Level value 0";
    let rating = "setoption name UCI_Elo value 2500";
    assert_eq!(nodes(&[skill, LIMIT, rating]), nodes(&[LIMIT, rating]));
    let analysis = "setoption name UCI_AnalyseMode value true";
    assert_eq!([nodes(&[analysis, skill]), nodes(&[analysis, LIMIT])], [nodes(&[analysis]); 2]);
}

/// The moves of a player of this rating in the first position, one in each of several games.
fn first_moves(seed: u32, elo: u32) -> Vec<String> {
    let mut engine = Engine::start();
    engine.talk(&[LIMIT, &format!("setoption name UCI_Elo value {elo}")]);
    engine.talk(&[&format!("setoption name Seed value {seed}")]);
    let play = |engine: &mut Engine| best_move(&engine.talk(&["go"])).to_string();
    (0..20)
        .map(|_| {
            engine.talk(&["ucinewgame"]);
            let first = play(&mut engine);
            engine.talk(&["setoption name Clear Hash"]);
            assert_eq!(first, play(&mut engine), "an opinion lasts for a game");
            first
        })
        .collect()
}

#[test]
fn opinions_change_from_game_to_game_and_come_from_the_seed() {
    let moves = first_moves(1, 1000);
    assert!(moves.iter().any(|mv| *mv != moves[0]), "{moves:?}");
    assert_eq!(moves, first_moves(1, 1000));
    assert_ne!(moves, first_moves(2, 1000));
}

#[test]
fn a_weak_player_is_no_fool() {
    let often = |fen: &str, wanted: &dyn Fn(&str) -> bool| {
        let mut engine = Engine::start();
        engine.talk(&[LIMIT, "setoption name UCI_Elo value 1000", fen]);
        let right = |_: &i32| wanted(best_move(&engine.talk(&["ucinewgame", "go"])));
        (0..40).filter(right).count()
    };
    let mate = "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    let mates = often(mate, &|mv| mv == "a1a8");
    assert!(mates >= 36, "a mate in one is found {mates} times of 40");
    let attacked = "position fen rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR b KQkq - 0 1";
    let saved = often(attacked, &|mv| mv.starts_with("d5"));
    assert!(saved >= 36, "the queen is saved {saved} times of 40");
    let hanging = "position fen rnbqkb1r/pppppppp/8/8/4n3/3P4/PPP1PPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(often(hanging, &|mv| mv == "d3e4"), 40, "an undefended piece is taken");
}

#[test]
fn a_bare_king_is_mated_at_every_level() {
    for fen in ["8/8/8/4k3/8/8/8/3QK3 w - - 0 1", "8/8/8/4k3/8/8/8/R3K3 w - - 0 1"] {
        let mut engine = Engine::start();
        engine.talk(&[LIMIT, "setoption name UCI_Elo value 600", "setoption name Seed value 1"]);
        let mut moves = String::new();
        let end = (0..100).find_map(|_| {
            let told = engine.talk(&[&format!("position fen {fen} moves{moves}"), "go"]);
            moves += &format!(" {}", best_move(&told));
            (best_move(&told) == "(none)").then_some(told)
        });
        assert!(end.is_some_and(|told| told.join("").contains("score mate 0")), "{moves}");
    }
}

/// A weak player's errors are in its moves, not in what it tells.
#[test]
fn the_score_told_is_without_the_errors() {
    let mut engine = Engine::start();
    engine.talk(&["setoption name Seed value 1", LIMIT, "setoption name UCI_Elo value 1000"]);
    let told = |engine: &mut Engine, position: &str| {
        let mut scores: Vec<i64> = (0..41)
            .map(|_| {
                let told = engine.talk(&["ucinewgame", position, "go"]);
                number_after(last_line(&told), "cp").expect("a score")
            })
            .collect();
        scores.sort();
        (scores[4], scores[20], scores[36])
    };
    let start = told(&mut engine, "position startpos");
    assert!(start.0 > -150 && start.2 < 150 && start.1.abs() < 60, "{start:?}");
    let knight_up = "position fen rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let up = told(&mut engine, knight_up);
    assert!(up.0 > 150 && up.1 > 250, "{up:?}");
}

#[test]
fn a_level_forgets_what_the_full_engine_found() {
    let mut engine = Engine::start();
    engine.talk(&["go depth 10"]);
    let told = engine.talk(&[LIMIT, "setoption name UCI_Elo value 1000", "go nodes 100000"]);
    assert_eq!(number_after(last_line(&told), "hashfull"), Some(0), "{told:?}");
}
