//! The documents: their links, the files and functions they name, and their claims about the source.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use engine::player::{OPTIONS, OptionKind, UciOption};

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
        "src/engine/NOTES.md",
        "src/engine/TECHNIQUES.md",
        "src/library/README.md",
        "src/web/README.md",
        "src/forge/README.md",
        "src/forge/NOTES.md",
        "scripts/README.md",
        "tests/README.md",
        "tests/NOTES.md",
        ".github/CONTRIBUTING.md",
        ".github/CHANGELOG.md",
        ".github/SECURITY.md",
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

/// The table of techniques names a file for each, in which a comment has its name.
#[test]
fn techniques_are_where_the_readme_says() {
    let mut found = 0;
    for line in read(&root().join("src/engine/TECHNIQUES.md")).lines() {
        let cells: Vec<&str> = line.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let &[_, technique, file, ..] = &cells[..] else { continue };
        if !file.ends_with(".rs") || file.contains(' ') {
            continue;
        }
        let text = read(&root().join("src/engine").join(file)).to_lowercase();
        let mut comments = text.lines().filter(|line| line.trim_start().starts_with("//"));
        let is_label = |line: &str| line.contains(&technique.to_lowercase());
        assert!(comments.any(is_label), "{file}: {technique}");
        found += 1;
    }
    assert!(found > 40);
}

/// The Rust files in a folder and its subfolders.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    let files = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

#[test]
fn named_files_exist() {
    let documents = ["README.md", "engine/TECHNIQUES.md"];
    let text = documents.map(|name| read(&root().join("src").join(name)));
    let text = text.concat();
    // Code blocks use other quotes.
    let prose = text.split("```").step_by(2).flat_map(|part| part.split('`').skip(1).step_by(2));
    let files: Vec<&str> = prose.filter(|name| name.ends_with(".rs")).collect();
    assert!(files.len() > 50);
    for file in files {
        let exists = ["src", "src/engine", "."]
            .iter()
            .any(|folder| root().join(folder).join(file).is_file());
        assert!(exists, "{file}");
    }
}

#[test]
fn files_are_short() {
    assert!(read(&root().join(".github/CONTRIBUTING.md")).contains("more than 900 lines"));
    for file in ["src", "tests"].iter().flat_map(|folder| sources(&root().join(folder))) {
        let lines = read(&file).lines().count();
        assert!(lines <= 900, "{}: {lines} lines", file.display());
    }
}

/// The README's two commands are those of CI.
#[test]
fn the_two_commands_of_the_readme() {
    let readme = read(&root().join("README.md"));
    let checks = read(&root().join("scripts/check.sh"));
    assert!(readme.contains("\ncargo run --release "), "the command that builds and runs Zebu");
    assert!(readme.contains("\ncargo test --release "), "the command that tests it");
    assert!(checks.contains("as the README says\" cargo test --release\n"));
    assert!(read(&root().join(".ci/run")).contains("check.sh"));
}

/// An option that is declared is also a key of engine.toml, quoted if it contains a space.
#[test]
fn options_are_keys_of_engine_toml() {
    let toml = read(&root().join("engine.toml"));
    let has_value = |option: &&UciOption| !matches!(option.kind, OptionKind::Button);
    for UciOption { name, .. } in OPTIONS.iter().filter(has_value) {
        let key = if name.contains(' ') { format!("\"{name}\"") } else { name.to_string() };
        let is_key = toml.lines().any(|line| line.starts_with(&format!("{key} = ")));
        assert!(is_key, "engine.toml lacks the key {key}, which player/options.rs declares");
    }
}

/// Floats are used for effort and time, levels and their taste, and displayed chances. Of everything that
/// determines a score, only the network's second layer uses floats, in a fixed order, the same everywhere.
#[test]
fn floats_are_where_they_may_be() {
    const FLOATING: [&str; 7] = [
        "eval/file.rs",
        "eval/second_layer.rs",
        "search/iterative_deepening.rs",
        "search/time.rs",
        "search/strength.rs",
        "eval/taste.rs",
        "search/report.rs",
    ];
    let source = root().join("src/engine");
    for file in ["board", "eval", "search"].iter().flat_map(|room| sources(&source.join(room))) {
        let floats = ["f32", "f64"].iter().any(|name| read(&file).contains(name));
        let may = FLOATING.iter().any(|name| file == source.join(name));
        assert!(!floats || may, "{}", file.display());
    }
}

/// The README names the network that the levels were measured with, and says so if it is an older one.
#[test]
fn a_new_network_asks_for_new_levels() {
    let figures = read(&root().join("scripts/levels.csv"));
    let networks = figures.lines().skip(1).map(|line| {
        let mut cells = line.split(',');
        (cells.next().expect("a number"), cells.next().expect("a hash"))
    });
    let networks: HashSet<(&str, &str)> = networks.collect();
    assert_eq!(networks.len(), 1, "levels.csv has figures of one network: {networks:?}");
    let (number, hash) = networks.into_iter().next().expect("a network");
    let file = fs::read(root().join("src/engine/eval/zebu.net")).expect("a network");
    let embedded = u64::from_le_bytes(file[24..32].try_into().expect("a hash"));
    let older = if hash == format!("{embedded:016x}") { "." } else { ", not yet with today's:" };
    let sentence = format!("levels were measured with network {number}{older}");
    let readme = read(&root().join("README.md"));
    let readme = readme.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        readme.contains(&sentence),
        "the README should say that the {sentence} With a new network measure the levels \
         (scripts/README.md), or say that it is not done"
    );
}

/// The placeholder for the repository's address stands in Cargo.toml; the README repeats it.
#[test]
fn the_readme_has_the_address_of_the_repository() {
    let repository = env!("CARGO_PKG_REPOSITORY");
    let readme = read(&root().join("README.md"));
    assert!(readme.contains(&format!("git clone {repository} ")));
    assert!(readme.contains(&format!("({repository}/releases)")));
}

/// The workflow's own step refuses any other tag.
#[test]
fn a_release_is_tagged_with_its_version() {
    let workflow = read(&root().join(".github/workflows/release.yml"));
    let step = workflow.split("- name: The tag is the version").nth(1).expect("a step");
    let step = step.split("- name:").next().and_then(|step| step.split("run: |").nth(1));
    let refused = |tag: &str| {
        let script = step.expect("its commands");
        let mut shell = Command::new("bash");
        shell.args(["-c", script]).env("GITHUB_REF_NAME", tag).current_dir(root());
        !shell.output().expect("bash runs").status.success()
    };
    let version = env!("CARGO_PKG_VERSION");
    assert!(!refused(&format!("v{version}")));
    assert!(refused("v0.0.1") && refused(version));
    assert!(read(&root().join(".github/CHANGELOG.md")).contains(&format!("\n## {version}")));
    assert!(env!("CARGO_PKG_REPOSITORY").starts_with("https://"));
}
