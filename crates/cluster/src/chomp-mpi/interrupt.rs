//! Signals to end. All ranks may get them, or one, or `mpirun` for all: they ask the ranks to end
//! together, and whoever wants them to end at once has SIGKILL.

use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1},
    flag,
};
use std::{
    fs, io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// Ctrl-C, and the signals to end and to hang up; and one that `mpirun` passes on to all ranks
/// without ending them itself.
const TO_END: [i32; 4] = [SIGINT, SIGTERM, SIGHUP, SIGUSR1];

/// Whether an interrupt was asked for.
#[derive(Clone, Debug)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Catches the signals to end from now on, but those that the program was started to ignore.
    pub fn catch() -> io::Result<Self> {
        let asked = Arc::default();
        for signal in TO_END.into_iter().filter(|signal| !is_ignored(*signal)) {
            flag::register(signal, Arc::clone(&asked))?;
        }
        Ok(Self(asked))
    }

    /// Whether it is time to stop.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// Whether this process was started to ignore a signal, as far as the system says so.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|ignored| ignored >> (signal - 1) & 1 == 1)
}
