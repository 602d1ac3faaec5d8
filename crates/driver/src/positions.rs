//! All P-positions with m rows, in the order of their lengths, with their counts and hashes; and
//! compared with three other ways to find them, none of which the sieve uses.
//!
//! A long run keeps its state in a file, so that it can be interrupted: the lengths of row 1 that
//! are done, and the marks that the sieve keeps of them.

mod state;

use std::collections::BTreeSet;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use boards::by_rules::Samples;
use boards::four_rows::FourRows;
use boards::lengths::Lengths;
use boards::sieve::{self, Kept, Layer, Run, Sieve};
use boards::{OnProgress, SolveError};
use num_bigint::BigUint;
use record::{Family, HeadForm, Record, Tail};
use serde::Serialize;

use crate::engine::threads_or_default;
use crate::job::{Cost, Job, Running, Watch, Work};
use crate::{Engine, Error, costs};
use state::StateFile;

pub use boards::sieve::LayerCount;
pub use state::{BelievedState, FoundLayers};

/// A search for P-positions: which ones, and how.
#[derive(Clone, Debug)]
pub struct PositionsRun {
    /// The rows of a position.
    pub rows: u16,
    /// The largest length of row 1.
    pub to: u16,
    /// Threads, or by default as many as the sweep has.
    pub threads: Option<NonZero<usize>>,
    /// The memory budget of the run in bytes; by default all free memory.
    pub memory: Option<u64>,
    /// A folder for the state of the run, which is resumed if there is one. With it, the lengths
    /// that were done are not visited again.
    pub folder: Option<PathBuf>,
    /// How often the state is written.
    pub every: Duration,
}

/// The longest positions of rows of tails that are looked up.
const LONGEST: u16 = 1000;

/// The tuples of lengths up to the longest whose positions are counted again.
const RECOUNTED: u64 = 1 << 24;

/// Finds the next block of a sieve; its counts, or `None` if all are done.
type NextBlock<'a> = dyn FnMut(&mut Sieve, &OnProgress) -> Result<Option<(Vec<LayerCount>, ControlFlow<()>)>, SolveError>
    + 'a;

impl PositionsRun {
    /// By default with all threads and all memory, and no state in a file.
    pub fn new(rows: u16, to: u16) -> Self {
        Self {
            rows,
            to,
            threads: None,
            memory: None,
            folder: None,
            every: Duration::from_secs(600),
        }
    }

    /// Finds the positions: `visit` is shown the positions with each length of row 1, in ascending
    /// order, and can stop the run.
    ///
    /// # Errors
    /// Rows or lengths that are too large; [`Error::Memory`] before any work; a state that cannot
    /// be used; [`Error::Interrupted`], or its words with the state that is kept.
    ///
    /// ```
    /// # use std::ops::ControlFlow;
    /// let run = driver::PositionsRun::new(4, 20);
    /// let found = run.find(&(), |_| ControlFlow::Continue(()))?;
    /// assert_eq!((found.total(10), found.total(20)), (75, 432));
    /// # Ok::<(), driver::Error>(())
    /// ```
    pub fn find(
        &self,
        watch: &dyn Watch,
        mut visit: impl FnMut(Layer) -> ControlFlow<()>,
    ) -> Result<FoundLayers, Error> {
        let threads = self.threads();
        self.run(watch, (Kept::Block, 0), &mut |sieve, tell| {
            let Some(layers) = sieve.next_layers(threads, tell)? else { return Ok(None) };
            let mut counts = Vec::new();
            for layer in layers {
                counts.push(layer.count());
                if visit(layer).is_break() {
                    return Ok(Some((counts, ControlFlow::Break(()))));
                }
            }
            Ok(Some((counts, ControlFlow::Continue(()))))
        })
    }

    /// Counts the positions. It takes less memory than [`find`](Self::find), as no block of
    /// positions is kept: `visit` is shown a length of row 1 and the positions with this length and
    /// one of row 2, in the order of [`Sieve::next_block`].
    ///
    /// # Errors
    /// Those of [`find`](Self::find).
    pub fn count(
        &self,
        watch: &dyn Watch,
        visit: impl FnMut(u16, Run<'_>) + Send,
    ) -> Result<FoundLayers, Error> {
        self.count_with(watch, 0, visit)
    }

    /// Counts the positions of four rows in the ways that papers count them.
    ///
    /// # Errors
    /// Those of [`find`](Self::find).
    ///
    /// # Panics
    /// If the positions do not have four rows, or there is a folder for the state, which has no
    /// positions.
    pub fn four_rows(&self, watch: &dyn Watch) -> Result<(FoundLayers, FourRows), Error> {
        assert_eq!(self.rows, 4, "four rows");
        assert!(self.folder.is_none(), "a state has no positions");
        let mut counts = FourRows::default();
        let visit = |first, run: Run<'_>| counts.add(first, run);
        let found = self.count_with(watch, FourRows::memory(self.to), visit)?;
        Ok((found, counts))
    }

    /// Counts the positions, for `visit` which keeps results of this number of bytes.
    fn count_with(
        &self,
        watch: &dyn Watch,
        results: u64,
        mut visit: impl FnMut(u16, Run<'_>) + Send,
    ) -> Result<FoundLayers, Error> {
        let threads = self.threads();
        self.run(watch, (Kept::Columns, results), &mut |sieve, tell| {
            let counts = sieve.next_block(threads, tell, &mut visit)?;
            Ok(counts.map(|counts| (counts, ControlFlow::Continue(()))))
        })
    }

    /// Finds one block after the other, and writes the state between them. Takes memory for the
    /// kept positions and the results.
    fn run(
        &self,
        watch: &dyn Watch,
        memory: (Kept, u64),
        next_block: &mut NextBlock,
    ) -> Result<FoundLayers, Error> {
        self.require(watch, memory)?;
        let file =
            self.folder.as_deref().map(|dir| StateFile::open(dir, self.rows, self.every, watch));
        let mut file = file.transpose()?;
        let test = |sieve: &Sieve, layers: &[LayerCount]| self.test(sieve, layers, watch);
        let (mut sieve, mut found) = (Sieve::new(self.rows, self.to)?, FoundLayers::default());
        if let Some(file) = &mut file
            && let Some(resumed) = file.resume((self.rows, self.to), test)?
        {
            (sieve, found) = resumed;
        }
        let running = Running::new(watch, self.work(sieve.next()));
        let keeps = file.is_some();
        // A run with a file ends its block, so that nothing is lost.
        let tell = |columns| match running.advance(columns) {
            ControlFlow::Break(()) if !keeps => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        while let Some((counts, flow)) = next_block(&mut sieve, &tell)? {
            found.layers.extend(counts);
            if flow.is_break() {
                return Ok(found);
            }
            let stops = watch.stop() && sieve.next() <= self.to;
            file.as_mut().map_or(Ok(()), |file| file.keep(&sieve, &found, stops))?;
            if stops {
                return Err(Error::Interrupted);
            }
        }
        if let Some(file) = file {
            file.end();
        }
        Ok(found)
    }

    /// Tests a state: compares the number of its positions with the number of its bits, computes
    /// the first counts and hashes again, and compares the positions with a short row 3 with the
    /// rows of tails.
    /// Returns the largest length that was counted again, and the number of these positions; `None`
    /// if the state is wrong.
    fn test(
        &self,
        sieve: &Sieve,
        layers: &[LayerCount],
        watch: &dyn Watch,
    ) -> Result<Option<(u16, u64)>, Error> {
        let rows = self.rows;
        let mut counts = layers.iter().map(|layer| layer.count);
        let counted = counts.try_fold(0_u64, u64::checked_add);
        let Some(last) =
            sieve.next().checked_sub(1).filter(|_| sieve.found() == counted && counted.is_some())
        else {
            return Ok(None);
        };
        let recounted = longest_within(RECOUNTED, rows, last.min(63));
        if recounted > 0 {
            let short =
                PositionsRun { threads: self.threads, ..PositionsRun::new(rows, recounted) };
            let again = short.count(watch, |_, _| ())?;
            if again.layers != layers[..usize::from(recounted)] {
                return Ok(None);
            }
        }
        let known = of_tails(rows, last.min(LONGEST), third(rows, last), watch)?;
        let are_closed = known.iter().all(|lengths| !sieve.is_open(&lengths[1..]));
        Ok(are_closed.then_some((recounted, known.len() as u64)))
    }

    fn threads(&self) -> NonZero<usize> {
        threads_or_default(self.threads)
    }

    /// Refuses what there is no memory for.
    fn require(&self, watch: &dyn Watch, (kept, results): (Kept, u64)) -> Result<(), Error> {
        let cost = costs::sieve(self.rows, self.to, self.threads(), kept);
        let what = format!("the P-positions of {} rows up to {} squares need", self.rows, self.to);
        let cost = cost.and(Cost::new(results, Duration::ZERO));
        let job = Job::new(what, "choose fewer rows or squares", cost);
        job.require_within(self.memory)?;
        job.announce(None, watch)
    }

    fn work(&self, next: u16) -> Work {
        let all = sieve::columns(0, self.to);
        let before = all - sieve::columns(next, self.to).min(all);
        // Columns grow with the square of the length, and the time with its power 3.9.
        Work { unit: "column", all, before, exponent: 1.95 }
    }
}

/// The largest n <= `to` for which at most `tuples` choices of `rows` lengths from 0 to n exist.
fn longest_within(tuples: u64, rows: u16, to: u16) -> u16 {
    let of = |to: u16| (u64::from(to) + 1).checked_pow(rows.into());
    (1..=to).rev().find(|&to| of(to).is_some_and(|all| all <= tuples)).unwrap_or(0)
}

/// Row 3 of the positions that are compared with the rows of tails, for four rows; with more of
/// them there are more tails.
const LONGEST_THIRD: u16 = 12;

/// The longest row 3 of the positions that are compared with the rows of tails.
fn third(rows: u16, to: u16) -> u16 {
    if rows <= 4 { LONGEST_THIRD } else { LONGEST_THIRD / 3 }.min(to)
}

/// The P-positions of the rows of all tails whose first part is at most `third`.
fn of_tails(
    rows: u16,
    to: u16,
    third: u16,
    watch: &dyn Watch,
) -> Result<BTreeSet<Vec<u16>>, Error> {
    let within = Tail::new(vec![third.into(); usize::from(rows) - 2]).expect("positive parts");
    let visit = |_: &Record| ControlFlow::Continue(());
    let family = Family::of_tails(0, within);
    let records = Engine::default().family(&family, HeadForm::Offsets, watch, visit)?;
    let mut found = BTreeSet::new();
    for record in &records {
        let tail = record.key().tail();
        let lower: Vec<u16> =
            tail.parts().iter().filter_map(|&part| part.try_into().ok()).collect();
        for second in lower.first().copied().unwrap_or(0)..=to {
            let value = answers::value(record, &BigUint::from(second))?;
            let first = value.p().and_then(|first| u16::try_from(first).ok());
            if let Some(first) = first.filter(|first| *first <= to) {
                let mut lengths = vec![first, second];
                lengths.extend(&lower);
                lengths.resize(rows.into(), 0);
                found.insert(lengths);
            }
        }
    }
    Ok(found)
}

/// The comparisons that a check has made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PositionsChecked {
    /// All P-positions with row 1 up to this length are those of which no bite leaves one, when all
    /// boards are marked that have a bite to a P-position ([`Lengths`]).
    pub marked: u16,
    /// The number of positions whose bites were looked up: a P-position has none to a P-position,
    /// an N-position has one.
    pub spots: u64,
    /// The P-positions whose row 3 has up to this length are the positions of the rows of tails
    /// ([`Engine::family`](crate::Engine::family)).
    pub tails: u16,
    /// The number of these P-positions.
    pub in_tails: u64,
}

/// Choices of all rows but the last whose positions are looked up.
const SAMPLES: usize = 1000;

/// The largest number of tuples of lengths for marks, and the largest length.
const MARKED: (u64, u16) = (1 << 27, 200);

impl PositionsRun {
    /// Finds the positions as [`find`](Self::find) does, but from the first on, and compares them:
    /// all with short rows, all with a short row 3, and some by the rules of the game.
    ///
    /// # Errors
    /// As [`find`](Self::find); positions that contradict each other, a defect of this program.
    pub fn check(&self, watch: &dyn Watch) -> Result<(FoundLayers, PositionsChecked), Error> {
        let mut checks = Checks::new(self, watch)?;
        let mut refuted = None;
        let found = self.find(watch, |layer| match checks.visit(&layer) {
            Ok(()) => ControlFlow::Continue(()),
            Err(why) => {
                refuted = Some(why);
                ControlFlow::Break(())
            }
        })?;
        let spots = checks.samples.checked();
        match refuted {
            Some(why) => Err(Error::refuted(why)),
            None => Ok((found, PositionsChecked { spots, ..checks.made })),
        }
    }
}

struct Checks {
    /// The comparisons so far, without the spots.
    made: PositionsChecked,
    marks: Vec<Vec<u16>>,
    samples: Samples,
    /// The P-positions of the rows of tails.
    tails: BTreeSet<Vec<u16>>,
}

impl Checks {
    fn new(run: &PositionsRun, watch: &dyn Watch) -> Result<Self, Error> {
        let (rows, to) = (run.rows, run.to);
        let (most, longest) = MARKED;
        let marked = longest_within(most, rows, to.min(longest));
        let marks = Lengths::of(rows, marked, &|_| watch.go_on())
            .map(|found| found.p_positions().collect());
        Error::if_interrupted(watch)?;
        let third = third(rows, to);
        Ok(Self {
            made: PositionsChecked { marked, spots: 0, tails: third, in_tails: 0 },
            marks: marks.unwrap_or_default(),
            samples: Samples::random(rows, to, SAMPLES, 1),
            tails: of_tails(rows, to, third, watch)?,
        })
    }

    fn visit(&mut self, layer: &Layer) -> Result<(), String> {
        self.samples.visit(layer).map_err(|contradiction| contradiction.to_string())?;
        let (first, PositionsChecked { marked, tails: third, .. }) = (layer.first(), self.made);
        let (mut all, mut short) = (Vec::new(), Vec::new());
        layer.for_each(|lengths| {
            if first <= marked {
                all.push(lengths.to_vec());
            }
            if lengths[2] <= third {
                short.push(lengths.to_vec());
            }
        });
        if first <= marked {
            let marks = self.marks.iter().filter(|lengths| lengths[0] == first);
            same(first, "and those that marks find", &all, marks)?;
        }
        self.made.in_tails += short.len() as u64;
        let least = vec![first];
        let tails = self.tails.range(least..).take_while(|lengths| lengths[0] == first);
        same(first, "and those of the rows of tails", &short, tails)
    }
}

/// The contradiction if they are not the same.
fn same<'a>(
    first: u16,
    by: &'static str,
    found: &[Vec<u16>],
    expected: impl Iterator<Item = &'a Vec<u16>>,
) -> Result<(), String> {
    let found: BTreeSet<_> = found.iter().collect();
    match found.symmetric_difference(&expected.collect()).next() {
        None => Ok(()),
        Some(position) => Err(format!(
            "for a = {first} the P-positions {by} differ: {position:?} is in one of them only"
        )),
    }
}
