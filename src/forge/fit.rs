//! `forge fit`: fits the parameters of the [`engine::search::WdlModel`] to games.

use std::error::Error;
use std::path::PathBuf;

use clap::Args;
use engine::search::WdlModel;

use crate::games::{GameReader, GamesError};

/// Larger scores are left out. The others are counted in bins.
const MAX_SCORE: i32 = 1500;
const BIN_WIDTH: i32 = 10;
const BINS: usize = (2 * MAX_SCORE / BIN_WIDTH) as usize;

/// The number of values of material, in pawns.
const MATERIALS: usize = 79;

/// The first and the last step by which a parameter is changed.
const FIRST_STEP: f64 = 64.0;
const LAST_STEP: f64 = 0.1;

/// The minimum gain of a change. If all games are won, tiny gains never end.
const LEAST_GAIN: f64 = 1e-3;

#[derive(Args)]
pub struct FitArguments {
    /// The files of games
    #[arg(required = true)]
    games: Vec<PathBuf>,
}

/// Positions of similar score and material, by the result for the side to move.
#[derive(Clone, Copy, Default)]
struct ResultBin {
    outcomes: [f64; 3],
}

pub fn run(arguments: &FitArguments) -> Result<(), Box<dyn Error>> {
    let (bins, positions) = counted(&arguments.games)?;
    if positions == 0 {
        return Err("there are no positions in these games".into());
    }
    let before = loss(&bins, &WdlModel::FITTED) / positions as f64;
    let fitted = fit(&bins);
    let after = loss(&bins, &fitted) / positions as f64;
    say!("{positions} positions, log loss {before:.4} today, {after:.4} with this model:");
    say!("middle: {:.1?}\nwidth: {:.1?}", fitted.middle, fitted.width);
    for material in [10, 24, 40, 58, 78] {
        say!("{material:>2} pawns: half is won at {:.0}", fitted.middle(material));
    }
    Ok(())
}

/// Counts the positions of files by material and score. Also returns their number.
fn counted(files: &[PathBuf]) -> Result<(Vec<[ResultBin; BINS]>, u64), GamesError> {
    let mut bins = vec![[ResultBin::default(); BINS]; MATERIALS];
    let mut positions = 0_u64;
    for file in files {
        for game in GameReader::open(file)? {
            let game = game?;
            for (position, ply) in game.positions() {
                if i32::from(ply.score).abs() >= MAX_SCORE {
                    continue;
                }
                let place = (i32::from(ply.score) + MAX_SCORE) / BIN_WIDTH;
                let bin = &mut bins[WdlModel::material(&position) as usize][place as usize];
                bin.outcomes[game.outcome.half_points(position.side()) as usize] += 1.0;
                positions += 1;
            }
        }
    }
    Ok((bins, positions))
}

/// The log loss of the results, summed over all positions.
fn loss(bins: &[[ResultBin; BINS]], model: &WdlModel) -> f64 {
    const IMPOSSIBLE: f64 = 1e-9;
    let mut sum = 0.0;
    for (material, bins) in (0..).zip(bins) {
        for (place, bin) in (0..).zip(bins).filter(|(_, bin)| bin.outcomes != [0.0; 3]) {
            let score = f64::from(BIN_WIDTH * place - MAX_SCORE) + 0.5 * f64::from(BIN_WIDTH);
            let (win, loss) = (model.win(score, material), model.win(-score, material));
            let draw = 1.0 - win - loss;
            for (count, chance) in bin.outcomes.into_iter().zip([loss, draw, win]) {
                sum -= count * chance.max(IMPOSSIBLE).ln();
            }
        }
    }
    sum
}

/// Coordinate descent with shrinking steps.
fn fit(bins: &[[ResultBin; BINS]]) -> WdlModel {
    let mut parameters = [[200.0, 0.0, 0.0], [100.0, 0.0, 0.0]];
    let model =
        |parameters: &[[f64; 3]; 2]| WdlModel { middle: parameters[0], width: parameters[1] };
    let mut best = loss(bins, &model(&parameters));
    let mut step = FIRST_STEP;
    while step >= LAST_STEP {
        let before = best;
        for place in 0..6 {
            for change in [step, -step] {
                loop {
                    let mut tried = parameters;
                    tried[place / 3][place % 3] += change;
                    let found = loss(bins, &model(&tried));
                    if found >= best - LEAST_GAIN {
                        break;
                    }
                    (parameters, best) = (tried, found);
                }
            }
        }
        if best > before - 1.0 {
            step /= 2.0;
        }
    }
    model(&parameters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzzer::fuzz;
    use crate::games::samples::{TempFile, extremes};

    /// A few positions have a model too, even if all of them were won.
    #[test]
    fn fuzzed() {
        let file = TempFile::new("fuzzed-fit");
        fuzz("fit", extremes(), |game| {
            let Some(()) = file.write_fuzzed(game, &[]) else { return "damaged".to_string() };
            let (bins, positions) = counted(&[file.path().to_owned()]).expect("it can be read");
            let model = fit(&bins);
            assert!(model.middle.iter().chain(&model.width).all(|number| number.is_finite()));
            "position ".repeat(positions.min(9) as usize)
        });
    }

    #[test]
    fn a_known_model_is_recovered() {
        let truth = WdlModel { middle: [150.0, 120.0, -30.0], width: [40.0, 30.0, 20.0] };
        let bin = |material: usize, place: usize| {
            let score =
                f64::from(BIN_WIDTH * place as i32 - MAX_SCORE) + 0.5 * f64::from(BIN_WIDTH);
            let chance = |score| 1000.0 * truth.win(score, material as i32);
            let (win, loss) = (chance(score), chance(-score));
            ResultBin { outcomes: [loss, 1000.0 - win - loss, win] }
        };
        let bins: Vec<[ResultBin; BINS]> = (0..MATERIALS)
            .map(|material| std::array::from_fn(|place| bin(material, place)))
            .collect();
        let found = fit(&bins);
        for material in [10, 40, 78] {
            let difference = found.middle(material) - truth.middle(material);
            assert!(difference.abs() < 2.0, "{found:?}");
        }
    }
}
