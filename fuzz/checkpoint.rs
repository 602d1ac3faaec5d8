// What the fuzz target `checkpoint` does with its input, and `crates/words/tests/all/corpora.rs`
// with the corpus.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use record::Record;
use sweep::band::Options;
use words::{Checkpoints, resumable_rows};

/// A checkpoint without its hash, which is made good: else it would refuse everything. Whether a
/// run could go on from it: whatever it says, all of it is read or refused.
pub fn checkpoint(folder: &Path, bytes: &[u8]) -> bool {
    let sealed = [bytes, blake3::hash(bytes).as_bytes()].concat();
    fs::write(folder.join("checkpoint-0000001536.bin"), sealed).expect("a file can be written");
    let checkpoints = Checkpoints::new(folder);
    let accepted = read(&checkpoints);
    // Whatever its header says.
    for file in checkpoints.remove(0).expect("a file can be removed") {
        fs::remove_file(file).expect("a file can be removed");
    }
    accepted
}

fn read(checkpoints: &Checkpoints) -> bool {
    let Ok(Some(checkpoint)) = checkpoints.newest() else { return false };
    if checkpoint.read().is_err() {
        return false;
    }
    // No row above it: nothing is computed, all rows are taken.
    let (end, mut next) = (checkpoint.row(), 0);
    let mut visit = |row: Record| {
        assert_eq!(row.row(), next);
        next += 1;
        ControlFlow::Continue(())
    };
    let options = Options { windows: checkpoint.windows(), ..Options::default() };
    let taken = resumable_rows(end, options, checkpoints, Some(checkpoint), &mut visit);
    assert!(taken.is_err() || next == end);
    taken.is_ok()
}
