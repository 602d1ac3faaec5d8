//! `chomp stats`: the figures of section 8 of the 2005 paper, section by section.

use std::fmt::{Display, Write};

use ask::SourceObject;
use census::statistics::{
    CellStatistics, Complementarity, Ends, Estimates, Extreme, Monotonicity, Occurrences,
    PeriodicRows, RowMinima, Statistics, Strip, Terms,
};
use census::{Decimal, Holes};
use clap::{ArgGroup, Args};
use driver::Error;
use serde::Serialize;
use terminal::Watcher;

use super::rows;
use crate::output;
use ask::input::{RowsFrom, row, visit_rows};

/// Print the statistics of section 8 of the 2005 paper.
///
/// These are: the diagonal and its distance from the line of slope 1 + 1/√2; finite rows and where
/// they end; whether the opening move is unique; periods and starts; the errors of three estimates
/// of the next start; with --cells also how often values occur, minima of rows and maxima
/// of columns. Every count says on what range it was computed. Distances from the lines are exact;
/// printed digits are rounded outwards.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  chomp stats --to 2000 --cells")]
#[command(group = ArgGroup::new("source").required(true).multiple(true).args(["to", "data"]))]
pub struct Arguments {
    /// Compute rows 0 to R; with --data, read no rows beyond R.
    #[arg(long, value_name = "R", value_parser = row, allow_hyphen_values = true)]
    to: Option<u64>,
    #[command(flatten)]
    from: RowsFrom,
    /// Count cells (q,r) as well: sections 8.1, 8.3, 8.10 and 8.11. Only with --to, since records
    /// do not hold the cells. Takes two to three times as long.
    #[arg(long, conflicts_with = "data")]
    cells: bool,
    /// Print one JSON object: `chomp help json`.
    #[arg(long)]
    json: bool,
}

/// Decimals of a distance from a line.
const PLACES: u32 = 6;

/// Decimals of a frequency.
const FREQUENCY_PLACES: u32 = 6;

/// Prints the statistics of rows that are computed or read.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let report = find(arguments)?;
    output::print_or(arguments.json, || &report, || report.text())
}

/// The statistics; `--json` prints them.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    source: SourceObject,
    /// Rows 0 to this one were counted.
    last_row: u64,
    rows: Statistics,
    /// Counts of single cells, with `--cells`.
    cells: Option<CellStatistics>,
}

fn find(arguments: &Arguments) -> Result<Report, Error> {
    let (data, engine) = (arguments.from.data.as_deref(), arguments.from.threads.engine());
    let (mut rows, watcher) = (Statistics::default(), Watcher::new()?);
    let (last_row, cells) = if let Some(last) = arguments.to.filter(|_| arguments.cells) {
        (last, Some(engine.cell_statistics(last, &watcher, |record| rows.add(record))?))
    } else {
        let source = arguments.from.open()?;
        (visit_rows(&*source, arguments.to, &watcher, |record| rows.add(record))?, None)
    };
    Ok(Report { source: SourceObject::of(data), last_row, rows, cells })
}

impl Report {
    fn text(&self) -> String {
        let Self { source, last_row, rows, cells, .. } = self;
        let mut report = Paragraphs(format!("Rows 0 to {last_row}: {source}.\n"));
        report.line("Sections and words are those of the 2005 paper: d_n = f(n,n), α = 1 + 1/√2, β = 1 + √2.");
        report
            .line("Least distances are rounded down, largest ones up, frequencies to the nearest.");
        report.kinds(rows);
        report.diagonal(&rows.diagonal);
        report.finite_rows(&rows.finite_rows, &rows.monotonicity);
        report.periodic_rows(&rows.periodic, &rows.summary.holes);
        report.estimates(&rows.estimates);
        // Cells decide more than records do.
        let (decided, minimum, ends, complementarity) = if let Some(cells) = cells {
            let minimum = format!(" and m_{last_row}");
            (cells.complete_to, minimum, &cells.ends, &cells.complementarity)
        } else {
            let decided = rows.complementarity.decided;
            (decided, String::new(), &rows.ends, &rows.complementarity)
        };
        report.ends(ends, &format!(
            "numbers to {decided}, which rows 0 to {last_row}{minimum} decide (fact 5 of the proofs)"
        ));
        report.complementarity(complementarity);
        if let Some(cells) = cells {
            report.columns(cells);
            report.frequencies(cells);
            report.minima(&cells.minima);
        }
        report.0
    }
}

/// The text, as far as it is written.
struct Paragraphs(String);

impl Paragraphs {
    fn line(&mut self, text: impl Display) {
        writeln!(self.0, "{text}").expect("a string can always be written to");
    }

    fn section(&mut self, title: impl Display) {
        self.line(format_args!("\n{title}"));
    }

    fn entry(&mut self, what: impl Display, found: impl Display) {
        self.line(format_args!("  {what:<28} {found}"));
    }

    fn kinds(&mut self, rows: &Statistics) {
        let last = rows.rows - 1;
        self.section(format!("Kinds of rows by decade of r (8.2), rows 0 to {last}"));
        self.0.push_str(&rows::table(&rows.summary));
        if let Some((least, largest)) = rows.summary.excess {
            let [least, largest] =
                [least, largest].map(|excess| Extreme { n: excess.row, distance: excess.distance });
            self.strip("start - √2·r", Some(Strip { least, largest }), "r");
        }
    }

    fn diagonal(&mut self, diagonal: &Terms) {
        self.section(format_args!("Diagonal (8.4), {}", range("d_n", diagonal)));
        self.strip("d_n - αn", diagonal.strip, "n");
        self.differences("d_(n+1) - d_n", diagonal);
    }

    fn finite_rows(&mut self, finite: &Terms, monotonicity: &Monotonicity) {
        self.section(format_args!("Finite rows (8.6) in order of r, {}", range("r_n", finite)));
        self.strip("r_n - αn", finite.strip, "n");
        self.differences("r_(n+1) - r_n", finite);
        let violations = &monotonicity.violations;
        let holds = format!("so for all {} of them", monotonicity.rows);
        self.claim("the later row ends later", violations, "row", &holds);
    }

    fn periodic_rows(&mut self, periodic: &PeriodicRows, holes: &Holes) {
        let number = periodic.number;
        self.section(format_args!("Periodic rows, {number} of them, and their differences Δ"));
        self.strip("D(r), density √2 - 1", periodic.discrepancy, "r");
        self.counts("Δ", "r", periodic.differences.iter());
        self.counts("three Δ", "r", periodic.triples.iter());
        self.counts("h", "r", holes.rows.iter());
        if let Some((excess, row)) = holes.largest_excess() {
            let found = format!("at most {excess} in any interval of rows, first to row {row}");
            self.entry("periodic rows - finite rows", found);
        }
    }

    fn estimates(&mut self, estimates: &Estimates) {
        self.section("Estimates (proofs on uniqueness, 4 and 5), F(r) finite rows below row r");
        for (what, index, strip) in estimates.named() {
            self.strip_to(0, what, strip, index);
        }
    }

    /// Differences, or several in a row, with their numbers and frequencies.
    fn counts<'a, T: Display + 'a>(
        &mut self,
        what: &str,
        index: &str,
        counts: impl Iterator<Item = (&'a T, &'a Occurrences<u64>)> + Clone,
    ) {
        let all: u64 = counts.clone().map(|(_, met)| met.number).sum();
        if all == 0 {
            return;
        }
        self.line(format_args!("  {what:<14} {:>9}  frequency  first {index}", "number"));
        for (difference, met) in counts {
            let frequency = Decimal::ratio(met.number, all, FREQUENCY_PLACES).to_string();
            let first = met.first.map_or(String::new(), |first| first.to_string());
            let difference = difference.to_string();
            let number = met.number;
            self.line(format!("  {difference:>14} {number:>9}  {frequency:>9}  {first:>7}"));
        }
    }

    fn ends(&mut self, ends: &Ends, reach: &str) {
        self.section(format_args!("Ends of finite rows (8.6), {}", range("q_n", &ends.columns)));
        self.line(format_args!("  {reach}"));
        self.strip("q_n - βn", ends.columns.strip, "n");
        self.differences("q_(n+1) - q_n", &ends.columns);
        self.strip("r_n - αn, q_n ends row r_n", ends.rows.strip, "n");
        self.differences("r_(n+1) - r_n", &ends.rows);
        if let Some(strip) = ends.thrice.strip {
            let largest = strip.largest;
            let (distance, n) = (largest.distance.up(0), largest.n);
            self.entry("q_n - 3n (8.8)", format_args!("at most {distance} (n = {n})"));
        }
    }

    fn complementarity(&mut self, found: &Complementarity) {
        let last = found.decided;
        self.section(format!("Complementarity (8.6), numbers 1 to {last}, the same as above"));
        self.claim("neither d_n nor q_n", &found.neither, "number", "none (a theorem, 8.5)");
        self.claim("both a d_n and a q_n", &found.both, "number", "none");
        if found.both.number == 0 {
            let words = "So the winning first move on 3 x n squares is unique for n = 1 to";
            self.line(format!("  {words} {last}."));
        }
    }

    fn columns(&mut self, cells: &CellStatistics) {
        let last_row = cells.last_row;
        self.section(format_args!("Bounds of f(q,r) (8.1, 8.3), cells of rows 0 to {last_row}"));
        if let Some((highest, row, column)) = cells.highest {
            let place = format!("at most {highest} (first at r = {row}, q = {column})");
            self.entry("f(q,r) - q - r", place);
        }
        let none = format!("none of columns 1 to {last_row} (a theorem)");
        self.claim("d_q not largest in column q", &cells.diagonal_not_largest, "column", &none);
    }

    fn frequencies(&mut self, cells: &CellStatistics) {
        let frequencies = &cells.frequencies;
        let complete_to = cells.complete_to;
        self.section(format_args!(
            "Element frequencies (8.10), values c to {complete_to}, cells (q,r) with q < c, f(q,r) = c"
        ));
        let all = format!("none of n = 1 to {}: at q_n - n, .., q_n - 1", frequencies.ends);
        let exceptions = &frequencies.exceptions;
        let first = exceptions.first.map(|(n, _)| n);
        let exceptions = Occurrences { number: exceptions.number, first };
        self.claim("q_n not exactly n times", &exceptions, "n", &all);
        let diagonal = frequencies.diagonal;
        if let Some(strip) = diagonal.twice {
            let words = in_words(0, strip, "n");
            let last = diagonal.number - 1;
            self.entry("2·(occurrences of d_n) - n", format!("{words}, n = 0 to {last}"));
        }
        if let Some(positions) = frequencies.positions.last() {
            let found = format!("{positions} for c = {complete_to}");
            self.entry("P-positions with p <= c", found);
        }
    }

    fn minima(&mut self, minima: &RowMinima) {
        self.section(format_args!(
            "Row minima (8.11), {}, m_r = min f(q,r), q > r, in column k_r",
            range("m_r", &minima.minima).replace("n =", "r =")
        ));
        self.strip("m_r - √2·r", minima.minima.strip, "r");
        self.differences("m_(r+1) - m_r", &minima.minima);
        let all = format!("none of {} finite rows (open)", minima.finite);
        self.claim("row ends, but not at m_r", &minima.end_not_minimum, "row", &all);
        let theorem = "none (a theorem)";
        self.claim("m_(r+1) < m_r", &minima.decreases, "row", theorem);
        self.claim("d_(r+1) < m_r", &minima.diagonal_below, "row", theorem);
        self.claim("m_(r+1) = m_r, k not larger", &minima.repeated_before, "row", theorem);
        self.claim("m_(r+1) = m_r, row r ends so", &minima.repeated_after_end, "row", theorem);
    }

    fn strip(&mut self, what: &str, strip: Option<Strip>, index: &str) {
        self.strip_to(PLACES, what, strip, index);
    }

    fn strip_to(&mut self, places: u32, what: &str, strip: Option<Strip>, index: &str) {
        if let Some(strip) = strip {
            self.entry(what, in_words(places, strip, index));
        }
    }

    fn differences(&mut self, what: &str, terms: &Terms) {
        self.counts(what, "n", terms.differences.counts.iter());
    }

    /// The number of occurrences, or the conclusion if there are none.
    fn claim(&mut self, what: &str, met: &Occurrences<u64>, place: &str, none: &str) {
        match met.first {
            Some(first) => {
                self.entry(what, format_args!("{} times, first at {place} {first}", met.number));
            }
            None => self.entry(what, none),
        }
    }
}

/// A least and a largest distance, to some places, with the n or r where they occur.
fn in_words(places: u32, Strip { least, largest }: Strip, index: &str) -> String {
    let (low, high) = (least.distance.down(places), largest.distance.up(places));
    format!("from {low} ({index} = {}) to {high} ({index} = {})", least.n, largest.n)
}

/// A sequence with the range of its known terms.
fn range(name: &str, terms: &Terms) -> String {
    match terms.last_index() {
        Some(last) => format!("{name} for n = {} to {last}", terms.first_index),
        None => format!("no {name}"),
    }
}
