//! Memory: the need of a run, and the limits of this process. A run that would exceed them is
//! refused before the work.

mod available;
pub mod family;

use std::fmt;
use std::num::NonZero;
use std::time::Duration;

#[cfg(feature = "files")]
use record::segments::SEGMENT_ROWS;
use thiserror::Error;
use words::Bytes;

#[cfg(feature = "files")]
use crate::Error;
pub(crate) use crate::cost::Cost;
use crate::watch::{Cheaper, Event, Watch};

/// Runs that need more memory than this announce their cost,
const MUCH: u64 = 1_000_000_000;
/// and so do runs that take longer.
const LONG: Duration = Duration::from_secs(10);

/// The time, the memory and the threads that a run needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// The time, by an estimate; zero if there is none.
    pub time: Duration,
    /// Bytes at most, with a margin.
    pub bytes: u64,
    /// Threads of the engine besides the first, whose number the user can choose.
    pub threads: u64,
    /// Threads for other work.
    pub helpers: u64,
}

impl Need {
    /// For work on the thread of the caller.
    pub fn of_one_thread(bytes: u64, time: Duration) -> Self {
        Self { time, bytes, threads: 0, helpers: 0 }
    }

    /// For work on this number of threads, which the user can choose.
    pub fn of_threads(bytes: u64, threads: NonZero<usize>, time: Duration) -> Self {
        Self { time, bytes, threads: threads.get() as u64 - 1, helpers: 0 }
    }

    /// Its time and memory.
    pub fn cost(self) -> Cost {
        Cost { time: self.time, bytes: self.bytes }
    }
}

impl Cost {
    /// Whether it takes more than ten seconds or 1 GB.
    pub(crate) fn is_much(self) -> bool {
        self.bytes > MUCH || self.time > LONG
    }

    /// One measure of both: a gigabyte counts as a second.
    pub(crate) fn weight(self) -> Duration {
        self.time.saturating_add(Duration::from_nanos(self.bytes))
    }

    /// Announces work that may take much.
    pub fn announce_at_most(self, watch: &dyn Watch) {
        if self.is_much() {
            watch.event(&Event::MayCost { cost: self });
        }
    }

    /// Announces work that takes much.
    pub fn announce(self, cheaper: Option<Cheaper>, watch: &dyn Watch) {
        if self.is_much() {
            watch.event(&Event::Cost { cost: self, cheaper });
        }
    }
}

/// The purpose of the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Purpose {
    /// Rows 0 to `last`.
    Rows {
        /// The last row.
        last: u64,
    },
    /// All positions of a rectangle.
    Board {
        /// Its rows.
        rows: u16,
        /// Its columns.
        columns: u16,
    },
    /// All P-positions with this number of rows.
    Positions {
        /// The rows.
        rows: u16,
        /// The largest length of row 1.
        to: u16,
    },
    /// All boards with at most this number of squares.
    Squares {
        /// The number of squares.
        most: u64,
    },
    /// The Grundy values of 3 × 1 to 3 × `columns`.
    GrundyValues {
        /// The number of columns.
        columns: u64,
    },
    /// The Grundy values of all boards within one.
    GrundyValuesWithin {
        /// Its rows.
        rows: u16,
        /// The length of its longest row.
        columns: u16,
    },
    /// The rows of a family of levels and tails.
    Family {
        /// The number of rows.
        rows: u64,
    },
    /// The rest of these rows.
    RestOfFamily {
        /// The number of all rows of the family.
        rows: u64,
    },
    /// Positions of a poset.
    Poset {
        /// Their number, at most.
        positions: u64,
    },
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Rows { last } => write!(f, "rows to {last} need"),
            Self::Board { rows, columns } => write!(f, "the positions of {rows}x{columns} need"),
            Self::Positions { rows, to } => {
                write!(f, "the P-positions of {rows} rows up to {to} squares need")
            }
            Self::Squares { most } => write!(f, "boards of up to {most} squares need"),
            Self::GrundyValues { columns } => write!(f, "Grundy values to 3x{columns} need"),
            Self::GrundyValuesWithin { rows, columns } => {
                write!(
                    f,
                    "a table of Grundy values of boards with {rows} rows and {columns} columns needs"
                )
            }
            Self::Family { rows } => write!(f, "{rows} rows of levels and tails may need"),
            Self::RestOfFamily { rows } => {
                write!(f, "the rest of {rows} rows of levels and tails may need")
            }
            Self::Poset { positions } => write!(f, "{positions} positions need"),
        }
    }
}

impl Purpose {
    fn advice(self) -> &'static str {
        match self {
            Self::Rows { .. } => "choose a smaller row",
            Self::Board { .. } | Self::GrundyValuesWithin { .. } => "choose a smaller board",
            Self::Positions { .. } => "choose fewer rows or squares",
            Self::Squares { .. } => "choose fewer squares",
            Self::GrundyValues { .. } => "choose fewer columns",
            Self::Family { .. } | Self::RestOfFamily { .. } => {
                "choose a smaller tail, row or level"
            }
            Self::Poset { .. } => "allow less memory",
        }
    }
}

/// More memory is needed than this process may have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{purpose} {} of {of_what}, and {} {there}; {}{advice}",
    amount(*needed), Bytes(*available), purpose.advice()
)]
pub struct Shortage {
    /// The purpose of the memory.
    pub purpose: Purpose,
    /// The need, in bytes.
    pub needed: u64,
    /// The available amount, in bytes.
    pub available: u64,
    /// The part of the need that is for threads: their stacks, and the address space reserved for
    /// their small blocks.
    threads: u64,
    of_what: &'static str,
    there: &'static str,
    advice: &'static str,
}

impl Shortage {
    /// The available memory besides that for threads, in bytes.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.available.saturating_sub(self.threads)
    }

    /// Whether fewer threads would need less of it.
    #[must_use]
    pub fn is_less_with_fewer_threads(&self) -> bool {
        !self.advice.is_empty()
    }
}

/// The program before any row, with a margin.
const PROGRAM: u64 = 16 << 20;

/// The stack of a thread.
const STACK: u64 = 2 << 20;

/// The address space that glibc reserves for the small blocks of a thread. If it cannot, each block
/// takes a page, and the space is soon exhausted.
const ARENA: u64 = 64 << 20;

/// Bytes of the pointer engine. Resident at most, measured: 14 MB for rows to 10 000, 29 MB to
/// 20 000, 84 MB to 40 000, with 8 MB for the program.
pub fn pointer(last: u64) -> u64 {
    last.saturating_mul(last) / 16 + PROGRAM
}

/// Bytes of the literal recurrence. Resident at most, measured: 9.4 MB for rows to 1000, 10.9 MB to
/// 3000, 15.1 MB to 5000, with 8 MB for the program.
pub fn literal(last: u64) -> u64 {
    last.saturating_mul(last) / 3 + PROGRAM
}

/// Bytes of a segment with all offsets (`--full`), as numbers, as text and compressed: 24 for each
/// of the (√2 - 1)/2 · R² cells of rows to R. Resident at most, measured: 17 to 19 for rows to
/// 10 000, 15 000 and 20 000.
#[cfg(feature = "files")]
pub fn full_segment(last: u64) -> u64 {
    let begun = last - last % SEGMENT_ROWS;
    let bytes = |first: u64, end: u64| 24 * 2072 * ((end * end - first * first) / 10_000);
    bytes(begun, last + 1).max(bytes(begun.saturating_sub(SEGMENT_ROWS), begun))
}

/// Refuses rows 0 to `last` if this process may not have the bytes that it needs for its part.
///
/// # Errors
/// [`Error::Memory`].
#[cfg(feature = "files")]
pub fn require_memory(last: u64, bytes: u64) -> Result<(), Error> {
    let need = Need::of_one_thread(bytes, Duration::ZERO);
    Ok(require(Purpose::Rows { last }, need)?)
}

/// Refuses a run that needs more than is available, and announces one that needs much.
pub fn announce(purpose: Purpose, need: Need, watch: &dyn Watch) -> Result<(), Shortage> {
    announce_with(purpose, need, None, watch)
}

/// The same, with a cheaper way.
pub fn announce_with(
    purpose: Purpose,
    need: Need,
    cheaper: Option<Cheaper>,
    watch: &dyn Watch,
) -> Result<(), Shortage> {
    require(purpose, need)?;
    need.cost().announce(cheaper, watch);
    Ok(())
}

/// Half of the free memory.
#[cfg(feature = "files")]
pub fn half() -> u64 {
    let available = [available::free(), available::left_to_group(), available::data()]
        .into_iter()
        .flatten()
        .min();
    available.map_or(1 << 30, |bytes| bytes / 2)
}

/// Refuses a run that needs more than the user allows, or than is available.
pub fn require_within(purpose: Purpose, need: Need, allowed: Option<u64>) -> Result<(), Shortage> {
    if let Some(available) = allowed.filter(|allowed| *allowed < need.bytes) {
        let (of_what, there, advice) = ("memory", "are allowed", "");
        let (needed, threads) = (need.bytes, 0);
        return Err(Shortage { purpose, needed, available, threads, of_what, there, advice });
    }
    require(purpose, need)
}

/// Refuses a run that needs more than is available.
pub fn require(purpose: Purpose, need: Need) -> Result<(), Shortage> {
    let Need { bytes, threads, helpers, .. } = need;
    let all = threads + helpers;
    let data = bytes.saturating_add(all.saturating_mul(STACK));
    // One more, since the system is asked for two and gives one back.
    let arenas = if all == 0 { 0 } else { all + 1 };
    let space = data.saturating_add(arenas.saturating_mul(ARENA));
    for (needed, available, of_what, there, advice) in [
        (bytes, available::free(), "memory", "are available here", ""),
        (
            bytes,
            available::left_to_group(),
            "memory",
            "are left to this container (its control group)",
            "",
        ),
        (data, available::data(), "memory", "are left of its limit (ulimit -d)", ""),
        (
            space,
            available::address_space(),
            "address space",
            "are left of its limit (ulimit -v)",
            if threads == 0 { "" } else { " or fewer threads" },
        ),
    ] {
        if let Some(available) = available.filter(|available| *available < needed) {
            let threads = needed - bytes;
            return Err(Shortage { purpose, needed, available, threads, of_what, there, advice });
        }
    }
    Ok(())
}

/// An amount of memory, in words.
fn amount(bytes: u64) -> String {
    match bytes {
        u64::MAX => "more than 2^64 bytes".to_owned(),
        _ => format!("about {}", Bytes(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Estimates are at least the measured memory, and not much larger where it is large.
    #[test]
    fn estimates_hold_what_was_measured() {
        let megabytes = |estimate: u64, measured: u64| {
            assert!((measured..2 * measured + 25).contains(&(estimate / 1_000_000)));
        };
        for (last, measured) in [(10_000, 14), (20_000, 29), (40_000, 84)] {
            megabytes(pointer(last), measured);
        }
        for (last, measured) in [(1000, 10), (3000, 11), (5000, 15)] {
            megabytes(literal(last), measured);
        }
        for (last, measured) in
            [(3000, 42), (10_000, 366), (15_000, 524), (20_000, 1172), (25_000, 1172)]
        {
            megabytes(pointer(last) + full_segment(last), measured);
        }
        assert!(full_segment(20_000) >= full_segment(19_999));
    }
}
