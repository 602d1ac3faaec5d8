//! The Grundy value of a position.

use clap::{Args, ValueEnum};
use driver::{
    Error, GrundyBasis, GrundyMethod, GrundySearch, GrundyValue, Position, Record, Watch,
    grundy_value,
};
use serde::{Deserialize, Serialize};

use crate::input::{self, Threads, level};
use crate::objects::{SourceObject, Sourced, Told};

/// Print the Grundy value of a position.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Grundy {
    /// The position, in any notation.
    #[cfg_attr(feature = "schema", schemars(example = "7 5 3"))]
    pub position: String,
    /// How values are found.
    #[serde(flatten)]
    pub values: Values,
    /// The threads of an engine.
    #[serde(flatten)]
    pub threads: Threads,
}

// How Grundy values are found. A comment for clap would be the help of each command.
#[allow(missing_docs, reason = "its documentation would be the help of each command")]
#[derive(Clone, Copy, Debug, Args, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Values {
    /// The highest level that is computed: 30 by default.
    #[arg(long, value_name = "G", value_parser = level, allow_hyphen_values = true)]
    pub level: Option<u64>,
    /// The method; by default a table where it takes seconds, and rows of levels otherwise.
    #[arg(long, value_enum)]
    pub by: Option<Method>,
}

/// A method, as it is typed.
#[derive(Clone, Copy, Debug, ValueEnum, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// A table: of all boards within the position, or of all positions of three rows.
    Table,
    /// Rows of levels 0 to --level.
    Rows,
}

impl Grundy {
    /// The position, and the search for values.
    pub(crate) fn read(&self) -> Result<(Position, GrundySearch), Error> {
        let Values { level, by } = self.values;
        let method = by.map(|method| match method {
            Method::Table => GrundyMethod::Table,
            Method::Rows => GrundyMethod::Rows,
        });
        if level.is_some() && method == Some(GrundyMethod::Table) {
            return Err(Error::usage("a table has no levels; leave out the level, or the method"));
        }
        let level = level.unwrap_or(GrundySearch::default().level);
        let search = GrundySearch { level, method, sweep: self.threads.sweep() };
        Ok((input::position(&self.position)?, search))
    }

    pub(crate) fn ask(&self, watch: &dyn Watch) -> Result<Told, Error> {
        let (position, search) = self.read()?;
        if let Ok(level) = input::number(&self.position) {
            tracing::info!(
                "{} is the position of one row of {level} squares; for the rows of level {level} \
                 type `chomp family --level {level} --to R`",
                position.as_board()
            );
        }
        let value = grundy_value(&position, &search, watch)?;
        let result = grundy_object(&position, &value);
        let object = Sourced { result, source: SourceObject::of(None) };
        let told = Told::of(object, in_words(&position, &value));
        Ok(match value {
            GrundyValue::Is(..) => told,
            GrundyValue::AtLeast(_) => {
                let level = search.level;
                let words = format!("the value is above level {level}; --level G looks further");
                told.but(Error::incomplete(words))
            }
        })
    }
}

/// The Grundy value of a position.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GrundyObject<'a> {
    #[serde(flatten)]
    value: &'a GrundyValue,
    position: &'a Position,
    /// The row that has the position, or the transposed one; null if a table has the value.
    record: Option<Record>,
}

/// A Grundy value, as a JSON object.
pub fn grundy_object<'a>(position: &'a Position, value: &'a GrundyValue) -> GrundyObject<'a> {
    let record = match value {
        GrundyValue::Is(_, GrundyBasis::Rows(record)) => Some(record.abridged()),
        _ => None,
    };
    GrundyObject { value, position, record }
}

fn in_words(position: &Position, value: &GrundyValue) -> String {
    let board = position.as_board();
    match value {
        GrundyValue::Is(value, basis) => {
            let is_tall = position.p().finite().is_some_and(|p| *p < position.height().into());
            let transposed = is_tall.then(|| position.transposed()).flatten();
            let transposed = transposed.map_or(String::new(), |transposed| {
                format!("Transposed, it is {}, of the same value.\n", transposed.as_board())
            });
            let basis = words_of(basis, *value);
            format!("{board} has the Grundy value {value}.\n{transposed}{basis}\n")
        }
        GrundyValue::AtLeast(least) => {
            format!("{board} has a Grundy value of at least {least}.\n")
        }
    }
}

fn words_of(basis: &GrundyBasis, value: u64) -> String {
    match basis {
        GrundyBasis::ThreeRows(longest) => format!(
            "This rests on the values of all positions of three rows with p <= {longest}, computed \
             here."
        ),
        GrundyBasis::Within(around) => {
            format!("This rests on the values of all boards within {around}, computed here.")
        }
        GrundyBasis::Rows(record) => format!(
            "This rests on fact 12 of the proofs, and on the rows of levels 0 to {value} with tails \
             within {}, computed here, among them:\n  {}",
            record.key().tail(),
            record.abridged()
        ),
    }
}
