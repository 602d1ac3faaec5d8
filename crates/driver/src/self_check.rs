//! While rows are computed, their finished segments are read back and checked, by the checker that
//! knows no engine.
//!
//! One segment at a time, in order, on a thread of its own, and only while the check takes no more
//! than a small share of the processor time of the run: so a long run is checked, and a short one
//! takes no longer. Rows from a checkpoint are always checked.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use check::{CheckError, Growing, Verified};
use cpu_time::{ProcessTime, ThreadTime};
use record::data_set::DataSet;

use crate::{Error, ErrorKind};

/// The interval at which the processor time is read.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The self-check of a run.
pub struct SelfCheck {
    /// Sends the finished segments. The thread ends when this is dropped.
    finished: Option<Sender<DataSet>>,
    thread: Option<JoinHandle<Result<Option<Verified>, CheckError>>>,
    stop: Arc<AtomicBool>,
    /// The row of the checkpoint that the run resumed from.
    believed: Option<u64>,
}

impl SelfCheck {
    /// Begins, with nothing to check yet; `believed` is the row of the checkpoint that the run
    /// resumes from. Fails if the thread cannot be created.
    pub fn new(believed: Option<u64>) -> Result<Self, Error> {
        Self::within(Budget::of_a_run(), believed)
    }

    fn within(budget: Budget, believed: Option<u64>) -> Result<Self, Error> {
        let (finished, receiver) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let due = believed.unwrap_or(0);
        let check = move || check_segments(&receiver, budget, due, &stopped);
        let thread = thread::Builder::new().spawn(check).map_err(|error| {
            Error::usage(format!(
                "the self-check cannot have its thread: {error}; raise the limits on threads and \
                 memory (ulimit -u, -v)"
            ))
        })?;
        Ok(Self { finished: Some(finished), thread: Some(thread), stop, believed })
    }

    /// Sends the segments that are finished.
    pub fn tell(&self, data_set: DataSet) {
        if let Some(finished) = &self.finished {
            // After an error it does not receive any more.
            let _ended = finished.send(data_set);
        }
    }

    /// The error that it has found so far, so that the run can end early.
    pub fn found(&mut self) -> Result<(), Error> {
        match &self.thread {
            Some(thread) if thread.is_finished() => self.join().map(drop),
            _ => Ok(()),
        }
    }

    /// Ends it, after it has checked as many rows as the budget allows.
    pub fn end(mut self) -> Result<Option<Verified>, Error> {
        self.join()
    }

    /// Ends it after the current segment.
    pub fn stop(mut self) -> Result<Option<Verified>, Error> {
        self.stop.store(true, Relaxed);
        self.join()
    }

    /// A record that cannot be read or decided is not refuted, and the run has written nothing.
    fn failed(&self, error: &CheckError) -> Error {
        let (kind, what) = if error.is_refutation() {
            (ErrorKind::Refuted, "refuted")
        } else {
            (ErrorKind::InputOrOutput, "did not verify")
        };
        let checkpoint = self.believed.map_or(String::new(), |row| {
            format!(
                ". The run resumed from the checkpoint at row {row}, which may be wrong: move that \
                 checkpoint away, and the same command resumes from the one before it, or begins anew"
            )
        });
        let words = format!(
            "the self-check {what} the rows of this run: {error}. No manifest was written{checkpoint}"
        );
        Error::of(kind, words)
    }

    fn join(&mut self) -> Result<Option<Verified>, Error> {
        self.finished = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(outcome)) => outcome.map_err(|error| self.failed(&error)),
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => Err(Error::defect("the self-check has ended before")),
        }
    }
}

/// The run ends for another reason.
impl Drop for SelfCheck {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        self.finished = None;
        if let Some(thread) = self.thread.take() {
            let _ignored = thread.join();
        }
    }
}

/// Checks the segments that it receives, those with rows below `due`, and others as the budget
/// allows. Ends when the sender is dropped.
fn check_segments(
    finished: &Receiver<DataSet>,
    mut budget: Budget,
    due: u64,
    stop: &AtomicBool,
) -> Result<Option<Verified>, CheckError> {
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
            _ if is_end => {
                return Ok(growing.verified());
            }
            _ => {}
        }
    }
}

/// A budget of processor time.
struct Budget {
    /// The budget is the time of the run divided by this.
    share: u32,
    spent: Duration,
    /// The expected time for a segment: the longest so far.
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

    use record::data_set::{Contents, SEGMENT_ROWS, Writer};
    use record::{HeadForm, Record, Statement};
    use tempfile::tempdir;

    use super::*;

    /// No time is too long.
    fn unlimited() -> Budget {
        Budget { share: 0, spent: Duration::ZERO, expected: Duration::ZERO }
    }

    /// Writes rows from 0 on, as changed; the full segments.
    fn written(folder: &Path, change: impl Fn(Record) -> Record) -> DataSet {
        let mut writer = Writer::new(folder, Contents::Rows, HeadForm::Fingerprint).unwrap();
        let mut push = |row: Record| {
            writer.push(change(row)).unwrap();
            ControlFlow::Continue(())
        };
        sweep::band::rows(2 * SEGMENT_ROWS, sweep::band::Options::default(), &mut push).unwrap();
        writer.so_far().unwrap()
    }

    fn outcome(data_set: DataSet, budget: Budget) -> Result<Option<Verified>, Error> {
        let check = SelfCheck::within(budget, None)?;
        check.tell(data_set);
        check.end()
    }

    #[test]
    fn what_is_right_is_verified() {
        let folder = tempdir().unwrap();
        let data_set = written(folder.path(), |record| record);
        let last = |verdict: Option<Verified>| verdict.map(|verdict| verdict.last);
        assert_eq!(last(outcome(data_set.clone(), unlimited()).unwrap()), Some(19_999));

        let no_time = Budget { share: u32::MAX, expected: Duration::from_secs(1), ..unlimited() };
        assert_eq!(last(outcome(data_set.clone(), Budget { ..no_time }).unwrap()), None);
        // The rows from a checkpoint are checked without a limit of time.
        let believed = SelfCheck::within(Budget { ..no_time }, Some(5000)).unwrap();
        believed.tell(data_set.clone());
        assert_eq!(last(believed.end().unwrap()), Some(9999));
        drop(SelfCheck::new(None).unwrap());
        let stopped = SelfCheck::within(unlimited(), None).unwrap();
        stopped.tell(data_set);
        assert!(stopped.stop().is_ok());
    }

    /// An engine with an error: the file is whole, and its content is false.
    #[test]
    fn a_wrong_record_is_refuted_with_row_and_line() {
        let folder = tempdir().unwrap();
        let data_set = written(folder.path(), |record| match record.statement() {
            Statement::Periodic(row) if row.row == 11_036 => {
                let mut row = row.clone();
                row.values.rotate_left(1);
                Record::of_row(Statement::Periodic(row)).unwrap()
            }
            _ => record,
        });
        let mut check = SelfCheck::within(unlimited(), None).unwrap();
        check.tell(data_set);
        // The error is found while the run continues.
        let error = loop {
            thread::sleep(LOOK_EVERY);
            if let Err(error) = check.found() {
                break error;
            }
        };
        assert_eq!(error.kind(), ErrorKind::Refuted, "{error}");
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
