//! Grundy values of positions.

use std::collections::HashMap;
use std::ops::ControlFlow;

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use record::{Family, HeadForm, Record, Tail};

use crate::board::grundy_values_of_table;
use crate::watch::Watch;
use crate::{Engine, Error, Position, SweepOptions};

/// A Grundy value, or a lower bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GrundyValue {
    /// The value, and the record of the row that has the position, if the rows were asked.
    Is(u64, Option<Box<Record>>),
    /// It is at least this: above the levels that were asked for, by their rows or by fact 12 (d).
    AtLeast(BigUint),
}

/// Positions of three rows that are at most this long are looked up in a full table.
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
    let mut values = grundy_values(std::slice::from_ref(position), level, options, watch)?;
    Ok(values.swap_remove(0))
}

/// The Grundy values of several positions, in their order, from one table or from one family of
/// rows. Each is what [`grundy_value`] finds; the table is used if all of them are in it.
///
/// # Errors
/// As [`grundy_value`].
///
/// ```
/// use driver::{Position, GrundyValue, SweepOptions, grundy_values};
/// let positions = [[2_u32, 1], [3, 1]].map(|lengths| Position::finite(lengths).unwrap());
/// let values = grundy_values(&positions, 6, SweepOptions::default(), &())?;
/// // The bites of (3,1) leave (2,1), (1,1) and (3), of the values 0, 1 and 2.
/// assert_eq!(values, [GrundyValue::Is(0, None), GrundyValue::Is(3, None)]);
/// # Ok::<(), driver::Error>(())
/// ```
pub fn grundy_values(
    positions: &[Position],
    level: u64,
    options: SweepOptions,
    watch: &dyn Watch,
) -> Result<Vec<GrundyValue>, Error> {
    if let Some(lengths) = positions.iter().map(of_table).collect::<Option<Vec<_>>>() {
        let values = grundy_values_of_table(&lengths, options.threads, watch)?;
        return Ok(values.into_iter().map(|value| GrundyValue::Is(value.into(), None)).collect());
    }
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
    let family = Family { level, within: around(wanted.keys().copied())? };
    let mut failed = None;
    let all = Engine::Sweep(options).family(&family, HeadForm::Offsets, watch, |record| {
        let Some(here) = wanted.get_mut(&record.key().tail) else {
            return ControlFlow::Continue(());
        };
        here.retain(|&index| match answers::has(record, &positions[index]) {
            Ok(false) => true,
            Ok(true) => {
                values[index] = GrundyValue::Is(record.key().level, Some(Box::new(record.clone())));
                false
            }
            Err(error) => {
                failed = Some(error);
                false
            }
        });
        if here.is_empty() {
            wanted.remove(&record.key().tail);
        }
        if wanted.is_empty() || failed.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    match failed {
        Some(error) => Err(Error::Query(error)),
        // When all values are found, the visitor breaks off.
        None if wanted.is_empty() => Ok(values),
        None => all.map(|_| values),
    }
}

/// The lengths of a position that the full table has.
fn of_table(position: &Position) -> Option<[u16; 3]> {
    let (p, q) = position.longest_two()?;
    let (p, q) = (p.to_u16()?, q.to_u16()?);
    match position.tail().parts() {
        [] if p <= LONGEST_OF_TABLE => Some([p, q, 0]),
        [r] if p <= LONGEST_OF_TABLE => Some([p, q, r.to_u16()?]),
        _ => None,
    }
}

/// A lower bound of the value, before any row is known. Fact 12 (d): offsets are at most
/// |t| + g + 1.
fn least_value(position: &Position) -> Result<BigUint, Error> {
    let (p, q) = position
        .longest_two()
        .ok_or_else(|| Error::InfiniteValue { position: Box::new(position.clone()) })?;
    let offset = p - q;
    let more = BigUint::from(position.tail().size()) + 1_u32;
    Ok(if offset > more { offset - more } else { BigUint::ZERO })
}

/// The least tail that contains all of these.
fn around<'a>(tails: impl Iterator<Item = &'a Tail>) -> Result<Tail, Error> {
    let mut longest: Vec<u64> = Vec::new();
    for parts in tails.map(Tail::parts) {
        longest.resize(longest.len().max(parts.len()), 0);
        longest.iter_mut().zip(parts).for_each(|(part, other)| *part = (*part).max(*other));
    }
    Tail::new(longest).map_err(|error| Error::Defect { what: error.to_string() })
}
