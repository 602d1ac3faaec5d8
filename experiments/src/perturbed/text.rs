//! The lines of `experiments perturbed`.

use std::collections::BTreeMap;
use std::fmt::Display;

use cascade::Perturbation;
use record::joined;

use super::tally::{PeriodicRow, READ, STATEMENTS, Tally};

/// The rows of one recurrence, tab-separated.
pub fn rows(found: &Tally) -> String {
    let perturbation = &found.perturbation;
    let is_chomp = *perturbation == Perturbation::default();
    let not = if is_chomp { "Chomp, not perturbed" } else { "Not Chomp" };
    let head = format!(
        "# {not}: {perturbation}\n# No row is certified: periods are read from {READ} columns.\n\
         row\tkind\tend\tperiod\tmean\th\tballs\ttaken\tvalues\n"
    );
    let mut periodic = found.periodic.iter();
    let lines = found.rows.iter().enumerate().map(|(number, row)| match row.end {
        Some(end) => format!("{number}\tfinite\t{end}\t\t\t\t\t\t\n"),
        None => periodic.next().map(line_of).expect("a row that does not end is periodic"),
    });
    head + &joined(lines, "")
}

fn line_of(row: &PeriodicRow) -> String {
    let PeriodicRow { row, h, values, mean, met } = row;
    let (balls, taken) = met.ok().map(|met| (met.balls, met.taken)).unzip();
    let [mean, balls, taken] = [*mean, balls, taken].map(or_empty);
    let period = or_empty(Some(values.len()).filter(|&period| period > 0));
    let values = joined(values, ",");
    format!("{row}\tperiodic\t\t{period}\t{mean}\t{h}\t{balls}\t{taken}\t{values}\n")
}

/// The line of a recurrence, after a header line if it is the first: of each statement the number
/// of failures, that of cases, and the last failure; and the number of rows for each period.
pub fn line(found: &Tally, is_first: bool) -> String {
    let mut line = Vec::new();
    let mut add = |name: &str, cell: &dyn Display| line.push((name.to_owned(), cell.to_string()));
    add("rows", &found.rows.len());
    add("periodic", &found.periodic.len());
    let (density, estimates) = found.statistics();
    let strip = density.discrepancy.expect("there is row 0");
    let [least, largest] = strip.nearest(3);
    add("D_least", &least);
    add("D_largest", &largest);
    add("D_width", &strip.width().nearest(3));
    let ranges = ["equation", "ends", "diagonal", "rows_of_ends", "columns_of_ends"];
    for (name, (_, _, strip)) in ranges.into_iter().zip(estimates.named()) {
        let [least, largest] = strip.map_or([None, None], |strip| strip.nearest(0).map(Some));
        add(&format!("{name}_least"), &or_empty(least));
        add(&format!("{name}_largest"), &or_empty(largest));
    }
    add("mean_less_F", &or_empty(found.means().last().map(|(_, less)| less)));
    add("excess", &found.periodic.iter().map(|row| row.h.max(0) + 1).max().unwrap_or(0));
    let mut periods: BTreeMap<usize, u64> = BTreeMap::new();
    found.periodic.iter().for_each(|row| *periods.entry(row.values.len()).or_default() += 1);
    let not_read = periods.remove(&0).unwrap_or(0);
    let rows_of = |(period, rows)| format!("{period}:{rows}");
    add("periods", &joined(periods.iter().map(rows_of), ","));
    add("not_read", &not_read);
    let several = found.periodic.iter().filter_map(|row| row.met.ok()).filter(|of| of.holes >= 2);
    let (all, fewer): (Vec<_>, Vec<_>) = several.partition(|of| of.taken.cast_signed() == of.holes);
    add("takes_h", &all.len());
    add("takes_fewer", &fewer.len());
    for (name, cases) in STATEMENTS {
        let cases = cases(found);
        let failures = || cases.iter().filter(|(_, holds)| !holds);
        add(name, &failures().count());
        add(&format!("{name}, cases"), &cases.len());
        add(&format!("{name}, last"), &or_empty(failures().next_back().map(|(place, _)| place)));
    }
    add("perturbation", &found.perturbation);
    let (names, cells): (Vec<String>, Vec<String>) = line.into_iter().unzip();
    let header = if is_first { names.join("\t") + "\n" } else { String::new() };
    header + &cells.join("\t") + "\n"
}

/// A number, or nothing.
fn or_empty(number: Option<impl Display>) -> String {
    number.map_or(String::new(), |number| number.to_string())
}
