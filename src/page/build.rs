//! The build script of the page.

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=src/page/build.rs");
    take_page();
}

/// `ZEBU_PAGE` names the page with the engine in it, made by scripts/web.sh, that `zebu analyse --live` fills
/// in.
fn take_page() {
    println!("cargo::rerun-if-env-changed=ZEBU_PAGE");
    let read = |path: String| {
        println!("cargo::rerun-if-changed={path}");
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    let page = env::var("ZEBU_PAGE").map(read).unwrap_or_default();
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&folder).join("live_page"), page).expect("OUT_DIR is writable");
}
