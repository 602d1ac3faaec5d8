//! Claims of Zeilberger 2003: `claims.ron`, and the functions that decide them; here those about
//! the share and the size of larger periods, decided by row records, and about the rows of levels,
//! decided by `ChompGrundy` and by the certified rows of `levels`.

pub mod moves;
pub mod recurrences;

use std::cmp::Reverse;
use std::ops::ControlFlow;

use census::Decimal;
use posets::growing;
use record::{Family, GrowingPoset, Kind, Record};

use crate::evidence::Evidence;
use crate::oracles::{LEVEL, LEVEL_ROWS, LEVELS_OF_ROWS};
use crate::verdict::{Finding, Found};

/// Among the rows r <= rows periods larger than 1 occur, but in less than this percentage of the
/// periodic rows.
pub fn rare(evidence: &Evidence, (rows, percent): (u64, u64)) -> Found {
    evidence.require(rows)?;
    let (all, larger) = with_larger_period(evidence, rows);
    let figure = here_and_further(evidence, rows, |last| larger_share(evidence, last));
    Ok(Finding::found(larger > 0 && 100 * larger < percent * all, figure))
}

/// Up to some row, more than this percentage of the periodic rows has a period larger than 1. The
/// computation that the paper refers to ends with row `rows`.
pub fn take_over(evidence: &Evidence, (rows, percent): (u64, u64)) -> Finding {
    let mut larger = 0;
    let seen = (1..).zip(&evidence.periodic).find_map(|(all, row)| {
        larger += u64::from(row.period() > 1);
        (100 * larger > percent * all).then_some(row.row)
    });
    let figure = here_and_further(evidence, rows, |last| larger_share(evidence, last));
    Finding::sought(evidence.last_row(), seen).with(figure)
}

/// Periodic rows to `last`, and how many of them have a larger period than 1.
fn with_larger_period(evidence: &Evidence, last: u64) -> (u64, u64) {
    let known = evidence.periodic.iter().take_while(|periodic| periodic.row <= last);
    known.fold((0, 0), |(all, larger), periodic| {
        (all + 1, larger + u64::from(periodic.period() > 1))
    })
}

fn larger_share(evidence: &Evidence, last: u64) -> String {
    let (all, larger) = with_larger_period(evidence, last);
    let percent = Decimal::ratio(100 * larger, all.max(1), 2);
    format!("{larger} of {all} periodic rows r <= {last}, {percent} %, have a larger period")
}

/// Some row has at least this period. The computation that the paper refers to ends with row
/// `rows`.
pub fn largest_period(evidence: &Evidence, (rows, at_least): (u64, u64)) -> Finding {
    let words = |last: u64| {
        let known = evidence.periodic.iter().take_while(|periodic| periodic.row <= last);
        let largest = known.map(|periodic| (periodic.period(), Reverse(periodic.row))).max();
        let (period, Reverse(row)) = largest.unwrap_or((0, Reverse(0)));
        format!("the largest period of rows r <= {last} is {period}, first in row {row}")
    };
    let seen = evidence.periodic.iter().find(|periodic| periodic.period() >= at_least);
    Finding::sought(evidence.last_row(), seen.map(|periodic| periodic.row))
        .with(here_and_further(evidence, rows, words))
}

/// A finding for the rows of a claim, as far as they are known, and for all known rows.
fn here_and_further(evidence: &Evidence, rows: u64, words: impl Fn(u64) -> String) -> String {
    let last = evidence.last_row();
    if last <= rows { words(last) } else { format!("{}; {}", words(rows), words(last)) }
}

/// Each row of each level is of one of these kinds.
pub fn levels_of_kinds(_: &Evidence, (kinds,): (Vec<Kind>,)) -> Finding {
    // The levels of each row.
    let rows = &*LEVELS_OF_ROWS;
    let number =
        |of: Kind| rows.iter().flatten().filter(|row| row.statement().kind() == of).count();
    let [empty, finite, periodic] = [Kind::Empty, Kind::Finite, Kind::Periodic].map(number);
    Finding::each(0..=LEVEL, |level| {
        let place = usize::try_from(level).expect("a small level");
        let mut of_level = rows.iter().map(|levels| &levels[place]);
        let other = of_level.find(|row| !kinds.contains(&row.statement().kind()))?;
        Some(format!("row {} of level {level} is {}", other.row(), other.statement().kind()))
    })
    .with(format!(
        "of the rows r <= {LEVEL_ROWS} {periodic} are periodic, {finite} finite, {empty} empty"
    ))
}

/// Each row of these posets beside two growing chains, to these levels, is of one of these kinds:
/// families as `chomp family` names them, with levels, and the kinds.
pub fn families_of_kinds(
    _: &Evidence,
    (families, kinds): (Vec<(String, u64)>, Vec<Kind>),
) -> Finding {
    let (mut counterexample, mut tested) = (None, Vec::new());
    for (name, level) in families {
        let rows = rows_of(&name, level);
        let other = rows.iter().find(|row| !kinds.contains(&row.statement().kind()));
        let words = |row: &Record| format!("{name}: {} is {}", row.key(), row.statement().kind());
        counterexample = counterexample.or(other.map(words));
        tested.push(format!("{name}, levels 0 to {level}: {} rows", rows.len()));
    }
    Finding::in_cases(tested.join("; "), counterexample)
        .by("all rows of these families, each with its certificate (fact 13)")
}

/// The rows of a family that `chomp family` names.
fn rows_of(name: &str, level: u64) -> Vec<Record> {
    let text = growing(name).expect("the families of the ledger have a name");
    let poset: GrowingPoset = text.parse().expect("a family is described");
    let family = Family::of_poset(level, poset).expect("a small family");
    let go_on = &mut |_: &Record| ControlFlow::Continue(());
    levels::rows(&family, &levels::Options::default(), go_on).expect("a small family is proved")
}

/// Levels above 0 have a row with a period larger than this.
pub fn larger_periods(_: &Evidence, (than,): (u64,)) -> Finding {
    let of_values = LEVELS_OF_ROWS.iter().flatten().filter(|row| row.key().level > 0);
    let period = |row: &Record| row.periodic().map_or(0, record::Periodic::period);
    let largest = of_values.max_by_key(|row| period(row)).expect("there are levels");
    let found = period(largest);
    Finding::found(found > than, format!("{} has period {found}", largest.key()))
}
