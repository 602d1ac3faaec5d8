//! The function f(q,r) of the papers.

use driver::{Error, Tail, Value, Watch};
use num_bigint::BigUint;
use record::joined;
use serde::{Deserialize, Serialize};

use crate::input::{self, RowsFrom};
use crate::objects::Told;

/// Print f(q,r), the only p that makes (p,q,r) a P-position, if there is one.
///
/// Exit code 1 and an empty text if there is none.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct F {
    /// The length q of the second row, and then the bottom row or the tail.
    #[cfg_attr(feature = "schema", schemars(example = "10 5"))]
    pub position: String,
    /// Where the row comes from.
    #[serde(flatten)]
    pub rows: RowsFrom,
}

impl F {
    pub(crate) fn ask(&self, watch: &dyn Watch) -> Result<Told, Error> {
        let (q, tail) = input::column_and_tail(&self.position)?;
        let value = self.rows.open()?.value(&q, &tail, watch)?;
        let object = value_object(&value, &q, &tail);
        Ok(match value {
            Value::Is(p) => Told::of(object, format!("{p}\n")),
            none => Told::of(object, "").but(Error::nothing(why_none(&none, &q, &tail))),
        })
    }
}

/// The value of f(q,t).
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ValueObject<'a> {
    /// Why there is no p: q is less than the first column, or the row has ended, or it is empty.
    none: Option<&'static str>,
    /// The only p that makes it a P-position; null if there is none.
    p: Option<String>,
    /// The length of the second row.
    q: String,
    /// The rows below the two longest.
    tail: &'a [u64],
}

/// The value of f(q,t) as a JSON object.
pub fn value_object<'a>(value: &Value, q: &BigUint, tail: &'a Tail) -> ValueObject<'a> {
    let (p, none) = match value {
        Value::Is(p) => (Some(p.to_string()), None),
        Value::BeforeFirst { .. } => (None, Some("before_first")),
        Value::Ended { .. } => (None, Some("ended")),
        Value::Empty { .. } => (None, Some("empty")),
    };
    ValueObject { none, p, q: q.to_string(), tail: tail.parts() }
}

/// For three rows with the convention of the 2005 paper, section 8.1, by which
/// (p, min(p,q), min(p,q,r)) is a P-position.
fn why_none(none: &Value, q: &BigUint, tail: &Tail) -> String {
    let why = none.why_none(q, tail).unwrap_or_default();
    let lower = joined(tail.parts(), ",");
    let of_three = tail.parts().len() == 1;
    match none {
        Value::Empty { .. } => format!("{why} (chomp show {lower} says why)"),
        Value::BeforeFirst { .. } if of_three => {
            format!("{why} (the 2005 paper sets f({q},{lower}) = f({q},{q}))")
        }
        Value::Ended { last } if of_three => {
            format!("{why} (the 2005 paper sets f({q},{lower}) = {last})")
        }
        _ => why,
    }
}
