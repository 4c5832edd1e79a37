//! The game as PGN, and the file where it is saved.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::clock::{GameClock, clk};
use super::played_game::{Outcome, PlayedGame};
use engine::board::{CastlingSide, Color, Move, Position};
use engine::notation::{GameResult, PgnError, PgnGame, PgnMove, PgnReader, to_pgn};
use engine::system::files::{self, Stream};
use engine::system::text::one_line;
use engine::system::time::utc_now;

/// The tags of a game: its event, and Zebu's side and name.
pub struct Occasion<'a> {
    pub event: &'a str,
    /// Zebu's side and name, if it plays.
    pub zebu: Option<(Color, String)>,
}

#[derive(Default)]
pub struct GameFile {
    /// The file that holds this game and no other.
    file: Option<String>,
    /// The moves of the game when it was last saved or loaded.
    saved: Vec<Move>,
}

impl GameFile {
    /// For a game that counts as saved.
    pub fn new(game: &PlayedGame) -> GameFile {
        GameFile { saved: game.board.moves().to_vec(), file: None }
    }

    /// A game of a file, by its number from 1. A stop ends the reading.
    pub fn load(
        file: &str,
        number: usize,
        stop: Arc<AtomicBool>,
    ) -> Result<(PlayedGame, GameFile), String> {
        let mut reader = read(file, stop)?;
        let mut games = reader.by_ref().zip(1..);
        let is_last = |(game, at): &(_, _)| *at == number || matches!(game, Err(PgnError::Io(_)));
        let (game, _) = games.find(is_last).ok_or_else(|| match number {
            1 => format!("{file}: there is no game in it"),
            _ => format!("{file}: there is no game {number} in it"),
        })?;
        let game = PlayedGame::from(game.map_err(|error| format!("{file}: {error}"))?);
        let is_alone = number == 1 && reader.next().is_none();
        let file = is_alone.then(|| file.to_string());
        let record = GameFile { file, ..GameFile::new(&game) };
        Ok((game, record))
    }

    /// Lists the games of a file, one per line, up to a limit.
    pub fn games(file: &str, stop: Arc<AtomicBool>) -> Result<Vec<String>, String> {
        const MOST: usize = 200;
        let mut reader = read(file, stop)?;
        let line = |(i, game): (usize, Result<PgnGame, PgnError>)| match game {
            Ok(game) => {
                let date = game.tags.get("Date").unwrap_or_default();
                let moves = game.moves.len().div_ceil(2);
                one_line(&format!(
                    "{:>4}  {} {}, {moves} moves  {date}",
                    i + 1,
                    game.tags.players(),
                    game.result
                ))
            }
            Err(error) => format!("{:>4}  {error}", i + 1),
        };
        let mut lines: Vec<String> = reader.by_ref().take(MOST).enumerate().map(line).collect();
        lines.extend(reader.next().map(|_| "      and more".to_string()));
        Ok(lines)
    }

    pub fn is_saved(&self, game: &PlayedGame) -> bool {
        game.board.moves() == self.saved
    }

    /// Writes the game, and returns its file: the given one, else its own, else a new one. A file with other
    /// games is never overwritten.
    pub fn save(
        &mut self,
        file: Option<&str>,
        game: &PlayedGame,
        occasion: &Occasion,
    ) -> Result<String, String> {
        let file =
            file.map(str::to_string).or_else(|| self.file.clone()).unwrap_or_else(unused_name);
        let file = file.as_str();
        let path = Path::new(file);
        if self.file.as_deref() != Some(file) && fs::symlink_metadata(path).is_ok() {
            return Err(format!("{file} has other games, and is kept: save by another name"));
        }
        let text = to_pgn(&game.pgn(occasion));
        files::replace(path, text.as_bytes()).map_err(|error| format!("{file}: {error}"))?;
        self.file = Some(file.to_string());
        self.saved = game.board.moves().to_vec();
        Ok(file.to_string())
    }
}

fn read(file: &str, stop: Arc<AtomicBool>) -> Result<PgnReader<Stream>, String> {
    let path = Path::new(file).to_owned();
    let open = move || files::open(&path).map(|file| Box::new(file) as Box<dyn Read>);
    let input = Stream::open(open, stop).map_err(|error| format!("{file}: {error}"))?;
    Ok(PgnReader::new(input))
}

impl PlayedGame {
    /// The game as PGN, with those tags and comments of its file that still apply.
    pub fn pgn(&self, occasion: &Occasion) -> PgnGame {
        let start = self.board.start();
        let mut pgn = self.loaded.clone().unwrap_or_else(|| blank(start, occasion.event));
        if let Some((zebu, name)) = &occasion.zebu
            && !pgn.tags.player(*zebu).starts_with("Zebu ")
        {
            pgn.tags.set(tag(*zebu), name.clone());
            pgn.tags.set(tag(!*zebu), PLAYER.to_string());
        }
        let moves = self.board.moves();
        let old = pgn.moves.len();
        let kept = pgn.moves.iter().zip(moves).take_while(|(old, new)| old.mv == **new).count();
        pgn.moves.truncate(kept);
        pgn.moves.extend(moves[kept..].iter().map(|&mv| PgnMove::new(mv)));
        // The clock is stopped while Zebu looks on.
        if let Some(clock) = self.clock.as_ref().filter(|_| occasion.zebu.is_some()) {
            put_clock(&mut pgn, kept, clock);
        }
        let outcome = self.outcome();
        if outcome.is_some_and(Outcome::is_on_time) {
            pgn.tags.set("Termination", "time forfeit".to_string());
        }
        let is_as_loaded = kept == old && kept == moves.len();
        let unknown = if is_as_loaded { pgn.result } else { GameResult::Unknown };
        pgn.result = outcome.map_or(unknown, Outcome::result);
        pgn
    }
}

/// Adds the time control, and the clock's times after the moves from this one on.
fn put_clock(pgn: &mut PgnGame, from: usize, clock: &GameClock) {
    let mut side = pgn.start.side();
    for (i, played) in pgn.moves.iter_mut().enumerate() {
        if let Some(left) = clock.after_move(i, side).filter(|_| i >= from) {
            played.comments.insert(0, clk(left));
            pgn.tags.set("TimeControl", clock.control.to_string());
        }
        side = !side;
    }
}

const PLAYER: &str = "Player";

fn tag(color: Color) -> &'static str {
    if color == Color::White { "White" } else { "Black" }
}

/// A name that no file has.
fn unused_name() -> String {
    let today = utc_now().format("%Y-%m-%d");
    let name = |number: u32| match number {
        1 => format!("zebu-{today}.pgn"),
        _ => format!("zebu-{today}-{number}.pgn"),
    };
    let is_free = |name: &String| fs::symlink_metadata(name).is_err();
    (1..).map(name).find(is_free).unwrap_or_default()
}

/// A game that comes from no file.
fn blank(start: &Position, event: &str) -> PgnGame {
    let mut game = PgnGame::new(1, *start);
    let tags = &mut game.tags;
    let date = utc_now().format("%Y.%m.%d").to_string();
    for (name, value) in
        [("Event", event), ("Date", &date), ("Round", "-"), ("White", PLAYER), ("Black", PLAYER)]
    {
        tags.set(name, value.to_string());
    }
    if *start != Position::start() {
        tags.set("SetUp", "1".to_string());
        tags.set("FEN", start.fen().to_string());
    }
    if castles_by_other_rules(start) {
        tags.set("Variant", "Chess960".to_string());
    }
    game
}

/// Whether a king or rook that may castle stands where it does in Chess960 only.
fn castles_by_other_rules(start: &Position) -> bool {
    const KING: u8 = 4;
    const ROOKS: [u8; 2] = [0, 7];
    Color::BOTH.into_iter().any(|color| {
        let rooks = CastlingSide::BOTH.map(|side| start.castling_rook(color, side));
        let is_usual = |file| ROOKS.contains(&file) && start.king(color).file() == KING;
        rooks.into_iter().flatten().any(|rook| !is_usual(rook.file()))
    })
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::game::TimeControl;

    /// A game is put down in the middle, with its clock, and taken up from its PGN.
    #[test]
    fn a_game_goes_on_from_its_pgn() {
        let start = "nrbqkbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBQKBRN w KQkq - 0 1";
        let mut game = PlayedGame::new(start.parse().unwrap());
        let zebu = Some((Color::Black, "Zebu, level 1500".to_string()));
        let occasion = Occasion { event: "A test", zebu };
        let mut now = Instant::now();
        game.set_clock(TimeControl::parse("5+3").ok());
        for word in ["Nb3", "e5", "g3"] {
            game.play(game.position().parse_san(word).unwrap(), now);
            game.run_clock(true, now);
            now += Duration::from_secs(10);
        }
        let text = to_pgn(&game.pgn(&occasion));
        assert!(text.contains("[Black \"Zebu, level 1500\"]\n"), "{text}");
        assert!(text.contains("[Variant \"Chess960\"]\n"), "{text}");
        let read = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        let mut again = PlayedGame::from(read);
        let seconds = [293, 293].map(Duration::from_secs);
        assert_eq!(again.left(now), Some(seconds), "the clock stands");
        assert_eq!(to_pgn(&again.pgn(&occasion)), text);
        game.run_clock(false, now);
        for game in [&mut game, &mut again] {
            game.take_back();
            game.play(game.position().parse_san("d3").unwrap(), now);
        }
        assert_eq!(again.left(now).map(|left| left[1]), game.left(now).map(|left| left[1]));
    }
}
