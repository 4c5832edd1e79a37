//! On an older processor, one line says what is missing and which build to take.

use std::process::Command;

use super::skip::skip;

const EMULATOR: &str = "qemu-x86_64";

/// Success and message on an emulated processor, if there is an emulator.
fn on(processor: &str) -> Option<(bool, String)> {
    let run = Command::new(EMULATOR)
        .args(["-cpu", processor, env!("CARGO_BIN_EXE_zebu"), "perft", "2"])
        .output()
        .ok()?;
    // The emulator prints warnings of its own.
    let own = String::from_utf8_lossy(&run.stderr)
        .lines()
        .filter(|line| !line.starts_with("qemu"))
        .collect::<Vec<_>>()
        .join("\n");
    Some((run.status.success(), own))
}

#[test]
fn older_processors_are_refused_with_a_reason() {
    if !cfg!(target_feature = "avx2") {
        println!("skipped: this build runs on every x86-64 processor");
        return;
    }
    for (processor, feature, build) in [
        ("qemu64", "avx2", "built on a machine like this"),
        ("Nehalem", "avx2", "for x86-64-v2"),
        ("Haswell", "avx512vbmi", "for x86-64-v3"),
    ] {
        let Some((fit, said)) = on(processor) else {
            skip("qemu", format!("no {EMULATOR} in PATH"));
            return;
        };
        if cfg!(target_feature = "avx512vbmi") || processor != "Haswell" {
            assert!(!fit, "{processor} was accepted");
            assert_eq!(said.lines().count(), 1, "{processor}: {said}");
            assert!(said.starts_with("zebu: this processor lacks "), "{processor}: {said}");
            assert!(said.contains(feature), "{processor}: {said}");
            assert!(said.ends_with(&format!("take the one {build}")), "{processor}: {said}");
        } else {
            assert!(fit, "{processor}: {said}");
        }
    }
}
