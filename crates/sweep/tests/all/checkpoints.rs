//! Interrupted runs resume from their checkpoints, and find the same rows.

use record::Record;
use record::listeners::{Done, Visitor};
use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    num::NonZero,
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};
use sweep::band::{self, Kernel, Options, Windows};
use sweep::checkpoints::{
    Checkpoint, CheckpointEvent, Checkpoints, FileProblem, WordsError, resumable_rows,
};
use sweep::error::SweepError;
use tempfile::TempDir;

/// Options with this number of threads and this kernel.
fn options(threads: usize, kernel: Kernel) -> Options {
    Options { threads: NonZero::new(threads), kernel, ..Options::default() }
}

/// The kernels that this machine has.
fn kernels() -> Vec<Kernel> {
    Kernel::NAMED.into_iter().chain([Kernel::Auto]).filter(|kernel| kernel.is_here()).collect()
}

/// The rows of an undisturbed run.
fn undisturbed(end: u64, options: Options) -> (Vec<Record>, Done) {
    let mut rows = Vec::new();
    let mut visit = |row| {
        rows.push(row);
        ControlFlow::Continue(())
    };
    let report = band::rows(end, options, &mut visit).unwrap();
    (rows, report)
}

/// A folder, with checkpoints as often as possible.
fn folder() -> (TempDir, Checkpoints<'static>) {
    let folder = TempDir::new().unwrap();
    let checkpoints = Checkpoints::new(folder.path()).every(Duration::ZERO);
    (folder, checkpoints)
}

/// Resumes from the newest checkpoint, to before `end`, or until `stop` rows have been visited, and
/// compares them. Returns their number, and the report of the engine.
fn go_on(
    end: u64,
    options: Options,
    checkpoints: &Checkpoints,
    stop: usize,
    expected: &[Record],
) -> (usize, Done) {
    let from = checkpoints.newest().unwrap();
    let mut seen = 0;
    let mut visit = |row: Record| {
        assert_eq!(row, expected[seen]);
        seen += 1;
        if seen == stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let report = resumable_rows(end, options, checkpoints, from, &mut visit).unwrap();
    (seen, report)
}

/// A list of events, and a listener that adds to it.
fn told() -> (Arc<Mutex<Vec<CheckpointEvent>>>, impl Fn(&CheckpointEvent) + Sync) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let keep = told.clone();
    (told, move |news: &CheckpointEvent| keep.lock().unwrap().push(news.clone()))
}

/// The names in a folder.
fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Those of checkpoints.
fn checkpoints_in(folder: &Path) -> BTreeSet<String> {
    names(folder).into_iter().filter(|name| name.starts_with("checkpoint-")).collect()
}

/// The row from which a run resumes that begins now.
fn newest_row(checkpoints: &Checkpoints) -> Option<u64> {
    let newest = checkpoints.newest().unwrap();
    checkpoints.set_damaged_aside(true);
    newest.as_ref().map(Checkpoint::row)
}

/// Runs to before `end`, from one checkpoint to the next, until there are two, the newer one at
/// `wanted` or above. Every run that passes a boundary leaves a checkpoint.
fn interrupted(end: u64, wanted: u64, checkpoints: &Checkpoints, options: Options) {
    loop {
        let from = checkpoints.newest().unwrap();
        let before = from.as_ref().map(Checkpoint::row);
        let visit = &mut |row: Record| {
            if row.row() + 1 == end { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        resumable_rows(end, options, checkpoints, from, visit).unwrap();
        if before.is_some() && newest_row(checkpoints).is_some_and(|row| row >= wanted) {
            return;
        }
    }
}

#[test]
fn stopped_anywhere_resumed_with_anything() {
    let (expected, whole) = undisturbed(6000, Options::default());
    let kernels = kernels();
    let mut resumed = 0;
    for stop in (1..6000).step_by(271) {
        let (_folder, checkpoints) = folder();
        let mut at = stop;
        for round in 0.. {
            let kernel = kernels[(stop + round) % kernels.len()];
            let options = options([1, 2, 3, 8][(stop / 271 + round) % 4], kernel);
            resumed += usize::from(newest_row(&checkpoints).is_some());
            let (seen, report) = go_on(6000, options, &checkpoints, at, &expected);
            if seen == expected.len() {
                assert_eq!(report, whole);
                break;
            }
            assert_eq!((seen, report.rows), (at, at as u64));
            at += 1700;
        }
        checkpoints.remove(6000).unwrap();
        assert!(newest_row(&checkpoints).is_none());
    }
    assert!(resumed > 30, "only {resumed} runs had a checkpoint to resume from");
}

#[test]
fn other_ends() {
    let (expected, whole) = undisturbed(6000, Options::default());
    let (folder, checkpoints) = folder();
    interrupted(6000, 3000, &checkpoints, options(2, Kernel::Auto));
    let row = newest_row(&checkpoints).unwrap();
    assert!((3000..6000).contains(&row), "{row}");
    // Runs that end below the checkpoint only use its rows.
    for end in [0, 1, 1000, row - 1, row, row + 1, 5999] {
        let (seen, report) = go_on(end, Options::default(), &checkpoints, 0, &expected);
        assert_eq!((seen as u64, report.rows), (end, end));
    }
    let row = newest_row(&checkpoints).unwrap();
    let from = checkpoints.newest().unwrap();
    let file = from.as_ref().unwrap().path().to_owned();
    let visit = &mut |_: Record| -> ControlFlow<()> { panic!("no row is visited") };
    let error = resumable_rows(6001, Options::default(), &checkpoints, from, visit);
    let refused = format!(
        "the checkpoint {} has the words for rows below 6000 only, and this run needs rows below 6008;",
        file.display()
    );
    assert!(error.unwrap_err().to_string().starts_with(&refused));
    assert_eq!(newest_row(&checkpoints), Some(row));
    let (seen, report) = go_on(6000, options(1, Kernel::Auto), &checkpoints, 0, &expected);
    assert_eq!((seen, report), (6000, whole));
    checkpoints.remove(6000).unwrap();
    checkpoints.remove_words().unwrap();
    assert!(names(folder.path()).is_empty());
}

/// The exceptions are part of a checkpoint, and its checks succeed for all windows.
#[test]
fn exceptions_are_restored() {
    let mut fallbacks = 0;
    for (below_low, below_high) in [(6, 7), (0, 7), (11, 12)] {
        let windows = Windows::new(below_low, below_high, 0).unwrap();
        let options = Options { windows, ..options(2, Kernel::Auto) };
        let (expected, whole) = undisturbed(4000, options);
        fallbacks += whole.fallbacks;
        for stop in (1500..4000).step_by(500) {
            let (_folder, checkpoints) = folder();
            go_on(4000, options, &checkpoints, stop, &expected);
            let (seen, report) = go_on(4000, options, &checkpoints, 0, &expected);
            assert_eq!((seen, report), (4000, whole));
        }
    }
    assert!(fallbacks > 10);
}

#[test]
fn other_windows_and_versions_are_refused() {
    let (_folder, checkpoints) = folder();
    interrupted(3000, 1300, &checkpoints, Options::default());
    let windows = Windows::new(12, 7, 0).unwrap();
    let from = checkpoints.newest().unwrap();
    let path = from.as_ref().unwrap().path().to_owned();
    let visit = &mut |_: Record| -> ControlFlow<()> { panic!("no row is visited") };
    let options = Options { windows, ..Options::default() };
    let error = resumable_rows(3000, options, &checkpoints, from, visit).unwrap_err();
    assert!(error.to_string().contains("[11, 7, 0], and this run has [12, 7, 0]"), "{error}");

    let mut bytes = fs::read(&path).unwrap();
    bytes.truncate(bytes.len() - 32);
    assert!(bytes.starts_with(b"chomp-checkpoint 10 "));
    bytes[17..19].copy_from_slice(b"8 ");
    bytes[17] = b'9';
    fs::write(&path, sealed(&bytes)).unwrap();
    let refused = |version: u64| {
        let error = checkpoints.newest().unwrap_err();
        let expected =
            format!("the checkpoint {} has format version {version}, and ", path.display());
        assert!(error.to_string().starts_with(&expected), "{error}");
        assert!(error.to_string().contains("or choose another folder"), "{error}");
        assert!(path.exists());
    };
    refused(9);
    // An earlier program wrote long ones, with the words.
    bytes[17] = b'8';
    bytes.resize(10_000_000, 0);
    fs::write(&path, sealed(&bytes)).unwrap();
    refused(8);
}

fn sealed(bytes: &[u8]) -> Vec<u8> {
    [bytes, blake3::hash(bytes).as_bytes()].concat()
}

/// Two checkpoints; the newer one is the file that will be damaged.
fn generations(checkpoints: &Checkpoints, folder: &Path) -> (PathBuf, Vec<u8>, u64) {
    interrupted(3000, 1300, checkpoints, Options::default());
    let names = checkpoints_in(folder);
    assert_eq!(names.len(), 2, "{names:?}");
    let newest = folder.join(names.last().unwrap());
    let bytes = fs::read(&newest).unwrap();
    let row = |name: &String| name["checkpoint-".len()..].trim_end_matches(".bin").parse().unwrap();
    (newest, bytes, row(names.first().unwrap()))
}

#[test]
fn damage_is_detected_and_the_older_checkpoint_is_used() {
    let (folder, checkpoints) = folder();
    let (newest, bytes, before) = generations(&checkpoints, folder.path());
    let aside = newest.with_extension("bin.damaged");
    let damage = |damaged: &[u8]| {
        fs::write(&newest, damaged).unwrap();
        assert_eq!(newest_row(&checkpoints), Some(before));
        assert!(!newest.exists());
        assert_eq!(fs::read(&aside).unwrap(), damaged);
        fs::remove_file(&aside).unwrap();
    };
    let near_the_ends = (0..200).chain(bytes.len() - 200..bytes.len());
    for length in near_the_ends.clone().chain((0..bytes.len()).step_by(bytes.len() / 300)) {
        damage(&bytes[..length]);
    }
    for at in near_the_ends.chain((0..bytes.len()).step_by(bytes.len() / 300)) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        damage(&damaged);
    }
    damage(&[bytes.as_slice(), &[0]].concat());

    fs::write(&newest, "").unwrap();
    let (told, hear) = told();
    assert_eq!(newest_row(&checkpoints.clone().listener(&hear)), Some(before));
    let news = told.lock().unwrap().pop().unwrap();
    let said = [format!("{} is damaged", newest.display()), format!("now {}", aside.display())];
    assert!(said.iter().all(|said| news.to_string().contains(said)), "{news}");

    let (expected, _) = undisturbed(3000, Options::default());
    assert_eq!(go_on(3000, Options::default(), &checkpoints, 0, &expected).0, 3000);
}

/// Even with a right hash, no content makes the reader panic or allocate much memory. It is
/// refused, or used if no check applies.
#[test]
fn forged_files_do_not_panic_the_reader() {
    let (folder, checkpoints) = folder();
    let (newest, bytes, _) = generations(&checkpoints, folder.path());
    let bytes = &bytes[..bytes.len() - 32];
    let header = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    for length in (0..200).chain(bytes.len() - 100..bytes.len()) {
        fs::write(&newest, sealed(&bytes[..length])).unwrap();
        let _ = checkpoints.newest();
    }
    // Also the floor of the corner: a wrong number would make the engine search for it.
    let (floor, row) = (floor(bytes), header + FILE * files_in(bytes));
    let near = (0..header + 8).chain(row..row + 40).chain(floor..floor + 8);
    for at in near.chain(bytes.len() - 40..bytes.len()) {
        for bit in 0..8 {
            let mut forged = bytes.to_vec();
            forged[at] ^= 1 << bit;
            fs::write(&newest, sealed(&forged)).unwrap();
            if let Ok(Some(from)) = checkpoints.newest() {
                let end = from.row() + 100;
                let visit = &mut |_: Record| ControlFlow::Continue(());
                let _ = resumable_rows(end, Options::default(), &checkpoints, Some(from), visit);
            }
        }
    }
}

/// The bytes of a file of words in a checkpoint.
const FILE: usize = 24;

/// The number of files of words, and the row, in the header of a checkpoint.
fn files_in(bytes: &[u8]) -> usize {
    let header = str::from_utf8(bytes.split(|&byte| byte == b'\n').next().unwrap()).unwrap();
    header.rsplit(' ').next().unwrap().parse().unwrap()
}

/// The place of the floor of the corner, after the rows, for the default windows.
fn floor(bytes: &[u8]) -> usize {
    let header = str::from_utf8(bytes.split(|&byte| byte == b'\n').next().unwrap()).unwrap();
    let row: u64 = header.split(' ').nth(3).unwrap().parse().unwrap();
    let times_root_2 = |n: u64| (2 * n * n).isqrt();
    // The low anchor of the first tile of the band below.
    let anchor = row - 8 + times_root_2(row - 8) - 11 - times_root_2(row / 2 + 28);
    let floor = (anchor / 64 * 64).to_le_bytes();
    bytes.windows(8).position(|bytes| bytes == floor).unwrap()
}

/// The memory of a run depends on its own end, not on that of a header (for 2^29 the weights of the
/// columns alone would have 6 GB).
#[test]
fn a_far_end_in_a_header_costs_nothing() {
    let (expected, _) = undisturbed(2500, Options::default());
    let (folder, checkpoints) = folder();
    // So far from its end that no word is omitted.
    go_on(6000, options(1, Kernel::Auto), &checkpoints, 1217, &expected);
    let (row, name) =
        (newest_row(&checkpoints).unwrap(), checkpoints_in(folder.path()).pop_last().unwrap());
    let bytes = fs::read(folder.path().join(&name)).unwrap();
    let header = format!("chomp-checkpoint 10 row {row} end 6000 ");
    let rest = bytes.strip_prefix(header.as_bytes()).unwrap();
    let header = format!("chomp-checkpoint 10 row {row} end 536870904 ");
    let far = [header.as_bytes(), &rest[..rest.len() - 32]].concat();
    fs::write(folder.path().join(name), sealed(&far)).unwrap();
    let from = checkpoints.newest().unwrap().unwrap();
    assert_eq!((from.row(), from.end()), (row, 536_870_904));
    let mut seen = 0;
    let visit = &mut |row: Record| {
        assert_eq!(row, expected[seen]);
        seen += 1;
        ControlFlow::Continue(())
    };
    resumable_rows(2500, Options::default(), &checkpoints, Some(from), visit).unwrap();
    assert_eq!(seen, 2500);
}

/// The newest checkpoint cannot be read. It may be intact, and the work of days.
#[cfg(unix)]
#[test]
fn unreadable_checkpoints_are_not_changed() {
    use std::os::unix::fs::symlink;
    let (folder, checkpoints) = folder();
    let (_, _, before) = generations(&checkpoints, folder.path());
    let newest = folder.path().join("checkpoint-0000099992.bin");
    let fifo = |path: &Path| {
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    let ways: [fn(&Path); 3] = [
        |path| symlink(path, path).unwrap(),
        |path| symlink("nowhere", path).unwrap(),
        |path| fs::create_dir(path).unwrap(),
    ];
    for way in ways.iter().map(|way| way as &dyn Fn(&Path)).chain([&fifo as &dyn Fn(&Path)]) {
        way(&newest);
        let found = names(folder.path());
        let error = checkpoints.newest().unwrap_err();
        assert!(
            matches!(&error, WordsError::File { kind: FileProblem::Unreadable, file, .. } if *file == newest)
        );
        assert_eq!(names(folder.path()), found);
        // The older ones stay, because it may be unusable, and so does this one at the end.
        interrupted_from_nothing(&checkpoints);
        assert!(names(folder.path()).is_superset(&found));
        assert!(checkpoints.remove(2100).unwrap().contains(&newest));
        assert_eq!(names(folder.path()), found);
        fs::remove_file(&newest).or_else(|_| fs::remove_dir(&newest)).unwrap();
        assert!(newest_row(&checkpoints) > Some(before));
    }
}

/// A run to before row 2100 that ignores the existing checkpoints and their words, and leaves
/// checkpoints of its own.
fn interrupted_from_nothing(checkpoints: &Checkpoints) {
    let words = TempDir::new().unwrap();
    let checkpoints = &checkpoints.clone().spill(words.path(), u64::MAX);
    let visit = &mut |row: Record| {
        if row.row() < 1900 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    resumable_rows(2100, options(1, Kernel::Auto), checkpoints, None, visit).unwrap();
}

/// A shorter run in the folder of an interrupted longer one does not harm the longer one.
#[test]
fn a_run_removes_its_own_checkpoints_only() {
    let (expected, whole) = undisturbed(6000, Options::default());
    let (folder, checkpoints) = folder();
    interrupted(6000, 3000, &checkpoints, options(2, Kernel::Auto));
    assert_eq!(checkpoints_in(folder.path()).len(), 2);
    // A shorter run that resumes from them leaves newer ones, which the longer run can use.
    let row = newest_row(&checkpoints).unwrap();
    let end = row + 100;
    let (seen, _) = go_on(end, Options::default(), &checkpoints, 0, &expected);
    assert_eq!(seen as u64, end);
    assert_eq!(checkpoints.remove(end).unwrap().len(), 2);
    assert!(newest_row(&checkpoints).unwrap() >= row);
    let found = names(folder.path());
    // One that does not resume removes only its own, during the run and at its end.
    interrupted_from_nothing(&checkpoints);
    let own: Vec<String> = names(folder.path()).difference(&found).cloned().collect();
    assert!((1..=2).contains(&own.len()), "{own:?}");
    assert_eq!(checkpoints.remove(2100).unwrap().len(), 2);
    assert_eq!(names(folder.path()), found);
    let (seen, report) = go_on(6000, Options::default(), &checkpoints, 0, &expected);
    assert_eq!((seen, report), (6000, whole));
    assert!(checkpoints.remove(6000).unwrap().is_empty());
    checkpoints.remove_words().unwrap();
    assert!(names(folder.path()).is_empty());
}

#[test]
fn failures_to_write_are_reported() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "in the way").unwrap();
    let (folder_of_none, (told, hear)) = (file.join("checkpoints"), told());
    let checkpoints = Checkpoints::new(&folder_of_none).every(Duration::ZERO).listener(&hear);
    let checkpoints = checkpoints.spill(folder.path().join("words"), u64::MAX);
    let (expected, _) = undisturbed(4000, Options::default());
    let mut seen = 0;
    let mut visit = |row: Record| {
        assert_eq!(row, expected[seen]);
        seen += 1;
        ControlFlow::Continue(())
    };
    resumable_rows(4000, Options::default(), &checkpoints, None, &mut visit).unwrap();
    assert_eq!(seen, 4000);
    assert_eq!(names(folder.path()).len(), 1);
    let told = told.lock().unwrap();
    let said = format!("could not be written to {}: ", folder_of_none.display());
    assert!(told.iter().any(|news| news.to_string().contains(&said)), "{told:?}");
}

#[test]
fn two_generations_and_no_partial_file() {
    let (folder, checkpoints) = folder();
    fs::write(folder.path().join("rows-0000000.ron"), "not ours").unwrap();
    fs::write(folder.path().join(".writing-checkpoint-0000001216.bin"), "cut").unwrap();
    for wanted in [1300, 4300] {
        interrupted(5000, wanted, &checkpoints, options(3, Kernel::Auto));
        let names = names(folder.path());
        let ours = names.iter().filter(|name| name.starts_with("checkpoint-")).count();
        // And their words.
        assert_eq!((names.len(), ours), (4, 2), "{names:?}");
    }
    checkpoints.remove(5000).unwrap();
    checkpoints.remove_words().unwrap();
    assert_eq!(names(folder.path()).len(), 1);
}

#[test]
fn a_long_interval_writes_nothing() {
    let folder = TempDir::new().unwrap();
    let checkpoints = Checkpoints::new(folder.path());
    for checkpoints in [checkpoints.clone(), checkpoints.every(Duration::MAX)] {
        let visit = &mut |_: Record| ControlFlow::Continue(());
        resumable_rows(3000, Options::default(), &checkpoints, None, visit).unwrap();
        assert!(names(folder.path()).is_empty());
    }
}

/// The first checkpoint is the same file with any kernel, and with any threads up to its words,
/// whose order depends on the threads. If it changes, the version must change too: a program that
/// expects another state must not resume from it.
#[test]
fn the_format_is_what_it_was() {
    for kernel in kernels() {
        for threads in [1, 3] {
            let (_folder, checkpoints) = folder();
            // One boundary and a few rows above it.
            let visit = &mut |row: Record| {
                if row.row() == 1539 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            resumable_rows(1540, options(threads, kernel), &checkpoints, None, visit).unwrap();
            let checkpoint = checkpoints.newest().unwrap().unwrap();
            assert_eq!(checkpoint.row(), 1536);
            let bytes = fs::read(checkpoint.path()).unwrap();
            let hash = |bytes: &[u8]| blake3::hash(bytes).to_hex()[..16].to_owned();
            let header = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
            let state = &bytes[header + FILE * files_in(&bytes)..bytes.len() - 32];
            assert_eq!(hash(state), "9bbe0a5af8a1d91f", "{kernel:?}, {threads} threads");
            if threads == 1 {
                assert_eq!(hash(&bytes), "ad84d0612d0edced", "{kernel:?}");
            }
        }
    }
}

/// The variable with the folder of checkpoints of [`to_be_killed`].
const KILLED: &str = "CHECKPOINTS_OF_A_RUN_TO_BE_KILLED";

/// The variables with its folder of words, if they wait on disk, and the bytes of words in memory.
const KILLED_WORDS: &str = "WORDS_OF_A_RUN_TO_BE_KILLED";
const KILLED_MEMORY: &str = "MEMORY_OF_A_RUN_TO_BE_KILLED";

#[test]
fn killed_at_any_time() {
    let (folder, checkpoints) = folder();
    kill(&folder, &checkpoints, None);
}

#[test]
fn killed_at_any_time_while_words_are_on_disk() {
    for memory in [WORDS, ALL_WORDS] {
        let (folder, checkpoints) = folder();
        let words = TempDir::new().unwrap();
        let words = words.path().join("words");
        kill(&folder, &checkpoints.spill(&words, memory), Some((&words, memory)));
        // A run that was killed just after it made the folder can have left it.
        assert!(!words.exists() || names(&words).is_empty());
    }
}

/// Bytes of words in memory: a tenth of what runs to 20 000 need.
const WORDS: u64 = 150_000;

/// More than they need.
const ALL_WORDS: u64 = 10_000_000;

fn kill(folder: &TempDir, checkpoints: &Checkpoints, words: Option<(&Path, u64)>) {
    let mut rows = Vec::new();
    // Twenty times; on a busy machine ever later, until there is a checkpoint.
    for i in 0..100u64 {
        if i >= 20 && rows.last() > Some(&0) {
            break;
        }
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--ignored", "--exact", "checkpoints::to_be_killed"])
            .env(KILLED, folder.path())
            .envs(words.map(|(words, _)| (KILLED_WORDS, words)))
            .envs(words.map(|(_, memory)| (KILLED_MEMORY, memory.to_string())))
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let longer = i / 20 * 200;
        thread::sleep(Duration::from_millis(10 + longer + record::column_weight(i) % 100));
        child.kill().unwrap();
        child.wait().unwrap();
        rows.push(newest_row(checkpoints).unwrap_or(0));
        let names = names(folder.path());
        assert!(names.iter().all(|name| !name.ends_with(".damaged")), "{names:?}");
    }
    assert!(rows.is_sorted() && rows.last() > Some(&0), "{rows:?}");
    let (expected, whole) = undisturbed(20_000, Options::default());
    let (seen, report) = go_on(20_000, options(2, Kernel::Auto), checkpoints, 0, &expected);
    assert_eq!((seen, report), (20_000, whole));
    assert_eq!(checkpoints.remove(20_000).unwrap(), Vec::<PathBuf>::new());
    checkpoints.remove_words().unwrap();
}

#[test]
#[ignore = "it runs in a process that killed_at_any_time kills"]
fn to_be_killed() {
    let Ok(folder) = env::var(KILLED) else { return };
    let mut checkpoints = Checkpoints::new(folder).every(Duration::ZERO);
    if let Ok(words) = env::var(KILLED_WORDS) {
        checkpoints = checkpoints.spill(words, env::var(KILLED_MEMORY).unwrap().parse().unwrap());
    }
    let from = checkpoints.newest().unwrap();
    let visit = &mut |_: Record| ControlFlow::Continue(());
    resumable_rows(20_000, options(3, Kernel::Auto), &checkpoints, from, visit).unwrap();
}

/// A visitor that records progress.
#[derive(Default)]
struct Progress(Vec<Done>);

impl Visitor for Progress {
    fn row(&mut self, _: Record, _: Option<&[u64]>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn progress(&mut self, done: Done) {
        self.0.push(done);
    }
}

#[test]
fn progress_is_reported_at_every_block() {
    let mut progress = Progress::default();
    let report = band::rows(6000, Options::default(), &mut progress).unwrap();
    assert!(progress.0.windows(2).all(|pair| pair[0].cells < pair[1].cells));
    assert!(progress.0.windows(2).all(|pair| pair[1].rows - pair[0].rows <= 512));
    assert_eq!(progress.0.last(), Some(&report));
}

#[test]
fn stopped_at_regular_distances() {
    let (expected, _) = undisturbed(6000, Options::default());
    let (_folder, checkpoints) = folder();
    for stop in (1..=6000).step_by(47) {
        go_on(6000, options(1 + stop % 3, Kernel::Auto), &checkpoints, stop, &expected);
    }
    assert_eq!(go_on(6000, Options::default(), &checkpoints, 0, &expected).0, 6000);
}

/// A run with words on disk finds the same rows, with any number of threads, and removes its files.
#[test]
fn words_on_disk_change_no_row() {
    let (expected, whole) = undisturbed(20_000, Options::default());
    for (threads, memory) in [(1, 0), (1, WORDS), (2, WORDS / 4), (3, WORDS), (8, WORDS)] {
        let folder = TempDir::new().unwrap();
        let words = folder.path().join("words");
        let checkpoints = Checkpoints::new(folder.path()).spill(&words, memory);
        let mut most = 0;
        let mut seen = 0;
        let visit = &mut |row: Record| {
            assert_eq!(row, expected[seen]);
            seen += 1;
            if seen.is_multiple_of(1000) {
                most = most.max(names(&words).len());
            }
            ControlFlow::Continue(())
        };
        let options = options(threads, Kernel::Auto);
        let report = resumable_rows(20_000, options, &checkpoints, None, visit).unwrap();
        assert_eq!((seen, report), (20_000, whole));
        // One names their owner.
        assert!(most > 3, "{most} files");
        checkpoints.remove(20_000).unwrap();
        checkpoints.remove_words().unwrap();
        assert!(!words.exists());
    }
}

/// A checkpoint contains no words, for any amount of memory.
#[test]
fn checkpoints_name_files_of_words() {
    let of_a_row = |memory: u64| {
        let (folder, checkpoints) = folder();
        let checkpoints = checkpoints.spill(folder.path().join("words"), memory);
        // In the middle, where most words wait: they have more than 100 bytes for each row.
        let from = loop {
            let from = checkpoints.newest().unwrap();
            if from.as_ref().is_some_and(|from| from.row() >= 8000) {
                break from.unwrap();
            }
            let visit = &mut |row: Record| {
                if row.row() < 12_000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            let options = options(2, Kernel::Auto);
            resumable_rows(20_000, options, &checkpoints, from, visit).unwrap();
        };
        fs::metadata(from.path()).unwrap().len() / from.row()
    };
    for memory in [0, WORDS, ALL_WORDS, u64::MAX] {
        assert!(of_a_row(memory) < 60);
    }
}

/// Runs that are stopped anywhere, and resume with more memory or less, and other threads.
#[test]
fn stopped_anywhere_with_words_on_disk() {
    let end = 8000;
    let (expected, whole) = undisturbed(end, Options::default());
    for (start, memory) in [(700, 0), (1400, 20_000), (2100, ALL_WORDS)] {
        let folder = TempDir::new().unwrap();
        let words = folder.path().join("words");
        let mut at = start;
        for round in 0.. {
            let memory = if round % 2 == 0 { memory } else { 50_000 };
            let checkpoints =
                Checkpoints::new(folder.path()).every(Duration::ZERO).spill(&words, memory);
            let options = options([2, 1, 3][round % 3], Kernel::Auto);
            let (seen, report) = go_on(end, options, &checkpoints, at, &expected);
            if seen == expected.len() {
                assert_eq!(report, whole);
                checkpoints.remove(end).unwrap();
                checkpoints.remove_words().unwrap();
                break;
            }
            at += 700;
        }
        assert!(!words.exists());
    }
}

/// If words for a checkpoint cannot be written, this is reported, and the run continues as long as
/// memory has room.
#[test]
fn words_of_a_checkpoint_that_cannot_be_written() {
    let (expected, whole) = undisturbed(20_000, Options::default());
    let is_of_words = |news: &CheckpointEvent| matches!(news, CheckpointEvent::Warning(words) if words.contains("words-"));
    // The run can end before it is reported.
    for _ in 0..50 {
        let (folder, checkpoints) = folder();
        let (words, (told, hear)) = (folder.path().join("words"), told());
        let checkpoints = checkpoints.spill(&words, ALL_WORDS).listener(&hear);
        let mut seen = 0;
        let visit = &mut |row: Record| {
            assert_eq!(row, expected[seen]);
            if seen == 0 {
                for reader in 0..40 {
                    fs::create_dir(words.join(format!("words-{reader:07}.bin"))).unwrap();
                }
            }
            seen += 1;
            ControlFlow::Continue(())
        };
        let done = resumable_rows(20_000, Options::default(), &checkpoints, None, visit);
        assert_eq!((seen, done), (20_000, Ok(whole)));
        if told.lock().unwrap().iter().any(is_of_words) {
            return;
        }
    }
    panic!("no checkpoint was tried");
}

/// The words on disk that a checkpoint needs are verified before anything is used.
#[test]
fn words_that_are_damaged_or_missing() {
    let (expected, whole) = undisturbed(20_000, Options::default());
    let run = || {
        let (folder, checkpoints) = folder();
        let words = folder.path().join("words");
        let checkpoints = checkpoints.spill(&words, WORDS / 4);
        interrupted(20_000, 8000, &checkpoints, options(2, Kernel::Auto));
        // A run that ends below the checkpoint leaves the files that the checkpoint needs.
        go_on(20_000, options(2, Kernel::Auto), &checkpoints, 1, &expected);
        let row = newest_row(&checkpoints).unwrap();
        (folder, checkpoints, words, row)
    };
    let finish = |checkpoints: &Checkpoints| {
        let (seen, report) = go_on(20_000, options(1, Kernel::Auto), checkpoints, 0, &expected);
        assert_eq!((seen, report), (20_000, whole));
    };

    // By another run.
    let (_folder, checkpoints, words, _) = run();
    let other = TempDir::new().unwrap();
    let begun = Checkpoints::new(other.path()).spill(&words, WORDS);
    let visit = &mut |_: Record| ControlFlow::Continue(());
    let error = resumable_rows(3000, Options::default(), &begun, None, visit).unwrap_err();
    assert!(error.to_string().contains("it has words of the run in"), "{error}");
    finish(&checkpoints);

    // Several kinds of damage to a file. One that is too short can be an old copy.
    for damage in 1..4 {
        let (folder, checkpoints, words, row) = run();
        let files = names(&words).into_iter().filter(|name| name.starts_with("words-"));
        let file = words.join(files.max().unwrap());
        let mut bytes = fs::read(&file).unwrap();
        match damage {
            1 => fs::write(&file, &bytes[..100]).unwrap(),
            2 => fs::write(&file, b"").unwrap(),
            _ => {
                bytes[300] ^= 1;
                fs::write(&file, &bytes).unwrap();
            }
        }
        let (told, hear) = told();
        let checkpoints = checkpoints.listener(&hear);
        if damage < 3 {
            let error = checkpoints.newest().unwrap_err();
            let expected = " needs words that cannot be read: ";
            assert!(error.to_string().contains(expected), "{error}");
            assert!(told.lock().unwrap().is_empty());
            continue;
        }
        let found = newest_row(&checkpoints);
        assert!(found < Some(row), "{damage}: {found:?}");
        let told = told.lock().unwrap();
        let CheckpointEvent::Warning(problem) = &told[0] else { panic!("{told:?}") };
        assert!(problem.contains(file.to_str().unwrap()), "{problem}");
        drop(told);
        finish(&checkpoints);
        drop(folder);
    }
}

/// A folder that cannot be written to ends the run with an error that names it.
#[test]
fn words_that_cannot_be_written() {
    let (_folder, checkpoints) = folder();
    let file = tempfile::NamedTempFile::new().unwrap();
    let checkpoints = checkpoints.spill(file.path(), WORDS);
    let visit = &mut |_: Record| ControlFlow::Continue(());
    let error = resumable_rows(20_000, Options::default(), &checkpoints, None, visit).unwrap_err();
    assert!(
        matches!(&error, WordsError::File { kind: FileProblem::SpillFolder, file: there, .. } if there == file.path())
    );
    // During a run: a folder has the name of a file.
    let words = TempDir::new().unwrap();
    let checkpoints = checkpoints.spill(words.path(), WORDS);
    let visit = &mut |row: Record| {
        for reader in (10..40).filter(|_| row.row() == 0) {
            fs::create_dir(words.path().join(format!("words-{reader:07}.bin"))).unwrap();
        }
        ControlFlow::Continue(())
    };
    let error = resumable_rows(20_000, Options::default(), &checkpoints, None, visit).unwrap_err();
    assert!(matches!(&error, WordsError::Sweep(SweepError::Words { .. })), "{error}");
}

/// The content of a folder: names, and the content of files.
fn content(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            found.extend(content(&entry.path()));
        }
        let bytes = entry.file_type().unwrap().is_file().then(|| fs::read(entry.path()).unwrap());
        found.insert(entry.path(), bytes);
    }
    found
}

/// A run to 20 000 that keeps its words in a folder.
fn with_words_in(words: &Path, visit: &mut dyn Visitor) -> Result<Done, WordsError> {
    let (_folder, checkpoints) = folder();
    let checkpoints = checkpoints.spill(words, WORDS / 4);
    let done = resumable_rows(20_000, Options::default(), &checkpoints, None, visit)?;
    checkpoints.remove(20_000).unwrap();
    checkpoints.remove_words().unwrap();
    Ok(done)
}

/// Words belong to the run only if their owner file says so. Otherwise it is an error before
/// anything is changed.
#[test]
fn files_of_others_are_not_changed() {
    let write = |name: &'static str, text: &'static str| {
        move |words: &Path| fs::write(words.join(name), text).unwrap()
    };
    let make = |name: &'static str| move |words: &Path| fs::create_dir(words.join(name)).unwrap();
    let thesis = write("words-0000005.bin", "thesis");
    let of_another = write("owner.txt", "words of the run in /another\n");
    let both = |words: &Path| {
        thesis(words);
        of_another(words);
    };
    let own_text = write("owner.txt", "Please return this disk to Anna.\n");
    let long = |words: &Path| fs::write(words.join("owner.txt"), " ".repeat(1 << 17)).unwrap();
    let [odd, no_owner] = ["words-0000099.bin", "owner.txt"].map(make);
    let cases = [
        ("no owner.txt names their run", &thesis as &dyn Fn(&Path)),
        ("it has words of the run in /another", &both),
        ("does not name the run of these words", &own_text),
        ("may have at most 65536", &long),
        ("it is not a regular file", &no_owner),
        ("not a regular file", &odd),
    ];
    for (problem, prepare) in cases {
        let words = TempDir::new().unwrap();
        prepare(words.path());
        let before = content(words.path());
        let visit = &mut |_: Record| panic!("{problem}: no row is found");
        let error = with_words_in(words.path(), visit).unwrap_err();
        assert!(
            matches!(error, WordsError::File { kind: FileProblem::SpillFolder, .. }),
            "{error}"
        );
        assert!(error.to_string().contains(problem), "{error}");
        assert_eq!(content(words.path()), before, "{problem}");
    }
}

/// In a folder of words, no link is followed, and no FIFO or device is opened.
#[cfg(unix)]
#[test]
fn links_and_devices_in_a_folder_of_words() {
    use std::os::unix::fs::symlink;

    let elsewhere = TempDir::new().unwrap();
    let file = elsewhere.path().join("words-0000007.bin");
    fs::write(&file, "kept").unwrap();
    let before = content(elsewhere.path());
    let fifo = elsewhere.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    for (target, name) in [
        (file.as_path(), "words-0000007.bin"),
        (&file, "owner.txt"),
        (Path::new("/dev/zero"), "owner.txt"),
        (&fifo, "words-0000020.bin"),
        (&fifo, "owner.txt"),
    ] {
        let words = TempDir::new().unwrap();
        symlink(target, words.path().join(name)).unwrap();
        let visit = &mut |_: Record| ControlFlow::Continue(());
        let error = with_words_in(words.path(), visit).unwrap_err();
        assert!(
            matches!(error, WordsError::File { kind: FileProblem::SpillFolder, .. }),
            "{name}: {error}"
        );
        assert_eq!(names(words.path()), [name.to_owned()].into());
    }
    fs::remove_file(fifo).unwrap();
    assert_eq!(content(elsewhere.path()), before);
}

/// Files with other names stay, and so does a folder that existed before.
#[test]
fn a_run_removes_only_its_own_files_and_folders() {
    let visit = &mut |_: Record| ControlFlow::Continue(());
    let words = TempDir::new().unwrap();
    for name in ["words-5.bin", "words-007.bin", "words-+7.bin", "words-5000000.txt", "thesis"] {
        fs::write(words.path().join(name), name).unwrap();
    }
    let before = content(words.path());
    with_words_in(words.path(), visit).unwrap();
    assert_eq!(content(words.path()), before);
    // An owner file without words remains from another run.
    fs::write(words.path().join("owner.txt"), "words of the run in /another\n").unwrap();
    with_words_in(words.path(), visit).unwrap();
    assert_eq!(content(words.path()), before);
    // A folder with the name of a process, without words.
    fs::create_dir(words.path().join("rank-0003")).unwrap();
    fs::write(words.path().join("rank-0003/thesis"), "").unwrap();
    let before = content(words.path());
    with_words_in(words.path(), visit).unwrap();
    assert_eq!(content(words.path()), before);
    let deeper = words.path().join("deeper");
    with_words_in(&deeper, visit).unwrap();
    assert_eq!(content(words.path()), before);
    // A run that ends at once leaves nothing either.
    with_words_in(&deeper, &mut |_: Record| ControlFlow::Break(())).unwrap();
    assert_eq!(content(words.path()), before);
}

/// At the end, a folder that an earlier run has made goes, and one of the user stays.
#[test]
fn a_folder_of_words_goes_if_a_run_has_made_it() {
    let end = 20_000;
    let (expected, whole) = undisturbed(end, Options::default());
    for is_made in [true, false] {
        let (_folder, checkpoints) = folder();
        let base = TempDir::new().unwrap();
        let words = base.path().join("words");
        if !is_made {
            fs::create_dir(&words).unwrap();
        }
        let checkpoints = checkpoints.spill(&words, WORDS / 4);
        interrupted(end, 8000, &checkpoints, options(2, Kernel::Auto));
        let found = go_on(end, Options::default(), &checkpoints, 0, &expected);
        assert_eq!(found, (expected.len(), whole));
        checkpoints.remove(end).unwrap();
        checkpoints.remove_words().unwrap();
        assert_eq!(words.exists(), !is_made);
    }
}

/// Two runs cannot use one folder of words at the same time.
#[test]
fn a_folder_of_words_is_for_one_run_at_a_time() {
    let base = TempDir::new().unwrap();
    let words = base.path().join("words");
    let mut seen = 0;
    let visit = &mut |_: Record| {
        if seen == 15_000 {
            let before = names(&words).into_iter().take(1).collect();
            let other = &mut |_: Record| panic!("the other run finds no row");
            let error = with_words_in(&words, other).unwrap_err();
            assert!(error.to_string().contains("another run keeps its words there"), "{error}");
            assert!(names(&words).is_superset(&before));
        }
        seen += 1;
        ControlFlow::Continue(())
    };
    with_words_in(&words, visit).unwrap();
    assert_eq!((seen, names(base.path()).len()), (20_000, 0));
}

/// Missing files do not count as damage: the folder can be mistyped, or its disk not mounted.
#[test]
fn words_that_are_absent_are_not_damaged() {
    let end = 20_000;
    let (expected, whole) = undisturbed(end, Options::default());
    let (folder, checkpoints) = folder();
    let words = folder.path().join("words");
    let here = checkpoints.clone().spill(&words, WORDS / 4);
    interrupted(end, 8000, &here, options(2, Kernel::Auto));
    let before = content(folder.path());
    let is_checkpoint = |path: &&PathBuf| {
        path.parent() == Some(folder.path()) && path.extension() == Some("bin".as_ref())
    };
    let newest = before.keys().rev().find(is_checkpoint).unwrap();
    let refused = |checkpoints: &Checkpoints| {
        let error = checkpoints.newest().unwrap_err();
        let WordsError::File { kind: FileProblem::Unusable, file, .. } = &error else {
            panic!("{error}")
        };
        assert_eq!(file, newest);
        assert!(error.to_string().contains("is its disk mounted?"), "{error}");
    };
    refused(&checkpoints.clone().spill(folder.path().join("wrods"), WORDS));
    let aside = TempDir::new().unwrap();
    // The newest checkpoint does not need some of the files.
    let mut needed = 0;
    for absent in before.keys().filter(|path| path.parent() == Some(&words)) {
        fs::rename(absent, aside.path().join("absent")).unwrap();
        if absent.ends_with("owner.txt") || here.newest().is_err() {
            refused(&here);
            needed += 1;
        }
        fs::rename(aside.path().join("absent"), absent).unwrap();
    }
    assert!(needed > 1, "{needed}");
    assert_eq!(content(folder.path()), before);
    assert_eq!(go_on(end, Options::default(), &here, 0, &expected), (expected.len(), whole));
}

/// After a run has resumed from the newest checkpoint, the one before it can still be used.
#[test]
fn both_checkpoints_can_be_used_after_a_run_was_resumed() {
    let end = 20_000;
    let (expected, whole) = undisturbed(end, Options::default());
    for rows_seen in [1, 9000, 12_000] {
        let (folder, checkpoints) = folder();
        let words = folder.path().join("words");
        let checkpoints = checkpoints.spill(&words, WORDS / 4);
        interrupted(end, 8000, &checkpoints, options(2, Kernel::Auto));
        go_on(end, options(2, Kernel::Auto), &checkpoints, rows_seen, &expected);
        let newest = checkpoints.newest().unwrap().unwrap();
        let mut bytes = fs::read(newest.path()).unwrap();
        bytes[1000] ^= 1;
        fs::write(newest.path(), &bytes).unwrap();
        let older = newest_row(&checkpoints);
        assert!(older.is_some_and(|row| row < newest.row()), "{older:?}");
        assert_eq!(
            go_on(end, Options::default(), &checkpoints, 0, &expected),
            (expected.len(), whole)
        );
        checkpoints.remove(end).unwrap();
        checkpoints.remove_words().unwrap();
        assert!(!words.exists());
    }
}

/// A run does not use the words of another run that was in its place or had its name.
#[cfg(unix)]
#[test]
fn a_run_in_the_place_of_another_leaves_its_words() {
    use std::os::unix::fs::symlink;

    let end = 20_000;
    let (expected, whole) = undisturbed(end, Options::default());
    let base = TempDir::new().unwrap();
    let [words, link] = ["words", "link"].map(|name| base.path().join(name));
    let [first, second] = ["first", "second"].map(|name| base.path().join(name));
    for folder in [&first, &second] {
        fs::create_dir(folder).unwrap();
    }
    symlink(&first, &link).unwrap();
    let of = |out: &Path| Checkpoints::new(out).every(Duration::ZERO).spill(&words, WORDS / 4);
    interrupted(end, 8000, &of(&link), options(2, Kernel::Auto));
    let before = content(base.path());
    let refused = |out: &Path| {
        let nobody = &mut |_: Record| panic!("no row is found");
        let run = resumable_rows(end, Options::default(), &of(out), None, nobody);
        let error = run.unwrap_err();
        assert!(
            matches!(error, WordsError::File { kind: FileProblem::SpillFolder, .. }),
            "{error}"
        );
    };
    // The link now leads elsewhere.
    fs::remove_file(&link).unwrap();
    symlink(&second, &link).unwrap();
    refused(&link);
    refused(&second);
    assert_eq!(content(base.path()).len(), before.len());
    // The folder was moved away, and there is another one of its name.
    let moved = base.path().join("moved");
    fs::rename(&first, &moved).unwrap();
    fs::rename(&second, &first).unwrap();
    refused(&first);
    // Moved, it is resumed once the owner file says so.
    assert!(of(&moved).newest().is_err());
    let owner = words.join("owner.txt");
    let text = fs::read_to_string(&owner).unwrap();
    let real = |folder: &Path| folder.canonicalize().unwrap().display().to_string();
    let (old, new) = (format!("in {}", real(&first)), format!("in {}\r", real(&moved)));
    assert!(text.contains(&old), "{text}");
    fs::write(&owner, text.replacen(&old, &new, 1)).unwrap();
    assert_eq!(go_on(end, Options::default(), &of(&moved), 0, &expected), (expected.len(), whole));
}
