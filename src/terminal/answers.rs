//! Output for people: the board, aligned lines of a search, and moves in SAN.

use std::env;
use std::time::{Duration, Instant};

use super::command::{COMMANDS, Entry};
use crate::game::{PlayedGame, shown};
use engine::NAME;
use engine::board::{Color, Game, Position, Square};
use engine::eval::Network;
use engine::search::{Bound, Line, Score, SearchResult, Wdl};
use engine::tablebase::Tablebase;
use engine::uci::answers::{evaluation, facts, letter_at, squares};

const HEADER: &str = "depth    score  win/draw/loss   nodes     time  line";

/// The columns before the principal variation.
const LINE_STARTS: usize = 50;

/// A narrower terminal shows only depth, score and line.
const NARROW: usize = 72;
const NARROW_HEADER: &str = "depth   score  line";
const NARROW_LINE_STARTS: usize = 15;

/// The columns of output that goes to no terminal.
const COLUMNS: usize = 100;

/// The cells of the win/draw/loss bar.
const BAR: u16 = 12;

/// Shown only by a terminal with colors.
#[derive(Clone, Copy)]
enum Paint {
    Plain,
    Bold,
    Dim,
    Red,
    Green,
    /// Black on yellow, which is readable on light and dark backgrounds.
    Marked,
}

/// The style of the output: plain words and SAN, from White's point of view.
pub struct Style {
    /// Black is at the bottom.
    pub turned: bool,
    /// The board has chess pieces, not letters.
    pub pieces: bool,
    colors: bool,
    /// The board is drawn with squares of 256 colors.
    squares: bool,
    unicode: bool,
}

impl Style {
    /// Uses colors, and letters beyond ASCII, unless the environment says that the terminal has none.
    pub fn from_environment() -> Style {
        let variable = |name| env::var(name).ok().filter(|value| !value.is_empty());
        let dumb = variable("TERM").is_some_and(|kind| kind == "dumb");
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable);
        let locale = locale.unwrap_or_default().to_lowercase();
        let colors = !dumb && variable("NO_COLOR").is_none();
        let rich = variable("COLORTERM").is_some()
            || variable("TERM").is_some_and(|kind| kind.contains("256color"));
        Style {
            turned: false,
            pieces: false,
            colors,
            squares: colors && rich,
            unicode: cfg!(windows) || locale.contains("utf"),
        }
    }

    fn paint(&self, paint: Paint, text: &str) -> String {
        let code = match paint {
            Paint::Plain => return text.to_string(),
            Paint::Bold => "1",
            Paint::Dim => "2",
            Paint::Red => "31",
            Paint::Green => "32",
            Paint::Marked => "30;43",
        };
        if self.colors { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }

    /// A square with its background, on which white and black letters are readable.
    fn square(&self, square: Square, letter: char, marked: bool) -> String {
        let background = match (marked, square.is_light()) {
            (true, _) => 65,
            (false, true) => 137,
            (false, false) => 94,
        };
        let color = if letter.is_ascii_uppercase() { "1;38;5;231" } else { "38;5;16" };
        // The colors tell the sides apart, so both use the filled figures.
        let figure =
            if self.pieces && self.unicode { figure(letter.to_ascii_lowercase()) } else { letter };
        format!("\x1b[48;5;{background};{color}m {figure} \x1b[0m")
    }

    /// Eight ranks with their digits, and captured pieces below. The squares of the last move are marked by
    /// color or brackets.
    fn draw(&self, game: &Game) -> String {
        let last = game.moves().last();
        let marked = |square| last.is_some_and(|mv| mv.from() == square || mv.to() == square);
        let in_order = |index: u8| if self.turned { index } else { 7 - index };
        let mut text = String::new();
        for rank in (0..8).map(in_order) {
            text += &format!("  {} ", rank + 1);
            let mut row: Vec<_> = squares(rank).collect();
            if self.turned {
                row.reverse();
            }
            for square in row {
                let letter = letter_at(game.position(), square);
                if self.squares {
                    text += &self.square(square, letter, marked(square));
                    continue;
                }
                let letter = match letter {
                    ' ' if !square.is_light() => ':',
                    ' ' if self.unicode => '·',
                    ' ' => '.',
                    letter => letter,
                };
                let paint = if letter.is_ascii_uppercase() { Paint::Bold } else { Paint::Plain };
                let paint = if letter.is_alphabetic() { paint } else { Paint::Dim };
                let figure = if self.pieces && self.unicode { figure(letter) } else { letter };
                text += &if marked(square) {
                    self.paint(Paint::Marked, &format!("[{figure}]"))
                } else {
                    format!(" {} ", self.paint(paint, &figure.to_string()))
                };
            }
            text.push('\n');
        }
        let files = if self.turned { "h  g  f  e  d  c  b  a" } else { "a  b  c  d  e  f  g  h" };
        text += &format!("     {files}\n");
        for color in [Color::White, Color::Black] {
            let taken = taken_by(game, color);
            if !taken.is_empty() {
                text += &self.paint(Paint::Dim, &format!("  {color} took {taken}\n"));
            }
        }
        text
    }

    /// The last move, and who is to move or how the game ended.
    fn status(&self, game: &PlayedGame) -> String {
        let position = game.position();
        let played = game.last_move_name().map_or(String::new(), |name| format!("{name}. "));
        let state = match game.outcome() {
            Some(outcome) => outcome.to_string(),
            None if position.in_check() => format!("{} is in check and to move.", position.side()),
            None => format!("{} to move.", position.side()),
        };
        self.paint(Paint::Bold, &filled(&(played + &state)))
    }

    /// White's wins, the draws, and Black's wins as parts of a bar.
    fn bar(&self, white: Wdl) -> String {
        let cells = |permille: u16| usize::from((permille * BAR + 500) / 1000);
        let (wins, losses) = (cells(white.win), cells(white.loss));
        let draws = usize::from(BAR).saturating_sub(wins + losses);
        let [win, draw, loss] = if self.unicode { ["█", "▒", "░"] } else { ["#", "=", "."] };
        format!("{}{}{}", win.repeat(wins), draw.repeat(draws), loss.repeat(losses))
    }

    pub fn greeting(&self, game: &PlayedGame) -> String {
        let hint = filled(
            "You have White: type a move, and Zebu replies. \
            play lets it move, analyse makes it look on, help tells more.",
        );
        format!("{}\n{hint}\n\n{}", self.paint(Paint::Bold, NAME), self.board(game))
    }

    pub fn help(&self) -> String {
        let wide = columns() >= NARROW;
        let entry = |Entry { usage, does, .. }: &Entry| {
            if wide && usage.len() <= 20 {
                format!("  {usage:<20} {does}")
            } else {
                format!("  {usage}\n{}", filled_from(does, if wide { 23 } else { 6 }))
            }
        };
        COMMANDS.iter().map(entry).collect::<Vec<_>>().join("\n")
    }

    /// The board, the clock, and whose move it is or how the game ended.
    pub fn board(&self, game: &PlayedGame) -> String {
        let clock = game.left(Instant::now()).map(|left| {
            let time = |color: Color| {
                let to_move = color == game.position().side();
                let paint = if to_move { Paint::Bold } else { Paint::Plain };
                self.paint(paint, &format!("{color} {}", shown(left[color.index()])))
            };
            format!("  {}   {}\n", time(Color::White), time(Color::Black))
        });
        format!("{}{}\n{}", self.draw(game.board()), clock.unwrap_or_default(), self.status(game))
    }

    /// The columns of [`Style::line`].
    pub fn header(&self) -> String {
        self.paint(Paint::Dim, if columns() < NARROW { NARROW_HEADER } else { HEADER })
    }

    /// A principal variation of a position, perhaps one of several.
    pub fn line(&self, line: &Line, position: &Position, numbered: bool) -> String {
        let (score, wdl) = for_white(line, position.side(), self.unicode);
        let padded = format!("{score:>7}");
        let score = match score.chars().next() {
            Some('+') => self.paint(Paint::Green, &padded),
            Some('-') => self.paint(Paint::Red, &padded),
            _ => padded,
        };
        let rank = if numbered { format!("{}: ", line.pv_index) } else { String::new() };
        let narrow = columns() < NARROW;
        let start = if narrow { NARROW_LINE_STARTS } else { LINE_STARTS };
        let room = columns().saturating_sub(start + rank.len());
        let moves = fitting(&position.san_line(&line.moves), room);
        let depth = format!("{}/{}", line.depth, line.sel_depth);
        if narrow {
            return format!("{depth:<6}{score}  {rank}{moves}");
        }
        format!(
            "{depth:<7}{score}  {}  {:>7} {:>8}  {rank}{moves}",
            self.bar(wdl),
            count(line.nodes),
            seconds(line.time),
        )
    }

    /// The result of a search.
    pub fn result(&self, result: &SearchResult, position: &Position) -> String {
        let Some(best) = result.best else {
            return "There is no move to look for.".to_string();
        };
        let san = format!("{} {}", position.san_number(), position.san(best));
        let next = position.after(best);
        let reply = result.ponder.map(|reply| format!(", expecting {}", next.san(reply)));
        let work = format!("{} nodes in {}", count(result.nodes), seconds(result.time));
        let text = format!("Best is {san}{} ({work}).", reply.unwrap_or_default());
        filled(&text).replacen(&san, &self.paint(Paint::Bold, &san), 1)
    }

    /// The answer to `d`.
    pub fn display(&self, game: &PlayedGame, tablebase: Option<&Tablebase>) -> String {
        let facts = filled(&facts(game.position(), tablebase));
        format!("{}\n{}", self.board(game), self.paint(Paint::Dim, &facts))
    }

    /// The answer to `eval`.
    pub fn evaluation(&self, network: &Network, position: &Position) -> String {
        evaluation(network, position, columns() >= NARROW)
    }

    pub fn note(&self, text: &str) -> String {
        filled(text)
    }

    pub fn error(&self, text: &str) -> String {
        self.paint(Paint::Red, &filled(text))
    }
}

/// The current width of the terminal.
fn columns() -> usize {
    terminal_size::terminal_size().map_or(COLUMNS, |(width, _)| usize::from(width.0))
}

fn filled(text: &str) -> String {
    filled_from(text, 0)
}

/// Wraps a text between words, with each line indented to a column.
fn filled_from(text: &str, column: usize) -> String {
    let (room, start) = (columns(), " ".repeat(column));
    let fill = |line: &str| {
        let (mut filled, mut length) = (start.clone(), column);
        for word in line.split(' ') {
            let width = word.chars().count();
            if length > column && length + 1 + width > room {
                filled += &format!("\n{start}");
                length = column;
            } else if length > column {
                filled.push(' ');
                length += 1;
            }
            filled += word;
            length += width;
        }
        filled
    };
    text.lines().map(fill).collect::<Vec<_>>().join("\n")
}

/// A letter as a chess piece.
fn figure(letter: char) -> char {
    let letters = "KQRBNPkqrbnp".chars().zip("♔♕♖♗♘♙♚♛♜♝♞♟".chars());
    letters.into_iter().find(|&(name, _)| name == letter).map_or(letter, |(_, figure)| figure)
}

/// The letters of the pieces that a side has taken.
fn taken_by(game: &Game, color: Color) -> String {
    let mut position = *game.start();
    let mut taken = Vec::new();
    for &mv in game.moves() {
        let piece = position.captured(mv).filter(|_| position.side() == color);
        taken.extend(piece.map(|piece| piece.letter().to_string()));
        position = position.after(mv);
    }
    taken.join(" ")
}

/// Score and chances from White's point of view.
fn for_white(line: &Line, side: Color, unicode: bool) -> (String, Wdl) {
    let is_white = side == Color::White;
    let Wdl { win, draw, loss } = line.wdl;
    let wdl = if is_white { line.wdl } else { Wdl { win: loss, draw, loss: win } };
    let sign = |value: i32| if (value < 0) == is_white { '-' } else { '+' };
    let score = match line.score {
        Score::Centipawns(0) => "0.00".to_string(),
        Score::Centipawns(value) => {
            format!("{}{}.{:02}", sign(value), value.abs() / 100, value.abs() % 100)
        }
        // Mate in 0 is a loss for the side to move, though zero has no sign.
        Score::Mate(0) => format!("{}mate", sign(-1)),
        Score::Mate(moves) => format!("{}#{}", sign(moves), moves.abs()),
    };
    let [least, most] = if unicode { ["≥", "≤"] } else { [">", "<"] };
    let mark = match line.bound {
        Bound::Exact => "",
        bound if (bound == Bound::Lower) == is_white => least,
        _ => most,
    };
    (score + mark, wdl)
}

/// As many moves of a line as fit, and at least one.
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
