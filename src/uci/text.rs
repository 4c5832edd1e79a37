//! Words from outside, made fit for a message of one line.

/// The beginning of a word.
pub fn shortened(word: &str) -> String {
    const LONGEST: usize = 40;
    let mut letters = word.chars();
    let start: String = letters.by_ref().take(LONGEST).map(printable).collect();
    if letters.next().is_some() { start + "…" } else { start }
}

/// Control characters, which a terminal would obey, become visible.
pub fn printable(letter: char) -> char {
    if letter.is_control() { char::REPLACEMENT_CHARACTER } else { letter }
}
