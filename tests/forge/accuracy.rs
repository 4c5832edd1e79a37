//! The yardstick.

use crate::tool::Folder;

const JUDGED: &str = "\
4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 0; ce 150; c0 \"170\";
r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ce 300;

4k3/8/8/8/8/8/8/Q3K3 b - - ce -900;
";

#[test]
fn evaluations_and_searches_are_judged() {
    let folder = Folder::new("accuracy");
    folder.write("judged.epd", JUDGED.as_bytes());
    for more in ["", "--nodes 500"] {
        let text = folder.run(&format!("accuracy judged.epd {more}"));
        assert!(text.starts_with("all ") && text.contains("right sign 100.0 %"), "{text}");
    }
    let (_, nobody) = std::io::pipe().expect("a pipe");
    let status = folder.command("accuracy judged.epd").stdout(nobody).status();
    assert!(status.expect("the workshop runs").success(), "whose reader is gone");
    assert!(folder.complaint("accuracy judged.epd --net judged.epd").contains("judged.epd: "));
    folder.write("wrong.epd", JUDGED.replace("ce -900", "ce much").as_bytes());
    assert!(folder.complaint("accuracy wrong.epd").contains("wrong.epd:4: ce is 'much'"));
    folder.write("empty.epd", b"\n");
    assert!(folder.complaint("accuracy empty.epd").contains("empty.epd has no positions"));
}

/// Networks of any shape are measured by the scores of games, as in training.
#[test]
fn networks_are_judged_on_games() {
    let folder = Folder::new("accuracy-games");
    folder.run("play games --games 20 --nodes 60 --hash 1 --seed 3");
    let error = |more: &str| -> f64 {
        let text = folder.run(&format!("accuracy games {more}"));
        let (_, text) = text.split_once("squared error ").expect("an error");
        text.split_once(' ').expect("a unit").0.parse().expect("a number")
    };
    // A network of another shape that knows little.
    let small = "--hidden 32 --output-buckets 2 --batch 512 --validation 0.2 --epochs 1";
    folder.run(&format!("train games --out a.net {small}"));
    assert!(error("--net a.net") > 2.0 * error(""));
    folder.write("judged.epd", JUDGED.as_bytes());
    assert!(folder.run("accuracy judged.epd --net a.net").starts_with("all "));
    assert!(folder.complaint("accuracy games --nodes 100").contains("games has games"));
    assert!(folder.complaint("accuracy games --net games").contains("games: "));
}

/// Positions of games, once a judge has scored them, show what a label knows.
#[test]
fn labels_are_judged_on_sampled_positions() {
    let folder = Folder::new("judged-labels");
    folder.run("play games --games 10 --nodes 60 --hash 1 --seed 3");
    let sampled = folder.run("labels games --sample 10");
    let lines: Vec<&str> = sampled.lines().collect();
    assert!(lines.len() > 5 && lines.iter().all(|line| line.split('\t').count() == 2), "{sampled}");
    let score = |(line, i): (&&str, i32)| format!("{line}\t{}\n", 20 * i);
    let judged: String = lines.iter().zip(-5..).map(score).collect();
    folder.write("judged.tsv", judged.as_bytes());
    let measured = folder.run("labels judged.tsv --nodes 50,100");
    assert_eq!(measured.matches("R²").count(), 2, "{measured}");
    assert_eq!(measured, folder.run("labels judged.tsv --nodes 50,100"));
    folder.write("late.toml", b"lmp_base = 48\nlmr_depth = 4");
    assert_ne!(measured, folder.run("labels judged.tsv --nodes 50,100 --tunables late.toml"));
    folder.write("wrong.tsv", format!("# a comment\n{judged}4k3/8 w - -\t\t0\n").as_bytes());
    let line = lines.len() + 2;
    assert!(folder.complaint("labels wrong.tsv").contains(&format!("wrong.tsv:{line}: start: ")));
    folder.write("empty.tsv", b"");
    assert!(folder.complaint("labels empty.tsv").contains("empty.tsv has no judged positions"));
    assert!(folder.complaint("labels games").contains("games: "));
}
