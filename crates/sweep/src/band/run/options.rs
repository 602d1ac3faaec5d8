//! Options of a run, and its memory.

use crate::band::{geometry::Windows, schedule::BLOCK, simd::Kernel, units::LANES};
use std::{num::NonZero, thread};

/// Options of the band engine. They do not change the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Threads of its own, one for each worker; at most one for each block of 512 rows is used.
    /// `None` for one worker on the thread of the caller.
    pub threads: Option<NonZero<usize>>,
    /// The vector instructions.
    pub kernel: Kernel,
    /// The positions of the windows.
    pub windows: Windows,
}

/// One thread for every processor; none where the system does not give their number, as in a
/// browser.
impl Default for Options {
    fn default() -> Self {
        let threads = thread::available_parallelism().ok();
        Self { threads, kernel: Kernel::Auto, windows: Windows::default() }
    }
}

impl Options {
    /// The number of workers: at least one, perhaps on the thread of the caller.
    pub fn workers(self) -> NonZero<usize> {
        self.threads.unwrap_or(NonZero::<usize>::MIN)
    }
}

/// The largest number of workers that [`rows`](crate::band::rows) uses, given this number of
/// threads.
pub fn workers(end: u64, threads: NonZero<usize>) -> u64 {
    end.div_ceil(LANES * BLOCK).min(threads.get() as u64)
}

/// An upper estimate of the memory in bytes that [`rows`](crate::band::rows) needs with this number
/// of threads, measured to 2 * 10^6 rows.
pub fn memory(end: u64, threads: NonZero<usize>) -> u64 {
    memory_of_words(end).saturating_add(memory_besides_words(end, threads))
}

/// The part of [`memory`] that is not for words that wait, in bytes.
pub fn memory_besides_words(end: u64, threads: NonZero<usize>) -> u64 {
    // Each worker has its own tables of the rows below.
    let a_row = 226 + 12 * workers(end, threads);
    end.saturating_mul(a_row).saturating_add(16 << 20)
}

/// The most bytes of words that wait at the same time.
pub fn memory_of_words(end: u64) -> u64 {
    let square = u128::from(end) * u128::from(end) / 270;
    u64::try_from(square).unwrap_or(u64::MAX)
}
