//! The evidence for the tests: row records, statistics of cells, P-positions of four rows, and
//! posets.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::{Mutex, OnceLock};

use boards::four_rows::FourRows;
use census::statistics::CellStatistics;
use game::Outcome;
use posets::NamedPoset;
use record::{Finite, Periodic, Record, Statement};

use crate::verdict::OutOfReach;

/// The claims about cells are made for p <= 100000. The cells of rows 0 to this one have all
/// P-positions with these p ([`CellStatistics::complete_to`]).
pub const CELLS_ENOUGH: u64 = 71_000;

/// The posets whose search takes minutes: [`Evidence::add_poset`].
pub const LONG_POSETS: [&str; 1] = ["subsets 7 3"];

/// Evidence that takes long to gather, and that few claims need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Costly {
    /// The statistics of all cells.
    Cells,
    /// The P-positions of four rows.
    FourRows,
    /// The posets whose search takes minutes.
    Posets,
}

/// The data on rows 0 to R.
#[derive(Debug, Default)]
pub struct Evidence {
    /// `d_n = f(n,n)`, n from 0 to R.
    pub(crate) diagonal: Vec<u64>,
    /// The column past the head of each row.
    pub(crate) settled: Vec<u64>,
    /// The finite rows in order of r.
    pub(crate) finite: Vec<Finite>,
    /// The periodic rows in order of r.
    pub(crate) periodic: Vec<Periodic>,
    /// The statistics of the cells, from row 0 on, perhaps of fewer rows than there are records.
    pub cells: Option<CellStatistics>,
    /// The P-positions of four rows, computed on first use if they were not added.
    four_rows: OnceLock<FourRows>,
    /// By name, and by the bite that was taken.
    posets: Mutex<BTreeMap<(String, Option<usize>), Outcome>>,
}

impl Evidence {
    /// Takes the next row. O(1) time, and memory as for the record.
    ///
    /// # Panics
    /// If rows do not come in order from row 0.
    pub fn add(&mut self, record: &Record) {
        assert_eq!(record.row(), self.diagonal.len() as u64, "rows come in order from row 0");
        self.diagonal.push(record.diagonal());
        // Distances from a line are those of numbers below 2⁶³.
        self.settled.push(record.settled().min(i64::MAX.unsigned_abs()));
        match record.statement() {
            Statement::Empty { .. } => {}
            Statement::Finite(finite) => self.finite.push(finite.clone()),
            Statement::Periodic(periodic) => self.periodic.push(periodic.clone()),
        }
    }

    /// Takes the P-positions of four rows. Without them those to [`FourRows::DETAILED`] are
    /// computed on first use.
    ///
    /// # Panics
    /// If they do not reach that number.
    pub fn add_four_rows(&mut self, four_rows: FourRows) {
        assert!(four_rows.to() >= FourRows::DETAILED, "the claims need them");
        self.four_rows = four_rows.into();
    }

    /// Takes a poset whose search takes minutes.
    ///
    /// # Panics
    /// Never: no search panics.
    pub fn add_poset(&mut self, named: &str, outcome: Outcome) {
        let posets = self.posets.get_mut().expect("a search does not panic");
        posets.insert((named.to_owned(), None), outcome);
    }

    /// The outcome of a poset, if it was searched.
    pub(crate) fn searched(&self, named: &str) -> Option<Outcome> {
        let key = (named.to_owned(), None);
        self.posets.lock().expect("a search does not panic").get(&key).copied()
    }

    /// R; 0 if there are no rows at all.
    pub fn last_row(&self) -> u64 {
        (self.diagonal.len() as u64).saturating_sub(1)
    }

    /// Fails if this row is not known.
    pub(crate) fn require(&self, row: u64) -> Result<(), OutOfReach> {
        let is_known = row <= self.last_row();
        is_known.then_some(()).ok_or_else(|| OutOfReach(format!("rows to {row} are enough")))
    }

    /// The statistics of the cells, if they were visited.
    pub(crate) fn cells(&self) -> Result<&CellStatistics, OutOfReach> {
        self.cells.as_ref().ok_or_else(too_few_cells)
    }

    /// The last columns of finite rows in ascending order, up to the first column in which a row
    /// past R may end.
    pub(crate) fn ends(&self) -> Vec<u64> {
        let mut ends: Vec<u64> = self.finite.iter().map(|row| row.last).collect();
        ends.retain(|&last| last <= self.last_row());
        ends.sort_unstable();
        ends
    }

    /// The outcome of a poset, or of what a bite leaves. It is searched for once.
    pub(crate) fn of_poset(
        &self,
        named: &NamedPoset,
        bite: Option<usize>,
        search: impl FnOnce() -> Outcome,
    ) -> Outcome {
        let key = (named.to_string(), bite);
        let mut known = self.posets.lock().expect("a search does not panic");
        *known.entry(key).or_insert_with(search)
    }

    /// The P-positions of four rows, to [`FourRows::DETAILED`] at least, if they reach this a.
    pub(crate) fn four_rows(&self, needs: u16) -> Result<&FourRows, OutOfReach> {
        let found = self.four_rows.get_or_init(|| {
            let watch = |_| ControlFlow::Continue(());
            FourRows::up_to(FourRows::DETAILED, NonZero::<usize>::MIN, &watch)
                .expect("a small sieve")
        });
        let enough = || OutOfReach(format!("P-positions of four rows to a = {needs} are enough"));
        Some(found).filter(|found| needs <= found.to()).ok_or_else(enough)
    }
}

pub(crate) fn too_few_cells() -> OutOfReach {
    OutOfReach("rows to 1 are enough".to_owned())
}
