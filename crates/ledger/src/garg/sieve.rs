//! The P-positions of four rows by the sieve of `boards`, for claims about them.

use boards::four_rows::FourRows;
use census::Decimal;

use crate::arguments::{Printed, Written};
use crate::evidence::Evidence;
use crate::verdict::Finding;

/// A finding on these P-positions, if they reach this a.
pub fn by_sieve(
    evidence: &Evidence,
    needs: u16,
    find: impl FnOnce(&FourRows) -> Finding,
) -> Finding {
    let found = evidence.four_rows();
    if needs > found.to() {
        Finding::out_of_reach(format!("P-positions of four rows to a = {needs} are enough"))
    } else {
        find(found)
    }
}

/// The share in percent, rounded as it is printed.
pub fn share(part: u64, all: u64, Written(printed): &Printed, what: &str) -> Finding {
    let right = Decimal::ratio(100 * part, all, printed.places()) == *printed;
    let exact = Decimal::ratio(100 * part, all, 3);
    Finding::found(right, format!("{part} of {all} {what}, {exact} %"))
}
