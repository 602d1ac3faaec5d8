//! The parts of a statement about a row: its pre-period, as offsets or as a fingerprint of them,
//! and the certificate of its periodic tail, fact 3 of `proofs/README.md`; and the faults that the
//! statement alone shows.

use std::fmt;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use thiserror::Error;

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

/// Of no columns, as a fingerprint.
impl Default for Head {
    fn default() -> Self {
        Self::Fingerprint(0)
    }
}

/// The form of the heads of a data set: one for all of its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
pub enum HeadForm {
    /// A fingerprint a row: short records.
    #[serde(alias = "Splitmix64")]
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

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Head, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(items)).map(Head::Offsets)
    }
}

/// A state recurrence that proves a row periodic (fact 3 of `proofs/README.md`).
///
/// The *state* at column q is the set U(q) of offsets `p - q` that are blocked, when q is reached,
/// by 0, by the diagonal or by the row's own past. The certificate says: U is the same at columns
/// `from` and `recurs`, and what the rows below contribute to the window of offsets that matter
/// repeats modulo `modulus`, which divides `recurs - from`. Hence the offsets repeat from `from` on
/// with a period that divides `recurs - from`. That is the least common multiple of the row's
/// period and `modulus` (fact 7).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// Column q1, in which the state is seen.
    pub from: u64,
    /// Column q2 > q1, the first that makes this a proof: the same state is seen again, at a
    /// distance that `modulus` divides.
    pub recurs: u64,
    /// The μ of fact 3: least common multiple of the periods of those periodic rows below that have
    /// a value in the window `[h, z]`; 1 if there are none. It divides `recurs - from`, so it is
    /// less than 2^63.
    #[serde(deserialize_with = "decimal")]
    pub modulus: u64,
    /// The least offset not in U(from): all of `0..filled` are.
    pub filled: u64,
    /// The members of U(from) above `filled`, ascending.
    pub above: Vec<u64>,
}

/// Reads an integer from a string of decimal digits.
fn decimal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let digits = String::deserialize(deserializer)?;
    let wrong = |_| D::Error::custom("a modulus is a string of 1 to 19 decimal digits");
    digits.parse().map_err(wrong)
}

/// Why a statement about a row is not well-formed: the field of the record to look at, and the
/// problem there in words. No fault says anything about Chomp beyond what facts 1 and 4 of
/// `proofs/README.md` say of every row.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{problem}")]
pub struct Fault {
    pub(crate) field: &'static str,
    problem: String,
}

impl Fault {
    pub(crate) fn in_field(field: &'static str, problem: impl Into<String>) -> Self {
        Self { field, problem: problem.into() }
    }
}
