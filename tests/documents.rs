//! The READMEs: their links, and the files and functions that they name.

use std::fs;
use std::path::Path;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The anchor of a heading, as Markdown renderers make it.
fn anchor(heading: &str) -> String {
    let kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
    let heading = heading.trim_start_matches('#').trim().to_lowercase();
    heading.chars().filter(kept).map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

#[test]
fn links_of_the_documents_lead_somewhere() {
    let documents = [
        "README.md",
        "src/README.md",
        "src/bin/forge/README.md",
        "scripts/README.md",
        "tests/README.md",
        ".github/CONTRIBUTING.md",
        ".github/CHANGELOG.md",
    ];
    let mut found = 0;
    for document in documents.map(|name| root().join(name)) {
        let text = read(&document);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.starts_with("http") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => document.clone(),
                file => document.parent().expect("a folder").join(file),
            };
            assert!(target.exists(), "{}: {link}", document.display());
            let has_heading = || {
                let text = read(&target);
                text.lines().any(|line| line.starts_with('#') && anchor(line) == heading)
            };
            assert!(heading.is_empty() || has_heading(), "{}: {link}", document.display());
            found += 1;
        }
    }
    assert!(found > 10);
}

/// The table of techniques names for each one a file with the words of its name, and the function.
#[test]
fn techniques_are_where_the_readme_says() {
    let mut found = 0;
    for line in read(&root().join("src/README.md")).lines() {
        let cells: Vec<&str> = line.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let &[_, technique, file, function, ..] = &cells[..] else { continue };
        if !file.ends_with(".rs") || file.contains(' ') {
            continue;
        }
        let lines = read(&root().join("src").join(file));
        let text = lines.to_lowercase();
        let words = technique.split([' ', '-']).map(str::to_lowercase);
        let mut stems = words.map(|word| word.chars().take(6).collect::<String>());
        assert!(stems.all(|stem| text.contains(&stem)), "{file}: {technique}");
        let is_function = |start: &str| lines.contains(&format!("fn {function}{start}"));
        assert!(is_function("(") || is_function("<"), "{file}: {function}");
        found += 1;
    }
    assert!(found > 40);
}
