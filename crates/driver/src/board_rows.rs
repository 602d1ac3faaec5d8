//! Positions and rows of boards with any number of rows, and Grundy values: what the recurrence of
//! levels and tails answers.

use std::collections::HashMap;
use std::ops::ControlFlow;

use census::query::board::{self, BoardAnswer, BoardPosition, Value};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use record::{Family, HeadForm, KeyedRecord, Tail};

use crate::board::grundy_value_of_table;
use crate::watch::Watch;
use crate::{Engine, Error, SweepOptions};

/// Whether a position with any number of rows is P or N, and every bite that leaves a P-position.
/// All rows of level 0 with tails within its tail are computed.
///
/// # Errors
/// [`Error::Levels`] if there are too many of them; [`Error::Interrupted`].
///
/// ```
/// use driver::{BoardPosition, SweepOptions, query_board};
/// // Cho 2018, proposition 3.10: [4557] is a P-position.
/// let position = BoardPosition::new([7_u32, 5, 5, 4].map(Into::into).to_vec())?;
/// assert!(query_board(&position, SweepOptions::default(), &())?.is_p);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn query_board(
    position: &BoardPosition,
    options: SweepOptions,
    watch: &dyn Watch,
) -> Result<BoardAnswer, Error> {
    let family = Family { level: 0, within: position.tail().clone() };
    answer_from(&rows(&family, options, watch)?, position)
}

/// The same from the records of a family that holds the rows needed.
pub(crate) fn answer_from(
    rows: &[KeyedRecord],
    position: &BoardPosition,
) -> Result<BoardAnswer, Error> {
    let level_0 = rows.iter().filter(|record| record.key().level == 0);
    let by_tail: HashMap<&Tail, &KeyedRecord> =
        level_0.map(|record| (&record.key().tail, record)).collect();
    let answer = board::answer(position, |tail| by_tail[tail].clone())?;
    if answer.is_p == answer.bites.is_empty() {
        return Ok(answer);
    }
    Err(Error::Defect { what: format!("{}: it contradicts rows below", answer.record.key()) })
}

/// The row of level 0 with this tail, with all offsets of its head. All rows with tails within it
/// are computed.
///
/// # Errors
/// As [`query_board`].
///
/// ```
/// use driver::{SweepOptions, row_of_tail};
/// // (2,2,2,1) is a P-position, and so no position with a longer tail (r,1) is one.
/// let row = row_of_tail(&"3,1".parse()?, SweepOptions::default(), &())?;
/// assert_eq!(row.to_string(), "Empty(tail: [3, 1], by: 2)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn row_of_tail(
    tail: &Tail,
    options: SweepOptions,
    watch: &dyn Watch,
) -> Result<KeyedRecord, Error> {
    let family = Family { level: 0, within: tail.clone() };
    let last = rows(&family, options, watch)?.pop();
    last.ok_or_else(|| Error::Defect { what: format!("tail {tail}: there is no row") })
}

/// f(q,t) of a tail t: the only p that makes (p,q,t) a P-position, or why there is none. For a tail
/// of one row at most, see [`Engine::value`].
///
/// # Errors
/// As [`query_board`], and for a tail of one row as [`Engine::value`].
///
/// ```
/// use driver::{SweepOptions, Value, value_of_tail};
/// let value = |q: u32, tail: &str| {
///     let (q, tail) = (q.into(), tail.parse()?);
///     Ok::<_, Box<dyn std::error::Error>>(value_of_tail(&q, &tail, SweepOptions::default(), &())?)
/// };
/// // Cho 2018, proposition 3.10: [4557] is a P-position; so is (2,2,2,1).
/// assert_eq!(value(5, "5,4")?, Value::Is(7_u32.into()));
/// assert_eq!(value(5, "3,1")?, Value::Empty { by: 2 });
/// // Of two rows, one is longer by one square.
/// assert_eq!(value(5, "()")?, Value::Is(6_u32.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn value_of_tail(
    q: &BigUint,
    tail: &Tail,
    options: SweepOptions,
    watch: &dyn Watch,
) -> Result<Value, Error> {
    if let [] | [_] = tail.parts() {
        return Engine::Sweep(options).value(q, tail.first_column(), watch);
    }
    let first_column = tail.first_column();
    if *q < first_column.into() {
        return Ok(Value::BeforeFirst { first_column });
    }
    Ok(board::value(&row_of_tail(tail, options, watch)?, q)?)
}

/// What is known of a Grundy value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GrundyValue {
    /// The value, and the record of the row that has the position, if the rows were asked.
    Is(u64, Option<Box<KeyedRecord>>),
    /// It is at least this: more than the levels that were asked for, or than fact 12 (d) allows.
    AtLeast(BigUint),
}

/// Positions of three rows that are at most so long are looked up in a full table.
const LONGEST_OF_TABLE: u16 = 600;

/// The Grundy value of a position with any number of rows: that of a short one with three rows from
/// the full table, those of others from rows of levels 0 to `level`.
///
/// # Errors
/// As [`query_board`], and [`Error::Memory`].
///
/// ```
/// use driver::{BoardPosition, GrundyValue, SweepOptions, grundy_value};
/// let value = |lengths: &[u32]| {
///     let position = BoardPosition::new(lengths.iter().map(|&n| n.into()).collect())?;
///     Ok::<_, Box<dyn std::error::Error>>(grundy_value(&position, 6, SweepOptions::default(), &())?)
/// };
/// // OEIS A069001: 3x4 has the value 9.
/// assert_eq!(value(&[4, 4, 4])?, GrundyValue::Is(9, None));
/// assert!(matches!(value(&[1_000_000, 999_999])?, GrundyValue::Is(0, Some(_))));
/// // An offset is at most r + g + 1.
/// assert_eq!(value(&[1_000_100, 1_000_000, 5])?, GrundyValue::AtLeast(94_u32.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn grundy_value(
    position: &BoardPosition,
    level: u64,
    options: SweepOptions,
    watch: &dyn Watch,
) -> Result<GrundyValue, Error> {
    let tail = position.tail();
    let of_table = position.p().to_u16().filter(|&p| p <= LONGEST_OF_TABLE);
    if let (Some(p), Some(q), &([] | [_])) = (of_table, position.q().to_u16(), tail.parts()) {
        let r = tail.first_column().to_u16().unwrap_or(q);
        let value = grundy_value_of_table([p, q, r], options.threads, watch)?;
        return Ok(GrundyValue::Is(value, None));
    }
    // Fact 12 (d): offsets are at most |t| + g + 1.
    let (offset, more) = (position.p() - position.q(), BigUint::from(tail.size()) + 1_u32);
    let least = if offset > more { offset - more } else { BigUint::ZERO };
    if least > level.into() {
        return Ok(GrundyValue::AtLeast(least));
    }
    let family = Family { level, within: tail.clone() };
    let mut found = None;
    let all = visit(&family, options, watch, &mut |record| {
        if record.key().tail != *tail {
            return ControlFlow::Continue(());
        }
        match board::has(record, position) {
            Ok(false) => ControlFlow::Continue(()),
            has => {
                found = Some(has.map(|_| Box::new(record.clone())));
                ControlFlow::Break(())
            }
        }
    });
    match found {
        Some(record) => record
            .map(|record| GrundyValue::Is(record.key().level, Some(record)))
            .map_err(Error::Query),
        None => all.map(|_| GrundyValue::AtLeast((level + 1).into())),
    }
}

fn rows(
    family: &Family,
    options: SweepOptions,
    watch: &dyn Watch,
) -> Result<Vec<KeyedRecord>, Error> {
    visit(family, options, watch, &mut |_| ControlFlow::Continue(()))
}

/// All rows of a family, unless `hear` breaks off.
fn visit(
    family: &Family,
    options: SweepOptions,
    watch: &dyn Watch,
    hear: &mut dyn FnMut(&KeyedRecord) -> ControlFlow<()>,
) -> Result<Vec<KeyedRecord>, Error> {
    Engine::Sweep(options).family(family, HeadForm::Offsets, watch, hear)
}
