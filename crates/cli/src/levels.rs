//! Rows of levels and tails as `chomp grundy` and `chomp tail` list or write them.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use driver::{Engine, Family, HeadForm, KeyedRecord, KeyedStatement, Tail, WrittenFamily};
use record::{RowObject, Statement};
use terminal::Watcher;

use crate::failure::{self, Failure};
use crate::options::{self, EngineChoice, at_most};
use crate::{json, notation};

/// The largest level: there are no tables near it.
const LARGEST_LEVEL: u64 = 1_000_000;

/// A level.
pub fn level(text: &str) -> Result<u64, String> {
    at_most(text, LARGEST_LEVEL, "levels go to")
}

/// `A..B`: levels, both included.
pub fn range(text: &str) -> Result<(u64, u64), String> {
    let (first, last) = notation::range(text)?;
    if last <= LARGEST_LEVEL {
        Ok((first, last))
    } else {
        Err(format!("levels go to {LARGEST_LEVEL}"))
    }
}

/// How rows of levels and tails are printed or written.
#[derive(Debug, Args)]
pub struct Listing {
    /// Print a header line, and tab-separated columns: row or tail, kind, period, start. The kind
    /// is finite, periodic or empty. A finite row has period 0, and its last column as start; an
    /// empty row has period 0, and the x that it is empty by. If levels were asked for, the level
    /// comes first.
    #[arg(long, conflicts_with = "json")]
    tsv: bool,
    /// Print each row as JSON, one per line: docs/JSON.md.
    #[arg(long)]
    pub json: bool,
    /// Write a data set to this folder, which is created if it does not exist. It is written when
    /// all rows are known: a run that is interrupted before leaves the folder as it was. Then it is
    /// verified. A smaller data set is not extended.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["tsv", "json"])]
    out: Option<PathBuf>,
    /// Say every offset of each pre-period instead of a fingerprint.
    #[arg(long, conflicts_with = "tsv")]
    full: bool,
    #[command(flatten)]
    pub engine: EngineChoice,
}

impl Listing {
    /// Refuses what would do nothing, or would leave a data set incomplete.
    pub fn refuse_useless(&self, levels: Option<(u64, u64)>) -> Result<(), Failure> {
        let why = "rows of levels and tails are found without vectors";
        options::none(self.engine.given().kernel, why)?;
        self.engine.refuse_useless(false)?;
        match levels {
            Some((first, last)) if first > 0 && self.out.is_some() => Err(Failure::Usage(format!(
                "a data set has all levels from 0 on; with --out write --levels 0..{last}"
            ))),
            _ => Ok(()),
        }
    }

    /// Prints or writes the rows; the header calls them `name`.
    pub fn rows(&self, family: &Family, asked: &Asked, name: &str) -> anyhow::Result<()> {
        let form = if self.full { HeadForm::Offsets } else { HeadForm::Fingerprint };
        let (engine, watcher) = (self.engine.chosen(), Watcher::new()?);
        if let Some(folder) = &self.out {
            return write(&engine, folder, family, form, &watcher);
        }
        let rows = engine.family(family, form, &watcher, |_| ControlFlow::Continue(()))?;
        let mut text = String::new();
        if self.tsv {
            let level = if asked.several { "level\t" } else { "" };
            writeln!(text, "{level}{name}\tkind\tperiod\tstart")?;
        }
        for record in rows.iter().filter(|record| asked.has(record)) {
            if self.tsv {
                let level =
                    if asked.several { format!("{}\t", record.key().level) } else { String::new() };
                writeln!(text, "{level}{}", tsv(record))?;
            } else if self.json {
                text += &json::line(&RowObject::from(record))?;
            } else {
                writeln!(text, "{record}")?;
            }
        }
        failure::print(text.as_bytes())
    }
}

/// Which rows of a family were asked for.
pub struct Asked {
    /// The levels, and whether they were asked for as several.
    levels: RangeInclusive<u64>,
    several: bool,
    /// The tails that contain this one.
    from: Tail,
}

impl Asked {
    /// The rows of one level, by default 0, or of several, with tails that contain `from`.
    pub fn of(level: Option<u64>, levels: Option<(u64, u64)>, from: Tail) -> Self {
        let level = level.unwrap_or(0);
        let (first, last) = levels.unwrap_or((level, level));
        Self { levels: first..=last, several: levels.is_some(), from }
    }

    /// The highest level.
    pub fn highest(&self) -> u64 {
        *self.levels.end()
    }

    fn has(&self, record: &KeyedRecord) -> bool {
        self.levels.contains(&record.key().level) && record.key().tail.contains(&self.from)
    }
}

/// `120`, `3,2`.
fn row_name(record: &KeyedRecord) -> String {
    let parts: Vec<String> = record.key().tail.parts().iter().map(u64::to_string).collect();
    if parts.is_empty() { "0".to_owned() } else { parts.join(",") }
}

/// `row<TAB>kind<TAB>period<TAB>start`.
fn tsv(record: &KeyedRecord) -> String {
    let row = row_name(record);
    match record.statement() {
        KeyedStatement::Empty { by } => format!("{row}\tempty\t0\t{by}"),
        KeyedStatement::Row(Statement::Finite(finite)) => {
            format!("{row}\tfinite\t0\t{}", finite.last)
        }
        KeyedStatement::Row(Statement::Periodic(periodic)) => {
            format!("{row}\tperiodic\t{}\t{}", periodic.period(), periodic.start)
        }
    }
}

fn write(
    engine: &Engine,
    folder: &Path,
    family: &Family,
    form: HeadForm,
    watcher: &Watcher,
) -> anyhow::Result<()> {
    let WrittenFamily { rows, verdict, held } =
        engine.write_family(folder, family, form, watcher)?;
    let name = failure::shown(folder);
    if held {
        tracing::info!("{name} holds {family} already; nothing to compute");
    } else {
        tracing::info!("wrote {family} to {name}");
    }
    let text = format!(
        "{}Each row is proved: a finite one by computing it to its end, a periodic one by a state that\n\
         recurs, an empty one by the row that makes it so (facts 3 and 12 of proofs/README.md).\n\
         Read back and verified, depths structure and tails: {}.\n\
         `chomp check --heads` verifies all of it, and assumes nothing.\n",
        table(&rows),
        verdict.proved()
    );
    failure::print(text.as_bytes())
}

/// What a level has.
#[derive(Default)]
struct Counts {
    empty: u64,
    finite: u64,
    /// For each period how many rows have it, and the first of them.
    periods: BTreeMap<u64, (u64, String)>,
    /// The column from which the last row repeats, and the row.
    latest: Option<(u64, String)>,
}

/// The number of rows of each kind by level, and which periods occur.
fn table(rows: &[KeyedRecord]) -> String {
    let mut levels: BTreeMap<u64, Counts> = BTreeMap::new();
    for record in rows {
        levels.entry(record.key().level).or_default().add(record);
    }
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["level", "rows", "empty", "finite", "periodic", "longest", "latest start"]);
    for (level, counts) in &levels {
        let periodic: u64 = counts.periods.values().map(|(rows, _)| rows).sum();
        let longest = counts.periods.keys().max().copied().unwrap_or(0);
        let all = counts.empty + counts.finite + periodic;
        let mut line = [*level, all, counts.empty, counts.finite, periodic, longest]
            .map(|number| number.to_string())
            .to_vec();
        let latest = counts.latest.as_ref();
        line.push(latest.map_or(String::new(), |(start, row)| format!("{start} ({row})")));
        table.add_row(line);
    }
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let periods: String = levels.iter().map(|(level, counts)| counts.periods(*level)).collect();
    format!("{table}\n\n{periods}\n")
}

impl Counts {
    fn add(&mut self, record: &KeyedRecord) {
        let name = row_name(record);
        match record.statement() {
            KeyedStatement::Empty { .. } => self.empty += 1,
            KeyedStatement::Row(Statement::Finite(_)) => self.finite += 1,
            KeyedStatement::Row(Statement::Periodic(periodic)) => {
                if self.latest.as_ref().is_none_or(|(start, _)| *start < periodic.start) {
                    self.latest = Some((periodic.start, name.clone()));
                }
                self.periods.entry(periodic.period()).or_insert((0, name)).0 += 1;
            }
        }
    }

    /// A line on the periods that occur.
    fn periods(&self, level: u64) -> String {
        if self.periods.is_empty() {
            return format!("Periods at level {level}: none.\n");
        }
        let each = self.periods.iter().map(|(period, (rows, first))| {
            let of = if *rows == 1 { "row" } else { "rows, first" };
            format!("{period} ({rows} {of} {first})")
        });
        format!("Periods at level {level}: {}.\n", each.collect::<Vec<_>>().join(", "))
    }
}
