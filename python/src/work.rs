//! Long work: on a thread of its own, with the interpreter's lock released, its progress shown, and
//! ended by Ctrl-C.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use driver::{Watch, Work};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::failure::Failure;

/// How often signals are looked for, and progress is shown.
pub const GLANCE: Duration = Duration::from_millis(50);

/// The messages between a working thread and the interpreter.
#[derive(Debug, Default)]
pub struct Attended {
    stop: AtomicBool,
    done: AtomicU64,
    all: AtomicU64,
}

impl Attended {
    /// Asks the work to stop at the next row.
    pub fn end(&self) {
        self.stop.store(true, Ordering::SeqCst);
    }
}

impl Watch for Attended {
    fn begin(&self, work: Work) {
        self.done.store(0, Ordering::Relaxed);
        self.all.store(work.all, Ordering::Relaxed);
    }

    fn done(&self, number: u64) {
        self.done.store(number, Ordering::Relaxed);
    }

    fn stop(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }
}

/// The argument `progress`.
#[derive(Debug)]
pub enum Progress {
    /// `False` or `None`: nothing is shown.
    Silent,
    /// `True`: a bar of tqdm, where there is one.
    Bar,
    /// A function that is called with two numbers: the finished units, and all.
    Told(Py<PyAny>),
}

impl<'py> FromPyObject<'_, 'py> for Progress {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(wanted) = object.cast::<PyBool>() {
            return Ok(if wanted.is_true() { Self::Bar } else { Self::Silent });
        }
        if object.is_none() {
            Ok(Self::Silent)
        } else if object.is_callable() {
            Ok(Self::Told(object.to_owned().unbind()))
        } else {
            let words = "progress is True, False or a function of two numbers: those done, and all";
            Err(PyTypeError::new_err(words))
        }
    }
}

/// The progress of one work on its way.
#[derive(Debug)]
pub struct Display(Option<Py<PyAny>>);

impl Progress {
    pub fn clone_ref(&self, py: Python) -> Self {
        match self {
            Self::Silent => Self::Silent,
            Self::Bar => Self::Bar,
            Self::Told(function) => Self::Told(function.clone_ref(py)),
        }
    }

    /// A work begins.
    pub fn begin(self, py: Python) -> PyResult<Display> {
        Ok(Display(match self {
            Self::Silent => None,
            Self::Bar => Some(py.import("chomp._progress")?.call_method0("Bar")?.unbind()),
            Self::Told(function) => Some(function),
        }))
    }
}

impl Display {
    /// Shows how far the work is.
    pub fn show(&self, py: Python, done: u64, all: u64) -> PyResult<()> {
        match &self.0 {
            Some(show) if all > 0 => show.call1(py, (done, all)).map(drop),
            _ => Ok(()),
        }
    }

    /// The work is over.
    pub fn close(&self, py: Python) -> PyResult<()> {
        match &self.0 {
            Some(show) if show.bind(py).hasattr("close")? => {
                show.call_method0(py, "close").map(drop)
            }
            _ => Ok(()),
        }
    }
}

/// Does the work. A signal whose handler raises, as that of Ctrl-C does, ends it.
pub fn attend<T: Send>(
    py: Python,
    progress: Progress,
    work: impl FnOnce(&Attended) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let (attended, display) = (Attended::default(), progress.begin(py)?);
    let glanced = |py: Python| {
        py.check_signals()?;
        let (done, all) = (&attended.done, &attended.all);
        display.show(py, done.load(Ordering::Relaxed), all.load(Ordering::Relaxed))
    };
    let result = py.detach(|| {
        let (working, ended) = mpsc::channel::<()>();
        thread::scope(|scope| {
            let worker = scope.spawn(|| {
                // Dropped at the end, also if that is a panic.
                let _working = working;
                work(&attended)
            });
            while ended.recv_timeout(GLANCE) == Err(RecvTimeoutError::Timeout) {
                if let Err(error) = Python::attach(glanced) {
                    attended.end();
                    return Err(Failure(error));
                }
            }
            worker.join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    });
    display.close(py)?;
    Ok(result?)
}
