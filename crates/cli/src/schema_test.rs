//! `docs/chomp.schema.json` follows from the types of the objects that `--json` prints.
//!
//! `schemars` derives a schema from each type, with its comments as descriptions, where the feature
//! `schema` of its crate is on, as in this test. Then
//!
//! - integers of 64 bits become `natural` or `integer`, since [`record::to_json`] writes large ones
//!   as strings;
//! - objects have no other fields than those of their types;
//! - `constraints.json` adds what a type does not say: patterns of strings, and which values of
//!   fields go together.
//!
//! `CHOMP_WRITE=1 cargo test -p chomp-cli schema` writes the file, and the copy of
//! `docs/JSON.md` that `chomp help json` prints.

#![allow(clippy::disallowed_methods, reason = "the files are those of the project")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::commands::{cite, poset, positions, query, reproduce, rows, stats};

/// A schema that names another one.
fn refers_to(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

macro_rules! objects {
    ($($name:literal: $type:ty),* $(,)?) => {
        /// The names of the objects, each with the schema of its type.
        fn objects(generator: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
            vec![$(($name, generator.subschema_for::<$type>().to_value()),)*]
        }
    };
}

// What `--json` prints, with names for the schema.
objects! {
    "row": driver::Record,
    "query": ask::Sourced<driver::Answer>,
    "grundy": ask::Sourced<ask::GrundyObject<'static>>,
    "moves": ask::Bites,
    "losers": ask::LosersObject<'static>,
    "value": ask::ValueObject<'static>,
    "end": ask::RowEnd,
    "run": rows::Run,
    "verdict": ask::VerdictObject,
    "statistics": stats::Report,
    "family_statistics": stats::FamilyReport<'static>,
    "explanation": ask::Sourced<driver::Explanation>,
    "explanations": ask::Explanations,
    "board": ask::BoardAnswer,
    "p_positions": query::board::PPositions,
    "positions": positions::PositionsObject,
    "openings": query::openings::OpeningsOf,
    "poset": ask::PosetObject<'static>,
    "product": driver::ProductAnswer,
    "symmetry_strategy": poset::SymmetryObject<'static>,
    "semigroup": poset::SemigroupObject<'static>,
    "ledger": reproduce::Ledger<'static>,
    "citation": cite::Citation,
    "progress": terminal::ProgressObject,
}

/// The schema, as the file has it.
fn schema() -> String {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let objects = objects(&mut generator);
    let own = |schema: &Value| schema["$ref"].as_str().map(|to| to["#/$defs/".len()..].to_owned());
    let names: BTreeMap<String, &str> =
        objects.iter().filter_map(|(name, schema)| Some((own(schema)?, *name))).collect();
    let mut defined = Map::new();
    for (of_type, mut schema) in generator.take_definitions(true) {
        finish(&mut schema, &names, true);
        assert_eq!(defined.insert(name(&of_type, &names), schema), None, "{of_type}");
    }
    let mut defined = Value::Object(defined);
    let constraints = serde_json::from_str(include_str!("schema_test/constraints.json")).unwrap();
    merge(&mut defined, constraints);
    let all: Vec<Value> = objects.iter().map(|(name, _)| refers_to(name)).collect();
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": concat!("What chomp ", env!("CARGO_PKG_VERSION"), " prints as JSON"),
        "description": "Every line that chomp prints with --json is one of these objects, and so \
            is every line of chomp export --format jsonl, and of progress with --progress json. \
            docs/JSON.md explains the fields.",
        "anyOf": all,
        "$defs": defined,
    });
    serde_json::to_string_pretty(&schema).unwrap() + "\n"
}

/// The name of the schema of a type: that of its object, or `valued_bite` for `ValuedBite`.
fn name(of_type: &str, names: &BTreeMap<String, &str>) -> String {
    if let Some(name) = names.get(of_type) {
        return (*name).to_owned();
    }
    let mut snake = String::new();
    for letter in of_type.trim_end_matches("Object").chars() {
        if letter.is_uppercase() && !snake.is_empty() && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// Names schemas and integers as the file does. An object `is_whole` if it is not a part of one
/// that has more fields.
fn finish(schema: &mut Value, names: &BTreeMap<String, &str>, is_whole: bool) {
    let Value::Object(fields) = schema else {
        if let Value::Array(parts) = schema {
            for part in parts {
                finish(part, names, is_whole);
            }
        }
        return;
    };
    if let Some(of_type) = fields.get("$ref").and_then(Value::as_str) {
        let of_type = of_type["#/$defs/".len()..].to_owned();
        fields.extend(refers_to(&name(&of_type, names)).as_object().unwrap().clone());
    }
    // Of a format with fewer bits, the least and the largest number stand in the schema.
    if let Some(Value::String(format)) = fields.remove("format")
        && !["uint8", "uint16", "uint32"].contains(&&*format)
    {
        let integer = refers_to(if format.starts_with('u') { "natural" } else { "integer" });
        let kinds = fields.remove("type");
        fields.retain(|field, _| field == "description");
        match kinds {
            Some(Value::Array(_)) => {
                fields.insert("anyOf".to_owned(), json!([integer, { "type": "null" }]));
            }
            _ => fields.extend(integer.as_object().unwrap().clone()),
        }
    }
    if let Some(Value::String(text)) = fields.get_mut("description") {
        *text = without_links(text);
    }
    let has_fields = fields.contains_key("properties");
    let is_divided = has_fields && fields.contains_key("oneOf");
    if has_fields && is_whole {
        let others = if is_divided { "unevaluatedProperties" } else { "additionalProperties" };
        fields.insert(others.to_owned(), json!(false));
    }
    for (field, schema) in fields {
        match field.as_str() {
            "properties" => {
                schema
                    .as_object_mut()
                    .unwrap()
                    .values_mut()
                    .for_each(|field| finish(field, names, true));
            }
            "oneOf" => finish(schema, names, !is_divided),
            _ => finish(schema, names, true),
        }
    }
}

/// The first paragraph of a comment, on one line, without the brackets and targets of its links.
fn without_links(text: &str) -> String {
    let text = text.split("\n\n").next().unwrap_or_default().replace('\n', " ");
    let mut plain = String::new();
    for part in text.split("[`") {
        let (name, rest) = part.split_once("`]").unwrap_or(("", part));
        let target = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let quote = if name.is_empty() { "" } else { "`" };
        plain.extend([quote, name, quote, target.map_or(rest, |(_, rest)| rest)]);
    }
    plain
}

/// Adds fields to a value, and to those that it has.
fn merge(value: &mut Value, more: Value) {
    match (value, more) {
        (Value::Object(fields), Value::Object(more)) => {
            for (field, more) in more {
                merge(fields.entry(field).or_insert(Value::Null), more);
            }
        }
        (value, more) => *value = more,
    }
}

/// Compares a file of the project with what it must be, or writes it if `CHOMP_WRITE` is set.
fn require(file: &Path, right: &str) {
    if env::var_os("CHOMP_WRITE").is_some() {
        fs::write(file, right).unwrap();
    }
    let write = "CHOMP_WRITE=1 cargo test -p chomp-cli schema";
    assert!(fs::read_to_string(file).unwrap() == right, "write {file:?} anew: {write}");
}

#[test]
fn the_schema_and_the_help_are_those_of_the_types_and_the_document() {
    let project = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    require(&project.join("docs/chomp.schema.json"), &schema());
    let document = fs::read_to_string(project.join("docs/JSON.md")).unwrap();
    require(&project.join("crates/cli/src/commands/help/json.md"), &document);
}
