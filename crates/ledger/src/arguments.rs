//! Arguments that several functions take.

use std::fmt::Display;
use std::str::FromStr;

use census::Decimal;
use game::Outcome;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// P or N.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum PN {
    /// The previous player wins.
    P,
    /// The next player wins.
    N,
}

impl PN {
    pub fn is(self, outcome: Outcome) -> bool {
        (self == Self::P) == (outcome == Outcome::P)
    }
}

/// A value that the ledger writes as a string, such as a decimal or a poset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written<T>(pub T);

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Written<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map(Self).map_err(D::Error::custom)
    }
}

/// A decimal as the paper prints it.
pub type Printed = Written<Decimal>;
