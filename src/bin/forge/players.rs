//! The players of self-play: threads, strength and evaluation.

use std::path::PathBuf;
use std::thread::available_parallelism;

use clap::{Args, value_parser};
use zebu::eval::{Evaluator, Network, NetworkError};
use zebu::search::{EngineError, SingleThread};

use crate::player::Player;

#[derive(Args)]
pub struct Players {
    /// Soft node limit of a search: no new iteration is begun after it
    #[arg(long, default_value_t = 350, value_parser = value_parser!(u64).range(1..1 << 40))]
    nodes: u64,
    /// Threads, each with its own game; by default one for each core
    #[arg(long, value_parser = value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Table size of each thread in MB
    #[arg(long, default_value_t = 4, value_parser = value_parser!(u32).range(1..))]
    hash: u32,
    /// Scale evaluations as in play: for games whose scores forge fit reads, not for training
    #[arg(long)]
    scale_eval: bool,
    /// The network to use instead of the embedded one
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Use the piece-square teacher instead of a network
    #[arg(long, conflicts_with = "net")]
    teacher: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum PlayersError {
    #[error("{}: {error}", .path.display())]
    Net { path: PathBuf, error: NetworkError },
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl Players {
    pub fn start(&self) -> Result<Vec<Player>, PlayersError> {
        let cores = available_parallelism().map_or(1, usize::from);
        let threads = self.threads.map_or(cores, |threads| threads as usize);
        let evaluator = self.evaluator()?;
        (0..threads)
            .map(|_| {
                let search = SingleThread::new(self.hash as usize)?;
                Ok(Player::new(search, evaluator.clone(), self.scale_eval, self.nodes))
            })
            .collect()
    }

    fn evaluator(&self) -> Result<Evaluator, PlayersError> {
        match &self.net {
            _ if self.teacher => Ok(Evaluator::Teacher),
            None => Ok(Evaluator::default()),
            Some(path) => Network::load(Some(path))
                .map(Evaluator::Network)
                .map_err(|error| PlayersError::Net { path: path.clone(), error }),
        }
    }
}
