//! A person at a terminal, which the program `script` provides. It has no cursor, so that what is said
//! comes line by line.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use crate::data::skip::skip;
use crate::driver::{Engine, without_configuration};
use crate::folder::Folder;

/// In place of the shell: some shells die of a Ctrl-C that is meant for what they run.
const ZEBU: &str = concat!("exec '", env!("CARGO_BIN_EXE_zebu"), "'");

/// The engine at a terminal with this locale, or `None` where there is no `script`.
fn at_terminal(locale: &str) -> Option<Engine> {
    run_in(Path::new("."), locale, ZEBU)
}

/// In this folder, which is the user's too.
fn run_in(folder: &Path, locale: &str, shell_command: &str) -> Option<Engine> {
    if Command::new("script").arg("--version").output().is_err() {
        skip("script", "no script in PATH");
        return None;
    }
    let mut script = without_configuration(Command::new("script"));
    script.args(["-qec", shell_command, "/dev/null"]).current_dir(folder);
    script.env("TERM", "dumb").env("LC_ALL", locale).env("HOME", folder);
    Some(Engine::start_by(script))
}

/// Types a line and waits for an answer.
fn ask(engine: &mut Engine, line: &str, wanted: &str) {
    engine.send(line);
    engine.until_containing(wanted);
}

#[test]
fn a_game_against_zebu() {
    let folder = Folder::new("a game");
    let Some(mut engine) = run_in(&folder, "C.UTF-8", ZEBU) else { return };
    engine.until_containing("Zebu replies");
    for (line, wanted) in [
        ("time", "Zebu takes up to 1 s for a move."),
        ("time soon", "time takes seconds, up to a day of them, not 'soon'"),
        ("time 0.05", "Zebu takes up to 0.05 s for a move."),
        ("level 1200", "Zebu plays at 1200 Elo: club player."),
        ("level 12", "A level is an Elo from 600 to 3200, or easy, medium, hard, full"),
        // A knight's move where no pawn can make it, and moves that are none.
        ("nf3", "Zebu plays 1... "),
        ("e2-e5", "'e2-e5' is not legal here"),
        ("ne9", "'ne9' is neither a command"),
        ("hint\nhint\nhint", " is good."),
        ("go depth 3", "It is not played"),
        ("play depth 3", "did you mean 'go depth 3'?"),
        ("quit", "The game is not saved"),
        // Without a name the game gets one, and keeps it.
        ("save", "The game is in zebu-"),
        ("save", "The game is in zebu-"),
        ("undo", "White to move."),
        ("play black", "Zebu plays 1. "),
        ("flip", "a  b  c  d"),
        ("resign", "Black resigns, White wins."),
        ("pieces unicode", "♜"),
        ("analyse", "Zebu looks on"),
        ("new", "Zebu looks on; play lets it reply."),
        ("f3", "Black to move."),
        ("e5", "White to move."),
        ("g4", "Black to move."),
        ("d8-h4", "Checkmate, Black wins."),
        ("a3", "the game is over"),
        ("save ~/mate.pgn", "The game is in "),
    ] {
        ask(&mut engine, line, wanted);
    }
    engine.send("quit");
    assert!(engine.end().success());
    let names = fs::read_dir(&*folder).expect("a folder").flatten().map(|file| file.file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!((names.len(), names[0].as_str()), (2, "mate.pgn"), "{names:?}");
    let text = |name: &str| fs::read_to_string(folder.join(name)).expect(name);
    let own = text(&names[1]);
    assert!(own.contains(", level 1200\"]\n") && own.contains("[White \"Player\"]\n"), "{own}");
    assert!(own.contains("\n\n1. Nf3 ") && own.ends_with(" *\n\n"), "{own}");
    let date = names[1].trim_start_matches("zebu-").trim_end_matches(".pgn").replace('-', ".");
    assert!(own.contains(&format!("[Date \"{date}\"]\n")), "{own}");
    assert!(text("mate.pgn").contains("[Result \"0-1\"]"));
}

/// Whether Zebu says this before a flag falls, as it does where the machine goes on all the time.
fn comes_in_time(engine: &mut Engine, line: &str, wanted: &str) -> bool {
    engine.send(line);
    let told = engine.until_that(|line| line.contains(wanted) || line.contains("time is up"));
    told.last().is_some_and(|line| line.contains(wanted))
}

/// A machine that stood still for seconds may try a game anew.
const TRIES: usize = 3;

/// How the clock runs is tried in the room `game`.
#[test]
fn a_game_by_the_clock() {
    let folder = Folder::new("by the clock");
    let Some(mut engine) = run_in(&folder, "C.UTF-8", ZEBU) else { return };
    engine.until_containing("Zebu replies");
    ask(&mut engine, "clock", "There is no clock; Zebu takes up to 1 s for a move.");
    ask(&mut engine, "level 1000", "Zebu plays at 1000 Elo: beginner.");
    ask(&mut engine, "clock soon", "'soon' is no clock: it is minutes, and perhaps seconds");
    ask(&mut engine, "clock 5+3", "White has 5:00, Black has 5:00, and 3 s more with each move.");
    ask(&mut engine, "analyse", "Zebu looks on");
    ask(&mut engine, "clock", "The clock stands while Zebu looks on.");
    ask(&mut engine, "clock 0.15", "White has 0:09.0, Black has 0:09.0.");
    ask(&mut engine, "time 60", "Zebu takes up to 60 s for a move, when the clock is off.");
    ask(&mut engine, "play white", "  White 0:09.0   Black 0:09.0");
    // A hint leaves time to play it.
    let played = (0..TRIES).any(|_| {
        comes_in_time(&mut engine, "e4", "Zebu plays 1... ")
            && comes_in_time(&mut engine, "hint\nhint\nhint", " is good.")
            || {
                ask(&mut engine, "undo", "  White 0:09.0   Black 0:09.0");
                false
            }
    });
    assert!(played);
    // Nothing is typed, and it is told in time.
    engine.until_containing("White's time is up: Black wins.");
    ask(&mut engine, "board", "White's time is up: Black wins.");
    ask(&mut engine, "resign", "There is no game to resign.");
    ask(&mut engine, "save lost.pgn", "The game is in");
    ask(&mut engine, "time 0.1", "Zebu takes up to 0.1 s for a move, when the clock is off.");
    ask(&mut engine, "a3", "The game goes on without the clock.");
    engine.until_containing("Zebu plays 2... ");
    ask(&mut engine, "resign", "White resigns, Black wins.");
    // The next game has its clock again.
    ask(&mut engine, "new", "  White 0:09.0   Black 0:09.0");
    engine.send("quit");
    assert!(engine.end().success());
    let saved = fs::read_to_string(folder.join("lost.pgn")).expect("the game was saved");
    for wanted in [
        "[Result \"0-1\"]",
        "[Termination \"time forfeit\"]",
        "[TimeControl \"9\"]",
        "1. e4 { [%clk 0:00:09.0] } 1... ",
    ] {
        assert!(saved.contains(wanted), "{saved}");
    }
}

#[test]
fn a_loaded_game_keeps_its_names_and_comments() {
    let folder = Folder::new("loaded");
    let Some(mut engine) = run_in(&folder, "C.UTF-8", ZEBU) else { return };
    let game = "[White \"Anna \\\"A\\\" Ode\"]\n[Black \"B. Bode\"]\n[Opening \"Spanish\"]\n\n\
        {friends} 1. e4 $1 {best by test} e5 2. Nf3 (2. f4 exf4) Nc6 1-0\n\n";
    fs::write(folder.join("one game.pgn"), game).expect("a file can be written");
    fs::write(folder.join("two.pgn"), game.repeat(2)).expect("a file can be written");
    engine.until_containing("Zebu replies");
    for (line, told) in [
        ("load \"one game.pgn\"", "Zebu looks on"),
        ("Bb5", "Black to move."),
        ("save one game.pgn", "The game is in"),
        ("load two.pgn", "Zebu looks on"),
        ("save two.pgn", "has other games, and is kept"),
        ("undo", "Black to move."),
        ("play white", "Zebu plays 2... "),
        ("save new.pgn", "The game is in"),
    ] {
        ask(&mut engine, line, told);
    }
    engine.send("quit");
    assert!(engine.end().success());
    let text = |name| fs::read_to_string(folder.join(name)).expect("a file can be read");
    let [one, two, new] = ["one game.pgn", "two.pgn", "new.pgn"].map(text);
    assert_eq!(two, game.repeat(2));
    let names = "[White \"Anna \\\"A\\\" Ode\"]\n[Black \"B. Bode\"]\n[Result \"*\"]";
    assert!(one.contains(names), "{one}");
    let moves = "{ friends } 1. e4 $1 { best by test } 1... e5 2. Nf3 (2. f4 exf4)";
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(&one).ends_with(&format!("{moves} 2... Nc6 3. Bb5 *")), "{one}");
    assert!(words(&new).contains(&format!("{moves} 2... ")), "{new}");
    assert!(new.contains("[White \"Player\"]\n[Black \"Zebu "), "{new}");
}

/// What people type, and the games of a file.
#[test]
fn words_as_people_type_them() {
    let folder = Folder::new("typed");
    let Some(mut engine) = run_in(&folder, "C.UTF-8", ZEBU) else { return };
    let games = "[White \"Anna\"]\n[Black \"Bob\"]\n\n1. e4 e5 1-0\n\n\
        [White \"Carl\"]\n[Black \"Dora\"]\n\n1. d4 d5 2. c4 1/2-1/2\n\n1. c4 0-1\n";
    fs::write(folder.join("three.pgn"), games).expect("a file can be written");
    engine.until_containing("Zebu replies");
    for (line, told) in [
        ("load three.pgn 2", "2. c4"),
        ("games", "   2  Carl - Dora 1/2-1/2, 2 moves"),
        ("load 3", "1. c4"),
        ("load three.pgn 4", "three.pgn: there is no game 4 in it"),
        ("load three.pgn", "1... e5"),
        ("2.Nf3", "2. Nf3"),
        ("2... NC6", "2... Nc6"),
        ("F1-B5", "3. Bb5"),
        ("3... a6", "3... a6"),
        ("4. o-o", "4. O-O"),
        ("takeback", "3... a6"),
        ("flip board", "h  g  f  e"),
        ("8/P6k/8/8/8/8/7K/8 w - - 0 1", "White to move."),
        ("a8Q", "1. a8=Q"),
        ("undo 1", "White to move."),
        ("a8=r", "1. a8=R"),
        ("draw", "No draw: Zebu takes a draw from move 20 on"),
        ("level easy", "Zebu plays at 600 Elo: beginner."),
        ("time 0.01", "up to 0.01 s"),
        ("new", "Zebu looks on"),
        ("black", "Zebu plays 1. "),
        ("h", "takeback"),
    ] {
        ask(&mut engine, line, told);
    }
    engine.send("quit\nquit");
    assert!(engine.end().success());
}

/// What a move allows, and hints that tell more and more.
#[test]
fn words_after_a_move() {
    let Some(mut engine) = at_terminal("C.UTF-8") else { return };
    engine.until_containing("Zebu replies");
    for (line, told) in [
        ("words on", "What your moves do is told."),
        ("analyse", "Zebu looks on"),
        ("4k3/5ppp/8/1N1q4/8/8/5PPP/4K2R b K - 0 1", "Black to move."),
        ("Qa8", "1... Qa8?? lets 2. Nc7+ fork the king and the queen on a8"),
        ("hint", "Look for a fork."),
        ("hint", "Move the knight on b5."),
        ("hint", "2. Nc7+ is good."),
    ] {
        ask(&mut engine, line, told);
    }
    engine.send("quit\nquit");
    assert!(engine.end().success());
}

/// `zebu go` and its like answer a person, too.
#[test]
fn a_command_whose_output_is_a_terminal() {
    let Some(mut engine) = run_in(Path::new("."), "C", &format!("{ZEBU} go depth 3")) else {
        return;
    };
    assert!(engine.until_containing("Best is 1. ").iter().all(|line| !line.contains("zebu>")));
    assert!(engine.end().success());
    let Some(mut engine) = run_in(Path::new("."), "C", &format!("{ZEBU} perft 2")) else { return };
    engine.until_containing("Nodes searched: 400");
    assert!(engine.end().success());
}

#[test]
fn a_game_without_room_keeps_its_file() {
    let folder = Folder::new("no room");
    let (text, kept) = ("1. e4 e5 *\n", folder.join("kept.pgn"));
    fs::write(&kept, text).expect("a game");
    let Some(mut engine) = run_in(&folder, "C.UTF-8", &format!("ulimit -f 0; {ZEBU}")) else {
        return;
    };
    ask(&mut engine, "load kept.pgn", "Zebu looks on");
    ask(&mut engine, "save kept.pgn", "File too large");
    ask(&mut engine, "save new.pgn", "File too large");
    assert_eq!(fs::read_to_string(&kept).expect("the game"), text);
    assert_eq!(fs::read_dir(&*folder).expect("a folder").count(), 1);
}

/// Where the terminal has no cursor, Ctrl-C is a signal.
#[test]
fn ctrl_c_ends_neither_session_nor_game() {
    let Some(mut engine) = at_terminal("C.UTF-8") else { return };
    engine.until_containing("Zebu replies");
    for _ in 0..2 {
        engine.send_bytes(b"\x03");
        engine.until_containing("quit, or Ctrl-D, leaves.");
    }
    engine.send("time 0.05");
    engine.send("e4");
    engine.until_containing("Zebu plays 1... ");
    engine.send("go infinite");
    engine.until_containing("4/");
    engine.send_bytes(b"\x03");
    engine.until_containing("It is not played");
    engine.send("quit");
    engine.until_containing("The game is not saved");
    engine.send("quit");
    assert!(engine.end().success());
}

/// A game far behind in a large file was read for, whatever was pressed.
#[test]
fn ctrl_c_ends_a_load() {
    let folder = Folder::new("large");
    fs::write(folder.join("large.pgn"), "[A \"b\"]\n\n1. e4 e5 *\n\n".repeat(3_000_000))
        .expect("a file");
    let Some(mut engine) = run_in(&folder, "C.UTF-8", ZEBU) else { return };
    engine.until_containing("Zebu replies");
    engine.send("load large.pgn 9999999");
    for _ in 0..20 {
        sleep(Duration::from_millis(100));
        engine.send_bytes(b"\x03");
    }
    engine.until_containing("large.pgn: it cannot be read further: it was stopped");
    engine.send("quit");
    assert!(engine.end().success());
}

/// The first word is what a person means.
#[test]
fn words_behind_others_are_no_commands() {
    let Some(mut engine) = at_terminal("C.UTF-8") else { return };
    engine.until_containing("Zebu replies");
    for (line, told) in [
        ("how do I quit", "unknown command 'how'"),
        ("e4 go", "unknown command 'e4'"),
        ("help quit", "undo"),
        ("setoption name Skill Level value 3", ""),
        ("level", "Zebu plays at Skill Level 3 of 20, 990 Elo: beginner."),
        ("level full", "Zebu plays as well as it can."),
        ("go btime 50", "It is not played"),
        ("\"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"", "White to move."),
        ("fen", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("position \"4k3/8/8/8/8/8/8/4K2R b K - 0 1\"", "Black to move."),
        ("4k3/8/8 w", "FEN"),
    ] {
        engine.send(line);
        engine.until_containing(told);
    }
    engine.send("quit");
    assert!(engine.end().success());
}

#[test]
fn bytes_that_are_no_text() {
    let Some(mut engine) = at_terminal("C.UTF-8") else { return };
    engine.until_containing("Zebu replies");
    engine.send_bytes(b"\xff\xfe\n");
    engine.until_containing("is neither a command");
    engine.send("e4");
    engine.until_containing("Zebu plays 1... ");
    engine.send_bytes(b"save \xe9\n");
    engine.send("fen");
    engine.until_containing(" w ");
    engine.send("quit\nquit");
    assert!(engine.end().success());
}

/// Nothing is cut within a word, and the prompt stands on lines of its own.
#[test]
fn a_locale_without_unicode_gets_ascii() {
    let Some(mut engine) = at_terminal("C") else { return };
    engine.send("analyse");
    engine.until_containing("Zebu looks on");
    // The prompt comes first.
    std::thread::sleep(std::time::Duration::from_millis(500));
    engine.send("go depth 5");
    let told = engine.until_containing("It is not played");
    assert!(told.iter().all(|line| line.is_ascii()), "{told:?}");
    assert!(told.iter().filter(|line| line.contains("/")).all(|line| !line.contains("zebu>")));
    engine.send("quit");
    assert!(engine.end().success());
}
