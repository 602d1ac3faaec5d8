//! An order ideal as the name of a row.

use std::fmt;

use serde::Serialize;

/// An order ideal of the finite part, and the columns and numbers that its statement counts with.
///
/// A row may be irregular in its first columns (fact 13). Its statement begins with `column`, and
/// counts `p + shift` instead of p, so that offsets are not negative.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ideal {
    /// The names of its maximal elements.
    pub generators: Vec<String>,
    /// The first column of the row: the greatest j with `d[j]` below an element, or 0.
    pub begins: u64,
    /// The first column of the statement.
    pub column: u64,
    /// The shift, the same for all rows of the family.
    pub shift: i64,
}

/// `{}`, `{a2,b1}`: the ideal of the elements that are below one of these, or are one.
impl fmt::Display for Ideal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{{{}}}", self.generators.join(","))
    }
}
