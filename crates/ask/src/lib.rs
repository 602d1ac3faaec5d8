//! Questions about Chomp for people and programs: the arguments and the answer of each.
//!
//! The [`Question`]s of the table are asked in the terminal, in Python (`chomp.ask`) and on the
//! page. A question is a file of this crate with the struct of its arguments, which serde reads
//! from JSON and clap from a command line, and its answer in JSON and in words. So all have the
//! same arguments, and their answers are equal. Python's types and the form of the page follow from
//! the schema of the arguments. Some questions are commands of their own; the commands `query` and
//! `show` ask the others.
//!
//! | question | arguments | answer |
//! |---|---|---|
//! | the Grundy value of a position | [`Grundy`] | [`grundy_object`] |
//! | every bite with the Grundy value that it leaves | [`Moves`] | [`Bites`] |
//! | f(q,t) | [`F`] | [`value_object`] |
//! | two-rowed Chomp with instant winners | [`LosersOf`] | [`losers_object`] |
//! | the column in which a row ends | [`Ends`] | [`RowEnd`] |
//! | why rows have their periods | [`Why`] | [`Explanation`](driver::Explanation), [`Explanations`] |
//!
//! Other questions have options of their own in each program, such as a file to draw to. Their
//! answers are here or in the libraries, and are equal in all programs as well:
//!
//! | question | function | answer in JSON |
//! |---|---|---|
//! | who wins a position, and by which bites | [`Source::answer`](driver::Source::answer) | [`Answer`](driver::Answer), [`Sourced`] |
//! | the same of a board, with a strategy | [`BoardAnswer::of`] | [`BoardAnswer`], with the fields of its answer |
//! | a row | [`Source::row`](driver::Source::row) | [`Record`](driver::Record) |
//! | the same in words, and for other programs | | [`RowInWords`], [`Language`] |
//! | a bite of the program in a game | [`Player::bite`] | [`Played`] |
//! | a puzzle | [`puzzle`](fn@puzzle) | |
//! | whether a data set is right | [`records::verify_data_set`](driver::records) | [`verdict_object`] |
//! | who wins on a poset | [`solve_poset`](driver::solve_poset) | [`poset_object`], [`poset_dot`] |
//!
//! Row lengths and the coordinates of squares are strings in all of them; other integers only where
//! they are large ([`record::to_json`]).

pub mod input;
pub mod json;

mod board;
mod ends;
mod expression;
mod f;
mod grundy;
mod losers;
mod moves;
mod objects;
mod play;
mod row_in_words;
mod verdict;
mod why;

pub use check::{Assumption, Depth};
use clap::Subcommand;
use driver::{Error, Watch};
use serde::Deserialize;
use serde_json::{Map, Value};

pub use board::{BoardAnswer, RectangleObject, rectangle_object};
pub use ends::{Ends, RowEnd};
pub use expression::Language;
pub use f::{F, ValueObject, value_object};
pub use grundy::{Grundy, GrundyObject, Method, Values, grundy_object};
use input::ARGUMENTS;
pub use losers::{LosersObject, LosersOf, losers_object};
pub use moves::{Bites, MOST_SQUARES, Moves, ValuedBite, bites};
pub use objects::{PosetObject, SourceObject, Sourced, Told, poset_dot, poset_object, table};
pub use play::{Grade, Played, Player, Strength, puzzle};
pub use row_in_words::{Detail, Entry, RowInWords};
pub use verdict::{RowRange, VerdictObject, verdict_object};
pub use why::{Explanations, Why};

/// A question with its arguments, as a command of a program or an object of JSON. In the object
/// `ask` is its name, and the other fields are its arguments:
/// `{"ask": "moves", "position": "7 5 3"}`.
#[derive(Clone, Debug, Subcommand, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "ask", rename_all = "lowercase")]
#[allow(missing_docs, reason = "their documentation would be the help of the commands")]
pub enum Question {
    // Commands of their own.
    Losers(LosersOf),
    Ends(Ends),
    // Those that `query` and `show` ask.
    #[command(skip)]
    Grundy(Grundy),
    #[command(skip)]
    Moves(Moves),
    #[command(skip)]
    F(F),
    #[command(skip)]
    Why(Why),
}

impl Question {
    /// Reads a question from an object of JSON.
    ///
    /// # Errors
    /// There is no such question, an argument is missing or none, or the question does not have it.
    ///
    /// ```
    /// use ask::Question;
    /// assert!(Question::read(r#"{"ask": "moves", "position": "7 5 3", "level": 2}"#).is_ok());
    /// let error = Question::read(r#"{"ask": "ends", "row": 3, "lines": 2}"#).unwrap_err();
    /// assert_eq!(error, "ends has no argument \"lines\"; it has row, data, threads");
    /// ```
    pub fn read(text: &str) -> Result<Self, String> {
        let read = |error: serde_json::Error| error.to_string();
        let given: Map<String, Value> = serde_json::from_str(text).map_err(read)?;
        let name = given.get("ask").and_then(Value::as_str).unwrap_or_default();
        if let Some((_, arguments)) = ARGUMENTS.iter().find(|(of, _)| *of == name)
            && let Some(unknown) =
                given.keys().find(|it| *it != "ask" && !arguments.contains(&it.as_str()))
        {
            let all = arguments.join(", ");
            return Err(format!("{name} has no argument {unknown:?}; it has {all}"));
        }
        Self::deserialize(Value::Object(given)).map_err(read)
    }

    /// The answer.
    ///
    /// # Errors
    /// There is none.
    pub fn ask(&self, watch: &dyn Watch) -> Result<Told, Error> {
        match self {
            Self::Losers(question) => question.ask(),
            Self::Ends(question) => question.ask(watch),
            Self::Grundy(question) => question.ask(watch),
            Self::Moves(question) => question.ask(watch),
            Self::F(question) => question.ask(watch),
            Self::Why(question) => question.ask(watch),
        }
    }

    /// Whether a command prints the answer as JSON.
    pub fn is_json(&self) -> bool {
        matches!(
            self,
            Self::Losers(LosersOf { json: true, .. }) | Self::Ends(Ends { json: true, .. })
        )
    }
}
