//! The game on the board as PGN: what its file said of it, and where it is saved.

use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::board::{Color, Ending, Game, Move, Position};
use crate::files;
use crate::notation::{GameResult, PgnGame, PgnMove, PgnReader, Tags, to_pgn};

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
    pub fn save(
        &mut self,
        file: Option<&str>,
        game: &Game,
        zebu: Option<(Color, String)>,
        resigned: Option<Color>,
    ) -> Result<String, String> {
        let file =
            file.map(str::to_string).or_else(|| self.file.clone()).unwrap_or_else(unused_name);
        let file = file.as_str();
        let path = Path::new(file);
        if self.file.as_deref() != Some(file) && fs::symlink_metadata(path).is_ok() {
            return Err(format!("{file} has other games, and is kept: save by another name"));
        }
        let text = to_pgn(&self.pgn_game(game, zebu, resigned));
        files::replace(path, text.as_bytes()).map_err(|error| format!("{file}: {error}"))?;
        self.file = Some(file.to_string());
        self.saved = game.moves().to_vec();
        Ok(file.to_string())
    }

    /// The game, with what its file says of it and of the moves that are still in it; Zebu's side and
    /// name, if it plays, and who has resigned.
    fn pgn_game(
        &self,
        game: &Game,
        zebu: Option<(Color, String)>,
        resigned: Option<Color>,
    ) -> PgnGame {
        let mut pgn = self.loaded.clone().unwrap_or_else(|| blank(game.start()));
        if let Some((zebu, name)) = zebu
            && !pgn.tags.player(zebu).starts_with("Zebu ")
        {
            pgn.tags.set(tag(zebu), name);
            pgn.tags.set(tag(!zebu), PLAYER.to_string());
        }
        let moves = game.moves();
        let old = pgn.moves.len();
        let kept = pgn.moves.iter().zip(moves).take_while(|(old, new)| old.mv == **new).count();
        pgn.moves.truncate(kept);
        pgn.moves.extend(moves[kept..].iter().map(|&mv| PgnMove::new(mv)));
        pgn.result = match (game.ending(), resigned) {
            (Some(Ending::Checkmate { winner }), _) => GameResult::Won(winner),
            (_, Some(loser)) => GameResult::Won(!loser),
            (Some(_), None) => GameResult::Drawn,
            (None, None) if kept == old && kept == moves.len() => pgn.result,
            (None, None) => GameResult::Unknown,
        };
        pgn
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
