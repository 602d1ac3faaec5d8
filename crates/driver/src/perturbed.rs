//! Recurrences that differ from Chomp near the origin: `proofs/uniqueness.md`, 7.

use byrnes::{Perturbation, PerturbedColumns};
use census::perturbed::{PerturbedStatistics, PerturbedTally};

use crate::Error;
use crate::watch::{Running, Unit, Watch, Work};

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
    let _running = Running::new(watch, work);
    let mut done = 0;
    for perturbation in perturbations {
        let mut tally = tally(perturbation);
        let mut columns = PerturbedColumns::new(perturbation, last);
        for _ in 0..tally.columns() {
            if watch.stop() {
                return Err(Error::Interrupted);
            }
            tally.add(columns.next_column());
            done += 1;
            watch.done(done);
        }
        found(perturbation, tally.finish());
    }
    Ok(())
}
