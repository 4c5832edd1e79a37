//! Third-party code: compatible licences, and one version of each crate.

use std::env;
use std::process::Command;

use super::skip::skip;

/// Licences compatible with GPL-3.0-or-later.
const LICENCES: [&str; 9] = [
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "GPL-3.0-or-later",
    "LGPL-3.0-or-later",
    "MIT",
    "Unicode-3.0",
    "Zlib",
];

/// Crates with two versions, and the user of the older one, which only runs at build time.
const TWICE: [(&str, &str); 1] = [("syn", "tracing-attributes, which shakmaty-syzygy has")];

/// The lines of `cargo tree` about everything that is linked or runs at build time. Without a network it does
/// not know crates that only the forge needs.
fn tree(arguments: &[&str]) -> Option<Vec<String>> {
    let output = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["tree", "--locked", "--workspace", "--edges", "normal,build", "--prefix", "none"])
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let complaint = String::from_utf8_lossy(&output.stderr);
    if complaint.contains("failed to download") {
        skip("network", complaint);
        return None;
    }
    assert!(output.status.success(), "{complaint}");
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    Some(lines.lines().filter(|line| !line.is_empty()).map(str::to_string).collect())
}

/// Whether a licence expression offers a compatible choice.
fn is_allowed(expression: &str) -> bool {
    let expression = expression.replace(['(', ')'], "").replace('/', " OR ");
    let agrees = |choice: &str| LICENCES.contains(&choice.trim());
    expression.split(" AND ").all(|part| part.split(" OR ").any(agrees))
}

#[test]
fn licences_agree_with_ours() {
    let Some(packages) = tree(&["--format", "{p}: {l}", "--no-dedupe"]) else { return };
    assert!(packages.len() > 30);
    for package in packages {
        let (_, licence) = package.split_once(": ").expect("a package and its licence");
        assert!(is_allowed(licence), "{package}");
    }
}

#[test]
fn every_crate_comes_once() {
    let Some(twice) = tree(&["--duplicates", "--depth", "0"]) else { return };
    let mut names: Vec<&str> =
        twice.iter().filter_map(|package| package.split(' ').next()).collect();
    names.dedup();
    assert_eq!(names, TWICE.map(|(name, _)| name), "{twice:?}");
}

/// A comment above each dependency gives its reason.
#[test]
fn every_dependency_has_its_reason() {
    const MANIFESTS: [&str; 4] = [
        include_str!("../../Cargo.toml"),
        include_str!("../../src/engine/Cargo.toml"),
        include_str!("../../src/forge/Cargo.toml"),
        include_str!("../../src/forge/engine/Cargo.toml"),
    ];
    let mut listed = false;
    let mut before = "";
    for line in MANIFESTS.iter().flat_map(|manifest| manifest.lines()) {
        if line.starts_with('[') {
            listed = line.ends_with("dependencies]") && line != "[workspace.dependencies]";
        } else if listed && !line.starts_with('#') && !line.is_empty() {
            assert!(before.starts_with("# "), "{line}");
        }
        before = line;
    }
}

/// The forge's engine differs by a feature alone.
#[test]
fn both_engines_have_the_same_dependencies() {
    let listed = |manifest: &'static str| {
        let (_, rest) = manifest.split_once("\n[dependencies]\n").expect("dependencies");
        rest.split("\n[dev-dependencies]").next().and_then(|rest| rest.split("\n[lints]").next())
    };
    let engines = [
        include_str!("../../src/engine/Cargo.toml"),
        include_str!("../../src/forge/engine/Cargo.toml"),
    ];
    let [one, other] = engines.map(listed);
    assert_eq!(one.map(str::trim_end), other.map(str::trim_end));
}
