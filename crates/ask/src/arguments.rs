//! The names of the arguments of each question. A test of `chomp-cli` writes this file.

pub const ARGUMENTS: &[(&str, &[&str])] = &[
    ("losers", &["instant_winners"]),
    ("ends", &["row", "data", "threads"]),
    ("grundy", &["position", "by", "level", "threads"]),
    ("moves", &["position", "by", "level", "threads"]),
    ("f", &["position", "data", "threads"]),
    ("why", &["data", "row", "threads", "to"]),
];
