//! The pre-period of a row in a record: its offsets, or a fingerprint of them.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::quoted;

/// The offsets of a row before its `start` (of a finite row: all of them).
///
/// In a record the fingerprint is a string of 16 hexadecimal digits and the offsets are a list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Head {
    /// Their [`fingerprint`].
    Fingerprint(u64),
    /// The offsets themselves, from column q = r on.
    Offsets(Vec<u64>),
}

/// The form of the heads of a data set: one for all of its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeadForm {
    /// A fingerprint a row: short records.
    Fingerprint,
    /// Every offset: records that state their row completely (`--full`).
    Offsets,
}

impl HeadForm {
    /// The head of row `row` with the given offsets, in this form. O(number of offsets).
    pub fn of(self, row: u64, offsets: &[u64]) -> Head {
        match self {
            Self::Fingerprint => Head::Fingerprint(fingerprint(row, offsets)),
            Self::Offsets => Head::Offsets(offsets.to_vec()),
        }
    }
}

impl Head {
    /// The form of this head.
    pub fn form(&self) -> HeadForm {
        match self {
            Self::Fingerprint(_) => HeadForm::Fingerprint,
            Self::Offsets(_) => HeadForm::Offsets,
        }
    }

    /// The fingerprint, computed if this head has the offsets. `row` is the row of the head.
    pub fn fingerprint(&self, row: u64) -> u64 {
        match self {
            Self::Fingerprint(sum) => *sum,
            Self::Offsets(offsets) => fingerprint(row, offsets),
        }
    }
}

/// The sum of `offset(q) · w(q)` modulo 2⁶⁴ over the columns q = `row`, `row + 1`, … of `offsets`,
/// with the [`column_weight`] w.
///
/// It is linear in the offsets, so an engine may add its cells in any order. It guards against
/// accidents and careless edits; only recomputing a head proves it.
///
/// ```
/// use record::{column_weight, fingerprint};
/// assert_eq!(fingerprint(1, &[2, 0]), column_weight(1).wrapping_mul(2));
/// assert_eq!(fingerprint(5, &[]), 0);
/// ```
pub fn fingerprint(row: u64, offsets: &[u64]) -> u64 {
    (row..).zip(offsets).fold(0, |sum: u64, (column, offset)| {
        sum.wrapping_add(offset.wrapping_mul(column_weight(column)))
    })
}

/// The odd weight of a column in a [`fingerprint`]: `splitmix64(q) | 1`, where splitmix64 is the
/// first output of Vigna's generator of that name seeded with q.
///
/// ```
/// // The generator's published first output for seed 0 is e220a8397b1dcdaf.
/// assert_eq!(record::column_weight(0), 0xe220_a839_7b1d_cdaf);
/// ```
pub const fn column_weight(column: u64) -> u64 {
    let mut z = column.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) | 1
}

impl<'de> Deserialize<'de> for Head {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(HeadVisitor)
    }
}

struct HeadVisitor;

impl<'de> Visitor<'de> for HeadVisitor {
    type Value = Head;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a fingerprint of 16 hexadecimal digits or a list of offsets")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Head, E> {
        let lower_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() == 16 && text.bytes().all(lower_hex) {
            u64::from_str_radix(text, 16).map(Head::Fingerprint).map_err(E::custom)
        } else {
            let text = quoted(text);
            Err(E::custom(format!("\"{text}\" is not a fingerprint of 16 hexadecimal digits")))
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Head, A::Error> {
        let mut offsets = Vec::new();
        while let Some(offset) = items.next_element()? {
            offsets.push(offset);
        }
        Ok(Head::Offsets(offsets))
    }
}
