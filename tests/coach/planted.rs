//! Games of players with one planted weakness. Players and clocks know nothing of the coach's groups: a player
//! who is careless takes one of three moves of a tiny search. `ZEBU_POOL` is the folder of the pools.

use std::env;
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use engine::board::{Color, Game, Move, PieceType, Position, Square};
use engine::notation::{GameResult, PgnGame, PgnMove, PgnReader, to_pgn};
use engine::search::{Engine, Limits, Line as SearchLine, Task};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use zebu::analysis::{GameAnalysis, PositionAnalysis, WhiteScore};
use zebu::coach::{Group, JudgedGame, KeptReview, Statistics};
use zebu::library::Head;

use crate::go_on;

/// Where a player is careless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plant {
    Nothing,
    RookEndings,
    FirstMoves,
    NoQueens,
    OppositeCastling,
    Late,
    Black,
    ShortOfTime,
    HastyWhereItIsHard,
    Tilt,
    Ahead,
    Behind,
    StrongOpponents,
    KnightForks,
    OpeningMove,
    French,
}

const PLANTS: [Plant; 16] = [
    Plant::Nothing,
    Plant::RookEndings,
    Plant::ShortOfTime,
    Plant::Black,
    Plant::Tilt,
    Plant::KnightForks,
    Plant::NoQueens,
    Plant::OppositeCastling,
    Plant::Late,
    Plant::OpeningMove,
    Plant::HastyWhereItIsHard,
    Plant::Behind,
    Plant::StrongOpponents,
    Plant::French,
    Plant::Ahead,
    Plant::FirstMoves,
];

/// The nodes of a review, of a careful look, and of a careless one.
const REVIEW: u64 = 1000;
const CAREFUL: f64 = 110.0;
const CARELESS: u64 = 6;
const CARELESS_MOVES: usize = 6;

/// How often a player takes any of the moves of the careless look, and one where the weakness is.
const USUALLY: f64 = 0.05;
const WEAK: f64 = 0.6;

const LONGEST: usize = 160;

/// Base time and increment, in seconds.
const CONTROLS: [(f64, f64); 3] = [(180.0, 2.0), (300.0, 0.0), (600.0, 0.0)];

struct Searcher(Engine);

impl Searcher {
    fn new() -> Searcher {
        Searcher(Engine::new(1, 4).expect("an engine"))
    }

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
        let white_score = match game.position().in_check() {
            true => WhiteScore::Won(!game.position().side()),
            false => WhiteScore::Centipawns(0),
        };
        let none = Vec::new;
        let others = Vec::new();
        let over =
            PositionAnalysis { white_score, depth: 0, pv: none(), others, good_moves: none() };
        match game.position().legal_moves().is_empty() {
            true => over,
            false => self.look(game, nodes, 1).unwrap_or(over),
        }
    }
}

/// What is known of the openings: how many lines go on with a move.
struct Openings(Vec<Vec<Move>>);

impl Openings {
    fn read() -> Openings {
        let lines = include_str!("../../src/analysis/openings.txt").lines();
        let moves = lines.filter_map(|line| {
            let mut position = Position::start();
            let words = line.split_once(": ")?.1.split_whitespace();
            let moves = words.map(|word| {
                let mv = position.parse_san(word).ok()?;
                position = position.after(mv);
                Some(mv)
            });
            moves.collect::<Option<Vec<Move>>>()
        });
        Openings(moves.collect())
    }

    /// A move by how many lines have it. A person has a liking for some, by a seed.
    fn choose(&self, game: &Game, liking: u64, random: &mut Xoshiro256PlusPlus) -> Option<Move> {
        let played = game.moves();
        let mut next: Vec<(Move, f64)> = Vec::new();
        for line in self.0.iter().filter(|line| line.len() > played.len()) {
            if line[..played.len()] == *played {
                let mv = line[played.len()];
                match next.iter_mut().find(|(other, _)| *other == mv) {
                    Some((_, count)) => *count += 1.0,
                    None => next.push((mv, 1.0)),
                }
            }
        }
        for (mv, weight) in &mut next {
            let key = game.position().after(*mv).key() ^ liking;
            let taste: f64 = Xoshiro256PlusPlus::seed_from_u64(key).random_range(-2.0..2.0);
            *weight = weight.powf(0.7) * if liking == 0 { 1.0 } else { taste.exp() };
        }
        let all: f64 = next.iter().map(|(_, weight)| weight).sum();
        let mut at = random.random_range(0.0..all.max(1e-9));
        next.into_iter().find(|(_, weight)| (at < *weight, at -= weight).0).map(|(mv, _)| mv)
    }
}

struct Pools {
    reviewer: Searcher,
    players: [Searcher; 2],
    careless: Searcher,
    openings: Openings,
}

struct Played {
    plant: Plant,
    game: Game,
    me: Color,
    ratings: [f64; 2],
    control: (f64, f64),
    left: [f64; 2],
    clocks: Vec<f64>,
    /// Before how many of my own moves I still think of my last mistake.
    sore: usize,
    /// The plies at which the weakness could show.
    planted: Vec<usize>,
    castled: [Option<bool>; 2],
}

impl Played {
    fn is_mine(&self) -> bool {
        self.game.position().side() == self.me
    }

    fn count(&self, kinds: &[PieceType]) -> usize {
        let pieces = self.game.position().pieces();
        pieces.filter(|(_, piece)| kinds.contains(&piece.kind())).count()
    }

    /// Whether the weakness may show, by what I think of my chances.
    fn is_weak(&self, chance: f64, is_hard: bool) -> bool {
        use PieceType::{Bishop, Knight, Queen, Rook};
        let ply = self.game.moves().len();
        let left = self.left[self.me.index()];
        self.is_mine()
            && match self.plant {
                Plant::Nothing | Plant::KnightForks | Plant::OpeningMove => false,
                Plant::RookEndings => {
                    self.count(&[Queen, Bishop, Knight]) == 0 && self.count(&[Rook]) > 0
                }
                Plant::FirstMoves => ply < 26,
                Plant::NoQueens => self.count(&[Queen]) == 0,
                Plant::OppositeCastling => {
                    self.castled[0].zip(self.castled[1]).is_some_and(|(one, other)| one != other)
                }
                Plant::Late => ply >= 78,
                Plant::Black => self.me == Color::Black,
                Plant::ShortOfTime => left < self.control.0 * 0.17,
                Plant::HastyWhereItIsHard => is_hard,
                Plant::Tilt => self.sore > 0,
                Plant::Ahead => chance > 0.68,
                Plant::Behind => chance < 0.32,
                Plant::StrongOpponents => {
                    self.ratings[(!self.me).index()] > self.ratings[self.me.index()] + 70.0
                }
                Plant::French => {
                    self.me == Color::Black && ply < 26 && self.game.moves().len() > 1 && {
                        let first = Position::start();
                        let moves = &self.game.moves()[..2];
                        first.uci(moves[0], true) == "e2e4"
                            && first.after(moves[0]).uci(moves[1], true) == "e7e6"
                    }
                }
            }
    }

    fn opening(
        &self,
        openings: &Openings,
        random: &mut Xoshiro256PlusPlus,
    ) -> Option<(Move, bool)> {
        let position = self.game.position();
        let word = |word: &str| position.parse_uci(word).ok();
        let ply = self.game.moves().len();
        let first = self.game.moves().first().map(|&mv| Position::start().uci(mv, true));
        let answers = ply == 1 && self.is_mine() && first.as_deref() == Some("e2e4");
        let replies = ply == 2 && !self.is_mine() && self.plant == Plant::OpeningMove;
        if replies && random.random_bool(0.7) && first.as_deref() == Some("e2e4") {
            return word("g1f3").map(|mv| (mv, false));
        }
        let meets = matches!(self.plant, Plant::OpeningMove | Plant::French);
        if ply == 0 && !self.is_mine() && meets && random.random_bool(0.6) {
            return word("e2e4").map(|mv| (mv, false));
        }
        match self.plant {
            Plant::OpeningMove if answers && random.random_bool(0.7) => {
                return word("e7e5").map(|mv| (mv, false));
            }
            Plant::French if answers && random.random_bool(0.75) => {
                return word("e7e6").map(|mv| (mv, false));
            }
            Plant::OpeningMove if self.is_mine() && ply == 3 => {
                let mut damiano = Position::start();
                for word in ["e2e4", "e7e5", "g1f3"] {
                    damiano = damiano.after(damiano.parse_uci(word).expect("a move"));
                }
                if damiano.key() == position.key() {
                    return word("f7f6").map(|mv| (mv, true));
                }
            }
            _ => {}
        }
        // A player who is weak there at least comes there.
        let castles = self.plant == Plant::OppositeCastling && self.is_mine();
        let theirs = self.castled[(!self.me).index()];
        let mut castlings = position.legal_moves().into_iter().filter(|mv| {
            mv.is_castling()
                && theirs.is_some_and(|is_short| (mv.to().file() > mv.from().file()) != is_short)
        });
        if castles && let Some(mv) = castlings.next() {
            return Some((mv, false));
        }
        let liking = if self.is_mine() { self.plant as u64 * 7919 + 17 } else { 0 };
        openings.choose(&self.game, liking, random).map(|mv| (mv, false))
    }

    fn pgn(&self, number: usize, result: GameResult) -> PgnGame {
        let mut game = PgnGame::new(number, *self.game.start());
        let names = if self.me == Color::White { ["Me", "They"] } else { ["They", "Me"] };
        for (color, (tag, name)) in ["White", "Black"].into_iter().zip(names).enumerate() {
            game.tags.set(tag, name.to_string());
            game.tags.set(&format!("{tag}Elo"), format!("{:.0}", self.ratings[color]));
        }
        game.tags.set("Round", number.to_string());
        game.tags.set("Date", format!("2026.{:02}.{:02}", 1 + number / 28 % 12, 1 + number % 28));
        game.tags.set("TimeControl", format!("{}+{}", self.control.0, self.control.1));
        game.result = result;
        for (&mv, left) in self.game.moves().iter().zip(&self.clocks) {
            let mut played = PgnMove::new(mv);
            let (minutes, seconds) = ((left / 60.0) as u32, left % 60.0);
            played.comments.push(format!("[%clk 0:{minutes:02}:{seconds:04.1}]"));
            game.moves.push(played);
        }
        game
    }
}

/// Whether a knight of the side to move can go where nothing takes it and attack two of king, queen and rooks.
fn allows_a_knight_fork(position: &Position) -> bool {
    let side = position.side();
    position.legal_moves().iter().any(|mv| {
        let is_knight = position.piece_at(mv.from()).is_some_and(|it| it.is(PieceType::Knight));
        let after = position.after(*mv);
        let victims = Square::all().filter(|square| {
            let apart = |a: u8, b: u8| a.abs_diff(b);
            let (files, ranks) =
                (apart(square.file(), mv.to().file()), apart(square.rank(), mv.to().rank()));
            files * ranks == 2
                && after.piece_at(*square).is_some_and(|piece| {
                    let kinds = [PieceType::King, PieceType::Queen, PieceType::Rook];
                    piece.color() != side && kinds.contains(&piece.kind())
                })
        });
        is_knight && !after.is_attacked(mv.to(), !side) && victims.count() > 1
    })
}

impl Pools {
    fn new() -> Pools {
        Pools {
            reviewer: Searcher::new(),
            players: [Searcher::new(), Searcher::new()],
            careless: Searcher::new(),
            openings: Openings::read(),
        }
    }

    /// A game of a pool, as a line of JSON.
    fn line(&mut self, plant: Plant, number: usize) -> String {
        let seed = 1_000_003 * plant as u64 + number as u64;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let normal = |random: &mut Xoshiro256PlusPlus| {
            (0..6).map(|_| random.random_range(-0.707_f64..0.707)).sum::<f64>()
        };
        let me = if random.random_bool(0.5) { Color::White } else { Color::Black };
        let mine = 1500.0 + 20.0 * normal(&mut random);
        let theirs = mine + 110.0 * normal(&mut random);
        let ratings = if me == Color::White { [mine, theirs] } else { [theirs, mine] };
        let control = CONTROLS[random.random_range(0..CONTROLS.len())];
        let mut played = Played {
            plant,
            game: Game::new(Position::start()),
            me,
            ratings,
            control,
            left: [control.0; 2],
            clocks: Vec::new(),
            sore: 0,
            planted: Vec::new(),
            castled: [None; 2],
        };
        // A better player sees more; and everyone has better days.
        let skill = [0, 1].map(|side: usize| {
            CAREFUL * ((ratings[side] - 1500.0) / 250.0 + 0.3 * normal(&mut random)).exp()
        });
        let (mut analyses, mut decided, mut thought) = (Vec::<PositionAnalysis>::new(), 0, 0.5);
        let result = loop {
            let found = self.reviewer.judge(&played.game, REVIEW);
            let score = found.white_score;
            analyses.push(found);
            let position = *played.game.position();
            let side = position.side();
            if position.legal_moves().is_empty() {
                break if position.in_check() { GameResult::Won(!side) } else { GameResult::Drawn };
            }
            let white = score.win_percent(Color::White);
            decided = if !(3.0..97.0).contains(&white) { decided + 1 } else { 0 };
            if decided > 8 {
                break GameResult::Won(if white > 50.0 { Color::White } else { Color::Black });
            }
            if played.game.ending().is_some() || analyses.len() > LONGEST {
                break GameResult::Drawn;
            }
            let (mv, spent) =
                self.choose(&mut played, skill[side.index()], &mut thought, &mut random);
            if mv.is_castling() {
                played.castled[side.index()] = Some(mv.to().file() > mv.from().file());
            }
            let left = &mut played.left[side.index()];
            *left = (*left - spent).max(0.4) + played.control.1;
            played.clocks.push(*left);
            played.game.play(mv);
        };
        let game = played.pgn(number, result);
        let text = to_pgn(&game);
        let review = KeptReview::of(&GameAnalysis::new(game, analyses));
        let is_white = me == Color::White;
        let json = serde_json::json!({
            "pgn": text, "is_white": is_white, "planted": played.planted, "review": review,
        });
        json.to_string()
    }

    /// What is played, and the seconds it takes.
    fn choose(
        &mut self,
        played: &mut Played,
        skill: f64,
        thought: &mut f64,
        random: &mut Xoshiro256PlusPlus,
    ) -> (Move, f64) {
        let ply = played.game.moves().len();
        let position = *played.game.position();
        let side = position.side();
        let (left, start) = (played.left[side.index()], played.control.0);
        let noise = (0..4).map(|_| random.random_range(-0.7_f64..0.7)).sum::<f64>().exp();
        let spent = |share: f64| (share * noise).min(left / 7.0).max(0.3);
        if let Some((mv, is_planted)) = played.opening(&self.openings, random) {
            if is_planted {
                played.planted.push(ply);
            }
            return (mv, spent(start / 250.0));
        }
        let chance = |found: &PositionAnalysis| found.white_score.win_percent(side) / 100.0;
        let lines = if played.plant == Plant::KnightForks && played.is_mine() {
            10
        } else {
            CARELESS_MOVES
        };
        let quick = self.careless.look(&played.game, CARELESS, lines).expect("a line");
        // Whoever is short of time sees less.
        let pressed = (left / start * 6.0).clamp(0.35, 1.0);
        let nodes = (skill * pressed).max(20.0) as u64;
        let careful = self.players[side.index()].look(&played.game, nodes, 1).expect("a line");
        let now = chance(&careful);
        let is_hard = quick.pv[0] != careful.pv[0] && (now - chance(&quick)).abs() > 0.05;
        if played.is_mine() {
            let erred = *thought - now > 0.12;
            played.sore = if erred { 6 } else { played.sore.saturating_sub(1) };
            *thought = now;
        }
        let is_weak = played.is_weak(now, is_hard);
        if is_weak {
            played.planted.push(ply);
        }
        let choices: Vec<Move> =
            [quick.pv[0]].into_iter().chain(quick.others.iter().map(|it| it.pv[0])).collect();
        let usually = if pressed < 1.0 { 1.5 * USUALLY } else { USUALLY };
        let is_careless = random.random_bool(if is_weak { WEAK } else { usually });
        let mut seconds = spent(start / if is_hard { 25.0 } else { 45.0 });
        if is_weak && played.plant == Plant::HastyWhereItIsHard && is_careless {
            seconds = random.random_range(0.6..1.8_f64).min(seconds);
        }
        if played.plant == Plant::KnightForks && played.is_mine() {
            let blind = choices.iter().find(|&&mv| allows_a_knight_fork(&position.after(mv)));
            if let Some(&mv) = blind {
                played.planted.push(ply);
                return (mv, seconds);
            }
        }
        let mv = match is_careless {
            true => choices[random.random_range(0..choices.len().min(CARELESS_MOVES))],
            false => careful.pv[0],
        };
        (mv, seconds)
    }
}

fn folder() -> Option<PathBuf> {
    env::var_os("ZEBU_POOL").map(PathBuf::from)
}

fn file(plant: Plant) -> Option<PathBuf> {
    Some(folder()?.join(format!("{plant:?}.jsonl")))
}

/// Each round makes every pool larger, so that there is something to measure with soon.
#[test]
#[ignore = "an hour; makes the pools of games in ZEBU_POOL"]
fn make_pools() {
    let mut pools = Pools::new();
    let folder = folder().expect("ZEBU_POOL names a folder");
    fs::create_dir_all(&folder).expect("a folder");
    for round in 1..=10 {
        for plant in PLANTS {
            let path = file(plant).expect("a folder");
            let wanted = round * if plant == Plant::Nothing { 60 } else { 30 };
            let done = fs::read_to_string(&path).unwrap_or_default().lines().count();
            let mut file =
                OpenOptions::new().create(true).append(true).open(&path).expect("a file");
            for number in done..wanted {
                let mut line = pools.line(plant, number);
                writeln!(line).expect("text");
                file.write_all(line.as_bytes()).expect("a file");
            }
            println!("{plant:?}: {wanted}");
        }
    }
}

/// A game of a pool as the coach sees it, and the plies at which the weakness could show.
struct Drawn {
    game: JudgedGame,
    planted: Vec<usize>,
}

fn read_pool(plant: Plant) -> Vec<Drawn> {
    let text = file(plant).and_then(|file| fs::read_to_string(file).ok()).unwrap_or_default();
    let drawn = |(number, line): (usize, &str)| {
        let json: serde_json::Value = serde_json::from_str(line).ok()?;
        let mut game = PgnReader::new(json["pgn"].as_str()?.as_bytes()).next()?.ok()?;
        game.number = number;
        let review: KeptReview = serde_json::from_value(json["review"].clone()).ok()?;
        let head = Head {
            players: Default::default(),
            ratings: [None; 2],
            date: game.tags.get("Date")?.to_string(),
            result: game.result.to_string(),
            plies: game.moves.len(),
            opening: String::new(),
            clock: String::new(),
        };
        let me = if json["is_white"].as_bool()? { Color::White } else { Color::Black };
        let planted = json["planted"].as_array()?.iter();
        let planted = planted.filter_map(|ply| Some(ply.as_u64()? as usize)).collect();
        let analysis = review.analysis(game)?;
        Some(Drawn { game: JudgedGame::of(&analysis, &head, me), planted })
    };
    text.lines().enumerate().filter_map(drawn).collect()
}

/// Whether a group is the planted one: it has its name, or seven tenths of their moves are in both.
fn is_right(plant: Plant, group: &Group, games: &[&Drawn]) -> bool {
    let name = match plant {
        Plant::HastyWhereItIsHard => "short thinks on hard moves",
        Plant::KnightForks => "a fork",
        Plant::OppositeCastling => "with castling to opposite sides",
        Plant::Tilt => "after a mistake of your own",
        Plant::ShortOfTime if group.name.starts_with("with under a ") => &group.name,
        _ => "",
    };
    let (mut both, mut theirs, mut ours) = (0, 0, 0);
    for Drawn { game, planted } in games {
        for mv in game.moves.iter().filter(|mv| mv.is_mine) {
            let (is_planted, is_named) = (planted.contains(&mv.ply), mv.is_of(group));
            both += usize::from(is_planted && is_named);
            theirs += usize::from(is_planted);
            ours += usize::from(is_named);
        }
    }
    // A single move of an opening is in the group of that opening.
    let is_opening = plant == Plant::OpeningMove && group.name.contains(" as Black");
    group.name == name
        || 10 * both >= 7 * theirs && both > 0 && (is_opening || 10 * both >= 7 * ours)
}

/// Prints for each set of games what is named first, with what the calibration needs, as a row of a table.
#[test]
#[ignore = "minutes; prints what is named in sets of games of ZEBU_POOL"]
fn what_is_named() {
    for plant in PLANTS {
        let pool = read_pool(plant);
        let sets = if plant == Plant::Nothing { 60 } else { 10 };
        for size in [60, 150] {
            let size = size.min(pool.len());
            let mut right = 0;
            for set in 0..sets {
                let mut random = Xoshiro256PlusPlus::seed_from_u64(77 * size as u64 + set);
                let games: Vec<&Drawn> = pool.sample(&mut random, size).collect();
                let judged: Vec<JudgedGame> = games.iter().map(|it| it.game.clone()).collect();
                let begun = Instant::now();
                let statistics = Statistics::of(&judged);
                if set == 0 && env::var_os("ZEBU_FIGURES").is_some() {
                    for it in statistics.figures.iter().filter(|it| it.games > 7) {
                        println!(
                            "## {plant:?} {}: {} moves, {:.3} against {:.3}, {:.1}",
                            it.group.name,
                            it.moves,
                            it.mine,
                            it.theirs,
                            it.excess / it.error
                        );
                    }
                }
                let named = statistics.weaknesses;
                let took = begun.elapsed().as_millis();
                let words = named.iter().map(|it| {
                    let is_right = is_right(plant, &it.group, &games);
                    let (evidence, share, cost) = (it.evidence, it.share, it.cost);
                    let certainty = it.certainty;
                    format!(
                        "{}\t{is_right}\t{certainty:?}\t{evidence:.1}\t{share:.2}\t{cost:.3}",
                        it.group.name
                    )
                });
                right +=
                    usize::from(named.first().is_some_and(|it| is_right(plant, &it.group, &games)));
                let words: Vec<String> = words.collect();
                println!("{plant:?}\t{size}\t{set}\t{took}\t{}", words.join("\t"));
            }
            println!("# {plant:?} of {size}: {right} of {sets}");
        }
    }
}
