//! Computes the rows of a family, each after the rows that it needs, and independent ones in
//! parallel.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use byrnes::LosersError;
use byrnes::recurrence::statement;
use record::{Fault, HeadForm, Record, RowKey, Statement, Tail};
use thiserror::Error;

use crate::Family;
use crate::columns::{Series, index};
use crate::known::Known;
use crate::row::find;

/// How a family is computed.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The number of threads. It does not change the rows.
    pub threads: NonZeroUsize,
    /// The form of heads in the records.
    pub form: HeadForm,
}

impl Default for Options {
    fn default() -> Self {
        Self { threads: NonZeroUsize::MIN, form: HeadForm::Fingerprint }
    }
}

/// Why the rows of a family were not found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// A row was not proved.
    #[error("{key}: {source}")]
    Row {
        /// The row.
        key: RowKey,
        /// Why.
        source: LosersError,
    },
    /// A row that no statement can describe: a defect of this program.
    #[error("{key}: {fault}; this is a defect of the program, please report it")]
    Record {
        /// The row.
        key: RowKey,
        /// The fault of its statement.
        fault: Fault,
    },
    /// Too many rows.
    #[error("there are 2^32 rows or more with tails within {within}; ask for fewer")]
    TooMany {
        /// The tail that contains them.
        within: Tail,
    },
    /// The visitor asked to stop.
    #[error("stopped")]
    Stopped,
}

/// All rows of a family, in their order.
///
/// `visit` gets each row when it is found, before the rows that need it; the order is the same for
/// any number of threads. `Break` ends the work, with an error.
///
/// # Errors
/// [`Error`](enum@Error): nothing is returned that was not proved.
///
/// # Cost
/// For each cell, the engine reads the words of 64 offsets from the least offset that may be free
/// to the one that is free: in the row itself, and in one series for each part of the tail.
/// Entering a row takes one bit per column of a series. A series has a column for each q that a row
/// has reached. All offsets of all rows are kept as well.
pub fn rows(
    family: &Family,
    options: &Options,
    visit: &mut dyn FnMut(&Record) -> ControlFlow<()>,
) -> Result<Vec<Record>, Error> {
    let too_many = || Error::TooMany { within: family.within.clone() };
    let count = family.count().ok_or_else(too_many)?;
    let mut ranks: BTreeMap<u64, Vec<(usize, RowKey)>> = BTreeMap::new();
    for (number, key) in family.keys().enumerate() {
        ranks.entry(key.tail.size() + key.level).or_default().push((number, key));
    }
    let mut found: Vec<Option<Record>> = vec![None; index(count)];
    let mut rows = FoundRows::new(family);
    for keys in ranks.into_values() {
        let jobs = keys.into_iter().map(|(number, key)| rows.job(number, key)).collect();
        for done in side_by_side(jobs, options.threads, |job| job.run(&rows, options.form)) {
            let done = done?;
            if visit(&done.record).is_break() {
                return Err(Error::Stopped);
            }
            found[done.number] = Some(done.record.clone());
            rows.take(done);
        }
    }
    Ok(found.into_iter().flatten().collect())
}

/// The rows found so far, and the series that later rows need.
struct FoundRows<'a> {
    family: &'a Family,
    known: HashMap<RowKey, Option<Arc<Known>>>,
    series: HashMap<SeriesKey, Series>,
}

/// The level, the index i of a part, from 0, and the other parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct SeriesKey {
    level: u64,
    part: usize,
    others: Vec<u64>,
}

/// A row to be found. Every row that it needs is known.
struct Job {
    number: usize,
    key: RowKey,
    series: Vec<Series>,
}

struct Done {
    number: usize,
    record: Record,
    known: Option<Arc<Known>>,
    /// Its series that a later row needs.
    series: Vec<(SeriesKey, Series)>,
}

impl<'a> FoundRows<'a> {
    fn new(family: &'a Family) -> Self {
        Self { family, known: HashMap::new(), series: HashMap::new() }
    }

    /// Two rows with the same size plus level never share a series: for the same level and the same
    /// other parts, the sizes tell the part.
    fn job(&mut self, number: usize, key: RowKey) -> Job {
        let series = (0..key.tail.parts().len()).map(|part| {
            let kept = self.series.remove(&SeriesKey::of(&key, part));
            kept.unwrap_or_else(|| Series::from_column(key.first_column()))
        });
        Job { number, series: series.collect(), key }
    }

    fn take(&mut self, done: Done) {
        let Done { record, known, series, .. } = done;
        self.series.extend(series);
        self.known.insert(record.key().clone(), known);
    }

    /// Whether the family has a tail that differs from this one only in this part, which is longer
    /// there.
    fn goes_on(&self, parts: &[u64], part: usize) -> bool {
        let within = self.family.within.parts()[part];
        let before = part.checked_sub(1).map_or(u64::MAX, |before| parts[before]);
        parts[part] < within.min(before)
    }
}

impl SeriesKey {
    fn of(key: &RowKey, part: usize) -> Self {
        let mut others = key.tail.parts().to_vec();
        others.remove(part);
        Self { level: key.level, part, others }
    }
}

impl Job {
    fn run(mut self, rows: &FoundRows, form: HeadForm) -> Result<Done, Error> {
        let Self { number, ref key, ref mut series } = self;
        for (part, series) in series.iter_mut().enumerate() {
            for z in series.entered()..key.tail.parts()[part] {
                let below = RowKey::new(key.level, shortened(&key.tail, part, z));
                series.enter(rows.known[&below].as_ref(), key.first_column());
            }
        }
        let (statement, found) = match series.first().and_then(Series::single) {
            Some(by) => (Statement::Empty { by }, None),
            None => self.find(&rows.known, form)?,
        };
        let Self { key, series, .. } = self;
        let series = series.into_iter().enumerate();
        let series = series.filter(|(part, _)| rows.goes_on(key.tail.parts(), *part));
        let series = series.map(|(part, series)| (SeriesKey::of(&key, part), series)).collect();
        match Record::new(key.clone(), statement) {
            Ok(record) => Ok(Done { number, record, known: found, series }),
            Err(fault) => Err(Error::Record { key, fault }),
        }
    }

    fn find(
        &mut self,
        known: &HashMap<RowKey, Option<Arc<Known>>>,
        form: HeadForm,
    ) -> Result<(Statement, Option<Arc<Known>>), Error> {
        let key = &self.key;
        let lower = (0..key.level).map(|level| RowKey::new(level, key.tail.clone()));
        let lower: Vec<Arc<Known>> = lower.filter_map(|key| known[&key].clone()).collect();
        let first = key.first_column();
        let (offsets, certificate) = find(first, &mut self.series, &lower)
            .map_err(|source| Error::Row { key: key.clone(), source })?;
        let statement = statement(first, &offsets, certificate.as_ref(), form);
        Ok((statement, Some(Arc::new(Known::new(first, offsets)))))
    }
}

/// The tail after a bite that leaves z squares in this part.
fn shortened(tail: &Tail, part: usize, z: u64) -> Tail {
    let (before, bitten) = tail.parts().split_at(part);
    let bitten = bitten.iter().map(|&part| part.min(z));
    let parts = before.iter().copied().chain(bitten).take_while(|part| *part > 0).collect();
    Tail::new(parts).expect("a part of a tail is a tail")
}

/// The results of the jobs, in their order.
fn side_by_side<J: Send, D: Send>(
    jobs: Vec<J>,
    threads: NonZeroUsize,
    run: impl Fn(J) -> D + Sync,
) -> Vec<D> {
    let workers = threads.get().min(jobs.len());
    if workers <= 1 {
        return jobs.into_iter().map(run).collect();
    }
    let (queue, results) = (Mutex::new(jobs.into_iter().enumerate()), Mutex::new(Vec::new()));
    let next = || queue.lock().ok().and_then(|mut queue| queue.next());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((number, job)) = next() {
                    let result = run(job);
                    if let Ok(mut results) = results.lock() {
                        results.push((number, result));
                    }
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}
