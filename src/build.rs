//! What is settled when Zebu is built: the Zobrist keys, which are plain constants when it runs, and
//! which body of the board it has.

use std::collections::HashSet;
use std::path::Path;
use std::{env, fs};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256StarStar;

/// Pieces on squares, castling rooks by color and file, en-passant files, the side to move.
const KEYS: usize = 12 * 64 + 2 * 8 + 8 + 1;

/// The year in which Albert Zobrist described the method.
const SEED: u64 = 1970;

/// What the AVX-512 body needs of the processor.
const VECTOR_FEATURES: [&str; 7] =
    ["avx512f", "avx512bw", "avx512vbmi", "avx512vbmi2", "avx512bitalg", "gfni", "bmi2"];

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    draw_keys();
    choose_body();
}

fn choose_body() {
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    println!("cargo::rustc-check-cfg=cfg(vector_body)");
    if VECTOR_FEATURES.iter().all(|wanted| features.split(',').any(|feature| feature == *wanted)) {
        println!("cargo::rustc-cfg=vector_body");
    }
}

fn draw_keys() {
    let mut random = Xoshiro256StarStar::seed_from_u64(SEED);
    let mut seen = HashSet::from([0]);
    let keys: Vec<u64> = std::iter::repeat_with(|| random.random())
        .filter(|&key| seen.insert(key))
        .take(KEYS)
        .collect();

    let folder = env::var_os("OUT_DIR").expect("cargo names the folder for what it generates");
    fs::write(Path::new(&folder).join("zobrist_keys.rs"), format!("{keys:#x?}"))
        .expect("the folder for what cargo generates can be written");
}
