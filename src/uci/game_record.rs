//! The game on the board as PGN: what its file said of it, and where it is saved.

use std::fs;
use std::io::BufReader;
use std::path::Path;

use super::person::Person;
use crate::NAME;
use crate::analysis::{GameResult, PgnGame, PgnMove, PgnReader, Tags, to_pgn};
use crate::board::{Color, Ending, Game, Move, Position};
use crate::files;

#[derive(Default)]
pub struct GameRecord {
    /// As its file has it.
    loaded: Option<PgnGame>,
    /// The file that holds this game and no other.
    file: Option<String>,
    /// The moves that the game had when it was last saved, or loaded.
    saved: Vec<Move>,
}

impl GameRecord {
    /// Of a game that nobody misses yet.
    pub fn new(game: &Game) -> GameRecord {
        GameRecord { saved: game.moves().to_vec(), ..GameRecord::default() }
    }

    /// The first game of a file.
    pub fn load(file: &str) -> Result<(Game, GameRecord), String> {
        let input = files::open(Path::new(file)).map_err(|error| format!("{file}: {error}"))?;
        let mut reader = PgnReader::new(BufReader::new(input));
        let first = reader.next().ok_or_else(|| format!("{file}: there is no game in it"))?;
        let loaded = first.map_err(|error| format!("{file}: {error}"))?;
        let mut game = Game::new(loaded.start);
        loaded.moves.iter().for_each(|played| game.play(played.mv));
        let file = reader.next().is_none().then(|| file.to_string());
        let record = GameRecord { loaded: Some(loaded), file, ..GameRecord::new(&game) };
        Ok((game, record))
    }

    pub fn is_saved(&self, game: &Game) -> bool {
        game.moves() == self.saved
    }

    /// A file with other games stays as it is.
    pub fn save(&mut self, file: &str, game: &Game, person: &Person) -> Result<(), String> {
        let path = Path::new(file);
        if self.file.as_deref() != Some(file) && fs::symlink_metadata(path).is_ok() {
            return Err(format!("{file} has other games, and is kept: save by another name"));
        }
        let text = to_pgn(&self.pgn_game(game, person));
        files::replace(path, text.as_bytes()).map_err(|error| format!("{file}: {error}"))?;
        self.file = Some(file.to_string());
        self.saved = game.moves().to_vec();
        Ok(())
    }

    /// The game, with what its file says of it and of the moves that are still in it.
    fn pgn_game(&self, game: &Game, person: &Person) -> PgnGame {
        let mut pgn = self.loaded.clone().unwrap_or_else(|| blank(game.start()));
        let zebu = person.plays.then_some(!person.side);
        if let Some(zebu) = zebu
            && !pgn.tags.player(zebu).starts_with("Zebu ")
        {
            pgn.tags.set(tag(zebu), NAME.to_string());
            pgn.tags.set(tag(!zebu), PLAYER.to_string());
        }
        let moves = game.moves();
        let old = pgn.moves.len();
        let kept = pgn.moves.iter().zip(moves).take_while(|(old, new)| old.mv == **new).count();
        pgn.moves.truncate(kept);
        pgn.moves.extend(moves[kept..].iter().map(|&mv| PgnMove::new(mv)));
        pgn.result = match (game.ending(), person.resigned) {
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

/// A game that begins at the terminal.
fn blank(start: &Position) -> PgnGame {
    let mut tags = Tags::default();
    for (name, value) in
        [("Event", "At the terminal"), ("Round", "-"), ("White", PLAYER), ("Black", PLAYER)]
    {
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
