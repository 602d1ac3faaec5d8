//! Ctrl-C: the first asks the work to stop at the next row, the second ends the program at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// Exit code of an interrupted run.
const INTERRUPTED: i32 = 4;

/// Whether an interrupt was asked for.
#[derive(Clone, Debug)]
pub struct Interrupt(Arc<AtomicBool>);

/// A program has one handler of signals, also if it computes twice.
static CAUGHT: OnceLock<Interrupt> = OnceLock::new();

impl Interrupt {
    /// Catches Ctrl-C and the signals to end and to hang up from now on.
    pub fn catch() -> anyhow::Result<Self> {
        if let Some(caught) = CAUGHT.get() {
            return Ok(caught.clone());
        }
        let asked = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&asked);
        ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::SeqCst) {
                std::process::exit(INTERRUPTED);
            }
        })?;
        Ok(CAUGHT.get_or_init(|| Self(asked)).clone())
    }

    /// Whether it is time to stop.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
