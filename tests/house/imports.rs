//! No file of `src` imports, directly or indirectly, a file that imports it.
//!
//! A name belongs to the file that defines it, not to those that re-export it. Unit tests may import
//! anything.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The path of a module inside its crate, empty for the root.
type Module = Vec<String>;

/// The paths that a file names, each with its local name.
type Imports = Vec<(Vec<String>, String)>;

type Files = BTreeMap<Module, Imports>;

/// The crates: the folder of each, its root, and folders in it that are other crates.
const CRATES: [(&str, &str, &[&str]); 3] = [
    ("", "lib.rs", &["engine", "forge"]),
    ("engine", "lib.rs", &[]),
    ("forge", "main.rs", &["engine"]),
];

#[test]
fn no_import_circle() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut circles = Vec::new();
    for (folder, root, others) in CRATES {
        let mut files = Files::new();
        read(&source.join(folder), root, others, &[], &mut files);
        assert!(files.len() > 10, "{folder}: {} files", files.len());
        let mut seen = Vec::new();
        for module in files.keys() {
            walk(module, &files, &mut Vec::new(), &mut seen, &mut circles);
        }
    }
    assert!(circles.is_empty(), "\n{}", circles.join("\n"));
}

/// A file that no other file declares would silently not be compiled.
#[test]
fn every_file_is_declared() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    collect(&source, &mut files);
    let all: String = files.iter().map(|(_, text)| text.as_str()).collect();
    for (stem, _) in &files {
        let is_root = ["lib", "main", "build"].contains(&stem.as_str());
        let is_declared = all.contains(&format!("mod {stem};"))
            || [format!("\"{stem}.rs\"]"), format!("/{stem}.rs\"]")]
                .iter()
                .any(|path| all.contains(path));
        assert!(is_root || is_declared, "{stem}.rs");
    }
}

/// Collects the names and texts of the source files.
fn collect(folder: &Path, files: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("a folder of the source") {
        let path = entry.expect("a file of the source").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("a name in UTF-8");
            files.push((stem.to_string(), fs::read_to_string(&path).expect("a source file")));
        }
    }
}

fn child(module: &[String], name: &str) -> Module {
    module.iter().cloned().chain([name.to_string()]).collect()
}

/// Reads the files of a crate, without those of the program and the build script, which are other crates. A
/// file that another build has in a module's place adds its imports to the module's.
fn read(folder: &Path, root: &str, others: &[&str], parent: &[String], files: &mut Files) {
    let mut in_place_of = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of the source") {
        let path = entry.expect("a file of the source").path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("a name in UTF-8");
        let module = child(parent, stem);
        if path.is_dir() && !(parent.is_empty() && others.contains(&stem)) {
            read(&path, root, others, &module, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let is_root = parent.is_empty() && path.ends_with(root);
            if is_root || !(parent.is_empty() && ["main", "build"].contains(&stem)) {
                let text = fs::read_to_string(&path).expect("a source file");
                let module = if is_root { Module::new() } else { module };
                let named = |(file, name)| (child(&module, stem_of(file)), child(&module, name));
                in_place_of.extend(replaced(&text).map(named));
                files.insert(module, imports(&text));
            }
        }
    }
    for (file, module) in in_place_of {
        let imports = files.remove(&file).unwrap_or_default();
        files.entry(module).or_default().extend(imports);
    }
}

/// The file that each `#[path]` puts in the place of a module, with the module's name.
fn replaced(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("#[path = \"").skip(1).filter_map(|rest| {
        let (path, rest) = rest.split_once("\"]\n")?;
        let (_, name) = rest.lines().next()?.strip_suffix(';')?.split_once("mod ")?;
        Some((path, name))
    })
}

fn stem_of(path: &str) -> &str {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.strip_suffix(".rs").unwrap_or(file)
}

/// The paths that a file imports by `use`, or names from its crate's root or its parent.
fn imports(text: &str) -> Imports {
    let tests = text.find("#[cfg(test)]\nmod ").or(text.find("#[cfg(test)]\npub mod "));
    let code = &text[..tests.unwrap_or(text.len())];
    let mut imports = Imports::new();
    let mut statement = String::new();
    for line in code.lines().map(|line| line.split("//").next().unwrap_or_default().trim()) {
        let is_use = line.split_once("use ").is_some_and(|(before, _)| {
            before.is_empty() || before.starts_with("pub") && before.ends_with([' ', ')'])
        });
        if is_use || !statement.is_empty() {
            statement += line;
            if line.ends_with(';') {
                let (_, tree) = statement.split_once("use ").expect("it is a use statement");
                expand(&[], tree.trim_end_matches(';'), &mut imports);
                statement.clear();
            }
        } else {
            let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
            let paths = line.split(|c| !is_part(c));
            paths.filter(|path| is_inner(path)).for_each(|path| expand(&[], path, &mut imports));
        }
    }
    imports
}

fn is_inner(path: &str) -> bool {
    ["crate::", "super::", "self::"].iter().any(|start| path.starts_with(start))
}

/// Adds the paths of a tree like `a::{b, c::d as e}`.
fn expand(before: &[String], tree: &str, imports: &mut Imports) {
    let tree = tree.trim();
    if let Some((head, rest)) = tree.split_once('{') {
        let head: Vec<String> = [before, &parts(head.trim_end_matches("::"))].concat();
        let mut depth = 0;
        let inner = rest.strip_suffix('}').expect("a brace closes");
        let branches = inner.split(|c| {
            depth += (c == '{') as i32 - (c == '}') as i32;
            c == ',' && depth == 0
        });
        branches.for_each(|branch| expand(&head, branch, imports));
    } else if !tree.is_empty() {
        let (path, alias) = tree.split_once(" as ").unwrap_or((tree, ""));
        let mut path = [before, &parts(path)].concat();
        path.retain(|part| part != "*");
        if path.len() > 1 {
            path.pop_if(|last| last == "self");
        }
        let last = path.last().cloned().unwrap_or_default();
        imports.push((path, if alias.is_empty() { last } else { alias.to_string() }));
    }
}

fn parts(path: &str) -> Vec<String> {
    path.split("::").filter(|part| !part.is_empty()).map(|part| part.trim().to_string()).collect()
}

/// The file of this crate that defines the target of a path in a module.
fn definer<'a>(module: &[String], path: &[String], files: &'a Files) -> Option<&'a Module> {
    let (first, rest) = path.split_first()?;
    let inner = child(module, first);
    match first.as_str() {
        "crate" => below(Module::new(), rest, files),
        "self" => below(module.to_vec(), rest, files),
        "super" => {
            let (_, parent) = module.split_last()?;
            let below_parent = rest.first().is_some_and(|next| next == "super");
            if below_parent {
                definer(parent, rest, files)
            } else {
                below(parent.to_vec(), rest, files)
            }
        }
        _ if files.contains_key(&inner) => below(inner, rest, files),
        _ => None,
    }
}

/// [`definer`] of a path that begins in a module.
fn below<'a>(module: Module, path: &[String], files: &'a Files) -> Option<&'a Module> {
    let (file, imports) = files.get_key_value(&module)?;
    let Some((first, rest)) = path.split_first() else { return Some(file) };
    let inner = child(&module, first);
    if files.contains_key(&inner) {
        return below(inner, rest, files);
    }
    match imports.iter().find(|(_, name)| name == first) {
        Some((passed_on, _)) => definer(&module, passed_on, files),
        None => Some(file),
    }
}

/// Follows the imports of a file, and those of the files that it imports.
fn walk<'a>(
    module: &'a Module,
    files: &'a Files,
    path: &mut Vec<&'a Module>,
    seen: &mut Vec<&'a Module>,
    circles: &mut Vec<String>,
) {
    if let Some(start) = path.iter().position(|&earlier| earlier == module) {
        let circle: Vec<String> = path[start..].iter().map(|module| module.join("/")).collect();
        circles.push(format!("{} -> {}", circle.join(" -> "), module.join("/")));
    } else if !seen.contains(&module) {
        seen.push(module);
        path.push(module);
        for (import, _) in &files[module] {
            match definer(module, import, files) {
                Some(next) if next != module => walk(next, files, path, seen, circles),
                _ => {}
            }
        }
        path.pop();
    }
}

/// No voice for people knows another, and the rooms that they share know no voice.
#[test]
fn rooms_of_talk() {
    const VOICES: [&str; 2] = ["terminal", "web"];
    const SHARED: [&str; 4] = ["analysis", "coach", "game", "page"];
    for room in VOICES.iter().chain(&SHARED) {
        for (stem, text) in room_files(room) {
            for voice in VOICES.iter().filter(|voice| *voice != room) {
                assert!(!text.contains(&format!("crate::{voice}")), "{room}, {stem}.rs: {voice}");
            }
        }
    }
}

/// UCI's answer to `go` is written in one place.
#[test]
fn bestmove_is_written_once() {
    let rooms = ["engine", "terminal", "web", "analysis", "coach", "game"];
    let files = rooms.iter().flat_map(|room| room_files(room));
    let writers = files.filter(|(_, text)| text.contains("\"bestmove "));
    assert_eq!(writers.map(|(stem, _)| stem).collect::<Vec<_>>(), ["answers"]);
}

/// The names and the code of a room's files, without their unit tests.
fn room_files(room: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(room);
    let mut files = Vec::new();
    if path.exists() {
        collect(&path, &mut files);
    }
    if let Ok(text) = fs::read_to_string(path.with_extension("rs")) {
        files.push((room.to_string(), text));
    }
    for (_, text) in &mut files {
        text.truncate(text.find("#[cfg(test)]\nmod ").unwrap_or(text.len()));
    }
    files
}
