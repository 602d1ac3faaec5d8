//! Computes the rows of a family, each after the rows that it needs, and independent ones in
//! parallel.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;

use byrnes::recurrence::statement;
use byrnes::{LosersError, RowError};
#[cfg(feature = "parallel")]
use rayon::{ThreadPool, ThreadPoolBuilder, prelude::*};
use record::{Family, Fault, HeadForm, Record, RowKey, Statement};
use thiserror::Error;
use ultimate::FiniteOrPeriodic;

use crate::irregular::{Irregular, OfChains};
use crate::row::{FoundRow, Series, find};
use crate::shape::{Parts, Shape, index};

/// How a family is computed.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// The number of threads. It does not change the rows.
    pub threads: NonZeroUsize,
    /// The form of heads in the records.
    pub form: HeadForm,
    /// Whether to stop, asked while the ideals are numbered and within long rows; the visitor can
    /// stop between rows.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { threads: NonZeroUsize::MIN, form: HeadForm::Fingerprint, stop: &|| false }
    }
}

/// The rows that a thread finds before `visit` gets them.
const AT_ONCE: usize = 16;

/// Why the rows of a family were not found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// A row was not proved.
    #[error(transparent)]
    Row(#[from] RowError),
    /// A row that no statement can describe: a defect of this program.
    #[error("{key}: {fault}; this is a defect of the program, please report it")]
    Record {
        /// The row.
        key: RowKey,
        /// The fault of its statement.
        fault: Fault,
    },
    /// Too many rows.
    #[error("there are 2^32 rows or more in this family: {family}; ask for fewer")]
    TooMany {
        /// The family.
        family: String,
    },
    /// The visitor or [`Options::stop`] asked to stop.
    #[error("stopped")]
    Stopped,
}

/// All rows of a family, in their order (facts 12 and 13).
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
///
/// ```
/// use levels::{Family, Options, rows};
/// // Nim with a heap of one beside two heaps: p xor n xor 1 = 0.
/// let family = Family::of_poset(0, "a".parse()?)?;
/// let rows = rows(&family, &Options::default(), &mut |_| std::ops::ControlFlow::Continue(()))?;
/// let with_a = rows[1].key().ideal().unwrap();
/// assert_eq!((with_a.to_string().as_str(), with_a.shift), ("{a}", 2));
/// // p = n + 1 for even n, and n - 1 for odd n.
/// assert_eq!(rows[1].periodic().unwrap().values, [3, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rows(
    family: &Family,
    options: &Options,
    visit: &mut dyn FnMut(&Record) -> ControlFlow<()>,
) -> Result<Vec<Record>, Error> {
    let too_many = || Error::TooMany { family: family.to_string() };
    family.count().ok_or_else(too_many)?;
    let shape = Shape::new(family, options.stop).ok_or(Error::Stopped)?;
    let mut ranks: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for number in 0..shape.count() {
        ranks.entry(shape.rank(number)).or_default().push(number);
    }
    let mut records: Vec<Option<Record>> = vec![None; shape.count()];
    let found = vec![None; shape.count()];
    let of_chains = vec![OfChains::default(); shape.count()];
    let mut rows = FoundRows { shape, found, of_chains, series: HashMap::new() };
    let threads = Threads::new(options.threads);
    let at_once = AT_ONCE * options.threads.get();
    for numbers in ranks.values().flat_map(|numbers| numbers.chunks(at_once)) {
        let jobs = numbers.iter().map(|&number| (number, rows.take_series(number))).collect();
        for done in threads.run(jobs, |(number, series)| rows.find(number, series, options)) {
            let visited = done.and_then(|done| match visit(&done.record) {
                ControlFlow::Continue(()) => Ok(done),
                ControlFlow::Break(()) => Err(Error::Stopped),
            });
            let Done { number, record, found, of_chains, series } = match visited {
                Ok(done) => done,
                Err(error) => {
                    free_later((records, rows));
                    return Err(error);
                }
            };
            records[number] = Some(record);
            rows.found[number] = found;
            rows.of_chains[number] = of_chains;
            rows.series.extend(series);
        }
    }
    Ok(records.into_iter().flatten().collect())
}

/// The rows found so far, and the series that later rows need.
struct FoundRows {
    shape: Shape,
    /// By the number of the row; `None` for rows that are not found yet, and for rows without
    /// positions.
    found: Vec<Option<Arc<FoundRow>>>,
    /// By the number of the row.
    of_chains: Vec<OfChains>,
    series: HashMap<SeriesKey, Series>,
}

/// The level, the chain, and the parts of the other chains.
type SeriesKey = (usize, usize, Parts);

/// A row that was found.
struct Done {
    number: usize,
    record: Record,
    found: Option<Arc<FoundRow>>,
    of_chains: OfChains,
    /// Its series that a later row needs.
    series: Vec<(SeriesKey, Series)>,
}

fn series_key(shape: &Shape, number: usize, chain: usize) -> SeriesKey {
    let mut others = shape.ideal(number).clone();
    others.remove(chain);
    (shape.level(number), chain, others)
}

impl FoundRows {
    /// The series that a row needs, one for each chain. Two rows of the same rank never share a
    /// series, because the level, the other parts and the rank determine the part.
    fn take_series(&mut self, number: usize) -> Vec<Series> {
        let of_chain = |chain| {
            let kept = self.series.remove(&series_key(&self.shape, number, chain));
            kept.unwrap_or_else(|| Series::from_column(self.shape.begins(number)))
        };
        (0..self.shape.ideal(number).len()).map(of_chain).collect()
    }

    /// Finds a row. Every row that it needs is found.
    fn find(
        &self,
        number: usize,
        mut series: Vec<Series>,
        options: &Options,
    ) -> Result<Done, Error> {
        let Self { shape, found, .. } = self;
        let (key, begins) = (shape.key(number), shape.begins(number));
        for (chain, series) in series.iter_mut().enumerate() {
            for place in index(series.entered())..shape.ideal(number)[chain] as usize {
                // A bite that shortens d to less than the regular columns blocks a fixed p.
                let is_fixed = shape.heights(chain, place).under_d.is_some();
                let below = (!is_fixed).then(|| found[shape.after(number, chain, place)].as_ref());
                series.enter(below.flatten(), begins);
            }
        }
        let of_chains = OfChains::inherit(shape, found, &self.of_chains, number);
        let statement_from = key.first_column();
        let has_early = statement_from > begins;
        let irregular = Irregular::of(shape, found, &of_chains, number, has_early);
        let early = irregular.values(begins..statement_from);
        let empty_by = irregular.never_from(statement_from, &early);
        let (offsets, statement) = if let Some(by) = empty_by {
            (FiniteOrPeriodic::Finite(Vec::new()), Statement::Empty { by })
        } else {
            let lower = number - shape.level(number)..number;
            let lower: Vec<Arc<FoundRow>> = lower.filter_map(|own| found[own].clone()).collect();
            let fixed = irregular.fixed(statement_from, &early);
            let proved = find(statement_from, fixed, &mut series, &lower, options.stop);
            let (offsets, certificate) = proved.map_err(|source| match source {
                LosersError::Stopped => Error::Stopped,
                source => RowError { key: key.clone(), source }.into(),
            })?;
            let certificate = certificate.as_ref();
            let statement = statement(statement_from, &offsets, certificate, options.form);
            (offsets, statement)
        };
        let positions = (begins..).zip(&early).filter_map(|(q, p)| Some((q, (*p)?))).collect();
        let has_positions = empty_by.is_none() || early.iter().any(Option::is_some);
        let found =
            has_positions.then(|| Arc::new(FoundRow::new(begins, early, offsets, shape.shift)));
        let series = series.into_iter().enumerate();
        let series = series.filter(|(chain, _)| shape.goes_on(number, *chain));
        let series = series.map(|(chain, own)| (series_key(shape, number, chain), own)).collect();
        let record = Record::with_early(key.clone(), positions, statement);
        let record = record.map_err(|fault| Error::Record { key, fault })?;
        Ok(Done { number, record, found, of_chains, series })
    }
}

/// Threads for the jobs of a whole run: a run has many rounds of short jobs.
struct Threads {
    /// `None` for one thread, or where the operating system creates no others.
    #[cfg(feature = "parallel")]
    pool: Option<ThreadPool>,
}

impl Threads {
    #[cfg(feature = "parallel")]
    fn new(threads: NonZeroUsize) -> Self {
        let build = || ThreadPoolBuilder::new().num_threads(threads.get()).build().ok();
        Self { pool: (threads.get() > 1).then(build).flatten() }
    }

    #[cfg(not(feature = "parallel"))]
    fn new(_: NonZeroUsize) -> Self {
        Self {}
    }

    /// The results of the jobs, in their order.
    #[cfg_attr(not(feature = "parallel"), expect(clippy::unused_self, reason = "there is no pool"))]
    fn run<J: Send, D: Send>(&self, jobs: Vec<J>, run: impl Fn(J) -> D + Send + Sync) -> Vec<D> {
        #[cfg(feature = "parallel")]
        if let Some(pool) = &self.pool
            && jobs.len() > 1
        {
            return pool.install(|| jobs.into_par_iter().map(run).collect());
        }
        jobs.into_iter().map(run).collect()
    }
}

/// Frees memory on a thread of its own, as millions of small pieces take seconds, and who stops a
/// run waits for its end.
fn free_later<T: Send + 'static>(memory: T) {
    #[cfg(feature = "parallel")]
    drop(std::thread::Builder::new().spawn(move || drop(memory)));
    #[cfg(not(feature = "parallel"))]
    drop(memory);
}
