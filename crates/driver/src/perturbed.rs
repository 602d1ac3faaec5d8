//! Recurrences that differ from Chomp near the origin: `proofs/uniqueness.md`, 7.

use byrnes::{InstantWinners, Perturbation, PerturbedColumns};
use census::perturbed::{PerturbedStatistics, PerturbedTally};
use census::renormalization::Sheet;

use crate::Error;
use crate::job::Running;
use crate::watch::{Unit, Watch, Work};

/// The largest row of a perturbed recurrence: memory for it is a few hundred megabytes.
pub const LAST_PERTURBED_ROW: u32 = 30_000;

/// Computes rows 0 to `last` of each recurrence, and hands out the statistics, one after the other.
/// Writes nothing. Time: the square of `last`; some seconds for row 10 000.
///
/// # Errors
/// [`Error::Interrupted`].
///
/// # Panics
/// If `last` is greater than [`LAST_PERTURBED_ROW`].
pub fn perturbed(
    perturbations: &[Perturbation],
    last: u32,
    watch: &dyn Watch,
    mut found: impl FnMut(&Perturbation, PerturbedStatistics),
) -> Result<(), Error> {
    assert!(last <= LAST_PERTURBED_ROW, "row {last} is too large");
    let tally = |perturbation: &Perturbation| {
        let cells = perturbation.cells().map(|(_, number)| number);
        let reach = perturbation.diagonal().chain(cells).max().unwrap_or(0);
        PerturbedTally::new(last, perturbation.diagonal(), reach)
    };
    let all = perturbations.iter().map(|it| u64::from(tally(it).columns())).sum();
    let work = Work { unit: Unit::Column, all, before: 0, exponent: 1.0 };
    let running = Running::new(watch, work);
    for perturbation in perturbations {
        let mut tally = tally(perturbation);
        let mut columns = PerturbedColumns::new(perturbation, last);
        for _ in 0..tally.columns() {
            running.next()?;
            tally.add(columns.next_column());
        }
        found(perturbation, tally.finish());
    }
    Ok(())
}

/// Iterates the map from an instant-winner sheet to the next, from the first sheet of a
/// perturbation, and returns the sheets of the rows [`Sheet::FIRST_ROW`], twice that, and so on to
/// `last`, with the lines of the slope `alpha` ([`census::renormalization::ThreeLines::new`]).
/// Time: the square of `last`, some seconds for row 4096; a bit of memory for each column and
/// number.
///
/// # Errors
/// [`Error::Interrupted`].
///
/// # Panics
/// If `last` is greater than [`LAST_PERTURBED_ROW`].
pub fn renormalized(
    perturbation: &Perturbation,
    last: u32,
    alpha: (i64, i64),
    watch: &dyn Watch,
) -> Result<Vec<Sheet>, Error> {
    assert!(last <= LAST_PERTURBED_ROW, "row {last} is too large");
    let work = Work { unit: Unit::Row, all: last.into(), before: 0, exponent: 1.0 };
    let running = Running::new(watch, work);
    let mut winners = InstantWinners::new(perturbation, last / 4 * 7);
    let (mut sheets, mut wanted) = (Vec::new(), Sheet::FIRST_ROW);
    for row in 0..=last {
        running.next()?;
        let sheet = (row == wanted).then(|| winners.clone());
        let values = winners.next_sheet();
        if let Some(sheet) = sheet {
            let small = |n: u64| u32::try_from(n).expect("a number of this sheet");
            let offsets = (row..).zip(values).map(|(q, p)| u64::from(p - q));
            let is_winner = |p, q| sheet.has(small(q), small(p));
            sheets.push(Sheet::of(row.into(), alpha, offsets, is_winner));
            wanted *= 2;
        }
    }
    Ok(sheets)
}

/// The sheets of [`renormalized`] from two first sheets, each with its name: the one of Chomp,
/// and [`Perturbation::random`]. The lines have the slope of Chomp's diagonal, 1 + 1/√2. Time and
/// memory are twice as much.
///
/// # Errors
/// [`Error::Interrupted`].
///
/// # Panics
/// If `last` is greater than [`LAST_PERTURBED_ROW`].
pub fn renormalized_beside_random(
    last: u32,
    random: u64,
    watch: &dyn Watch,
) -> Result<[(String, Vec<Sheet>); 2], Error> {
    let sheets = |first: &Perturbation| renormalized(first, last, (1, 1), watch);
    let chomp = ("Chomp".to_owned(), sheets(&Perturbation::default())?);
    Ok([chomp, (format!("random sheet {random}"), sheets(&Perturbation::random(random))?)])
}
