//! EPD input and output.

use std::fs;

use engine::notation::EpdLine;

use crate::{analyse, folder};

#[test]
fn lines_get_the_operations_of_an_analysis() {
    let folder = folder("positions");
    let input = folder.join("suite.epd");
    let lines = [
        "# a remark",
        "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra2; id \"mate; in one\"; c0 \"x\";",
        "",
        "4k3/8/8/8/8/8/8/4K2Q w - - 3 40",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq",
        "7k/6Q1/6K1/8/8/8/8/8 b - - id \"mated\"",
        "7k/8/6Q1/8/8/8/8/K7 b - -",
        "8/8/8/8/8/4k3/8/R3K3 w Q - hmvc 99; fmvn 80;",
        "7k/8/6Q1/8/8/8/8/K7 b - - 0 1;",
        "4k3/8/8/8/8/8/8/4K3 w - - id \"open",
        "k7/8/8/8/8/8/8/K6x w - -",
        &format!("4k3/8/8/8/8/8/8/4K2Q w - - id \"{}\";", "x".repeat(1 << 20)),
        "4k3/8/8/8/8/8/8/4K3",
    ];
    fs::write(&input, lines.join("\n")).expect("a file");
    let run = analyse(&["--epd", "--nodes", "2000"], &input);
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(1), "{stderr}");
    for wanted in [
        "line 5: FEN field 4",
        "line 10: a quote",
        "line 11: FEN field 1",
        "line 12: it has more than a megabyte",
        "line 13: FEN field 2",
    ] {
        assert!(stderr.contains(wanted), "{wanted}: {stderr}");
    }
    let written = fs::read_to_string(folder.join("suite.analysed.epd")).expect("a file");
    let written: Vec<&str> = written.lines().collect();
    assert_eq!(written.len(), 6, "{written:?}");
    let first = "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; ce 32766; acd ";
    assert!(written[0].starts_with(first), "{}", written[0]);
    assert!(written[0].ends_with("; pv Ra8#; id \"mate; in one\"; c0 \"x\";"), "{}", written[0]);
    assert!(written[1].starts_with("4k3/8/8/8/8/8/8/4K2Q w - - 3 40 bm "), "{}", written[1]);
    assert_eq!(written[2], "7k/6Q1/6K1/8/8/8/8/8 b - - ce -32767; acd 0; id \"mated\";");
    assert_eq!(written[3], "7k/8/6Q1/8/8/8/8/K7 b - - ce 0; acd 0;");
    // The next move draws by the fifty-move rule.
    assert!(written[4].contains(" ce 0; "), "{}", written[4]);
    assert!(written[4].ends_with("; hmvc 99; fmvn 80;"), "{}", written[4]);
    assert_eq!(written[5], "7k/8/6Q1/8/8/8/8/K7 b - - 0 1 ce 0; acd 0;");
    for line in written {
        EpdLine::parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    }
}
