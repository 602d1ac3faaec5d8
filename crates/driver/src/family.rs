//! Levels and tails: the rows of a family computed, and the memory that they need.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::time::Duration;

use record::{Family, GrowingPoset, HeadForm, Lower, Record};

use crate::costs::{self, PROGRAM};
use crate::error::Hint;
use crate::job::{Cost, Job, Running, Watch, Work};
use crate::{Engine, Error};

impl Engine {
    /// All rows of a family, in their order, each proved. `Break` ends the work, with
    /// [`Error::Interrupted`]; `visit` gets each row before those that need it.
    ///
    /// # Errors
    /// Too many rows; the literal recurrence, which has no families; [`Error::Interrupted`]; a row
    /// that was not proved; [`Error::Memory`] before the work, if there is less memory than such
    /// families were measured to need, and during the work, if less is left than has been used.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use driver::{Engine, Family, HeadForm};
    /// let family = Family::of_tails(2, "3".parse()?);
    /// let visit = |_: &_| ControlFlow::Continue(());
    /// let rows = Engine::default().family(&family, HeadForm::Fingerprint, &(), visit)?;
    /// assert_eq!(rows[8].to_string(), "Empty(row: 2, level: 2, by: 1)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn family(
        &self,
        family: &Family,
        form: HeadForm,
        watch: &dyn Watch,
        mut visit: impl FnMut(&Record) -> ControlFlow<()>,
    ) -> Result<Vec<Record>, Error> {
        let Self::Sweep(options) = self else {
            let words = "the literal recurrence has rows of three-rowed Chomp only";
            return Err(Error::usage(words).with(Hint::Sweep));
        };
        let all = family.count().unwrap_or(u64::MAX);
        let (mut memory, mut shortage) = (FamilyMemory::begin(family, form, watch)?, None);
        // The rows of large tails take longer; those of ideals are of all sizes from the first on.
        let exponent = if family.within().is_some() { 2.0 } else { 1.0 };
        let running = Running::new(watch, Work { unit: "row", all, before: 0, exponent });
        let mut take = |record: &Record| {
            visit(record)?;
            let period = record.periodic().map_or(0, record::Periodic::period);
            let head = record.settled().saturating_sub(record.key().first_column());
            shortage = memory.keep(head + period).err();
            if shortage.is_some() { ControlFlow::Break(()) } else { running.advance(1) }
        };
        let threads = options.threads.unwrap_or(NonZero::<usize>::MIN);
        let options = levels::Options { threads, form, stop: &|| watch.stop() };
        let rows = levels::rows(family, &options, &mut take);
        shortage.map_or_else(|| Ok(rows?), Err)
    }
}

/// Bytes of the rows of a family: of each row, and of each offset of a head and a period that is
/// kept. The starts of rows follow no line, so the number of their offsets is an estimate from
/// measurements, not a bound. So whenever the kept bytes have doubled, the system is asked whether
/// as many more are available.
#[derive(Debug)]
pub struct FamilyMemory {
    rows: u64,
    /// Bytes of a row, besides its offsets.
    row: u64,
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
    pub fn begin(family: &Family, form: HeadForm, watch: &dyn Watch) -> Result<Self, Error> {
        let (row, offset) = (row_of(family), offset_of(family, form));
        let begun = |rows| Self { rows, row, offset, kept: 0, next: Self::FIRST };
        // Engines refuse families that cannot be counted.
        let Some(rows) = family.count() else { return Ok(begun(u64::MAX)) };
        // First the part that does not visit each tail.
        let bytes = rows.saturating_mul(row);
        job(&format!("{rows} rows"), Cost::new(bytes, Duration::ZERO)).require()?;
        job(&format!("{rows} rows"), of_family(family, form)).announce(None, watch)?;
        Ok(begun(rows))
    }

    /// Counts a row with this number of kept offsets.
    pub fn keep(&mut self, offsets: u64) -> Result<(), Error> {
        let bytes = offsets.saturating_mul(self.offset).saturating_add(self.row);
        self.kept = self.kept.saturating_add(bytes);
        if self.kept < self.next {
            return Ok(());
        }
        self.next = self.kept.saturating_mul(2);
        let rest = format!("the rest of {} rows", self.rows);
        job(&rest, Cost::new(self.kept, Duration::ZERO)).require()
    }
}

fn job(rows: &str, cost: Cost) -> Job {
    let what = format!("{rows} of levels and tails may need");
    Job::new(what, "choose a smaller tail, row or level", cost)
}

/// Bytes for an offset of a head and a period: in the row as it is looked up, in the columns of the
/// series that it belongs to, one for each part, and, if heads list offsets, in the record.
fn offset_of(family: &Family, form: HeadForm) -> u64 {
    let in_columns = if parts(family) <= 2 { 8 } else { 16 };
    let in_record = if form == HeadForm::Offsets { 16 } else { 0 };
    8 + in_columns + in_record
}

/// Bytes for a row, besides its offsets. A row of an ideal of many chains keeps 64 columns for each
/// of those that a larger ideal has more of.
fn row_of(family: &Family) -> u64 {
    if is_wide(family) { 100 + 180 * parts(family) } else { 1000 + 40 * parts(family) }
}

/// The parts of a tail of the family, or of an ideal.
fn parts(family: &Family) -> u64 {
    levels::parts(family) as u64
}

/// Whether its rows are of ideals of more than three chains: many short rows.
fn is_wide(family: &Family) -> bool {
    family.within().is_none() && parts(family) > 3
}

/// Whether the least elements lie equally high over the chains, and each other at most one higher
/// than those below it. If not, the head of a row may have as many columns as others, or hundreds
/// of times as many: 117 random posets of up to 25 elements showed no rule.
fn rises_evenly(poset: &GrowingPoset) -> bool {
    let over = |&element: &usize| [poset.heights(element).over_c, poset.heights(element).over_d];
    let mut least = (0..poset.len()).filter(|&element| poset.lower(element).is_empty());
    let first = least.next().as_ref().map(over);
    let is_even = least.all(|element| Some(over(&element)) == first);
    let rises_by_one = |element: usize| {
        let lower = poset.lower(element).iter().map(over);
        let highest = lower.reduce(|a, b| [a[0].max(b[0]), a[1].max(b[1])]);
        highest.is_none_or(|below| (0..2).all(|i| over(&element)[i] <= below[i] + 1))
    };
    is_even && (0..poset.len()).all(rises_by_one)
}

/// The cost of all rows of a family, without a time if there is no rule for it. Visits each tail.
pub fn of_family(family: &Family, form: HeadForm) -> Cost {
    let (level, parts) = (family.level, parts(family));
    let rows = family.count().unwrap_or(u64::MAX);
    let (time, offsets) = match &family.lower {
        Lower::Ideals(ideals) => {
            let of_ideal = if is_wide(family) { offsets_of_wide } else { offsets };
            let columns = (0..ideals.list().len()).map(|ideal| ideals.column(ideal, level));
            let each = columns.zip(ideals.list());
            let each = each.map(|(column, own)| of_ideal(column, own.len() as u64 + level));
            let offsets = each.fold(0, u64::saturating_add).saturating_mul(level + 1);
            let time = match (rises_evenly(ideals.poset()), is_wide(family)) {
                (false, _) => Duration::ZERO,
                (true, true) => costs::wide_family(parts, rows, offsets),
                (true, false) => costs::family(level, parts, offsets),
            };
            (time, offsets)
        }
        Lower::Within(_) => {
            let each = family.keys();
            let each = each.map(|key| offsets(key.first_column(), key.tail().size() + key.level));
            let offsets = each.fold(0, u64::saturating_add);
            (costs::family(level, parts, offsets), offsets)
        }
    };
    let bytes = offsets.saturating_mul(offset_of(family, form));
    let bytes = bytes.saturating_add(rows.saturating_mul(row_of(family))).saturating_add(PROGRAM);
    Cost::new(bytes, time)
}

/// The expected number of offsets of a row of an ideal of many chains, from its first column and
/// its elements with the level. Measured: some where d is not below an element, and 25 to 150 where
/// six elements of d are; fewer if most rows end.
fn offsets_of_wide(column: u64, size: u64) -> u64 {
    let most = column.max(size);
    (column / 2).saturating_add(most.saturating_mul(most) / 20 * 3)
}

/// The expected number of offsets of a row, as an upper bound for sums over families. Measured,
/// with x the first part, and y the other parts with the level (`size` is x + y): for y to 7, a
/// head of 0.42 x and little more; then 0.4 to 1.5 times xy, more often than not growing with y;
/// and for y beyond x, 0.1 to 0.3 times (x + y)^2. One row in a few has much more, and as many are
/// empty.
fn offsets(x: u64, size: u64) -> u64 {
    let y = size.saturating_sub(x);
    let more = match y {
        0..8 => 5 * y * y,
        _ if y <= x => x.saturating_mul(y).saturating_mul((40 + y).min(120)) / 80,
        _ => (x + y).saturating_mul(x + y) / 10 * 3,
    };
    (x / 2 + 20).saturating_add(more)
}

#[cfg(test)]
mod tests {
    use record::Tail;

    use super::*;

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
            let estimate = of_family(&family, HeadForm::Fingerprint).bytes / 1_000_000;
            assert!((measured..3 * measured + 25).contains(&estimate), "{family}: {estimate} MB");
        }
    }

    /// The highest level, the tail, and the processor seconds, measured.
    const TIMES: [(u64, &str, f64); 11] = [
        (0, "10,10,10,10,10,10", 2.2),
        (0, "30,30,30", 1.98),
        (0, "15,15,15,15", 1.46),
        (0, "40,30,20", 3.66),
        (0, "70,70", 0.48),
        (0, "150,150", 12.1),
        (0, "60,50,40", 20.7),
        (0, "80,70,60", 270.0),
        (6, "3000", 1.09),
        (20, "600", 9.46),
        (100, "30", 1.56),
    ];

    /// Estimates are within a factor of three of the measured times.
    #[test]
    fn times_of_families_are_about_what_was_measured() {
        for (level, within, measured) in TIMES {
            let family = Family::of_tails(level, within.parse().unwrap());
            let estimate = of_family(&family, HeadForm::Offsets).time.as_secs_f64();
            assert!((measured / 3.0..3.0 * measured).contains(&estimate), "{family}: {estimate} s");
        }
    }

    /// The elements, or the family, the processor seconds and the resident megabytes, measured.
    const OF_IDEALS: [(&str, f64, u64); 10] = [
        ("antichain 14", 0.46, 59),
        ("antichain 16", 2.43, 238),
        ("antichain 18", 14.8, 1044),
        ("antichain 20", 68.7, 4293),
        ("beside forest 0 1 2 3 4 5 6 7 8 9 10 11 12", 8.64, 527),
        ("beside solid cube", 0.53, 44),
        ("on solid cube", 0.39, 40),
        ("under solid cube", 0.27, 31),
        (RANDOM_22, 63.8, 2514),
        (RANDOM_23, 3.52, 186),
    ];

    /// Random posets of 22 and 23 elements, two of 58 that were measured.
    const RANDOM_22: &str = "e1 < e4,e1 < e8,e2 < e15,e2 < e18,e5 < e18,e9 < e18,e8 < e20,e17 < e20,\
                             e0,e3,e6,e7,e10,e11,e12,e13,e14,e16,e19,e21";
    const RANDOM_23: &str = "e3 < e7,e1 < e9,e8 < e9,e3 < e10,e1 < e11,e4 < e11,e11 < e12,e4 < e13,\
                             e9 < e13,e1 < e14,e13 < e14,e9 < e15,e11 < e15,e14 < e15,e10 < e16,\
                             e12 < e16,e5 < e17,e4 < e20,e17 < e20,e0,e2,e6,e18,e19,e21,e22";

    fn of_text(text: &str) -> Family {
        Family::of_poset(0, text.replace(',', "\n").parse().unwrap()).unwrap()
    }

    #[test]
    fn no_time_is_promised_for_heads_without_a_rule() {
        let relations = "e1 < e2,e2 < e3,e4 < e5,e6,e7,e8";
        let time = |text: &str| of_family(&of_text(text), HeadForm::Offsets).time;
        assert!(!time(relations).is_zero());
        assert!(time(&format!("{relations},d[3] < e2,c[2] < e7")).is_zero());
    }

    /// Both estimates are within a factor of three of what was measured.
    #[test]
    fn estimates_of_ideals_are_about_what_was_measured() {
        let antichain =
            |size: usize| (0..size).map(|name| format!("e{name}")).collect::<Vec<_>>().join(",");
        for (name, seconds, megabytes) in OF_IDEALS {
            let text = match (name.strip_prefix("antichain "), name.contains(',')) {
                (Some(size), _) => antichain(size.parse().unwrap()),
                (None, true) => name.to_owned(),
                (None, false) => posets::growing(name).unwrap(),
            };
            let family = of_text(&text);
            let Cost { time, bytes, .. } = of_family(&family, HeadForm::Offsets);
            let time = time.as_secs_f64();
            assert!((seconds / 3.0..3.0 * seconds).contains(&time), "{name}: {time} s");
            let estimate = bytes / 1_000_000;
            assert!((megabytes / 3..3 * megabytes).contains(&estimate), "{name}: {estimate} MB");
        }
    }

    #[test]
    fn what_a_family_keeps_is_asked_for_again() {
        let family = Family::three_rowed(0, 10);
        let mut memory = FamilyMemory::begin(&family, HeadForm::Fingerprint, &()).unwrap();
        assert!(memory.keep(1000).is_ok());
        let shortage = memory.keep(u64::MAX / 2).unwrap_err();
        assert!(shortage.to_string().starts_with("the rest of 11 rows of levels"), "{shortage}");
    }
}
