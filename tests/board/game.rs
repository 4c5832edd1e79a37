//! Games: repetition, the fifty-move rule, endings, taking back.

use engine::board::{Color, Ending, Game, Position};

fn play(game: &mut Game, words: &str) {
    for word in words.split_whitespace() {
        let mv = game.position().parse_san(word).unwrap_or_else(|error| panic!("{word}: {error}"));
        game.play(mv);
    }
}

fn game_from(fen: &str) -> Game {
    Game::new(fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}")))
}

#[test]
fn the_third_time_is_a_draw() {
    let mut game = Game::new(Position::start());
    play(&mut game, "Nf3 Nf6 Ng1 Ng8");
    assert_eq!((game.repetitions(), game.ending()), (1, None));
    play(&mut game, "Nf3 Nf6 Ng1");
    assert_eq!((game.repetitions(), game.ending()), (1, None));
    play(&mut game, "Ng8");
    assert_eq!((game.repetitions(), game.ending()), (2, Some(Ending::ThreefoldRepetition)));
}

#[test]
fn a_pawn_move_or_capture_forbids_repetition() {
    let mut game = Game::new(Position::start());
    let first = game.position().key();
    play(&mut game, "Nf3");
    let second = game.position().key();
    play(&mut game, "Nf6");
    assert_eq!(game.repeatable_keys().collect::<Vec<u64>>(), [first, second]);
    play(&mut game, "Ng1 Ng8 e4");
    assert_eq!(game.repeatable_keys().count(), 0);
    play(&mut game, "Nf6 Nf3 Ng8 Ng1");
    assert_eq!(game.repeatable_keys().count(), 4);
    assert_eq!(game.repetitions(), 1);
    play(&mut game, "Nf6 e5 Nd5 Nc3 Nxc3");
    assert_eq!(game.repeatable_keys().count(), 0);
}

/// The first time, Black may capture en passant or White may castle; later not, which alone makes the
/// position a different one. A pawn that no piece can capture makes no difference.
#[test]
fn rights_make_a_position_another() {
    for (fen, moves, repetitions) in [
        ("4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1", "d4 Kd8 Kd1 Ke8 Ke1", 0),
        ("4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1", "d4 Kd8 Kd1 Ke8 Ke1 Kd8 Kd1 Ke8 Ke1", 1),
        ("4k3/8/8/8/8/8/3P4/4K3 w - - 0 1", "d4 Kd8 Kd1 Ke8 Ke1", 1),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Rh2 Ke7 Rh1 Ke8", 0),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Rh2 Ke7 Rh1 Ke8 Rh2 Ke7 Rh1 Ke8", 1),
    ] {
        let mut game = game_from(fen);
        play(&mut game, moves);
        assert_eq!(game.repetitions(), repetitions, "{fen} {moves}");
    }
}

#[test]
fn fifty_moves_without_progress() {
    let mut game = game_from("4k3/8/8/8/8/8/4P3/4K2R w - - 98 80");
    play(&mut game, "Kd1");
    assert_eq!((game.position().halfmoves(), game.ending()), (99, None));
    play(&mut game, "Kd8");
    assert_eq!((game.position().halfmoves(), game.ending()), (100, Some(Ending::FiftyMoves)));
    game.undo();
    game.undo();
    play(&mut game, "e3 Kd8");
    assert_eq!((game.position().halfmoves(), game.ending()), (1, None));
}

#[test]
fn mate_comes_before_fifty_moves() {
    let mut game = game_from("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80");
    play(&mut game, "Ra8#");
    assert_eq!(game.position().halfmoves(), 100);
    assert_eq!(game.ending(), Some(Ending::Checkmate { winner: Color::White }));
}

#[test]
fn undo_takes_back_move_by_move() {
    let mut game = Game::new(Position::start());
    play(&mut game, "e4 e5 Nf3");
    let words: Vec<String> = game.moves().iter().map(|mv| mv.to_string()).collect();
    assert_eq!(words, ["e2e4", "e7e5", "g1f3"]);
    for word in words.iter().rev() {
        assert_eq!(game.undo().map(|mv| mv.to_string()).as_ref(), Some(word));
    }
    assert_eq!(game.undo(), None);
    assert!(game.moves().is_empty());
    assert_eq!((*game.position(), *game.start()), (Position::start(), Position::start()));
}
