//! All that decides which network comes out, besides the games.

use clap::{Args, value_parser};

use super::king_layout::KingLayout;
use super::weights::TILE;
use crate::arguments::{not_negative, positive, share};

#[derive(Args, Debug)]
pub struct Hyperparameters {
    /// Neurons of the hidden layer for each perspective, a multiple of 32
    #[arg(long, default_value_t = 256, value_parser = hidden)]
    pub hidden: usize,
    /// King buckets; with more than one of them a factoriser is trained, which they share
    #[arg(long, value_enum, default_value_t = KingLayout::One)]
    pub king_buckets: KingLayout,
    /// Output buckets, chosen by the number of pieces
    #[arg(long, default_value_t = 8, value_parser = value_parser!(u8).range(1..=32))]
    pub output_buckets: u8,
    /// Sums of each output beside the first, for its second layer; by default there is none
    #[arg(long, default_value_t = 0, value_parser = value_parser!(u8).range(0..=64))]
    pub sums: u8,
    /// How often each position is trained on
    #[arg(long, default_value_t = 14, value_parser = value_parser!(u32).range(1..))]
    pub epochs: u32,
    /// How many positions to train on in all, in place of epochs: 4e9
    #[arg(long, value_parser = samples, conflicts_with = "epochs")]
    pub samples: Option<f64>,
    /// Positions in a batch
    #[arg(long, default_value_t = 16_384, value_parser = value_parser!(u32).range(1..))]
    pub batch: u32,
    /// The first learning rate; it decays to a thousandth
    #[arg(long, default_value_t = 0.001, value_parser = positive)]
    pub lr: f64,
    /// The learning rate of the hidden layer, as a share of the others': less of it where only a second
    /// layer is new
    #[arg(long, default_value_t = 1.0, value_parser = share)]
    pub feature_share: f64,
    /// The same for the weights of threats
    #[arg(long, default_value_t = 1.0, value_parser = share)]
    pub threat_share: f64,
    #[arg(long, default_value_t = 0.01, value_parser = not_negative)]
    pub weight_decay: f64,
    /// The share of the game's result in the target; the rest is the score's
    #[arg(long, default_value_t = 0.1, value_parser = share)]
    pub wdl: f64,
    /// How much of a position's score comes from those of the moves after it, as in TD(lambda)
    #[arg(long, default_value_t = 0.5, value_parser = share)]
    pub lambda: f64,
    /// The share of positions that forge play searched as labels; only they are trained on. One for
    /// all files, or one for each: 0.25,1
    #[arg(long, default_value = "1", value_delimiter = ',', value_parser = share)]
    pub labels: Vec<f64>,
    /// The scale of the sigmoid from scores to points; by default it is fitted to each file, or with
    /// --from it is the unit of networks, 400
    #[arg(long, value_parser = positive)]
    pub scale: Option<f64>,
    /// The share of games, chosen by their openings, for validation
    #[arg(long, default_value_t = 0.02, value_parser = share)]
    pub validation: f64,
    /// Plies to leave out at the start of each game
    #[arg(long, default_value_t = 0)]
    pub skip: usize,
    /// The largest score, to either side, to train on
    #[arg(long, default_value_t = 2000, value_parser = value_parser!(i16).range(1..))]
    pub limit: i16,
    /// Positions in a chunk, drawn from all files, 32 bytes each; two chunks are in memory, one in
    /// training and one being read
    #[arg(long, default_value_t = 16_000_000, value_parser = value_parser!(u64).range(1..))]
    pub chunk: u64,
    /// The same seed gives the same network, with one thread
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

fn samples(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| (1.0..1e15).contains(number));
    number.map(f64::floor).ok_or_else(|| "a number of positions is needed, such as 4e9".to_string())
}

fn hidden(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|n: &usize| *n > 0 && n.is_multiple_of(TILE));
    number.ok_or_else(|| format!("the hidden layer is a multiple of {TILE} wide"))
}
