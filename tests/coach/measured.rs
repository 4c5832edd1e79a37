//! Figures, printed: whether habits are found in games that are played, and whether the answers of exercises
//! stand. `ZEBU_SETS` is the number of sets, 20; `ZEBU_GAMES` a file of games, and `ZEBU_KEEP` a folder for
//! those that are played.

use std::env;
use std::fs;
use std::sync::Arc;
use std::time::Instant;

use engine::board::{Color, Game, Move, PieceType, Position};
use engine::notation::{GameResult, PgnGame, PgnMove, PgnReader, to_pgn};
use engine::search::{Engine, Limits, Line as SearchLine, Task};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::json;
use zebu::analysis::motifs::{self, Line};
use zebu::analysis::{GameAnalysis, Phase, PositionAnalysis, WhiteScore};
use zebu::coach::{
    Background, ExerciseKind, JudgedGame, Order, Statistics, analysis, exercises, is_right,
};
use zebu::library::{Head, Library};

use crate::folder::Folder;
use crate::{go_on, order};

/// One engine, which is asked for thousands of short searches.
struct Searcher(Engine);

impl Searcher {
    fn look(&mut self, game: &Game, nodes: u64, multi_pv: usize) -> Option<PositionAnalysis> {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let task = Task { multi_pv, ..Task::in_game(game, limits) };
        let mut lines: Vec<SearchLine> = Vec::new();
        self.0.search(task, &go_on(), |line| match lines.get_mut(line.pv_index - 1) {
            Some(old) => *old = line,
            None => lines.push(line),
        })?;
        PositionAnalysis::of(lines, game.position().side())
    }

    /// The position itself, where there is no move.
    fn judge(&mut self, game: &Game, nodes: u64) -> PositionAnalysis {
        let mated = game.position().in_check();
        let white_score = match mated {
            true => WhiteScore::Won(!game.position().side()),
            false => WhiteScore::Centipawns(0),
        };
        let none = Vec::new;
        let over = PositionAnalysis {
            white_score,
            depth: 0,
            pv: none(),
            others: Vec::new(),
            good_moves: none(),
        };
        match game.position().legal_moves().is_empty() {
            true => over,
            false => self.look(game, nodes, 1).unwrap_or(over),
        }
    }
}

/// What a player does worse than the opponents.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Habit {
    None,
    RookEndings,
    TimeTrouble,
    Forks,
}

/// A game that is played, with what each side has left in seconds.
struct Played {
    game: Game,
    me: Color,
    left: [f64; 2],
    clocks: Vec<f64>,
    result: Option<GameResult>,
}

/// The games of a set: as many as the coach reviews by default.
const GAMES: usize = 100;

const LONGEST: usize = 140;

/// Every third game begins in an ending: few of those that such players begin at the start reach one.
const ENDINGS: [&str; 4] = [
    "1r4k1/p4ppp/1p6/8/8/1P6/P4PPP/1R4K1 w - - 0 1",
    "4r1k1/pp3ppp/2p5/8/8/2P5/PP3PPP/4R1K1 w - - 0 1",
    "r4rk1/pp3ppp/8/8/8/8/PP3PPP/R4RK1 w - - 0 1",
    "2b3k1/pp3ppp/2n5/8/8/2N5/PP3PPP/2B3K1 w - - 0 1",
];

fn is_rook_ending(position: &Position, ply: usize) -> bool {
    let has = |kind| position.pieces().any(|(_, piece)| piece.kind() == kind);
    Phase::of(position, ply) == Phase::Endgame
        && has(PieceType::Rook)
        && ![PieceType::Queen, PieceType::Bishop, PieceType::Knight].into_iter().any(has)
}

/// How often a side errs that has no habit there, and one that has.
const ERRS: f64 = 0.05;
const ERRS_BY_HABIT: f64 = 0.35;

impl Played {
    fn is_mine(&self) -> bool {
        self.game.position().side() == self.me
    }

    /// What is played, by the lines that were found.
    fn choose(
        &self,
        found: &PositionAnalysis,
        habit: Habit,
        searcher: &mut Searcher,
        random: &mut Xoshiro256PlusPlus,
    ) -> Move {
        let position = self.game.position();
        let legal = position.legal_moves();
        let ply = self.game.moves().len();
        let others = || found.others.iter().map(|other| other.pv[0]);
        if ply < 8 {
            let lines: Vec<Move> = found.pv.first().copied().into_iter().chain(others()).collect();
            return lines[random.random_range(0..lines.len())];
        }
        let is_weak = self.is_mine()
            && match habit {
                Habit::None | Habit::Forks => false,
                Habit::RookEndings => is_rook_ending(position, ply),
                Habit::TimeTrouble => self.left[position.side().index()] < 30.0,
            };
        if habit == Habit::Forks && self.is_mine() && random.random_bool(ERRS_BY_HABIT) {
            let mut moves = legal.to_vec();
            moves.shuffle(random);
            if let Some(&mv) = moves.iter().find(|&&mv| allows_a_fork(&self.game, mv, searcher)) {
                return mv;
            }
        }
        if is_weak && random.random_bool(ERRS_BY_HABIT) {
            return legal[random.random_range(0..legal.len())];
        }
        // Half of the other errors are small ones.
        match random.random_range(0.0..1.0) {
            chance if chance < ERRS / 2.0 => legal[random.random_range(0..legal.len())],
            chance if chance < ERRS => others().next_back().unwrap_or(found.pv[0]),
            _ => found.pv[0],
        }
    }

    fn play(&mut self, mv: Move, random: &mut Xoshiro256PlusPlus) {
        let side = self.game.position().side().index();
        let least = self.left[side].min(1.0);
        self.left[side] -= random.random_range(0.2..8.0_f64).min(self.left[side] / 12.0 + 0.3);
        self.left[side] = self.left[side].max(least * 0.5);
        self.clocks.push(self.left[side]);
        self.game.play(mv);
    }

    /// Ends a game that is decided, as far as a search sees.
    fn end(&mut self, found: &PositionAnalysis) {
        let position = self.game.position();
        self.result = match found.white_score {
            _ if position.legal_moves().is_empty() => Some(match position.in_check() {
                true => GameResult::Won(!position.side()),
                false => GameResult::Drawn,
            }),
            WhiteScore::Won(color) => Some(GameResult::Won(color)),
            WhiteScore::Centipawns(score) if score.abs() > 1500 && self.clocks.len() > 80 => {
                let winner = if score > 0 { Color::White } else { Color::Black };
                Some(GameResult::Won(winner))
            }
            _ if self.clocks.len() >= LONGEST => Some(GameResult::Drawn),
            _ => None,
        };
    }

    fn pgn(&self, number: usize) -> PgnGame {
        let mut game = PgnGame::new(number, *self.game.start());
        let names = if self.me == Color::White { ["Me", "They"] } else { ["They", "Me"] };
        for (tag, value) in ["White", "Black"].into_iter().zip(names) {
            game.tags.set(tag, value.to_string());
        }
        game.tags.set("Round", number.to_string());
        game.tags.set("Date", format!("2026.{:02}.{:02}", 1 + number / 28, 1 + number % 28));
        game.result = self.result.unwrap_or(GameResult::Drawn);
        for (&mv, left) in self.game.moves().iter().zip(&self.clocks) {
            let mut played = PgnMove::new(mv);
            let (minutes, seconds) = ((left / 60.0) as u32, left % 60.0);
            played.comments.push(format!("[%clk 0:{minutes:02}:{seconds:04.1}]"));
            game.moves.push(played);
        }
        game
    }
}

/// Whether the best answer to a move is a fork.
fn allows_a_fork(game: &Game, mv: Move, searcher: &mut Searcher) -> bool {
    let position = *game.position();
    let mut game = game.clone();
    game.play(mv);
    let Some(found) = searcher.look(&game, 150, 1) else { return false };
    let line = [&[mv], &found.pv[..]].concat();
    let line = Line::new(&position, &line, 1);
    let first = motifs::find(&line).into_iter().find(|found| found.ply == 1 && found.pays);
    first.and_then(|found| found.motif.name()) == Some("a fork")
}

/// Plays a set of games, judges each position by 1,000 nodes, and says what is named as weaknesses.
fn weaknesses(seed: u64, habit: Habit) -> Vec<String> {
    let mut searcher = Searcher(Engine::new(1, 4).expect("an engine"));
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut judged, mut text) = (Vec::new(), String::new());
    for number in 0..GAMES {
        let start = match number % 3 {
            0 => ENDINGS[number / 3 % ENDINGS.len()].parse().expect("a position"),
            _ => Position::start(),
        };
        let mut played = Played {
            game: Game::new(start),
            me: if number % 2 == 0 { Color::White } else { Color::Black },
            left: [100.0; 2],
            clocks: Vec::new(),
            result: None,
        };
        let mut analyses = Vec::new();
        loop {
            let found = searcher.judge(&played.game, 1000);
            played.end(&found);
            analyses.push(found);
            if played.result.is_some() {
                break;
            }
            let Some(found) = searcher.look(&played.game, 60, 3) else { break };
            let mv = played.choose(&found, habit, &mut searcher, &mut random);
            played.play(mv, &mut random);
        }
        let game = played.pgn(number);
        text += &(to_pgn(&game) + "\n");
        let head = Head {
            players: Default::default(),
            ratings: [None; 2],
            date: format!("2026.{:02}", 1 + number / 28),
            result: game.result.to_string(),
            plies: game.moves.len(),
        };
        judged.push(JudgedGame::of(&GameAnalysis::new(game, analyses), &head, played.me));
    }
    if let Ok(folder) = env::var("ZEBU_KEEP") {
        fs::write(format!("{folder}/{habit:?}-{seed}.pgn"), &text).expect("a file");
    }
    let statistics = Statistics::of(&judged);
    let named = statistics.weaknesses.iter();
    named.map(|it| format!("{:?} {}", it.group.aspect, it.group.name)).collect()
}

#[test]
#[ignore = "half an hour; prints what is named in sets of games with habits and without"]
fn habits_of_played_games() {
    let sets = env::var("ZEBU_SETS").ok().and_then(|sets| sets.parse().ok()).unwrap_or(20);
    for habit in [Habit::RookEndings, Habit::None, Habit::TimeTrouble, Habit::Forks] {
        for seed in 0..sets {
            let begun = Instant::now();
            let named = weaknesses(1000 * habit as u64 + seed, habit);
            println!("{habit:?} {seed}: {named:?} ({:.0} s)", begun.elapsed().as_secs_f64());
        }
    }
}

#[test]
#[ignore = "a quarter of an hour; prints whose answers stand"]
fn answers_stand_with_20_times_the_nodes() {
    let file = env::var("ZEBU_GAMES").expect("ZEBU_GAMES names a file of games");
    let text = fs::read(file).expect("a file of games");
    let folder = Folder::new("stand");
    let library = Library::open(&folder.join("library.zebu")).expect("a library");
    library.import(PgnReader::new(&text[..]), |_| ()).expect("games");
    let heads: Vec<_> = library.heads().expect("heads").into_iter().take(100).collect();
    let ids: Vec<u64> = heads.iter().map(|(id, _)| *id).collect();
    let order = order(zebu::coach::NODES);
    let begun = Instant::now();
    order.run(&library, &ids, &go_on(), |_| ()).expect("reviews");
    println!("reviews of {} games: {:?}", ids.len(), begun.elapsed());
    let (mut all, mut standing, mut refused) = (0, 0, 0);
    for (id, head) in &heads {
        let Some(found) = analysis(&library, *id).expect("a library") else { continue };
        for side in Color::BOTH {
            let made = exercises(&order, &found, head, side, &go_on()).expect("exercises");
            for (_, exercise) in made.iter().filter(|(_, it)| it.kind == ExerciseKind::Mistake) {
                let position: Position = exercise.fen.parse().expect("a position");
                let good: Vec<&str> = exercise.good.split(' ').step_by(2).collect();
                let deep = order.look(&[position], 200, 4, &go_on()).expect("a search").remove(0);
                let chance = |score: WhiteScore| score.win_percent(position.side());
                let best = chance(deep.white_score);
                let others = deep.others.iter().map(|it| (it.pv[0], it.white_score));
                let lines = [(deep.pv[0], deep.white_score)].into_iter().chain(others);
                let losses: Vec<(String, Move, f64)> = lines
                    .map(|(mv, score)| (position.uci(mv, true), mv, best - chance(score)))
                    .collect();
                let stands = losses.iter().any(|(word, _, loss)| word == good[0] && *loss <= 5.0);
                let others = losses
                    .iter()
                    .filter(|(word, _, loss)| *loss <= 5.0 && !good.contains(&word.as_str()));
                let is_refused = others.clone().any(|(_, mv, _)| {
                    !is_right(&order, exercise, &position, *mv, &go_on()).expect("a search")
                });
                all += 1;
                standing += usize::from(stands);
                refused += usize::from(is_refused);
                if all % 20 == 0 {
                    println!("{standing} of {all} stand so far, {refused} refuse a good move");
                }
                if !stands || is_refused {
                    println!("{}: {} but {losses:?}", exercise.fen, exercise.good);
                }
            }
        }
    }
    println!("{standing} of {all} stand; a good second move is refused in {refused}");
}

#[test]
#[ignore = "prints the times of a library of ZEBU_GAMES"]
fn times_of_a_large_library() {
    let file = env::var("ZEBU_GAMES").expect("ZEBU_GAMES names a file of games");
    let folder = Folder::new("large");
    let path = folder.join("library.zebu");
    {
        let library = Library::open(&path).expect("a library");
        let begun = Instant::now();
        let text = fs::File::open(file).expect("a file of games");
        let reader = PgnReader::new(std::io::BufReader::new(text));
        let taken = library.import(reader, |_| ()).expect("games");
        println!("{taken:?} in {:?}", begun.elapsed());
    }
    let order = Order { rests: Arc::new(true.into()), ..order(1000) };
    let begun = Instant::now();
    let coach = Background::begin(path, order).expect("a thread");
    for (search, by) in
        [("", "date"), ("an", "white"), ("2025 1-0", "moves"), ("", "black"), ("zz", "date")]
    {
        let begun = Instant::now();
        let (sender, receiver) = std::sync::mpsc::channel();
        let want =
            json!({ "want": "games", "search": search, "by": by, "is_up": false, "from": 0 });
        let want = serde_json::from_value(want).expect("something to want");
        coach.ask(want, Box::new(move |answer| drop(sender.send(answer))));
        let found = receiver.recv().expect("an answer").expect("games");
        println!("'{search}' by {by}: {} in {:?}", found["count"], begun.elapsed());
    }
    println!("opened and asked in {:?}", begun.elapsed());
}
