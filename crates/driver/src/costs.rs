//! Times that work takes: counts that the code has, times rates that were measured
//! (`docs/PERFORMANCE.md`, *Estimates before the work*). They choose between ways to an answer, say
//! whether it has all bites that win where a theorem says who wins, and are shown. Who wins does
//! not depend on them.

use std::num::NonZero;
use std::time::Duration;

use boards::grundy::within;
use boards::rectangles::{choices, memory};
use game::Board;
use sweep::band::Kernel;

/// Processor seconds of a cell of the checker of heads.
#[cfg(feature = "files")]
const HEAD_CELL: f64 = 4.5e-9;
/// Of a position of three rows in a full table of Grundy values.
const GRUNDY_POSITION: f64 = 31e-9;
/// Of a step of a table of the Grundy values within a board.
const GRUNDY_STEP: f64 = 0.5e-9;
/// Of a board, when all boards are counted by squares.
const BOARD: f64 = 80e-9;
/// Of a choice of lower rows, for each row, while the tables are in the caches, and beyond.
const CHOICE: f64 = 1.6e-9;
const CHOICE_BEYOND_CACHES: f64 = 9e-9;
/// The bytes of a rectangle from which most look-ups leave the caches.
const CACHES: u64 = 500_000_000;

/// A number of seconds, or the longest time there is.
pub fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn float(number: u64) -> f64 {
    number as f64
}

/// The time of `all` units, if `done` of them took this long.
pub fn in_proportion(elapsed: Duration, all: u64, done: u64) -> Duration {
    seconds(elapsed.as_secs_f64() * float(all) / float(done))
}

/// Work that this number of threads share.
fn shared(work: f64, threads: NonZero<usize>) -> Duration {
    seconds(work / float(threads.get() as u64))
}

/// The cells of rows 0 to `last`: (√2 - 1)/2 · R².
fn cells(last: u64) -> f64 {
    0.2071 * float(last) * float(last)
}

/// Rows 0 to `last` by the band engine.
pub fn band(last: u64, kernel: Kernel, threads: NonZero<usize>) -> Duration {
    let is_fast = |fast: Kernel| kernel == fast || kernel == Kernel::Auto && fast.is_here();
    let cell = if is_fast(Kernel::Avx512) {
        0.36e-9
    } else if is_fast(Kernel::Avx2) {
        0.88e-9
    } else if cfg!(target_family = "wasm") {
        if cfg!(target_feature = "simd128") { 2.5e-9 } else { 4.5e-9 }
    } else {
        1.94e-9
    };
    shared(cell * cells(last), threads)
}

/// Rows 0 to `last` with all offsets by the pointer engine.
pub fn pointer(last: u64) -> Duration {
    seconds(50e-9 * cells(last))
}

/// A data set of rows 0 to `last` with all offsets: they are compressed, hashed and read back.
#[cfg(feature = "files")]
pub fn full_data_set(last: u64) -> Duration {
    seconds(130e-9 * cells(last))
}

/// Rows 0 to `last` by the literal recurrence.
pub fn literal(last: u64) -> Duration {
    seconds(5.7e-11 * float(last).powi(3))
}

/// The check of the heads of rows 0 to `last`.
#[cfg(feature = "files")]
pub fn heads(last: u64, threads: NonZero<usize>) -> Duration {
    shared(HEAD_CELL * cells(last), threads)
}

/// All positions of a rectangle.
pub fn rectangle(rows: u16, columns: u16, threads: NonZero<usize>) -> Duration {
    let Ok(choices) = choices(rows, columns) else { return Duration::MAX };
    let rate = match rows.max(columns) {
        _ if memory(rows, columns, threads) > CACHES => CHOICE_BEYOND_CACHES,
        0..=63 => CHOICE,
        64..=255 => 2.5 * CHOICE,
        _ => 5.0 * CHOICE,
    };
    // Half of the last length of row 2 has one thread.
    let threads = threads.min(NonZero::<usize>::MIN.saturating_add(1));
    shared(rate * float(choices) * float(rows.min(columns).into()), threads)
}

/// The same by boundary words that are cut in the middle.
pub fn boundary(positions: u64, threads: NonZero<usize>) -> Duration {
    shared(1.8e-9 * float(positions), threads)
}

/// This number of boards, counted by squares.
pub fn boards_by_squares(boards: u64) -> Duration {
    seconds(BOARD * float(boards))
}

/// The Grundy values of all positions of three rows with at most this number of columns.
pub fn grundy_of_three_rows(columns: u64, threads: NonZero<usize>) -> Duration {
    shared(GRUNDY_POSITION * float(columns).powi(3) / 6.0, threads)
}

/// The Grundy values of all boards within one.
pub fn grundy_within(around: &Board) -> Duration {
    within::cost(around).map_or(Duration::MAX, |steps| seconds(GRUNDY_STEP * float(steps)))
}

/// All P-positions with this number of rows of at most `to` squares.
pub fn sieve(rows: u16, to: u16, threads: NonZero<usize>) -> Duration {
    // To 3000, four rows take 51 s; the time grows with the power 3.9.
    let power = f64::from(rows) - 0.1;
    shared(51.0 * (f64::from(to) / 3000.0).powf(power), threads)
}

/// Rows of levels and tails that have this number of offsets, by [`crate::memory::family`].
pub fn family(level: u64, parts: u64, offsets: u64) -> Duration {
    let of_parts = match parts {
        0..=1 => 15e-9,
        2 => 150e-9,
        3 => 600e-9,
        _ => 1e-6,
    };
    let of_levels = (16e-9 * float(level)).min(350e-9);
    seconds((of_parts + of_levels) * float(offsets))
}

/// Rows of ideals of this number of chains, more than three, that have this number of offsets.
pub fn wide_family(chains: u64, rows: u64, offsets: u64) -> Duration {
    seconds(3e-6 * float(chains) * float(rows) + 0.3e-6 * float(offsets))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: NonZero<usize> = NonZero::<usize>::MIN;

    /// Processor seconds of release builds, measured on the Zen 5 machine of docs/PERFORMANCE.md
    /// and on another one; estimates are within a factor of four.
    #[test]
    fn estimates_are_about_what_was_measured() {
        let thousand = 1000 * 1000;
        for (what, estimate, measured) in [
            ("rows to 10^6, AVX-512", band(thousand, Kernel::Avx512, ONE), 72.7),
            ("rows to 10^5, AVX2", band(100_000, Kernel::Avx2, ONE), 1.83),
            ("rows to 10^5, portable", band(100_000, Kernel::Portable, ONE), 4.01),
            ("pointer to 20000", pointer(20_000), 3.74),
            ("pointer to 40000", pointer(40_000), 16.8),
            ("literal to 2000", literal(2000), 0.454),
            #[cfg(feature = "files")]
            ("heads to 10^5", heads(100_000, ONE), 8.8),
            ("14x14", rectangle(14, 14, ONE), 0.44),
            ("15x15", rectangle(15, 15, ONE), 1.70),
            ("5x100", rectangle(5, 100, ONE), 0.08),
            ("4x300", rectangle(4, 300, ONE), 0.14),
            ("10x42", rectangle(10, 42, ONE), 288.0),
            ("20x20 by boundary words", boundary(137_846_528_819, ONE), 254.0),
            ("Grundy values to 3x2522", grundy_of_three_rows(2522, ONE), 82.8),
            ("Grundy values to 3x600", grundy_of_three_rows(600, ONE), 0.80),
            ("4 rows to 6000", sieve(4, 6000, ONE), 706.0),
            ("4 rows to 1500", sieve(4, 1500, ONE), 4.93),
        ] {
            let factor = estimate.as_secs_f64() / measured;
            assert!((0.25..4.0).contains(&factor), "{what}: {estimate:?}, measured {measured} s");
        }
    }

    #[test]
    fn estimates_do_not_overflow() {
        assert!(rectangle(1000, 1000, ONE) > Duration::from_secs(1 << 32));
        assert_eq!(rectangle(2000, 2, ONE), Duration::MAX);
        assert_eq!([literal(u64::MAX), band(u64::MAX, Kernel::Portable, ONE)], [Duration::MAX; 2]);
    }
}
