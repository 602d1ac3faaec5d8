//! The library from outside: published values, interruption and resumption, kinds of errors, and
//! silence.

#![allow(clippy::disallowed_methods, reason = "tests open what they have made")]

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use boards::{boundary, grundy, rectangles};
use check::check_records;
use driver::{
    Answer, Cells, Cheaper, Cost, DataSet, Engine, Error, ErrorKind, Event, Family, GrundyBasis,
    GrundyMethod, GrundySearch, GrundyValue, HeadForm, Kernel, NamedSequence, Origin, Position,
    Record, RowKey, Source, Sweep, SweepOptions, Target, Task, TermsFrom, Watch, Way, Work,
    grundy_value, records, solve_board, value, write_by,
};
use game::{Board, Chomp, Search, ThreeRows};
use record::Tail;
use record::listeners::{Done, Visitor};
use sweep::band::Options;
use sweep::checkpoints::{Checkpoint, Checkpoints, resumable_rows};
use tempfile::tempdir;

/// The names alone: a file may be renamed or removed between listing and reading.
fn names(folder: &Path) -> Vec<OsString> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect()
}

fn contents(folder: &Path) -> BTreeMap<OsString, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries.map(|entry| (entry.file_name(), fs::read(entry.path()).unwrap())).collect()
}

fn verify(folder: &Path) -> Result<driver::Verified, Error> {
    Ok(records::verify_data_set(&DataSet::open(folder)?, &Task::default(), &())?)
}

/// The sweep without threads of its own.
fn on_this_thread() -> Engine {
    Engine::Sweep(SweepOptions { threads: None, ..SweepOptions::default() })
}

fn bites(answer: &Answer) -> Vec<(usize, &Position)> {
    answer.bites.iter().map(|bite| (bite.square.row, &bite.leaves)).collect()
}

/// The paper's Figure 2: no value is below its column.
#[test]
fn published_values() {
    let folder = tempdir().unwrap();
    let mut target = Target::new(folder.path(), 122);
    target.form = HeadForm::Offsets;
    Engine::default().write(&target, &()).unwrap();
    let rows = DataSet::open(folder.path()).unwrap();
    for [q, r, p] in fixtures::numbers("figure-2.tsv") {
        let expected = (p >= q).then(|| p.into());
        for engine in [Engine::default(), on_this_thread(), Engine::Literal] {
            let found = engine.value(&q.into(), &Tail::of_row(r), &()).unwrap().p();
            assert_eq!(found, expected, "{engine:?}: f({q},{r})");
            if q > 166 {
                break;
            }
        }
        if expected.is_none() {
            continue;
        }
        for (p, is_p) in [(p, true), (p + 1, false)] {
            let position = Position::finite([p, q, r]).unwrap();
            let answer = rows.answer(&position, &()).unwrap();
            assert_eq!(answer.is_p(), is_p, "{position}");
            if q < 166 {
                for engine in [Engine::default(), on_this_thread()] {
                    let computed = engine.answer(&position, &()).unwrap();
                    assert_eq!(bites(&computed), bites(&answer));
                }
            }
        }
    }
    let row_120 = Engine::default().row_in_full(120, &()).unwrap().record;
    assert_eq!(Some(&row_120), rows.row(&RowKey::of_row(0, 120)).unwrap().as_ref());
    let column = |(place, line): (usize, &str)| (120 + place as u64, line.parse::<u64>().unwrap());
    for (q, p) in fixtures::text("row-120.txt").lines().enumerate().map(column) {
        assert_eq!(value(&row_120, &q.into()).unwrap().p(), Some(p.into()), "q = {q}");
    }
}

/// Records of rows 0 to `last`.
fn held(engine: Engine, last: u64) -> Vec<driver::Record> {
    let mut held = Vec::new();
    let mut visit = |row: driver::ProvedRow| {
        held.push(row.record);
        ControlFlow::Continue(())
    };
    engine.rows(last, HeadForm::Fingerprint, &(), &mut visit).unwrap();
    held
}

/// All questions of a browser, on one thread: listeners to cells are called on the caller's thread.
#[test]
fn the_thread_of_the_caller_is_enough() {
    struct Here(thread::ThreadId, u64);
    impl Cells for Here {
        fn cell(&mut self, _q: u64, _r: u64, _p: u64) {
            assert_eq!(thread::current().id(), self.0);
            self.1 += 1;
        }
    }
    let here = || Here(thread::current().id(), 0);
    let go_on = &mut |_| Ok(ControlFlow::Continue(()));
    let listeners = on_this_thread().rows_and_cells(1200, &(), go_on, here, 16).unwrap();
    let statistics = |engine: Engine| engine.cell_statistics(1200, &(), |_| {}).unwrap();
    let [found, expected] = [on_this_thread(), Engine::default()].map(statistics);
    assert_eq!(format!("{found:?}"), format!("{expected:?}"));
    // Rows to R have about (√2 - 1)/2 · R² cells before they settle.
    assert!(matches!(listeners[..], [Here(_, 298_000..400_000)]), "{}", listeners[0].1);

    let rows = held(on_this_thread(), 1000);
    assert_eq!(rows, held(Engine::Literal, 1000));
    let stop = AtomicBool::new(true);
    assert!(matches!(on_this_thread().row_in_full(1500, &stop), Err(Error::Interrupted)));
}

/// A data set as text: what was verified, and what is wrong with it.
#[test]
fn records_in_memory_are_verified() {
    let (family, task) = (Family::three_rowed(0, 200), Task { heads: true, ..Task::default() });
    let lines: Vec<String> = held(Engine::Literal, 200).iter().map(ToString::to_string).collect();
    let text = lines.join("\n");
    let rows = records::read(&text).unwrap();
    let verdict = check_records(&family, &rows, &task, &()).unwrap();
    assert_eq!((verdict.last, verdict.assumptions()), (200, None));

    let swapped = text.replace("values: [72, 70]", "values: [70, 72]");
    assert_ne!(swapped, text);
    let swapped = records::read(&swapped).unwrap();
    let error = Error::from(check_records(&family, &swapped, &task, &()).unwrap_err());
    assert_eq!(error.kind(), ErrorKind::Refuted);
    assert!(error.to_string().contains("row 120, line 122 of rows-0000000-0000200.ron"), "{error}");
    for (from, to, kind) in [
        ("values: [72, 70]", "values: [72, 71]", ErrorKind::Refuted),
        ("values: [72, 70]", "values: [72,70]", ErrorKind::InputOrOutput),
    ] {
        let error = records::read(&text.replace(from, to)).unwrap_err();
        assert!(error.to_string().starts_with("line 121, "), "{error}");
        assert_eq!(error.kind(), kind, "{error}");
    }
}

/// Stops after a number of rows, or when there is a checkpoint in a folder; keeps all events.
#[derive(Default)]
struct Stopper {
    after: Option<u64>,
    at_checkpoint_in: Option<PathBuf>,
    done: AtomicU64,
    began: Mutex<Vec<Work>>,
    ended: AtomicU64,
    events: Mutex<Vec<Event>>,
}

impl Watch for Stopper {
    fn begin(&self, work: Work) {
        self.began.lock().unwrap().push(work);
        self.done.store(work.before, Ordering::SeqCst);
    }

    fn done(&self, number: u64) {
        self.done.store(number, Ordering::SeqCst);
    }

    fn end(&self) {
        self.ended.fetch_add(1, Ordering::SeqCst);
    }

    fn event(&self, event: &Event) {
        self.events.lock().unwrap().push(event.clone());
    }

    fn stop(&self) -> bool {
        let done = self.done.load(Ordering::SeqCst);
        let is_checkpoint = |name: &OsString| name.to_string_lossy().starts_with("checkpoint-");
        match (&self.at_checkpoint_in, self.after) {
            (Some(folder), Some(after)) if done == after => {
                let began = Instant::now();
                while !names(folder).iter().any(is_checkpoint) {
                    assert!(began.elapsed() < Duration::from_secs(60), "no checkpoint is written");
                    thread::sleep(Duration::from_millis(1));
                }
                true
            }
            (_, after) => after == Some(done),
        }
    }
}

#[test]
fn an_interrupted_data_set_is_kept_and_extended() {
    let (whole, folder) = (tempdir().unwrap(), tempdir().unwrap());
    for form in [HeadForm::Fingerprint, HeadForm::Offsets] {
        let target = |folder: &Path| Target { form, ..Target::new(folder.join("rows"), 300) };
        let (kept_in, target) = (folder.path().join("rows"), target(folder.path()));
        let whole = Target { folder: whole.path().join("rows"), ..target.clone() };
        for engine in [Engine::default(), Engine::Literal] {
            engine.write(&whole, &()).unwrap();
            let stopper = Stopper { after: Some(200), ..Stopper::default() };
            let error = engine.write(&target, &stopper).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Incomplete);
            let Error::WriteInterrupted { kept: Some(kept) } = error else { panic!("{error}") };
            assert_eq!((kept.last, &kept.folder), (199, &kept_in));
            let verdict = verify(&kept_in).unwrap();
            assert_eq!(verdict.last, 199);
            assert_eq!(stopper.began.lock().unwrap().len(), 1);
            assert_eq!(stopper.ended.load(Ordering::SeqCst), 1);

            // Interrupted once more, before the rows that are there: nothing is lost.
            let stopper = Stopper { after: Some(100), ..Stopper::default() };
            let before = contents(&kept_in);
            let error = engine.write(&target, &stopper).unwrap_err();
            assert!(matches!(error, Error::WriteInterrupted { kept: None }), "{error}");
            assert!(contents(&kept_in) == before);

            let words = format!("extending rows 0 to 199 in {}", kept_in.display());
            let stopper = Stopper::default();
            engine.write(&target, &stopper).unwrap();
            assert_eq!(*stopper.events.lock().unwrap(), [Event::Remark(words)]);
            assert!(contents(&kept_in) == contents(&whole.folder));
            fs::remove_dir_all(&kept_in).unwrap();
            fs::remove_dir_all(&whole.folder).unwrap();
        }
    }
}

/// Stops when there is a data set in a folder.
struct UntilWritten<'a>(&'a Path);

impl Watch for UntilWritten<'_> {
    fn stop(&self) -> bool {
        self.0.join("MANIFEST.ron").exists()
    }
}

/// Both of rows that were just written and of those that were there already.
#[test]
fn levels_stay_when_their_verification_is_interrupted() {
    let parent = tempdir().unwrap();
    let path = parent.path().join("levels");
    let levels = Family::of_tails(2, "40".parse().unwrap());
    let write = |watch: &dyn Watch| {
        Engine::default().write_family(&path, &levels, HeadForm::Fingerprint, watch)
    };
    for _ in 0..2 {
        let error = write(&UntilWritten(&path)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Incomplete);
        let words = format!("{} holds {levels}, written but not verified", path.display());
        assert!(error.to_string().contains(&words), "{error}");
        assert!(verify(&path).is_ok());
    }
    assert!(write(&()).unwrap().held);
}

/// The band engine as another sweep, which ends in its own way.
struct Other {
    most: u64,
    from: Option<Checkpoint>,
}

impl Sweep for Other {
    fn begin(&mut self, checkpoints: &Checkpoints<'_>) -> Result<Option<u64>, driver::Error> {
        self.from = checkpoints.newest()?;
        Ok(self.from.as_ref().map(Checkpoint::row))
    }

    fn rows(
        &mut self,
        end: u64,
        checkpoints: &Checkpoints<'_>,
        visitor: &mut dyn Visitor,
    ) -> Result<Done, driver::Error> {
        let (most, from) = (self.most, self.from.take());
        let mut visit = |row: Record| {
            let is_last = row.row() + 1 == most;
            visitor.row(row, None)?;
            if is_last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        Ok(resumable_rows(end, Options::default(), checkpoints, from, &mut visit)?)
    }
}

/// Another sweep writes, keeps, extends and finds the same data sets.
#[test]
fn another_sweep_can_write() {
    let (whole, folder) = (tempdir().unwrap(), tempdir().unwrap());
    let mut target = Target::new(folder.path(), 12_000);
    target.checkpoint_every = Some(Duration::ZERO);
    for most in [3000, 9000] {
        let error = write_by(&mut Other { most, from: None }, &target, &()).unwrap_err();
        let Error::WriteInterrupted { kept: Some(kept) } = error else { panic!("{error}") };
        assert_eq!(kept.last, most - 1);
    }
    let stopper = Stopper { after: Some(10_000), ..Stopper::default() };
    let mut other = Other { most: u64::MAX, from: None };
    let error = write_by(&mut other, &target, &stopper).unwrap_err();
    assert!(matches!(&error, Error::WriteInterrupted { kept: Some(kept) } if kept.last == 9999));
    let finished = write_by(&mut other, &target, &()).unwrap();
    assert!(matches!(finished.origin, Origin::Computed { .. }));
    Engine::default().write(&Target::new(whole.path(), 12_000), &()).unwrap();
    assert!(contents(folder.path()) == contents(whole.path()));
    // There is nothing left to do.
    let mut idle = Other { most: 0, from: None };
    assert!(matches!(write_by(&mut idle, &target, &()).unwrap().origin, Origin::Held(_)));
}

#[test]
fn a_run_that_resumes_from_a_checkpoint_says_what_it_believes() {
    let (whole, folder) = (tempdir().unwrap(), tempdir().unwrap());
    let mut target = Target::new(folder.path(), 20_000);
    target.checkpoint_every = Some(Duration::ZERO);
    let at_checkpoint_in = Some(folder.path().to_owned());
    let stopper = Stopper { after: Some(12_000), at_checkpoint_in, ..Stopper::default() };
    let error = Engine::default().write(&target, &stopper).unwrap_err();
    assert!(matches!(&error, Error::WriteInterrupted { kept: Some(kept) } if kept.last == 11_999));

    let stopper = Stopper::default();
    let report = Engine::default().write(&target, &stopper).unwrap();
    let Origin::Computed { believed: Some(row), self_check, .. } = report.origin else { panic!() };
    let resumes = Event::Remark(format!("resuming from the checkpoint at row {row}"));
    assert!(stopper.events.lock().unwrap().contains(&resumes));
    let began = stopper.began.lock().unwrap();
    assert!(matches!(began[..], [Work { all: 20_001, before, .. }] if before == row), "{began:?}");
    // The believed rows are verified, at any cost.
    assert!(self_check.is_some_and(|verdict| verdict.last + 1 >= row));
    let target = Target::new(whole.path(), 20_000);
    assert_eq!(Engine::default().write(&target, &()).unwrap().found, report.found);
    assert!(contents(folder.path()) == contents(whole.path()));
}

#[test]
fn errors_have_their_kinds() {
    let folder = tempdir().unwrap();
    let target = Target::new(folder.path(), 50);
    let engine = Engine::default();
    let kind = |outcome: Result<(), Error>| outcome.unwrap_err().kind();
    engine.write(&target, &()).unwrap();
    let rows = DataSet::open(folder.path()).unwrap();

    let mut visit = |_| ControlFlow::Continue(());
    let largest = driver::LARGEST_ROW;
    for row in [largest + 1, u64::MAX] {
        let form = HeadForm::Fingerprint;
        for engine in [engine, Engine::Literal] {
            assert_eq!(kind(engine.rows(row, form, &(), &mut visit)), ErrorKind::Usage);
            assert_eq!(kind(engine.row_in_full(row, &()).map(drop)), ErrorKind::Usage);
            let tail = Tail::of_row(row.min(1 << 62));
            let value = engine.value(&u64::MAX.into(), &tail, &());
            assert_eq!(kind(value.map(drop)), ErrorKind::Usage);
            let written = engine.write(&Target::new(folder.path().join("new"), row), &());
            assert_eq!(kind(written.map(drop)), ErrorKind::Usage);
            let counted = engine.cell_statistics(row, &(), |_| {});
            assert_eq!(kind(counted.map(drop)), ErrorKind::Usage);
            let row = row.min(1 << 62);
            let position = Position::finite([row + 2, row, row]).unwrap();
            assert_eq!(kind(engine.answer(&position, &()).map(drop)), ErrorKind::Usage);
        }
    }
    assert!(!folder.path().join("new").exists());
    let read = |row| {
        let key = RowKey::of_row(0, row);
        Source::row(&rows, &key, HeadForm::Fingerprint, &()).map(drop)
    };
    assert_eq!(kind(read(51)), ErrorKind::Usage);
    let stop = AtomicBool::new(true);
    assert_eq!(kind(engine.row_in_full(300, &stop).map(drop)), ErrorKind::Incomplete);

    let verify = || verify(folder.path());
    let segment = folder.path().join("rows-0000000-0000050.ron");
    let text = fs::read_to_string(&segment).unwrap();
    fs::write(&segment, text.replace("row: 20, first: ", "row: 20, first: 1")).unwrap();
    assert_ne!(fs::read_to_string(&segment).unwrap(), text);
    assert_eq!(kind(verify().map(drop)), ErrorKind::InputOrOutput);
    assert_eq!(kind(engine.write(&target, &()).map(drop)), ErrorKind::InputOrOutput);
    fs::remove_file(segment).unwrap();
    assert_eq!(kind(read(5)), ErrorKind::InputOrOutput);
}

/// Nothing here prints, ends the program, or reads its environment.
#[test]
fn the_library_is_silent() {
    let loud = [
        "print!", "println!", "dbg!", "exit(", "abort(", "env::", "stdout()", "stderr()", "tracing",
    ];
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = fs::read_to_string(&path).unwrap();
            let found = loud.iter().find(|word| source.contains(**word));
            assert!(found.is_none(), "{} has {found:?}", path.display());
            seen += 1;
        }
    }
    assert!(seen >= 20, "the sources are seen");
}

/// All positions with p <= 60: the board solver and queries of rows agree on outcomes, and on every
/// bite that wins. (Boards and game trees are compared in the tests of `boards`.)
#[test]
fn boards_of_three_rows_are_as_queries_say() {
    const N: u64 = 60;
    let mut records = Vec::new();
    let engine = Engine::default();
    let mut keep = |row: driver::ProvedRow| {
        records.push(row.record);
        ControlFlow::Continue(())
    };
    engine.rows(N, HeadForm::Offsets, &(), &mut keep).unwrap();
    let solution = driver::solve_board(3, 60, None, &()).unwrap();
    for position in game::ThreeRows::up_to(N) {
        let (p, q, r) = (position.p(), position.q(), position.r());
        let asked = Position::finite([p, q, r]).unwrap();
        let mut query = answers::Query::new(asked);
        let answer = records.iter().find_map(|record| query.add(record).unwrap()).unwrap();
        let board = game::Board::try_from(position).unwrap();
        let won: Vec<String> = solution
            .winning_bites(&board)
            .unwrap()
            .into_iter()
            .map(|bite| lengths(&board.after(bite).unwrap()))
            .collect();
        let mut expected: Vec<String> =
            answer.bites.iter().map(|bite| bite.leaves.to_string()).collect();
        expected.sort_by_key(|leaves| won.iter().position(|other| other == leaves));
        assert_eq!(won, expected, "{position}");
        assert_eq!(solution.outcome(&board).unwrap() == game::Outcome::P, answer.is_p());
    }
}

/// Three row lengths, as a position is written.
fn lengths(board: &game::Board) -> String {
    let row = |row: usize| board.rows().get(row).copied().unwrap_or(0);
    format!("({},{},{})", row(0), row(1), row(2))
}

/// Counts the boards of up to this number of squares.
fn boards_by_squares(most: u64, watch: &dyn Watch) -> Result<(), Error> {
    let sequence: NamedSequence = "A112472".parse().unwrap();
    sequence.terms(most, &TermsFrom::default(), watch, |_, _| ControlFlow::Continue(()))
}

/// A board that needs more memory than there is, is refused before any work; what needs much is
/// announced; a watcher that wants no more ends the work.
#[test]
fn boards_are_refused_and_interrupted() {
    let error = driver::solve_board(1000, 1000, None, &()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(error.to_string().contains("the positions of 1000x1000 need more than"), "{error}");
    for (rows, columns) in [(0, 3), (3, 0), (1, 1024)] {
        let error = driver::solve_board(rows, columns, None, &()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
    }
    let stop = AtomicBool::new(true);
    assert!(matches!(driver::solve_board(8, 10, None, &stop), Err(Error::Interrupted)));
    let error = boards_by_squares(150, &()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(matches!(boards_by_squares(20, &stop), Err(Error::Interrupted)));
}

/// Large rectangles are solved as a list of P-positions. On squares the bite at (2,2) is the only
/// one that wins (2005 paper, section 7); the openings of 17 x 15 are those of 15 x 17.
#[test]
fn large_rectangles_are_solved_as_lists() {
    let openings = |rows, columns| {
        let solution = solve_board(rows, columns, None, &()).unwrap();
        assert_eq!((solution.rows(), solution.columns()), (rows, columns));
        let board = game::Board::rectangle(rows, columns).unwrap();
        let found = solution.winning_bites(&board).unwrap();
        assert!((solution as Box<dyn Any>).is::<boundary::Solution>(), "{rows}x{columns}");
        found.into_iter().map(|bite| (bite.row, bite.column)).collect::<Vec<_>>()
    };
    assert_eq!(openings(16, 16), [(2, 2)]);
    let mirrored = openings(17, 15).into_iter().map(|(row, column)| (column, row));
    assert_eq!(BTreeSet::from_iter(openings(15, 17)), mirrored.collect());
    let small: Box<dyn Any> = solve_board(8, 10, None, &()).unwrap();
    assert!(small.is::<rectangles::Solution>());
}

fn board_position(lengths: &[u16]) -> Position {
    Position::finite(lengths.iter().copied()).unwrap()
}

/// Every board of up to four rows of up to five squares: the recurrences on rows, on the rows of
/// the transposed board, and on lower rows of the rectangle.
#[test]
fn all_ways_to_an_answer_agree() {
    let ways = [Way::Rows, Way::Columns, Way::Rectangle { rows: 4, columns: 5 }];
    let mut p_positions = 0;
    for board in "5,5,5,5".parse::<Tail>().unwrap().within().filter(|t| !t.parts().is_empty()) {
        let position = Position::finite(board.parts().iter().copied()).unwrap();
        let answer = |way| on_this_thread().answer_by(way, &position, &()).unwrap();
        let [by_rows, by_columns, by_rectangle] = ways.map(answer);
        for other in [&by_columns, &by_rectangle] {
            let bites = |answer: &Answer| -> Vec<_> {
                answer.bites.iter().map(|bite| (bite.square.row, bite.leaves.clone())).collect()
            };
            assert_eq!(bites(other), bites(&by_rows), "{position}");
            assert_eq!((other.position.clone(), other.record()), (position.clone(), None));
        }
        assert_ne!(by_rows.record().is_some(), by_rows.theorem().is_some());
        p_positions += u64::from(by_rows.is_p());
    }
    assert_eq!(p_positions, solve_board(4, 5, None, &()).unwrap().p_count());
}

/// The events of cost that work sends.
#[derive(Default)]
struct Costs(Mutex<Vec<(Duration, u64, Option<Cheaper>)>>);

impl Watch for Costs {
    fn event(&self, event: &Event) {
        if let Event::Cost { cost, cheaper } = event {
            self.0.lock().unwrap().push((cost.time, cost.bytes, *cheaper));
        }
    }

    // The work is not done.
    fn stop(&self) -> bool {
        true
    }
}

/// Long work says so at once, about right, with a cheaper way; short work says nothing.
#[test]
fn long_work_announces_its_cost() {
    let announced = |work: &dyn Fn(&Costs)| {
        let costs = Costs::default();
        work(&costs);
        costs.0.into_inner().unwrap()
    };
    let one = SweepOptions {
        threads: NonZero::new(1),
        kernel: Kernel::Portable,
        ..SweepOptions::default()
    };
    let rows = |engine: Engine, last, form, costs: &Costs| {
        let stopped = engine.rows(last, form, costs, &mut |_| ControlFlow::Continue(()));
        assert!(matches!(stopped, Err(Error::Interrupted)));
    };
    // PERFORMANCE.md: 1.94 ns for each of the 0.2071 R² cells.
    let found = announced(&|costs| {
        rows(Engine::Sweep(one), 300_000, HeadForm::Fingerprint, costs);
    });
    let [(time, _, None)] = found[..] else { panic!("{found:?}") };
    assert!((30..45).contains(&time.as_secs()), "{time:?}");
    // 16.8 s, and 3 s with fingerprints.
    let found = announced(&|costs| rows(Engine::Sweep(one), 40_000, HeadForm::Offsets, costs));
    let [(time, _, Some((other, way)))] = found[..] else { panic!("{found:?}") };
    assert_eq!(way, "with fingerprints instead of all offsets");
    assert!((10..25).contains(&time.as_secs()) && other.as_secs() < 5, "{time:?} {other:?}");
    // 0.454 s to 2000, and 1000 times as long.
    let found = announced(&|costs| rows(Engine::Literal, 20_000, HeadForm::Fingerprint, costs));
    let [(time, _, Some((_, way)))] = found[..] else { panic!("{found:?}") };
    assert_eq!(way, "by the sweep instead of the literal recurrence");
    assert!((300..700).contains(&time.as_secs()), "{time:?}");
    let found = announced(&|costs| {
        let position = "100 90 60 50 40".parse().unwrap();
        let _stopped = Engine::Sweep(one).answer_by(Way::Rows, &position, costs);
    });
    // 20.7 s and 1.24 GB, measured.
    let [(time, bytes, None)] = found[..] else { panic!("{found:?}") };
    assert!((7..62).contains(&time.as_secs()), "{time:?}");
    assert!((1_240_000_000..5_000_000_000).contains(&bytes), "{bytes}");
    // 0.24 GB and 23 s, measured on a busy machine.
    let found = announced(&|costs| {
        assert!(matches!(boards_by_squares(86, costs), Err(Error::Interrupted)));
    });
    let [(time, bytes, None)] = found[..] else { panic!("{found:?}") };
    assert!((7..60).contains(&time.as_secs()), "{time:?}");
    assert!((100_000_000..1_000_000_000).contains(&bytes), "{bytes}");
    let found = announced(&|costs| rows(Engine::Sweep(one), 10_000, HeadForm::Fingerprint, costs));
    assert!(found.is_empty(), "{found:?}");
}

/// Stops when a search says what it may cost.
#[derive(Default)]
struct UntilItMayCost(Mutex<Option<Cost>>);

impl Watch for UntilItMayCost {
    fn event(&self, event: &Event) {
        if let Event::MayCost { cost } = event {
            *self.0.lock().unwrap() = Some(*cost);
        }
    }

    fn stop(&self) -> bool {
        self.0.lock().unwrap().is_some()
    }
}

/// A quarter of an hour in a release build, for fewer positions than the memory allows.
#[test]
fn a_long_search_of_a_poset_announces_what_it_may_cost() {
    let poset = "subsets 7 3".parse::<posets::NamedPoset>().unwrap().poset().unwrap();
    let until = UntilItMayCost::default();
    let stopped = driver::solve_poset(&poset, &poset.full(), driver::Spending::USUAL, &until);
    assert!(matches!(stopped, Err(Error::Interrupted)));
    let Cost { time, bytes, .. } = until.0.into_inner().unwrap().expect("it has announced it");
    assert!(time.as_secs() > 60, "{time:?}");
    assert_eq!(bytes, driver::Spending::USUAL.memory);
}

/// Every board of four and five rows up to 7 long: outcome and bites by another recurrence.
#[test]
fn boards_are_those_of_the_rectangle() {
    let solution = solve_board(5, 7, None, &()).unwrap();
    let mut p_positions = 0;
    for tail in "7,7,7,7,7".parse::<Tail>().unwrap().within().filter(|t| t.parts().len() >= 4) {
        let lengths = tail.parts().iter().map(|&part| u16::try_from(part).unwrap()).collect();
        let board = Board::new(lengths).unwrap();
        let answer = Engine::default().answer(&board_position(board.rows()), &()).unwrap();
        let left = solution.winning_bites(&board).unwrap().into_iter().map(|bite| {
            let left = board.after(bite).unwrap();
            (usize::from(bite.row), board_position(left.rows()).to_string())
        });
        let found = answer.bites.iter().map(|bite| (bite.square.row, bite.leaves.to_string()));
        let [found, left]: [BTreeSet<_>; 2] = [found.collect(), left.collect()];
        assert_eq!(found, left, "{board}");
        assert_eq!(answer.is_p(), left.is_empty(), "{board}");
        p_positions += u32::from(answer.is_p());
    }
    assert!(p_positions > 20, "{p_positions}");
}

/// Levels to this one are asked.
const HIGHEST: u64 = 8;

/// The table, the levels, and the definition.
#[test]
fn grundy_values_come_out_alike() {
    let by = |lengths: &[u16], level: u64, method: Option<GrundyMethod>| {
        let search = GrundySearch { level, method, ..GrundySearch::default() };
        grundy_value(&board_position(lengths), &search, &()).unwrap()
    };
    let value = |lengths: &[u16], level: u64| by(lengths, level, Some(GrundyMethod::Rows));
    let around = Board::rectangle(3, 40).unwrap();
    let table = boards::grundy::within::Table::of(&around, &|_| ControlFlow::Continue(())).unwrap();
    for position in ThreeRows::up_to(40).step_by(97) {
        let expected = u64::from(table.value(&Board::try_from(position).unwrap()).unwrap());
        let lengths = [position.p(), position.q(), position.r()];
        let lengths = lengths.map(|length| u16::try_from(length).unwrap());
        let GrundyValue::Is(found, GrundyBasis::ThreeRows(_)) = by(&lengths, 0, None) else {
            panic!("{position}");
        };
        assert_eq!(found, expected, "{position}");
    }
    let mut search = Search::of(&Chomp);
    for lengths in [[5, 4, 2, 1], [6, 6, 3, 3], [4, 4, 4, 4], [7, 5, 5, 4]] {
        let expected = search.grundy(&Board::new(lengths.to_vec()).unwrap());
        let GrundyValue::Is(found, GrundyBasis::Within(_)) = by(&lengths, 0, None) else {
            panic!("{lengths:?}");
        };
        assert_eq!(found, expected, "{lengths:?}");
        let GrundyValue::Is(found, GrundyBasis::Rows(record)) = value(&lengths, 30) else {
            panic!("{lengths:?}");
        };
        assert_eq!((found, record.key().level), (expected, expected), "{lengths:?}");
        let GrundyValue::AtLeast(least) = value(&lengths, expected.max(1) - 1) else {
            assert_eq!(expected, 0);
            continue;
        };
        assert!(least <= expected.into() && least > 0_u32.into(), "{lengths:?}");
    }
    // Longer than the table that is asked, which another one is.
    let mut rows = 0;
    let long = [[611, 610, 0], [612, 610, 3], [614, 610, 5], [620, 615, 7], [617, 617, 4]];
    let one = NonZero::<usize>::MIN;
    let expected = grundy::values(&long, one, &|_| ControlFlow::Continue(())).unwrap();
    for (lengths, expected) in long.into_iter().zip(expected) {
        let expected = u64::from(expected);
        match value(&lengths, HIGHEST) {
            GrundyValue::Is(found, basis) => {
                assert_eq!(found, expected, "{lengths:?}");
                rows += u32::from(matches!(basis, GrundyBasis::Rows(_)));
            }
            GrundyValue::AtLeast(least) => {
                assert!(least > HIGHEST.into() && least <= expected.into(), "{lengths:?}");
            }
        }
    }
    assert!(rows >= 2, "{rows}");
}
