//! `chomp grundy` and `chomp tail`: levels, and more than three rows.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::Path;

use comfy_table::{CellAlignment, Table, presets};
use driver::{Engine, Family, HeadForm, KeyedRecord, KeyedStatement, Tail, WrittenFamily};
use record::{RowObject, Statement};
use terminal::Watcher;

use crate::arguments::{GrundyArguments, Listing, TailArguments};
use crate::failure::{self, Failure};
use crate::json;
use crate::notation;

/// Rows of levels of three-rowed Chomp.
pub fn grundy(arguments: &GrundyArguments) -> anyhow::Result<()> {
    let levels = levels(arguments.level, arguments.levels);
    let family = Family::three_rowed(*levels.end(), arguments.to.unwrap_or(0));
    let asked = Asked { several: arguments.levels.is_some(), levels, from: Tail::default() };
    run(&family, &asked, "row", &arguments.listing)
}

/// Rows of tails.
pub fn tail(arguments: &TailArguments) -> anyhow::Result<()> {
    let levels = levels(arguments.level, arguments.levels);
    let (within, from) = match arguments.parts {
        Some(parts) => (all_tails(parts, arguments.to.unwrap_or(0))?, Tail::default()),
        None => lengthened(&arguments.tail.join(" "), arguments.to)?,
    };
    let family = Family { level: *levels.end(), within };
    run(
        &family,
        &Asked { several: arguments.levels.is_some(), levels, from },
        "tail",
        &arguments.listing,
    )
}

fn levels(one: Option<u64>, several: Option<(u64, u64)>) -> RangeInclusive<u64> {
    let one = one.unwrap_or(0);
    several.map_or(one..=one, |(first, last)| first..=last)
}

/// What contains all tails of so many parts, the first no longer than this.
fn all_tails(parts: u64, longest: u64) -> anyhow::Result<Tail> {
    let parts = usize::try_from(parts).ok().filter(|parts| *parts <= 1000);
    let parts = parts.ok_or_else(|| Failure::Usage("--parts goes to 1000".to_owned()))?;
    let parts = if longest == 0 { Vec::new() } else { vec![longest; parts] };
    Ok(Tail::new(parts).map_err(|error| Failure::Usage(error.to_string()))?)
}

/// The tail with its first part lengthened to `to`, and as it was typed.
fn lengthened(text: &str, to: Option<u64>) -> anyhow::Result<(Tail, Tail)> {
    let usage = |words: String| Failure::Usage(words);
    let tail = notation::tail(text)?;
    let (Some(to), first) = (to, tail.first_column()) else { return Ok((tail.clone(), tail)) };
    if first == 0 {
        return Err(usage("the tail () has no first part that could go --to".to_owned()).into());
    }
    if to < first {
        return Err(usage(format!("the first part of {tail} is {first}, past --to {to}")).into());
    }
    let parts = [&[to], &tail.parts()[1..]].concat();
    Ok((Tail::new(parts).map_err(|error| usage(error.to_string()))?, tail))
}

/// Which rows of a family were asked for.
struct Asked {
    levels: RangeInclusive<u64>,
    /// Whether they were asked for as several.
    several: bool,
    /// The tails that contain this one.
    from: Tail,
}

impl Asked {
    fn has(&self, record: &KeyedRecord) -> bool {
        self.levels.contains(&record.key().level) && record.key().tail.contains(&self.from)
    }
}

fn run(family: &Family, asked: &Asked, name: &str, listing: &Listing) -> anyhow::Result<()> {
    let form = if listing.full { HeadForm::Offsets } else { HeadForm::Fingerprint };
    let (engine, watcher) = (listing.engine.chosen(), Watcher::new()?);
    if let Some(folder) = &listing.out {
        return write(&engine, folder, family, form, &watcher);
    }
    let rows = engine.family(family, form, &watcher, |_| ControlFlow::Continue(()))?;
    let mut text = String::new();
    if listing.tsv {
        let level = if asked.several { "level\t" } else { "" };
        writeln!(text, "{level}{name}\tkind\tperiod\tstart")?;
    }
    for record in rows.iter().filter(|record| asked.has(record)) {
        if listing.tsv {
            let level =
                if asked.several { format!("{}\t", record.key().level) } else { String::new() };
            writeln!(text, "{level}{}", tsv(record))?;
        } else if listing.json {
            text += &json::line(&RowObject::from(record))?;
        } else {
            writeln!(text, "{record}")?;
        }
    }
    failure::print(text.as_bytes())
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
