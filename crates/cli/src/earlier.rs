//! Names that commands had, and the commands that answer now.

use std::ffi::OsString;

/// A name, and what is typed now in its place. A line with an option counts only if it is typed;
/// the first line that counts is taken.
const COMMANDS: [(&str, Option<&str>, &[&str]); 8] = [
    ("board", None, &["query", "--board"]),
    ("moves", None, &["query", "--moves"]),
    ("grundy", Some("--to"), &["family"]),
    ("grundy", None, &["query", "--grundy"]),
    ("f", None, &["show", "--f"]),
    ("why", None, &["show", "--why"]),
    ("periods", None, &["show", "--periods"]),
    ("tail", None, &["family", "--tail"]),
];

/// The command line, with the name of an earlier command replaced.
pub fn renewed(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    // The options before a command are --quiet and --progress, whose value is a word.
    let is_name = |&at: &usize| !words[at].to_string_lossy().starts_with('-');
    let Some(at) = (1..words.len()).filter(is_name).find(|&at| words[at - 1] != "--progress")
    else {
        return words;
    };
    let is_given = |option: &str| {
        let typed = words[at..].iter().map(|word| word.to_string_lossy());
        typed.into_iter().any(|word| word.split('=').next() == Some(option))
    };
    let mut found = COMMANDS.iter().filter(|(name, ..)| words[at] == *name);
    if let Some((.., now)) = found.find(|(_, option, _)| option.is_none_or(is_given)) {
        words.splice(at..=at, now.iter().map(OsString::from));
    }
    words
}

/// What is typed now in place of a name, in words.
pub fn now(name: &str) -> Option<String> {
    let lines = COMMANDS.iter().filter(|(of, ..)| *of == name).map(|(_, option, now)| {
        let with = option.map_or(String::new(), |option| format!(" with {option}"));
        format!("`chomp {name}`{with} is `chomp {}` now.\n", now.join(" "))
    });
    Some(lines.collect::<String>()).filter(|lines| !lines.is_empty())
}
