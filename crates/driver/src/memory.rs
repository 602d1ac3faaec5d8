//! Memory: the need of a run, and the limits of this process. A run that would exceed them is
//! refused before the work.

use std::fmt;
use std::num::NonZero;
use std::path::Path;

#[cfg(feature = "files")]
use record::segments::SEGMENT_ROWS;
use record::{Family, HeadForm, Lower, RowKey};
use thiserror::Error;

#[cfg(feature = "files")]
use crate::Error;
use crate::watch::{Event, Watch};

/// Runs that need more memory than this announce it.
const MUCH: u64 = 1_000_000_000;

/// The memory and the threads that a run needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// Bytes at most, with a margin.
    pub bytes: u64,
    /// Threads of the engine besides the first, whose number the user can choose.
    pub threads: u64,
    /// Threads for other work.
    pub helpers: u64,
}

impl Need {
    /// For work on this number of threads, which the user can choose.
    pub fn of_threads(bytes: u64, threads: NonZero<usize>) -> Self {
        Self { bytes, threads: threads.get() as u64 - 1, helpers: 0 }
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
    "{purpose} {} of {of_what}, and {} MB {there}; {}{advice}",
    amount(*needed), megabytes(*available), purpose.advice()
)]
pub struct Shortage {
    /// The purpose of the memory.
    pub purpose: Purpose,
    /// The need, in bytes.
    pub needed: u64,
    /// The available amount, in bytes.
    pub available: u64,
    /// The part of the need that is for the stacks of threads.
    stacks: u64,
    of_what: &'static str,
    there: &'static str,
    advice: &'static str,
}

/// The resource that is not [memory](Shortage::memory).
const ADDRESS_SPACE: &str = "address space";

impl Shortage {
    /// The available memory besides the stacks of threads, in bytes; `None` if address space is
    /// short.
    #[must_use]
    pub fn memory(&self) -> Option<u64> {
        let is_memory = self.of_what != ADDRESS_SPACE;
        is_memory.then(|| self.available.saturating_sub(self.stacks))
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
    let bytes = |first: u64, end: u64| 24 * 2072 * (end * end - first * first) / 10_000;
    bytes(begun, last + 1).max(bytes(begun.saturating_sub(SEGMENT_ROWS), begun))
}

/// Refuses rows 0 to `last` if this process may not have the bytes that it needs for its part.
///
/// # Errors
/// [`Error::Memory`].
#[cfg(feature = "files")]
pub fn require_memory(last: u64, bytes: u64) -> Result<(), Error> {
    let need = Need { bytes, threads: 0, helpers: 0 };
    Ok(require(Purpose::Rows { last }, need)?)
}

/// Refuses a run that needs more than is available, and announces one that needs much.
pub fn announce(purpose: Purpose, need: Need, watch: &dyn Watch) -> Result<(), Shortage> {
    require(purpose, need)?;
    if need.bytes > MUCH {
        watch.event(&Event::Memory { bytes: need.bytes });
    }
    Ok(())
}

/// Bytes of the rows of a family: of each row, and of each offset of a head and a period that is
/// kept. The starts of rows follow no line, so the number of their offsets is an estimate from
/// measurements, not a bound. So whenever the kept bytes have doubled, the system is asked whether
/// as many more are available.
#[derive(Debug)]
pub struct FamilyMemory {
    rows: u64,
    /// Bytes of an offset.
    offset: u64,
    kept: u64,
    next: u64,
}

impl FamilyMemory {
    /// The number of kept bytes at which the system is asked first.
    const FIRST: u64 = 32_000_000;

    /// Begins with nothing kept. Refuses a family that may need more than is available, and
    /// announces one that may need much.
    pub fn begin(family: &Family, form: HeadForm, watch: &dyn Watch) -> Result<Self, Shortage> {
        let begun =
            |rows| Self { rows, offset: offset_of(family, form), kept: 0, next: Self::FIRST };
        // Engines refuse families that cannot be counted.
        let Some(rows) = family.count() else { return Ok(begun(u64::MAX)) };
        let purpose = Purpose::Family { rows };
        // First the part that does not visit each tail.
        let bytes = rows.saturating_mul(row_of(family));
        require(purpose, Need { bytes, threads: 0, helpers: 0 })?;
        announce(purpose, Need { bytes: of_family(family, form), threads: 0, helpers: 0 }, watch)?;
        Ok(begun(rows))
    }

    /// Counts a row with this number of kept offsets.
    pub fn keep(&mut self, offsets: u64) -> Result<(), Shortage> {
        self.kept = self.kept.saturating_add(offsets.saturating_mul(self.offset));
        if self.kept < self.next {
            return Ok(());
        }
        self.next = self.kept.saturating_mul(2);
        let purpose = Purpose::RestOfFamily { rows: self.rows };
        require(purpose, Need { bytes: self.kept, threads: 0, helpers: 0 })
    }
}

/// Bytes for an offset of a head and a period: in the row as it is looked up, in the columns of the
/// series that it belongs to, one for each part, and, if heads list offsets, in the record.
fn offset_of(family: &Family, form: HeadForm) -> u64 {
    let in_columns = if parts(family) <= 2 { 8 } else { 16 };
    let in_record = if form == HeadForm::Offsets { 16 } else { 0 };
    8 + in_columns + in_record
}

/// Bytes for a row, besides its offsets.
fn row_of(family: &Family) -> u64 {
    1000 + 40 * parts(family)
}

/// The parts of a tail of the family; of an ideal at most as many as it has elements.
fn parts(family: &Family) -> u64 {
    match &family.lower {
        Lower::Within(within) => within.parts().len() as u64,
        Lower::Ideals(ideals) => ideals.poset().len() as u64,
    }
}

/// Bytes of all rows of a family. Visits each tail.
fn of_family(family: &Family, form: HeadForm) -> u64 {
    let offsets = family.keys().map(|key| offsets(&key, family)).fold(0, u64::saturating_add);
    let rows = family.count().unwrap_or(u64::MAX).saturating_mul(row_of(family));
    offsets.saturating_mul(offset_of(family, form)).saturating_add(rows).saturating_add(PROGRAM)
}

/// The expected number of offsets of a row, as an upper bound for sums over families. Measured,
/// with x the first part and y the other parts with the level: for y to 7, a head of 0.42 x and
/// little more; then 0.4 to 1.5 times xy, more often than not growing with y; and for y beyond x,
/// 0.1 to 0.3 times (x + y)^2. One row in a few has much more, and as many are empty.
fn offsets(key: &RowKey, family: &Family) -> u64 {
    let x = key.first_column();
    // An ideal has at most all elements.
    let lower = match &family.lower {
        Lower::Within(_) => key.tail.size(),
        Lower::Ideals(ideals) => ideals.poset().len() as u64,
    };
    let y = lower.saturating_add(key.level).saturating_sub(x);
    let more = match y {
        0..8 => 5 * y * y,
        _ if y <= x => x.saturating_mul(y).saturating_mul((40 + y).min(120)) / 80,
        _ => (x + y).saturating_mul(x + y) / 10 * 3,
    };
    (x / 2 + 20).saturating_add(more)
}

/// Half of the free memory.
#[cfg(feature = "files")]
pub fn half() -> u64 {
    let available = [free(), left_to_group(), left_of::data()].into_iter().flatten().min();
    available.map_or(1 << 30, |bytes| bytes / 2)
}

/// Refuses a run that needs more than the user allows, or than is available.
pub fn require_within(purpose: Purpose, need: Need, allowed: Option<u64>) -> Result<(), Shortage> {
    if let Some(available) = allowed.filter(|allowed| *allowed < need.bytes) {
        let (of_what, there, advice) = ("memory", "are allowed", "");
        let (needed, stacks) = (need.bytes, 0);
        return Err(Shortage { purpose, needed, available, stacks, of_what, there, advice });
    }
    require(purpose, need)
}

/// Refuses a run that needs more than is available.
fn require(purpose: Purpose, need: Need) -> Result<(), Shortage> {
    let Need { bytes, threads, helpers } = need;
    let all = threads + helpers;
    let data = bytes.saturating_add(all.saturating_mul(STACK));
    // One more, since the system is asked for two and gives one back.
    let arenas = if all == 0 { 0 } else { all + 1 };
    let space = data.saturating_add(arenas.saturating_mul(ARENA));
    for (needed, available, of_what, there, advice) in [
        (bytes, free(), "memory", "are available here", ""),
        (bytes, left_to_group(), "memory", "are left to this container (its control group)", ""),
        (data, left_of::data(), "memory", "are left of its limit (ulimit -d)", ""),
        (
            space,
            left_of::address_space(),
            ADDRESS_SPACE,
            "are left of its limit (ulimit -v)",
            if threads == 0 { "" } else { " or fewer threads" },
        ),
    ] {
        if let Some(available) = available.filter(|available| *available < needed) {
            let stacks = needed - bytes;
            return Err(Shortage { purpose, needed, available, stacks, of_what, there, advice });
        }
    }
    Ok(())
}

/// An amount of memory, in words.
fn amount(bytes: u64) -> String {
    match bytes {
        u64::MAX => "more than 2^64 bytes".to_owned(),
        _ => format!("about {} MB", megabytes(bytes)),
    }
}

/// Megabytes, rounded up.
fn megabytes(bytes: u64) -> u64 {
    bytes.div_ceil(1_000_000)
}

/// The free memory of the machine; `None` where that is not known.
#[cfg(target_family = "wasm")]
fn free() -> Option<u64> {
    None
}

#[cfg(not(target_family = "wasm"))]
fn free() -> Option<u64> {
    let ram = sysinfo::MemoryRefreshKind::nothing().with_ram();
    let system =
        sysinfo::System::new_with_specifics(sysinfo::RefreshKind::nothing().with_memory(ram));
    Some(system.available_memory()).filter(|bytes| *bytes > 0)
}

/// The longest file about control groups that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// The memory that the control groups of this process leave to it: a container, a service, a batch
/// job.
fn left_to_group() -> Option<u64> {
    let membership = files::text(Path::new("/proc/self/cgroup"), LONGEST).ok()?;
    left_to(&membership, Path::new("/sys/fs/cgroup"))
}

/// The same from `/proc/self/cgroup` and the folder of all groups. The limit of a group holds for
/// the groups in it, so those around it count as well. Inside a container sometimes only the
/// outermost group is visible, and it is the container's own.
fn left_to(membership: &str, groups: &Path) -> Option<u64> {
    let left = membership.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, group) = (fields.next()?, fields.next()?);
        let (root, version) = match controllers {
            "" => (groups.to_owned(), &VERSION_2),
            _ if controllers.split(',').any(|name| name == "memory") => {
                (groups.join("memory"), &VERSION_1)
            }
            _ => return None,
        };
        let around = Path::new(group).ancestors();
        let folders = around.map(|group| root.join(group.strip_prefix("/").unwrap_or(group)));
        folders.filter_map(|folder| version.left(&folder)).min()
    });
    left.min()
}

/// Names of the files that control memory, and of the fields for memory that can be reclaimed.
struct GroupFiles {
    limit: &'static str,
    used: &'static str,
    cache: [&'static str; 2],
}

const VERSION_1: GroupFiles = GroupFiles {
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    cache: ["total_active_file", "total_inactive_file"],
};

const VERSION_2: GroupFiles = GroupFiles {
    limit: "memory.max",
    used: "memory.current",
    cache: ["active_file", "inactive_file"],
};

impl GroupFiles {
    /// The memory that one group leaves; `None` if it sets no limit.
    fn left(&self, group: &Path) -> Option<u64> {
        let read = |name: &str| files::text(&group.join(name), LONGEST).ok();
        let number = |text: String| text.trim().parse::<u64>().ok();
        let limit = number(read(self.limit)?)?;
        let used = read(self.used).and_then(number).unwrap_or(0);
        let cache = |line: &str| {
            let (name, bytes) = line.split_once(' ')?;
            if self.cache.contains(&name) { bytes.parse::<u64>().ok() } else { None }
        };
        let cached: u64 = read("memory.stat").unwrap_or_default().lines().filter_map(cache).sum();
        Some(limit.saturating_sub(used.saturating_sub(cached)))
    }
}

/// Limits of this process.
#[cfg(unix)]
mod left_of {
    use rustix::process::{Resource, getrlimit};

    pub fn data() -> Option<u64> {
        left_of(Resource::Data, "VmData")
    }

    pub fn address_space() -> Option<u64> {
        left_of(Resource::As, "VmSize")
    }

    fn left_of(resource: Resource, used: &str) -> Option<u64> {
        let limit = getrlimit(resource).current?;
        let used = files::process_status(used);
        let used = used.and_then(|used| used.strip_suffix(" kB")?.parse::<u64>().ok());
        Some(limit.saturating_sub(1024 * used.unwrap_or(0)))
    }
}

#[cfg(not(unix))]
mod left_of {
    pub fn data() -> Option<u64> {
        None
    }

    pub fn address_space() -> Option<u64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use record::Tail;
    use tempfile::{TempDir, tempdir};

    use super::*;

    fn group(files: &[(&str, &str)]) -> TempDir {
        let folder = tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    /// The outer group is tighter than the inner one, which has file cache that can be taken back.
    #[test]
    fn groups_of_version_2() {
        let groups = group(&[
            ("memory.stat", "anon 9\n"),
            ("job/memory.max", "1000\n"),
            ("job/memory.current", "700\n"),
            ("job/memory.stat", "anon 600\nfile 100\ninactive_file 60\nactive_file 40\n"),
            ("job/step/memory.max", "500\n"),
            ("job/step/memory.current", "50\n"),
            ("job/step/memory.stat", "anon 50\ninactive_file 0\n"),
            ("job/free/memory.max", "max\n"),
            ("job/free/memory.current", "650\n"),
            ("full/memory.max", "100\n"),
            ("full/memory.current", "120\n"),
            ("full/memory.stat", "anon 120\n"),
        ]);
        let left = |membership| left_to(membership, groups.path());
        assert_eq!(left("0::/job\n"), Some(400));
        assert_eq!(left("0::/job/step\n"), Some(400));
        assert_eq!(left("0::/job/free\n"), Some(400));
        assert_eq!(left("0::/full\n"), Some(0));
        assert_eq!(left("0::/\n"), None);
        assert_eq!(left("4:cpu,cpuacct:/job\n"), None);
        assert_eq!(left("nonsense\n"), None);
    }

    /// A container may see its own group as the outermost, under the name that it has outside.
    #[test]
    fn groups_of_version_1() {
        let groups = group(&[
            ("memory/memory.limit_in_bytes", "2000\n"),
            ("memory/memory.usage_in_bytes", "1500\n"),
            (
                "memory/memory.stat",
                "inactive_file 1\ntotal_inactive_file 200\ntotal_active_file 300\n",
            ),
            ("memory/job/memory.limit_in_bytes", "9223372036854771712\n"),
            ("memory/job/memory.usage_in_bytes", "1500\n"),
            ("memory/job/memory.stat", "total_inactive_file 0\n"),
        ]);
        let left = |membership| left_to(membership, groups.path());
        assert_eq!(left("3:cpuset:/\n4:memory:/docker/0123\n0::/\n"), Some(1000));
        assert_eq!(left("4:hugetlb,memory:/job\n"), Some(1000));
    }

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

    /// The highest level, the number of parts and their length, and the most resident megabytes,
    /// measured with two threads.
    const OF_FAMILIES: [(u64, usize, u64, u64); 18] = [
        (6, 1, 1000, 23),
        (3, 1, 2000, 44),
        (6, 1, 3000, 108),
        (20, 1, 600, 215),
        (100, 1, 30, 44),
        (0, 2, 70, 43),
        (0, 2, 100, 173),
        (0, 2, 150, 1035),
        (15, 2, 15, 14),
        (0, 3, 30, 50),
        (0, 3, 50, 426),
        (0, 3, 75, 3556),
        (0, 4, 30, 784),
        (0, 5, 14, 104),
        (0, 5, 18, 449),
        (0, 8, 8, 75),
        (0, 20, 4, 60),
        (0, 60, 2, 49),
    ];

    /// Estimates are at least the measured memory, and not much larger where it is large.
    #[test]
    fn estimates_of_families_hold_what_was_measured() {
        for (level, parts, longest, measured) in OF_FAMILIES {
            let within = Tail::new(vec![longest; parts]).unwrap();
            let family = Family::of_tails(level, within);
            let estimate = of_family(&family, HeadForm::Fingerprint) / 1_000_000;
            assert!((measured..3 * measured + 25).contains(&estimate), "{family}: {estimate} MB");
        }
    }

    #[test]
    fn what_a_family_keeps_is_asked_for_again() {
        let family = Family::three_rowed(0, 10);
        let mut memory = FamilyMemory::begin(&family, HeadForm::Fingerprint, &()).unwrap();
        assert!(memory.keep(1000).is_ok());
        let shortage = memory.keep(u64::MAX / 2).unwrap_err();
        assert_eq!(shortage.purpose, Purpose::RestOfFamily { rows: 11 });
    }
}
