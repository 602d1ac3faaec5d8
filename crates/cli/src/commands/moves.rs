//! `chomp moves`: every bite from a position, with the Grundy value that it leaves.

use std::num::NonZero;

use clap::Args;
use driver::{GrundySearch, GrundyValue, Position, Square, SweepOptions, grundy_values};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use serde_json::{Value, json};
use terminal::Watcher;

use super::grundy::{Method, known};
use crate::failure::Failure;
use crate::json;
use crate::levels::level;
use crate::notation;
use crate::options::threads;

/// List every bite from a position, with the Grundy value that it leaves.
///
/// A bite that leaves the value 0 wins. The value of the position itself is the least that no bite
/// leaves. The values are those of `chomp grundy`, from a table or from the rows of levels 0 to
/// --level.
#[derive(Debug, Args)]
#[command(after_help = "Examples: chomp moves 7 5 3, or chomp moves 4x7 --json\n\n\
    Exit codes: 4 if a value is above the levels that were computed.")]
pub struct Arguments {
    /// The position, in any form of docs/GUIDE.md.
    #[arg(value_name = "P Q R ...", required = true, num_args = 1.., allow_negative_numbers = true)]
    position: Vec<String>,
    /// The highest level that is computed.
    #[arg(long, value_name = "G", value_parser = level, allow_hyphen_values = true,
        default_value = "30")]
    level: u64,
    /// The method; by default a table where it takes seconds, and rows of levels otherwise.
    #[arg(long, value_enum)]
    by: Option<Method>,
    /// Threads; by default as many as there are processors.
    #[arg(long, value_name = "N", value_parser = threads, allow_hyphen_values = true)]
    threads: Option<NonZero<usize>>,
    /// Print the bites as JSON: docs/JSON.md.
    #[arg(long)]
    json: bool,
}

/// The most squares of a board whose bites are listed.
const MOST_SQUARES: u32 = 100_000;

/// Prints the bites, and fails if not all of their values are found.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let position = notation::finite_position(&arguments.position.join(" "))?;
    let rows = position.finite_rows().unwrap_or_default();
    if rows.iter().sum::<BigUint>() > MOST_SQUARES.into() {
        let words = format!("{position} has more than {MOST_SQUARES} squares, too many for a list");
        return Err(Failure::Usage(words));
    }
    let moves = Moves::of(position, &rows, arguments)?;
    json::print_or(arguments.json, || moves.object(), || moves.words())?;
    match moves.values.iter().filter(|value| matches!(value, GrundyValue::AtLeast(_))).count() {
        0 => Ok(()),
        number => Err(Failure::Incomplete(format!(
            "values above level {}: {number}; --level G looks further",
            arguments.level
        ))),
    }
}

/// A position and its bites, row by row, those that leave less of it first.
struct Moves {
    position: Position,
    bites: Vec<Square>,
    leaves: Vec<Position>,
    values: Vec<GrundyValue>,
}

impl Moves {
    fn of(position: Position, rows: &[BigUint], arguments: &Arguments) -> Result<Self, Failure> {
        let squares = (1..).zip(rows).flat_map(|(row, length)| {
            let columns = 1..=length.to_u32().unwrap_or(MOST_SQUARES);
            columns.map(move |column| Square { row, column: column.into() })
        });
        // A bite at the poison leaves no position.
        let (bites, leaves): (Vec<_>, Vec<_>) =
            squares.filter_map(|bite| position.after(&bite).map(|left| (bite, left))).unzip();
        let default = SweepOptions::default();
        let sweep = SweepOptions { threads: arguments.threads.or(default.threads), ..default };
        let method = arguments.by.map(Method::chosen);
        let search = GrundySearch { level: arguments.level, method, sweep };
        let values = grundy_values(&leaves, &search, &Watcher::new()?)?;
        Ok(Self { position, bites, leaves, values })
    }

    fn each(&self) -> impl Iterator<Item = (&Square, &Position, &GrundyValue)> {
        let left = self.leaves.iter().zip(&self.values);
        self.bites.iter().zip(left).map(|(bite, (leaves, value))| (bite, leaves, value))
    }

    /// The least value that no bite leaves; `None` if a bite whose value is not found may leave it.
    fn own_value(&self) -> Option<u64> {
        let mut known: Vec<u64> = Vec::new();
        let mut unknown: Option<&BigUint> = None;
        for value in &self.values {
            match value {
                GrundyValue::Is(value, _) => known.push(*value),
                GrundyValue::AtLeast(least) => {
                    unknown = Some(unknown.map_or(least, |other| other.min(least)));
                }
            }
        }
        known.sort_unstable();
        known.dedup();
        let own = (0..).zip(&known).take_while(|(value, known)| value == *known).count() as u64;
        unknown.is_none_or(|least| *least > own.into()).then_some(own)
    }

    fn words(&self) -> String {
        let (position, bites) = (self.position.as_board(), &self.bites);
        let own = match self.own_value() {
            Some(value) => format!("{position} has the Grundy value {value}."),
            None => format!("The Grundy value of {position} is not found."),
        };
        if bites.is_empty() {
            return format!("{own}\nThere is no bite: the next player must take the poison.\n");
        }
        let mut table = terminal::table(["bite", "leaves", "value"], |index| index < 2);
        for (bite, leaves, value) in self.each() {
            let value = match value {
                GrundyValue::Is(value, _) => value.to_string(),
                GrundyValue::AtLeast(least) => format!("{least} or more"),
            };
            table.add_row([bite.to_string(), leaves.as_board(), value]);
        }
        format!(
            "{own}\nNumber of bites: {}. Those that leave the value 0 win.\n\n{table}\n",
            bites.len()
        )
    }

    fn object(&self) -> Value {
        let bite_object = |(bite, leaves, value): (&Square, &Position, &GrundyValue)| {
            let (grundy, at_least) = known(value);
            json!({
                "row": bite.row,
                "column": bite.column.to_u32(),
                "leaves": json::lengths(leaves.rows()),
                "grundy": grundy,
                "at_least": at_least,
            })
        };
        json!({
            "position": json::lengths(self.position.rows()),
            "grundy": self.own_value(),
            "bites": self.each().map(bite_object).collect::<Vec<Value>>(),
        })
    }
}
