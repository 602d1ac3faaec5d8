//! Grundy values of positions.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;

use boards::SolveError;
use boards::grundy::{self, within};
use game::Board;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use record::{Family, HeadForm, Record, Tail};
use serde::{Serialize, Serializer};

use crate::board::{grundy_table_within, with_grundy_table};
use crate::job::Watch;
use crate::{Engine, Error, ErrorKind, Position, SweepOptions};

/// A Grundy value, or a lower bound.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(with = "GrundyObject"))]
pub enum GrundyValue {
    /// The value, and its basis.
    Is(u64, GrundyBasis),
    /// It is at least this: above the levels that were asked for, by their rows or by fact 12 (d).
    AtLeast(BigUint),
}

impl GrundyValue {
    /// The value, if it was found.
    pub fn known(&self) -> Option<u64> {
        match self {
            Self::Is(value, _) => Some(*value),
            Self::AtLeast(_) => None,
        }
    }

    /// The value, or a lower bound of it.
    pub fn at_least(&self) -> BigUint {
        match self {
            Self::Is(value, _) => (*value).into(),
            Self::AtLeast(least) => least.clone(),
        }
    }
}

/// A Grundy value in JSON.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct GrundyObject {
    /// The value; null if it was not found.
    grundy: Option<u64>,
    /// The value, or a lower bound of it.
    at_least: String,
}

impl Serialize for GrundyValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let at_least = self.at_least().to_string();
        GrundyObject { grundy: self.known(), at_least }.serialize(serializer)
    }
}

/// `3`, `31 or more`.
impl fmt::Display for GrundyValue {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Is(value, _) => value.fmt(f),
            Self::AtLeast(least) => write!(f, "{least} or more"),
        }
    }
}

/// The basis of a Grundy value. Each of them may be about the transposed position, which has the
/// same value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GrundyBasis {
    /// The values of all positions of three rows whose longest row has at most this many squares.
    ThreeRows(u16),
    /// The values of all boards within this one.
    Within(Board),
    /// Rows of levels; this one has the position.
    Rows(Box<Record>),
}

/// How Grundy values are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrundyMethod {
    /// By a table: of three rows, or of all boards within a board. Needs memory.
    Table,
    /// By rows of levels, up to the highest.
    Rows,
}

/// A search for Grundy values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrundySearch {
    /// The highest level that is computed, by rows.
    pub level: u64,
    /// The method; `None` for a table where it takes seconds, and rows otherwise, or the table
    /// again if there are too many rows.
    pub method: Option<GrundyMethod>,
    /// The options of the engine of rows, and the threads of the table of three rows.
    pub sweep: SweepOptions,
}

/// To level 30, by the method that is expected to be fast.
impl Default for GrundySearch {
    fn default() -> Self {
        Self { level: 30, method: None, sweep: SweepOptions::default() }
    }
}

/// Positions of three rows that are at most this long are looked up in a full table.
const LONGEST_OF_TABLE: u16 = 600;

/// A table of boards that costs at most this many steps is always used: some tenths of a second.
const STEPS_AT_ONCE: u64 = 1 << 28;

/// So is one that costs at most this many, some ten seconds, unless there are few rows of levels.
const STEPS_OF_TABLE: u64 = 20_000_000_000;

/// Rows of levels are few if there are at most this many.
const FEW_ROWS: u64 = 1000;

/// The Grundy value of a position with any number of rows, from a table or from rows of levels 0 to
/// the highest.
///
/// # Errors
/// As [`Engine::family`]; a position with a row of ω squares; too many boards for a table, and
/// [`Error::Memory`] if it needs too much.
///
/// ```
/// use driver::{GrundyBasis, GrundySearch, GrundyValue, Position, grundy_value};
/// let value = |lengths: &[u32]| {
///     let position = Position::finite(lengths.iter().copied())?;
///     let search = GrundySearch { level: 6, ..GrundySearch::default() };
///     Ok::<_, Box<dyn std::error::Error>>(grundy_value(&position, &search, &())?)
/// };
/// // OEIS A069001: 3x4 has the value 9. So has 4x3.
/// assert_eq!(value(&[4, 4, 4])?, GrundyValue::Is(9, GrundyBasis::ThreeRows(4)));
/// assert_eq!(value(&[3, 3, 3, 3])?, GrundyValue::Is(9, GrundyBasis::ThreeRows(4)));
/// assert!(matches!(value(&[8; 8])?, GrundyValue::Is(13, GrundyBasis::Within(_))));
/// assert!(matches!(value(&[1_000_000, 999_999])?, GrundyValue::Is(0, GrundyBasis::Rows(_))));
/// // An offset is at most r + g + 1.
/// assert_eq!(value(&[1_000_100, 1_000_000, 5])?, GrundyValue::AtLeast(94_u32.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn grundy_value(
    position: &Position,
    search: &GrundySearch,
    watch: &dyn Watch,
) -> Result<GrundyValue, Error> {
    let mut values = grundy_values(std::slice::from_ref(position), search, watch)?;
    Ok(values.swap_remove(0))
}

/// The Grundy values of several positions, in their order, from one table or from one family of
/// rows. Each is the one of [`grundy_value`]. A table is used if all of them are in it.
///
/// # Errors
/// As [`grundy_value`].
///
/// ```
/// use driver::{GrundyBasis, GrundySearch, GrundyValue, Position, grundy_values};
/// let positions = [[2_u32, 1], [3, 1]].map(|lengths| Position::finite(lengths).unwrap());
/// let values = grundy_values(&positions, &GrundySearch::default(), &())?;
/// // The bites of (3,1) leave (2,1), (1,1) and (3), of the values 0, 1 and 2.
/// assert_eq!(values, [0, 3].map(|value| GrundyValue::Is(value, GrundyBasis::ThreeRows(3))));
/// # Ok::<(), driver::Error>(())
/// ```
pub fn grundy_values(
    positions: &[Position],
    search: &GrundySearch,
    watch: &dyn Watch,
) -> Result<Vec<GrundyValue>, Error> {
    let positions = upright(positions);
    let boards: Option<Vec<Board>> = positions.iter().map(Position::board).collect();
    // There is none around no boards.
    let around = boards.as_deref().map(|boards| around(boards.iter().map(Board::rows)));
    let around = around.and_then(|rows| Board::new(rows).ok());
    let table = || match &around {
        Some(around) => {
            of_boards(around, boards.as_deref().unwrap_or_default(), search.sweep, watch)
        }
        None => Err(no_table(&positions)),
    };
    let steps = around.as_ref().and_then(within::cost);
    let is_small = around.as_ref().is_some_and(is_of_three_rows)
        || steps.is_some_and(|steps| steps <= STEPS_AT_ONCE);
    match search.method {
        Some(GrundyMethod::Rows) => return of_rows(&positions, search, watch),
        Some(GrundyMethod::Table) => return table(),
        None if is_small => return table(),
        None => {}
    }
    if steps.is_none_or(|steps| steps > STEPS_OF_TABLE) {
        let rows = match of_rows(&positions, search, watch) {
            Err(error) if is_refused(&error) => error,
            found => return found,
        };
        // Minutes or hours, but possible.
        return match table() {
            _ if around.is_none() => Err(rows),
            Err(table) if is_refused(&table) => Err(Error::usage(format!(
                "neither a table nor rows of levels give this Grundy value. The table: {table}. \
                 The rows: {rows}. Boards to about 14x14 have a table; rows reach any length of \
                 the two longest rows above short ones, as in (1000000,999999,5)"
            ))),
            found => found,
        };
    }
    let family = Family::of_tails(search.level, around_tails(positions.iter())?);
    if family.count().is_some_and(|rows| rows <= FEW_ROWS) {
        let values = of_rows(&positions, search, watch)?;
        if values.iter().all(|value| matches!(value, GrundyValue::Is(..))) {
            return Ok(values);
        }
    }
    table()
}

/// Whether a computation was refused before any work.
fn is_refused(error: &Error) -> bool {
    error.kind() == ErrorKind::Usage
}

/// The positions, each transposed if all of them have fewer rows then.
fn upright(positions: &[Position]) -> Cow<'_, [Position]> {
    let tallest = positions.iter().map(Position::height).max().unwrap_or(0);
    let is_narrow = |position: &Position| {
        position.p().finite().is_some_and(|p| p.to_usize().is_some_and(|p| p < tallest))
    };
    let transposed = || positions.iter().map(Position::transposed).collect::<Option<Vec<_>>>();
    let transposed = positions.iter().all(is_narrow).then(transposed).flatten();
    transposed.map_or(Cow::Borrowed(positions), Cow::Owned)
}

/// The least lengths within which all of these are.
fn around<'a, N: Copy + Default + Ord + 'a>(all: impl Iterator<Item = &'a [N]>) -> Vec<N> {
    let mut longest: Vec<N> = Vec::new();
    for lengths in all {
        longest.resize(longest.len().max(lengths.len()), N::default());
        longest.iter_mut().zip(lengths).for_each(|(row, other)| *row = (*row).max(*other));
    }
    longest
}

fn is_of_three_rows(around: &Board) -> bool {
    around.height() <= 3 && around.width() <= LONGEST_OF_TABLE
}

/// The error of positions that have no table.
fn no_table(positions: &[Position]) -> Error {
    if let Some(infinite) = positions.iter().find(|position| position.longest_two().is_none()) {
        return Error::infinite(infinite);
    }
    let of = |position: &Position| position.p().finite().and_then(ToPrimitive::to_u16);
    let columns = positions.iter().map(|position| of(position).unwrap_or(u16::MAX)).max();
    let rows = positions.iter().map(Position::height).max().unwrap_or(0);
    let rows = u16::try_from(rows).unwrap_or(u16::MAX);
    SolveError::TooLarge { rows, columns: columns.unwrap_or(0) }.into()
}

/// The values of boards within one, from a table.
fn of_boards(
    around: &Board,
    boards: &[Board],
    options: SweepOptions,
    watch: &dyn Watch,
) -> Result<Vec<GrundyValue>, Error> {
    if is_of_three_rows(around) {
        let lengths =
            |board: &Board| [0, 1, 2].map(|row| board.rows().get(row).copied().unwrap_or(0));
        let lengths: Vec<[u16; 3]> = boards.iter().map(lengths).collect();
        let basis = GrundyBasis::ThreeRows(around.width());
        let columns = around.width().into();
        let values = with_grundy_table(columns, options.threads, watch, |_, threads, tell| {
            grundy::values(&lengths, threads, tell)
        })?;
        return Ok(values.into_iter().map(|v| GrundyValue::Is(v.into(), basis.clone())).collect());
    }
    let table = grundy_table_within(around, watch)?;
    let value = |board: &Board| {
        let lacks = || Error::defect(format!("the table of {around} lacks {board}"));
        let value = table.value(board).ok_or_else(lacks)?;
        Ok(GrundyValue::Is(value.into(), GrundyBasis::Within(around.clone())))
    };
    boards.iter().map(value).collect()
}

/// The values from rows of levels.
fn of_rows(
    positions: &[Position],
    search: &GrundySearch,
    watch: &dyn Watch,
) -> Result<Vec<GrundyValue>, Error> {
    let level = search.level;
    let mut values = Vec::with_capacity(positions.len());
    // The positions whose value is not found yet, by their tails.
    let mut wanted: HashMap<&Tail, Vec<usize>> = HashMap::new();
    for (index, position) in positions.iter().enumerate() {
        let least = least_value(position)?;
        let is_beyond = least > level.into();
        if !is_beyond {
            wanted.entry(position.tail()).or_default().push(index);
        }
        values.push(GrundyValue::AtLeast(if is_beyond { least } else { (level + 1).into() }));
    }
    if wanted.is_empty() {
        return Ok(values);
    }
    let within = around_tails(wanted.values().flatten().map(|&index| &positions[index]))?;
    let family = Family::of_tails(level, within);
    let visit = |record: &Record| {
        let (level, tail) = (record.key().level, record.key().tail());
        if let Some(left) = wanted.get_mut(tail) {
            left.retain(|&index| {
                let has = answers::has(record, &positions[index]).expect("it has its offsets");
                if has {
                    let basis = GrundyBasis::Rows(Box::new(record.clone()));
                    values[index] = GrundyValue::Is(level, basis);
                }
                !has
            });
            if left.is_empty() {
                wanted.remove(tail);
            }
        }
        if wanted.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let found = Engine::Sweep(search.sweep).family(&family, HeadForm::Offsets, watch, visit);
    // When all values are found, the visitor breaks off.
    if wanted.is_empty() { Ok(values) } else { found.map(|_| values) }
}

/// A lower bound of the value, before any row is known. Fact 12 (d): offsets are at most
/// |t| + g + 1.
fn least_value(position: &Position) -> Result<BigUint, Error> {
    let (p, q) = position.longest_two().ok_or_else(|| Error::infinite(position))?;
    let offset = p - q;
    let more = BigUint::from(position.tail().size()) + 1_u32;
    Ok(if offset > more { offset - more } else { BigUint::ZERO })
}

/// The least tail that contains the tails of all these positions.
fn around_tails<'a>(positions: impl Iterator<Item = &'a Position>) -> Result<Tail, Error> {
    Tail::new(around(positions.map(|position| position.tail().parts()))).map_err(Error::defect)
}
