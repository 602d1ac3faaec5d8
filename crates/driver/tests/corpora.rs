//! The corpus of the fuzz target for the state of a run that finds P-positions.

#![allow(clippy::disallowed_methods, reason = "tests open what they have made")]

use std::{fs, path::Path};

use tempfile::tempdir;

#[path = "../../../fuzz/positions_state.rs"]
mod positions_state;

/// `rows-4-next-5` was made from all P-positions with a <= 4, found by plain search.
#[test]
fn states_of_the_corpus_are_read_or_refused() {
    let folder = tempdir().unwrap();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/positions_state");
    let mut accepted = Vec::new();
    for entry in fs::read_dir(corpus).unwrap().map(Result::unwrap) {
        let input = fs::read(entry.path()).unwrap();
        if positions_state::positions_state(folder.path(), &input) {
            accepted.push(entry.file_name());
        }
        assert!(!positions_state::positions_state(folder.path(), &input[..input.len() / 2]));
    }
    accepted.sort();
    assert_eq!(accepted, ["rows-3-next-5", "rows-4-next-5"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
