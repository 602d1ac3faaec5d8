//! Lists in texts; and text from outside in messages, shortened and escaped.

use std::fmt::{Display, Write};

/// These things, with `between` between them.
///
/// ```
/// assert_eq!(record::joined(&[3, 2], ","), "3,2");
/// ```
pub fn joined(things: impl IntoIterator<Item: Display>, between: &str) -> String {
    things.into_iter().map(|thing| thing.to_string()).collect::<Vec<_>>().join(between)
}

/// The lines of a text, broken at spaces so that each of them fits. A longer word has a line of its
/// own.
///
/// ```
/// let lines = record::wrapped("for r = 120, 400, 402.", |line| line.len() <= 12);
/// assert_eq!(lines, ["for r = 120,", "400, 402."]);
/// ```
pub fn wrapped(text: &str, fits: impl Fn(&str) -> bool) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let longer = lines.last().map(|line| format!("{line} {word}")).filter(|line| fits(line));
        match lines.last_mut().zip(longer) {
            Some((line, longer)) => *line = longer,
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The longest part of a text that [`quoted`] shows, in characters.
const LONGEST: usize = 160;

/// The text with everything escaped that would move a cursor, begin a line, or turn the direction
/// of writing.
///
/// ```
/// assert_eq!(record::escaped("α\r\n\u{1b}[2K"), "α\\r\\n\\u{1b}[2K");
/// ```
pub fn escaped(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut shown, letter| {
        if obeyed(letter) {
            write!(shown, "{}", letter.escape_debug()).expect("a string can always be written to");
        } else {
            shown.push(letter);
        }
        shown
    })
}

/// The same, with at most 160 characters of the text.
///
/// ```
/// assert_eq!(record::quoted("2o6"), "2o6");
/// assert_eq!(record::quoted(&"9".repeat(1000)), format!("{}… (1000 bytes)", "9".repeat(160)));
/// ```
pub fn quoted(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}… ({} bytes)", escaped(&text[..end]), text.len()),
        None => escaped(text),
    }
}

/// Control characters, line separators, and marks that turn the direction of writing.
fn obeyed(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}
