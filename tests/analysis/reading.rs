//! PGN is read as pgn-reader reads it, and faults that it ignores are reported.

use std::fs::{self, File};
use std::ops::ControlFlow;

use engine::board::Color;
use engine::notation::{GameResult, PgnGame, PgnReader};
use pgn_reader::{Reader, SanPlus, Skip, Visitor};

use crate::{VALID, file};

fn read(text: &[u8]) -> Vec<Result<PgnGame, String>> {
    PgnReader::new(text).map(|game| game.map_err(|error| error.to_string())).collect()
}

fn one_game(text: &str) -> PgnGame {
    let mut games = read(text.as_bytes());
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn wrong(text: &str) -> Vec<String> {
    read(text.as_bytes()).into_iter().filter_map(Result::err).collect()
}

/// Collects the moves of a game with pgn-reader.
struct Moves;

impl Visitor for Moves {
    type Tags = ();
    type Movetext = Vec<String>;
    type Output = Vec<String>;

    fn begin_tags(&mut self) -> ControlFlow<Vec<String>> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, _: ()) -> ControlFlow<Vec<String>, Vec<String>> {
        ControlFlow::Continue(Vec::new())
    }

    fn san(&mut self, moves: &mut Vec<String>, san: SanPlus) -> ControlFlow<Vec<String>> {
        moves.push(san.to_string());
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Vec<String>) -> ControlFlow<Vec<String>, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, moves: Vec<String>) -> Vec<String> {
        moves
    }
}

#[test]
fn agrees_with_pgn_reader() {
    // pgn-reader ends a tag at the first quote, and reads the rest as a game.
    for name in VALID.into_iter().filter(|&name| name != "chessbase") {
        let bytes = fs::read(file(name)).expect(name);
        let mut reader = Reader::new(File::open(file(name)).expect(name));
        let theirs: Vec<_> = reader.read_games(&mut Moves).map(|game| game.expect(name)).collect();
        let ours: Vec<PgnGame> =
            read(&bytes).into_iter().map(|game| game.unwrap_or_else(|e| panic!("{e}"))).collect();
        assert_eq!(ours.len(), theirs.len(), "{name}");
        for (ours, theirs) in ours.iter().zip(theirs) {
            let positions = ours.positions();
            let moves: Vec<_> = ours.moves.iter().map(|ply| ply.mv).collect();
            let parsed: Vec<_> =
                theirs.iter().zip(&positions).map(|(san, at)| at.parse_san(san).ok()).collect();
            assert_eq!(theirs.len(), moves.len(), "{name}");
            assert_eq!(parsed, moves.into_iter().map(Some).collect::<Vec<_>>(), "{name}");
        }
    }
}

#[test]
fn annotations_are_no_moves() {
    let game =
        one_game("{ a } 1. e4! $13 {b\nc} e5 ; d } e\n2. Nf3 (2. f4 (2. d4 {)}) exf4) Nc6 ?! *");
    assert_eq!(game.preface, ["a"]);
    assert_eq!(game.moves.len(), 4);
    assert_eq!(game.moves[0].nags, [1, 13]);
    assert_eq!(game.moves[0].comments, ["b c"]);
    assert_eq!(game.moves[1].comments, ["d ) e"]);
    assert_eq!(game.moves[2].variations, ["2. f4 (2. d4 { ) } ) exf4"]);
    assert_eq!(game.moves[3].nags, [6]);
}

#[test]
fn results_are_found() {
    for (text, result) in [
        ("1. e4 1-0", GameResult::Won(Color::White)),
        ("1. e4 0-1", GameResult::Won(Color::Black)),
        ("1. e4 ½–½", GameResult::Drawn),
        ("1. e4 e5*", GameResult::Unknown),
        ("[Result \"0-1\"]\n\n1. e4 e5", GameResult::Won(Color::Black)),
        ("1. e4 e5", GameResult::Unknown),
    ] {
        assert_eq!(one_game(text).result, result, "{text}");
    }
}

#[test]
fn errors_name_game_line_and_token() {
    for (text, wanted) in [
        (
            "1. e4 e5\n2. Nf9 Nc6 1-0",
            "game 1 (White - Black), line 2: 'Nf9', move 2 of White: it is not written like a move",
        ),
        (
            "1. e4 e4",
            "game 1 (White - Black), line 1: 'e4', move 1 of Black: no such move is legal here",
        ),
        (
            "[White \"A\"]\n[Black \"B\"]\n\n1. e4 --",
            "game 1 (A - B), line 4: '--', move 1 of Black: it is not written like a move",
        ),
        ("1. e4 $x", "line 1: 'x', move 1 of Black"),
        ("1. e4 )", "line 1: ')' closes nothing"),
        ("1. e4 e5 } *", "line 1: '}' closes nothing"),
        ("\n1. e4 {", "line 2: '{' is never closed"),
        ("1. e4 (1. d4 (", "line 1: '(' is never closed"),
        ("(1. d4) 1. e4", "line 1: '(' stands before the first move"),
        ("[Event x]\n\n1. e4", "line 1: '[Event x]' is not a tag"),
        ("[Event \"a\"]\n[Variant \"Atomic\"]\n\n1. e4", "line 2: variant 'Atomic' is not chess"),
        ("[FEN \"8/8 w\"]\n\n1. e4", "line 1: FEN field 1 (pieces): it needs 8 ranks, not 2"),
        ("[FEN \"\u{1b}[31m\"]\n\n*", "line 1: FEN field 1"),
    ] {
        let errors = wrong(text);
        assert_eq!(errors.len(), 1, "{text}: {errors:?}");
        assert!(errors[0].contains(wanted), "{text}: {errors:?}");
        assert!(errors[0].chars().all(|letter| !letter.is_control()), "{errors:?}");
    }
}

#[test]
fn games_without_tags_and_blank_lines() {
    let games = read(&fs::read(file("untagged")).expect("a file"));
    let plies: Vec<usize> = games.iter().flatten().map(|game| game.moves.len()).collect();
    assert_eq!(plies, [9, 4, 2]);
    let games = read(&fs::read(file("blank_lines")).expect("a file"));
    let plies: Vec<usize> = games.iter().flatten().map(|game| game.moves.len()).collect();
    assert_eq!(plies, [6]);
    assert!(read(b"").is_empty() && read(b"\n\n  \n% nothing\n").is_empty());
}

/// An unclosed token costs only its own game, whatever tag the next game begins with and however that is
/// written.
#[test]
fn the_next_game_is_read_behind_what_is_open() {
    let open = [
        "1. d4 {open",
        "1. d4 d5 (1... Nf6",
        "1. d4 {[%clk 1:00] (\n\n[no tag]\n",
        "1. d4 (1. e4 {e5",
    ];
    let tags = [
        "[Event \"2\"]",
        "[White \"2\"]",
        "[White  \"2\"][Black \"b\"]",
        "[White\t\"2\"] ; a remark",
        " [White\"2\" ]",
        "[White_2 \"2\"]",
        "% escaped\n[White \"2\"]",
        "[no tag]\n[White \"2\"]",
        "[Site \"open]\n[White \"2\"]",
    ];
    for (open, tags) in open.iter().flat_map(|open| tags.map(|tags| (open, tags))) {
        let text = format!("[White \"1\"]\n\n{open} *\n\n{tags}\n\n1. c4 c5 *\n");
        let games = read(text.as_bytes());
        assert_eq!(games.len(), 2, "{text}: {games:?}");
        let wrong = games[0].as_ref().expect_err("it is open");
        assert!(wrong.contains("is never closed"), "{wrong}");
        match &games[1] {
            Ok(second) => {
                assert_eq!(second.tags.iter().next().map(|(_, value)| value), Some("2"), "{text}");
                assert_eq!(second.moves.len(), 2);
            }
            Err(wrong) => assert!(wrong.contains("is not a tag"), "{text}: {wrong}"),
        }
    }
}

/// Swallowed lines are counted from the one where the token opens.
#[test]
fn what_is_swallowed_is_told() {
    for (open, wanted) in [
        ("{open", "line 3: '{' is never closed: 4 more lines are lost in it"),
        ("(1. c4", "line 3: '(' is never closed: 4 more lines are lost in it"),
        ("(1. c4\n{open", "line 4: '{' is never closed: 4 more lines are lost in it"),
        ("(1. c4 {open}\n", "line 3: '(' is never closed: 5 more lines are lost in it"),
    ] {
        for next in ["", "[White \"2\"]\n\n1. c4 *\n"] {
            let text = format!("[White \"1\"]\n\n1. d4 {open}\n1. e4 e5 *\n\n1. c4 *\n\n{next}");
            let games = read(text.as_bytes());
            assert_eq!(games.len(), if next.is_empty() { 1 } else { 2 }, "{text}");
            let wrong = games[0].as_ref().expect_err("it is open");
            assert!(wrong.ends_with(wanted), "{text}: {wrong}");
        }
    }
    assert!(
        wrong("1. d4 (1. c4\n*")[0].ends_with("'(' is never closed: 1 more line is lost in it")
    );
    assert!(wrong("1. d4 (1. c4 *")[0].ends_with("'(' is never closed"));
}

/// An overlong token breaks only its own game, is not reported as unclosed, and does not disturb line
/// numbers.
#[test]
fn megabytes_break_their_game_alone() {
    let (long, lines) = ("x ".repeat(1 << 20), "x y, \"z\" 1-0.\n".repeat(30_000));
    for (text, wanted) in [
        (format!("[Event \"{long}\"]\n[Black \"3\"]\n\n1. e4"), "is not a tag"),
        (format!("[Event \"{lines}\"]\n\n1. e4"), "is not a tag"),
        (format!("1. e4 {{ {long} }} e5"), "line 3: a comment of more than a megabyte"),
        (format!("1. e4 ( {long} ) e5"), "line 3: a variation of more than a megabyte"),
        (
            format!("1. e4 {{ {} }}", "a line\n".repeat(1 << 18)),
            "a comment of more than a megabyte",
        ),
        (format!("1. e4 ( {} )", "1. d4\n".repeat(1 << 18)), "a variation of more than a megabyte"),
    ] {
        let text = format!("[White \"1\"]\n\n{text} *\n\n[Event \"2\"]\n\n1. c4 c5 x\n");
        let games = wrong(&text);
        assert_eq!(games.len(), 2, "{wanted}: {games:?}");
        assert!(games[0].contains(wanted), "{}", games[0]);
        assert!(games[1].contains(&format!("line {}: 'x'", text.lines().count())), "{}", games[1]);
    }
}

/// Some programs write a file as one line.
#[test]
fn lines_may_have_megabytes() {
    let game = "1. e4 e5 2. Nf3 {a remark} Nc6 1-0 ";
    let text = game.repeat((3 << 20) / game.len());
    let games: Vec<_> = PgnReader::new(text.as_bytes()).collect();
    assert_eq!(games.len(), text.len() / game.len());
    assert!(games.iter().all(|game| game.as_ref().is_ok_and(|game| game.moves.len() == 4)));
}

/// Numbers that stand for no sign say nothing.
#[test]
fn unknown_signs_are_left_out() {
    let game = one_game("1. e4 $999 e5 $ 2. Nf3 $1 *");
    let nags: Vec<&[u8]> = game.moves.iter().map(|mv| &mv.nags[..]).collect();
    assert_eq!(nags, [&[][..], &[], &[1]]);
}

#[test]
fn symbols_and_last_words_stay() {
    let game = one_game("1. e4 e5 +- 2. Nf3 N Nc6 e.p. 0-1 {White lost on time}\n{not of it}\n");
    let nags: Vec<&[u8]> = game.moves.iter().map(|mv| &mv.nags[..]).collect();
    assert_eq!(nags, [&[][..], &[18], &[146], &[]]);
    assert_eq!(game.moves[3].comments, ["White lost on time"]);
}
