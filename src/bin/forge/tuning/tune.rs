//! `forge tune`: tunes numbers of the search by SPSA, from games of the engine against itself.

mod config;
mod objective;
mod path_chart;
mod run;
mod spsa;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use clap::{Args, value_parser};
use zebu::progress::Progress;
use zebu::search::{TUNABLES, Tunable, per_second};

use super::matches::win_score;
use super::openings::Openings;
use super::pair::PairPlayer;
use super::state_file::{self, Origin, fingerprint};
use crate::arguments::{Stopped, stop_flag, threads};
use crate::files::replace;
use config::Config;
use objective::{GamePlayer, Games};
use run::{Progressed, Run};

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
        print!("{}", table());
    } else if arguments.openbench {
        print!("{}", openbench());
    } else if let Some(path) = &arguments.config {
        tune(path, threads(arguments.threads))?;
    }
    Ok(())
}

fn tune(path: &Path, threads: usize) -> Result<(), Box<dyn Error>> {
    let stop = stop_flag()?;
    let config = Config::load(path)?;
    let spsa = config.spsa();
    let games = Games {
        base: config.base,
        tuned: config.tuned.iter().map(|tuned| tuned.index).collect(),
        limit: config.limit,
        openings: Openings::new(config.book.as_deref(), config.seed)?,
        stop,
    };
    let mut players = Vec::new();
    for _ in 0..threads {
        let player = PairPlayer::new(config.hash as usize, win_score(config.win))?;
        players.push(GamePlayer { games: &games, player });
    }
    let file = |ending: &str| path.with_extension(ending);
    let origin = Origin { build: fingerprint()?, settings: config.settings() };
    let saved = state_file::load(&file("state"), &origin, |lines| {
        Progressed::parse(lines, &spsa.parameters)
    })?;
    let run = Run::new(&spsa, config.batch, saved, stop);

    let begun = run.begun();
    let mut progress = Progress::new(Some(2 * spsa.iterations), 2 * begun);
    let begin = Instant::now();
    let mut nodes = 0;
    let end = run.on_threads(players, |progressed, player_nodes| {
        nodes += player_nodes;
        state_file::save(&file("state"), &origin, &progressed.to_lines())?;
        let names = spsa.parameters.iter().map(|parameter| parameter.name).collect::<Vec<_>>();
        replace(&file("csv"), progressed.csv(&names).as_bytes())?;
        replace(&file("svg"), path_chart::svg(&spsa.parameters, &progressed.path)?.as_bytes())?;
        let done = 2 * run.iterations_of(progressed.batches);
        progress.update(done, || {
            let minutes = begin.elapsed().as_secs_f64() / 60.0;
            let rate = (done - 2 * begun) as f64 / minutes;
            format!("{done} games, {rate:.0} games/min, {}", spsa.changes(&progressed.values))
        });
        Ok(())
    })?;
    let speed = per_second(nodes, begin.elapsed());
    let done = run.iterations_of(end.batches);
    let rate = 2.0 * (done - begun) as f64 / (begin.elapsed().as_secs_f64() / 60.0);
    progress.eprintln(&format!("{} games, {rate:.1} games/min, {speed} nodes/s", 2 * done));
    if stop.load(Relaxed) {
        return Err(Stopped.into());
    }
    replace(&file("tuned.toml"), config.tuned_file(&end.values).as_bytes())?;
    progress.println(config.tuned_table(&end.values).trim_end());
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

/// Name, type, default, range, the step at the end and the rate at the end.
fn openbench() -> String {
    let rows = TUNABLES.iter().map(|Tunable { name, default, min, max, step, .. }| {
        format!("{name}, int, {default}, {min}, {max}, {step}, {}\n", spsa::R_END)
    });
    rows.collect()
}
