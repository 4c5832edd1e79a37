//! What explains the points that the person loses: all groups of moves at once. In these comments, "I" is the
//! person.
//!
//! A move of mine is expected to lose
//!
//! ```text
//! e · (1 + Σ common + Σ own),
//! ```
//!
//! where `e` is what such a position costs either side, by its nature; `common` is what the move's groups add to
//! it for either side, and `own` what they add for me alone. Ways to lose are groups that a move comes to with a
//! chance, so they are expected to take a share of `e`, and are compared by what was lost in that way. `common`
//! is held near zero by a prior, as strong as groups differ where nobody has a weakness. `own` is sparse and
//! never negative, but for a part that all my moves have, which is my level.
//!
//! Groups are chosen one after the other, each the one that explains most beside those that were; and whichever
//! explains too little without the guilt of the others goes again. So rook endings are not named as the endgame,
//! nor the endgame as rook endings. Errors are weighed as those of counts are, by the inverse of what is
//! expected. All is quadratic, so that a set of games is a matrix, and a resampled set a sum of matrices.

use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::judged::{Aspect, Group, HARD, JudgedGame, JudgedMove, NATURES, STAGE};

/// The resampled sets, and the blocks of games that they are drawn from.
const SETS: usize = 200;
const BLOCKS: usize = 160;
const SEED: u64 = 20_261_128;

/// A greater loss counts as this one, so that a single blunder is not a habit.
const MOST: f64 = 0.35;

/// A group explains enough from here on: the squared loss that it explains, in units of a loss's own spread.
const ENOUGH: f64 = 6.0;

/// The standard deviation of what a group adds for either side.
const COMMON: f64 = 0.2;

/// The least of a group: my moves and games.
const LEAST_MOVES: usize = 20;
const LEAST_GAMES: usize = 8;

/// The points of a prior that holds a class of positions near the others.
const PRIOR: f64 = 1.0;

/// A thought is short or long by its time in medians; a move is hard or easy by what it costs, in means.
const SHORT: f64 = 0.5;
const LONG: f64 = 2.0;

/// The most groups that are chosen.
const MOST_CHOSEN: usize = 3;

/// A group of moves that costs me points, and what is known of that.
#[derive(Clone, Debug)]
pub struct Cause {
    pub group: Group,
    /// Points a game, over all games, and their range in nine of ten resampled sets.
    pub cost: f64,
    pub range: [f64; 2],
    /// What it explains beside the others, in units of chance: a squared number of standard errors.
    pub evidence: f64,
    /// The share of the resampled sets in which it is chosen.
    pub share: f64,
}

/// The equations of all games, in blocks that are resampled.
pub struct Model {
    /// The groups with enough moves, the one of all moves first and left out here.
    groups: Vec<Group>,
    blocks: Vec<Sums>,
    spread: f64,
    games: usize,
}

/// The sums of some games. `own` and `other` are symmetric matrices: what is expected of moves that are in two
/// groups, mine and the opponents'. The losses are those beyond what is expected.
#[derive(Clone)]
struct Sums {
    own: Vec<f64>,
    other: Vec<f64>,
    own_lost: Vec<f64>,
    other_lost: Vec<f64>,
}

impl Sums {
    fn new(size: usize) -> Sums {
        let none = |count| vec![0.0; count];
        Sums {
            own: none(size * size),
            other: none(size * size),
            own_lost: none(size),
            other_lost: none(size),
        }
    }

    fn add(&mut self, other: &Sums, times: f64) {
        let add = |to: &mut [f64], from: &[f64]| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += times * from);
        };
        add(&mut self.own, &other.own);
        add(&mut self.other, &other.other);
        add(&mut self.own_lost, &other.own_lost);
        add(&mut self.other_lost, &other.other_lost);
    }
}

/// What positions cost either side, by their nature: a product of a factor for each class.
struct Costs {
    mean: f64,
    factors: [Vec<f64>; NATURES],
}

impl Costs {
    fn of(games: &[JudgedGame]) -> Costs {
        const CLASSES: usize = 16;
        const ROUNDS: usize = 6;
        let moves = || games.iter().flat_map(|game| &game.moves);
        let count = moves().count().max(1) as f64;
        let mean = moves().map(capped).sum::<f64>() / count;
        let mut costs = Costs { mean, factors: [const { Vec::new() }; NATURES] };
        costs.factors.iter_mut().for_each(|factors| *factors = vec![1.0; CLASSES]);
        // My level is a factor too, so that positions that are mine more often cost no more for that.
        let mut level = [1.0; 2];
        for _ in 0..ROUNDS {
            for kind in 0..=NATURES {
                let mut sums = [[PRIOR; 2]; CLASSES];
                for mv in moves() {
                    let side = usize::from(!mv.is_mine);
                    let class = mv.nature.get(kind).map_or(side, |&class| class.into());
                    sums[class][0] += capped(mv);
                    sums[class][1] += costs.expected(mv) * level[side];
                }
                let factors = costs.factors.get_mut(kind).map_or(&mut level[..], |it| &mut it[..]);
                for (factor, [lost, expected]) in factors.iter_mut().zip(sums) {
                    *factor *= lost / expected;
                }
            }
        }
        costs
    }

    fn expected(&self, mv: &JudgedMove) -> f64 {
        self.mean * self.product(mv, 0..NATURES)
    }

    fn product(&self, mv: &JudgedMove, kinds: std::ops::Range<usize>) -> f64 {
        kinds.map(|kind| self.factors[kind][usize::from(mv.nature[kind])]).product()
    }

    /// Thoughts that do not fit what they are about.
    fn thought(&self, mv: &JudgedMove) -> Option<Group> {
        let (thought, hard) = (mv.thought?, self.product(mv, HARD));
        match hard {
            1.0.. if thought < SHORT => {
                Some(Group::new(Aspect::Spent, "short thinks on hard moves"))
            }
            ..0.8 if thought > LONG => Some(Group::new(Aspect::Spent, "long thinks on easy moves")),
            _ => None,
        }
    }
}

fn capped(mv: &JudgedMove) -> f64 {
    mv.loss.min(MOST)
}

/// Adds to each move the groups that are known only beside all others.
pub fn complete(games: &[JudgedGame]) -> Vec<JudgedGame> {
    let costs = Costs::of(games);
    let mut games = games.to_vec();
    for mv in games.iter_mut().flat_map(|game| &mut game.moves) {
        mv.groups.extend(costs.thought(mv));
    }
    games
}

impl Model {
    /// The model of games whose moves have all their groups.
    pub fn of(games: &[JudgedGame]) -> Model {
        let costs = Costs::of(games);
        let groups = large(games);
        let place = |group: &Group| groups.binary_search(group).ok().map(|at| at + 1);
        let ways: Vec<usize> =
            groups.iter().filter(|it| it.is_way_to_lose()).filter_map(place).collect();
        let shares = shares(games, &groups);
        let size = groups.len() + 1;
        let mut blocks = vec![Sums::new(size); BLOCKS.min(games.len())];
        let (mut squares, mut expected) = (0.0, 0.0);
        for (number, game) in games.iter().enumerate() {
            let sums = &mut blocks[number % BLOCKS];
            for mv in &game.moves {
                let e = costs.expected(mv);
                let beyond = capped(mv) - e;
                squares += beyond * beyond;
                expected += e;
                let (matrix, lost) = match mv.is_mine {
                    true => (&mut sums.own, &mut sums.own_lost),
                    false => (&mut sums.other, &mut sums.other_lost),
                };
                let mut add = |one: usize, other: usize, value: f64| {
                    matrix[one * size + other] += value;
                    if one != other {
                        matrix[other * size + one] += value;
                    }
                };
                let mut situations = vec![0];
                situations.extend(mv.groups.iter().filter_map(place));
                for (i, &one) in situations.iter().enumerate() {
                    lost[one] += beyond;
                    situations[i..].iter().for_each(|&other| add(one, other, e));
                }
                for &way in &ways {
                    let share = e * shares[usize::from(mv.nature[STAGE])][way - 1];
                    situations.iter().for_each(|&one| add(one, way, share));
                    add(way, way, share);
                    lost[way] -= share;
                }
                for way in mv.ways.iter().filter_map(place) {
                    lost[way] += capped(mv) / mv.ways.len() as f64;
                }
            }
        }
        let spread = squares / f64::max(expected, 1e-9);
        Model { groups, blocks, spread: spread.max(1e-9), games: games.len() }
    }

    /// What costs me points, the greatest evidence first. The first ones are there however little it is.
    pub fn causes(&self) -> Vec<Cause> {
        let size = self.groups.len() + 1;
        let sum = |times: &[f64]| {
            let mut all = Sums::new(size);
            self.blocks.iter().zip(times).for_each(|(block, &times)| all.add(block, times));
            all
        };
        let whole = sum(&vec![1.0; self.blocks.len()]);
        let mut system = self.own(&whole);
        let mut chosen = system.choose(ENOUGH * self.spread);
        if chosen.is_empty() {
            chosen = system.choose(0.0);
            chosen.truncate(1);
        }
        let cost = |own: &System, sums: &Sums, chosen: &[usize]| -> Vec<f64> {
            let parts = own.solve(chosen);
            let cost = |(&at, part): (&usize, f64)| part * sums.own[at * size + at];
            chosen.iter().zip(parts).map(|it| cost(it) / self.games as f64).collect()
        };
        let costs = cost(&system, &whole, &chosen);
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(SEED);
        let mut resampled = vec![(0_usize, Vec::new()); chosen.len()];
        for _ in 0..SETS {
            let mut times = vec![0.0; self.blocks.len()];
            for _ in 0..times.len() {
                times[generator.random_range(0..self.blocks.len())] += 1.0;
            }
            let sums = sum(&times);
            let mut own = self.own(&sums);
            let costs = cost(&own, &sums, &chosen);
            let found = own.choose(ENOUGH * self.spread);
            for ((count, all), (at, cost)) in resampled.iter_mut().zip(chosen.iter().zip(costs)) {
                *count += usize::from(found.contains(at));
                all.push(cost);
            }
        }
        let mut causes: Vec<Cause> = Vec::new();
        for ((&at, cost), (count, mut all)) in chosen.iter().zip(costs).zip(resampled) {
            all.sort_by(f64::total_cmp);
            let others: Vec<usize> = chosen.iter().copied().filter(|&other| other != at).collect();
            causes.push(Cause {
                group: self.groups[at - 1].clone(),
                cost,
                range: [SETS / 20, SETS - 1 - SETS / 20].map(|at| all[at]),
                evidence: system.gain(at, &others) / self.spread,
                share: count as f64 / SETS as f64,
            });
        }
        causes.sort_by(|one, other| other.evidence.total_cmp(&one.evidence));
        causes
    }

    /// The equations of what is mine alone, once what is common is eliminated.
    fn own(&self, sums: &Sums) -> System {
        let size = self.groups.len() + 1;
        let mut all: Vec<f64> = sums.own.iter().zip(&sums.other).map(|(a, b)| a + b).collect();
        for at in 0..size {
            all[at * size + at] += self.spread / (COMMON * COMMON);
        }
        // Each row of `lower` is one of the Cholesky factor of `all`; `own` and `lost` are solved forward by it.
        let mut own = sums.own.clone();
        let mut lost: Vec<f64> =
            sums.own_lost.iter().zip(&sums.other_lost).map(|(a, b)| a + b).collect();
        for row in 0..size {
            for before in 0..row {
                let factor = all[row * size + before];
                for column in 0..size {
                    own[row * size + column] -= factor * own[before * size + column];
                }
                lost[row] -= factor * lost[before];
            }
            let pivot = all[row * size + row].max(1e-12).sqrt();
            own[row * size..][..size].iter_mut().for_each(|value| *value /= pivot);
            lost[row] /= pivot;
            all[row * size + row] = pivot;
            for below in row + 1..size {
                all[below * size + row] /= pivot;
            }
            for below in row + 1..size {
                let factor = all[below * size + row];
                for column in row + 1..=below {
                    all[below * size + column] -= factor * all[column * size + row];
                }
            }
        }
        let mut system = System { size, matrix: sums.own.clone(), lost: sums.own_lost.clone() };
        for row in 0..size {
            let solved = &own[row * size..][..size];
            for (i, &factor) in solved.iter().enumerate() {
                system.lost[i] -= factor * lost[row];
                for (j, &other) in solved.iter().enumerate() {
                    system.matrix[i * size + j] -= factor * other;
                }
            }
        }
        system
    }
}

/// Normal equations: `matrix` times what the groups add is `lost`.
struct System {
    size: usize,
    matrix: Vec<f64>,
    lost: Vec<f64>,
}

impl System {
    /// Chooses groups until no further one explains as much as is asked. The first equation is always in it.
    fn choose(&mut self, enough: f64) -> Vec<usize> {
        let mut chosen: Vec<usize> = Vec::new();
        // Each round adds one and may drop others, so that it might go on for ever.
        for _ in 0..2 * MOST_CHOSEN {
            let left = self.without(&chosen);
            let gains = (1..self.size).filter(|at| !chosen.contains(at));
            let gains = gains.map(|at| (at, self.gain_in(&left, at)));
            let Some((best, gain)) = gains.max_by(|one, other| one.1.total_cmp(&other.1)) else {
                break;
            };
            if gain <= enough || chosen.len() == MOST_CHOSEN {
                break;
            }
            chosen.push(best);
            let all = chosen.clone();
            let explains = |at: &usize| {
                let others: Vec<usize> = all.iter().copied().filter(|other| other != at).collect();
                self.gain(*at, &others) > enough
            };
            chosen.retain(explains);
        }
        chosen
    }

    /// What a group explains beside others.
    fn gain(&self, at: usize, others: &[usize]) -> f64 {
        self.gain_in(&self.without(others), at)
    }

    fn gain_in(&self, left: &System, at: usize) -> f64 {
        let (own, whole) = (left.matrix[at * self.size + at], self.matrix[at * self.size + at]);
        // What is left of a group that the others nearly are is noise.
        let is_own = own > 0.1 * whole && own > 1e-9;
        if is_own && left.lost[at] > 0.0 { left.lost[at].powi(2) / own } else { 0.0 }
    }

    /// The equations once those of some groups, and the first, are solved.
    fn without(&self, chosen: &[usize]) -> System {
        let mut left =
            System { size: self.size, matrix: self.matrix.clone(), lost: self.lost.clone() };
        for &pivot in [0].iter().chain(chosen) {
            let row = left.matrix[pivot * self.size..][..self.size].to_vec();
            let lost = left.lost[pivot];
            if row[pivot] < 1e-9 {
                continue;
            }
            for at in (0..self.size).filter(|&at| at != pivot) {
                let factor = left.matrix[at * self.size + pivot] / row[pivot];
                let values = left.matrix[at * self.size..][..self.size].iter_mut();
                values.zip(&row).for_each(|(value, other)| *value -= factor * other);
                left.lost[at] -= factor * lost;
            }
        }
        left
    }

    /// What these groups add, in their order.
    fn solve(&self, chosen: &[usize]) -> Vec<f64> {
        let part = |&at: &usize| {
            let others: Vec<usize> = chosen.iter().copied().filter(|&other| other != at).collect();
            let left = self.without(&others);
            let own = left.matrix[at * self.size + at];
            if own > 1e-9 { left.lost[at] / own } else { 0.0 }
        };
        chosen.iter().map(part).collect()
    }
}

/// The groups with enough moves of mine, in their order.
fn large(games: &[JudgedGame]) -> Vec<Group> {
    let mut counts: BTreeMap<&Group, (usize, usize, Option<usize>)> = BTreeMap::new();
    let mut all = 0;
    for (number, game) in games.iter().enumerate() {
        for mv in game.moves.iter().filter(|mv| mv.is_mine) {
            all += 1;
            for group in mv.groups.iter().chain(&mv.ways) {
                let (moves, in_games, last) = counts.entry(group).or_default();
                *moves += 1;
                *in_games += usize::from(*last != Some(number));
                *last = Some(number);
            }
        }
    }
    let is_large = |(group, (moves, games, _)): &(&Group, (usize, usize, Option<usize>))| {
        let least = if group.is_way_to_lose() { 6 } else { LEAST_MOVES };
        *moves >= least && *games >= LEAST_GAMES.min(least) && 20 * moves < 19 * all
    };
    counts.into_iter().filter(is_large).map(|(group, _)| group.clone()).collect()
}

/// By stage of the game, the share of all losses that each group takes which is a way to lose.
fn shares(games: &[JudgedGame], groups: &[Group]) -> Vec<Vec<f64>> {
    const STAGES: usize = 16;
    let sums = |stage: Option<usize>| {
        let (mut all, mut parts) = (0.0, vec![0.0; groups.len()]);
        let is_in = |mv: &&JudgedMove| stage.is_none_or(|it| it == usize::from(mv.nature[STAGE]));
        for mv in games.iter().flat_map(|game| &game.moves).filter(is_in) {
            all += capped(mv);
            for at in mv.ways.iter().filter_map(|way| groups.binary_search(way).ok()) {
                parts[at] += capped(mv) / mv.ways.len() as f64;
            }
        }
        (all, parts)
    };
    let (all, parts) = sums(None);
    let mean: Vec<f64> = parts.iter().map(|part| part / f64::max(all, 1e-9)).collect();
    let of_stage = |stage| {
        let (all, parts) = sums(Some(stage));
        let share = |(part, mean): (f64, &f64)| (part + PRIOR * mean) / (all + PRIOR);
        parts.into_iter().zip(&mean).map(share).collect()
    };
    (0..STAGES).map(of_stage).collect()
}
