//! The JSON of all commands, described in `docs/JSON.md` and `docs/chomp.schema.json`.

use driver::Error;
use std::fmt::Display;

use record::{Exact, Record, RowObject};
use serde::Serialize;
use serde_json::{Value, json};

use crate::failure;

/// One object, and the end of its line.
pub fn line(object: &impl Serialize) -> String {
    serde_json::to_string(object).expect(PRINTS) + "\n"
}

/// Prints an object on a line if `--json` was given, or else the text.
pub fn print_or<T: Serialize>(
    asked: bool,
    object: impl FnOnce() -> T,
    text: impl FnOnce() -> String,
) -> Result<(), Error> {
    let text = if asked { line(&object()) } else { text() };
    failure::print(text.as_bytes())
}

/// The keys of all maps are strings.
const PRINTS: &str = "strings, numbers, lists and structs always print";

/// A row, from its record.
pub fn row(record: &Record) -> Value {
    value(RowObject::from(record))
}

/// Serialized data. Integers above `2^53 - 1` become strings.
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
pub fn lengths<N: Display>(numbers: impl IntoIterator<Item = N>) -> Vec<String> {
    numbers.into_iter().map(|number| number.to_string()).collect()
}
