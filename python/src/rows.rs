//! Many rows, one after the other.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use driver::{Engine, HeadForm, Record, RowKey, Source};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::failure::Failure;
use crate::natural::RowNumber;
use crate::position::tail;
use crate::row::PyRow;
use crate::work::{Attended, Display, GLANCE, Progress, attend};

/// Rows that are computed and not yet taken: at most this many.
const AHEAD: usize = 4096;

/// An iterator over rows 0, 1, 2, ... A thread computes them, a few thousand rows ahead; it ends
/// with the iterator.
#[pyclass(name = "Rows", module = "chomp")]
#[derive(Debug)]
pub struct PyRows {
    run: Option<Run>,
    display: Display,
    shown: Instant,
    given: u64,
    all: u64,
}

/// The thread and its channel. Only the iterator locks.
#[derive(Debug)]
struct Run {
    rows: Mutex<Receiver<Record>>,
    attended: Arc<Attended>,
    worker: JoinHandle<Result<(), driver::Error>>,
}

impl Run {
    fn begin(last: u64, form: HeadForm) -> PyResult<Self> {
        let (sender, rows) = mpsc::sync_channel(AHEAD);
        let attended = Arc::new(Attended::default());
        let watch = Arc::clone(&attended);
        let work = move || {
            Engine::default().rows(last, form, &*watch, |row| {
                // There is no receiver if the iterator was dropped.
                match sender.send(row.record) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            })
        };
        let worker = thread::Builder::new().spawn(work).map_err(PyOSError::new_err)?;
        Ok(Self { rows: Mutex::new(rows), attended, worker })
    }

    /// The next row; `None` at the end. Signals are looked for while there is none.
    fn next(&mut self, py: Python) -> PyResult<Option<Record>> {
        let rows = self.rows.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Ok(row) = rows.try_recv() {
            return Ok(Some(row));
        }
        loop {
            let waited = &mut *rows;
            match py.detach(move || waited.recv_timeout(GLANCE)) {
                Ok(row) => return Ok(Some(row)),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }

    /// The reason why there are no more rows: the end, or an error of the thread.
    fn end(self, py: Python) -> PyResult<()> {
        let ended = py.detach(|| self.worker.join()).unwrap_or_else(|panic| resume_unwind(panic));
        Ok(ended.map_err(Failure::from)?)
    }
}

#[pymethods]
impl PyRows {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python) -> PyResult<Option<PyRow>> {
        let Some(run) = &mut self.run else { return Ok(None) };
        match run.next(py) {
            Ok(Some(row)) => {
                self.given += 1;
                self.show(py)?;
                Ok(Some(PyRow(row)))
            }
            Ok(None) => {
                self.display.close(py)?;
                self.run.take().map_or(Ok(None), |run| run.end(py).map(|()| None))
            }
            Err(signal) => {
                self.close(py)?;
                Err(signal)
            }
        }
    }

    fn __length_hint__(&self) -> u64 {
        if self.run.is_some() { self.all - self.given } else { 0 }
    }

    /// Ends the work. There are no more rows then.
    fn close(&mut self, py: Python) -> PyResult<()> {
        if let Some(run) = self.run.take() {
            run.attended.end();
        }
        self.display.close(py)
    }

    fn __repr__(&self) -> String {
        format!("<Rows: {} of {} rows given>", self.given, self.all)
    }
}

impl PyRows {
    fn show(&mut self, py: Python) -> PyResult<()> {
        if self.shown.elapsed() < GLANCE && self.given < self.all {
            return Ok(());
        }
        self.shown = Instant::now();
        self.display.show(py, self.given, self.all)
    }
}

/// The thread ends at its next row.
impl Drop for PyRows {
    fn drop(&mut self) {
        if let Some(run) = &self.run {
            run.attended.end();
        }
    }
}

/// The form of heads for an argument `full`.
pub fn form(full: bool) -> HeadForm {
    if full { HeadForm::Offsets } else { HeadForm::Fingerprint }
}

/// Rows 0 to `to`, as an iterator: each `Row` as soon as it is proved, in row order.
///
/// Rows have fingerprints of their heads; with `full=True` they have all their offsets, which takes
/// some 40 times as long. Time and memory grow with the square of `to`: rows to 100 000 take a
/// second or two, rows to 1 000 000 some minutes and 4 GB.
///
/// A thread computes the rows a few thousand ahead, with the interpreter's lock released. Ctrl-C
/// ends it. `progress` is True for a bar of tqdm, where tqdm is installed and the work takes more
/// than a second; False for none; or a function of two numbers: rows given, and all.
///
/// Raises ValueError if `to` is negative or too large, and MemoryError, with the first row, if the
/// rows need more memory than there is.
#[pyfunction]
#[pyo3(
    signature = (to, *, full = false, progress = Progress::Bar),
    text_signature = "(to, *, full=False, progress=True)"
)]
pub fn rows(py: Python, to: RowNumber, full: bool, progress: Progress) -> PyResult<PyRows> {
    let RowNumber(last) = to;
    let run = Some(Run::begin(last, form(full))?);
    let display = progress.begin(py)?;
    Ok(PyRows { run, display, shown: Instant::now(), given: 0, all: last.saturating_add(1) })
}

/// Row r with all its offsets and, if it is periodic, its certificate. With more numbers, the row
/// of all P-positions with these rows below the two longest, the longest first.
///
/// It costs what all rows to it cost: for many rows, `rows` is faster by far. `progress` is as for
/// `rows`.
///
/// Raises ValueError if r is negative or too large, and MemoryError if the rows to it need more
/// memory than there is.
///
/// >>> import chomp
/// >>> row = chomp.row(120)
/// >>> row.period, row.start, row.values
/// (2, 170, (72, 70))
/// >>> row.offset(10**30)
/// 72
/// >>> chomp.row(3, 1)
/// <Row (3,1): empty by 2>
#[pyfunction]
#[pyo3(
    signature = (r, *lower, progress = Progress::Bar),
    text_signature = "(r, *lower, progress=True)"
)]
pub fn row(py: Python, r: RowNumber, lower: Vec<RowNumber>, progress: Progress) -> PyResult<PyRow> {
    let (engine, key) = (Engine::default(), RowKey::new(0, tail(r, lower)?));
    attend(py, progress, |watch| Ok(PyRow(Source::row(&engine, &key, watch)?.record)))
}
