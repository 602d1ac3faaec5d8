//! Checkpoints of a check of *heads*, in files of a [`ResumeFolder`](files::ResumeFolder).
//!
//! A file is named after its column. It has:
//!
//! | part | bytes |
//! |---|---|
//! | first line | `chomp-check 2 column Q`: the version, and the first column that is not done |
//! | data set | the hash of its last segment, and so of all of them, 64 hexadecimal digits |
//! | heads | as the checker writes them (`check::CheckWatch::checkpoint`) |
//! | hash | see [`ResumeFolder`](files::ResumeFolder) |

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use check::{CheckError, CheckWatch, Part, Resumed, Start, Task, Verified, check_data_set};
use files::invalid;
use record::data_set::DataSet;

use crate::job::{Event, Keeper, Watch};
use crate::records::{Checker, announce_heads};

/// How the first line begins: a name and the version.
const MAGIC: &str = "chomp-check 2 column ";

/// The names of the files.
const PREFIX: &str = "heads-";
const SUFFIX: &str = ".checkpoint";

/// The number of checkpoints that are kept.
const KEPT: usize = 2;

/// Where and how often a check of *heads* keeps its checkpoints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckFolder {
    /// The folder. It is made if it is not there.
    pub folder: PathBuf,
    /// The time between checkpoints.
    pub every: Duration,
    /// Stop before the first group of columns from this column on, with a checkpoint.
    pub to_column: Option<u64>,
}

/// Verifies a data set with its heads, keeps checkpoints, and resumes from the newest one. The
/// verdict of a resumed check names the checkpoint, which it assumes. The checkpoints are removed
/// once all rows are verified.
///
/// # Errors
/// As [`check_data_set`](crate::records::verify_data_set); [`CheckError::Checkpoint`] if the folder
/// is in use, or its newest checkpoint is damaged, of another version or another data set; and
/// [`CheckError::Part`] if the check stopped at `to_column`.
pub fn verify_in_folder(
    data_set: &DataSet,
    task: &Task,
    CheckFolder { folder, every, to_column }: &CheckFolder,
    watch: &dyn Watch,
) -> Result<Verified, CheckError> {
    let refused = |file: &Path, problem: &str| {
        if watch.stop() {
            return CheckError::Interrupted;
        }
        CheckError::Checkpoint { file: file.display().to_string(), problem: problem.to_owned() }
    };
    if !task.heads || data_set.family().last_row().is_none() {
        let problem = "checkpoints are for the heads of rows of three-rowed Chomp; leave them out";
        return Err(refused(folder, problem));
    }
    let keeper = Keeper::open(folder, *every, watch);
    let segments = &data_set.manifest().segments;
    let heads = Heads {
        keeper: keeper.map_err(|error| refused(folder, &error.to_string()))?,
        data: segments.last().map_or(String::new(), |last| last.blake3.clone()),
        to_column: to_column.unwrap_or(u64::MAX),
        reached: OnceLock::new(),
        checker: Checker::new(watch),
    };
    let (mut from, mut bytes) = (None, None);
    let start = if let Some(&column) = heads.columns().last() {
        let file = heads.keeper.folder.file(&name(column));
        let (source, hash) = heads.read(column).map_err(|error| {
            let remedy = "remove it to resume from the one before it, or to begin again";
            refused(&file, &format!("{error}; {remedy}"))
        })?;
        let file = file.display().to_string();
        let words = format!("resuming from {file}, hash {hash}; it is assumed to be right");
        watch.event(&Event::Remark(words));
        from = Some(Resumed { hash: hash.clone(), column });
        Some(Start { file, hash, bytes: bytes.insert(source) })
    } else {
        announce_heads(data_set, task, watch);
        None
    };
    let verified = check_data_set(data_set, task, start, &heads);
    if verified.is_ok() {
        heads.remove_all_but(0);
        heads.keeper.folder.end();
        return verified;
    }
    match (verified, heads.reached.into_inner()) {
        (Err(CheckError::Interrupted), Some(to)) => {
            let last = task.rows.or(data_set.family().last_row().map(|last| (0, last)));
            let (data, last) = (heads.data, last.map_or(0, |(_, last)| last));
            Err(CheckError::Part(Box::new(Part { data, last, from, to })))
        }
        // It is read while the heads are restored.
        (Err(CheckError::Checkpoint { .. }), _) if watch.stop() => Err(CheckError::Interrupted),
        (verified, _) => verified,
    }
}

/// Writes checkpoints while a check runs.
struct Heads<'a> {
    keeper: Keeper<'a>,
    /// The hash of the data set.
    data: String,
    to_column: u64,
    /// The checkpoint at which to stop, once it is written.
    reached: OnceLock<Resumed>,
    checker: Checker<'a>,
}

impl<'a> Heads<'a> {
    /// The columns of the checkpoints in the folder, ascending.
    fn columns(&self) -> Vec<u64> {
        let column = |name: String| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?.parse().ok();
        let mut columns: Vec<u64> = self.keeper.folder.names().filter_map(column).collect();
        columns.sort_unstable();
        columns
    }

    /// The bytes of the heads in a checkpoint, and its hash.
    fn read(&self, column: u64) -> io::Result<(impl Read + use<'a>, String)> {
        let most = check::most_bytes_of_checkpoint(column).saturating_add(self.data.len() as u64);
        let opened = self.keeper.read(&name(column), &format!("{MAGIC}{column}"), most)?;
        let (mut source, hash) = opened.ok_or(io::ErrorKind::NotFound)?;
        let mut data = vec![0; self.data.len()];
        source.read_exact(&mut data)?;
        if data != self.data.as_bytes() {
            return Err(invalid("it is a checkpoint of another data set"));
        }
        Ok((source, hash))
    }

    fn remove_all_but(&self, kept: usize) {
        for column in self.columns().into_iter().rev().skip(kept) {
            self.keeper.folder.remove(&name(column));
        }
    }
}

fn name(column: u64) -> String {
    format!("{PREFIX}{column}{SUFFIX}")
}

impl CheckWatch for Heads<'_> {
    fn progress(&self, done: u64, before: u64, all: u64) {
        self.checker.progress(done, before, all);
    }

    fn stop(&self) -> bool {
        self.checker.stop() || self.reached.get().is_some()
    }

    fn wants_checkpoint(&self, column: u64) -> bool {
        self.stop() || column >= self.to_column || self.keeper.is_due()
    }

    fn checkpoint(&self, column: u64, save: &dyn Fn(&mut dyn Write) -> io::Result<()>) {
        let written = self.keeper.write(&name(column), &format!("{MAGIC}{column}"), |out| {
            out.write_all(self.data.as_bytes())?;
            save(out)
        });
        let Some(hash) = written else { return };
        self.remove_all_but(KEPT);
        if column >= self.to_column {
            self.reached.get_or_init(|| Resumed { hash, column });
        }
        if self.checker.stop() {
            let file = self.keeper.folder.file(&name(column));
            let words = format!(
                "{} holds the state; the same command resumes at column {column}",
                file.display()
            );
            self.keeper.watch.event(&Event::Remark(words));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use std::fs;

    use files::ResumeFolder;

    use super::*;
    use crate::{Engine, Target};

    const TASK: Task = Task { heads: true, rows: None, threads: None };

    fn data_set(folder: &Path, last: u64) -> DataSet {
        Engine::default().write(&Target::new(folder, last), &()).unwrap();
        DataSet::open(folder).unwrap()
    }

    /// Stops once this number of checkpoints are written, and copies each to `copies`, as they are
    /// when the program is killed.
    struct StopAt<'a> {
        checkpoints: u32,
        written: AtomicU32,
        copies: Option<&'a Path>,
    }

    impl<'a> StopAt<'a> {
        fn new(checkpoints: u32, copies: Option<&'a Path>) -> Self {
            Self { checkpoints, written: AtomicU32::new(0), copies }
        }
    }

    impl Watch for StopAt<'_> {
        fn event(&self, event: &Event) {
            let Event::Kept { file, .. } = event else { return };
            self.written.fetch_add(1, Ordering::SeqCst);
            if let Some(copies) = self.copies {
                fs::copy(file, copies.join(file.file_name().unwrap())).unwrap();
            }
        }

        fn stop(&self) -> bool {
            self.written.load(Ordering::SeqCst) >= self.checkpoints
        }
    }

    fn words(outcome: &Result<Verified, CheckError>) -> String {
        outcome.as_ref().err().map_or(String::new(), ToString::to_string)
    }

    fn files(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect()
    }

    #[test]
    fn a_stopped_check_resumes_and_names_its_checkpoint() {
        let temporary = tempfile::tempdir().unwrap();
        let data = data_set(&temporary.path().join("rows"), 300);
        let plain = check_data_set(&data, &TASK, None, &()).unwrap();
        let kept = CheckFolder {
            folder: temporary.path().join("kept"),
            every: Duration::ZERO,
            to_column: None,
        };
        for checkpoints in [1, 3, 10] {
            let stopped = verify_in_folder(&data, &TASK, &kept, &StopAt::new(checkpoints, None));
            assert!(matches!(stopped, Err(CheckError::Interrupted)), "{}", words(&stopped));
            let there = files(&kept.folder).len();
            assert!((1..=KEPT).contains(&there), "{there} checkpoints");
            let verified = verify_in_folder(&data, &TASK, &kept, &()).unwrap();
            let hash = verified.resumed.clone().unwrap().hash;
            let assumed = format!("Assumed: the checkpoint with hash {hash}, of columns 0 to ");
            assert!(verified.to_string().contains(&assumed), "{verified}");
            assert_eq!(Verified { resumed: None, ..verified }, plain);
            assert!(!kept.folder.exists(), "the checkpoints stay");
        }
        // Without an interruption, nothing is assumed.
        let verified = verify_in_folder(&data, &TASK, &kept, &()).unwrap();
        assert_eq!(verified, plain);
        assert!(verified.to_string().contains("Assumed: nothing."), "{verified}");
    }

    /// A killed check leaves its files; each of them will do.
    #[test]
    fn a_killed_check_resumes_from_any_checkpoint() {
        let temporary = tempfile::tempdir().unwrap();
        let data = data_set(&temporary.path().join("rows"), 200);
        let copies = temporary.path().join("copies");
        fs::create_dir(&copies).unwrap();
        let kept = CheckFolder {
            folder: temporary.path().join("kept"),
            every: Duration::ZERO,
            to_column: None,
        };
        verify_in_folder(&data, &TASK, &kept, &StopAt::new(u32::MAX, Some(&copies))).unwrap();
        let copies = files(&copies);
        assert!(copies.len() > 5, "{}", copies.len());
        for copy in copies {
            fs::create_dir(&kept.folder).unwrap();
            fs::copy(&copy, kept.folder.join(copy.file_name().unwrap())).unwrap();
            let verified = verify_in_folder(&data, &TASK, &kept, &()).unwrap();
            assert!(verified.resumed.is_some());
        }
    }

    #[test]
    fn other_checkpoints_are_refused() {
        let temporary = tempfile::tempdir().unwrap();
        let data = data_set(&temporary.path().join("rows"), 200);
        let other = data_set(&temporary.path().join("others"), 201);
        let kept = CheckFolder {
            folder: temporary.path().join("kept"),
            every: Duration::ZERO,
            to_column: None,
        };
        let resume = |data: &DataSet, task: &Task| words(&verify_in_folder(data, task, &kept, &()));
        let stopped = verify_in_folder(&data, &TASK, &kept, &StopAt::new(5, None));
        assert!(matches!(stopped, Err(CheckError::Interrupted)));
        let file = files(&kept.folder)
            .into_iter()
            .max_by_key(|file| fs::metadata(file).unwrap().modified().unwrap());
        let file = file.unwrap();
        let whole = fs::read(&file).unwrap();

        assert!(resume(&other, &TASK).contains("it is a checkpoint of another data set"));
        let some = Task { rows: Some((0, 150)), ..TASK };
        assert!(resume(&data, &some).contains("it is the state of a check of rows 0 to 200"));
        let lock = ResumeFolder::open(&kept.folder).unwrap();
        assert!(resume(&data, &TASK).contains("another run keeps its results there"));
        drop(lock);
        fs::write(&file, &whole[..whole.len() - 1]).unwrap();
        assert!(resume(&data, &TASK).contains("its hash does not fit; remove it"));
        let mut forged = whole.clone();
        forged[200] ^= 1;
        fs::write(&file, &forged).unwrap();
        assert!(resume(&data, &TASK).contains("its hash does not fit; remove it"));
        let hashed = |body: &[u8]| [body, blake3::hash(body).as_bytes()].concat();
        let body = &whole[..whole.len() - 32];
        let version = String::from_utf8_lossy(&body[..13]).replace(" 2", " 1");
        fs::write(&file, hashed(&[version.as_bytes(), &body[13..]].concat())).unwrap();
        assert!(resume(&data, &TASK).contains("`chomp-check 2 column "));
        let tails = Task { heads: false, ..TASK };
        assert!(resume(&data, &tails).contains("checkpoints are for the heads"));
        fs::write(&file, &whole).unwrap();
        assert_eq!(resume(&data, &TASK), "");
    }

    /// A checkpoint that is forged with its hash is assumed: it is the verdict that says so.
    #[test]
    fn a_forged_checkpoint_is_named() {
        let temporary = tempfile::tempdir().unwrap();
        let data = data_set(&temporary.path().join("rows"), 200);
        let kept = CheckFolder {
            folder: temporary.path().join("kept"),
            every: Duration::ZERO,
            to_column: None,
        };
        let stopped = verify_in_folder(&data, &TASK, &kept, &StopAt::new(5, None));
        assert!(matches!(stopped, Err(CheckError::Interrupted)));
        let newest = files(&kept.folder)
            .into_iter()
            .max_by_key(|file| fs::read(file).unwrap()[20..26].to_vec());
        let newest = newest.unwrap();
        for file in files(&kept.folder) {
            if file != newest {
                fs::remove_file(file).unwrap();
            }
        }
        let bytes = fs::read(&newest).unwrap();
        let mut body = bytes[..bytes.len() - 32].to_vec();
        // The last row's fingerprint, before its number of intervals.
        let place = body.len() - 5;
        body[place] ^= 1;
        let hash = blake3::hash(&body);
        fs::write(&newest, [&*body, hash.as_bytes()].concat()).unwrap();
        let outcome = verify_in_folder(&data, &TASK, &kept, &());
        let words = words(&outcome);
        assert!(matches!(outcome, Err(CheckError::Resumed { .. })), "{words}");
        assert!(words.contains("fingerprint") && words.contains(hash.to_hex().as_str()), "{words}");
    }
}
