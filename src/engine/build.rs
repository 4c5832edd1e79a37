//! The build script: generates the Zobrist keys, detects the board's vector instructions, and checks the
//! network and writes its sizes.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256StarStar;

#[path = "eval/file.rs"]
mod file;

/// Pieces on squares, castling rooks by color and file, en-passant files, the side to move.
const KEYS: usize = 12 * 64 + 2 * 8 + 8 + 1;

/// The year of Zobrist's paper.
const SEED: u64 = 1970;

/// The target features that `board/instructions/avx512.rs` needs.
const AVX512: [&str; 4] = ["avx512f", "avx512bw", "avx512vbmi2", "avx512bitalg"];

fn main() {
    println!("cargo::rerun-if-changed={}", source().join("build.rs").display());
    name_version();
    generate_keys();
    choose_instructions();
    check_network();
}

/// The folder of the engine's source, for both packages that compile it.
fn source() -> PathBuf {
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let mut sources = folders.map(|folder| folder.join("engine"));
    sources.find(|source| source.join("build.rs").is_file()).expect("the engine's source")
}

/// Builds other than releases have their commit in the version, if they are made in the repository.
fn name_version() {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_string())
    };
    let mut version = env!("CARGO_PKG_VERSION").to_string();
    // A package that is unpacked inside some other repository must not take that one's commit.
    if source().join("../../.git").exists()
        && let Some(commit) = git(&["rev-parse", "--short=8", "HEAD"])
    {
        let files = git(&["rev-parse", "--git-path", "HEAD", "--git-path", "logs/HEAD"]);
        for file in
            files.iter().flat_map(|files| files.lines()).filter(|file| Path::new(file).exists())
        {
            println!("cargo::rerun-if-changed={file}");
        }
        let tags = git(&["tag", "--points-at", "HEAD"]).unwrap_or_default();
        if !tags.lines().any(|tag| tag == format!("v{version}")) {
            version += &format!(" ({commit})");
        }
    }
    println!("cargo::rustc-env=ZEBU_VERSION={version}");
}

/// The engine is compiled for the sizes of its network, and reads the network's rows directly from the
/// program. `ZEBU_NET` names another network.
fn check_network() {
    println!("cargo::rerun-if-env-changed=ZEBU_NET");
    let own = source().join("eval/zebu.net");
    let path = env::var("ZEBU_NET").map_or(own, |path| source().join("../..").join(path));
    let path = path.display().to_string();
    println!("cargo::rerun-if-changed={path}");
    println!("cargo::rustc-env=ZEBU_NET_FILE={path}");
    println!("cargo::rerun-if-changed={}", source().join("eval/file.rs").display());
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let net = file::NetFile::parse(&bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert!(net.to_bytes() == bytes, "{path}: it differs from what this build would write");
    let to_bytes = match env::var("CARGO_CFG_TARGET_ENDIAN").as_deref() {
        Ok("big") => i16::to_be_bytes,
        _ => i16::to_le_bytes,
    };
    let rows = [&net.feature_weights, &net.feature_biases, &net.interleaved_output_weights()];
    let rows: Vec<u8> = rows.into_iter().flatten().flat_map(|&number| to_bytes(number)).collect();
    generate("net_rows", rows);
    let file::NetFile { hidden, output_buckets, sums, king_buckets, output_biases, layers, .. } =
        net;
    generate(
        "net_shape.rs",
        format!(
            "pub const HIDDEN: usize = {hidden};\n\
             pub const OUTPUT_BUCKETS: usize = {output_buckets};\n\
             pub const KING_BUCKETS: KingBuckets = {king_buckets:?};\n\
             pub const SUMS: usize = 1 + {sums};\n\
             pub const OUTPUT_BIASES: [i32; OUTPUT_BUCKETS * SUMS] = {output_biases:?};\n\
             pub const LAYERS: [f32; {}] = {layers:?};\n",
            layers.len()
        ),
    );
}

fn choose_instructions() {
    println!("cargo::rustc-check-cfg=cfg(avx512)");
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let enabled: HashSet<&str> = features.split(',').collect();
    if AVX512.iter().all(|feature| enabled.contains(feature)) {
        println!("cargo::rustc-cfg=avx512");
    }
}

fn generate_keys() {
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
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&folder).join(name), content).expect("OUT_DIR is writable");
}
