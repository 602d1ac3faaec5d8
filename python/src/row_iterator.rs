//! A loop over rows: a thread computes or reads them ahead.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use driver::Record;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::failure::Failure;
use crate::row::PyRow;
use crate::rows::Rows;
use crate::work::{Attended, Display, GLANCE, Progress};

/// Rows that are computed and not yet taken: at most this many.
const AHEAD: usize = 4096;

/// An iterator over `Rows`. A thread computes or reads them, a few thousand rows ahead; it ends
/// with the iterator.
#[pyclass(name = "RowIterator", module = "chomp")]
#[derive(Debug)]
pub struct PyRowIterator {
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
    fn begin(rows: &Rows, last: u64) -> PyResult<Self> {
        let (sender, receiver) = mpsc::sync_channel(AHEAD);
        let attended = Arc::new(Attended::default());
        let (watch, rows) = (Arc::clone(&attended), rows.clone());
        let work = move || {
            rows.visit(last, &*watch, |row| {
                // There is no receiver if the iterator was dropped.
                match sender.send(row) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            })
        };
        let worker = thread::Builder::new().spawn(work).map_err(PyOSError::new_err)?;
        Ok(Self { rows: Mutex::new(receiver), attended, worker })
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
impl PyRowIterator {
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
        format!("<RowIterator: {} of {} rows given>", self.given, self.all)
    }
}

impl PyRowIterator {
    /// Begins to compute or read these rows, `all` of them.
    pub fn begin(py: Python, rows: &Rows, all: u64, progress: Progress) -> PyResult<Self> {
        let run = all.checked_sub(1).map(|last| Run::begin(rows, last)).transpose()?;
        let display = progress.begin(py)?;
        Ok(Self { run, display, shown: Instant::now(), given: 0, all })
    }

    fn show(&mut self, py: Python) -> PyResult<()> {
        if self.shown.elapsed() < GLANCE && self.given < self.all {
            return Ok(());
        }
        self.shown = Instant::now();
        self.display.show(py, self.given, self.all)
    }
}

/// The thread ends at its next row.
impl Drop for PyRowIterator {
    fn drop(&mut self) {
        if let Some(run) = &self.run {
            run.attended.end();
        }
    }
}
