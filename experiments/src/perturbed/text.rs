//! The text of `experiments perturbed`.

use std::fmt::{Display, Write};

use byrnes::Perturbation;
use census::Surd;
use census::statistics::Estimates;
use record::joined;

use super::games::{LATE, PerturbedGames};
use super::statistics::{Cases, PeriodicRow, PerturbedStatistics, READ};

/// Decimals of D(r).
const PLACES: u32 = 3;

/// The statements in one recurrence.
pub fn statements(perturbation: &Perturbation, found: &PerturbedStatistics) -> String {
    let periodic = found.periodic.len();
    let [least, largest] = discrepancy(found);
    let (all, fewer) = found.taken;
    let mut text = title(perturbation, found);
    let mut entry = |name: &str, value: &dyn Display| line(&mut text, name, value);
    entry("periodic rows", &periodic);
    entry("D(r)", &format_args!("from {least} to {largest}"));
    for (name, [least, largest]) in ranges(found) {
        entry(name, &format_args!("from {least} to {largest}"));
    }
    entry("mean - F", &number(found.mean_less_finite));
    entry("largest excess", &found.largest_excess);
    let taken =
        format!("{}, take out h balls {all}, fewer {fewer}", found.one_hole.failures.number);
    entry("rows with h >= 2", &taken);
    let periods = found.periods.iter();
    let periods = periods.map(|(period, rows)| format!("{period} ({})", rows.number));
    entry("periods (rows)", &joined(periods, ", "));
    entry("periods not read", &found.unread.number);
    let header = ["statement", "cases", "failures", "first", "last"];
    let mut table = terminal::table(header, |index| index == 0);
    for (name, Cases { number: cases, failures, last }) in found.statements() {
        let failed = failures.number.to_string();
        table.add_row([
            name.into(),
            cases.to_string(),
            failed,
            number(failures.first),
            number(last),
        ]);
    }
    format!("{text}\n{table}\n")
}

/// The rows of one recurrence, tab-separated.
pub fn rows(perturbation: &Perturbation, found: &PerturbedStatistics) -> String {
    let mut text = format!(
        "# {}\n# No row is certified: periods are read from {READ} columns.\n\
         row\tkind\tend\tperiod\tmean\th\tballs\ttaken\tvalues\n",
        first_line(perturbation)
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
    let (balls, taken) = read.met.map(|(_, balls, taken)| (balls, taken)).unzip();
    let [balls, taken] = [balls, taken].map(number);
    let (period, mean, values) = (read.values.len(), read.mean, joined(&read.values, ","));
    format!("periodic\t\t{period}\t{mean}\t{h}\t{balls}\t{taken}\t{values}")
}

/// The header line of the table of many recurrences.
pub fn header() -> String {
    let ranges = ["D", "equation", "ends", "diagonal", "rows_of_ends", "columns_of_ends"];
    let ranges = joined(ranges.map(|name| format!("{name}_least\t{name}_largest")), "\t");
    let names = format!("rows\tperiodic\t{ranges}\tmean_less_F\texcess\tperiods\tnot_read");
    let statements = PerturbedStatistics::default().statements().map(|(name, _)| name);
    format!("{names}\t{}\tperturbation\n", joined(statements, "\t"))
}

/// The line of one recurrence in that table: of each statement the number of failures.
pub fn line_of(perturbation: &Perturbation, found: &PerturbedStatistics) -> String {
    let [least, largest] = discrepancy(found);
    let estimates = joined(ranges(found).map(|(_, range)| range.join("\t")), "\t");
    let failures = found.statements().map(|(_, cases)| cases.failures.number);
    format!(
        "{}\t{}\t{least}\t{largest}\t{estimates}\t{}\t{}\t{}\t{}\t{}\t{perturbation}\n",
        found.rows,
        found.periodic.len(),
        number(found.mean_less_finite),
        found.largest_excess,
        joined(found.periods.keys(), ","),
        found.unread.number,
        joined(failures, "\t"),
    )
}

/// The statements in many recurrences.
pub fn games(all: &PerturbedGames, last: u32) -> String {
    let mut text = format!(
        "Not Chomp: {} random perturbations, each to row {last}. No row is certified; periods are\n\
         read from {READ} columns.\n\n",
        all.number
    );
    let late = format!("beyond {LATE} in");
    let header = ["statement", "fails in", &late, "failures", "of cases", "last failure"];
    let mut table = terminal::table(header, |index| index == 0);
    let names = PerturbedStatistics::default().statements().map(|(name, _)| name);
    for (name, it) in names.into_iter().zip(&all.statements) {
        let numbers = [it.games, it.late, it.failures, it.cases];
        let [games, late, failures, cases] = numbers.map(|number| number.to_string());
        table.add_row([name.into(), games, late, failures, cases, number(it.last)]);
    }
    writeln!(text, "{table}\n").expect("a string can always be written to");
    let mut entry = |name: &str, value: &dyn Display| line(&mut text, name, value);
    if let (Some((least, largest)), Some((few, many))) = (all.width, all.share) {
        let [least, largest] = [least, largest].map(|width: Surd| width.nearest(PLACES));
        entry("width of D(r)", &format_args!("{least} to {largest}"));
        let share = |(periodic, rows): (u64, u64)| census::Decimal::ratio(periodic, rows, 4);
        entry("periodic rows", &format_args!("{} to {} of all", share(few), share(many)));
    }
    for ((name, ..), found) in Estimates::default().named().into_iter().zip(all.estimates) {
        let Some(found) = found else { continue };
        let [least, largest, widest] = found.map(|it| it.nearest(0));
        let range = format!("{least} to {largest}, in one recurrence at most {widest} apart");
        entry(name, &range);
    }
    let excesses = all.excesses.iter().map(|(excess, games)| format!("{excess} in {games}"));
    entry("largest excess", &joined(excesses, ", "));
    let (balls, fewer) = all.taken;
    entry("rows with h >= 2", &format_args!("take out h balls {balls}, fewer {fewer}"));
    let (periodic, unread) = all.rows;
    entry("periods not read", &format_args!("{unread} of {periodic}"));
    let (often, seldom): (Vec<_>, Vec<_>) =
        all.periods.iter().partition(|(_, (games, _))| 10 * games >= all.number);
    let others =
        seldom.last().map_or(String::new(), |(period, _)| format!(", the last is {period}"));
    entry("other periods", &format_args!("{}{others}", seldom.len()));
    let header = ["period", "recurrences", "rows"];
    let mut table = terminal::table(header, |_| false);
    for (period, (games, rows)) in often {
        table.add_row([period.to_string(), games.to_string(), rows.to_string()]);
    }
    format!("{text}\nPeriods that occur in a tenth of the recurrences, or more:\n\n{table}\n")
}

fn title(perturbation: &Perturbation, found: &PerturbedStatistics) -> String {
    let last = found.rows.saturating_sub(1);
    format!(
        "{}\nRows 0 to {last}, of which none is certified; periods are read from {READ} columns.\n\n",
        first_line(perturbation)
    )
}

fn first_line(perturbation: &Perturbation) -> String {
    let not = if perturbation.is_chomp() { "Chomp, not perturbed" } else { "Not Chomp" };
    format!("{not}: {perturbation}")
}

fn discrepancy(found: &PerturbedStatistics) -> [String; 2] {
    let strip = found.discrepancy.map(|strip| strip.nearest(PLACES).map(|it| it.to_string()));
    strip.unwrap_or_default()
}

/// The ranges of the estimates, which are integers, with their names.
fn ranges(found: &PerturbedStatistics) -> [(&'static str, [String; 2]); 5] {
    found.estimates.named().map(|(name, _, strip)| {
        let range = strip.map(|strip| strip.nearest(0).map(|it| it.to_string()));
        (name, range.unwrap_or_default())
    })
}

fn line(text: &mut String, name: &str, value: &dyn Display) {
    writeln!(text, "{name:<23} {value}").expect("a string can always be written to");
}

/// A number, or nothing.
fn number(number: Option<impl Display>) -> String {
    number.map_or(String::new(), |number| number.to_string())
}
