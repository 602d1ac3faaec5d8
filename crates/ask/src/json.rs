//! The JSON of all answers, described in `docs/JSON.md` and `docs/chomp.schema.json`.

use std::fmt::Display;

use record::{Exact, Record, RowObject};
use serde::Serialize;
use serde_json::{Value, json};

/// One object, and the end of its line.
///
/// # Panics
/// Not with the types of these crates, whose maps have strings as keys.
#[must_use]
pub fn line(object: &impl Serialize) -> String {
    serde_json::to_string(object).expect(PRINTS) + "\n"
}

/// The keys of all maps are strings.
const PRINTS: &str = "strings, numbers, lists and structs always print";

/// A row, from its record.
#[must_use]
pub fn row(record: &Record) -> Value {
    value(RowObject::from(record))
}

/// Serialized data. Integers above `2^53 - 1` become strings.
///
/// # Panics
/// As [`line()`].
#[must_use]
pub fn value(data: impl Serialize) -> Value {
    exact(serde_json::to_value(data).expect(PRINTS))
}

fn exact(value: Value) -> Value {
    match value {
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => json!(Exact::from(number)),
            (None, Some(number)) => json!(Exact::from(number)),
            (None, None) => Value::Number(number),
        },
        Value::Array(values) => values.into_iter().map(exact).collect(),
        Value::Object(fields) => {
            fields.into_iter().map(|(name, value)| (name, exact(value))).collect()
        }
        other => other,
    }
}

/// Row lengths, or other numbers of any size: strings of their digits.
#[must_use]
pub fn lengths<N: Display>(numbers: impl IntoIterator<Item = N>) -> Vec<String> {
    numbers.into_iter().map(|number| number.to_string()).collect()
}
