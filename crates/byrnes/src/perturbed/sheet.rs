//! Fact 1 row by row: instant-winner sheets, and the map from one to the next.
//!
//! Friedman and Landsberg (Chaos 17 (2007) 023117) see a game as the iteration of a map on sheets,
//! and look for the picture that the map leaves as it is after scaling. The sheet of row r is the
//! plane of all `(y,z)`, `y = q - r`, `z = p - q`. The map here is read off fact 1 of
//! `proofs/README.md`: (C) keeps each P-position of row r as an instant winner of the rows above,
//! (D) adds the line `y + z = z0` of all positions with the p of the P-position `(0,z0)`, and one
//! more row shifts the sheet by one column.

use ultimate::NatSet;

use super::Perturbation;
use super::columns::Row;

/// The instant winners of a row: the positions that have a bite to a P-position of a row below.
///
/// ```
/// use byrnes::{InstantWinners, Perturbation};
/// // Chomp: f(q,0) = q + 1; row 1 is (3,1,1), (2,2,1).
/// let mut sheet = InstantWinners::new(&Perturbation::default(), 4);
/// assert_eq!(sheet.next_sheet(), [1, 2, 3, 4, 5]);
/// assert!(sheet.has(3, 4) && !sheet.has(3, 5));
/// assert_eq!(sheet.p_positions(), [3, 2]);
/// ```
#[derive(Clone, Debug)]
pub struct InstantWinners {
    row: u32,
    /// For each column the numbers that (C) blocks: f(q,c) of the rows c below, and the cells of
    /// the perturbation.
    columns: Vec<NatSet>,
    /// 0, and the numbers that (D) blocks.
    diagonal: NatSet,
}

impl InstantWinners {
    /// The sheet of row 0, in columns 0 to `last_column`: nothing but the perturbation. Memory: a
    /// bit for each column and number.
    pub fn new(perturbation: &Perturbation, last_column: u32) -> Self {
        let mut columns = vec![NatSet::new(); last_column as usize + 1];
        for (column, number) in perturbation.cells() {
            if let Some(column) = columns.get_mut(column as usize) {
                column.insert(number.into());
            }
        }
        Self { row: 0, columns, diagonal: perturbation.blocked() }
    }

    /// Whether a row below blocks p in column q, by (C) or (D).
    ///
    /// # Panics
    /// If the column is beyond the last one.
    pub fn has(&self, q: u32, p: u32) -> bool {
        self.diagonal.contains(p.into()) || self.columns[q as usize].contains(p.into())
    }

    /// f(q,r) for q = r, r + 1, ..., to the last column or the one in which the row ends: in each
    /// column the least number that is neither an instant winner nor in an earlier column. Time: a
    /// column some steps, and a step for each 64 numbers below its value.
    pub fn p_positions(&self) -> Vec<u32> {
        let mut row = Row::new(self.row, self.diagonal.clone());
        let mut values = Vec::new();
        for (q, column) in (self.row..).zip(self.columns.iter().skip(self.row as usize)) {
            let value = row.least_free(q, column);
            row.block(value);
            values.push(value);
            if value == q {
                break;
            }
        }
        values
    }

    /// Makes this the sheet of the next row, and returns the P-positions of the row that it was.
    /// There is nothing left after the last column.
    pub fn next_sheet(&mut self) -> Vec<u32> {
        let values = self.p_positions();
        for (column, value) in self.columns.iter_mut().skip(self.row as usize).zip(&values) {
            column.insert((*value).into());
        }
        self.diagonal.extend(values.first().map(|&value| u64::from(value)));
        self.row += 1;
        values
    }
}
