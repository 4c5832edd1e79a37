//! What costs the person points, in words and in figures: the groups of moves that explain most of what is lost,
//! by the model, and beside them a table of all. In these comments, "I" is the person.

use std::collections::BTreeMap;

use serde::Serialize;

use super::judged::{Group, JudgedGame, JudgedMove, Swing};
use super::model::{self, Cause, Model};
use super::plots::{Plot, plots};

/// The newest games that figures are of: older ones say little of what I do today, and take time.
const MOST_GAMES: usize = 2000;

/// The least size of a group that figures say something of.
const LEAST_GAMES: usize = 10;
const LEAST_MOVES: f64 = 30.0;

const SOMETHING: f64 = 0.05;

/// The most positions behind a figure.
const MOST_SPOTS: usize = 12;

/// How sure it is that a group is a weakness. README.md in this folder says how often the words are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Certainty {
    #[serde(rename = "too early to say")]
    TooEarly,
    #[serde(rename = "perhaps")]
    Perhaps,
    #[serde(rename = "probably")]
    Probably,
    #[serde(rename = "almost certainly")]
    AlmostCertainly,
}

/// What is worth working on.
#[derive(Clone, Debug, Serialize)]
pub struct Weakness {
    #[serde(flatten)]
    pub group: Group,
    pub certainty: Certainty,
    /// Points a game, over all games, and their range.
    pub cost: f64,
    pub range: [f64; 2],
    /// "one game in seven".
    pub costs: String,
    /// Mine, that have it.
    pub games: usize,
    pub moves: usize,
    /// What it explains beside the others, and how often it is chosen, as in the model.
    #[serde(skip)]
    pub evidence: f64,
    #[serde(skip)]
    pub share: f64,
    #[serde(skip)]
    pub worst: Vec<(u64, usize)>,
}

/// A group of moves, in points a game over all games.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    #[serde(flatten)]
    pub group: Group,
    /// Mine, that have it.
    pub games: usize,
    pub moves: usize,
    pub mine: f64,
    /// What the opponents would have lost with as many moves.
    pub theirs: f64,
    pub excess: f64,
    /// Its standard error.
    pub error: f64,
    /// There is enough of it to say something.
    pub is_enough: bool,
    /// The most expensive of my moves, by game and ply.
    #[serde(skip)]
    pub worst: Vec<(u64, usize)>,
}

/// How often a side was winning, and won; was level late in the game, worse or lost, and did not lose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Swings {
    pub winning: usize,
    pub won: usize,
    pub level: usize,
    pub held: usize,
    pub worse: usize,
    pub worse_saved: usize,
    pub lost: usize,
    pub saved: usize,
}

/// My rating in a month, and what my results were worth.
#[derive(Clone, Debug, Serialize)]
pub struct Month {
    pub name: String,
    pub games: usize,
    /// The mean of the file.
    pub rating: f64,
    /// By the results against the opponents' ratings, with its standard error.
    pub performance: f64,
    pub error: f64,
}

#[derive(Clone, Debug, Serialize)]
pub struct Statistics {
    pub games: usize,
    pub moves: usize,
    /// Points lost a game.
    pub mine: f64,
    pub theirs: f64,
    /// The greatest excess first.
    pub figures: Vec<Figure>,
    /// What is worth working on: the surest first. There is one as soon as there are a few games.
    pub weaknesses: Vec<Weakness>,
    /// Mine, and the opponents'.
    pub swings: [Swings; 2],
    /// Those with results and ratings.
    pub months: Vec<Month>,
    pub plots: Vec<Plot>,
}

impl Statistics {
    /// Of reviewed games, the newest first.
    pub fn of(games: &[JudgedGame]) -> Statistics {
        let newest = model::complete(&games[..games.len().min(MOST_GAMES)]);
        let moves = || newest.iter().flat_map(|game| &game.moves);
        let count = newest.len().max(1) as f64;
        let lost = |mine: bool| {
            let lost = moves().filter(|mv| mv.is_mine == mine).map(|mv| mv.loss);
            lost.sum::<f64>() / count
        };
        let mut figures = figures(&newest);
        figures.sort_by(|a, b| b.excess.total_cmp(&a.excess));
        let causes = if newest.is_empty() { Vec::new() } else { Model::of(&newest).causes() };
        let weaknesses = causes.into_iter().map(|cause| Weakness::of(cause, &newest));
        Statistics {
            games: games.len(),
            moves: moves().filter(|mv| mv.is_mine).count(),
            mine: lost(true),
            theirs: lost(false),
            figures,
            weaknesses: weaknesses.collect(),
            swings: [0, 1].map(|side: usize| swings(games.iter().map(|game| game.swings[side]))),
            months: months(games),
            plots: plots(games),
        }
    }
}

impl Weakness {
    fn of(cause: Cause, games: &[JudgedGame]) -> Weakness {
        let Cause { group, cost, range, evidence, share } = cause;
        let mine = |game: &JudgedGame| {
            game.moves.iter().filter(|mv| mv.is_mine && mv.is_of(&group)).count()
        };
        let counts: Vec<usize> = games.iter().map(mine).filter(|&count| count > 0).collect();
        Weakness {
            certainty: certainty(evidence, share),
            cost,
            range,
            costs: in_games(cost),
            games: counts.len(),
            moves: counts.iter().sum(),
            evidence,
            share,
            worst: worst(games, &group),
            group,
        }
    }
}

fn certainty(evidence: f64, share: f64) -> Certainty {
    match evidence {
        20.0.. if share >= 0.9 => Certainty::AlmostCertainly,
        12.0.. if share >= 0.7 => Certainty::Probably,
        7.0.. => Certainty::Perhaps,
        _ => Certainty::TooEarly,
    }
}

/// Points a game as games: "one game in seven".
fn in_games(cost: f64) -> String {
    const WORDS: [&str; 13] = [
        "", "", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    match (1.0 / cost.max(1e-9)).round() as usize {
        0..2 => "a whole game in each".to_string(),
        games if games < WORDS.len() => format!("one game in {}", WORDS[games]),
        games if games <= 100 => format!("one game in {}", games.div_ceil(5) * 5),
        _ => "less than one game in a hundred".to_string(),
    }
}

fn swings(games: impl Iterator<Item = Swing>) -> Swings {
    const WINNING: f64 = 0.85;
    const WORSE: f64 = 0.3;
    let mut all = Swings::default();
    for Swing { best, worst, is_level, result } in games {
        let Some(result) = result else { continue };
        all.winning += usize::from(best >= WINNING);
        all.won += usize::from(best >= WINNING && result == 1.0);
        all.level += usize::from(is_level);
        all.held += usize::from(is_level && result > 0.0);
        all.worse += usize::from(worst <= WORSE);
        all.worse_saved += usize::from(worst <= WORSE && result > 0.0);
        all.lost += usize::from(worst <= 1.0 - WINNING);
        all.saved += usize::from(worst <= 1.0 - WINNING && result > 0.0);
    }
    all
}

/// A month's games with a result and both ratings. A performance is within 400 points of the opponents.
fn months(games: &[JudgedGame]) -> Vec<Month> {
    const LEAST: usize = 5;
    const MOST: f64 = 400.0;
    let mut months: BTreeMap<&str, Vec<(f64, f64, f64)>> = BTreeMap::new();
    for game in games {
        if let (Some(month), Some(result), [Some(mine), Some(theirs)]) =
            (&game.month, game.swings[0].result, game.ratings)
        {
            months.entry(month).or_default().push((mine.into(), theirs.into(), result));
        }
    }
    let month = |(name, games): (&str, Vec<(f64, f64, f64)>)| {
        let count = games.len() as f64;
        let mean = |part: fn(&(f64, f64, f64)) -> f64| games.iter().map(part).sum::<f64>() / count;
        let score = mean(|it| it.2);
        let gain = (400.0 * (score / (1.0 - score)).log10()).clamp(-MOST, MOST);
        // An Elo curve's slope is least where the score is one-sided.
        let slope = (score * (1.0 - score)).max(0.09) * 10.0_f64.ln() / 400.0;
        let deviation = mean(|it| it.2 * it.2) - score * score;
        let error = (deviation.max(0.05) / count).sqrt() / slope;
        let (rating, performance) = (mean(|it| it.0), mean(|it| it.1) + gain);
        Month { name: name.to_string(), games: games.len(), rating, performance, error }
    };
    months.into_iter().filter(|(_, games)| games.len() >= LEAST).map(month).collect()
}

/// Moves of a group in a game and what they lost: mine, and the opponent's.
#[derive(Clone, Copy, Default)]
struct Cell {
    game: usize,
    /// Mine that have it, and all of both sides that could.
    own: usize,
    moves: [f64; 2],
    lost: [f64; 2],
}

fn a_move(moves: f64, lost: f64) -> f64 {
    if moves > 0.0 { lost / moves } else { 0.0 }
}

/// The figures of all groups.
fn figures(games: &[JudgedGame]) -> Vec<Figure> {
    let count = games.len() as f64;
    let cells = cells(games);
    let mut figures: Vec<Figure> =
        cells.iter().map(|(group, cells)| figure(group, cells, count)).collect();
    for figure in &mut figures {
        figure.worst = worst(games, &figure.group);
    }
    figures
}

fn figure(group: &Group, cells: &[Cell], games: f64) -> Figure {
    let sum = |part: fn(&Cell) -> [f64; 2]| {
        [0, 1].map(|side: usize| cells.iter().map(|cell| part(cell)[side]).sum::<f64>())
    };
    let (moves, lost) = (sum(|cell| cell.moves), sum(|cell| cell.lost));
    let rates = [0, 1].map(|side: usize| a_move(moves[side], lost[side]));
    // Games vary independently of each other.
    let times = a_move(moves[1], moves[0]);
    let varies = |cell: &Cell| {
        let [mine, theirs] =
            [0, 1].map(|side: usize| cell.lost[side] - rates[side] * cell.moves[side]);
        (mine - times * theirs).powi(2)
    };
    Figure {
        group: group.clone(),
        games: cells.iter().filter(|cell| cell.own > 0).count(),
        moves: cells.iter().map(|cell| cell.own).sum(),
        mine: lost[0] / games,
        theirs: rates[1] * moves[0] / games,
        excess: (rates[0] - rates[1]) * moves[0] / games,
        error: cells.iter().map(varies).sum::<f64>().sqrt() / games,
        is_enough: cells.len() >= LEAST_GAMES && moves.iter().all(|&moves| moves >= LEAST_MOVES),
        worst: Vec::new(),
    }
}

/// By group what each game has of it. Groups of which I have no move are absent.
fn cells(games: &[JudgedGame]) -> BTreeMap<Group, Vec<Cell>> {
    let mut cells: BTreeMap<Group, Vec<Cell>> = BTreeMap::new();
    let mut all = Vec::new();
    for (game, judged) in games.iter().enumerate() {
        let mut moves = [0.0; 2];
        for mv in &judged.moves {
            let side = usize::from(!mv.is_mine);
            moves[side] += 1.0;
            let share = 1.0 / mv.ways.len().max(1) as f64;
            let situations = mv.groups.iter().map(|group| (group, 1.0));
            for (group, share) in situations.chain(mv.ways.iter().map(|way| (way, share))) {
                let of_group = cells.entry(group.clone()).or_default();
                if of_group.last().is_none_or(|last| last.game != game) {
                    of_group.push(Cell { game, ..Cell::default() });
                }
                let cell = of_group.last_mut().expect("one was pushed");
                cell.own += usize::from(mv.is_mine);
                cell.moves[side] += 1.0;
                cell.lost[side] += share * mv.loss;
            }
        }
        all.push(Cell { game, moves, ..Cell::default() });
    }
    cells.retain(|_, of_group| of_group.iter().any(|cell| cell.own > 0));
    for (_, of_group) in cells.iter_mut().filter(|(group, _)| group.is_way_to_lose()) {
        let mut every = all.clone();
        for &Cell { game, own, lost, .. } in of_group.iter() {
            every[game] = Cell { own, lost, ..every[game] };
        }
        *of_group = every;
    }
    cells
}

fn worst(games: &[JudgedGame], group: &Group) -> Vec<(u64, usize)> {
    let moves = games.iter().flat_map(|game| game.moves.iter().map(|mv| (game.id, mv)));
    let mine = moves.filter(|(_, mv)| mv.is_mine && mv.loss >= SOMETHING && mv.is_of(group));
    let mut mine: Vec<(u64, &JudgedMove)> = mine.collect();
    mine.sort_by(|(_, a), (_, b)| b.loss.total_cmp(&a.loss));
    mine.iter().take(MOST_SPOTS).map(|(id, mv)| (*id, mv.ply)).collect()
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::super::judged::Aspect;
    use super::*;

    const GAMES: u64 = 100;
    const SETS: u64 = 20;

    /// How much more often than the opponents a made-up player errs in a move of these groups.
    type Habit = fn(&[Group]) -> f64;

    fn group(aspect: Aspect, name: &'static str) -> Group {
        Group::new(aspect, name)
    }

    fn has(groups: &[Group], name: &str) -> bool {
        groups.iter().any(|group| group.name == name)
    }

    /// Games of 80 plies in which both sides err alike, but for a habit. The last quarter is an ending, one of
    /// four kinds, and there time is often short.
    fn games(seed: u64, habit: Habit) -> Vec<JudgedGame> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let game = |id: u64| {
            let mut one_of = |names: &[&'static str]| names[random.random_range(0..names.len())];
            let opening = one_of(&["Sicilian", "Spanish", "French", "English"]);
            let ending = one_of(&["rook endings", "pawn endings", "queen endings"]);
            let me = id % 2;
            let mv = |ply: usize| {
                let mut one_of =
                    |names: &[&'static str]| names[random.random_range(0..names.len())];
                let mut groups = vec![
                    group(Aspect::Color, ["White", "Black"][ply % 2]),
                    group(Aspect::Situation, one_of(&["ahead", "about equal", "behind"])),
                ];
                groups.extend((ply < 24).then(|| group(Aspect::Opening, opening)));
                groups.extend((ply >= 60).then(|| group(Aspect::Phase, "the endgame")));
                groups.extend((ply >= 60).then(|| group(Aspect::Endgame, ending)));
                if ply >= 50 && one_of(&["enough", "little"]) == "little" {
                    groups.push(group(Aspect::Left, "little time"));
                }
                let way = group(Aspect::Allowed, one_of(&["a fork", "a pin", "a skewer", "mate"]));
                let is_mine = ply as u64 % 2 == me;
                let known = [&groups[..], std::slice::from_ref(&way)].concat();
                let factor = if is_mine { habit(&known) } else { 1.0 };
                // Small errors are frequent, and few blunders have a heavy tail.
                let loss = match random.random_range(0.0..1.0) {
                    chance if chance < 0.05 * factor => random.random_range(0.1_f64..0.8),
                    chance if chance < 0.2 => random.random_range(0.0..0.08),
                    _ => 0.0,
                };
                let ways = if loss < SOMETHING { Vec::new() } else { vec![way] };
                JudgedMove {
                    is_mine,
                    ply,
                    loss,
                    nature: Default::default(),
                    groups,
                    ways,
                    thought: None,
                    left: None,
                    spent: None,
                }
            };
            let moves = (0..80).map(mv).collect();
            JudgedGame {
                id,
                moves,
                swings: Default::default(),
                month: None,
                ratings: [None; 2],
                opening: Vec::new(),
            }
        };
        (0..GAMES).map(game).collect()
    }

    fn first(seed: u64, habit: Habit) -> Weakness {
        Statistics::of(&games(seed, habit)).weaknesses.into_iter().next().expect("one is said")
    }

    #[test]
    fn what_is_worse_comes_first() {
        let habits: [(&str, Habit); 4] = [
            ("rook endings", |groups| if has(groups, "rook endings") { 4.0 } else { 1.0 }),
            ("little time", |groups| if has(groups, "little time") { 3.0 } else { 1.0 }),
            ("a fork", |groups| if has(groups, "a fork") { 4.0 } else { 1.0 }),
            ("Black", |groups| if has(groups, "Black") { 2.0 } else { 1.0 }),
        ];
        for (name, habit) in habits {
            let named = (0..SETS).map(|seed| first(seed, habit).group.name);
            let right = named.filter(|named| named == name).count();
            assert!(right >= 19, "{name}: {right}");
        }
    }

    /// The endgame is not named for its rooks, nor its rooks and its queens for the endgame.
    #[test]
    fn neither_the_broad_group_nor_the_narrow_one_has_the_guilt_of_the_other() {
        let endgame: Habit = |groups| if has(groups, "the endgame") { 3.0 } else { 1.0 };
        let named = (0..SETS).map(|seed| first(seed, endgame).group.name);
        assert!(named.filter(|name| name == "the endgame").count() >= 18);
        let rooks: Habit = |groups| if has(groups, "rook endings") { 4.0 } else { 1.0 };
        let all = (0..SETS).flat_map(|seed| Statistics::of(&games(seed, rooks)).weaknesses);
        assert!(all.filter(|it| it.group.name == "the endgame").count() <= 2);
    }

    #[test]
    fn where_nothing_is_worse_nothing_is_sure() {
        let sure = (100..140).map(|seed| first(seed, |_| 1.0).certainty);
        let sure = sure.filter(|&certainty| certainty >= Certainty::Probably).count();
        assert!(sure <= 2, "{sure}");
    }

    #[test]
    fn something_is_always_said_and_a_few_games_are_no_habit() {
        let all = games(3, |groups| if has(groups, "the endgame") { 4.0 } else { 1.0 });
        assert_eq!(Statistics::of(&all).weaknesses[0].certainty, Certainty::AlmostCertainly);
        let few = Statistics::of(&all[..9]).weaknesses;
        assert!(few.iter().all(|it| it.certainty <= Certainty::Perhaps), "{few:?}");
        let none = Statistics::of(&[]);
        assert_eq!((none.games, none.figures.len(), none.weaknesses.len()), (0, 0, 0));
    }

    /// The same games give the same words, and the oldest of very many are left out.
    #[test]
    fn many_games_take_no_longer_than_some() {
        let some = games(5, |_| 1.0);
        let many: Vec<JudgedGame> = some.iter().cycle().take(50_000).cloned().collect();
        let [one, other] = [0, 1].map(|_| Statistics::of(&many));
        assert_eq!(one.games, 50_000);
        let said = |it: &Statistics| {
            it.weaknesses.iter().map(|it| (it.group.clone(), it.cost, it.share)).collect::<Vec<_>>()
        };
        assert_eq!(said(&one), said(&other));
    }

    #[test]
    fn a_group_without_a_move_of_mine_is_absent() {
        let mut all = games(1, |_| 1.0);
        for mv in all.iter_mut().flat_map(|game| &mut game.moves).filter(|mv| mv.is_mine) {
            mv.groups.retain(|group| group.name != "Black");
        }
        assert!(Statistics::of(&all).figures.iter().all(|it| it.group.name != "Black"));
    }

    #[test]
    fn a_cost_is_told_in_games() {
        let told = [0.6, 0.3, 0.14, 0.085, 0.045, 0.001].map(in_games);
        let games =
            ["one game in two", "one game in three", "one game in seven", "one game in twelve"];
        assert_eq!(told[..4], games);
        assert_eq!(told[4..], ["one game in 25", "less than one game in a hundred"]);
    }

    #[test]
    fn figures_are_points_a_game() {
        let mv = |ply: usize, loss| JudgedMove {
            is_mine: ply.is_multiple_of(2),
            ply,
            loss,
            nature: Default::default(),
            groups: vec![group(Aspect::Phase, "the opening")],
            ways: Vec::new(),
            thought: None,
            left: None,
            spent: None,
        };
        let game = |id, losses: [f64; 3]| JudgedGame {
            id,
            moves: losses.into_iter().enumerate().map(|(ply, loss)| mv(ply, loss)).collect(),
            swings: Default::default(),
            month: None,
            ratings: [None; 2],
            opening: Vec::new(),
        };
        let statistics = Statistics::of(&[game(0, [0.5, 0.1, 0.1]), game(1, [0.0, 0.3, 0.2])]);
        let figure = &statistics.figures[0];
        assert!((figure.mine - 0.4).abs() < 1e-9 && (statistics.mine - 0.4).abs() < 1e-9);
        // The opponents lost 0.4 in two moves, and I made four.
        assert!((figure.theirs - 0.4).abs() < 1e-9 && figure.excess.abs() < 1e-9);
        assert_eq!((figure.games, figure.moves), (2, 4));
        assert_eq!(figure.worst, [(0, 0), (1, 2), (0, 2)]);
    }

    #[test]
    fn a_performance_is_by_the_opponents() {
        let game = |result, month: &str| JudgedGame {
            id: 0,
            moves: Vec::new(),
            swings: [Swing { result: Some(result), ..Swing::default() }; 2],
            month: Some(month.to_string()),
            ratings: [Some(1500), Some(1600)],
            opening: Vec::new(),
        };
        let mut games: Vec<JudgedGame> =
            (0..20).map(|i| game(f64::from(u8::from(i % 2 == 0)), "2026-02")).collect();
        games.extend((0..5).map(|_| game(1.0, "2026-01")));
        games.push(game(1.0, "2026-03"));
        let months = Statistics::of(&games).months;
        let found: Vec<_> = months.iter().map(|it| (it.name.as_str(), it.performance)).collect();
        assert_eq!(found, [("2026-01", 2000.0), ("2026-02", 1600.0)]);
        assert!((60.0..100.0).contains(&months[1].error), "{}", months[1].error);
    }
}
