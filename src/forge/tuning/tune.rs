//! `forge tune`: tunes numbers of the search by SPSA, from games of the engine against itself.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use crate::progress::Progress;
use clap::{Args, value_parser};
use engine::eval::Evaluator;
use engine::search::{TUNABLES, Tunable, Tunables, per_second};
use plotters::style::{BLUE, RGBColor};

use super::pair::{Openings, PairPlayer, Side};
use super::parameters::Config;
use super::spsa::{Parameter, Perturbation, Progressed, R_END, Run};
use super::state_file::{self, Origin};
use crate::charts::{self, Chart, ChartError, Points, Series};
use crate::common::{Stopped, replace, stop_flag, threads};

/// Columns of small charts, one per parameter.
const COLUMNS: usize = 4;
const PANEL: (u32, u32) = (300, 190);
const GRAY: RGBColor = RGBColor(150, 150, 150);

#[derive(Args)]
pub struct TuneArguments {
    /// The TOML file that says what to tune and how; state, path and result get its name with other
    /// endings
    #[arg(required_unless_present_any = ["list", "openbench"])]
    config: Option<PathBuf>,
    /// Threads, each with its own games; by default one for each core
    #[arg(long, value_parser = value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Print the table of tunables
    #[arg(long)]
    list: bool,
    /// Print the tunables as OpenBench takes them
    #[arg(long)]
    openbench: bool,
}

pub fn run(arguments: &TuneArguments) -> Result<(), Box<dyn Error>> {
    if arguments.list {
        say!("{}", table().trim_end());
    } else if arguments.openbench {
        say!("{}", openbench().trim_end());
    } else if let Some(path) = &arguments.config {
        tune(path, threads(arguments.threads))?;
    }
    Ok(())
}

fn tune(path: &Path, threads: usize) -> Result<(), Box<dyn Error>> {
    let stop = stop_flag()?;
    let config = Config::load(path)?;
    let (spsa, openings) = (config.spsa(), Openings::new(config.book.as_deref(), config.seed)?);
    let side = |set: &[i32]| {
        let tunables = Tunables::new(config.values(set.iter().copied()));
        Side { tunables, limit: config.limit, evaluator: Evaluator::default() }
    };
    let nodes = AtomicU64::new(0);
    let judge = |player: &mut PairPlayer, iteration: u64, sets: &Perturbation| {
        let opening = openings.opening(iteration, player.search());
        let result = player.play(&[side(&sets.plus), side(&sets.minus)], opening, stop)?;
        nodes.fetch_add(std::mem::take(&mut player.nodes), Relaxed);
        Some(result.into_iter().map(|half_points| i32::from(half_points) - 1).sum())
    };
    let mut players = Vec::new();
    for _ in 0..threads {
        players.push(PairPlayer::new(config.hash, config.win)?);
    }
    let file = |ending: &str| path.with_extension(ending);
    let origin = Origin::new(config.origin())?;
    let is_sound = |progressed: &Progressed| progressed.is_sound(&spsa.parameters);
    let saved = state_file::load(&file("state"), &origin, is_sound)?;
    let run = Run::new(&spsa, config.batch, saved, stop);

    let begun = run.begun();
    let mut progress = Progress::new(Some(2 * spsa.iterations), 2 * begun);
    let begin = Instant::now();
    let end = run.on_threads(players, judge, |progressed| {
        state_file::save(&file("state"), &origin, progressed)?;
        let names = spsa.parameters.iter().map(|parameter| parameter.name).collect::<Vec<_>>();
        replace(&file("csv"), progressed.csv(&names).as_bytes())?;
        replace(&file("svg"), svg(&spsa.parameters, &progressed.path)?.as_bytes())?;
        let done = 2 * run.iterations_of(progressed.batches);
        progress.update(done, || {
            let minutes = begin.elapsed().as_secs_f64() / 60.0;
            let rate = (done - 2 * begun) as f64 / minutes;
            format!("{done} games, {rate:.0} games/min, {}", spsa.changes(&progressed.values))
        });
        Ok(())
    })?;
    let speed = per_second(nodes.into_inner(), begin.elapsed());
    let done = run.iterations_of(end.batches);
    let rate = 2.0 * (done - begun) as f64 / (begin.elapsed().as_secs_f64() / 60.0);
    progress.eprintln(&format!("{} games, {rate:.1} games/min, {speed} nodes/s", 2 * done));
    if stop.load(Relaxed) {
        return Err(Stopped.into());
    }
    let (tuned, table) = config.result(&end.values);
    replace(&file("tuned.toml"), tuned.as_bytes())?;
    progress.println(table.trim_end());
    Ok(())
}

/// All tunables in columns.
fn table() -> String {
    let width = TUNABLES.iter().map(|tunable| tunable.name.len()).max().unwrap_or(0);
    let heads = ["default", "min", "max", "step"].map(|head| format!("{head:>8}")).concat();
    let rows = TUNABLES.iter().map(|&Tunable { name, default, min, max, step, meaning }| {
        format!("{name:width$}{default:>8}{min:>8}{max:>8}{step:>8}  {meaning}\n")
    });
    format!("{:width$}{heads}  meaning\n{}", "name", rows.collect::<String>())
}

/// OpenBench's format: name, type, default, range, final step and final rate.
fn openbench() -> String {
    let rows = TUNABLES.iter().map(|Tunable { name, default, min, max, step, .. }| {
        format!("{name}, int, {default}, {min}, {max}, {step}, {}\n", R_END)
    });
    rows.collect()
}

/// The path of the values during tuning: a small chart for each parameter.
fn svg(parameters: &[Parameter], path: &[(u64, Vec<f64>)]) -> Result<String, ChartError> {
    let last = path.last().map_or(0, |&(games, _)| games).max(1) as f64 / 1000.0;
    let chart = |(place, parameter): (usize, &Parameter)| {
        let &Parameter { start, step, name, .. } = parameter;
        let thousands = |games: u64| games as f64 / 1000.0;
        let points: Points =
            path.iter().map(|(games, values)| (thousands(*games), values[place])).collect();
        // The axis covers at least one step to either side, so that noise does not look like a trend.
        let low = points.iter().map(|point| point.1).fold(start - step, f64::min);
        let high = points.iter().map(|point| point.1).fold(start + step, f64::max);
        Chart {
            name: format!("{name}, by thousand games"),
            x: 0.0..last,
            y: low..high,
            series: vec![
                Series::Line(GRAY, vec![(0.0, start), (last, start)]),
                Series::Line(BLUE, points),
            ],
        }
    };
    let charts: Vec<Chart> = parameters.iter().enumerate().map(chart).collect();
    charts::svg(&charts, COLUMNS, PANEL)
}
