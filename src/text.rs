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

/// A message of one line. Only what no path has is shortened.
pub fn message(text: &str) -> String {
    const LONGEST: usize = 5000;
    start_of(text, LONGEST)
}

/// A line in which nothing is hidden.
pub fn one_line(text: &str) -> String {
    text.chars().map(printable).collect()
}

/// What a terminal would obey, or what hides or turns other letters, becomes visible.
pub fn printable(letter: char) -> char {
    let is_hidden = letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}')
        || matches!(letter, '\u{2028}'..='\u{202e}')
        || matches!(letter, '\u{2060}'..='\u{206f}' | '\u{feff}');
    if is_hidden { char::REPLACEMENT_CHARACTER } else { letter }
}
