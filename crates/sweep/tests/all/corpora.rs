//! The corpus of the fuzz target for checkpoints.

use std::{fs, path::Path};

use tempfile::tempdir;

#[path = "../../../../fuzz/checkpoint.rs"]
mod checkpoint;

#[test]
fn checkpoints_of_the_corpus_are_read_or_refused() {
    let folder = tempdir().unwrap();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/checkpoint");
    let mut accepted = Vec::new();
    for entry in fs::read_dir(corpus).unwrap().map(Result::unwrap) {
        let input = fs::read(entry.path()).unwrap();
        if checkpoint::checkpoint(folder.path(), &input) {
            accepted.push(entry.file_name());
        }
        assert!(!checkpoint::checkpoint(folder.path(), &input[..input.len() / 2]));
    }
    assert_eq!(accepted, ["row-1536"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
