//! `chomp family`: rows of levels, of tails, and of any finite poset beside two growing chains.

use std::path::Path;

use ask::notation::{self, number, row};
use census::{Decimal, Level, Levels, PeriodCount, ends_in_rows_above};
use clap::{ArgGroup, Args};
use driver::{DataSet, Error, Family, HeadForm, Record, Tail};
use posets::{GROWING, Growing, PosetError};
use record::{Certificate, GrowingPoset, Lower, Periodic, joined};

use crate::failure;
use crate::levels::{Asked, ChosenLevels, Listing};

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
#[command(group = ArgGroup::new("family").multiple(true).args(["words", "to"]))]
#[command(group = ArgGroup::new("of_rows").multiple(true).requires("family").args(["tail",
    "describe", "summary", "level", "levels", "tsv", "json", "out", "full", "latex", "sage", "pari",
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
    /// A family that has a name, or a file with a description, where `-` is standard input, or the
    /// folder of a data set of such rows, which are printed. With --tail, the row lengths of a
    /// tail, the longest first; `()` has none.
    #[arg(value_name = "FAMILY | TAIL", allow_negative_numbers = true)]
    words: Vec<String>,
    /// Compute the row of a tail.
    #[arg(long, conflicts_with_all = ["describe", "summary"])]
    tail: bool,
    /// All tails with at most K rows.
    #[arg(long, value_name = "K", value_parser = number, allow_hyphen_values = true,
        requires = "to", conflicts_with_all = ["words", "describe", "summary"])]
    parts: Option<u64>,
    /// The last row of the levels, or the longest first row of a tail. Of a given tail the first
    /// row goes from its own length to this one, and its other rows stay.
    #[arg(long, value_name = "N", value_parser = row, allow_hyphen_values = true,
        requires = "several", conflicts_with_all = ["describe", "summary"])]
    to: Option<u64>,
    /// Print the description, one relation a line, and compute nothing.
    #[arg(long, conflicts_with_all = ["level", "levels", "summary", "tsv", "json", "out", "full",
        "language", "threads"])]
    describe: bool,
    /// Print a line for each level: its rows by kind, the periodic ones in 1000, its periods with
    /// the number of rows of each, the latest start, the most holes of a state U below its greatest
    /// member, the rows with more than one, and the finite rows that end with a p which a row of a
    /// larger ideal has in an earlier column (empty if records lack their offsets).
    #[arg(long, conflicts_with_all = ["tsv", "json", "out", "full", "language"])]
    summary: bool,
    #[command(flatten)]
    levels: ChosenLevels,
    #[command(flatten)]
    listing: Listing,
}

/// The longest file, in bytes.
const LONGEST_FILE: u64 = 10_000_000;

/// Computes a family, describes it, or lists those that have a name.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    match (&arguments.words[..], arguments.to) {
        ([], None) => failure::print_list(&list()),
        ([], _) => of_tails(arguments),
        _ if arguments.tail => of_tails(arguments),
        (_, Some(_)) => {
            Err(Error::usage("--to cannot be used with a family, whose words say how large it is"))
        }
        ([folder], _) if Path::new(folder).is_dir() => of_data_set(Path::new(folder), arguments),
        _ => of_poset(arguments),
    }
}

/// Rows of a poset beside two chains.
fn of_poset(arguments: &Arguments) -> Result<(), Error> {
    let text = text(&arguments.words)?;
    let at_fault = |error: &dyn std::fmt::Display| match arguments.words.as_slice() {
        [file] => Error::file(format!("{file}: {error}")),
        _ => Error::usage(error),
    };
    let poset: GrowingPoset = text.parse().map_err(|error| at_fault(&error))?;
    if arguments.describe {
        return describe(&poset);
    }
    let asked = arguments.levels.asked(Tail::default());
    let family = Family::of_poset(asked.highest(), poset).map_err(|error| at_fault(&error))?;
    if arguments.summary {
        let rows = arguments.listing.compute(&family, HeadForm::Offsets)?;
        return print_summary(&arguments.words.join(" "), &family, &rows, &asked);
    }
    arguments.listing.rows(&family, &asked, "ideal")
}

/// Rows of levels, by default of level 0, or of tails.
fn of_tails(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { words, tail, parts, to, levels, listing, .. } = arguments;
    let last = to.unwrap_or(0);
    let (within, from, name) = match parts {
        Some(parts) => (all_tails(*parts, last)?, Tail::default(), "tail"),
        None if *tail => {
            let (within, from) = lengthened(&words.join(" "), *to)?;
            (within, from, "tail")
        }
        None => (Tail::of_row(last), Tail::default(), "row"),
    };
    let asked = levels.asked(from);
    listing.rows(&Family::of_tails(asked.highest(), within), &asked, name)
}

/// The largest tail with this number of parts, each of this length.
fn all_tails(parts: u64, longest: u64) -> Result<Tail, Error> {
    let parts = usize::try_from(parts).ok().filter(|parts| *parts <= 1000);
    let parts = parts.ok_or_else(|| Error::usage("--parts goes to 1000"))?;
    let parts = if longest == 0 { Vec::new() } else { vec![longest; parts] };
    Tail::new(parts).map_err(Error::usage)
}

/// The tail with its first part lengthened to `to`, and the typed tail.
fn lengthened(text: &str, to: Option<u64>) -> Result<(Tail, Tail), Error> {
    let tail = notation::tail(text)?;
    let (Some(to), first) = (to, tail.first_column()) else { return Ok((tail.clone(), tail)) };
    if first == 0 {
        return Err(Error::usage("the tail () has no first part that could go --to"));
    }
    if to < first {
        return Err(Error::usage(format!("the first part of {tail} is {first}, past --to {to}")));
    }
    let parts = [&[to], &tail.parts()[1..]].concat();
    Ok((Tail::new(parts).map_err(Error::usage)?, tail))
}

/// Prints the rows of a data set.
fn of_data_set(folder: &Path, arguments: &Arguments) -> Result<(), Error> {
    let data_set = DataSet::open_any(folder)?;
    let family = data_set.family();
    let Lower::Ideals(ideals) = &family.lower else {
        let folder = failure::shown(folder);
        let words = format!("{folder} holds {family}, no family of ideals; `chomp show` reads it");
        return Err(Error::usage(words));
    };
    if arguments.describe {
        return describe(ideals.poset());
    }
    arguments.listing.refuse_reading()?;
    let rows: Vec<Record> = data_set.rows().collect::<Result<_, _>>()?;
    let asked = arguments.levels.or_to(family.level).asked(Tail::default());
    if arguments.summary {
        return print_summary(&failure::shown(folder), &family, &rows, &asked);
    }
    arguments.listing.print(&rows, &asked, "ideal")
}

fn describe(poset: &GrowingPoset) -> Result<(), Error> {
    failure::print((poset.lines().join("\n") + "\n").as_bytes())
}

/// Prints tab-separated lines, one for each level.
fn print_summary(name: &str, family: &Family, rows: &[Record], asked: &Asked) -> Result<(), Error> {
    let Lower::Ideals(ideals) = &family.lower else { return Ok(()) };
    let mut levels = Levels::default();
    for record in rows.iter().filter(|record| asked.has(record)) {
        levels.add(record);
    }
    let header = "family\tlevel\trows\tempty\tfinite\tperiodic\tin_1000\tperiods\tlatest_start\t\
                  most_holes\tmore_holes\tends_above\n";
    let lines = levels.iter().map(|own| {
        let &Level { level, empty, finite, periodic, .. } = own;
        let count = |count: &PeriodCount| format!("{}:{}", count.period, count.rows);
        let periods = joined(own.periods.iter().map(count), " ");
        let latest = own.latest.as_ref().map_or(String::new(), |latest| latest.start.to_string());
        let of_level: Vec<&Record> =
            rows.iter().filter(|record| record.key().level == level).collect();
        let holes: Vec<u64> =
            of_level.iter().filter_map(|record| record.periodic()).map(holes).collect();
        let shown = |number: Option<u64>| number.map_or(String::new(), |own| own.to_string());
        let most = shown(holes.iter().copied().max());
        let more = holes.iter().filter(|holes| **holes > 1).count();
        let above = shown(ends_in_rows_above(ideals.list(), &of_level));
        let (rows, share) = (own.rows(), Decimal::ratio(1000 * periodic, own.rows(), 1));
        format!(
            "{name}\t{level}\t{rows}\t{empty}\t{finite}\t{periodic}\t{share}\t{periods}\t{latest}\t\
             {most}\t{more}\t{above}\n"
        )
    });
    failure::print((header.to_owned() + &lines.collect::<String>()).as_bytes())
}

/// The offsets that are not in U(from), and less than a member.
fn holes(row: &Periodic) -> u64 {
    let Certificate { filled, above, .. } = &row.certificate;
    above.last().map_or(0, |last| last - filled - (above.len() as u64 - 1))
}

fn list() -> String {
    let lines = GROWING.iter().map(|(usage, what)| format!("{usage:<16}  {what}\n"));
    format!(
        "{}FILE              relations, one a line: chomp family --help\n\n\
         `chomp poset` lists what POSET can be. Each with `chomp family` before it computes all \
         rows.\n",
        lines.collect::<String>()
    )
}

/// The description of a family with a name, or of a file.
fn text(words: &[String]) -> Result<String, Error> {
    match (words.join(" ").parse::<Growing>(), words) {
        (Ok(growing), _) => Ok(growing.text().to_owned()),
        (Err(PosetError::Name { .. }), [file]) => {
            files::text_or_stdin(Path::new(file), LONGEST_FILE).map_err(|error| {
                let hint = "`chomp family` lists the families that need no file";
                Error::file(format!("cannot read {file}: {error}; {hint}"))
            })
        }
        (Err(PosetError::Name { name, .. }), _) => {
            Err(Error::usage(format!("there is no family {name:?}; `chomp family` lists them")))
        }
        (Err(error), _) => Err(Error::usage(error)),
    }
}
