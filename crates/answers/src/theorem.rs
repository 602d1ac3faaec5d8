//! Theorems that decide a position without rows or a search: fact 14 of `proofs/README.md`.

use std::fmt;

use serde::Serialize;

/// A theorem that says who wins a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Theorem {
    /// At most two rows, or two columns: fact 14 (a). It names all bites that win.
    TwoRows,
    /// A row and a column, and nothing else: fact 14 (b). It names all bites that win.
    Hook,
    /// A bite leaves such a P-position: fact 14 (c). It names bites that win, perhaps not all.
    ShortBite,
    /// A rectangle: fact 14 (d). It names no bite.
    StrategyStealing,
    /// From 3×n exactly one bite wins: `proofs/uniqueness.md`, 2.4. A record names it.
    UniqueOpening,
}

impl Theorem {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::TwoRows, Self::Hook, Self::ShortBite, Self::StrategyStealing, Self::UniqueOpening];

    /// Whether an answer by it has all bites that win.
    pub fn names_all_bites(self) -> bool {
        !matches!(self, Self::ShortBite | Self::StrategyStealing)
    }
}

/// Its statement, and where its proof is.
impl fmt::Display for Theorem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Self::TwoRows => {
                "Two rows, or two columns, are a P-position if and only if the longer one has one \
                 square more: fact 14 (a) of the proofs"
            }
            Self::Hook => {
                "A row and a column are a P-position if and only if they have the same length: fact \
                 14 (b) of the proofs"
            }
            Self::ShortBite => {
                "A bite leaves two rows, two columns, or a row and a column that are a P-position: \
                 fact 14 (c) of the proofs"
            }
            Self::StrategyStealing => {
                "On a rectangle, or another product of chains, the first player wins, by strategy \
                 stealing: fact 14 (d) of the proofs"
            }
            Self::UniqueOpening => {
                "On 3 x n exactly one first bite wins: proofs/uniqueness.md, 2.4"
            }
        })
    }
}
