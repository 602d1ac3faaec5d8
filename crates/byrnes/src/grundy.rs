//! The procedure `ChompGrundy`: positions of three-rowed Chomp with a given Grundy value.

use record::{Fault, HeadForm, Record, RowKey, Statement};

use crate::rows::Scheme;
use crate::{LosersError, Row, RowError};

/// Levels 0 to g of three-rowed Chomp, row by row, for ever. Level g of row c is the set of the
/// positions `[c,a,b]` with Grundy value g.
///
/// "For any given g, one has to add to the set of implied *Instant Winners* the positions that have
/// been already shown to have smaller nim-values" (Zeilberger 2003, *The Sprague-Grundy values*).
/// So each level has a recurrence scheme of its own, as [`Rows`](crate::Rows) has, and the losers
/// of a row are `Losers(W' ∪ W'' ∪ I)`, where I has the offsets of the lower levels in the same
/// row. The paper does not say that rows can be empty: if a row x above row 0 is the single
/// position `[x,0,0]`, then one bite in the top row leads there from each position of a later row,
/// so later rows have no position of that level (fact 12 of `proofs/README.md`).
///
/// Each row is proved twice, by the classical bound (unless that is out of reach, because the
/// periods below have a large least common multiple) and by a certificate. Each level costs about
/// as much as `Rows`, but its pre-periods are longer.
///
/// ```
/// use byrnes::ChompGrundy;
/// let row_2: Vec<String> = ChompGrundy::to_level(3).nth(2).unwrap().unwrap().iter().map(ToString::to_string).collect();
/// assert_eq!(row_2, ["[2]^∞", "[3, 0]", "empty by 1", "[1, 4, 1]^∞"]);
/// ```
#[derive(Clone, Debug)]
pub struct ChompGrundy {
    levels: Vec<Level>,
    failed: bool,
}

#[derive(Clone, Debug, Default)]
struct Level {
    scheme: Scheme,
    /// The x of the empty rows: all rows after it are empty.
    empty_by: Option<u64>,
}

/// One row of one level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LevelRow {
    /// No position has this bottom row and this Grundy value, because `(x,x,x)` has it.
    Empty {
        /// The bottom row r.
        row: u64,
        /// The x.
        by: u64,
    },
    /// The positions.
    Row(Row),
}

impl ChompGrundy {
    /// Levels 0 to `level`.
    pub fn to_level(level: u64) -> Self {
        Self { levels: (0..=level).map(|_| Level::default()).collect(), failed: false }
    }

    fn next_rows(&mut self) -> Result<Vec<LevelRow>, RowError> {
        let mut rows: Vec<LevelRow> = Vec::new();
        for (level, state) in (0..).zip(&mut self.levels) {
            let lower: Vec<&Row> = rows.iter().filter_map(LevelRow::row).collect();
            let row = state
                .next_row(&lower)
                .map_err(|(row, source)| RowError { key: RowKey::of_row(level, row), source })?;
            rows.push(row);
        }
        Ok(rows)
    }
}

impl Level {
    fn next_row(&mut self, lower: &[&Row]) -> Result<LevelRow, (u64, LosersError)> {
        let row = self.scheme.row();
        if let Some(by) = self.empty_by {
            self.scheme.skip();
            return Ok(LevelRow::Empty { row, by });
        }
        let losers = self.scheme.losers(lower).map_err(|source| (row, source))?;
        if losers.first() == 0 {
            self.empty_by = Some(row);
        }
        Ok(LevelRow::Row(self.scheme.advance(losers)))
    }
}

/// The rows with the same bottom row, one of each level.
impl Iterator for ChompGrundy {
    type Item = Result<Vec<LevelRow>, RowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let rows = self.next_rows();
        self.failed = rows.is_err();
        Some(rows)
    }
}

impl LevelRow {
    /// The row, unless it is empty.
    pub fn row(&self) -> Option<&Row> {
        match self {
            Self::Empty { .. } => None,
            Self::Row(row) => Some(row),
        }
    }

    /// The row as a record of its level.
    ///
    /// # Errors
    /// A [`Fault`] would mean a row that no statement can describe: a defect of this program.
    pub fn record(&self, level: u64, form: HeadForm) -> Result<Record, Fault> {
        let (row, statement) = match self {
            Self::Empty { row, by } => (*row, Statement::Empty { by: *by }),
            Self::Row(row) => (row.row(), row.statement(form)),
        };
        Record::new(RowKey::of_row(level, row), statement)
    }
}

/// In closed form: `[3, 1, 0]`, `[4, 4][3]^∞`, `empty by 1`.
impl std::fmt::Display for LevelRow {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Empty { by, .. } => write!(f, "empty by {by}"),
            Self::Row(row) => row.offsets().fmt(f),
        }
    }
}
