//! The arguments of questions: those that several questions have, and the syntax of all: numbers,
//! rows, tails, positions and ranges. `docs/GUIDE.md` has a table.
//!
//! Row lengths are read by [`game::Written`].

#![expect(clippy::missing_errors_doc, reason = "each refuses any other text")]

use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use driver::{
    Engine, Error, HeadForm, LARGEST_ROW, Position, ReadError, Record, Source, Square,
    SweepOptions, Tail, TwoReadings, Watch, WrittenBoard, read_tail,
};
use game::Wrong;
use game::notation::{digits, within};
use num_bigint::BigUint;
use record::quoted;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// The names of the arguments of each question. A test of `chomp-cli` writes this list.
pub(crate) const ARGUMENTS: &[(&str, &[&str])] = &[
    ("losers", &["instant_winners"]),
    ("ends", &["row", "data", "threads"]),
    ("grundy", &["position", "by", "level", "threads"]),
    ("moves", &["position", "by", "level", "threads"]),
    ("f", &["position", "data", "threads"]),
    ("why", &["data", "row", "threads", "to"]),
];

/// The threads of a computation.
#[derive(Clone, Copy, Debug, Default, Args, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Threads {
    /// Threads; by default as many as there are processors. The result does not depend on them.
    #[arg(long, value_name = "N", value_parser = threads, allow_hyphen_values = true)]
    pub threads: Option<NonZero<usize>>,
}

impl Threads {
    /// The sweep with these threads.
    pub fn sweep(self) -> SweepOptions {
        let default = SweepOptions::default();
        SweepOptions { threads: self.threads.or(default.threads), ..default }
    }

    /// The engine with these threads.
    pub fn engine(self) -> Engine {
        Engine::Sweep(self.sweep())
    }

    /// The name of the option, if it was given.
    pub fn given(self) -> Option<&'static str> {
        self.threads.is_some().then_some("--threads")
    }
}

/// Visits rows 0 to `last` of three-rowed Chomp, by default to the last row of the source. Returns
/// the last row.
///
/// # Errors
/// As [`Source::rows`].
pub fn visit_rows(
    source: &dyn Source,
    last: Option<u64>,
    watch: &dyn Watch,
    mut visit: impl FnMut(&Record),
) -> Result<u64, Error> {
    let missing = || Error::usage("the last row is missing");
    let last = last.or(source.last()).ok_or_else(missing)?;
    source.rows(last, HeadForm::Fingerprint, watch, &mut |row| {
        visit(&row.record);
        ControlFlow::Continue(())
    })?;
    Ok(last)
}

/// The source of rows.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RowsFrom {
    /// Read the rows of this data set instead of computing them.
    #[arg(long, value_name = "DIR", conflicts_with = "threads")]
    pub data: Option<PathBuf>,
    /// The threads of an engine.
    #[command(flatten)]
    #[serde(flatten)]
    pub threads: Threads,
}

impl RowsFrom {
    /// The source.
    ///
    /// # Errors
    /// As [`source`].
    pub fn open(&self) -> Result<Box<dyn Source>, Error> {
        source(self.data.as_deref(), self.threads.engine())
    }
}

/// The data set in a folder, or else the engine.
///
/// # Errors
/// There is no data set, or no file at all, as in a browser.
pub fn source(data: Option<&Path>, engine: Engine) -> Result<Box<dyn Source>, Error> {
    match data {
        #[cfg(feature = "files")]
        Some(folder) => Ok(Box::new(driver::DataSet::open(folder)?)),
        #[cfg(not(feature = "files"))]
        Some(_) => Err(Error::usage("there are no files here; leave out the data set")),
        None => Ok(Box::new(engine)),
    }
}

/// A value that is a text in JSON.
pub(crate) fn parsed<'de, D, T>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: std::fmt::Display>,
{
    String::deserialize(from)?.parse().map_err(D::Error::custom)
}

/// A number of any size.
pub fn any_number(text: &str) -> Result<BigUint, String> {
    digits(text).map_err(|error| error.to_string())?.parse().map_err(|error| format!("{error}"))
}

/// A number of at most 64 bits.
pub fn number(text: &str) -> Result<u64, String> {
    within(0..=u64::MAX)(text)
}

/// A number of threads.
pub fn threads(text: &str) -> Result<NonZero<usize>, String> {
    let threads = usize::try_from(number(text)?).ok().and_then(NonZero::new);
    threads.ok_or_else(|| "at least 1 thread is needed".to_owned())
}

/// The largest level that can be typed; no table comes near it.
const LARGEST_LEVEL: u64 = 1_000_000;

/// A level.
pub fn level(text: &str) -> Result<u64, String> {
    let level = number(text)?;
    if level <= LARGEST_LEVEL { Ok(level) } else { Err(format!("levels go to {LARGEST_LEVEL}")) }
}

/// A number of a row that can be computed.
pub fn row(text: &str) -> Result<u64, String> {
    let row = number(text)?;
    if row <= LARGEST_ROW { Ok(row) } else { Err(format!("rows go to {LARGEST_ROW} here")) }
}

/// `A..B`: two numbers, the first not larger.
pub fn range(text: &str) -> Result<(u64, u64), String> {
    let (first, last) =
        text.split_once("..").ok_or("give the first and the last, such as 100..430")?;
    let (first, last) = (number(first.trim())?, number(last.trim())?);
    if first <= last { Ok((first, last)) } else { Err("the first is past the last".to_owned()) }
}

/// A row: its number, or its tail.
pub fn tail(text: &str) -> Result<Tail, Error> {
    read_tail(text).map_err(Error::usage)
}

/// A row that can be computed: its number, or its tail.
pub fn computable_tail(text: &str) -> Result<Tail, Error> {
    let tail = tail(text)?;
    match row(&tail.first_column().to_string()) {
        Ok(_) => Ok(tail),
        Err(error) => Err(Error::usage(format!("{text:?}: {error}"))),
    }
}

/// The column q of f(q,t), and the tail: `10 5`, `10,5`, `(10,5)`, `5 5,4` or `5 (5,4)`.
pub fn column_and_tail(typed: &str) -> Result<(BigUint, Tail), Error> {
    let text = typed.trim();
    let text = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    let parts = text.trim().split_once(|c: char| c == ',' || c.is_whitespace());
    let Some((q, tail)) = parts.filter(|_| !text.contains(['[', ']'])) else {
        return Err(Error::usage(format!(
            "{:?}: f has q and then r, or the tail, such as 10 5, or 5 5,4",
            quoted(typed)
        )));
    };
    let q = any_number(q).map_err(|error| Error::usage(format!("{:?}: {error}", quoted(q))))?;
    Ok((q, computable_tail(tail.trim())?))
}

/// A position whose row, or the longest of those below its two longest, can be computed. Separated
/// numbers in square brackets are Zeilberger's; if they may also be row lengths, a remark says so.
pub fn position(text: &str) -> Result<Position, Error> {
    if let Some(TwoReadings { text, rows, columns }) = TwoReadings::of(text) {
        tracing::info!(
            "{text} is read as numbers of columns, {columns}; for the row lengths {rows} type them \
             without square brackets"
        );
    }
    let position: Position = text.parse().map_err(|error| match error {
        ReadError::Text(text) if text.wrong == Wrong::Product => {
            Error::usage(format!("{text} (`chomp query` and `poset` answer about it)"))
        }
        error => Error::usage(error),
    })?;
    if position.tail().first_column() <= LARGEST_ROW {
        return Ok(position);
    }
    Err(Error::usage(format!(
        "rows go to {LARGEST_ROW} here; only the two longest of a position may be larger"
    )))
}

/// A square: its row and its column, from 1 at the poison.
pub fn square(text: &str) -> Result<Square, String> {
    let is_between = |c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')');
    let words: Vec<&str> = text.split(is_between).filter(|word| !word.is_empty()).collect();
    let ([row, column] | ["row", row, "column", column]) = words[..] else {
        return Err("a square is its row and its column, such as 2 5".to_owned());
    };
    let row = usize::try_from(number(row)?).map_err(|_too_large| "there is no such row")?;
    Ok(Square { row, column: any_number(column)? })
}

/// A board.
pub fn board(text: &str) -> Result<WrittenBoard, Error> {
    text.parse().map_err(|error| match error {
        ReadError::Text(text) if text.wrong == Wrong::TooLarge => {
            Error::usage(format!("{text} (for rows of any length use `chomp query`)"))
        }
        error => Error::usage(error),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_ranges_are_numbers() {
        assert!(row("536_870_912").is_err());
        assert_eq!(
            [range("100..1_000"), range(" 100 .. 1000")],
            [Ok((100, 1000)), Ok((100, 1000))]
        );
        for bad in ["", "1", "1..", "..2", "2..1", "1...2", "1-2"] {
            assert!(range(bad).is_err(), "{bad:?} was accepted");
        }
    }

    /// Every line of the table in docs/GUIDE.md.
    #[test]
    fn positions_are_typed_as_the_table_says() {
        let shown = |text: &str| position(text).expect(text).to_string();
        for text in [
            "7,5,5,4",
            "7 5 5 4",
            "(7,5,5,4)",
            "4,5,5,7",
            "[4557]",
            "[1,1,3,4,4,4,4]'",
            "[1134444]'",
            "7 5 5 4 0 0",
            "[4,1,0,2]",
            "[4 1 0 2]",
        ] {
            assert_eq!(shown(text), "(7,5,5,4)", "{text}");
        }
        for text in ["4x7", "4×7", "4⊗7"] {
            assert_eq!(shown(text), "(7,7,7,7)");
        }
        assert_eq!(shown("[3,1,3]"), "(7,4,3)");
        assert_eq!(shown("[3,4,7]"), "(14,7,3)");
        let error = board("[3,4,7]").expect_err("it has two readings").to_string();
        assert!(error.contains("it is (7,4,3)") && error.contains("it is (14,7,3)"), "{error}");
        // With one row, or with columns of one length, there is one board.
        for (text, expected) in [("[5,]", None), ("[ 5 ]", Some("(5)")), ("[0,0,7]", Some("(7)"))] {
            let read = board(text).map(|typed| typed.board.to_string()).ok();
            assert_eq!(read.as_deref(), expected, "{text}");
        }
        assert_eq!([shown("ω 3 1"), shown("omega,omega")], ["(ω,3,1)", "(ω,ω,0)"]);
        for omega in ["Ω", "OMEGA", "∞", "inf", "Infinity", "oo"] {
            assert_eq!(shown(&format!("{omega} 3 1")), "(ω,3,1)");
        }
        for commas in ["1,000,000 5 3", "1,000,000", "12,050 5", "7,5,000"] {
            let error = position(commas).expect_err(commas).to_string();
            assert!(error.contains("commas separate row lengths"), "{error}");
        }
        assert_eq!([shown("2 1"), shown("5"), shown("[347]")], ["(2,1,0)", "(5,0,0)", "(7,4,3)"]);
        for bad in
            ["", "()", "0", "0 0 0 0", "7 5 6 4", "ω ω ω 1", "[1,ω,1]", "(7,5", "7,,5", "7 4 x"]
        {
            assert!(position(bad).is_err(), "{bad:?} was accepted");
        }
    }

    #[test]
    fn squares_are_typed_as_the_table_says() {
        for text in ["2 5", "2,5", "(2, 5)", "row 2, column 5", " 2  5 "] {
            assert_eq!(square(text).expect(text).to_string(), "row 2, column 5", "{text}");
        }
        let far = format!("1 {}", "9".repeat(100));
        assert_eq!(square(&far).expect("it is one").column.to_string(), "9".repeat(100));
        for bad in ["", "2", "2 5 1", "-2 5", "2 +5", "row 2 5", "b 5", "99999999999999999999 1"] {
            assert!(square(bad).is_err(), "{bad:?} was accepted");
        }
    }

    #[test]
    fn rows_are_typed_as_the_table_says() {
        for (text, shown) in [
            ("120", "(120)"),
            ("(120)", "(120)"),
            ("3,2", "(3,2)"),
            ("3 2", "(3,2)"),
            ("(3,2)", "(3,2)"),
            ("()", "()"),
            ("0", "()"),
            ("1_000", "(1000)"),
        ] {
            assert_eq!(tail(text).expect(text).to_string(), shown);
        }
        for bad in ["", "2,3", "[3,2]", "0x10", "2x3", "-1", "3,x", "(3,2", "99999999999999999999"]
        {
            let error = tail(bad).expect_err(bad).to_string();
            assert!(error.contains(bad), "{error}");
        }
        // Zeilberger's [3,2] has three columns of two squares and two of one.
        let error = tail("[3,2]").expect_err("it has two readings").to_string();
        assert!(error.contains("row lengths it is (3,2)") && error.contains("(5,3)"), "{error}");
        for bad in ["3,0,2", "3 0 2", "3,0,9"] {
            let error = tail(bad).expect_err(bad).to_string();
            assert!(error.contains("do not ascend"), "{error}");
        }
        for bad in ["2,3", "2 3", "(2,3)", "[23]"] {
            let error = tail(bad).expect_err(bad).to_string();
            assert!(error.contains("begins with its longest row; type 3,2"), "{error}");
        }
    }

    #[test]
    fn the_argument_of_f_is_typed_as_the_table_says() {
        let read = |words: &[&str]| {
            column_and_tail(&words.join(" ")).map(|(q, tail)| format!("{q} {tail}"))
        };
        for words in [&["10", "5"][..], &["10,5"], &["10, 5"], &["(10,5)"], &["(", "10", "5)"]] {
            assert_eq!(read(words).expect("it is read"), "10 (5)", "{words:?}");
        }
        for words in
            [&["5", "5,4"][..], &["5,5,4"], &["5", "5", "4"], &["(5,5,4)"], &["5", "(5,4)"]]
        {
            assert_eq!(read(words).expect("it is read"), "5 (5,4)", "{words:?}");
        }
        assert_eq!(read(&["3", "()"]).expect("it is read"), "3 ()");
        for (words, why) in [
            (&["10"][..], "f has q and then r"),
            (&["[10,5]"], "f has q and then r"),
            (&["5,4,5"], "begins with its longest row; type 5,4"),
            (&["5", "[5,4]"], "f has q and then r"),
            (&["ω", "5"], "give a whole number"),
            (&["-1", "5"], "0 or more"),
        ] {
            let error = read(words).expect_err("it is refused").to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
