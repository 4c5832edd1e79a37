//! The yardstick.

use crate::tool::Folder;

const JUDGED: &str = "\
4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 0; ce 150; c0 \"170\";
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ce 30;

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
    assert!(folder.complaint("accuracy judged.epd --net judged.epd").contains("judged.epd: "));
    folder.write("wrong.epd", JUDGED.replace("ce -900", "ce much").as_bytes());
    assert!(folder.complaint("accuracy wrong.epd").contains("wrong.epd:4: ce is 'much'"));
    folder.write("empty.epd", b"\n");
    assert!(folder.complaint("accuracy empty.epd").contains("empty.epd has no positions"));
}
