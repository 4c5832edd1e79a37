//! What is lost by month, by the time left and by the time spent: the data of plots.

use std::collections::BTreeMap;

use serde::Serialize;

use super::judged::{JudgedGame, JudgedMove};

/// The least moves of either side in a point.
const LEAST_MOVES: f64 = 30.0;

/// Shares of the time at the start, and seconds: each name is of what is below its limit, and above the one before.
const LEFT: [(f64, &str); 4] = [
    (0.1, "under a tenth"),
    (0.25, "a tenth to a quarter"),
    (0.5, "a quarter to a half"),
    (f64::INFINITY, "more than half"),
];
const SPENT: [(f64, &str); 5] = [
    (2.0, "under 2 seconds"),
    (5.0, "2 to 5 seconds"),
    (15.0, "5 to 15 seconds"),
    (60.0, "15 to 60 seconds"),
    (f64::INFINITY, "more than a minute"),
];

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plot {
    pub title: &'static str,
    pub points: Vec<Point>,
}

/// Points lost in a hundred moves, mine with their standard error.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Point {
    pub name: String,
    pub mine: f64,
    pub theirs: f64,
    pub error: f64,
}

/// The losses of each side: their number, sum and sum of squares.
type Sums = [[f64; 3]; 2];

/// Those that have more than one point.
pub fn plots(games: &[JudgedGame]) -> Vec<Plot> {
    let month = |game: &JudgedGame, _: &JudgedMove| Some((0, game.month.clone()?));
    let left = |_: &JudgedGame, mv: &JudgedMove| class(mv.left?, &LEFT);
    let spent = |_: &JudgedGame, mv: &JudgedMove| class(mv.spent?, &SPENT);
    let all = [
        Plot { title: "Points lost in a hundred moves, by month", points: points(games, month) },
        Plot { title: "Points lost in a hundred moves, by time left", points: points(games, left) },
        Plot {
            title: "Points lost in a hundred moves, by time spent",
            points: points(games, spent),
        },
    ];
    all.into_iter().filter(|plot| plot.points.len() > 1).collect()
}

/// The place of a number among named classes, and their name.
fn class(value: f64, classes: &[(f64, &str)]) -> Option<(usize, String)> {
    let at = classes.iter().position(|(limit, _)| value < *limit)?;
    Some((at, classes[at].1.to_string()))
}

/// The points in the order of places, then of names.
fn points(
    games: &[JudgedGame],
    place: impl Fn(&JudgedGame, &JudgedMove) -> Option<(usize, String)>,
) -> Vec<Point> {
    let mut sums: BTreeMap<(usize, String), Sums> = BTreeMap::new();
    for game in games {
        for mv in &game.moves {
            let Some(place) = place(game, mv) else { continue };
            let side = &mut sums.entry(place).or_default()[usize::from(!mv.is_mine)];
            for (sum, value) in side.iter_mut().zip([1.0, mv.loss, mv.loss * mv.loss]) {
                *sum += value;
            }
        }
    }
    let is_enough = |(_, sums): &(_, Sums)| sums.iter().all(|[count, ..]| *count >= LEAST_MOVES);
    let point = |((_, name), sums): ((usize, String), Sums)| {
        let [mine, theirs] = sums.map(|[count, lost, _]| lost / count);
        let [count, _, squares] = sums[0];
        let error = ((squares / count - mine * mine).max(0.0) / count).sqrt();
        Point { name, mine: 100.0 * mine, theirs: 100.0 * theirs, error: 100.0 * error }
    };
    sums.into_iter().filter(is_enough).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coach::judged::{NATURES, Swing};

    fn game(month: &str, left: f64, lost: f64) -> JudgedGame {
        let mv = |is_mine| JudgedMove {
            is_mine,
            ply: 0,
            loss: if is_mine { lost } else { 0.01 },
            nature: [0; NATURES],
            groups: Vec::new(),
            ways: Vec::new(),
            thought: None,
            left: Some(left),
            spent: None,
        };
        JudgedGame {
            id: 0,
            moves: [true, false].repeat(40).into_iter().map(mv).collect(),
            swings: [Swing::default(); 2],
            month: Some(month.to_string()),
            ratings: [None; 2],
            opening: Vec::new(),
        }
    }

    #[test]
    fn points_are_in_order_and_only_where_there_is_enough() {
        let games = [game("2026.02", 0.9, 0.02), game("2026.01", 0.05, 0.08)];
        let plots = plots(&games);
        let names: Vec<Vec<&str>> =
            plots.iter().map(|it| it.points.iter().map(|it| &*it.name).collect()).collect();
        assert_eq!(names, [["2026.01", "2026.02"], ["under a tenth", "more than half"]]);
        let [first, second] = &plots[1].points[..] else { panic!("two points") };
        assert!((first.mine - 8.0).abs() < 1e-9 && (second.mine - 2.0).abs() < 1e-9);
        assert!((first.theirs - 1.0).abs() < 1e-9 && first.error < 1e-6);
    }
}
