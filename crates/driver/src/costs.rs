//! Costs of work. Times are counts that the code has, times rates that were measured
//! (`docs/PERFORMANCE.md`, *Estimates before the work*). They choose between ways to an answer, say
//! whether it has all bites that win where a theorem says who wins, and are shown. Who wins does
//! not depend on them. Bytes are those that were measured, with a margin.

use std::num::NonZero;
use std::time::Duration;

use boards::grundy::{self, within};
use boards::rectangles::{self, choices};
use boards::{boundary, lengths, sieve};
use game::Board;
#[cfg(feature = "files")]
use record::data_set::SEGMENT_ROWS;
use sweep::band::{self, Kernel};

use crate::SweepOptions;
use crate::job::Cost;

/// Processor seconds of a cell of the checker of heads.
#[cfg(feature = "files")]
const HEAD_CELL: f64 = 4.5e-9;
/// Of a position of three rows in a full table of Grundy values.
const GRUNDY_POSITION: f64 = 31e-9;
/// Of a step of a table of the Grundy values within a board.
const GRUNDY_STEP: f64 = 0.5e-9;
/// Of a position, when the lengths of games are found, while they are in the caches, and beyond.
const LENGTH: f64 = 25e-9;
const LENGTH_BEYOND_CACHES: f64 = 35e-9;
/// Of a choice of lower rows, for each row, while the tables are in the caches, and beyond.
const CHOICE: f64 = 1.6e-9;
const CHOICE_BEYOND_CACHES: f64 = 2.2e-9;
/// Of a P-position, and of a left half, by boundary words; beyond the caches twice as much.
const P_POSITION: f64 = 250e-9;
const LEFT_HALF: f64 = 2.5e-6;
/// The bytes of a rectangle from which most look-ups leave the caches.
const CACHES: u64 = 500_000_000;

/// Bytes of the program before any row, with a margin.
pub const PROGRAM: u64 = 16 << 20;

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
pub fn band(last: u64, options: SweepOptions) -> Cost {
    let is_fast =
        |fast: Kernel| options.kernel == fast || options.kernel == Kernel::Auto && fast.is_here();
    let cell = if is_fast(Kernel::Avx512) {
        0.36e-9
    } else if is_fast(Kernel::Avx2) {
        0.88e-9
    } else if cfg!(target_family = "wasm") {
        4.5e-9
    } else {
        1.94e-9
    };
    let (end, workers) = (last.saturating_add(1), options.workers());
    Cost {
        threads: options.threads.map_or(0, |threads| band::workers(end, threads)),
        ..Cost::new(band::memory(end, workers), shared(cell * cells(last), workers))
    }
}

/// Rows 0 to `last` with all offsets by the pointer engine. Resident at most, measured: 14 MB for
/// rows to 10 000, 29 MB to 20 000, 84 MB to 40 000, with 8 MB for the program.
pub fn pointer(last: u64) -> Cost {
    Cost::new(last.saturating_mul(last) / 16 + PROGRAM, seconds(50e-9 * cells(last)))
}

/// A data set of rows 0 to `last` with all offsets, besides the rows: they are compressed, hashed
/// and read back. A segment has its offsets as numbers, as text and compressed: 24 bytes for each
/// of the (√2 - 1)/2 · R² cells of rows to R. Resident at most, measured: 17 to 19 for rows to 10
/// 000, 15 000 and 20 000.
#[cfg(feature = "files")]
pub fn full_data_set(last: u64) -> Cost {
    let begun = last - last % SEGMENT_ROWS;
    let bytes = |first: u64, end: u64| 24 * 2072 * ((end * end - first * first) / 10_000);
    let most = bytes(begun, last + 1).max(bytes(begun.saturating_sub(SEGMENT_ROWS), begun));
    Cost::new(most, seconds(130e-9 * cells(last)))
}

/// Rows 0 to `last` by the literal recurrence. Resident at most, measured: 9.4 MB for rows to 1000,
/// 10.9 MB to 3000, 15.1 MB to 5000, with 8 MB for the program.
pub fn literal(last: u64) -> Cost {
    let bytes = last.saturating_mul(last) / 3 + PROGRAM;
    Cost::new(bytes, seconds(5.7e-11 * float(last).powi(3)))
}

/// The check of the heads of rows 0 to `last`.
#[cfg(feature = "files")]
pub fn heads(last: u64, threads: NonZero<usize>) -> Cost {
    Cost::new(0, shared(HEAD_CELL * cells(last), threads))
}

/// All positions of a rectangle, a bit each.
pub fn rectangle(rows: u16, columns: u16, threads: NonZero<usize>) -> Cost {
    let bytes = rectangles::memory(rows, columns, threads);
    let beyond_caches = if bytes > CACHES { CHOICE_BEYOND_CACHES } else { 0.0 };
    let rate = beyond_caches.max(match rows.max(columns) {
        0..=63 => CHOICE,
        64..=255 => 2.5 * CHOICE,
        _ => 5.0 * CHOICE,
    });
    // Half of the last length of row 2 has one thread.
    let busy = threads.min(NonZero::<usize>::MIN.saturating_add(1));
    let time = choices(rows, columns).map_or(Duration::MAX, |choices| {
        shared(rate * float(choices) * float(rows.min(columns).into()), busy)
    });
    Cost::new(bytes, time).on(threads)
}

/// The same as a list of P-positions, by boundary words that are cut in the middle.
pub fn boundary(rows: u16, columns: u16, threads: NonZero<usize>) -> Cost {
    let squares = float(rows.into()) * float(columns.into());
    // The number of P-positions is not known. The number of positions for each, divided by the
    // squares, was 1/4 on long boards and 3/4 on square ones.
    let share = 0.25 + 0.5 * float(rows.min(columns).into()) / float(rows.max(columns).into());
    let p_positions = float(rectangles::positions(rows, columns)) / (share * squares);
    let left_halves = float(boundary::left_halves(rows, columns));
    let bytes = boundary::memory(rows, columns, threads);
    let beyond_caches = if bytes > CACHES { 2.0 } else { 1.0 };
    let time = beyond_caches * (P_POSITION * p_positions + LEFT_HALF * left_halves);
    Cost::new(bytes, shared(time, threads)).on(threads)
}

/// The lengths of the games from all boards within a rectangle.
pub fn lengths(rows: u16, columns: u16) -> Cost {
    let bytes = lengths::memory(rows, columns);
    let rate = if bytes > 1_000_000 { LENGTH_BEYOND_CACHES } else { LENGTH };
    Cost::new(bytes, seconds(rate * float(rectangles::positions(rows, columns))))
}

/// The lengths of the games from 3 × 1 to 3 × `to`.
pub fn lengths_of_three_rows(to: u16, threads: NonZero<usize>) -> Cost {
    // To 3000 they take 20 s; the time grows with the power 3.5.
    let time = seconds(20.0 * (f64::from(to) / 3000.0).powf(3.5));
    Cost::new(lengths::memory_of_three_rows(to, threads), time).on(threads)
}

/// All boards with at most this number of squares, counted by squares: 80 ns each.
#[cfg(feature = "files")]
pub fn boards_by_squares(squares: u16) -> Cost {
    let bytes = boards::squares::BySquares::memory(squares);
    Cost::new(bytes, seconds(80e-9 * float(bytes)))
}

/// The Grundy values of all positions of three rows with at most this number of columns.
pub fn grundy_of_three_rows(columns: u16, threads: NonZero<usize>) -> Cost {
    let time = shared(GRUNDY_POSITION * float(columns.into()).powi(3) / 6.0, threads);
    Cost::new(grundy::memory(columns, threads), time).on(threads)
}

/// The Grundy values of all boards within one.
pub fn grundy_within(around: &Board) -> Cost {
    let time = |steps| seconds(GRUNDY_STEP * float(steps));
    let bytes = within::memory(around).unwrap_or(u64::MAX);
    Cost::new(bytes, within::cost(around).map_or(Duration::MAX, time))
}

/// All P-positions with this number of rows of at most `to` squares.
pub fn sieve(rows: u16, to: u16, threads: NonZero<usize>, kept: sieve::Kept) -> Cost {
    // To 3000, four rows take 51 s; the time grows with the power 3.9.
    let power = f64::from(rows) - 0.1;
    let time = shared(51.0 * (f64::from(to) / 3000.0).powf(power), threads);
    Cost::new(sieve::memory(rows, to, threads, kept), time).on(threads)
}

/// Rows of levels and tails that have this number of offsets, by [`crate::family::of_family`].
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

    /// The sweep on one thread.
    fn with(kernel: Kernel) -> SweepOptions {
        SweepOptions { threads: Some(ONE), kernel, ..SweepOptions::default() }
    }

    /// Processor seconds of release builds, measured on the Zen 5 machine of docs/PERFORMANCE.md
    /// and on another one; estimates are within a factor of four.
    #[test]
    fn estimates_are_about_what_was_measured() {
        let thousand = 1000 * 1000;
        let four_rows = |to| sieve(4, to, ONE, sieve::Kept::Columns);
        for (what, estimate, measured) in [
            ("rows to 10^6, AVX-512", band(thousand, with(Kernel::Avx512)), 72.7),
            ("rows to 10^5, AVX2", band(100_000, with(Kernel::Avx2)), 1.83),
            ("rows to 10^5, portable", band(100_000, with(Kernel::Portable)), 4.01),
            ("pointer to 20000", pointer(20_000), 3.74),
            ("pointer to 40000", pointer(40_000), 16.8),
            ("literal to 2000", literal(2000), 0.454),
            #[cfg(feature = "files")]
            ("heads to 10^5", heads(100_000, ONE), 8.8),
            ("14x14", rectangle(14, 14, ONE), 0.44),
            ("15x15", rectangle(15, 15, ONE), 1.70),
            ("5x100", rectangle(5, 100, ONE), 0.08),
            ("4x300", rectangle(4, 300, ONE), 0.14),
            ("10x42", rectangle(10, 42, ONE), 64.6),
            ("20x20 by boundary words", boundary(20, 20, ONE), 254.0),
            ("10x35 by boundary words", boundary(10, 35, ONE), 12.0),
            ("Grundy values to 3x2522", grundy_of_three_rows(2522, ONE), 82.8),
            ("Grundy values to 3x600", grundy_of_three_rows(600, ONE), 0.80),
            ("4 rows to 6000", four_rows(6000), 706.0),
            ("4 rows to 1500", four_rows(1500), 4.93),
        ] {
            let factor = estimate.time.as_secs_f64() / measured;
            assert!((0.25..4.0).contains(&factor), "{what}: {estimate:?}, measured {measured} s");
        }
    }

    /// Estimates are at least the measured memory, and not much larger where it is large.
    #[test]
    fn estimates_hold_what_was_measured() {
        let megabytes = |estimate: Cost, measured: u64| {
            assert!((measured..2 * measured + 25).contains(&(estimate.bytes / 1_000_000)));
        };
        for (last, measured) in [(10_000, 14), (20_000, 29), (40_000, 84)] {
            megabytes(pointer(last), measured);
        }
        for (last, measured) in [(1000, 10), (3000, 11), (5000, 15)] {
            megabytes(literal(last), measured);
        }
        #[cfg(feature = "files")]
        for (last, measured) in
            [(3000, 42), (10_000, 366), (15_000, 524), (20_000, 1172), (25_000, 1172)]
        {
            megabytes(pointer(last).and(full_data_set(last)), measured);
        }
        #[cfg(feature = "files")]
        assert!(full_data_set(20_000).bytes >= full_data_set(19_999).bytes);
    }

    /// Rectangles by tables and by boundary words, processor seconds of release builds with one
    /// thread (docs/PERFORMANCE.md): estimates are within a factor of 1.7, and name the faster of
    /// the two wherever one takes 1.3 times as long as the other.
    #[test]
    fn the_faster_solver_of_a_rectangle_is_known() {
        for (rows, columns, tables, words) in [
            (6, 30, 0.003, 0.062),
            (6, 40, 0.010, 0.398),
            (7, 30, 0.017, 0.135),
            (7, 40, 0.085, 1.128),
            (8, 24, 0.026, 0.089),
            (8, 32, 0.167, 0.688),
            (9, 20, 0.037, 0.045),
            (9, 26, 0.203, 0.297),
            (10, 20, 0.134, 0.109),
            (10, 24, 0.491, 0.443),
            (10, 28, 1.54, 1.63),
            (10, 35, 9.32, 12.0),
            (10, 42, 64.6, 89.7),
            (11, 16, 0.080, 0.036),
            (11, 22, 0.880, 0.436),
            (12, 16, 0.217, 0.075),
            (12, 18, 0.603, 0.182),
            (13, 13, 0.098, 0.030),
            (14, 14, 0.390, 0.077),
            (14, 18, 4.20, 0.867),
            (15, 15, 1.60, 0.233),
            (16, 16, 7.32, 0.858),
        ] {
            let [by_tables, by_words] =
                [rectangle, boundary].map(|cost| cost(rows, columns, ONE).time.as_secs_f64());
            for (estimate, measured) in [(by_tables, tables), (by_words, words)] {
                let factor = estimate / measured;
                assert!((0.55..1.7).contains(&factor), "{rows}x{columns}: {estimate}, {measured}");
            }
            if !(1.0 / 1.3..1.3).contains(&(tables / words)) {
                assert_eq!(by_tables < by_words, tables < words, "{rows}x{columns}");
            }
        }
    }

    #[test]
    fn estimates_do_not_overflow() {
        assert!(rectangle(1000, 1000, ONE).time > Duration::from_secs(1 << 32));
        assert_eq!(rectangle(2000, 2, ONE).time, Duration::MAX);
        let rows = [literal(u64::MAX), band(u64::MAX, with(Kernel::Portable))];
        assert_eq!(rows.map(|cost| cost.time), [Duration::MAX; 2]);
    }
}
