//! The rows that a data set holds, and their division into segments. Formats 1, 2 and 3 differ only
//! in these rows and in their names.

use std::ops::RangeInclusive;

use crate::{Family, HeadForm, Lower, RowKey};

/// The number of rows of a full segment. Segments begin at its multiples.
pub const SEGMENT_ROWS: u64 = 10_000;

/// The line of a segment's first record. The line before it is the segment's head.
const FIRST_RECORD: u64 = 2;

/// The rows of the segment that holds this row, in a data set of rows 0 to `last_row`. Only the
/// last segment may have fewer than [`SEGMENT_ROWS`].
pub fn segment_of(row: u64, last_row: u64) -> RangeInclusive<u64> {
    let first = row - row % SEGMENT_ROWS;
    first..=first.saturating_add(SEGMENT_ROWS - 1).min(last_row)
}

/// The line of its segment on which a row's record stands, counted from 1.
pub fn line_of(row: u64) -> u64 {
    row % SEGMENT_ROWS + FIRST_RECORD
}

/// The name of the file of a segment that is not compressed. It has both ends, so a longer segment
/// never overwrites a shorter one before the manifest lists it.
///
/// ```
/// use record::data_set::{file_name, segment_of};
/// assert_eq!(file_name(&segment_of(10_005, 12_000)), "rows-0010000-0012000.ron");
/// ```
pub fn file_name(rows: &RangeInclusive<u64>) -> String {
    format!("rows-{:07}-{:07}.ron", rows.start(), rows.end())
}

/// The rows of a data set, which determine its format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Rows 0, 1, 2, ... of three-rowed Chomp (format 1). More rows can be appended.
    Rows,
    /// All rows of a family, by level and tail (format 2), or by level and ideal (format 3).
    Family(Family),
}

/// In bytes. A head of row r has about 0.42·r offsets, and an offset takes a few digits and a
/// comma.
const SHARE: u64 = 4096;
const SHARE_OF_COLUMN: u64 = 8;

/// One mebibyte, because no bound is known for the periods of levels and tails.
const SHARE_IN_FAMILY: u64 = 1 << 20;

impl Contents {
    /// The version of the format.
    pub(super) fn format(&self) -> u32 {
        match self {
            Self::Rows => 1,
            Self::Family(Family { lower: Lower::Within(_), .. }) => 2,
            Self::Family(Family { lower: Lower::Ideals(_), .. }) => 3,
        }
    }

    /// The name of a form of heads. Formats 2 and 3 name fingerprints after the weights of the
    /// columns.
    pub(super) fn name_of(&self, head: HeadForm) -> &'static str {
        match (self, head) {
            (_, HeadForm::Offsets) => "Offsets",
            (Self::Rows, HeadForm::Fingerprint) => "Fingerprint",
            (Self::Family(_), HeadForm::Fingerprint) => "Splitmix64",
        }
    }

    /// The fields of a family, as manifests and segments have them; `poset` writes the lines of a
    /// poset.
    pub(super) fn fields(&self, poset: impl Fn(&[String]) -> String) -> Vec<String> {
        let Self::Family(Family { level, lower }) = self else { return Vec::new() };
        let lower = match lower {
            Lower::Within(within) => format!("within: {:?}", within.parts()),
            Lower::Ideals(ideals) => format!("poset: {}", poset(ideals.poset().lines())),
        };
        vec![format!("to_level: {level}"), lower]
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

/// How an editor has changed a text that this program wrote, if one has.
pub(super) fn converted(text: &str) -> Option<&'static str> {
    if text.starts_with('\u{feff}') {
        return Some("it begins with a byte order mark; save it as UTF-8 without one");
    }
    text.contains('\r').then_some("it has carriage returns; its lines end with line feeds")
}
