//! P-positions compared with three other ways to find them. The sieve uses none of these.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use boards::by_rules::Samples;
use boards::lengths::Lengths;
use boards::sieve::Layer;
use serde::Serialize;

use crate::Error;
use crate::job::Watch;
use crate::positions::{FoundLayers, PositionsRun};
use crate::positions::{longest_within, of_tails, third};

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
