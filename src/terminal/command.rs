//! The commands that a person can type: those of the terminal, moves, and those of UCI.

use std::fs;

use crate::game::LEVELS;
use engine::board::{Color, Ending, Move, Position, SanError, UciMoveError};
use engine::player::UciOption;
use engine::system::files::at_home;
use engine::system::text::shortened;
use engine::uci::command::{Command, CommandError, is_go_word, number, parse_from, unexpected};

pub enum TerminalCommand {
    Uci(Command),
    Help,
    Board,
    Moves,
    Fen,
    Flip,
    /// Draws chess pieces or letters, by default the other of the two.
    Pieces(Option<bool>),
    /// A move, in SAN or as UCI writes it.
    Move(String),
    /// The number of moves, by default up to the person's last one.
    Undo(Option<usize>),
    /// Zebu replies to moves from now on. The person has this side, by default the one that is not to move.
    Play(Option<Color>),
    /// Zebu looks on.
    Analyse,
    New,
    Hint,
    /// Turns judgements on or off, or asks whether they are on.
    Words(Option<bool>),
    /// Turns pauses at limited strength on or off, or asks whether they are on.
    Pauses(Option<bool>),
    Resign,
    /// Claims a draw, or offers it to Zebu.
    Draw,
    /// Sets the level, or asks for it.
    Level(Option<String>),
    /// Saves to this file, else to its own, else to a new one.
    Save(Option<String>),
    /// A file, a file and the number of a game, or a number in the last file.
    Load(String),
    /// Lists the games of this file, or of the last one.
    Games(Option<String>),
    /// Sets Zebu's time for a move in seconds, or asks for it.
    Time(Option<String>),
    /// Sets the clock, or asks for it.
    Clock(Option<String>),
}

type Parsed = Result<TerminalCommand, CommandError>;

/// A command, its help, and its parser.
pub struct Entry {
    /// The first words that select it.
    names: &'static [&'static str],
    pub usage: &'static str,
    pub does: &'static str,
    /// Parses all words of the command. `None`: the UCI parser reads it.
    read: Option<fn(&[&str]) -> Parsed>,
}

/// All commands, in the order of help.
pub const COMMANDS: [Entry; 24] = [
    Entry {
        names: &[],
        usage: "e4, Nf3, e7e8q",
        does: "make a move; Tab completes it",
        read: None,
    },
    Entry {
        names: &["play"],
        usage: "play",
        does: "Zebu replies to your moves, and moves now",
        read: Some(play),
    },
    Entry {
        names: &["white", "black"],
        usage: "white, black",
        does: "the same, and you have this side",
        read: Some(|words| play(&[&["play"], words].concat())),
    },
    Entry {
        names: &["analyse", "analyze"],
        usage: "analyse",
        does: "Zebu looks on and does not reply",
        read: Some(|words| alone(words, TerminalCommand::Analyse)),
    },
    Entry {
        names: &["hint"],
        usage: "hint",
        does: "what to look for; hint again: the piece, then the move",
        read: Some(|words| alone(words, TerminalCommand::Hint)),
    },
    Entry {
        names: &["words"],
        usage: "words on",
        does: "say what your moves do, and what they allow; or off",
        read: Some(|words| choice(words, &["on", "off"], TerminalCommand::Words)),
    },
    Entry {
        names: &["go"],
        usage: "go [limits]",
        does: "think without moving: go depth 20, go movetime 5000",
        read: None,
    },
    Entry {
        names: &["stop"],
        usage: "stop, Ctrl-C",
        does: "end the thinking; while Zebu plays, it moves at once",
        read: None,
    },
    Entry {
        names: &["undo", "takeback"],
        usage: "undo, takeback",
        does: "take your last move back; undo 3: so many moves of both sides",
        read: Some(|words| {
            let moves = match words {
                [_] => None,
                _ => Some(number("undo", &words[1..], Some(1), 9999)? as usize),
            };
            Ok(TerminalCommand::Undo(moves))
        }),
    },
    Entry {
        names: &["moves", "board"],
        usage: "moves, board, fen",
        does: "show the legal moves, the board, its FEN",
        read: Some(|words| match words[0] {
            "moves" => alone(words, TerminalCommand::Moves),
            _ => alone(words, TerminalCommand::Board),
        }),
    },
    Entry {
        names: &["new", "resign", "draw"],
        usage: "new, resign, draw",
        does: "start a new game, give this one up, claim or offer a draw",
        read: Some(|words| match words[0] {
            "new" => alone(words, TerminalCommand::New),
            "resign" => alone(words, TerminalCommand::Resign),
            _ => alone(words, TerminalCommand::Draw),
        }),
    },
    Entry {
        names: &["level"],
        usage: "level 1500",
        does: "play at this Elo, 600 to 3200; or easy, medium, hard, full: as well as it can",
        read: Some(|words| Ok(TerminalCommand::Level(rest(words)))),
    },
    Entry {
        names: &["time"],
        usage: "time 10",
        does: "think so many seconds about a move",
        read: Some(|words| Ok(TerminalCommand::Time(rest(words)))),
    },
    Entry {
        names: &["pauses"],
        usage: "pauses on",
        does: "at a level, take about as long for a move as a person; or off",
        read: Some(|words| choice(words, &["on", "off"], TerminalCommand::Pauses)),
    },
    Entry {
        names: &["clock"],
        usage: "clock 5+3",
        does: "a clock for the game: minutes, and seconds for each move; or off",
        read: Some(|words| Ok(TerminalCommand::Clock(rest(words)))),
    },
    Entry {
        names: &["save"],
        usage: "save [game.pgn]",
        does: "write the game to a file",
        read: Some(|words| Ok(TerminalCommand::Save(rest(words)))),
    },
    Entry {
        names: &["load"],
        usage: "load game.pgn 3",
        does: "take a game of a file, the first or one by its number",
        read: Some(|words| match rest(words) {
            Some(file) => Ok(TerminalCommand::Load(file)),
            None => Err(CommandError::Incomplete("load".to_string())),
        }),
    },
    Entry {
        names: &["games"],
        usage: "games [game.pgn]",
        does: "list what is in a file, or in the one that was loaded",
        read: Some(|words| Ok(TerminalCommand::Games(rest(words)))),
    },
    Entry {
        names: &["fen"],
        usage: "fen FEN",
        does: "set a position up",
        read: Some(|words| match words {
            [_] => Ok(TerminalCommand::Fen),
            _ => Ok(TerminalCommand::Uci(Command::Position(words.join(" ")))),
        }),
    },
    Entry {
        names: &["flip"],
        usage: "flip",
        does: "turn the board",
        read: Some(|words| {
            alone(words.strip_suffix(&["board"]).unwrap_or(words), TerminalCommand::Flip)
        }),
    },
    Entry {
        names: &["pieces"],
        usage: "pieces unicode",
        does: "draw chess pieces; pieces letters: letters",
        read: Some(|words| choice(words, &["unicode", "letters"], TerminalCommand::Pieces)),
    },
    Entry {
        names: &["eval", "d", "bench"],
        usage: "eval, d, go perft 5",
        does: "judge at a glance, tell key and tables, count moves",
        read: None,
    },
    Entry {
        names: &["setoption", "position", "uci", "ucinewgame"],
        usage: "setoption name MultiPV value 3",
        does: "change an option of UCI",
        read: None,
    },
    Entry {
        names: &["quit", "exit"],
        usage: "quit, Ctrl-D",
        does: "leave",
        read: Some(|_| Ok(TerminalCommand::Uci(Command::Quit))),
    },
];

/// A command that takes no arguments.
fn alone(words: &[&str], command: TerminalCommand) -> Parsed {
    words.get(1).map_or(Ok(command), |word| Err(unexpected(words[0], word)))
}

/// A command with one of two words, the first for true, or none.
fn choice(
    words: &[&str],
    values: &[&str; 2],
    command: fn(Option<bool>) -> TerminalCommand,
) -> Parsed {
    match words[1..] {
        [] => Ok(command(None)),
        [word] if values.contains(&word) => Ok(command(Some(word == values[0]))),
        [.., word] => Err(unexpected(words[0], word)),
    }
}

/// The words after the name of a command.
fn rest(words: &[&str]) -> Option<String> {
    (words.len() > 1).then(|| words[1..].join(" "))
}

fn play(words: &[&str]) -> Parsed {
    match words[1..] {
        [] => Ok(TerminalCommand::Play(None)),
        ["white"] => Ok(TerminalCommand::Play(Some(Color::White))),
        ["black"] => Ok(TerminalCommand::Play(Some(Color::Black))),
        [word, ..] if is_go_word(word) => Err(CommandError::Meant {
            what: "play".to_string(),
            word: word.to_string(),
            meant: format!("go {}", words[1..].join(" ")),
        }),
        [word] => Ok(TerminalCommand::Move(word.to_string())),
        [_, word, ..] => Err(unexpected("play", word)),
    }
}

/// The first words that Tab completes: commands and legal moves.
pub fn first_words(position: &Position) -> Vec<String> {
    let names = COMMANDS.iter().flat_map(|entry| entry.names).map(|name| name.to_string());
    names.chain(["help".to_string()]).chain(legal_moves(position)).collect()
}

/// The start of the word that Tab completes, and its completions.
pub fn completions(line: &str, first_words: &[String]) -> (usize, Vec<String>) {
    let rest = |verb: &str| line.strip_prefix(verb)?.strip_prefix(' ').map(str::trim_start);
    let (typed, fitting) = if let Some(file) = ["load", "save", "games"].into_iter().find_map(rest)
    {
        (file, files(file))
    } else if let Some(level) = rest("level") {
        (level, LEVELS.iter().map(|(name, _)| name.to_string()).collect())
    } else if let Some(option) = rest("setoption") {
        (option, UciOption::all().map(|option| format!("name {}", option.name)).collect())
    } else {
        let last = line.rfind(' ').map_or(0, |space| space + 1);
        (&line[last..], first_words.to_vec())
    };
    let fits = |word: &String| {
        let start = word.get(..typed.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(typed))
    };
    (line.len() - typed.len(), fitting.into_iter().filter(fits).collect())
}

/// The folders and games that may complete a path.
fn files(typed: &str) -> Vec<String> {
    let (folder, _) = typed.split_at(typed.rfind('/').map_or(0, |slash| slash + 1));
    let place = at_home(if folder.is_empty() { "." } else { folder });
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let is_folder = entry.path().is_dir();
        (is_folder || name.ends_with(".pgn"))
            .then(|| format!("{folder}{name}{}", if is_folder { "/" } else { "" }))
    });
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort();
    names
}

pub fn legal_moves(position: &Position) -> Vec<String> {
    position.legal_moves().iter().map(|&mv| position.san(mv)).collect()
}

/// The command that a person typed.
pub fn parse(line: &str) -> Result<Option<TerminalCommand>, CommandError> {
    // People quote FENs as in a shell.
    let line = line.replace('"', " ");
    let line = without_number(line.trim());
    let words: Vec<&str> = line.split_whitespace().collect();
    let Some(&first) = words.first() else { return Ok(None) };
    let entry = COMMANDS.iter().find(|entry| entry.names.contains(&first));
    let command = match words[..] {
        ["help" | "?" | "h", ..] => TerminalCommand::Help,
        ["position", board, ..] | [board, ..] if board.contains('/') => {
            let fen = if first == "position" { &words[1..] } else { &words[..] };
            TerminalCommand::Uci(Command::Position(format!("fen {}", fen.join(" "))))
        }
        // The first word counts. A single word that is no command can only be a move.
        _ => match (entry.and_then(|entry| entry.read), parse_from(line, first)) {
            (Some(read), _) => read(&words)?,
            (None, Some(parsed)) => return Ok(parsed?.map(TerminalCommand::Uci)),
            (None, None) if words.len() == 1 => TerminalCommand::Move(first.to_string()),
            (None, None) => return Err(CommandError::Unknown(shortened(first))),
        },
    };
    Ok(Some(command))
}

/// The line without a leading move number.
fn without_number(line: &str) -> &str {
    let dots = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let rest = dots.trim_start_matches('.').trim_start();
    let has_number = dots.len() < line.len() && dots.starts_with('.') && !rest.is_empty();
    if has_number { rest } else { line }
}

/// The move that a person typed, in SAN or as UCI writes it, in letters of any case.
pub fn typed_move(word: &str, position: &Position) -> Result<Move, String> {
    let lower = word.to_ascii_lowercase();
    // nf3 is a knight's move where no pawn can make it.
    let mut of_piece = lower.clone();
    of_piece.get_mut(..1).into_iter().for_each(str::make_ascii_uppercase);
    // e2-e4 is what UCI writes as e2e4.
    let by_squares = position.parse_uci(&lower.replace('-', ""));
    let by_name = [word, &lower, &of_piece].map(|word| position.parse_san(word));
    let legal = by_squares.iter().chain(by_name.iter().flatten()).next();
    if let Some(&mv) = legal {
        return Ok(mv);
    }
    let reasons = by_name.into_iter().filter_map(Result::err);
    let reason = reasons.reduce(|one, other| if one == SanError::Malformed { other } else { one });
    let reason = reason.unwrap_or(SanError::Malformed);
    let is_move = reason != SanError::Malformed || by_squares == Err(UciMoveError::Illegal);
    let word = shortened(word);
    Err(match position.ending() {
        Some(Ending::Checkmate { .. } | Ending::Stalemate) if is_move => {
            "the game is over: undo takes a move back, new starts another game".to_string()
        }
        _ if matches!(reason, SanError::Ambiguous | SanError::NoPiece) => {
            format!("'{word}': {reason}")
        }
        _ if by_squares == Err(UciMoveError::NoPiece) => {
            format!("'{word}': {}", UciMoveError::NoPiece)
        }
        _ if is_move => format!("'{word}' is not legal here"),
        _ => format!("'{word}' is neither a command (try help) nor a move: {reason}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tab_completes_what_may_follow() {
        let first = ["level", "load", "Nf3"].map(str::to_string);
        let completed = |line: &str| completions(line, &first);
        assert_eq!(completed("l"), (0, vec!["level".to_string(), "load".to_string()]));
        assert_eq!(completed("play n"), (5, vec!["Nf3".to_string()]));
        assert_eq!(completed("level e"), (6, vec!["easy".to_string()]));
        assert_eq!(completed("setoption name ha").1, ["name Hash"]);
        assert_eq!(completed("load src/termi").1, ["src/terminal/"]);
        let games = completed("save tests/analysis/games/im");
        assert_eq!(games, (5, vec!["tests/analysis/games/immortal.pgn".to_string()]));
    }

    #[test]
    fn moves_in_letters_of_any_case() {
        let move_in = |fen: &str, word: &str| typed_move(word, &fen.parse().expect("a position"));
        let castles = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1";
        for (word, fen) in [
            ("E4", castles),
            ("e2-E4", castles),
            ("o-o", castles),
            ("0-0", castles),
            ("a8q", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"),
            ("A8=Q+", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"),
            ("bc4", "4k3/8/8/8/2p5/1P6/8/4KB2 w - - 0 1"),
        ] {
            assert!(move_in(fen, word).is_ok(), "{word}");
        }
        for (line, left) in
            [("1. e4", "e4"), ("12...Nf6", "Nf6"), ("1", "1"), ("1.", "1."), ("5+3", "5+3")]
        {
            assert_eq!(without_number(line), left);
        }
    }
}
