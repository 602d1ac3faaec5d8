//! The evidence for the tests: row records, statistics of cells, and the slow oracles.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::{Mutex, OnceLock};

use boards::boundary::{Solution, Solver};
use boards::four_rows::FourRows;
use boards::{Outcomes, Solved};
use byrnes::{ChompGrundy, LevelRow, Losers, Row};
use census::statistics::CellStatistics;
use game::brouwer::Table;
use game::{Board, GameTree, Outcome, ThreeRows};
use posets::NamedPoset;
use record::{Finite, HeadForm, Periodic, Record, Statement};

use crate::verdict::OutOfReach;

/// The claims about cells are made for p <= 100000. The cells of rows 0 to this one have all
/// P-positions with these p ([`CellStatistics::complete_to`]).
pub const CELLS_ENOUGH: u64 = 71_000;

/// The posets whose search takes minutes: [`Evidence::add_poset`].
pub const LONG_POSETS: [&str; 1] = ["subsets 7 3"];

/// The game tree has all positions with p to this number.
pub(crate) const TREE: u64 = 60;

/// f(q,r) is computed by Brouwer's recurrence for q and r to this number.
pub(crate) const TABLE: u64 = 400;

/// The literal recurrence computes rows to this one.
pub(crate) const LITERAL: usize = 400;

/// Levels 0 to this one are computed by the literal recurrence.
pub(crate) const LEVEL: u64 = 3;

/// Of each level, rows 0 to this one.
pub(crate) const LEVEL_ROWS: usize = 100;

/// All boards with at most this number of rows and columns are solved.
pub(crate) const SIDE: u16 = 15;

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
    cells: Option<CellStatistics>,
    // Slow oracles, each computed on first use.
    four_rows: OnceLock<FourRows>,
    tree: OnceLock<GameTree>,
    table: OnceLock<Table>,
    literal: OnceLock<Vec<Row>>,
    levels: OnceLock<Vec<Vec<Record>>>,
    boards: OnceLock<Solution>,
    p_positions: OnceLock<Vec<Board>>,
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

    /// Takes the statistics of the cells.
    pub fn add_cells(&mut self, cells: CellStatistics) {
        self.cells = Some(cells);
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
}

pub(crate) fn too_few_cells() -> OutOfReach {
    OutOfReach("rows to 1 are enough".to_owned())
}

/// The slow oracles.
impl Evidence {
    pub(crate) fn tree(&self) -> &GameTree {
        self.tree.get_or_init(|| GameTree::up_to(TREE))
    }

    pub(crate) fn table(&self) -> &Table {
        self.table.get_or_init(|| Table::up_to(TABLE))
    }

    /// Row r by the literal recurrence, for r to [`LITERAL`].
    pub(crate) fn literal(&self, row: usize) -> &Losers {
        let rows = self.literal.get_or_init(|| {
            let rows = byrnes::Rows::new().take(LITERAL + 1);
            rows.map(|row| row.expect("the first rows can be proved")).collect()
        });
        rows[row].offsets()
    }

    /// Levels 0 to [`LEVEL`] of rows 0 to [`LEVEL_ROWS`], by the literal recurrence.
    pub(crate) fn levels(&self) -> &[Vec<Record>] {
        self.levels.get_or_init(|| {
            let record = |(level, row): (u64, LevelRow)| {
                row.record(level, HeadForm::Fingerprint).expect("a row has a record")
            };
            let records = |levels: Vec<LevelRow>| (0..).zip(levels).map(record).collect();
            let rows = ChompGrundy::to_level(LEVEL).take(LEVEL_ROWS + 1);
            rows.map(|levels| records(levels.expect("the first rows can be proved"))).collect()
        })
    }

    /// All positions of [`SIDE`] by [`SIDE`].
    pub(crate) fn boards(&self) -> &Solution {
        self.boards.get_or_init(|| {
            let solver = Solver::new(SIDE, SIDE).expect("a small rectangle");
            let on_progress = |_| ControlFlow::Continue(());
            solver.solve(NonZero::<usize>::MIN, &|_, _| (), &on_progress).expect("nobody stops it")
        })
    }

    /// The P-positions of [`SIDE`] by [`SIDE`].
    pub(crate) fn p_positions(&self) -> &[Board] {
        self.p_positions.get_or_init(|| self.boards().p_positions().collect())
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

    /// The outcome of a board with at most [`SIDE`] rows and columns.
    pub(crate) fn outcome_of(&self, board: &Board) -> Outcome {
        self.boards().outcome(board).expect("a board that was solved")
    }

    /// The outcome of a position with p to [`TREE`].
    pub(crate) fn outcome(&self, position: ThreeRows) -> Outcome {
        self.tree().outcome(position).expect("a position within the tree")
    }

    /// The bites of a position that leave P-positions, sorted.
    pub(crate) fn replies(&self, position: ThreeRows) -> Vec<ThreeRows> {
        let mut replies: Vec<ThreeRows> =
            position.bites().filter(|&bite| self.outcome(bite) == Outcome::P).collect();
        replies.sort_unstable();
        replies
    }

    /// Every p <= [`TREE`] that makes `(p, min(p,q), min(p,q,r))` a P-position, by the game tree.
    /// There should be one.
    pub(crate) fn values(&self, q: u64, r: u64) -> Vec<u64> {
        let position =
            |p: u64| ThreeRows::new(p, p.min(q), p.min(q).min(r)).expect("sorted lengths");
        (1..=TREE).filter(|&p| self.outcome(position(p)) == Outcome::P).collect()
    }
}
