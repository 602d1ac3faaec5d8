//! Numbers of a million digits, read and shown.

use std::str::FromStr;

use num_bigint::{BigUint, ParseBigIntError};

/// Numbers of at most this many digits are read digit by digit.
const FEW: u16 = 512;

/// A number that is read by halves. This costs about as much as to multiply numbers of its length,
/// a fraction of a second for a million digits; `BigUint` itself takes quadratic time.
pub(crate) fn read(digits: &str) -> Result<BigUint, ParseBigIntError> {
    let groups = digits.as_bytes().rchunks(usize::from(FEW));
    let group = |group| BigUint::from_str(str::from_utf8(group).unwrap_or_default());
    let mut parts: Vec<BigUint> = groups.map(group).collect::<Result<_, _>>()?;
    let mut base = BigUint::from(10_u32).pow(FEW.into());
    while parts.len() > 1 {
        let joined = |pair: &[BigUint]| match pair {
            [low, high] => high * &base + low,
            rest => rest.iter().sum(),
        };
        parts = parts.chunks(2).map(joined).collect();
        if parts.len() > 1 {
            base = &base * &base;
        }
    }
    // An empty text is no number, and `BigUint` has an error for it.
    parts.pop().map_or_else(|| digits.parse(), Ok)
}

/// A number for a message. If it is long, its first digits, and the number of its digits.
pub(crate) fn brief(number: &impl ToString) -> String {
    const SHOWN: usize = 40;
    let digits = number.to_string();
    match digits.get(..SHOWN) {
        Some(first) if digits.len() > SHOWN => format!("{first}… ({} digits)", digits.len()),
        _ => digits,
    }
}
