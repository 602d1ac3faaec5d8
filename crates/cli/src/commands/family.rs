//! `chomp family`: rows of levels, of tails, and of any finite poset beside two growing chains.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};

use ask::input::{self, number, row};
use ask::json;
use clap::{ArgGroup, Args};
use driver::{Error, Family, HeadForm, Record, Tail, WrittenFamily};
use posets::{GROWING, PosetError, growing};
use record::{GrowingPoset, RowKey, Statement, joined};
use terminal::Watcher;

use super::poset::text_of;
use crate::options::{LanguageChoice, Threads, level};
use crate::output;

/// Compute and certify rows of levels, of tails, or of a poset that grows along two chains.
///
/// Level G is the set of the positions (p,q,r) with Grundy value G; level 0 is the P-positions. A
/// row of a level is finite, periodic or empty: it is empty by x if (x,x,x) has the value G, for an
/// x from 1 to r - 1. A level needs those below it, which are computed as well. `chomp query
/// --grundy` finds the value of one position.
///
/// The tail of a position is all rows but the two longest: the row of tail (3,2) is the set of the
/// P-positions (p,q,3,2). Tail (r) is row r of three-rowed Chomp, and tail () that of two-rowed
/// Chomp. A row may be empty. For example, that of tail (4,1) is empty by 2: a bite leaves two
/// columns, so it leads from each (p,q,4,1) to (2,2,2,1), which is a P-position. A tail needs all
/// those within it, which are computed as well.
///
/// In a FAMILY positions have the first p elements of the chain c, the first n of the chain d, and
/// an order ideal I of a finite poset. By Byrnes' theorem the positions of one ideal and Grundy
/// value end, or repeat along the diagonal. Each ideal is a row: the p for n = 0, 1, 2, ... Rows
/// are proved like those of three-rowed Chomp, which is the family `tails R`. Without arguments,
/// lists the families that have a name.
///
/// A description has one relation a line: `a < b` for elements of the finite part, `d[3] < a` or
/// `a < c[5]` for one and an element of a chain, and at most one line such as `c[i] < d[i]` or
/// `c[i] < d[i+1]` for the two chains. No element of d is below one of c. The least element is the
/// poison, if there is one; otherwise the player who cannot bite loses.
///
/// Without --tsv, --json and a language, prints the records as a data set has them, one
/// per line. With --out, writes all that was computed as a data set, for `chomp check`, and prints
/// a summary. In the languages of `chomp show` a row of level 0 is named as there. Row R of level 1
/// is `f_{1}(q,R)`, `f_R_level_1`, `f[1][q, R]` and `B1[R]`; tail (3,2) of level 1 is
/// `f_{1}(q,3,2)`, `f_3_2_level_1`, `f[1][q, 3, 2]` and `B1[3, 2]`.
///
/// In a record of an ideal, `begins` is the first n of the row, and `early` has the positions (n,
/// p) before n = `column`. From there on, p = n + o - shift if o is the offset of column n. Its
/// languages print p as a function of n, for a level and an ideal; --maple prints `B[level, ideal]`
/// as a list: column, shift, early, head, period.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
#[command(group = ArgGroup::new("family").multiple(true).args(["words", "to"]))]
#[command(group = ArgGroup::new("of_rows").multiple(true).requires("family").args(["tail",
    "describe", "level", "levels", "tsv", "json", "out", "full", "latex", "sage", "pari",
    "mathematica", "maple", "threads"]))]
#[command(group = ArgGroup::new("several").multiple(true)
    .args(["words", "parts", "level", "levels"]))]
#[command(after_help = "Examples:\n  chomp family --level 1 --to 100 --tsv\n  \
    chomp family --levels 0..6 --to 400 --out levels && chomp check levels --heads\n  \
    chomp family --tail 3,2\n  \
    chomp family --tail 3,2 --to 60     # (3,2), (4,2), ..., (60,2)\n  \
    chomp family --parts 2 --to 60 --tsv  # all tails of at most two rows\n  \
    chomp family beside boolean 2 --tsv\n  \
    chomp family product 6 chains 2 2 --levels 0..2 --out 2x2xn\n  \
    chomp family my-poset.txt\n\nExit codes: 0 done, 2 no such family, 3 a file that is no \
    description")]
pub struct Arguments {
    /// A family that has a name, or a file with a description, where `-` is standard input. With
    /// --tail, the row lengths of a tail, the longest first; `()` has none.
    #[arg(value_name = "FAMILY | TAIL", allow_negative_numbers = true)]
    words: Vec<String>,
    /// Compute the row of a tail.
    #[arg(long, conflicts_with = "describe")]
    tail: bool,
    /// All tails with at most K rows.
    #[arg(long, value_name = "K", value_parser = number, allow_hyphen_values = true,
        requires = "to", conflicts_with_all = ["words", "describe"])]
    parts: Option<u64>,
    /// The last row of the levels, or the longest first row of a tail. Of a given tail the first
    /// row goes from its own length to this one, and its other rows stay.
    #[arg(long, value_name = "N", value_parser = row, allow_hyphen_values = true,
        requires = "several", conflicts_with = "describe")]
    to: Option<u64>,
    /// Print the description, one relation a line, and compute nothing.
    #[arg(long, conflicts_with_all = ["level", "levels", "tsv", "json", "out", "full",
        "language", "threads"])]
    describe: bool,
    /// The level: positions with this Grundy value.
    #[arg(long, value_name = "G", value_parser = level, allow_hyphen_values = true,
        conflicts_with = "levels")]
    level: Option<u64>,
    /// The levels, both included.
    #[arg(long, value_name = "A..B", value_parser = range)]
    levels: Option<(u64, u64)>,
    /// Print a header line, and tab-separated columns: row or tail, kind, period, start. The kind
    /// is finite, periodic or empty. A finite row has period 0, and its last column as start; an
    /// empty row has period 0, and the x that it is empty by. If levels were asked for, the level
    /// comes first.
    #[arg(long, conflicts_with_all = ["json", "language"])]
    tsv: bool,
    /// Print each row as JSON, one per line: `chomp help json`.
    #[arg(long, conflicts_with = "language")]
    json: bool,
    /// Write a data set to this folder, which is created if it does not exist. It is written when
    /// all rows are known: a run that is interrupted before leaves the folder as it was. Then it is
    /// verified. A smaller data set is not extended.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["tsv", "json", "language"])]
    out: Option<PathBuf>,
    /// Print every offset of each pre-period instead of a fingerprint.
    #[arg(long, conflicts_with_all = ["tsv", "language"])]
    full: bool,
    #[command(flatten)]
    language: LanguageChoice,
    #[command(flatten)]
    threads: Threads,
}

/// `A..B`: levels, both included.
fn range(text: &str) -> Result<(u64, u64), String> {
    let (first, last) = input::range(text)?;
    Ok((first, level(&last.to_string())?))
}

/// The longest file, in bytes.
const LONGEST_FILE: u64 = 10_000_000;

/// Computes a family, describes it, or lists those that have a name.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    match (&arguments.words[..], arguments.to) {
        ([], None) => output::print_list(&list()),
        ([], _) => of_tails(arguments),
        _ if arguments.tail => of_tails(arguments),
        (_, Some(_)) => {
            Err(Error::usage("--to cannot be used with a family, whose words say how large it is"))
        }
        ([folder], _) if Path::new(folder).is_dir() => Err(Error::usage(format!(
            "{folder} is a folder; `cat {folder}/rows-*.ron` prints the records of a data set"
        ))),
        _ => of_poset(arguments),
    }
}

/// Rows of a poset beside two chains.
fn of_poset(arguments: &Arguments) -> Result<(), Error> {
    let text = text(&arguments.words)?;
    let at_fault = |error: &dyn Display| match arguments.words.as_slice() {
        [file] => Error::file(format!("{file}: {error}")),
        _ => Error::usage(error),
    };
    let poset: GrowingPoset = text.parse().map_err(|error| at_fault(&error))?;
    if arguments.describe {
        return describe(&poset);
    }
    let last = *arguments.chosen_levels().end();
    let family = Family::of_poset(last, poset).map_err(|error| at_fault(&error))?;
    arguments.rows(&family, "ideal", &Tail::default())
}

/// Rows of levels, by default of level 0, or of tails.
fn of_tails(arguments: &Arguments) -> Result<(), Error> {
    let (last, any) = (arguments.to.unwrap_or(0), Tail::default());
    let (within, key, from) = match arguments.parts {
        Some(parts) => (all_tails(parts, last)?, "tail", any),
        None if arguments.tail => {
            let tail = input::tail(&arguments.words.join(" "))?;
            (lengthened(&tail, arguments.to)?, "tail", tail)
        }
        None => (Tail::of_row(last), "row", any),
    };
    let family = Family::of_tails(*arguments.chosen_levels().end(), within);
    arguments.rows(&family, key, &from)
}

/// The largest tail with this number of parts, each of this length.
fn all_tails(parts: u64, longest: u64) -> Result<Tail, Error> {
    let parts = usize::try_from(parts).ok().filter(|parts| *parts <= 1000);
    let parts = parts.ok_or_else(|| Error::usage("--parts goes to 1000"))?;
    Tail::new(vec![longest; if longest == 0 { 0 } else { parts }]).map_err(Error::usage)
}

/// The tail with its first part lengthened to `to`.
fn lengthened(tail: &Tail, to: Option<u64>) -> Result<Tail, Error> {
    let (Some(to), first) = (to, tail.first_column()) else { return Ok(tail.clone()) };
    if first == 0 {
        return Err(Error::usage("the tail () has no first part that could go --to"));
    }
    if to < first {
        return Err(Error::usage(format!("the first part of {tail} is {first}, past --to {to}")));
    }
    Tail::new([&[to], &tail.parts()[1..]].concat()).map_err(Error::usage)
}

impl Arguments {
    /// The levels whose rows are asked for, by default level 0.
    fn chosen_levels(&self) -> RangeInclusive<u64> {
        let level = self.level.unwrap_or(0);
        let (first, last) = self.levels.unwrap_or((level, level));
        first..=last
    }

    /// Prints the rows of a family with tails that contain `from`, or writes all of its rows. In a
    /// header line `key` is the name of their keys.
    fn rows(&self, family: &Family, key: &str, from: &Tail) -> Result<(), Error> {
        let in_full = self.full || self.language.chosen().is_some();
        let form = if in_full { HeadForm::Offsets } else { HeadForm::Fingerprint };
        let (engine, watcher) = (self.threads.engine(), Watcher::new()?);
        match &self.out {
            Some(_) if self.levels.is_some_and(|(first, _)| first > 0) => {
                let last = family.level;
                Err(Error::usage(format!(
                    "a data set has all levels from 0 on; with --out write --levels 0..{last}"
                )))
            }
            Some(folder) => {
                let written = engine.write_family(folder, family, form, &watcher)?;
                say_written(&written, family, &output::shown(folder))
            }
            None => {
                let go_on = |_: &Record| ControlFlow::Continue(());
                self.print(&engine.family(family, form, &watcher, go_on)?, key, from)
            }
        }
    }

    fn print(&self, rows: &[Record], key: &str, from: &Tail) -> Result<(), Error> {
        let levels = self.chosen_levels();
        let is_asked = |of: &RowKey| levels.contains(&of.level) && of.tail().contains(from);
        let rows = rows.iter().filter(|record| is_asked(record.key()));
        if let Some(language) = self.language.chosen() {
            let texts = rows.enumerate().map(|(index, record)| language.listed(record, index == 0));
            return output::print(texts.collect::<Result<String, _>>()?.as_bytes());
        }
        let several = self.levels.is_some();
        let level = if several { "level\t" } else { "" };
        let header = format!("{level}{key}\tkind\tperiod\tstart\n");
        let lines = rows.map(|record| match (self.tsv, self.json) {
            (true, _) if several => format!("{}\t{}\n", record.key().level, tsv(record)),
            (true, _) => tsv(record) + "\n",
            (_, true) => json::line(record),
            _ => format!("{record}\n"),
        });
        let lines = self.tsv.then_some(header).into_iter().chain(lines);
        output::print(lines.collect::<String>().as_bytes())
    }
}

/// `120`, `3,2`, `{a,b}`.
fn row_name(key: &RowKey) -> String {
    match key.ideal() {
        Some(ideal) => ideal.to_string(),
        None if key.tail().parts().is_empty() => "0".to_owned(),
        None => joined(key.tail().parts(), ","),
    }
}

/// `row<TAB>kind<TAB>period<TAB>start`.
fn tsv(record: &Record) -> String {
    let (row, statement) = (row_name(record.key()), record.statement());
    let (period, start) = match statement {
        Statement::Empty { by } => (0, *by),
        Statement::Finite(finite) => (0, finite.last),
        Statement::Periodic(periodic) => (periodic.period(), periodic.start),
    };
    format!("{row}\t{}\t{period}\t{start}", statement.kind())
}

/// Says what a data set of the rows holds, and that they are proved.
fn say_written(written: &WrittenFamily, family: &Family, folder: &str) -> Result<(), Error> {
    let WrittenFamily { rows, verdict, held } = written;
    if *held {
        tracing::info!("{folder} holds {family} already; nothing to compute");
    } else {
        tracing::info!("wrote {family} to {folder}");
    }
    let text = format!(
        "{}Each row is proved: a finite one by computing it to its end, a periodic one by a state that\n\
         recurs, an empty one by the row that makes it so (facts 3, 12 and 13 of the proofs).\n\
         Read back and verified, depths structure and tails: {}.\n\
         `chomp check --heads` verifies all of it, and assumes nothing.\n",
        table(rows),
        verdict.proved()
    );
    output::print(text.as_bytes())
}

/// The number of rows of each kind by level, and which periods occur.
fn table(rows: &[Record]) -> String {
    let mut levels: BTreeMap<u64, Vec<&Record>> = BTreeMap::new();
    for record in rows {
        levels.entry(record.key().level).or_default().push(record);
    }
    let header = ["level", "rows", "empty", "finite", "periodic", "longest", "latest start"];
    let (mut table, mut lines) = (ask::table(header, |_| false), Vec::new());
    for (level, rows) in levels {
        let count = |of: fn(&Statement) -> bool| {
            rows.iter().filter(|record| of(record.statement())).count()
        };
        let empty = count(|of| matches!(of, Statement::Empty { .. }));
        let finite = count(|of| matches!(of, Statement::Finite(_)));
        let periodic = rows.iter().filter_map(|record| Some((record.key(), record.periodic()?)));
        let mut periods: BTreeMap<u64, Vec<&RowKey>> = BTreeMap::new();
        for (key, row) in periodic.clone() {
            periods.entry(row.period()).or_default().push(key);
        }
        let longest = periods.last_key_value().map_or(0, |(period, _)| *period);
        // Of several, the last in reverse order.
        let latest = periodic.rev().max_by_key(|(_, row)| row.start);
        let latest = latest.map(|(key, row)| format!("{} ({})", row.start, row_name(key)));
        let numbers = [rows.len(), empty, finite, rows.len() - empty - finite];
        let numbers = numbers.iter().map(usize::to_string);
        let cells = numbers.chain([longest.to_string(), latest.unwrap_or_default()]);
        table.add_row([level.to_string()].into_iter().chain(cells));
        let each = periods.iter().map(|(period, keys)| {
            let of = if keys.len() == 1 { "row" } else { "rows, first" };
            format!("{period} ({} {of} {})", keys.len(), row_name(keys[0]))
        });
        let each = if periods.is_empty() { "none".to_owned() } else { joined(each, ", ") };
        lines.push(format!("Periods at level {level}: {each}.\n"));
    }
    format!("{table}\n\n{}\n", lines.concat())
}

fn describe(poset: &GrowingPoset) -> Result<(), Error> {
    output::print((poset.lines().join("\n") + "\n").as_bytes())
}

fn list() -> String {
    let lines = GROWING.iter().map(|(usage, what)| format!("{usage:<16}  {what}\n"));
    format!(
        "{}FILE              relations, one a line: chomp family --help\n\n\
         POSET is a name with its numbers that `chomp poset` lists, such as solid cube; no file. \
         Each with `chomp family` before it computes all rows.\n",
        lines.collect::<String>()
    )
}

/// The description of a family with a name, or of a file.
fn text(words: &[String]) -> Result<String, Error> {
    match (growing(&words.join(" ")), words) {
        (Ok(text), _) => Ok(text),
        (Err(PosetError::Name { .. }), [file]) => {
            text_of(file, LONGEST_FILE, "`chomp family` lists the families that need no file")
        }
        (Err(PosetError::Name { name, .. }), _) => {
            Err(Error::usage(format!("there is no family {name:?}; `chomp family` lists them")))
        }
        (Err(error), _) => Err(Error::usage(error)),
    }
}
