//! What scores mean, found out from games: the numbers of [`WdlModel`].

use std::error::Error;
use std::path::PathBuf;

use clap::Args;
use zebu::search::WdlModel;

use crate::games::Reader;

/// Scores beyond this say nothing new. They are counted in bins.
const LARGEST: i32 = 1500;
const BIN: i32 = 10;
const BINS: usize = (2 * LARGEST / BIN) as usize;

/// Material, in pawns, from none to all.
const MATERIALS: usize = 79;

/// Changes of a number that are tried: from the first down to the last.
const FIRST_STEP: f64 = 64.0;
const LAST_STEP: f64 = 0.1;

#[derive(Args)]
pub struct Arguments {
    /// The files of games
    #[arg(required = true)]
    games: Vec<PathBuf>,
}

/// Positions of about the same score and material, by how they ended for the side to move.
#[derive(Clone, Copy, Default)]
struct Bin {
    outcomes: [f64; 3],
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let mut bins = vec![[Bin::default(); BINS]; MATERIALS];
    let mut positions = 0_u64;
    for file in &arguments.games {
        for game in Reader::open(file)? {
            let game = game?;
            for (position, ply) in game.positions() {
                if i32::from(ply.score).abs() >= LARGEST {
                    continue;
                }
                let place = (i32::from(ply.score) + LARGEST) / BIN;
                let bin = &mut bins[WdlModel::material(&position) as usize][place as usize];
                bin.outcomes[game.outcome.half_points(position.side()) as usize] += 1.0;
                positions += 1;
            }
        }
    }
    if positions == 0 {
        return Err("there are no positions in these games".into());
    }
    let before = loss(&bins, &WdlModel::FITTED) / positions as f64;
    let fitted = fit(&bins);
    let after = loss(&bins, &fitted) / positions as f64;
    println!("{positions} positions, log loss {before:.4} so far, {after:.4} with these numbers:");
    println!("middle: {:.1?}\nwidth: {:.1?}", fitted.middle, fitted.width);
    for material in [10, 24, 40, 58, 78] {
        println!("{material:>2} pawns: half is won at {:.0}", fitted.middle(material));
    }
    Ok(())
}

/// The negative logarithm of what the chances give to what happened, summed over all positions.
fn loss(bins: &[[Bin; BINS]], chances: &WdlModel) -> f64 {
    const IMPOSSIBLE: f64 = 1e-9;
    let mut sum = 0.0;
    for (material, bins) in (0..).zip(bins) {
        for (place, bin) in (0..).zip(bins).filter(|(_, bin)| bin.outcomes != [0.0; 3]) {
            let score = f64::from(BIN * place - LARGEST) + 0.5 * f64::from(BIN);
            let (win, loss) = (chances.win(score, material), chances.win(-score, material));
            let draw = 1.0 - win - loss;
            for (count, chance) in bin.outcomes.into_iter().zip([loss, draw, win]) {
                sum -= count * chance.max(IMPOSSIBLE).ln();
            }
        }
    }
    sum
}

/// Goes along each number in turn as long as the loss falls, in ever smaller steps.
fn fit(bins: &[[Bin; BINS]]) -> WdlModel {
    let mut numbers = [[200.0, 0.0, 0.0], [100.0, 0.0, 0.0]];
    let chances = |numbers: &[[f64; 3]; 2]| WdlModel { middle: numbers[0], width: numbers[1] };
    let mut best = loss(bins, &chances(&numbers));
    let mut step = FIRST_STEP;
    while step >= LAST_STEP {
        let before = best;
        for place in 0..6 {
            for change in [step, -step] {
                loop {
                    let mut tried = numbers;
                    tried[place / 3][place % 3] += change;
                    let found = loss(bins, &chances(&tried));
                    if found >= best {
                        break;
                    }
                    (numbers, best) = (tried, found);
                }
            }
        }
        if best > before - 1.0 {
            step /= 2.0;
        }
    }
    chances(&numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chances_that_made_the_results_are_found_again() {
        let truth = WdlModel { middle: [150.0, 120.0, -30.0], width: [40.0, 30.0, 20.0] };
        let bin = |material: usize, place: usize| {
            let score = f64::from(BIN * place as i32 - LARGEST) + 0.5 * f64::from(BIN);
            let chance = |score| 1000.0 * truth.win(score, material as i32);
            let (win, loss) = (chance(score), chance(-score));
            Bin { outcomes: [loss, 1000.0 - win - loss, win] }
        };
        let bins: Vec<[Bin; BINS]> = (0..MATERIALS)
            .map(|material| std::array::from_fn(|place| bin(material, place)))
            .collect();
        let found = fit(&bins);
        for material in [10, 40, 78] {
            let difference = found.middle(material) - truth.middle(material);
            assert!(difference.abs() < 2.0, "{found:?}");
        }
    }
}
