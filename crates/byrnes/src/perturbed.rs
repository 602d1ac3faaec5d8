//! The recurrence of fact 1 with more numbers blocked near the origin: section 7 of
//! `proofs/uniqueness.md`. It is no game that we know, so it has no records and no data sets; it
//! shows which statements about Chomp are consequences of the recurrence far from the origin.
//! [`PerturbedColumns`] is fact 1 as it stands, column by column.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde::Deserialize;
use thiserror::Error;
use ultimate::{NatSet, least_free};

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

/// Why something is no [`Perturbation`], in words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct PerturbationError(String);

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
            return Err(PerturbationError(format!(
                "{number} is out of range: the numbers of a perturbation are 1 to {}",
                Self::LARGEST
            )));
        }
        if let Some(&(column, number)) = cells.iter().find(|(column, number)| number < column) {
            return Err(PerturbationError(format!(
                "({column}, {number}) has no effect: the numbers of column q are q or greater"
            )));
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
        let form = |error| {
            PerturbationError(format!(
                "{error}; the form is Perturbation(diagonal: [18, 20], cells: [(5, 9)]): numbers \
                 that count as diagonal values, and pairs of a column and a number that is blocked \
                 in it"
            ))
        };
        let Text { diagonal, cells } = ron::from_str(text).map_err(form)?;
        Self::new(diagonal, cells)
    }
}

/// The values of rows 0 to R of a perturbed recurrence, one column after the other.
///
/// ```
/// use byrnes::{Perturbation, PerturbedColumns};
/// // Chomp: f(0,0) = 1, f(1,0) = 2 and f(1,1) = 3; row 1 ends in column 2.
/// let mut columns = PerturbedColumns::new(&Perturbation::default(), 10);
/// assert_eq!(columns.next_column(), [(0, 1)]);
/// assert_eq!(columns.next_column(), [(0, 2), (1, 3)]);
/// assert_eq!(columns.next_column(), [(0, 3), (1, 2), (2, 4)]);
/// assert_eq!(columns.next_column(), [(0, 4), (2, 5), (3, 6)]);
/// ```
#[derive(Clone, Debug)]
pub struct PerturbedColumns {
    last_row: u32,
    column: u32,
    /// The cells of the perturbation in this column and later ones, the last first.
    cells: Vec<(u32, u32)>,
    /// 0, and all diagonal values so far, with the values of the perturbation.
    diagonal: NatSet,
    /// The rows that have not ended, in row order.
    rows: Vec<Row>,
    /// Numbers that the column blocks.
    taken: NatSet,
    values: Vec<(u32, u32)>,
}

/// A row that has not ended.
#[derive(Clone, Debug)]
struct Row {
    number: u32,
    /// The numbers that 0, (D) and (R) block.
    blocked: NatSet,
    /// The row blocks all numbers from the column on to before this one.
    from: u64,
}

impl PerturbedColumns {
    /// Before column 0. Memory: a bit for each row to `last_row` and each number.
    pub fn new(perturbation: &Perturbation, last_row: u32) -> Self {
        let mut cells: Vec<(u32, u32)> = perturbation.cells().collect();
        cells.reverse();
        Self {
            last_row,
            column: 0,
            cells,
            diagonal: [0].into_iter().chain(perturbation.diagonal().map(u64::from)).collect(),
            rows: Vec::new(),
            taken: NatSet::new(),
            values: Vec::new(),
        }
    }

    /// The rows that have a value in the next column, with the value, in row order. A row whose
    /// value is the column itself ends there. Time: some steps for each row.
    pub fn next_column(&mut self) -> &[(u32, u32)] {
        let column = self.column;
        if column <= self.last_row {
            self.rows.push(Row { number: column, blocked: self.diagonal.clone(), from: 0 });
        }
        self.taken.clear();
        while let Some(&(at, number)) = self.cells.last()
            && at == column
        {
            self.taken.insert(number.into());
            self.cells.pop();
        }
        self.values.clear();
        let mut ended = None;
        for (place, row) in self.rows.iter_mut().enumerate() {
            let value = row.least_free(column, &self.taken);
            row.blocked.insert(value.into());
            self.taken.insert(value.into());
            self.values.push((row.number, value));
            if value == column {
                ended = Some(place);
            }
        }
        if column <= self.last_row
            && let Some(&(_, value)) = self.values.last()
        {
            self.diagonal.insert(value.into());
        }
        // (C): at most one row has the column itself as its value.
        if let Some(place) = ended {
            self.rows.remove(place);
        }
        self.column += 1;
        &self.values
    }
}

impl Row {
    /// The least number from the column on that neither the row nor `taken` blocks. Columns must
    /// come in their order.
    fn least_free(&mut self, column: u32, taken: &NatSet) -> u32 {
        self.from = least_free(self.from.max(column.into()), |k| self.blocked.word(k));
        let least = least_free(self.from, |k| self.blocked.word(k) | taken.word(k));
        u32::try_from(least).expect("numbers fit in 32 bits")
    }
}
