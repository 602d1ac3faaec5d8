//! Every bite from a position, with the Grundy value that it leaves.

use driver::{Error, GrundySearch, GrundyValue, Position, Square, Watch, grundy_values};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use serde::{Deserialize, Serialize};
use ultimate::NatSet;

use crate::grundy::Grundy;
use crate::objects::{Told, table};

/// List every bite from a position, with the Grundy value that it leaves.
///
/// A bite that leaves the value 0 wins. The value of the position itself is the least that no bite
/// leaves.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Moves(pub Grundy);

impl Moves {
    pub(crate) fn ask(&self, watch: &dyn Watch) -> Result<Told, Error> {
        let (position, search) = self.0.read()?;
        let found = bites(&position, &search, watch)?;
        let told = Told::of(&found, found.words());
        Ok(match found.not_found() {
            0 => told,
            number => told.but(Error::incomplete(format!(
                "values above level {}: {number}; --level G looks further",
                search.level
            ))),
        })
    }
}

/// The most squares of a board whose bites are listed.
pub const MOST_SQUARES: u32 = 100_000;

/// A position and its bites.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bites {
    /// The position.
    pub position: Position,
    /// Its Grundy value, the least that no bite leaves; `None` if a bite whose value was not found
    /// may leave it.
    #[serde(rename = "grundy")]
    pub value: Option<u64>,
    /// Every bite, row by row, those that leave less of it first. That of the poison is none.
    pub bites: Vec<ValuedBite>,
}

/// A bite with the Grundy value that it leaves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ValuedBite {
    /// The square that is bitten.
    pub square: Square,
    /// The position that is left.
    pub leaves: Position,
    /// The Grundy value of that position.
    #[serde(flatten)]
    pub value: GrundyValue,
}

/// The least value that is not among these; `None` if one that was not found may be it.
fn least_left(values: &[GrundyValue]) -> Option<u64> {
    let mut known = NatSet::default();
    for value in values.iter().filter_map(GrundyValue::known) {
        known.insert(value);
    }
    let own = known.mex();
    let mut not_found = values.iter().filter(|value| value.known().is_none());
    not_found.all(|value| value.at_least() > own.into()).then_some(own)
}

impl Bites {
    /// The number of bites whose value was not found.
    pub fn not_found(&self) -> usize {
        self.bites.iter().filter(|bite| bite.value.known().is_none()).count()
    }

    fn words(&self) -> String {
        let position = self.position.as_board();
        let own = match self.value {
            Some(value) => format!("{position} has the Grundy value {value}."),
            None => format!("The Grundy value of {position} is not found."),
        };
        if self.bites.is_empty() {
            return format!("{own}\nThere is no bite: the next player must take the poison.\n");
        }
        let mut table = table(["bite", "leaves", "value"], |index| index < 2);
        for ValuedBite { square, leaves, value } in &self.bites {
            table.add_row([square.to_string(), leaves.as_board(), value.to_string()]);
        }
        let number = self.bites.len();
        format!("{own}\nNumber of bites: {number}. Those that leave the value 0 win.\n\n{table}\n")
    }
}

/// Every bite from a position of at most [`MOST_SQUARES`] squares, with the Grundy value that it
/// leaves.
///
/// # Errors
/// A position with too many squares, and as [`grundy_values`].
///
/// ```
/// let found = ask::bites(&"2 1".parse()?, &driver::GrundySearch::default(), &())?;
/// // The bites leave (1,1) and (2), both of the value 1.
/// assert_eq!((found.bites.len(), found.value), (2, Some(0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bites(
    position: &Position,
    search: &GrundySearch,
    watch: &dyn Watch,
) -> Result<Bites, Error> {
    let rows = position.finite_rows().ok_or_else(|| Error::infinite(position))?;
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
    let value = least_left(&values);
    let bites = squares.into_iter().zip(left).zip(values);
    let valued = |((square, leaves), value)| ValuedBite { square, leaves, value };
    Ok(Bites { position: position.clone(), value, bites: bites.map(valued).collect() })
}
