//! Matches between two sides.

use crate::tool::Folder;

#[test]
fn threads_and_stops_change_nothing() {
    let folder = Folder::new("threads");
    folder.write("a.toml", b"lmr_quiet_base = 1600\n");
    let whole = folder.run("match a.toml --nodes 300 --games 16 --threads 3");
    assert!(whole.starts_with("Games       16: +"), "{whole}");
    let part = "match a.toml - --nodes 300 --state match.state --threads 2 --games";
    let first = folder.run(&format!("{part} 6"));
    assert!(first.starts_with("Games       6: +"), "{first}");
    assert_eq!(folder.run(&format!("{part} 16")), whole);
    assert_eq!(folder.run(&format!("{part} 16")), whole, "nothing is left to play");
    assert_ne!(folder.run("match a.toml --nodes 300 --games 16 --seed 2"), whole);
}

#[test]
fn more_nodes_win() {
    let folder = Folder::new("nodes");
    folder.write("book.epd", b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n\n");
    let report = folder.run("match - --nodes 3000 --nodes2 100 --book book.epd --games 4 --win 0");
    assert!(report.contains("+4 =0 -0\n") && report.contains("0 0 0 0 2 with"), "{report}");
    let report = folder.run("match - --nodes 100 --nodes2 2000 --sprt 0 50 --hash 1");
    assert!(report.contains("the gain is not 50"), "{report}");
}

#[test]
fn clocks() {
    let folder = Folder::new("clocks");
    let report = folder.run("match - --tc 1+0.01 --nodes2 500 --games 2");
    assert!(report.starts_with("Games       2: +"), "{report}");
}

#[test]
fn bad_input_is_one_line() {
    let folder = Folder::new("input");
    folder.write("a.toml", b"rfp_margin = 90\n");
    folder.write("name.toml", b"\nrfp = 90\n");
    folder.write("range.toml", b"rfp_margin = 151\n");
    folder.write("empty.epd", b"\n");
    folder.write("bad.epd", b"\n8/8/8/8/8/8/8/8 w - -\n");
    folder.write("damaged.state", b"[origin]\nbuild = 1\n");
    folder.run("match a.toml --nodes 100 --games 2 --state match.state");
    let state = String::from_utf8(folder.read("match.state")).unwrap();
    folder.write("build.state", state.replace("build = ", "build = 1").as_bytes());
    for (words, wanted) in [
        ("none.toml", "none.toml: "),
        ("name.toml", "name.toml:2: no tunable is called 'rfp'"),
        ("range.toml", "range.toml:1: rfp_margin takes a whole number from 0 to 150"),
        ("- --book none.epd", "none.epd: "),
        ("- --book empty.epd", "empty.epd has no positions"),
        ("- --book bad.epd", "bad.epd:2: FEN field 1"),
        ("- --net a.toml", "a.toml: "),
        ("- --sprt 5 0", "--sprt needs H0 below H1"),
        ("a.toml --state damaged.state", "damaged.state is no such state"),
        ("a.toml --nodes 100 --state build.state", "is the state of another build"),
        ("a.toml --nodes 101 --state match.state", "is the state of other settings"),
    ] {
        let complaint = folder.complaint(&format!("match {words}"));
        assert!(complaint.contains(wanted), "{words}: {complaint}");
    }
    assert_eq!(folder.read("match.state"), state.as_bytes(), "nothing is lost");
}
