//! What is settled when Zebu is built: the Zobrist keys, which are plain constants when it runs,
//! which bodies of the board it has, and the network and its sizes.

use std::collections::HashSet;
use std::path::Path;
use std::{env, fs};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256StarStar;

#[path = "eval/file.rs"]
mod file;

/// Pieces on squares, castling rooks by color and file, en-passant files, the side to move.
const KEYS: usize = 12 * 64 + 2 * 8 + 8 + 1;

/// The year in which Albert Zobrist described the method.
const SEED: u64 = 1970;

/// What the vector bodies of the board need of the processor. The second one builds on the first.
const BACKENDS: [(&str, &[&str]); 2] = [
    ("avx2_backend", &["avx2"]),
    (
        "avx512_backend",
        &[
            "avx2",
            "avx512f",
            "avx512bw",
            "avx512vl",
            "avx512vbmi",
            "avx512vbmi2",
            "avx512bitalg",
            "gfni",
            "bmi2",
        ],
    ),
];

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    draw_keys();
    choose_bodies();
    check_network();
}

/// The network tells its sizes; the engine is built for them. `ZEBU_NET` may name another one.
fn check_network() {
    println!("cargo::rerun-if-env-changed=ZEBU_NET");
    let place = env::var("ZEBU_NET").unwrap_or_else(|_| "src/eval/zebu.net".to_string());
    println!("cargo::rerun-if-changed={place}");
    println!("cargo::rerun-if-changed=src/eval/file.rs");
    let bytes = fs::read(&place).unwrap_or_else(|error| panic!("{place}: {error}"));
    let net = file::NetFile::parse(&bytes).unwrap_or_else(|error| panic!("{place}: {error}"));
    assert!(net.to_bytes() == bytes, "{place}: it is not as this build would write it");
    generate("zebu.net", &bytes);
    let file::NetFile { hidden, buckets, .. } = net;
    generate(
        "net_shape.rs",
        format!("pub const HIDDEN: usize = {hidden};\npub const BUCKETS: usize = {buckets};\n"),
    );
}

fn choose_bodies() {
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let assumed: HashSet<&str> = features.split(',').collect();
    for (body, needs) in BACKENDS {
        println!("cargo::rustc-check-cfg=cfg({body})");
        if needs.iter().all(|feature| assumed.contains(feature)) {
            println!("cargo::rustc-cfg={body}");
        }
    }
}

fn draw_keys() {
    let mut random = Xoshiro256StarStar::seed_from_u64(SEED);
    let mut seen = HashSet::from([0]);
    let keys: Vec<u64> = std::iter::repeat_with(|| random.random())
        .filter(|&key| seen.insert(key))
        .take(KEYS)
        .collect();

    generate("zobrist_keys.rs", format!("{keys:#x?}"));
}

/// Writes a file that the source includes.
fn generate(name: &str, content: impl AsRef<[u8]>) {
    let folder = env::var_os("OUT_DIR").expect("cargo names the folder for what it generates");
    fs::write(Path::new(&folder).join(name), content)
        .expect("the folder for what cargo generates can be written");
}
