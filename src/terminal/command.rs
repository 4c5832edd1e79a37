//! What a person types: commands of the terminal, moves, and those of UCI.

use crate::board::{Color, Ending, Game, Move, Position, SanError, UciMoveError};
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
    Undo(Option<u64>),
    /// Zebu replies to moves from now on. The person has this side, or the one that is not to move.
    Play(Option<Color>),
    /// Zebu looks on.
    Analyse,
    New,
    Hint,
    Resign,
    /// The strength, or a question for it.
    Level(Option<String>),
    /// To a file, or to the one it has; without one it gets a name.
    Save(Option<String>),
    Load(String),
    /// The seconds that Zebu takes for a move, or a question for them.
    Time(Option<String>),
    /// The clock of the game, or a question for it.
    Clock(Option<String>),
}

/// The words that a command for people begins with.
const WORDS: [&str; 27] = [
    "analyse",
    "bench",
    "board",
    "clock",
    "d",
    "eval",
    "fen",
    "flip",
    "go",
    "help",
    "hint",
    "level",
    "load",
    "moves",
    "new",
    "pieces",
    "play",
    "position",
    "quit",
    "resign",
    "save",
    "setoption",
    "stop",
    "time",
    "uci",
    "ucinewgame",
    "undo",
];

/// What Tab completes: commands and legal moves.
pub fn completions(game: &Game) -> Vec<String> {
    WORDS.iter().map(|word| word.to_string()).chain(legal_moves(game.position())).collect()
}

pub fn legal_moves(position: &Position) -> Vec<String> {
    position.legal_moves().iter().map(|&mv| position.san(mv)).collect()
}

/// The command that a person typed.
pub fn parse(line: &str) -> Result<Option<TerminalCommand>, CommandError> {
    // Quotes are for shells.
    let line = line.replace('"', " ");
    let words: Vec<&str> = line.split_whitespace().collect();
    let command = match words[..] {
        ["help" | "?", ..] => TerminalCommand::Help,
        ["board"] => TerminalCommand::Board,
        ["moves"] => TerminalCommand::Moves,
        ["fen"] => TerminalCommand::Fen,
        ["fen", ..] => TerminalCommand::Uci(Command::Position(words.join(" "))),
        ["position", board, ..] | [board, ..] if board.contains('/') => {
            let fen = if words[0] == "position" { &words[1..] } else { &words[..] };
            TerminalCommand::Uci(Command::Position(format!("fen {}", fen.join(" "))))
        }
        ["flip"] => TerminalCommand::Flip,
        ["pieces", "unicode"] => TerminalCommand::Pieces(true),
        ["pieces", "letters"] => TerminalCommand::Pieces(false),
        ["undo"] => TerminalCommand::Undo(None),
        ["undo", ..] => TerminalCommand::Undo(Some(number("undo", &words[1..], Some(1), 9999)?)),
        ["play"] => TerminalCommand::Play(None),
        ["play", "white"] => TerminalCommand::Play(Some(Color::White)),
        ["play", "black"] => TerminalCommand::Play(Some(Color::Black)),
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
        ["resign"] => TerminalCommand::Resign,
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
        ["exit"] => TerminalCommand::Uci(Command::Quit),
        // A person means the first word, and alone one that is no command can only be a move.
        [word, ..] => match parse_from(line.trim(), word) {
            Some(parsed) => return Ok(parsed?.map(TerminalCommand::Uci)),
            None if words.len() == 1 => TerminalCommand::Move(word.to_string()),
            None => return Err(CommandError::Unknown(shortened(word))),
        },
        [] => return Ok(None),
    };
    Ok(Some(command))
}

/// The move that a person typed, in SAN or as UCI writes it.
pub fn typed_move(word: &str, position: &Position) -> Result<Move, String> {
    // nf3 is a knight's move where no pawn can make it; e2-e4 is what UCI writes as e2e4.
    let mut letters = word.chars();
    let piece = letters.next().map(|letter| letter.to_ascii_uppercase());
    let of_piece: String = piece.into_iter().chain(letters).collect();
    let plain = word.replace('-', "");
    let move_by_squares = || position.parse_uci(word).or_else(|_| position.parse_uci(&plain));
    let by_name = || {
        position.parse_san(word).or_else(|reason| {
            let clearer = |other| if reason == SanError::Malformed { other } else { reason };
            position.parse_san(&of_piece).map_err(clearer)
        })
    };
    move_by_squares().or_else(|by_squares| {
        by_name().map_err(|reason| {
            let is_move = reason != SanError::Malformed || by_squares == UciMoveError::Illegal;
            let word = shortened(word);
            match position.ending() {
                Some(Ending::Checkmate { .. } | Ending::Stalemate) if is_move => {
                    "the game is over: undo takes a move back, new starts another game".to_string()
                }
                _ if reason == SanError::Ambiguous => format!("'{word}': {reason}"),
                _ if is_move => format!("'{word}' is not legal here"),
                _ => format!("'{word}' is neither a command (try help) nor a move: {reason}"),
            }
        })
    })
}
