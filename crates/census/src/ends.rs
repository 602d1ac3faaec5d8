//! (M*) for posets that grow along two chains: no number that ends a row is in a row above.
//!
//! In three-rowed Chomp it is a theorem (`proofs/uniqueness.md`, 2.2), and the row above r are
//! those with larger numbers; here they are the rows of the same level with larger order ideals.

use std::collections::{BTreeMap, BTreeSet};

use record::Record;

/// The number of finite rows that end with a p which a row above has in an earlier column; `None`
/// if a record has a fingerprint in the place of offsets that are needed. `rows` are the rows of
/// one level, for these order ideals in their order. Time: the columns to the last end of all rows,
/// and for each p in them the ends with this p.
pub fn ends_in_rows_above(ideals: &[Vec<usize>], rows: &[&Record]) -> Option<u64> {
    let mut ends: BTreeMap<u64, Vec<(u64, usize)>> = BTreeMap::new();
    for (place, row) in rows.iter().enumerate() {
        if let Some(finite) = row.finite() {
            let p = p_of(row, finite.last).ok()??;
            ends.entry(p).or_default().push((finite.last, place));
        }
    }
    let last = ends.values().flatten().map(|end| end.0).max().unwrap_or(0);
    let mut above = BTreeSet::new();
    for (row, larger) in rows.iter().zip(ideals) {
        for n in 0..last {
            let of_p = p_of(row, n).ok()?.and_then(|p| ends.get(&p));
            for &(column, place) in of_p.into_iter().flatten() {
                if n < column && is_within(&ideals[place], larger) {
                    above.insert(place);
                }
            }
        }
    }
    Some(above.len() as u64)
}

/// The p of column n by a record, if there is one. It is an error if the record does not say.
fn p_of(row: &Record, n: u64) -> Result<Option<u64>, ()> {
    if let Some((_, p)) = row.early().iter().find(|(column, _)| *column == n) {
        return Ok(Some(*p));
    }
    let shift = row.key().ideal().map_or(0, |ideal| ideal.shift);
    let offset = row.offset(n).map_err(drop)?;
    Ok(offset.and_then(|offset| (n + offset).checked_add_signed(-shift)))
}

/// Whether an ideal is a proper part of another one; both ascend.
fn is_within(ideal: &[usize], larger: &[usize]) -> bool {
    ideal.len() < larger.len() && ideal.iter().all(|own| larger.binary_search(own).is_ok())
}
