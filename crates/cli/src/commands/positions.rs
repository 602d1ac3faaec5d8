//! `chomp positions`: all P-positions with m rows whose longest row has up to n squares.

use std::io::{BufWriter, Write};
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};

use boards::four_rows::{Families, Fraction};
use boards::sieve::{LONGEST_FIRST_ROW, MOST_ROWS};
use census::Decimal;
use clap::{Args, ValueEnum};
use driver::{BelievedState, Error, FoundLayers, PositionsChecked, PositionsRun};
use serde::Serialize;
use terminal::Watcher;
use terminal::typed::size;

use crate::none;
use crate::options::{Keep, Threads, within};
use crate::output::{self, Output, is_standard};
use ask::json;

/// Find all P-positions with m rows whose longest row has up to n squares.
///
/// A position has the row lengths a >= b >= c >= ... >= 0, a >= 1. Prints how many P-positions
/// there are up to some lengths a, and a hash of them: the BLAKE3 hash of the hashes of a = 1, 2,
/// ..., each taken of the lengths of the rows in lexicographic order. With --keep the state is
/// written every ten minutes; a run that is complete removes it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  chomp positions --rows 4 --to 500\n  \
    chomp positions --to 800 --memory 1GB --keep run\n\nExit codes: 4 if the run is \
    interrupted.")]
pub struct Arguments {
    /// The number of rows m, from 3 to 26. With two rows the P-positions are (k + 1, k).
    #[arg(long, value_name = "M", value_parser = within::<u16>(3..=MOST_ROWS.into()), allow_hyphen_values = true,
        default_value = "4")]
    rows: u16,
    /// The largest length n of the longest row.
    #[arg(long, value_name = "N", value_parser = within::<u16>(LENGTHS), allow_hyphen_values = true)]
    to: u16,
    /// The lengths a for which the table has a line; by default N.
    #[arg(long, value_name = "A,A,...", value_delimiter = ',', value_parser = within::<u16>(LENGTHS))]
    at: Vec<u16>,
    /// Print the table as tab-separated values, with a hash in each line.
    #[arg(long, conflicts_with = "json")]
    tsv: bool,
    /// Print the number and the hash for each a as JSON: `chomp help json`.
    #[arg(long)]
    json: bool,
    /// Write the positions to this file, one a line, in lexicographic order; - for standard output,
    /// without the table. The ending of the name says the form: .csv or .jsonl.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["folder", "check"])]
    out: Option<PathBuf>,
    /// The least length a of the positions that are written.
    #[arg(long, value_name = "A", value_parser = within::<u16>(LENGTHS), requires = "out",
        conflicts_with_all = ["folder", "check", "families"], default_value = "1",
        hide_default_value = true, allow_hyphen_values = true)]
    from: u16,
    /// The form of the positions that are written.
    #[arg(long, value_enum, requires = "out", conflicts_with_all = ["folder", "check", "families"])]
    format: Option<FormatName>,
    /// With three rows: add the length of the game to each line, the number of turns if the player
    /// who wins hurries, and the other one delays; and write only positions with c <= R. No table
    /// is printed.
    #[arg(long, value_name = "R", requires = "out",
        value_parser = within::<u16>(0..=u16::MAX.into()),
        conflicts_with_all = ["at", "tsv", "json", "folder", "check", "families", "memory"])]
    lengths: Option<u16>,
    /// Write the two families of a of four rows to this file, tab-separated: a line for each n of
    /// the table.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["folder", "check", "out"])]
    families: Option<PathBuf>,
    /// Compare the positions with three other computations. Positions with a short row 1 are found
    /// again, by marking all positions with a bite to a P-position. Those with a short row 3 are
    /// looked up in the rows of `chomp family --tail`. For 1000 choices of all rows but the last,
    /// every bite is looked up.
    #[arg(long, conflicts_with = "folder")]
    check: bool,
    #[command(flatten)]
    keep: Keep,
    /// The memory that the run can use, such as 6GB; by default all that is free. The positions do
    /// not depend on it.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    memory: Option<u64>,
    #[command(flatten)]
    threads: Threads,
}

/// A form of the positions, as it is typed.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatName {
    /// Comma-separated values.
    Csv,
    /// JSON Lines.
    Jsonl,
}

/// The lengths that a row can have.
const LENGTHS: RangeInclusive<u64> = 1..=LONGEST_FIRST_ROW as u64;

/// Finds the positions, and prints their numbers.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    refuse_useless(arguments)?;
    let (watcher, mut checked) = (Watcher::new()?, None);
    let found = if let Some(path) = &arguments.out {
        if let Some(last_row) = arguments.lengths {
            return arguments.write_lengths(last_row, path, &watcher);
        }
        arguments.write_positions(path, &watcher)?
    } else if let Some(path) = &arguments.families {
        arguments.write_families(path, &watcher)?
    } else if arguments.check {
        let (found, done) = arguments.sieve().check(&watcher)?;
        checked = Some(done);
        found
    } else {
        arguments.sieve().count(&watcher, |_, _| ())?
    };
    if is_printed(arguments.out.as_ref()) || is_printed(arguments.families.as_ref()) {
        return Ok(());
    }
    let text = if arguments.json {
        json::line(&json::value(arguments.object(&found, checked)))
    } else if arguments.tsv {
        arguments.lines(&found)
    } else {
        arguments.words(&found, checked.as_ref())
    };
    output::print(text.as_bytes())
}

/// Whether a file is standard output.
fn is_printed(file: Option<&PathBuf>) -> bool {
    file.is_some_and(|file| is_standard(file))
}

/// Refuses options of a table that is not printed, and lengths that it cannot have.
fn refuse_useless(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { at, to, tsv, json, .. } = arguments;
    if let Some(length) = at.iter().find(|length| *length > to) {
        return Err(Error::usage(format!("--at {length} is past --to {to}")));
    }
    let at = (!at.is_empty()).then_some("--at");
    let table = tsv.then_some("--tsv").or(json.then_some("--json"));
    if is_printed(arguments.out.as_ref()) {
        none(at.or(table), "standard output has the positions, and no table")?;
    }
    if is_printed(arguments.families.as_ref()) {
        none(table, "standard output has the families, and nothing else")?;
    }
    none(at.filter(|_| *json && arguments.families.is_none()), "JSON has all lengths")?;
    if arguments.from > arguments.to {
        let Arguments { from, to, .. } = arguments;
        return Err(Error::usage(format!("--from {from} is more than --to {to}")));
    }
    Ok(())
}

/// Writes the lines that `find` adds to a table of numbers.
fn write<T>(
    path: &Path,
    format: Option<FormatName>,
    columns: &[&'static str],
    find: impl FnOnce(&mut dyn FnMut(&[u16]) -> ControlFlow<()>) -> Result<T, Error>,
) -> Result<T, Error> {
    let format = output::form(format, path, FormatName::Csv, ".csv or .jsonl")?;
    Output::open(path)?.write(|out| {
        let (mut out, mut written) = (BufWriter::new(out), Ok(()));
        let (begin, names, end) = match format {
            FormatName::Csv => ("", vec![String::new(); columns.len()], ""),
            FormatName::Jsonl => {
                ("{", columns.iter().map(|it| format!("\"{it}\":")).collect(), "}")
            }
        };
        if let FormatName::Csv = format {
            writeln!(out, "{}", columns.join(","))?;
        }
        let mut write_line = |numbers: &[u16]| {
            let mut before = begin;
            for (name, number) in names.iter().zip(numbers) {
                write!(out, "{before}{name}{number}")?;
                before = ",";
            }
            writeln!(out, "{end}")
        };
        let found = find(&mut |numbers| match written {
            Ok(()) => output::keep(&mut written, write_line(numbers)),
            Err(_) => ControlFlow::Break(()),
        })?;
        written?;
        out.flush()?;
        Ok(found)
    })
}

/// All fractions rounded to nearest; empty if there is none.
fn line_of_families(families: &Families) -> String {
    let Families { to, low, least_high, largest_low, gap, high_median, low_median, bound } =
        families;
    let high = to - low;
    let percent = Decimal::ratio(100 * u64::from(high), (*to).into(), 3);
    let fractions = [*least_high, *largest_low, *gap, *high_median, *low_median, *bound];
    let text = |fraction: Option<Fraction>| {
        fraction
            .map_or_else(String::new, |of| Decimal::ratio(*of.numer(), *of.denom(), 6).to_string())
    };
    let fractions = fractions.map(text).join("\t");
    format!("{to}\t{low}\t{high}\t{percent}\t{fractions}")
}

/// The names of the rows.
const NAMES: [&str; MOST_ROWS as usize] = [
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s",
    "t", "u", "v", "w", "x", "y", "z",
];

impl Arguments {
    fn sieve(&self) -> PositionsRun {
        PositionsRun {
            threads: self.threads.threads,
            memory: self.memory,
            folder: self.keep.folder.clone(),
            ..PositionsRun::new(self.rows, self.to)
        }
    }

    /// The lengths of the table.
    fn lengths_of_table(&self) -> &[u16] {
        if self.at.is_empty() { std::slice::from_ref(&self.to) } else { &self.at }
    }

    /// `--out`.
    fn write_positions(&self, path: &Path, watcher: &Watcher) -> Result<FoundLayers, Error> {
        write(path, self.format, &NAMES[..usize::from(self.rows)], |add| {
            self.sieve().find(watcher, |layer| {
                let mut flow = ControlFlow::Continue(());
                if layer.first() >= self.from {
                    layer.for_each(|lengths| flow = add(lengths));
                }
                flow
            })
        })
    }

    /// `--lengths`.
    fn write_lengths(&self, last_row: u16, path: &Path, watcher: &Watcher) -> Result<(), Error> {
        if self.rows != 3 {
            return Err(Error::usage("--lengths are of three rows; add --rows 3"));
        }
        write(path, self.format, &["a", "b", "c", "length"], |add| {
            let visit = |[a, b, c]: [u16; 3], length| {
                if a < self.from { ControlFlow::Continue(()) } else { add(&[a, b, c, length]) }
            };
            driver::game_lengths(self.to.into(), last_row, self.threads.threads, watcher, visit)
        })
    }

    /// `--families`.
    fn write_families(&self, path: &Path, watcher: &Watcher) -> Result<FoundLayers, Error> {
        if self.rows != 4 {
            return Err(Error::usage("--families are of four rows; leave out --rows"));
        }
        let output = Output::open(path)?;
        let (found, four_rows) = self.sieve().four_rows(watcher)?;
        let lines = self.lengths_of_table().iter().map(|&to| four_rows.families(to));
        let header = "to\tlow\thigh\thigh_percent\tleast_high\tlargest_low\tgap\thigh_median\t\
                      low_median\tlow_bound\n";
        let lines = lines.map(|families| line_of_families(&families) + "\n");
        output.write_all((header.to_owned() + &lines.collect::<String>()).as_bytes())?;
        Ok(found)
    }

    fn words(&self, found: &FoundLayers, checked: Option<&PositionsChecked>) -> String {
        let mut table = ask::table(["a <=", "P-positions", "with this a"], |_| false);
        for &length in self.lengths_of_table() {
            let (total, shorter) = (found.total(length), found.total(length - 1));
            table.add_row([length.into(), total, total - shorter].map(|n: u64| n.to_string()));
        }
        let (rows, to, total, hash) =
            (self.rows, self.to, found.total(self.to), found.hash(self.to));
        let checked = checked.map_or(String::new(), words_of_check);
        let believed = found.believed.as_ref().map_or(String::new(), words_of_belief);
        format!(
            "{table}\n\nP-positions with {rows} rows and a <= {to}: {total}.\nblake3 {hash}\n{checked}{believed}"
        )
    }

    fn lines(&self, found: &FoundLayers) -> String {
        let line = |&length: &u16| {
            let (total, hash) = (found.total(length), found.hash(length));
            let of_length = total - found.total(length - 1);
            format!("{length}\t{total}\t{of_length}\t{hash}\n")
        };
        let lines: String = self.lengths_of_table().iter().map(line).collect();
        format!("to\tp_positions\twith_this_length\tblake3\n{lines}")
    }

    fn object(&self, found: &FoundLayers, checked: Option<PositionsChecked>) -> PositionsObject {
        let layers = found.layers.iter().map(|layer| {
            let blake3 = blake3::Hash::from(layer.hash).to_string();
            OfLength { blake3, first: layer.first, p_positions: layer.count }
        });
        PositionsObject {
            blake3: found.hash(self.to),
            checked,
            layers: layers.collect(),
            p_positions: found.total(self.to),
            rows: self.rows,
            state: found.believed.clone(),
            to: self.to,
        }
    }
}

/// The numbers of P-positions by length of row 1.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PositionsObject {
    /// The hash of the hashes of all lengths.
    blake3: String,
    /// The comparisons of `--check`.
    checked: Option<PositionsChecked>,
    /// An object for each length of row 1.
    layers: Vec<OfLength>,
    p_positions: u64,
    /// The number of rows.
    rows: u16,
    /// The state from which the run resumed, and which it trusts.
    state: Option<BelievedState>,
    /// The largest length of row 1.
    to: u16,
}

/// The P-positions with one length of row 1.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OfLength {
    blake3: String,
    /// The length.
    first: u16,
    p_positions: u64,
}

/// The assumptions of a run that resumed from a state.
fn words_of_belief(state: &BelievedState) -> String {
    let BelievedState { last, blake3, recounted, in_tails } = state;
    format!(
        "\nBelieved, not proved: the P-positions with a <= {last}, as the state with the hash\n\
         {blake3} has them.\n\
         Tested: the state has as many bits as positions; those with a <= {recounted} were counted\n\
         again; {in_tails} with a short row 3 agree with the rows of tails.\n"
    )
}

fn words_of_check(done: &PositionsChecked) -> String {
    let PositionsChecked { marked, spots, tails, in_tails } = done;
    format!(
        "\nVerified: all with a <= {marked}, by marks on all boards; all {in_tails} with \
         c <= {tails}, by the rows of tails; all bites from {spots} positions, by the rules.\n"
    )
}
