//! The game on the board as PGN: what its file said of it, and where it is saved.

use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::game_clock::{GameClock, clk};
use crate::board::{Color, Ending, Game, Move, PieceType, Position};
use crate::files;
use crate::notation::{GameResult, PgnGame, PgnMove, PgnReader, Tags, to_pgn};

/// How a game was lost, but not on the board.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Forfeit {
    Resigned(Color),
    OnTime(Color),
}

impl Forfeit {
    /// A bare king cannot win on time.
    fn result(self, game: &Game) -> GameResult {
        let (Forfeit::Resigned(loser) | Forfeit::OnTime(loser)) = self;
        let mut pieces = game.position().pieces();
        let is_bare =
            !pieces.any(|(_, piece)| piece.color() == !loser && piece.kind() != PieceType::King);
        match self {
            Forfeit::OnTime(_) if is_bare => GameResult::Drawn,
            _ => GameResult::Won(!loser),
        }
    }

    pub fn verdict(self, game: &Game) -> String {
        match (self, self.result(game)) {
            (Forfeit::Resigned(loser), _) => format!("{loser} resigns, {} wins.", !loser),
            (Forfeit::OnTime(loser), GameResult::Drawn) => {
                format!("{loser}'s time is up; {} has only a king: a draw.", !loser)
            }
            (Forfeit::OnTime(loser), _) => {
                format!("{loser}'s time is up: {} wins.", !loser)
            }
        }
    }
}

/// A game that was played at the terminal.
pub struct Played<'a> {
    pub game: &'a Game,
    /// Zebu's side and name, if it plays.
    pub zebu: Option<(Color, String)>,
    pub forfeit: Option<Forfeit>,
    pub clock: Option<&'a GameClock>,
}

#[derive(Default)]
pub struct GameFile {
    /// As its file has it.
    loaded: Option<PgnGame>,
    /// The file that holds this game and no other.
    file: Option<String>,
    /// The moves that the game had when it was last saved, or loaded.
    saved: Vec<Move>,
}

impl GameFile {
    /// Of a game that nobody misses yet.
    pub fn new(game: &Game) -> GameFile {
        GameFile { saved: game.moves().to_vec(), ..GameFile::default() }
    }

    /// The first game of a file.
    pub fn load(file: &str) -> Result<(Game, GameFile), String> {
        let input = files::open(Path::new(file)).map_err(|error| format!("{file}: {error}"))?;
        let mut reader = PgnReader::new(BufReader::new(input));
        let first = reader.next().ok_or_else(|| format!("{file}: there is no game in it"))?;
        let loaded = first.map_err(|error| format!("{file}: {error}"))?;
        let mut game = Game::new(loaded.start);
        loaded.moves.iter().for_each(|played| game.play(played.mv));
        let file = reader.next().is_none().then(|| file.to_string());
        let record = GameFile { loaded: Some(loaded), file, ..GameFile::new(&game) };
        Ok((game, record))
    }

    pub fn is_saved(&self, game: &Game) -> bool {
        game.moves() == self.saved
    }

    /// Writes the game and returns its file: without one that is named, the one it has or a new one. A
    /// file with other games stays as it is.
    pub fn save(&mut self, file: Option<&str>, played: &Played) -> Result<String, String> {
        let file =
            file.map(str::to_string).or_else(|| self.file.clone()).unwrap_or_else(unused_name);
        let file = file.as_str();
        let path = Path::new(file);
        if self.file.as_deref() != Some(file) && fs::symlink_metadata(path).is_ok() {
            return Err(format!("{file} has other games, and is kept: save by another name"));
        }
        let text = to_pgn(&self.pgn_game(played));
        files::replace(path, text.as_bytes()).map_err(|error| format!("{file}: {error}"))?;
        self.file = Some(file.to_string());
        self.saved = played.game.moves().to_vec();
        Ok(file.to_string())
    }

    /// The game, with what its file says of it and of the moves that are still in it.
    fn pgn_game(&self, played: &Played) -> PgnGame {
        let Played { game, zebu, forfeit, clock } = played;
        let mut pgn = self.loaded.clone().unwrap_or_else(|| blank(game.start()));
        if let Some((zebu, name)) = zebu
            && !pgn.tags.player(*zebu).starts_with("Zebu ")
        {
            pgn.tags.set(tag(*zebu), name.clone());
            pgn.tags.set(tag(!*zebu), PLAYER.to_string());
        }
        let moves = game.moves();
        let old = pgn.moves.len();
        let kept = pgn.moves.iter().zip(moves).take_while(|(old, new)| old.mv == **new).count();
        pgn.moves.truncate(kept);
        pgn.moves.extend(moves[kept..].iter().map(|&mv| PgnMove::new(mv)));
        if let Some(clock) = clock {
            put_clock(&mut pgn, kept, clock);
        }
        if let Some(Forfeit::OnTime(_)) = forfeit {
            pgn.tags.set("Termination", "time forfeit".to_string());
        }
        pgn.result = match (game.ending(), forfeit) {
            (Some(Ending::Checkmate { winner }), _) => GameResult::Won(winner),
            (_, Some(forfeit)) => forfeit.result(game),
            (Some(_), None) => GameResult::Drawn,
            (None, None) if kept == old && kept == moves.len() => pgn.result,
            (None, None) => GameResult::Unknown,
        };
        pgn
    }
}

/// Tells the time control, and what the clock showed after the moves from one on.
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

/// The date in UTC, by the calendar that has years of 400 years again and again.
fn today(separator: &str) -> String {
    const ERA: u64 = 146_097;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // Days since 1 March of the year 0.
    let days = now.as_secs() / 86_400 + 719_468;
    let (era, day) = (days / ERA, days % ERA);
    let year = (day - day / 1460 + day / 36_524 - day / (ERA - 1)) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Months from March on have 153 days in five.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) =
        if month < 10 { (400 * era + year, month + 3) } else { (400 * era + year + 1, month - 9) };
    format!("{year}{separator}{month:02}{separator}{day:02}")
}

/// A name that no file has.
fn unused_name() -> String {
    let name = |number: u32| match number {
        1 => format!("zebu-{}.pgn", today("-")),
        _ => format!("zebu-{}-{number}.pgn", today("-")),
    };
    let is_free = |name: &String| fs::symlink_metadata(name).is_err();
    (1..).map(name).find(is_free).unwrap_or_default()
}

/// A game that begins at the terminal.
fn blank(start: &Position) -> PgnGame {
    let mut tags = Tags::default();
    let date = today(".");
    for (name, value) in [
        ("Event", "At the terminal"),
        ("Date", &date),
        ("Round", "-"),
        ("White", PLAYER),
        ("Black", PLAYER),
    ] {
        tags.set(name, value.to_string());
    }
    if *start != Position::start() {
        tags.set("SetUp", "1".to_string());
        tags.set("FEN", start.fen().to_string());
    }
    PgnGame {
        number: 1,
        tags,
        start: *start,
        preface: Vec::new(),
        moves: Vec::new(),
        result: GameResult::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_king_does_not_win_on_time() {
        let game = |fen: &str| Game::new(fen.parse().unwrap());
        let alone = game("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        let late = Forfeit::OnTime(Color::White);
        assert_eq!(late.result(&alone), GameResult::Drawn);
        assert_eq!(late.verdict(&alone), "White's time is up; Black has only a king: a draw.");
        assert_eq!(Forfeit::OnTime(Color::Black).result(&alone), GameResult::Won(Color::White));
        let resigned = Forfeit::Resigned(Color::White);
        assert_eq!(resigned.result(&alone), GameResult::Won(Color::Black));
        assert_eq!(
            late.result(&game("4k2r/8/8/8/8/8/8/4K3 w - - 0 1")),
            GameResult::Won(Color::Black)
        );
    }
}
