//! How a run works, and what it needs.

use crate::band::{geometry::Windows, schedule::BLOCK, simd::Kernel, units::LANES};
use std::{num::NonZero, thread};

/// How the band engine works. No choice changes a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Workers, of which there are no more than blocks of 512 rows.
    pub threads: NonZero<usize>,
    /// The instructions to use.
    pub kernel: Kernel,
    /// Where the windows are put.
    pub windows: Windows,
}

impl Default for Options {
    /// One thread for every processor.
    fn default() -> Self {
        let threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        Self { threads, kernel: Kernel::Auto, windows: Windows::default() }
    }
}

/// The largest number of workers that [`rows`](crate::band::rows) uses, given this number of
/// threads.
#[must_use]
pub fn workers(end: u64, threads: NonZero<usize>) -> u64 {
    end.div_ceil(LANES * BLOCK).min(threads.get() as u64)
}

/// The memory in bytes that [`rows`](crate::band::rows) needs with this number of threads: an
/// estimate from above, measured to 2 * 10^6 rows.
#[must_use]
pub fn memory(end: u64, threads: NonZero<usize>) -> u64 {
    memory_of_words(end).saturating_add(memory_besides_words(end, threads))
}

/// What of [`memory`] is not for words that wait, in bytes.
#[must_use]
pub fn memory_besides_words(end: u64, threads: NonZero<usize>) -> u64 {
    // What a worker knows of the rows below is its own.
    let a_row = 226 + 12 * workers(end, threads);
    end.saturating_mul(a_row).saturating_add(16 << 20)
}

/// Bytes of words that wait at the same time, at most.
#[must_use]
pub fn memory_of_words(end: u64) -> u64 {
    let square = u128::from(end) * u128::from(end) / 270;
    u64::try_from(square).unwrap_or(u64::MAX)
}
