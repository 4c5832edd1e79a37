//! The players of self-play: threads, strength and evaluation.

use std::error::Error;
use std::path::PathBuf;

use clap::{Args, value_parser};
use zebu::eval::Evaluator;
use zebu::search::SingleThread;

use super::player::Player;
use crate::arguments::{network, threads};

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

impl Players {
    pub fn start(&self) -> Result<Vec<Player>, Box<dyn Error>> {
        let evaluator = match &self.net {
            _ if self.teacher => Evaluator::Teacher,
            net => Evaluator::Network(network(net.as_deref())?),
        };
        let player = |_| {
            let search = SingleThread::new(self.hash as usize)?;
            Ok(Player::new(search, evaluator.clone(), self.scale_eval, self.nodes))
        };
        (0..threads(self.threads)).map(player).collect()
    }
}
