//! The rows that a data set holds. Formats 1, 2 and 3 differ only in these rows and in their names.

use serde::Deserialize;

use crate::{Family, GrowingPoset, HeadForm, Lower, RowKey};

/// The version of the format of data sets of three-rowed Chomp.
pub const FORMAT: u32 = 1;

/// The version of the format of data sets of families, by level and tail.
pub const FAMILY_FORMAT: u32 = 2;

/// The version of the format of data sets of families, by level and order ideal.
pub const POSET_FORMAT: u32 = 3;

/// The rows of a data set, which determine its format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Rows 0, 1, 2, ... of three-rowed Chomp (format 1). More rows can be appended.
    Rows,
    /// All rows of a family, by level and tail (format 2), or by level and ideal (format 3).
    Family(Family),
}

/// The name of a form of heads in a manifest. Formats 2 and 3 name fingerprints after the weights
/// of the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) enum HeadName {
    Fingerprint,
    Splitmix64,
    Offsets,
}

impl HeadName {
    pub(super) fn form(self) -> HeadForm {
        match self {
            Self::Fingerprint | Self::Splitmix64 => HeadForm::Fingerprint,
            Self::Offsets => HeadForm::Offsets,
        }
    }
}

/// In bytes. A head of row r has about 0.42·r offsets, and an offset takes a few digits and a
/// comma.
const SHARE: u64 = 4096;
const SHARE_OF_COLUMN: u64 = 8;

/// One mebibyte, because no bound is known for the periods of levels and tails.
const SHARE_IN_FAMILY: u64 = 1 << 20;

impl Contents {
    pub(super) fn format(&self) -> u32 {
        match self {
            Self::Rows => FORMAT,
            Self::Family(Family { lower: Lower::Within(_), .. }) => FAMILY_FORMAT,
            Self::Family(Family { lower: Lower::Ideals(_), .. }) => POSET_FORMAT,
        }
    }

    pub(super) fn name_of(&self, head: HeadForm) -> HeadName {
        match (self, head) {
            (_, HeadForm::Offsets) => HeadName::Offsets,
            (Self::Rows, HeadForm::Fingerprint) => HeadName::Fingerprint,
            (Self::Family(_), HeadForm::Fingerprint) => HeadName::Splitmix64,
        }
    }

    /// The fields of a family, as manifests and segments have them; `poset` writes the description
    /// of a poset.
    pub(super) fn fields(
        &self,
        poset: impl Fn(&GrowingPoset) -> String,
    ) -> impl Iterator<Item = String> {
        let family = match self {
            Self::Rows => None,
            Self::Family(Family { level, lower }) => Some((level, lower)),
        };
        family.into_iter().flat_map(move |(level, lower)| {
            let lower = match lower {
                Lower::Within(within) => format!("within: {:?}", within.parts()),
                Lower::Ideals(ideals) => format!("poset: {}", poset(ideals.poset())),
            };
            [format!("to_level: {level}"), lower]
        })
    }

    /// The keys of the rows from number `first` on, in their order.
    pub(super) fn keys_from(&self, first: u64) -> Box<dyn Iterator<Item = RowKey>> {
        match self {
            Self::Rows => Box::new((first..).map(|row| RowKey::of_row(0, row))),
            Self::Family(family) => {
                let first = usize::try_from(first).unwrap_or(usize::MAX);
                Box::new(family.keys().skip(first))
            }
        }
    }

    /// A bound for the part of a text that one record takes, in bytes. All known records need a
    /// fraction of it.
    pub(super) fn share(&self, number: u64, head: HeadForm) -> u64 {
        match (self, head) {
            (Self::Family(_), _) => SHARE_IN_FAMILY,
            (Self::Rows, HeadForm::Fingerprint) => SHARE,
            (Self::Rows, HeadForm::Offsets) => {
                SHARE.saturating_add(number.saturating_add(1).saturating_mul(SHARE_OF_COLUMN))
            }
        }
    }
}
