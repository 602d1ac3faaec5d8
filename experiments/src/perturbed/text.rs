//! The lines of `experiments perturbed`.

use std::fmt::{Display, Write};

use byrnes::Perturbation;
use record::joined;

use super::statistics::{PeriodicRow, PerturbedStatistics, READ};

/// The rows of one recurrence, tab-separated.
pub fn rows(perturbation: &Perturbation, found: &PerturbedStatistics) -> String {
    let not = if perturbation.is_chomp() { "Chomp, not perturbed" } else { "Not Chomp" };
    let mut text = format!(
        "# {not}: {perturbation}\n# No row is certified: periods are read from {READ} columns.\n\
         row\tkind\tend\tperiod\tmean\th\tballs\ttaken\tvalues\n"
    );
    let mut periodic = found.periodic.iter().peekable();
    for row in 0..found.rows {
        let cells = match periodic.next_if(|periodic| periodic.row == row) {
            Some(periodic) => of_periodic(periodic),
            None => format!("finite\t{}\t\t\t\t\t\t", number(found.ends.get(&row).copied())),
        };
        writeln!(text, "{row}\t{cells}").expect("a string can always be written to");
    }
    text
}

/// Kind, end, period, mean, h, balls, taken, values.
fn of_periodic(row: &PeriodicRow) -> String {
    let h = row.h;
    let Some(read) = &row.read else { return format!("periodic\t\t\t\t{h}\t\t\t") };
    let (balls, taken) = read.met.unzip();
    let [balls, taken] = [balls, taken].map(number);
    let (period, mean, values) = (read.values.len(), read.mean, joined(&read.values, ","));
    format!("periodic\t\t{period}\t{mean}\t{h}\t{balls}\t{taken}\t{values}")
}

/// The header line of the table of recurrences.
pub fn header() -> String {
    let ranges = ["equation", "ends", "diagonal", "rows_of_ends", "columns_of_ends"];
    let ranges = joined(ranges.map(|name| format!("{name}_least\t{name}_largest")), "\t");
    let names = "mean_less_F\texcess\tperiods\tnot_read\ttakes_h\ttakes_fewer";
    let statements = PerturbedStatistics::default().statements();
    let statements = statements.map(|(name, _)| format!("{name}\t{name}, cases\t{name}, last"));
    format!(
        "rows\tperiodic\tD_least\tD_largest\tD_width\t{ranges}\t{names}\t{}\tperturbation\n",
        joined(statements, "\t")
    )
}

/// The line of a recurrence in that table: of each statement the number of failures, that of cases,
/// and the last failure; and the number of rows for each period.
pub fn line_of(perturbation: &Perturbation, found: &PerturbedStatistics) -> String {
    let strip = found.discrepancy.expect("there is row 0");
    let [least, largest] = strip.nearest(3);
    let range = |strip: census::statistics::Strip| joined(strip.nearest(0), "\t");
    let ranges = found.estimates.named().map(|(_, _, strip)| strip.map_or("\t".into(), range));
    let periods = found.periods.iter().map(|(period, rows)| format!("{period}:{rows}"));
    let statements = found
        .statements()
        .map(|(_, cases)| format!("{}\t{}\t{}", cases.failures, cases.number, number(cases.last)));
    format!(
        "{}\t{}\t{least}\t{largest}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{perturbation}\n",
        found.rows,
        found.periodic.len(),
        strip.width().nearest(3),
        joined(ranges, "\t"),
        number(found.mean_less_finite),
        found.largest_excess,
        joined(periods, ","),
        found.unread,
        found.taken.0,
        found.taken.1,
        joined(statements, "\t"),
    )
}

/// A number, or nothing.
fn number(number: Option<impl Display>) -> String {
    number.map_or(String::new(), |number| number.to_string())
}
