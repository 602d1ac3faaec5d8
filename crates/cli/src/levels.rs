//! The rows of families that `chomp family` lists or writes.

use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};

use census::{Level, Levels, PeriodCount};
use clap::Args;
use driver::{Engine, Error, Family, HeadForm, Record, Tail, WrittenFamily};
use record::{RowKey, Statement, joined};
use terminal::Watcher;

use crate::failure;
use crate::options::{self, LanguageChoice, Threads, level};
use ask::{json, notation};

/// `A..B`: levels, both included.
fn range(text: &str) -> Result<(u64, u64), String> {
    let (first, last) = notation::range(text)?;
    Ok((first, level(&last.to_string())?))
}

/// The levels that are asked for, level 0 if none is given.
#[derive(Clone, Copy, Debug, Args)]
pub struct ChosenLevels {
    /// The level: positions with this Grundy value.
    #[arg(long, value_name = "G", value_parser = level, allow_hyphen_values = true,
        conflicts_with = "levels")]
    level: Option<u64>,
    /// The levels, both included.
    #[arg(long, value_name = "A..B", value_parser = range)]
    levels: Option<(u64, u64)>,
}

impl ChosenLevels {
    /// The rows of these levels with tails that contain `from`.
    pub fn asked(self, from: Tail) -> Asked {
        let level = self.level.unwrap_or(0);
        let (first, last) = self.levels.unwrap_or((level, level));
        Asked { levels: first..=last, several: self.levels.is_some(), from }
    }

    /// The same choice, or levels 0 to `highest` if none was given.
    pub fn or_to(self, highest: u64) -> Self {
        let all = self.level.is_none().then_some((0, highest));
        Self { levels: self.levels.or(all), ..self }
    }
}

/// How rows of levels and tails are printed or written.
#[derive(Debug, Args)]
pub struct Listing {
    /// Print a header line, and tab-separated columns: row or tail, kind, period, start. The kind
    /// is finite, periodic or empty. A finite row has period 0, and its last column as start; an
    /// empty row has period 0, and the x that it is empty by. If levels were asked for, the level
    /// comes first.
    #[arg(long, conflicts_with_all = ["json", "language"])]
    tsv: bool,
    /// Print each row as JSON, one per line: `chomp help json`.
    #[arg(long, conflicts_with = "language")]
    pub json: bool,
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
    pub threads: Threads,
}

impl Listing {
    /// Refuses options that have no effect on rows that are read.
    pub fn refuse_reading(&self) -> Result<(), Error> {
        options::none(self.out.as_ref().map(|_| "--out"), "the rows are in a data set already")?;
        options::none(self.full.then_some("--full"), "the data set has its own form of heads")?;
        options::none(self.threads.given(), "the rows are read, not computed")
    }

    /// Prints or writes the rows; the header calls them `name`.
    pub fn rows(&self, family: &Family, asked: &Asked, name: &str) -> Result<(), Error> {
        match &self.out {
            Some(_) if asked.several && *asked.levels.start() > 0 => {
                let last = asked.highest();
                Err(Error::usage(format!(
                    "a data set has all levels from 0 on; with --out write --levels 0..{last}"
                )))
            }
            Some(folder) => write(&self.threads.engine(), folder, family, self.form()),
            None => self.print(&self.compute(family, self.form())?, asked, name),
        }
    }

    fn form(&self) -> HeadForm {
        let in_full = self.full || self.language.chosen().is_some();
        if in_full { HeadForm::Offsets } else { HeadForm::Fingerprint }
    }

    /// The rows of a family.
    pub fn compute(&self, family: &Family, form: HeadForm) -> Result<Vec<Record>, Error> {
        let go_on = |_: &Record| ControlFlow::Continue(());
        self.threads.engine().family(family, form, &Watcher::new()?, go_on)
    }

    /// Prints these rows; the header calls them `name`.
    pub fn print(&self, rows: &[Record], asked: &Asked, name: &str) -> Result<(), Error> {
        if let Some(language) = self.language.chosen() {
            let asked = rows.iter().filter(|record| asked.has(record)).enumerate();
            let texts = asked.map(|(index, record)| language.listed(record, index == 0));
            return failure::print(texts.collect::<Result<String, _>>()?.as_bytes());
        }
        let level = if asked.several { "level\t" } else { "" };
        let header = format!("{level}{name}\tkind\tperiod\tstart\n");
        let header = self.tsv.then_some(header);
        let asked_for = rows.iter().filter(|record| asked.has(record));
        let lines = header.into_iter().chain(asked_for.map(|record| self.line(record, asked)));
        failure::print(lines.collect::<Vec<_>>().concat().as_bytes())
    }

    fn line(&self, record: &Record, asked: &Asked) -> String {
        match (self.tsv, self.json) {
            (true, _) if asked.several => format!("{}\t{}\n", record.key().level, tsv(record)),
            (true, _) => tsv(record) + "\n",
            (_, true) => json::line(record),
            _ => format!("{record}\n"),
        }
    }
}

/// The requested rows of a family.
pub struct Asked {
    /// The levels, and whether they were typed as a range.
    levels: RangeInclusive<u64>,
    several: bool,
    /// The tails that contain this one.
    from: Tail,
}

impl Asked {
    /// The highest level.
    pub fn highest(&self) -> u64 {
        *self.levels.end()
    }

    pub fn has(&self, record: &Record) -> bool {
        self.levels.contains(&record.key().level) && record.key().tail().contains(&self.from)
    }
}

/// `120`, `3,2`, `{a,b}`.
fn row_name(key: &RowKey) -> String {
    key.ideal().map_or_else(|| tail_name(key.tail().parts()), ToString::to_string)
}

fn tail_name(tail: &[u64]) -> String {
    if tail.is_empty() { "0".to_owned() } else { joined(tail, ",") }
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

fn write(engine: &Engine, folder: &Path, family: &Family, form: HeadForm) -> Result<(), Error> {
    let WrittenFamily { rows, verdict, held } =
        engine.write_family(folder, family, form, &Watcher::new()?)?;
    let name = failure::shown(folder);
    if held {
        tracing::info!("{name} holds {family} already; nothing to compute");
    } else {
        tracing::info!("wrote {family} to {name}");
    }
    let mut levels = Levels::default();
    for row in &rows {
        levels.add(row);
    }
    let text = format!(
        "{}Each row is proved: a finite one by computing it to its end, a periodic one by a state that\n\
         recurs, an empty one by the row that makes it so (facts 3, 12 and 13 of the proofs).\n\
         Read back and verified, depths structure and tails: {}.\n\
         `chomp check --heads` verifies all of it, and assumes nothing.\n",
        table(&levels),
        verdict.proved()
    );
    failure::print(text.as_bytes())
}

/// The number of rows of each kind by level, and which periods occur.
pub fn table(levels: &Levels) -> String {
    let header = ["level", "rows", "empty", "finite", "periodic", "longest", "latest start"];
    let mut table = ask::table(header, |_| false);
    for level in levels.iter() {
        let longest = level.periods.last().map_or(0, |last| last.period);
        let Level { level: number, empty, finite, periodic, latest, .. } = level;
        let mut line = [*number, level.rows(), *empty, *finite, *periodic, longest]
            .map(|number| number.to_string())
            .to_vec();
        let latest = latest.as_ref();
        line.push(latest.map_or(String::new(), |latest| {
            let name = latest.ideal.clone().unwrap_or_else(|| tail_name(&latest.tail));
            format!("{} ({name})", latest.start)
        }));
        table.add_row(line);
    }
    let periods: String = levels.iter().map(periods).collect();
    format!("{table}\n\n{periods}\n")
}

/// A line on the periods of a level.
fn periods(level: &Level) -> String {
    let number = level.level;
    if level.periods.is_empty() {
        return format!("Periods at level {number}: none.\n");
    }
    let each = level.periods.iter().map(|count| {
        let PeriodCount { period, rows, first_tail, first_ideal } = count;
        let of = if *rows == 1 { "row" } else { "rows, first" };
        let name = first_ideal.clone().unwrap_or_else(|| tail_name(first_tail));
        format!("{period} ({rows} {of} {name})")
    });
    format!("Periods at level {number}: {}.\n", joined(each, ", "))
}
