//! The options of a build for tuning.

use engine::search::TUNABLES;

use crate::driver::{answers, last_line, number_after};

#[test]
fn every_tunable_is_a_spin_option() {
    let lines = answers(&["uci"]);
    for tunable in TUNABLES {
        let engine::search::Tunable { name, default, min, max, .. } = tunable;
        let line = format!("option name {name} type spin default {default} min {min} max {max}");
        assert!(lines.contains(&line), "{line}: {lines:?}");
    }
}

#[test]
fn a_tunable_changes_the_search_and_back() {
    let nodes = |set: &[&str]| {
        let lines = answers(&[set, &["go depth 9"]].concat());
        number_after(last_line(&lines), "nodes").unwrap()
    };
    let usual = nodes(&[]);
    let other = "setoption name rfp_margin value 150";
    let tunable = TUNABLES.iter().find(|tunable| tunable.name == "rfp_margin").unwrap();
    let back = &format!("setoption name rfp_margin value {}", tunable.default);
    assert_ne!(nodes(&[other]), usual);
    assert_eq!(nodes(&[other, back]), usual);
    assert_eq!(nodes(&[other, "go depth 5", back]), usual);
}

#[test]
fn a_value_out_of_range_is_refused() {
    for (name, value) in [("rfp_margin", "151"), ("lmr_noisy_base", "-501"), ("mvv", "x")] {
        let lines = answers(&[&format!("setoption name {name} value {value}")]);
        let told = lines.iter().any(|line| line.contains("takes a number from"));
        assert!(told, "{name} = {value}: {lines:?}");
    }
    let lines = answers(&["setoption name lmr_noisy_base value -500"]);
    assert!(!lines.iter().any(|line| line.contains("error")), "{lines:?}");
}
