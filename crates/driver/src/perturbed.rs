//! Recurrences that differ from Chomp near the origin: `proofs/uniqueness.md`, 7.

use byrnes::{InstantWinners, Perturbation};
use census::renormalization::Sheet;

use crate::Error;
use crate::job::Running;
use crate::watch::{Unit, Watch, Work};

/// The largest row of a perturbed recurrence: memory for it is a few hundred megabytes.
pub const LAST_PERTURBED_ROW: u32 = 30_000;

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
