//! Claims about the rows of levels, decided by `ChompGrundy` and by the certified rows of `levels`.

use std::ops::ControlFlow;

use posets::Growing;
use record::{Family, GrowingPoset, Kind, Record};

use crate::evidence::{Evidence, LEVEL, LEVEL_ROWS};
use crate::verdict::Finding;

/// Each row of each level is of one of these kinds.
pub fn levels_of_kinds(evidence: &Evidence, (kinds,): (Vec<Kind>,)) -> Finding {
    // The levels of each row.
    let rows = evidence.levels();
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
    let growing: Growing = name.parse().expect("the families of the ledger have a name");
    let poset: GrowingPoset = growing.text().parse().expect("a family is described");
    let family = Family::of_poset(level, poset).expect("a small family");
    let go_on = &mut |_: &Record| ControlFlow::Continue(());
    levels::rows(&family, &levels::Options::default(), go_on).expect("a small family is proved")
}

/// Levels above 0 have a row with a period larger than this.
pub fn larger_periods(evidence: &Evidence, (than,): (u64,)) -> Finding {
    let of_values = evidence.levels().iter().flatten().filter(|row| row.key().level > 0);
    let period = |row: &Record| row.periodic().map_or(0, record::Periodic::period);
    let largest = of_values.max_by_key(|row| period(row)).expect("there are levels");
    let found = period(largest);
    Finding::found(found > than, format!("{} has period {found}", largest.key()))
}
