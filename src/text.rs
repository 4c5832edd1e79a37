//! Words from outside, made fit for a message of one line.

/// The beginning of a word.
pub fn shortened(word: &str) -> String {
    const LONGEST: usize = 40;
    start_of(word, LONGEST)
}

/// A path, of which the end tells most: only what no system takes is shortened.
pub fn shortened_path(path: &str) -> String {
    const LONGEST: usize = 260;
    start_of(path, LONGEST)
}

fn start_of(word: &str, longest: usize) -> String {
    let mut letters = word.chars();
    let start: String = letters.by_ref().take(longest).map(printable).collect();
    if letters.next().is_some() { start + "…" } else { start }
}

/// A line in which nothing is hidden.
pub fn one_line(text: &str) -> String {
    text.chars().map(printable).collect()
}

/// Control characters, which a terminal would obey, become visible.
pub fn printable(letter: char) -> char {
    if letter.is_control() { char::REPLACEMENT_CHARACTER } else { letter }
}
