//! The recurrence of fact 1 with more numbers blocked near the origin: section 7 of
//! `proofs/uniqueness.md`. It is no game that we know, so it has no records and no data sets; it
//! shows which statements about Chomp are consequences of the recurrence far from the origin.
//! [`PerturbedColumns`] is fact 1 as it stands, column by column.

use std::collections::BTreeSet;
use std::fmt;

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde::Deserialize;
use ultimate::{NatSet, least_free};

/// Numbers that a recurrence blocks from the outset. An empty set gives the recurrence of Chomp.
///
/// Its text is RON, and equal perturbations have the same text.
///
/// ```
/// use cascade::Perturbation;
/// let (diagonal, cells) = ([20, 18].into(), [(5, 9), (1, 3)].into());
/// assert_eq!(
///     Perturbation { diagonal, cells }.to_string(),
///     "Perturbation(diagonal: [18, 20], cells: [(1, 3), (5, 9)])"
/// );
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Perturbation {
    /// Numbers that count as diagonal values: (D) blocks them in every row.
    pub diagonal: BTreeSet<u32>,
    /// Pairs of a column and a number: (C) blocks it there in every row.
    pub cells: BTreeSet<(u32, u32)>,
}

impl Perturbation {
    /// A perturbation from a number, the same in every run. Of every three successive ones the
    /// first has diagonal values below 60, the second cells with columns and numbers below 80, and
    /// the third both. How many there are is random as well.
    ///
    /// # Panics
    /// Never: the numbers are small.
    pub fn random(seed: u64) -> Self {
        // SplitMix64 has a fixed definition, so the perturbations do not depend on its version. Its
        // states differ much for the seeds.
        let state = seed.wrapping_mul(0xd134_2543_de82_ef95);
        let mut numbers = SplitMix64::from_seed(state.to_le_bytes());
        let mut below = |end: u32| {
            u32::try_from(numbers.next_u64() % u64::from(end)).expect("less than a 32-bit number")
        };
        let mut found = Self::default();
        if seed % 3 != 1 {
            let one_in = 2 + below(12);
            found.diagonal.extend((1..60).filter(|_| below(one_in) == 0));
        }
        if !seed.is_multiple_of(3) {
            let number = 1 + below(60);
            found.cells.extend((0..number).map(|_| {
                let column = below(79);
                let least = column.max(1);
                (column, least + below(80 - least))
            }));
        }
        found
    }
}

/// The text, on one line.
impl fmt::Display for Perturbation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (diagonal, cells) = (Vec::from_iter(&self.diagonal), Vec::from_iter(&self.cells));
        f.pad(&format!("Perturbation(diagonal: {diagonal:?}, cells: {cells:?})"))
    }
}

/// The values of rows 0 to R of a perturbed recurrence, one column after the other, without end:
/// the rows that have a value in the column, with the value, in row order. A row whose value is the
/// column itself ends there. Time: some steps for each row of a column.
///
/// ```
/// use cascade::{Perturbation, PerturbedColumns};
/// // Chomp: f(0,0) = 1, f(1,0) = 2 and f(1,1) = 3; row 1 ends in column 2.
/// let chomp = Perturbation::default();
/// let columns: Vec<_> = PerturbedColumns::new(&chomp, 10).take(4).collect();
/// assert_eq!(columns[..2], [vec![(0, 1)], vec![(0, 2), (1, 3)]]);
/// assert_eq!(columns[2], [(0, 3), (1, 2), (2, 4)]);
/// assert_eq!(columns[3], [(0, 4), (2, 5), (3, 6)]);
/// ```
#[derive(Clone, Debug)]
pub struct PerturbedColumns<'a> {
    perturbation: &'a Perturbation,
    last_row: u32,
    column: u32,
    /// 0, and all diagonal values so far, with those of the perturbation.
    diagonal: NatSet,
    /// The rows that have not ended, in row order.
    rows: Vec<Row>,
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

impl<'a> PerturbedColumns<'a> {
    /// Before column 0. Memory: a bit for each row to `last_row` and each number.
    pub fn new(perturbation: &'a Perturbation, last_row: u32) -> Self {
        let more = perturbation.diagonal.iter().copied();
        let diagonal = [0].into_iter().chain(more.map(u64::from)).collect();
        Self { perturbation, last_row, column: 0, diagonal, rows: Vec::new() }
    }
}

impl Iterator for PerturbedColumns<'_> {
    type Item = Vec<(u32, u32)>;

    fn next(&mut self) -> Option<Self::Item> {
        let column = self.column;
        self.column += 1;
        let is_row = column <= self.last_row;
        if is_row {
            self.rows.push(Row { number: column, blocked: self.diagonal.clone(), from: 0 });
        }
        let cells = self.perturbation.cells.range((column, 0)..(column + 1, 0));
        let mut taken: NatSet = cells.map(|&(_, number)| number.into()).collect();
        let mut values = Vec::with_capacity(self.rows.len());
        for row in &mut self.rows {
            row.from = least_free(row.from.max(column.into()), |k| row.blocked.word(k));
            let value = least_free(row.from, |k| row.blocked.word(k) | taken.word(k));
            row.blocked.insert(value);
            taken.insert(value);
            values.push((row.number, u32::try_from(value).expect("numbers fit in 32 bits")));
        }
        if let Some(&(_, value)) = values.last().filter(|_| is_row) {
            self.diagonal.insert(value.into());
        }
        // (C): at most one row has the column itself as its value.
        if let Some(ended) = values.iter().position(|&(_, value)| value == column) {
            self.rows.remove(ended);
        }
        Some(values)
    }
}
