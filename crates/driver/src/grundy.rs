//! Grundy values of positions.

use std::ops::ControlFlow;

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use record::{Family, HeadForm, Record};

use crate::board::grundy_value_of_table;
use crate::watch::Watch;
use crate::{Engine, Error, Position, SweepOptions};

/// What is known of a Grundy value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GrundyValue {
    /// The value, and the record of the row that has the position, if the rows were asked.
    Is(u64, Option<Box<Record>>),
    /// It is at least this: more than the levels that were asked for, or than fact 12 (d) allows.
    AtLeast(BigUint),
}

/// Positions of three rows that are at most so long are looked up in a full table.
const LONGEST_OF_TABLE: u16 = 600;

/// The Grundy value of a position with any number of rows: that of a short one with three rows from
/// the full table, those of others from rows of levels 0 to `level`.
///
/// # Errors
/// As [`Engine::family`]; [`Error::InfiniteValue`].
///
/// ```
/// use driver::{Position, GrundyValue, SweepOptions, grundy_value};
/// let value = |lengths: &[u32]| {
///     let position = Position::finite(lengths.iter().copied())?;
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
    position: &Position,
    level: u64,
    options: SweepOptions,
    watch: &dyn Watch,
) -> Result<GrundyValue, Error> {
    let tail = position.tail();
    let Some((p, q)) = position.longest_two() else {
        return Err(Error::InfiniteValue { position: Box::new(position.clone()) });
    };
    let of_table = p.to_u16().filter(|&p| p <= LONGEST_OF_TABLE);
    if let (Some(p), Some(q), &([] | [_])) = (of_table, q.to_u16(), tail.parts()) {
        let r = tail.first_column().to_u16().unwrap_or(q);
        let value = grundy_value_of_table([p, q, r], options.threads, watch)?;
        return Ok(GrundyValue::Is(value, None));
    }
    // Fact 12 (d): offsets are at most |t| + g + 1.
    let (offset, more) = (p - q, BigUint::from(tail.size()) + 1_u32);
    let least = if offset > more { offset - more } else { BigUint::ZERO };
    if least > level.into() {
        return Ok(GrundyValue::AtLeast(least));
    }
    let family = Family { level, within: tail.clone() };
    let mut found = None;
    let all = Engine::Sweep(options).family(&family, HeadForm::Offsets, watch, |record| {
        if record.key().tail != *tail {
            return ControlFlow::Continue(());
        }
        match answers::has(record, position) {
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
