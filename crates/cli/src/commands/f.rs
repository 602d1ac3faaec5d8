//! `chomp f`: the function f(q,r) of the papers.

use std::path::PathBuf;

use clap::Args;
use driver::{Engine, Tail, Value};
use num_bigint::BigUint;
use record::joined;
use serde_json::json;
use terminal::Watcher;

use crate::failure::{self, Failure};
use crate::json;
use crate::notation::{self, any_number};
use crate::source;

/// Print f(q,r): the only p that makes (p,q,r) a P-position.
///
/// Q may have any number of digits. The row is R, or with more than three rows the tail: the
/// lengths of the rows below the two longest. Rows 0 to R are computed, or all rows with tails
/// within the tail.
#[derive(Debug, Args)]
#[command(after_help = "Examples: chomp f 10 5 prints 14, since (14,10,5) is a P-position; \
    chomp f 5 5,4 prints 7, for (7,5,5,4)\n\n\
    Exit codes: 0 if p is printed; 1 if there is no p, and then stdout is empty and stderr says why: \
    q < r, or the row has ended, or it is empty.")]
pub struct Arguments {
    /// The length q of the second row.
    #[arg(value_name = "Q", value_parser = any_number, allow_negative_numbers = true)]
    q: BigUint,
    /// The bottom row, or the tail.
    #[arg(value_name = "R | TAIL", required = true, num_args = 1.., allow_negative_numbers = true)]
    row: Vec<String>,
    /// Read the row from this data set instead of computing it.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Print p, or why there is none, as JSON: docs/JSON.md.
    #[arg(long)]
    json: bool,
}

/// Prints p, or the reason why there is none.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let tail = notation::computable_tail(&arguments.row.join(" "))?;
    let source = source::open(arguments.data.as_deref(), Engine::default())?;
    let value = source.value(&arguments.q, &tail, &Watcher::new()?)?;
    if arguments.json {
        failure::print(json::line(&object(&value, &arguments.q, &tail)).as_bytes())?;
    }
    match value {
        Value::Is(_) if arguments.json => Ok(()),
        Value::Is(p) => failure::print(format!("{p}\n").as_bytes()),
        none => Err(Failure::Nothing(why_none(&none, &arguments.q, &tail))),
    }
}

fn object(value: &Value, q: &BigUint, tail: &Tail) -> serde_json::Value {
    let (p, none) = match value {
        Value::Is(p) => (Some(p.to_string()), None),
        Value::BeforeFirst { .. } => (None, Some("before_first")),
        Value::Ended { .. } => (None, Some("ended")),
        Value::Empty { .. } => (None, Some("empty")),
    };
    json!({ "q": q.to_string(), "tail": json::value(tail.parts()), "p": p, "none": none })
}

/// For three rows with the convention of the 2005 paper, section 8.1, by which
/// (p, min(p,q), min(p,q,r)) is a P-position.
fn why_none(none: &Value, q: &BigUint, tail: &Tail) -> String {
    let lower = joined(tail.parts(), ",");
    let of_three = tail.parts().len() == 1;
    let row = if of_three { lower.clone() } else { tail.to_string() };
    let no_p = format!("no p makes (p,{q},{lower}) a P-position");
    let (why, paper) = match none {
        Value::Is(p) => (format!("({p},{q},{lower}) is a P-position"), String::new()),
        Value::BeforeFirst { first_column } => (
            format!("(p,{q},{lower}) is no position, as {q} < {first_column}"),
            format!(" (the 2005 paper sets f({q},{lower}) = f({q},{q}))"),
        ),
        Value::Ended { last } => (
            format!("{no_p}: row {row} ends with ({last},{last},{lower})"),
            format!(" (the 2005 paper sets f({q},{lower}) = {last})"),
        ),
        Value::Empty { .. } => {
            (format!("{no_p}: row {row} is empty (chomp show {lower} says why)"), String::new())
        }
    };
    if of_three { why + &paper } else { why }
}
