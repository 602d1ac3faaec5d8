// The fuzz target `positions_state`; `crates/driver/tests/corpora.rs` runs it on the corpus.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use driver::PositionsRun;

/// The largest length that is read, so that an input asks for little memory.
const LARGEST: u16 = 200;

/// Reads the state of a run that finds P-positions, without its hash, which is added here, as
/// without it every input would be refused. The run goes to the last length that is done, so
/// nothing is computed. Returns whether it could resume.
pub fn positions_state(folder: &Path, bytes: &[u8]) -> bool {
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let words: Vec<u16> =
        String::from_utf8_lossy(line).split(' ').filter_map(|word| word.parse().ok()).collect();
    // The version, the rows, and the least length that is not done.
    let (rows, next) = match words[..] {
        [_, rows @ 3..=6, next] => (rows, next),
        _ => (4, 5),
    };
    let to = next.saturating_sub(1).clamp(1, LARGEST);
    let file = folder.join(format!("positions-{rows}.state"));
    let sealed = [bytes, blake3::hash(bytes).as_bytes()].concat();
    fs::write(&file, sealed).expect("a file can be written");
    let run = PositionsRun { folder: Some(folder.to_owned()), ..PositionsRun::new(rows, to) };
    let resumed = run.find(&(), |_| ControlFlow::Continue(()));
    let accepted = resumed.is_ok_and(|found| found.layers.len() == usize::from(to));
    // A run that is complete removes its state, and the folder.
    fs::create_dir_all(folder).expect("a folder can be made");
    let _absent = fs::remove_file(file);
    accepted
}
