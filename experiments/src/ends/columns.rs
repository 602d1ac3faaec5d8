//! (FF), (UB) and (SL) of `proofs/uniqueness.md`, 5.11, on what is blocked in a column, and the
//! conditions on ends, in Chomp and in recurrences that differ from it near the origin.

use byrnes::{Perturbation, PerturbedColumns};
use census::Surd;
use census::statistics::{Extreme, Strip};
use driver::{Error, Watch};

use super::conditions::conditions;

/// Columns and ends from here on are far from the perturbations.
const FROM: u32 = 300;

/// The ranges of the errors, a line for each recurrence: tab-separated, with a header line.
pub fn table(others: u64, last: u32, watch: &dyn Watch) -> Result<String, Error> {
    let mut text = "E\tGA\tFF\tUB\tSL\tperturbation\n".to_owned();
    for game in [Perturbation::default()].into_iter().chain((0..others).map(Perturbation::random)) {
        if watch.stop() {
            return Err(Error::Interrupted);
        }
        for range in ranges(&game, last) {
            let range = range.map(|range| range.nearest(0).map(|error| error.to_string()));
            text += &(range.unwrap_or_default().join(" to ") + "\t");
        }
        text += &(game.to_string() + "\n");
    }
    Ok(text)
}

/// The ranges in a recurrence with rows 0 to `last`.
fn ranges(game: &Perturbation, last: u32) -> [Option<Strip>; 5] {
    let k = game.diagonal().len() as u64;
    let mut columns = PerturbedColumns::new(game, last);
    let mut found = [None; 3];
    // The greatest diagonal value so far, and the greatest number that (D) or (R) blocks in a row.
    let (mut top, mut greatest, mut ends) = (0, Vec::new(), Vec::new());
    for q in 0..=last {
        let mut add = |place: usize, error: i64| {
            let extreme = Extreme { n: q.into(), distance: Surd::new(error, 0) };
            if q >= FROM {
                found[place] = Some(Strip::with(found[place], extreme));
            }
        };
        greatest.push(top);
        let alive = columns.next_column();
        let (mut m, mut most) = (-1, i64::MIN);
        for (place, &(row, number)) in (0..).zip(alive) {
            let above = i64::from(number) - i64::from(q);
            // The number of rows below that have ended is the row's less its place.
            m = (m + 1).max(1 + k.cast_signed() + i64::from(row) - place);
            most = most.max(above - m);
            if row == q {
                add(0, above - m);
                top = top.max(number);
            }
        }
        add(1, most);
        if let Some(&(c, _)) = alive.iter().find(|(_, number)| *number == q) {
            ends.push((q.into(), c.into()));
            let n = (k + ends.len() as u64).cast_signed();
            for &(b, _) in alive.iter().filter(|(b, _)| *b >= c) {
                add(2, i64::from(greatest[b as usize]) - i64::from(q + b - c) - n);
            }
        }
        for &(row, number) in alive {
            greatest[row as usize] = number.max(greatest[row as usize]);
        }
    }
    let [of_ends, of_rows] = conditions(&ends, k, FROM.into());
    let [diagonal, bound, blocked] = found;
    [of_ends, of_rows, diagonal, bound, blocked]
}
