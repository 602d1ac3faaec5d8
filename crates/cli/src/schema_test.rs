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
//! The arguments of the questions of `ask` follow in the same way: in the schema as `question`, and
//! from it as types in the stub of the package for Python, and as the form of the page.
//!
//! `CHOMP_WRITE=1 cargo test -p chomp-cli schema` writes these files, and the copy of
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
    "explanation": ask::Sourced<driver::Explanation>,
    "explanations": ask::Explanations,
    "board": ask::BoardAnswer,
    "p_positions": query::board::PPositions,
    "positions": positions::PositionsObject,
    "openings": query::openings::OpeningsOf,
    "poset": ask::PosetObject<'static>,
    "product": driver::ProductAnswer,
    "symmetry_strategy": poset::SymmetryObject<'static>,
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
    let mut question = questions();
    finish(&mut question, &names, true);
    defined.insert("question".to_owned(), question);
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

/// The questions of `ask` with their arguments.
fn questions() -> Value {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    let settings = settings.with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<ask::Question>().to_value();
    schema.as_object_mut().unwrap().retain(|field, _| !["$schema", "title"].contains(&&**field));
    schema
}

/// An argument of a question.
struct Argument {
    name: String,
    schema: Value,
    is_required: bool,
}

impl Argument {
    /// The texts that it can have, if they are listed.
    fn choices(&self) -> Vec<Value> {
        let one_of = self.schema.pointer("/anyOf/0/oneOf").and_then(Value::as_array);
        one_of.into_iter().flatten().map(|choice| choice["const"].clone()).collect()
    }

    fn is_number(&self) -> bool {
        self.schema["type"].to_string().contains("integer")
    }

    /// Its type in Python.
    fn python(&self) -> String {
        let choices: Vec<String> = self.choices().iter().map(Value::to_string).collect();
        let kind = match self.name.as_str() {
            "data" => "_Folder".to_owned(),
            _ if !choices.is_empty() => format!("Literal[{}]", choices.join(", ")),
            _ => if self.is_number() { "int" } else { "str" }.to_owned(),
        };
        let or_none = if self.is_required { "" } else { " | None = None" };
        format!("{}: {kind}{or_none}", self.name)
    }

    /// A field of the form of the page.
    fn field(&self) -> Value {
        json!({
            "name": self.name,
            "about": without_links(self.schema["description"].as_str().unwrap()),
            "example": self.schema.pointer("/examples/0"),
            "choices": self.choices(),
            "isNumber": self.is_number(),
        })
    }
}

/// The name of a question, what it asks, and its arguments, those that are required first.
fn table() -> Vec<(String, String, Vec<Argument>)> {
    let of_question = |question: &Value| {
        let fields = question["properties"].as_object().unwrap();
        let required = question["required"].as_array().unwrap();
        let arguments = fields.iter().filter(|(name, _)| *name != "ask").map(|(name, schema)| {
            let is_required = required.iter().any(|required| required == name);
            Argument { name: name.clone(), schema: schema.clone(), is_required }
        });
        let mut arguments: Vec<Argument> = arguments.collect();
        arguments.sort_by_key(|argument| !argument.is_required);
        let name = question["properties"]["ask"]["const"].as_str().unwrap().to_owned();
        (name, without_links(question["description"].as_str().unwrap()), arguments)
    };
    questions()["oneOf"].as_array().unwrap().iter().map(of_question).collect()
}

/// The part of the stub for Python that has the questions, as its formatter writes it.
fn stub() -> String {
    let overload = |(name, _, arguments): (String, String, Vec<Argument>)| {
        let parameters = [format!("question: Literal[\"{name}\"]"), "*".to_owned()]
            .into_iter()
            .chain(arguments.iter().map(Argument::python))
            .chain(["progress: _Progress = True".to_owned()]);
        let parameters: Vec<String> = parameters.collect();
        let line = format!("def ask({}) -> dict[str, Any]: ...", parameters.join(", "));
        let lines =
            format!("def ask(\n    {},\n) -> dict[str, Any]: ...", parameters.join(",\n    "));
        format!("@overload\n{}\n", if line.len() <= 100 { line } else { lines })
    };
    table().into_iter().map(overload).chain(["\n".to_owned()]).collect()
}

/// The questions as the form of the page has them, which opens no data set and chooses no threads.
fn form() -> String {
    let question = |(name, about, mut arguments): (String, String, Vec<Argument>)| {
        arguments.retain(|argument| !["data", "threads"].contains(&&*argument.name));
        let fields: Vec<Value> = arguments.iter().map(Argument::field).collect();
        format!("    {},\n", json!({ "name": name, "about": about, "fields": fields }))
    };
    let questions: String = table().into_iter().map(question).collect();
    format!(
        "// The questions of the crate ask, with their arguments. A test of the program writes this.\n\
         export const QUESTIONS = [\n{questions}];\n"
    )
}

/// The names of the arguments, as Rust.
fn names() -> String {
    let question = |(name, _, arguments): (String, String, Vec<Argument>)| {
        let names = arguments.iter().map(|argument| format!("{:?}", argument.name));
        format!("    ({name:?}, &[{}]),\n", names.collect::<Vec<_>>().join(", "))
    };
    table().into_iter().map(question).collect()
}

/// A text with another part between two markers.
fn with_part(text: &str, from: &str, to: &str, part: &str) -> String {
    let (before, rest) = text.split_once(from).unwrap();
    let (_, after) = rest.split_once(to).unwrap();
    format!("{before}{from}{part}{to}{after}")
}

#[test]
fn schema_stub_form_and_help_are_those_of_the_types_and_the_document() {
    let project = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    require(&project.join("docs/chomp.schema.json"), &schema());
    require(&project.join("web/page/scripts/questions.js"), &form());
    for (file, from, to, part) in [
        ("python/package/chomp/_chomp.pyi", "# Questions {\n", "# }\n", stub()),
        ("crates/ask/src/input.rs", "= &[\n", "];\n", names()),
    ] {
        let file = project.join(file);
        let written = fs::read_to_string(&file).unwrap();
        require(&file, &with_part(&written, from, to, &part));
    }
    let document = fs::read_to_string(project.join("docs/JSON.md")).unwrap();
    require(&project.join("crates/cli/src/commands/help/json.md"), &document);
}
