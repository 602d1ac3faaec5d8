// The fuzz target `checkpoint`; `crates/sweep/tests/all/corpora.rs` runs it on the corpus.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use record::Record;
use sweep::band::Options;
use sweep::checkpoints::{Checkpoints, resumable_rows};

/// The words of the checkpoint at row 1536 of a run to before 1544.
const WORDS: &[u8] = include_bytes!("words-0000002.bin");

/// Reads a checkpoint without its hash, which is added here, as without it every input would be
/// refused. Returns whether a run could resume from it. The whole file is read, or refused.
pub fn checkpoint(folder: &Path, bytes: &[u8]) -> bool {
    let sealed = [bytes, blake3::hash(bytes).as_bytes()].concat();
    fs::write(folder.join("checkpoint-0000001536.bin"), sealed).expect("a file can be written");
    let words = folder.join("words");
    fs::create_dir_all(&words).expect("a folder can be made");
    fs::write(words.join("words-0000002.bin"), WORDS).expect("a file can be written");
    fs::write(words.join("owner.txt"), "words of the run in ..\n").expect("a file can be written");
    let checkpoints = Checkpoints::new(folder);
    let accepted = read(&checkpoints);
    // For any header.
    for file in checkpoints.remove(0).expect("a file can be removed") {
        fs::remove_file(file).expect("a file can be removed");
    }
    // A run removes words that its checkpoint does not name.
    if words.exists() {
        fs::remove_dir_all(words).expect("a folder can be removed");
    }
    accepted
}

fn read(checkpoints: &Checkpoints) -> bool {
    let Ok(Some(checkpoint)) = checkpoints.newest() else { return false };
    // No row above it: the whole file is read, and no row is computed.
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
