//! Who searches: how many players at once, and how strong.

use std::thread::available_parallelism;

use clap::{Args, value_parser};
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
}

impl Crew {
    pub fn players(&self) -> Result<Vec<Player>, TableError> {
        let cores = available_parallelism().map_or(1, usize::from);
        let threads = self.threads.map_or(cores, |threads| threads as usize);
        (0..threads).map(|_| Player::new(self.hash as usize, self.nodes)).collect()
    }
}
