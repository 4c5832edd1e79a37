//! Who searches: how many players at once, how strong, and by which judgement.

use std::path::PathBuf;
use std::thread::available_parallelism;

use clap::{Args, value_parser};
use zebu::eval::{Evaluator, Network, NetworkError};
use zebu::search::TableError;

use crate::contest::Player;

#[derive(Args)]
pub struct Crew {
    /// Nodes of a search, after which no new iteration is begun
    #[arg(long, default_value_t = 5000, value_parser = value_parser!(u64).range(1..1 << 40))]
    nodes: u64,
    /// Threads, each with a game of its own; without this, one for each core
    #[arg(long, value_parser = value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Table size of each thread in MB
    #[arg(long, default_value_t = 4, value_parser = value_parser!(u32).range(1..))]
    hash: u32,
    /// The network that judges, in place of the one that is built in
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// The simple evaluation judges, and no network
    #[arg(long, conflicts_with = "net")]
    teacher: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum CrewError {
    #[error("{}: {error}", .path.display())]
    Net { path: PathBuf, error: NetworkError },
    #[error(transparent)]
    Table(#[from] TableError),
}

impl Crew {
    pub fn players(&self) -> Result<Vec<Player>, CrewError> {
        let cores = available_parallelism().map_or(1, usize::from);
        let threads = self.threads.map_or(cores, |threads| threads as usize);
        let evaluator = self.evaluator()?;
        (0..threads)
            .map(|_| Ok(Player::new(evaluator.clone(), self.nodes, self.hash as usize)?))
            .collect()
    }

    fn evaluator(&self) -> Result<Evaluator, CrewError> {
        match &self.net {
            _ if self.teacher => Ok(Evaluator::Teacher),
            None => Ok(Evaluator::default()),
            Some(path) => Network::load(Some(path))
                .map(Evaluator::Network)
                .map_err(|error| CrewError::Net { path: path.clone(), error }),
        }
    }
}
