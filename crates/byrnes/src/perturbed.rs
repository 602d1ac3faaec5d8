//! The recurrence of fact 1 with more numbers blocked near the origin: section 7 of
//! `proofs/uniqueness.md`. It is no game that we know, so it has no records and no data sets; it
//! shows which statements about Chomp are consequences of the recurrence far from the origin.

mod columns;
mod sheet;

pub use columns::PerturbedColumns;
pub use sheet::InstantWinners;

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde::Deserialize;
use thiserror::Error;
use ultimate::NatSet;

/// Numbers that a recurrence blocks from the outset. An empty set gives the recurrence of Chomp.
///
/// The text is RON: `Perturbation(diagonal: [18, 20], cells: [(5, 9)])`.
///
/// ```
/// use byrnes::Perturbation;
/// let text = "Perturbation(cells: [(5, 9), (1, 3)], diagonal: [20, 18, 20])";
/// let perturbation: Perturbation = text.parse()?;
/// assert_eq!(
///     perturbation.to_string(),
///     "Perturbation(diagonal: [18, 20], cells: [(1, 3), (5, 9)])"
/// );
/// assert!("Perturbation(diagonal: [], cells: [(9, 5)])".parse::<Perturbation>().is_err());
/// # Ok::<(), byrnes::PerturbationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Perturbation {
    diagonal: BTreeSet<u32>,
    cells: BTreeSet<(u32, u32)>,
}

/// Why something is no [`Perturbation`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PerturbationError {
    /// The text is not of the form.
    #[error(
        "{0}; the form is Perturbation(diagonal: [18, 20], cells: [(5, 9)]): numbers that count as \
         diagonal values, and pairs of a column and a number that is blocked in it"
    )]
    Form(String),
    /// A number that is too large, or 0, which is blocked anyway.
    #[error(
        "{number} is out of range: the numbers of a perturbation are 1 to {}",
        Perturbation::LARGEST
    )]
    OutOfRange {
        /// The number.
        number: u32,
    },
    /// A number that no row can have in the column.
    #[error("({column}, {number}) has no effect: the numbers of column q are q or greater")]
    BelowColumn {
        /// The column.
        column: u32,
        /// The number.
        number: u32,
    },
}

/// The fields of the text.
#[derive(Deserialize)]
#[serde(rename = "Perturbation", deny_unknown_fields)]
struct Text {
    diagonal: Vec<u32>,
    cells: Vec<(u32, u32)>,
}

impl Perturbation {
    /// The largest number.
    pub const LARGEST: u32 = 10_000;

    /// Numbers that count as diagonal values: (D) blocks them in every row. Pairs of a column and a
    /// number: (C) blocks it there in every row. Both are sets.
    ///
    /// # Errors
    /// [`PerturbationError`] for a number that is out of range, or less than its column.
    pub fn new(
        diagonal: impl IntoIterator<Item = u32>,
        cells: impl IntoIterator<Item = (u32, u32)>,
    ) -> Result<Self, PerturbationError> {
        let diagonal: BTreeSet<u32> = diagonal.into_iter().collect();
        let cells: BTreeSet<(u32, u32)> = cells.into_iter().collect();
        let mut numbers = diagonal.iter().chain(cells.iter().map(|(_, number)| number));
        if let Some(&number) = numbers.find(|number| !(1..=Self::LARGEST).contains(*number)) {
            return Err(PerturbationError::OutOfRange { number });
        }
        if let Some(&(column, number)) = cells.iter().find(|(column, number)| number < column) {
            return Err(PerturbationError::BelowColumn { column, number });
        }
        Ok(Self { diagonal, cells })
    }

    /// A perturbation from a number, the same in every run. Of every three successive ones the
    /// first has diagonal values below 60, the second cells with columns and numbers below 80, and
    /// the third both. How many there are is random as well.
    pub fn random(seed: u64) -> Self {
        // SplitMix64 has a fixed definition, so the perturbations do not depend on its version. Its
        // states differ much for the seeds.
        let state = seed.wrapping_mul(0xd134_2543_de82_ef95);
        let mut numbers = SplitMix64::from_seed(state.to_le_bytes());
        let mut below = |end: u32| number_below(end, &mut numbers);
        let (mut diagonal, mut cells) = (BTreeSet::new(), BTreeSet::new());
        if seed % 3 != 1 {
            let one_in = 2 + below(12);
            diagonal.extend((1..60).filter(|_| below(one_in) == 0));
        }
        if !seed.is_multiple_of(3) {
            let number = 1 + below(60);
            cells.extend((0..number).map(|_| {
                let column = below(79);
                let least = column.max(1);
                (column, least + below(80 - least))
            }));
        }
        Self { diagonal, cells }
    }

    /// The numbers that count as diagonal values, in increasing order.
    pub fn diagonal(&self) -> impl ExactSizeIterator<Item = u32> {
        self.diagonal.iter().copied()
    }

    /// 0, and these numbers: the set D before row 0.
    fn blocked(&self) -> NatSet {
        [0].into_iter().chain(self.diagonal().map(u64::from)).collect()
    }

    /// The pairs of a column and a number, in increasing order.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = (u32, u32)> {
        self.cells.iter().copied()
    }

    /// Whether nothing is blocked from the outset.
    pub fn is_chomp(&self) -> bool {
        *self == Self::default()
    }
}

fn number_below(end: u32, numbers: &mut SplitMix64) -> u32 {
    let number = numbers.next_u64() % u64::from(end);
    u32::try_from(number).expect("less than a 32-bit number")
}

/// The text, on one line; equal perturbations have the same text.
impl fmt::Display for Perturbation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let diagonal: Vec<u32> = self.diagonal().collect();
        let cells: Vec<(u32, u32)> = self.cells().collect();
        f.pad(&format!("Perturbation(diagonal: {diagonal:?}, cells: {cells:?})"))
    }
}

impl FromStr for Perturbation {
    type Err = PerturbationError;

    fn from_str(text: &str) -> Result<Self, PerturbationError> {
        let Text { diagonal, cells } =
            ron::from_str(text).map_err(|error| PerturbationError::Form(error.to_string()))?;
        Self::new(diagonal, cells)
    }
}
