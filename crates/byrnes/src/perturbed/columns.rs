//! Fact 1 as it stands, column by column, with sets of numbers as bits.

use ultimate::{NatSet, least_free};

use super::Perturbation;

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
pub(super) struct Row {
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
            diagonal: perturbation.blocked(),
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
            self.rows.push(Row::new(column, self.diagonal.clone()));
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
            row.block(value);
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
    pub(super) fn new(number: u32, blocked: NatSet) -> Self {
        Self { number, blocked, from: 0 }
    }

    pub(super) fn block(&mut self, number: u32) {
        self.blocked.insert(number.into());
    }

    /// The least number from the column on that neither the row nor `taken` blocks. Columns must
    /// come in their order.
    pub(super) fn least_free(&mut self, column: u32, taken: &NatSet) -> u32 {
        self.from = least_free(self.from.max(column.into()), |k| self.blocked.word(k));
        let least = least_free(self.from, |k| self.blocked.word(k) | taken.word(k));
        u32::try_from(least).expect("numbers fit in 32 bits")
    }
}
