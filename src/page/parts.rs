//! The games of a written page: those in it, and files beside it with the others, which it reads as they are
//! opened.

use std::io;
use std::path::{Path, PathBuf};

use crate::analysis::head;
use engine::system::files::NewFile;

/// The bytes of games that a page holds itself, and those that a file beside it holds.
pub const MOST_IN_PAGE: usize = 12 << 20;
const MOST_IN_PART: usize = 4 << 20;

/// The beginning and the end of a file of games.
const BEGINNING: &str = "Listed.take({\n";
const END: &str = "});\n";

#[derive(Default)]
pub struct Games {
    /// The bytes of games in the page.
    held: usize,
    parts: Vec<NewFile>,
    /// The bytes of games in the last part.
    bytes: usize,
}

impl Games {
    /// Returns what the page at this path has of a game: all of it, or its head and the file it is in. An
    /// error names the file that could not be written.
    pub fn put(
        &mut self,
        page: &Path,
        number: usize,
        json: &str,
    ) -> Result<String, (PathBuf, io::Error)> {
        if self.held + json.len() <= MOST_IN_PAGE {
            self.held += json.len();
            return Ok(game(json));
        }
        if self.parts.is_empty() || self.bytes >= MOST_IN_PART {
            self.close().map_err(|error| (page.to_owned(), error))?;
            let mut name = page.with_extension("").into_os_string();
            name.push(format!("-{}.js", self.parts.len() + 2));
            let begun = NewFile::create(Path::new(&name)).and_then(|mut part| {
                part.write(BEGINNING.as_bytes())?;
                Ok(part)
            });
            self.parts.push(begun.map_err(|error| (name.into(), error))?);
            self.bytes = 0;
        }
        let part = self.parts.last_mut().expect("there is one now");
        let path = part.path().to_owned();
        let text = serde_json::to_string(json).expect("text is JSON");
        let written = part.write(format!("{number}:{text},\n").as_bytes());
        written.map_err(|error| (path.clone(), error))?;
        self.bytes += json.len();
        Ok(distant_game(json, &path.file_name().unwrap_or_default().to_string_lossy()))
    }

    /// Ends the last part.
    fn close(&mut self) -> io::Result<()> {
        self.parts.last_mut().map_or(Ok(()), |part| part.write(END.as_bytes()))
    }

    /// Gives all parts their names, and returns their number.
    pub fn finish(mut self) -> Result<usize, (PathBuf, io::Error)> {
        let count = self.parts.len();
        self.close().ok();
        for part in self.parts {
            let path = part.path().to_owned();
            part.finish().map_err(|error| (path, error))?;
        }
        Ok(count)
    }
}

/// A game as JSON, for the page.
pub fn game(json: &str) -> String {
    // Keeps a string from ending the script.
    let data = json.replace('<', "\\u003c");
    format!("<script type=\"application/json\" class=\"game\">{data}</script>\n")
}

/// A game whose JSON is in another file: what the list needs of it.
fn distant_game(json: &str, file: &str) -> String {
    let head = head(json).replace('<', "\\u003c");
    let file = escaped(file);
    format!(
        "<script type=\"application/json\" class=\"game\" data-file=\"{file}\">{head}</script>\n"
    )
}

/// Text for HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
