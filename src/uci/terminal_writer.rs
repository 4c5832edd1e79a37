//! What people read: a board, aligned lines of thinking, and moves in SAN.

use std::time::Duration;

use super::display::{facts, letter_at, squares};
use super::writer::{Context, Writer};
use crate::board::{Color, Ending, Game};
use crate::search::{Bound, Line, Score, SearchResult, Wdl};

pub const HELP: &str = "\
  e4, Nf3, e7e8q     make a move (or: play e4)
  play               let Zebu move
  undo               take a move back
  moves              list the legal moves
  board, d, new      show the board; with its FEN; start a new game
  go [limits]        think: go depth 20, go movetime 5000, go nodes 1000000, go infinite
  stop               end the thinking (or press Ctrl-C)
  position fen FEN   set a position up
  eval, go perft 5   judge the position at a glance; count move sequences
  setoption name MultiPV value 3
                     change an option; bench measures the speed
  quit               leave (or press Ctrl-D)";

const HEADER: &str = "depth    score  win/draw/loss   nodes     time  line";

/// The columns before the line of play.
const LINE_STARTS: usize = 50;

/// The cells of the bar of chances.
const BAR: u16 = 12;

/// Shown only by a terminal with colors.
#[derive(Clone, Copy)]
enum Paint {
    Bold,
    Dim,
    Red,
    Green,
    Marked,
}

/// Plain words and SAN, from White's point of view.
pub struct TerminalWriter {
    columns: usize,
    colors: bool,
}

impl TerminalWriter {
    /// Uses colors unless the environment says that the terminal has none.
    pub fn new(columns: usize) -> TerminalWriter {
        let dumb = std::env::var_os("TERM").is_some_and(|kind| kind == "dumb");
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        TerminalWriter { columns, colors: !dumb && !unwanted }
    }

    fn paint(&self, paint: Paint, text: &str) -> String {
        let code = match paint {
            Paint::Bold => "1",
            Paint::Dim => "2",
            Paint::Red => "31",
            Paint::Green => "32",
            Paint::Marked => "30;43",
        };
        if self.colors { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }

    /// Eight ranks with their digits; the squares of the last move stand in brackets.
    fn draw(&self, game: &Game) -> String {
        let last = game.moves().last();
        let marked = |square| last.is_some_and(|mv| mv.from() == square || mv.to() == square);
        let mut text = String::new();
        for rank in (0..8).rev() {
            text += &format!("  {} ", rank + 1);
            for square in squares(rank) {
                let letter = match letter_at(game.position(), square) {
                    ' ' if square.is_light() => '·',
                    ' ' => ':',
                    letter => letter,
                };
                let paint = match letter {
                    'A'..='Z' => Paint::Bold,
                    'a'..='z' => Paint::Green,
                    _ => Paint::Dim,
                };
                text += &if marked(square) {
                    self.paint(Paint::Marked, &format!("[{letter}]"))
                } else {
                    format!(" {} ", self.paint(paint, &letter.to_string()))
                };
            }
            text.push('\n');
        }
        text + "     a  b  c  d  e  f  g  h\n"
    }

    /// Who is to move, or how the game ended.
    fn status(&self, game: &Game) -> String {
        let position = game.position();
        let played = match game.moves().last() {
            None => String::new(),
            Some(&mv) => {
                let mut before = game.clone();
                before.undo();
                let before = before.position();
                format!("{} {}. ", before.san_number(), before.san(mv))
            }
        };
        let state = match game.ending() {
            Some(Ending::Checkmate { winner }) => format!("Checkmate, {winner} wins."),
            Some(Ending::Stalemate) => "A draw by stalemate.".to_string(),
            Some(Ending::InsufficientMaterial) => "A draw by insufficient material.".to_string(),
            Some(Ending::FiftyMoves) => "A draw may be claimed: fifty moves.".to_string(),
            Some(Ending::ThreefoldRepetition) => {
                "A draw may be claimed: the position is here for the third time.".to_string()
            }
            None if position.in_check() => format!("{} is in check and to move.", position.side()),
            None => format!("{} to move.", position.side()),
        };
        self.paint(Paint::Bold, &(played + &state))
    }

    /// White's wins, the draws, and Black's wins as parts of a bar.
    fn bar(&self, white: Wdl) -> String {
        let cells = |permille: u16| usize::from((permille * BAR + 500) / 1000);
        let (wins, losses) = (cells(white.win), cells(white.loss));
        let draws = usize::from(BAR).saturating_sub(wins + losses);
        format!("{}{}{}", "█".repeat(wins), "▒".repeat(draws), "░".repeat(losses))
    }
}

impl Writer for TerminalWriter {
    fn greeting(&self, context: Context) -> String {
        let name = format!("Zebu {}", env!("CARGO_PKG_VERSION"));
        let hint = "Type a move, go to let it think, help for more.";
        format!("{}. {hint}\n\n{}", self.paint(Paint::Bold, &name), self.board(context))
    }

    fn search_begins(&self) -> String {
        self.paint(Paint::Dim, HEADER)
    }

    fn line(&self, line: &Line, context: Context) -> String {
        let position = context.position();
        let (score, wdl) = for_white(line, position.side());
        let padded = format!("{score:>7}");
        let score = match score.chars().next() {
            Some('+') => self.paint(Paint::Green, &padded),
            Some('-') => self.paint(Paint::Red, &padded),
            _ => padded,
        };
        let rank = if context.options.multi_pv > 1 {
            format!("{}: ", line.pv_index)
        } else {
            String::new()
        };
        let room = self.columns.saturating_sub(LINE_STARTS).max(20);
        let moves = fitting(&position.san_line(&line.moves), room.saturating_sub(rank.len()));
        format!(
            "{:<7}{score}  {}  {:>7} {:>8}  {rank}{moves}",
            format!("{}/{}", line.depth, line.sel_depth),
            self.bar(wdl),
            count(line.nodes),
            seconds(line.time),
        )
    }

    fn result(&self, result: &SearchResult, context: Context) -> String {
        let position = context.position();
        let Some(best) = result.best else {
            return "There is no move to look for.".to_string();
        };
        let san =
            self.paint(Paint::Bold, &format!("{} {}", position.san_number(), position.san(best)));
        let next = position.after(best);
        let reply = result.ponder.map(|reply| format!(", expecting {}", next.san(reply)));
        let work = format!("{} nodes in {}", count(result.nodes), seconds(result.time));
        format!("Zebu's move is {san}{} ({work}).", reply.unwrap_or_default())
    }

    fn display(&self, context: Context) -> String {
        let facts = facts(context.position(), context.tablebase);
        format!("{}\n{}", self.board(context), self.paint(Paint::Dim, &facts))
    }

    fn board(&self, context: Context) -> String {
        format!("{}\n{}", self.draw(context.game), self.status(context.game))
    }

    fn note(&self, text: &str) -> String {
        text.to_string()
    }

    fn error(&self, text: &str) -> String {
        self.paint(Paint::Red, text)
    }
}

/// Score and chances as White sees them.
fn for_white(line: &Line, side: Color) -> (String, Wdl) {
    let sign = if side == Color::White { 1 } else { -1 };
    let Wdl { win, draw, loss } = line.wdl;
    let wdl = if sign == 1 { line.wdl } else { Wdl { win: loss, draw, loss: win } };
    let score = match line.score {
        Score::Centipawns(0) => "0.00".to_string(),
        Score::Centipawns(value) => {
            format!(
                "{}{}.{:02}",
                if sign * value < 0 { '-' } else { '+' },
                value.abs() / 100,
                value.abs() % 100
            )
        }
        // Being mated already has no sign of its own.
        Score::Mate(0) => if sign == 1 { "-mate" } else { "+mate" }.to_string(),
        Score::Mate(moves) => {
            format!("{}#{}", if sign * moves < 0 { '-' } else { '+' }, moves.abs())
        }
    };
    let mark = match line.bound {
        Bound::Exact => "",
        bound if (bound == Bound::Lower) == (sign == 1) => "≥",
        _ => "≤",
    };
    (score + mark, wdl)
}

/// As many moves of a line as there is room for, and at least one.
fn fitting(line: &[String], room: usize) -> String {
    let mut text = String::new();
    for (i, word) in line.iter().enumerate() {
        let space = if i == 0 { "" } else { " " };
        if i > 0 && text.len() + space.len() + word.len() > room {
            break;
        }
        text += &format!("{space}{word}");
    }
    text
}

/// A count in at most seven letters.
fn count(number: u64) -> String {
    match number {
        0..100_000 => number.to_string(),
        100_000..10_000_000 => format!("{}k", number / 1000),
        _ => format!("{}M", number / 1_000_000),
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.2}s", time.as_secs_f64())
}
