//! `chomp grundy P Q R`: the Grundy value of one position.

use driver::{AnyPosition, BoardPosition, Engine, GrundyValue, grundy_value};
use serde_json::json;
use terminal::Watcher;

use crate::arguments::GrundyArguments;
use crate::failure::{self, Failure};
use crate::json;
use crate::notation::{self, TypedPosition};

/// The highest level that is looked at by default.
const LEVEL: u64 = 30;

/// Prints the Grundy value of the position that was typed, or how far it is known.
pub fn run(arguments: &GrundyArguments) -> anyhow::Result<()> {
    let position = position(&arguments.position.join(" "))?;
    let Engine::Sweep(options) = arguments.listing.engine.chosen() else {
        let words = "the literal recurrence gives rows, not values; leave out --engine literal";
        return Err(Failure::Usage(words.to_owned()).into());
    };
    let level = arguments.level.unwrap_or(LEVEL);
    let value = grundy_value(&position, level, options, &Watcher::new()?)?;
    let text =
        if arguments.listing.json { object(&position, &value)? } else { words(&position, &value) };
    failure::print(text.as_bytes())?;
    match value {
        GrundyValue::Is(..) => Ok(()),
        GrundyValue::AtLeast(_) => {
            let words = format!("the value is above level {level}; --level G looks further");
            Err(Failure::Incomplete(words).into())
        }
    }
}

fn position(text: &str) -> Result<BoardPosition, Failure> {
    let usage = |error: &dyn std::fmt::Display| Failure::Usage(error.to_string());
    match notation::position(text)? {
        TypedPosition::MoreRows(position) => Ok(position),
        TypedPosition::ThreeRows(AnyPosition::Finite(position)) => {
            BoardPosition::new(position.lengths().to_vec()).map_err(|error| usage(&error))
        }
        TypedPosition::ThreeRows(AnyPosition::Omega(position)) => Err(usage(&format!(
            "{position} has a row of ω squares, and no natural number as value"
        ))),
    }
}

fn words(position: &BoardPosition, value: &GrundyValue) -> String {
    match value {
        GrundyValue::Is(value, None) => format!(
            "{position} has the Grundy value {value}.\n\
             This rests on the values of all positions of three rows with p <= {}, computed here.\n",
            position.p()
        ),
        GrundyValue::Is(value, Some(record)) => format!(
            "{position} has the Grundy value {value}.\n\
             This rests on fact 12 of the proofs, and on the rows of levels 0 to {value} with tails \
             within {}, computed here, among them:\n  {}\n",
            position.tail(),
            record.abridged()
        ),
        GrundyValue::AtLeast(least) => {
            format!("{position} has a Grundy value of at least {least}.\n")
        }
    }
}

fn object(position: &BoardPosition, value: &GrundyValue) -> anyhow::Result<String> {
    let lengths: Vec<String> = position.lengths().iter().map(ToString::to_string).collect();
    let (grundy, at_least, record) = match value {
        GrundyValue::Is(value, record) => {
            (Some(*value), value.to_string(), record.as_ref().map(|record| record.abridged()))
        }
        GrundyValue::AtLeast(least) => (None, least.to_string(), None),
    };
    json::line(&json!({
        "position": lengths,
        "grundy": grundy,
        "at_least": at_least,
        "record": record.as_ref().map(json::row),
        "source": json::source(None),
    }))
}
