//! What a person types: commands of the terminal, moves, and those of UCI.

use std::fs;

use crate::board::{Color, Ending, Move, Position, SanError, UciMoveError};
use crate::files::at_home;
use crate::game::LEVELS;
use crate::player::UciOption;
use crate::text::shortened;
use crate::uci::command::{Command, CommandError, is_go_word, number, parse_from};

pub enum TerminalCommand {
    Uci(Command),
    Help,
    Board,
    Moves,
    Fen,
    Flip,
    /// Whether pieces are drawn as chess pieces.
    Pieces(bool),
    /// A move, in SAN or as UCI writes it.
    Move(String),
    /// So many moves; otherwise to the person's last one.
    Undo(Option<usize>),
    /// Zebu replies to moves from now on. The person has this side, or the one that is not to move.
    Play(Option<Color>),
    /// Zebu looks on.
    Analyse,
    New,
    Hint,
    /// Whether it is said what moves do, or a question for that.
    Words(Option<bool>),
    /// Whether Zebu takes its time like a person, or a question for that.
    Pauses(Option<bool>),
    Resign,
    /// A draw is claimed, or offered to Zebu.
    Draw,
    /// The strength, or a question for it.
    Level(Option<String>),
    /// To a file, or to the one it has; without one it gets a name.
    Save(Option<String>),
    /// A file, perhaps with the number of a game in it; or the number alone.
    Load(String),
    /// What is in a file, or in the one that was loaded.
    Games(Option<String>),
    /// The seconds that Zebu takes for a move, or a question for them.
    Time(Option<String>),
    /// The clock of the game, or a question for it.
    Clock(Option<String>),
}

/// The words that a command for people begins with.
const WORDS: &str = "analyse bench black board clock d draw eval fen flip games go help hint level load moves new \
    pauses pieces play position quit resign save setoption stop takeback time uci ucinewgame undo white \
    words";

/// What Tab completes at first: commands and legal moves.
pub fn first_words(position: &Position) -> Vec<String> {
    let words = WORDS.split_whitespace().map(str::to_string);
    words.chain(legal_moves(position)).collect()
}

/// Where what Tab completes begins in a line, and what it may become.
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

/// The folders beside what is typed of a path, and the games.
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
    // Quotes are for shells.
    let line = line.replace('"', " ");
    let line = without_number(line.trim());
    let words: Vec<&str> = line.split_whitespace().collect();
    let command = match words[..] {
        ["help" | "?" | "h", ..] => TerminalCommand::Help,
        ["board"] => TerminalCommand::Board,
        ["moves"] => TerminalCommand::Moves,
        ["fen"] => TerminalCommand::Fen,
        ["fen", ..] => TerminalCommand::Uci(Command::Position(words.join(" "))),
        ["position", board, ..] | [board, ..] if board.contains('/') => {
            let fen = if words[0] == "position" { &words[1..] } else { &words[..] };
            TerminalCommand::Uci(Command::Position(format!("fen {}", fen.join(" "))))
        }
        ["flip"] | ["flip", "board"] => TerminalCommand::Flip,
        ["pieces", "unicode"] => TerminalCommand::Pieces(true),
        ["pieces", "letters"] => TerminalCommand::Pieces(false),
        ["undo" | "takeback"] => TerminalCommand::Undo(None),
        ["undo" | "takeback", ..] => {
            TerminalCommand::Undo(Some(number("undo", &words[1..], Some(1), 9999)? as usize))
        }
        ["play"] => TerminalCommand::Play(None),
        ["white"] | ["play", "white"] => TerminalCommand::Play(Some(Color::White)),
        ["black"] | ["play", "black"] => TerminalCommand::Play(Some(Color::Black)),
        ["play", word, ..] if is_go_word(word) => {
            let meant = format!("go {}", words[1..].join(" "));
            return Err(CommandError::Meant {
                what: "play".to_string(),
                word: word.to_string(),
                meant,
            });
        }
        ["play", word] => TerminalCommand::Move(word.to_string()),
        ["analyse" | "analyze"] => TerminalCommand::Analyse,
        ["new"] => TerminalCommand::New,
        ["hint"] => TerminalCommand::Hint,
        ["words"] => TerminalCommand::Words(None),
        ["words", "on"] => TerminalCommand::Words(Some(true)),
        ["words", "off"] => TerminalCommand::Words(Some(false)),
        ["pauses"] => TerminalCommand::Pauses(None),
        ["pauses", "on"] => TerminalCommand::Pauses(Some(true)),
        ["pauses", "off"] => TerminalCommand::Pauses(Some(false)),
        ["resign"] => TerminalCommand::Resign,
        ["draw"] => TerminalCommand::Draw,
        ["level"] => TerminalCommand::Level(None),
        ["level", level] => TerminalCommand::Level(Some(level.to_string())),
        ["time"] => TerminalCommand::Time(None),
        ["time", seconds] => TerminalCommand::Time(Some(seconds.to_string())),
        ["clock"] => TerminalCommand::Clock(None),
        ["clock", ..] => TerminalCommand::Clock(Some(words[1..].join(" "))),
        ["load"] => return Err(CommandError::Incomplete("load".to_string())),
        ["save"] => TerminalCommand::Save(None),
        ["save", ..] => TerminalCommand::Save(Some(words[1..].join(" "))),
        ["load", ..] => TerminalCommand::Load(words[1..].join(" ")),
        ["games"] => TerminalCommand::Games(None),
        ["games", ..] => TerminalCommand::Games(Some(words[1..].join(" "))),
        ["exit"] => TerminalCommand::Uci(Command::Quit),
        // A person means the first word, and alone one that is no command can only be a move.
        [word, ..] => match parse_from(line, word) {
            Some(parsed) => return Ok(parsed?.map(TerminalCommand::Uci)),
            None if words.len() == 1 => TerminalCommand::Move(word.to_string()),
            None => return Err(CommandError::Unknown(shortened(word))),
        },
        [] => return Ok(None),
    };
    Ok(Some(command))
}

/// The line without the number of a move before it.
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
