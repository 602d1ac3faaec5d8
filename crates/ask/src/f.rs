//! The function f(q,r) of the papers.

use std::path::PathBuf;

use clap::Args;
use driver::{Engine, Error, Tail, Value, Watch};
use num_bigint::BigUint;
use record::joined;
use serde::Deserialize;
use serde_json::json;

use crate::options::{source, words};
use crate::{Ask, Told, notation};

/// Print f(q,r): the only p that makes (p,q,r) a P-position.
///
/// Q may have any number of digits. The row is R, or with more than three rows the tail: the
/// lengths of the rows below the two longest. Rows 0 to R are computed, or all rows with tails
/// within the tail.
#[derive(Clone, Debug, Args, Deserialize)]
#[command(after_help = "Examples:\n  chomp f 10 5    # 14, since (14,10,5) is a P-position\n  \
    chomp f 5 5,4   # 7, for (7,5,5,4)\n\nExit codes: 0 if p is printed; 1 if there is no p, \
    and then stdout is empty and stderr says why: q < r, or the row has ended, or it is empty.")]
pub struct F {
    /// The length q of the second row, and then the bottom row or the tail.
    #[arg(value_name = "Q R | Q TAIL", required = true, num_args = 1..,
        allow_negative_numbers = true)]
    #[serde(deserialize_with = "words")]
    position: Vec<String>,
    /// Read the row from this data set instead of computing it.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

impl Ask for F {
    fn ask(&self, watch: &dyn Watch) -> Result<Told, Error> {
        let (q, tail) = notation::column_and_tail(&self.position)?;
        let value = source(self.data.as_deref(), Engine::default())?.value(&q, &tail, watch)?;
        let object = value_object(&value, &q, &tail);
        Ok(match value {
            Value::Is(p) => Told::of(object, format!("{p}\n")),
            none => Told::of(object, "").but(Error::nothing(why_none(&none, &q, &tail))),
        })
    }
}

/// The value of f(q,t) as a JSON object.
#[must_use]
pub fn value_object(value: &Value, q: &BigUint, tail: &Tail) -> serde_json::Value {
    let (p, none) = match value {
        Value::Is(p) => (Some(p.to_string()), None),
        Value::BeforeFirst { .. } => (None, Some("before_first")),
        Value::Ended { .. } => (None, Some("ended")),
        Value::Empty { .. } => (None, Some("empty")),
    };
    json!({"q": q.to_string(), "tail": tail.parts(), "p": p, "none": none})
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
