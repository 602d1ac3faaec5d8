//! Every bite from a position, with the Grundy value that it leaves.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use ultimate::NatSet;

use crate::grundy::infinite;
use crate::watch::Watch;
use crate::{Error, GrundySearch, GrundyValue, Position, Square, grundy_values};

/// The most squares of a board whose bites are listed.
pub const MOST_SQUARES: u32 = 100_000;

/// A position and its bites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bites {
    /// The position.
    pub position: Position,
    /// Every bite, row by row, those that leave less of it first. That of the poison is none.
    pub bites: Vec<ValuedBite>,
}

/// A bite with the Grundy value that it leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuedBite {
    /// The square that is bitten.
    pub square: Square,
    /// The position that is left.
    pub leaves: Position,
    /// The Grundy value of that position.
    pub value: GrundyValue,
}

impl Bites {
    /// The Grundy value of the position, the least that no bite leaves; `None` if a bite whose
    /// value was not found may leave it.
    #[must_use]
    pub fn value(&self) -> Option<u64> {
        let mut known = NatSet::default();
        let mut unknown: Option<&BigUint> = None;
        for ValuedBite { value, .. } in &self.bites {
            match value {
                GrundyValue::Is(value, _) => {
                    known.insert(*value);
                }
                GrundyValue::AtLeast(least) => {
                    unknown = Some(unknown.map_or(least, |other| other.min(least)));
                }
            }
        }
        let own = known.mex();
        unknown.is_none_or(|least| *least > own.into()).then_some(own)
    }

    /// The number of bites whose value was not found.
    #[must_use]
    pub fn not_found(&self) -> usize {
        let is_bound = |bite: &&ValuedBite| matches!(bite.value, GrundyValue::AtLeast(_));
        self.bites.iter().filter(is_bound).count()
    }
}

/// Every bite from a position of at most [`MOST_SQUARES`] squares, with the Grundy value that it
/// leaves.
///
/// # Errors
/// A position with too many squares, and as [`grundy_values`].
///
/// ```
/// let found = driver::bites(&"2 1".parse()?, &driver::GrundySearch::default(), &())?;
/// // The bites leave (1,1) and (2), both of the value 1.
/// assert_eq!((found.bites.len(), found.value()), (2, Some(0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bites(
    position: &Position,
    search: &GrundySearch,
    watch: &dyn Watch,
) -> Result<Bites, Error> {
    let rows = position.finite_rows().ok_or_else(|| infinite(position))?;
    if rows.iter().sum::<BigUint>() > MOST_SQUARES.into() {
        let words = format!("{position} has more than {MOST_SQUARES} squares, too many for a list");
        return Err(Error::usage(words));
    }
    let squares = (1..).zip(&rows).flat_map(|(row, length)| {
        let columns = 1..=length.to_u32().unwrap_or(MOST_SQUARES);
        columns.map(move |column| Square { row, column: column.into() })
    });
    // A bite at the poison leaves no position.
    let (squares, left): (Vec<_>, Vec<_>) =
        squares.filter_map(|square| position.after(&square).map(|left| (square, left))).unzip();
    let values = grundy_values(&left, search, watch)?;
    let bites = squares.into_iter().zip(left).zip(values);
    let valued = |((square, leaves), value)| ValuedBite { square, leaves, value };
    Ok(Bites { position: position.clone(), bites: bites.map(valued).collect() })
}
