//! While rows are computed, what was written of them is read back and checked, by the checker that
//! knows no engine.
//!
//! One segment at a time, in order, on a thread of its own, and only while all of it takes no more
//! than a small share of the processor time of the run: what a long run leaves behind was checked,
//! and a short one is not made longer. Rows that were taken from a checkpoint are checked in any case.

use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::anyhow;
use check::{CheckError, Growing};
use cpu_time::{ProcessTime, ThreadTime};
use record::data_set::DataSet;

use crate::failure::Failure;

/// How often the time is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The self-check of a run.
pub struct SelfCheck {
    /// Segments that are finished. Without it the thread comes to its end.
    finished: Option<Sender<DataSet>>,
    thread: Option<JoinHandle<Result<Checked, CheckError>>>,
    stop: Arc<AtomicBool>,
    /// The row of the checkpoint that the run went on from.
    believed: Option<u64>,
}

impl SelfCheck {
    /// Begins, with nothing to check yet; `believed` is the row of the checkpoint that the run goes on
    /// from. Fails if the thread cannot be created.
    pub fn new(believed: Option<u64>) -> Result<Self, Failure> {
        Self::within(Budget::of_a_run(), believed)
    }

    fn within(budget: Budget, believed: Option<u64>) -> Result<Self, Failure> {
        let (finished, receiver) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let due = believed.unwrap_or(0);
        let check = move || check_segments(&receiver, budget, due, &stopped);
        let thread = thread::Builder::new().spawn(check).map_err(|error| {
            Failure::Usage(format!(
                "the self-check cannot have its thread: {error}; raise the limits on threads and \
                 memory (ulimit -u, -v)"
            ))
        })?;
        Ok(Self { finished: Some(finished), thread: Some(thread), stop, believed })
    }

    /// Tells of the segments that are finished.
    pub fn tell(&self, data_set: DataSet) {
        if let Some(finished) = &self.finished {
            // If it has found something, it does not listen any more.
            let _ended = finished.send(data_set);
        }
    }

    /// What it has found so far, so that a run which went wrong need not go on.
    pub fn found(&mut self) -> anyhow::Result<()> {
        match &self.thread {
            Some(thread) if thread.is_finished() => self.join().map(drop),
            _ => Ok(()),
        }
    }

    /// Ends it, when it has checked what time allows.
    pub fn end(mut self) -> anyhow::Result<Checked> {
        self.join()
    }

    /// Ends it after the segment at hand.
    pub fn stop(mut self) -> anyhow::Result<Checked> {
        self.stop.store(true, Relaxed);
        self.join()
    }

    fn join(&mut self) -> anyhow::Result<Checked> {
        self.finished = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(outcome)) => outcome.map_err(|error| failed(&error, self.believed)),
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => Err(anyhow!("the self-check has ended before")),
        }
    }
}

fn failed(error: &CheckError, believed: Option<u64>) -> anyhow::Error {
    let checkpoint = believed.map_or(String::new(), |row| {
        format!(
            " (it went on from the checkpoint at row {row}, which may be wrong: move that away, and the \
             same command goes on from the one before it, or begins anew)"
        )
    });
    let words = format!(
        "{error}; so says the self-check of what this run wrote{checkpoint}, and no manifest was \
         written for it"
    );
    if error.is_refutation() { Failure::Refuted(words).into() } else { anyhow!(words) }
}

/// A run that ends for another reason.
impl Drop for SelfCheck {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        self.finished = None;
        if let Some(thread) = self.thread.take() {
            let _nobody_asks = thread.join();
        }
    }
}

/// Checks segments as they are told of, those with rows below `due` and others as time allows, until
/// nobody can tell of more.
fn check_segments(
    finished: &Receiver<DataSet>,
    mut budget: Budget,
    due: u64,
    stop: &AtomicBool,
) -> Result<Checked, CheckError> {
    let mut growing = Growing::default();
    let mut known: Option<DataSet> = None;
    loop {
        let told = finished.recv_timeout(LOOK_EVERY);
        let is_end = matches!(told, Err(RecvTimeoutError::Disconnected));
        known = told.ok().or(known);
        let next = known.as_ref().filter(|known| {
            let segment = known.manifest().segments.get(growing.segments());
            // A text so long that it was compressed takes longer to read than its rows to compute.
            segment.is_some_and(|segment| !segment.zstd)
        });
        match next {
            Some(data_set)
                if (growing.rows() < due || budget.allows_one_more()) && !stop.load(Relaxed) =>
            {
                let began = ThreadTime::now();
                growing.next_segment(data_set, &())?;
                budget.spend(began.elapsed());
            }
            _ if is_end => return Ok(Checked { growing, spent: budget.spent }),
            _ => {}
        }
    }
}

/// What was checked.
pub struct Checked {
    growing: Growing,
    spent: Duration,
}

impl Checked {
    /// The verdict on a run of rows 0 to `last`.
    pub fn words(&self, last: u64) -> String {
        let all = "`chomp check --heads` verifies all of them, and assumes nothing";
        let Some(verdict) = self.growing.verdict() else {
            return format!(
                "self-check: no row was read back, which would have taken more than 2 % of the \
                 processor time; {all}"
            );
        };
        let (next, proved) = (verdict.last + 1, verdict.proved());
        let assumed = verdict.assumptions().unwrap_or_default();
        let (spent, run) = (self.spent, ProcessTime::now().as_duration());
        let rest = match next.cmp(&last) {
            Ordering::Less => format!("rows {next} to {last} were not"),
            Ordering::Equal => format!("row {last} was not"),
            Ordering::Greater => "heads were not".to_owned(),
        };
        format!(
            "self-check: rows 0 to {} were read back and verified, depths structure and tails: \
             {proved}, if {assumed}; {rest}; {all} (it took {spent:.2?} of {run:.2?} processor time)",
            verdict.last
        )
    }
}

/// Processor time that may be spent.
struct Budget {
    /// One part in so many of that of the run.
    share: u32,
    spent: Duration,
    /// What a segment is expected to take: as long as the longest so far.
    expected: Duration,
}

impl Budget {
    /// Two percent. The first segment is expected to take twice as long as was measured (50 ms).
    fn of_a_run() -> Self {
        Self { share: 50, spent: Duration::ZERO, expected: Duration::from_millis(100) }
    }

    fn allows_one_more(&self) -> bool {
        let run = ProcessTime::now().as_duration();
        self.spent.saturating_add(self.expected).saturating_mul(self.share) <= run
    }

    fn spend(&mut self, time: Duration) {
        self.spent += time;
        self.expected = self.expected.max(time);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::ops::ControlFlow;
    use std::path::Path;

    use record::data_set::{SEGMENT_ROWS, Writer};
    use record::{HeadForm, RowRecord, Statement};
    use sweep::row::Row;
    use tempfile::tempdir;

    use super::*;

    /// No time is too long.
    fn unlimited() -> Budget {
        Budget { share: 0, spent: Duration::ZERO, expected: Duration::ZERO }
    }

    /// Writes rows from 0 on, as changed; the full segments.
    fn written(folder: &Path, change: impl Fn(RowRecord) -> RowRecord) -> DataSet {
        let mut writer = Writer::new(folder, HeadForm::Fingerprint).unwrap();
        let mut push = |row: Row| {
            writer.push(change(row.record(None).unwrap())).unwrap();
            ControlFlow::Continue(())
        };
        sweep::band::rows(2 * SEGMENT_ROWS, sweep::band::Options::default(), &mut push).unwrap();
        writer.so_far().unwrap()
    }

    fn outcome(data_set: DataSet, budget: Budget) -> anyhow::Result<Checked> {
        let check = SelfCheck::within(budget, None)?;
        check.tell(data_set);
        check.end()
    }

    #[test]
    fn what_is_right_is_verified() {
        let folder = tempdir().unwrap();
        let data_set = written(folder.path(), |record| record);
        let words = outcome(data_set.clone(), unlimited()).unwrap().words(29_999);
        assert!(words.contains("rows 0 to 19999 were read back and verified"), "{words}");
        assert!(words.contains("rows 20000 to 29999 were not"), "{words}");

        let no_time = Budget { share: u32::MAX, expected: Duration::from_secs(1), ..unlimited() };
        let words = outcome(data_set.clone(), Budget { ..no_time }).unwrap().words(19_999);
        assert!(words.contains("no row was read back"), "{words}");
        // What was taken from a checkpoint has all the time it needs.
        let believed = SelfCheck::within(Budget { ..no_time }, Some(5000)).unwrap();
        believed.tell(data_set.clone());
        let words = believed.end().unwrap().words(19_999);
        assert!(words.contains("rows 0 to 9999 were read back and verified"), "{words}");
        drop(SelfCheck::new(None).unwrap());
        let stopped = SelfCheck::within(unlimited(), None).unwrap();
        stopped.tell(data_set);
        assert!(stopped.stop().is_ok());
    }

    /// An engine that goes wrong: the file is whole, and says what is not so.
    #[test]
    fn a_wrong_record_is_refuted_with_row_and_line() {
        let folder = tempdir().unwrap();
        let data_set = written(folder.path(), |record| match record.statement() {
            Statement::Periodic(row) if row.row == 11_036 => {
                let mut row = row.clone();
                row.values.rotate_left(1);
                RowRecord::new(Statement::Periodic(row)).unwrap()
            }
            _ => record,
        });
        let mut check = SelfCheck::within(unlimited(), None).unwrap();
        check.tell(data_set);
        // What was found is heard of while the run goes on.
        let error = loop {
            thread::sleep(LOOK_EVERY);
            if let Err(error) = check.found() {
                break error;
            }
        };
        assert!(matches!(error.downcast_ref(), Some(Failure::Refuted(_))), "{error}");
        let place = "row 11036, line 1038 of rows-0010000-0019999.ron: values gives offset";
        assert!(error.to_string().contains(place), "{error}");
    }

    #[test]
    fn a_file_that_was_changed_is_found() {
        let folder = tempdir().unwrap();
        let data_set = written(folder.path(), |record| record);
        let path = folder.path().join("rows-0010000-0019999.ron");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replacen("row: 11036, first: 1", "row: 11036, first: 2", 1)).unwrap();
        assert_ne!(fs::read_to_string(&path).unwrap(), text);
        let error = outcome(data_set.clone(), unlimited()).err().unwrap();
        assert!(error.to_string().contains("rows-0010000-0019999.ron is damaged"), "{error}");
        fs::remove_file(path).unwrap();
        assert!(outcome(data_set, unlimited()).is_err());
    }
}
