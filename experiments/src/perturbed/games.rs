//! The statements in many recurrences.

use std::collections::BTreeMap;

use census::Surd;

use super::statistics::PerturbedStatistics;

/// A failure in a row, column or number greater than this is far from the perturbation.
pub const LATE: u64 = 1000;

/// The results of many recurrences.
#[derive(Clone, Debug, Default)]
pub struct PerturbedGames {
    /// Their number.
    pub number: u64,
    /// The statements, in the order of [`PerturbedStatistics::statements`].
    pub statements: [StatementInGames; 12],
    /// The least and the largest width of the range of D(r).
    pub width: Option<(Surd, Surd)>,
    /// The least and the largest share of periodic rows: their number, and the number of all rows.
    pub share: Option<((u64, u64), (u64, u64))>,
    /// The estimates, in the order of `Estimates::named`: the least and
    /// the largest value, and the largest width in one recurrence.
    pub estimates: [Option<[Surd; 3]>; 5],
    /// The largest excess of periodic rows over finite ones, with the number of recurrences.
    pub excesses: BTreeMap<u64, u64>,
    /// Periods, each with the number of recurrences and of rows that have it.
    pub periods: BTreeMap<u64, (u64, u64)>,
    /// Periodic rows, and those whose period was not read.
    pub rows: (u64, u64),
    /// Rows with `h >= 2` that take out as many balls as they have holes, and that take out fewer.
    pub taken: (u64, u64),
}

/// A statement in many recurrences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatementInGames {
    /// The number of recurrences in which it fails somewhere.
    pub games: u64,
    /// The number of recurrences in which it fails beyond [`LATE`].
    pub late: u64,
    /// The cases in all of them.
    pub cases: u64,
    /// Those in which it fails.
    pub failures: u64,
    /// The greatest row, column or number in which it fails.
    pub last: Option<u64>,
}

impl PerturbedGames {
    /// Adds one more recurrence.
    pub fn add(&mut self, found: &PerturbedStatistics) {
        self.number += 1;
        for (all, (_, cases)) in self.statements.iter_mut().zip(found.statements()) {
            all.games += u64::from(!cases.hold());
            all.late += u64::from(cases.last.is_some_and(|last| last > LATE));
            all.cases += cases.number;
            all.failures += cases.failures.number;
            all.last = all.last.max(cases.last);
        }
        if let Some(strip) = &found.discrepancy {
            let width = strip.width();
            let (least, largest) = self.width.unwrap_or((width, width));
            self.width = Some((least.min(width), largest.max(width)));
        }
        let periodic = found.periodic.len() as u64;
        let share = (periodic, found.rows);
        let (least, largest) = self.share.unwrap_or((share, share));
        self.share = Some((least.min(share), largest.max(share)));
        for (all, (_, _, strip)) in self.estimates.iter_mut().zip(found.estimates.named()) {
            let Some(strip) = strip else { continue };
            let (low, high, width) = (strip.least.distance, strip.largest.distance, strip.width());
            let [least, largest, widest] = all.unwrap_or([low, high, width]);
            *all = Some([least.min(low), largest.max(high), widest.max(width)]);
        }
        *self.excesses.entry(found.largest_excess).or_default() += 1;
        for (&period, rows) in &found.periods {
            let (games, all) = self.periods.entry(period).or_default();
            *games += 1;
            *all += rows.number;
        }
        self.rows = (self.rows.0 + periodic, self.rows.1 + found.unread.number);
        self.taken = (self.taken.0 + found.taken.0, self.taken.1 + found.taken.1);
    }
}
