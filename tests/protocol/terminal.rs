//! A person at a terminal, which the program `script` provides. It has no cursor, so that what is said
//! comes line by line.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::driver::Engine;

/// In place of the shell: some shells die of a Ctrl-C that is meant for what they run.
const ZEBU: &str = concat!("exec '", env!("CARGO_BIN_EXE_zebu"), "'");

/// The engine at a terminal with this locale, or `None` where there is no `script`.
fn at_terminal(locale: &str) -> Option<Engine> {
    run_at_terminal(locale, ZEBU)
}

fn run_at_terminal(locale: &str, shell_command: &str) -> Option<Engine> {
    run_in(Path::new("."), locale, shell_command)
}

/// In this folder, which is the user's too.
fn run_in(folder: &Path, locale: &str, shell_command: &str) -> Option<Engine> {
    if Command::new("script").arg("--version").output().is_err() {
        println!("skipped: there is no script");
        return None;
    }
    let mut command = Command::new("script");
    command.args(["-qec", shell_command, "/dev/null"]);
    command.env("XDG_CONFIG_HOME", "/nowhere").env("TERM", "dumb").env("LC_ALL", locale);
    command
        .env_remove("ZEBU_CONFIG")
        .env_remove("ZEBU_LOG")
        .current_dir(folder)
        .env("HOME", folder);
    Some(Engine::start_by(command))
}

#[test]
fn zebu_replies_and_the_game_is_not_lost() {
    let Some(mut engine) = at_terminal("C.UTF-8") else { return };
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("terminal game.pgn");
    fs::remove_file(&file).ok();
    let asked = |engine: &mut Engine, line: &str, wanted: &str| {
        engine.send(line);
        engine.until_containing(wanted);
    };
    engine.until_containing("Zebu replies");
    asked(&mut engine, "level 1500", "Zebu plays at 1500 Elo.");
    asked(&mut engine, "e4", "Zebu plays 1... ");
    asked(&mut engine, "hint", "2. ");
    asked(&mut engine, "go depth 3", "It is not played");
    asked(&mut engine, "ke3", "'ke3' is not legal here");
    asked(&mut engine, "play depth 3", "did you mean 'go depth 3'?");
    asked(&mut engine, "quit", "The game is not saved");
    asked(&mut engine, &format!("save {}", file.display()), "The game is in");
    asked(&mut engine, "undo", "White to move.");
    asked(&mut engine, "play black", "Zebu plays 1. ");
    asked(&mut engine, "flip", "a  b  c  d");
    asked(&mut engine, "resign", "Black resigns, White wins.");
    asked(&mut engine, &format!("load {}", file.display()), "Zebu looks on");
    asked(&mut engine, "fen", "/PPPP1PPP/RNBQKBNR w KQkq ");
    asked(&mut engine, "pieces unicode", "♜");
    engine.send("quit");
    assert!(engine.end().success());
    let saved = fs::read_to_string(&file).expect("the game was saved");
    assert!(saved.contains("[White \"Player\"]\n[Black \"Zebu "), "{saved}");
    assert!(saved.contains("\n\n1. e4 ") && saved.ends_with(" *\n\n"), "{saved}");
}

#[test]
fn a_session_explains_itself() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("terminal folder");
    fs::remove_dir_all(&folder).ok();
    fs::create_dir(&folder).expect("a folder");
    let Some(mut engine) = run_in(&folder, "C.UTF-8", ZEBU) else { return };
    let asked = |engine: &mut Engine, line: &str, wanted: &str| {
        engine.send(line);
        engine.until_containing(wanted);
    };
    engine.until_containing("Zebu replies");
    asked(&mut engine, "time", "Zebu takes up to 1 s for a move.");
    asked(&mut engine, "time soon", "time takes seconds, up to a day of them, not 'soon'");
    asked(&mut engine, "time 0.05", "Zebu takes up to 0.05 s for a move.");
    asked(&mut engine, "level 1200", "Zebu plays at 1200 Elo.");
    // A knight's move where no pawn can make it, and moves that are none.
    asked(&mut engine, "nf3", "Zebu plays 1... ");
    asked(&mut engine, "e2-e5", "'e2-e5' is not legal here");
    asked(&mut engine, "ne9", "'ne9' is neither a command");
    // Without a name the game gets one, and keeps it.
    asked(&mut engine, "save", "The game is in zebu-");
    asked(&mut engine, "save", "The game is in zebu-");
    asked(&mut engine, "save ~/mine.pgn", "The game is in ");
    asked(&mut engine, "analyse", "Zebu looks on");
    asked(&mut engine, "new", "Zebu looks on; play lets it reply.");
    for mv in ["f3", "e5", "g4", "d8-h4"] {
        engine.send(mv);
    }
    engine.until_containing("Checkmate, Black wins.");
    asked(&mut engine, "a3", "the game is over");
    asked(&mut engine, "save ~/mate.pgn", "The game is in ");
    engine.send("quit");
    assert!(engine.end().success());
    let names = fs::read_dir(&folder).expect("a folder").flatten().map(|file| file.file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names.len(), 3, "{names:?}");
    let text = |name: &str| fs::read_to_string(folder.join(name)).expect(name);
    let own = text(&names[2]);
    assert!(own.contains(", level 1200\"]\n") && own.contains("[White \"Player\"]\n"), "{own}");
    let date = names[2].trim_start_matches("zebu-").trim_end_matches(".pgn").replace('-', ".");
    assert!(own.contains(&format!("[Date \"{date}\"]\n")), "{own}");
    assert_eq!(text("mine.pgn"), own);
    assert!(text("mate.pgn").contains("[Result \"0-1\"]"));
}

#[test]
fn a_game_by_the_clock() {
    let Some(mut engine) = at_terminal("C.UTF-8") else { return };
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("game by the clock.pgn");
    fs::remove_file(&file).ok();
    let asked = |engine: &mut Engine, line: &str, wanted: &str| {
        engine.send(line);
        engine.until_containing(wanted);
    };
    engine.until_containing("Zebu replies");
    asked(&mut engine, "clock", "There is no clock; Zebu takes up to 1 s for a move.");
    asked(&mut engine, "level 1000", "Zebu plays at 1000 Elo.");
    asked(&mut engine, "clock soon", "clock takes minutes and perhaps seconds");
    asked(&mut engine, "clock 5+3", "White has 5:00, Black has 5:00, and 3 s more with each move.");
    asked(&mut engine, "analyse", "Zebu looks on");
    asked(&mut engine, "clock", "The clock stands while Zebu looks on.");
    engine.send("play white");
    engine.until_containing("  White 5:00   Black 5:00");
    // The first move takes no time.
    asked(&mut engine, "e4", "Zebu thinks: White 5:00, Black 5:00.");
    engine.until_containing("Zebu plays 1... ");
    engine.until_containing("  White ");
    asked(&mut engine, "clock", ", and 3 s more with each move.");
    asked(&mut engine, "time 2", "Zebu takes up to 2 s for a move, when the clock is off.");
    asked(&mut engine, "undo", "  White 5:00   Black 5:00");
    asked(&mut engine, "d4", "Zebu plays 1... ");
    asked(&mut engine, "c4", "Zebu plays 2... ");
    asked(&mut engine, &format!("save {}", file.display()), "The game is in");
    asked(&mut engine, "clock off", "There is no clock");
    asked(&mut engine, "new", "White to move.");
    engine.send("quit");
    assert!(engine.end().success());
    let saved = fs::read_to_string(&file).expect("the game was saved");
    assert!(saved.contains("[TimeControl \"300+3\"]\n"), "{saved}");
    assert!(saved.contains("1. d4 { [%clk 0:05:00] } 1... "), "{saved}");
    assert_eq!(saved.matches("{ [%clk 0:0").count(), 4, "{saved}");
}

/// Whether Zebu says this before a flag falls, as it does where the machine goes on all the time.
fn comes_in_time(engine: &mut Engine, line: &str, wanted: &str) -> bool {
    engine.send(line);
    let told = engine.until_that(|line| line.contains(wanted) || line.contains("time is up"));
    told.last().is_some_and(|line| line.contains(wanted))
}

/// A machine that stood still for seconds may try a game anew.
const TRIES: usize = 3;

#[test]
fn a_flag_falls() {
    let Some(mut engine) = at_terminal("C.UTF-8") else { return };
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lost on time.pgn");
    fs::remove_file(&file).ok();
    let asked = |engine: &mut Engine, line: &str, wanted: &str| {
        engine.send(line);
        engine.until_containing(wanted);
    };
    engine.until_containing("Zebu replies");
    asked(&mut engine, "level 1000", "Zebu plays at 1000 Elo.");
    asked(&mut engine, "clock 0.15", "White has 0:09.0, Black has 0:09.0.");
    let replied = (0..TRIES).any(|_| {
        comes_in_time(&mut engine, "e4", "Zebu plays 1... ") || {
            asked(&mut engine, "undo", "  White 0:09.0   Black 0:09.0");
            false
        }
    });
    assert!(replied);
    // Nothing is typed, and it is told in time.
    engine.until_containing("White's time is up: Black wins.");
    asked(&mut engine, "board", "White's time is up: Black wins.");
    asked(&mut engine, "resign", "there is no game to resign");
    asked(&mut engine, &format!("save {}", file.display()), "The game is in");
    // A hint leaves time to play it.
    asked(&mut engine, "time 60", "Zebu takes up to 60 s for a move, when the clock is off.");
    let hinted = (0..TRIES).any(|_| {
        asked(&mut engine, "undo", "  White 0:09.0   Black 0:09.0");
        comes_in_time(&mut engine, "d4", "Zebu plays 1... ")
            && comes_in_time(&mut engine, "hint", "2. ")
    });
    assert!(hinted);
    engine.until_containing("White's time is up: Black wins.");
    asked(&mut engine, "c4", "The game goes on without the clock.");
    engine.until_containing("Zebu plays 2... ");
    asked(&mut engine, "resign", "White resigns, Black wins.");
    // The next game has its clock again.
    asked(&mut engine, "new", "  White 0:09.0   Black 0:09.0");
    engine.send("quit");
    assert!(engine.end().success());
    let saved = fs::read_to_string(&file).expect("the game was saved");
    for wanted in ["[Result \"0-1\"]", "[Termination \"time forfeit\"]", "[TimeControl \"9\"]"] {
        assert!(saved.contains(wanted), "{saved}");
    }
}

/// Zebu plays both sides of a game. Its moves take much less than the clock has.
#[test]
fn zebu_plays_by_the_clock() {
    let Some(mut engine) = at_terminal("C.UTF-8") else { return };
    engine.until_containing("Zebu replies");
    engine.send("level 1000\nclock 0.3");
    let played = (0..TRIES).any(|_| {
        engine.send("new");
        (1..=12).all(|number| {
            let side = if number % 2 == 1 { ". " } else { "... " };
            let wanted = format!("Zebu plays {}{side}", (number + 1) / 2);
            comes_in_time(&mut engine, "play", &wanted)
        })
    });
    assert!(played);
    let told = engine.until_containing("  White ");
    let clock = told.last().expect("a line");
    assert!(!clock.contains("0:18.0"), "the clock runs: {clock}");
    engine.send("quit\nquit");
    assert!(engine.end().success());
}

#[test]
fn a_loaded_game_keeps_its_names_and_comments() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let Some(mut engine) = run_in(folder, "C.UTF-8", ZEBU) else { return };
    // Names without the folder: what is told fits a line wherever that is.
    let names = ["one game.pgn", "two games.pgn", "new game.pgn"];
    let ([one, two, new], paths) = (names, names.map(|name| folder.join(name)));
    let game = "[White \"Anna \\\"A\\\" Ode\"]\n[Black \"B. Bode\"]\n[Opening \"Spanish\"]\n\n\
        {friends} 1. e4 $1 {best by test} e5 2. Nf3 (2. f4 exf4) Nc6 1-0\n\n";
    fs::write(&paths[0], game).expect("a file can be written");
    fs::write(&paths[1], game.repeat(2)).expect("a file can be written");
    fs::remove_file(&paths[2]).ok();
    engine.until_containing("Zebu replies");
    for (line, told) in [
        (format!("load \"{one}\""), "Zebu looks on"),
        ("Bb5".to_string(), "Black to move."),
        (format!("save {one}"), "The game is in"),
        (format!("load {two}"), "Zebu looks on"),
        (format!("save {two}"), "has other games, and is kept"),
        ("undo".to_string(), "Black to move."),
        ("play white".to_string(), "Zebu plays 2... "),
        (format!("save {new}"), "The game is in"),
    ] {
        engine.send(&line);
        engine.until_containing(told);
    }
    engine.send("quit");
    assert!(engine.end().success());
    let [one, two, new] = paths.map(|file| fs::read_to_string(file).expect("a file can be read"));
    assert_eq!(two, game.repeat(2));
    assert!(
        one.contains("[White \"Anna \\\"A\\\" Ode\"]\n[Black \"B. Bode\"]\n[Result \"*\"]"),
        "{one}"
    );
    let moves = "{ friends } 1. e4 $1 { best by test } 1... e5 2. Nf3 (2. f4 exf4)";
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(&one).ends_with(&format!("{moves} 2... Nc6 3. Bb5 *")), "{one}");
    assert!(words(&new).contains(&format!("{moves} 2... ")), "{new}");
    assert!(new.contains("[White \"Player\"]\n[Black \"Zebu "), "{new}");
}

#[test]
fn a_game_without_room_keeps_its_file() {
    let command = format!("ulimit -f 0; {ZEBU}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let Some(mut engine) = run_in(folder, "C.UTF-8", &command) else { return };
    let names = ["kept game.pgn", "no game.pgn"];
    let [old, new] = names.map(|name| folder.join(name));
    let text = "1. e4 e5 *\n";
    fs::write(&old, text).expect("a game");
    fs::remove_file(&new).ok();
    engine.send(&format!("load {}", names[0]));
    engine.until_containing("Zebu looks on");
    for file in names {
        engine.send(&format!("save {file}"));
        engine.until_containing("File too large");
    }
    assert_eq!(fs::read_to_string(&old).expect("the game"), text);
    assert!(!new.exists() && !folder.join("no game.pgn.new").exists());
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
        ("level", "Zebu plays at Skill Level 3 of 20."),
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
