//! The certificate of a periodic tail, fact 3 of `proofs/README.md`.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::quoted;

/// A state recurrence that proves a row periodic (fact 3 of `proofs/README.md`).
///
/// The *state* at column q is the set U(q) of offsets `p - q` that are blocked, when q is reached,
/// by 0, by the diagonal or by the row's own past. The certificate says: U is the same at columns
/// `from` and `recurs`, and what the rows below contribute to the window of offsets that matter
/// repeats modulo `modulus`, which divides `recurs - from`. Hence the offsets repeat from `from` on
/// with a period that divides `recurs - from`. That is the least common multiple of the row's
/// period and `modulus` (fact 7).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
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
    #[serde(deserialize_with = "decimal", serialize_with = "number")]
    #[cfg_attr(feature = "schema", schemars(with = "u64"))]
    pub modulus: BigUint,
    /// The least offset not in U(from): all of `0..filled` are.
    pub filled: u64,
    /// The members of U(from) above `filled`, ascending.
    pub above: Vec<u64>,
}

/// A divisor of a number less than 2^63 has at most this number of digits.
const DIGITS: usize = 19;

/// Reads an integer from a string of decimal digits, which every reader of RON can hold.
fn decimal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BigUint, D::Error> {
    let digits = String::deserialize(deserializer)?;
    if digits.len() > DIGITS {
        let words = format!("a modulus has at most {DIGITS} digits, not {}", digits.len());
        return Err(D::Error::custom(words));
    }
    let number: Option<BigUint> = digits.parse().ok();
    let wrong = || D::Error::custom(format!("\"{}\" is not a decimal number", quoted(&digits)));
    number.filter(|number| number.to_string() == digits).ok_or_else(wrong)
}

/// A modulus as a number: it divides a distance of columns, so it is less than 2^63.
fn number<S: Serializer>(modulus: &BigUint, to: S) -> Result<S::Ok, S::Error> {
    modulus.to_u64().unwrap_or(u64::MAX).serialize(to)
}
