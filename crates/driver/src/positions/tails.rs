//! P-positions with a short row 3, from the rows of tails.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use num_bigint::BigUint;
use record::{Family, HeadForm, Record, Tail};

use crate::watch::Watch;
use crate::{Engine, Error, Source};

/// Row 3 of the positions that are compared with the rows of tails, for four rows; with more of
/// them there are more tails.
const LONGEST_THIRD: u16 = 12;

/// The longest row 3 of the positions that are compared with the rows of tails.
pub(crate) fn third(rows: u16, to: u16) -> u16 {
    if rows <= 4 { LONGEST_THIRD } else { LONGEST_THIRD / 3 }.min(to)
}

/// The P-positions of the rows of all tails whose first part is at most `third`.
pub(crate) fn of_tails(
    rows: u16,
    to: u16,
    third: u16,
    watch: &dyn Watch,
) -> Result<BTreeSet<Vec<u16>>, Error> {
    let within = Tail::new(vec![third.into(); usize::from(rows) - 2]).expect("positive parts");
    let visit = |_: &Record| ControlFlow::Continue(());
    let family = Family::of_tails(0, within);
    let records = Engine::default().family(&family, HeadForm::Offsets, watch, visit)?;
    let mut found = BTreeSet::new();
    for record in &records {
        let tail = record.key().tail();
        let lower: Vec<u16> =
            tail.parts().iter().filter_map(|&part| part.try_into().ok()).collect();
        for second in lower.first().copied().unwrap_or(0)..=to {
            let value = records.as_slice().value(&BigUint::from(second), tail, &())?;
            let first = value.p().and_then(|first| u16::try_from(first).ok());
            if let Some(first) = first.filter(|first| *first <= to) {
                let mut lengths = vec![first, second];
                lengths.extend(&lower);
                lengths.resize(rows.into(), 0);
                found.insert(lengths);
            }
        }
    }
    Ok(found)
}
