//! The JSON of all answers, described in `docs/JSON.md` and `docs/chomp.schema.json`.

use serde::Serialize;
use serde_json::Value;

pub use record::to_json;

/// One object, and the end of its line.
pub fn line(object: &impl Serialize) -> String {
    to_json(object) + "\n"
}

/// Serialized data, whose fields are printed in the order of their names.
///
/// # Panics
/// As [`to_json`].
pub fn value(data: impl Serialize) -> Value {
    serde_json::to_value(data).expect("strings, numbers, lists and structs always print")
}
