//! Fact 1 as it stands, column by column, with sets of numbers as bits.

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
    diagonal: Bits,
    /// The rows that have not ended, in row order.
    rows: Vec<Row>,
    /// Numbers that the column blocks.
    taken: Bits,
    values: Vec<(u32, u32)>,
}

/// A row that has not ended.
#[derive(Clone, Debug)]
pub(super) struct Row {
    number: u32,
    /// The numbers that 0, (D) and (R) block.
    blocked: Bits,
    /// The first word of `blocked` that does not block all numbers from the column on.
    from: usize,
}

impl PerturbedColumns {
    /// Before column 0. Memory: a bit for each row to `last_row` and each number.
    #[must_use]
    pub fn new(perturbation: &Perturbation, last_row: u32) -> Self {
        let mut diagonal = Bits::default();
        diagonal.insert(0);
        perturbation.diagonal().for_each(|number| diagonal.insert(number));
        let mut cells: Vec<(u32, u32)> = perturbation.cells().collect();
        cells.reverse();
        Self {
            last_row,
            column: 0,
            cells,
            diagonal,
            rows: Vec::new(),
            taken: Bits::default(),
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
        self.taken.0.fill(0);
        while let Some(&(at, number)) = self.cells.last()
            && at == column
        {
            self.taken.insert(number);
            self.cells.pop();
        }
        self.values.clear();
        let mut ended = None;
        for (place, row) in self.rows.iter_mut().enumerate() {
            let value = row.least_free(column, &self.taken);
            row.block(value);
            self.taken.insert(value);
            self.values.push((row.number, value));
            if value == column {
                ended = Some(place);
            }
        }
        if column <= self.last_row
            && let Some(&(_, value)) = self.values.last()
        {
            self.diagonal.insert(value);
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
    pub(super) fn new(number: u32, blocked: Bits) -> Self {
        Self { number, blocked, from: 0 }
    }

    pub(super) fn block(&mut self, number: u32) {
        self.blocked.insert(number);
    }

    /// The least number from the column on that neither the row nor `taken` blocks. Columns must
    /// come in their order.
    pub(super) fn least_free(&mut self, column: u32, taken: &Bits) -> u32 {
        let (first, _) = Bits::place(column);
        self.from = self.from.max(first);
        while !self.blocked.word(self.from) & Bits::from_number(column, self.from) == 0 {
            self.from += 1;
        }
        self.blocked.least_free(column, self.from, taken)
    }
}

/// A set of numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// The least number from this one on that is in neither set. All words before `word` have none.
    fn least_free(&self, number: u32, word: usize, other: &Self) -> u32 {
        let mut word = word.max(Self::place(number).0);
        loop {
            let free = !(self.word(word) | other.word(word)) & Self::from_number(number, word);
            if free != 0 {
                let word = u32::try_from(word).expect("numbers fit in 32 bits");
                return word * u64::BITS + free.trailing_zeros();
            }
            word += 1;
        }
    }

    /// The bits of this word for numbers that are not less than this one, if it is not in a later
    /// word.
    fn from_number(number: u32, word: usize) -> u64 {
        let (first, bit) = Self::place(number);
        if word == first { u64::MAX << bit } else { u64::MAX }
    }

    /// The word of a number, and its bit there.
    fn place(number: u32) -> (usize, u32) {
        ((number / u64::BITS) as usize, number % u64::BITS)
    }

    /// The word; beyond the last one there are no members.
    fn word(&self, word: usize) -> u64 {
        self.0.get(word).copied().unwrap_or(0)
    }

    pub(super) fn has(&self, number: u32) -> bool {
        let (word, bit) = Self::place(number);
        self.word(word) >> bit & 1 == 1
    }

    pub(super) fn insert(&mut self, number: u32) {
        let (word, bit) = Self::place(number);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << bit;
    }
}
