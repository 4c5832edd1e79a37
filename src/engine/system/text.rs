//! Untrusted text, made fit for one-line messages, and its fingerprint.

/// The beginning of a word, if it is long.
pub fn shortened(word: &str) -> String {
    const LONGEST: usize = 40;
    start_of(word, LONGEST)
}

/// A path, whose end is most informative. Only paths longer than any system allows are shortened.
pub fn shortened_path(path: &str) -> String {
    const LONGEST: usize = 260;
    start_of(path, LONGEST)
}

fn start_of(word: &str, longest: usize) -> String {
    let mut letters = word.chars();
    let start: String = letters.by_ref().take(longest).map(printable).collect();
    if letters.next().is_some() { start + "…" } else { start }
}

/// A one-line message, shortened only if it is longer than any path.
pub fn message(text: &str) -> String {
    const LONGEST: usize = 5000;
    start_of(text, LONGEST)
}

/// A hash of bytes for files: FNV-1a, which is the same in every version and build.
pub fn fingerprint(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let mix = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

/// Replaces invisible characters in a line.
pub fn one_line(text: &str) -> String {
    text.chars().map(printable).collect()
}

/// Replaces characters that a terminal would obey, or that hide or reorder others.
pub fn printable(letter: char) -> char {
    let is_hidden = letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}')
        || matches!(letter, '\u{2028}'..='\u{202e}')
        || matches!(letter, '\u{2060}'..='\u{206f}' | '\u{feff}');
    if is_hidden { char::REPLACEMENT_CHARACTER } else { letter }
}
