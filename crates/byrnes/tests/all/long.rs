//! Comparisons that take minutes: `just test-long`.

use byrnes::{Losers, Rows};
use game::brouwer::Table;
use num_bigint::BigUint;

fn period(losers: &Losers) -> Option<u64> {
    losers.members().periodic().map(|sequence| sequence.cycle().len() as u64)
}

#[test]
#[ignore = "half a minute: the cubic recurrence to 10 000 (just test-long)"]
fn periods_to_10000_are_nivaschs() {
    let expected = fixtures::numbers("nivasch-periods.tsv");
    assert_eq!(expected.len(), 204);

    let found: Vec<[u64; 2]> = Rows::new()
        .take(10_001)
        .map(|row| row.expect("every row is proved"))
        .filter_map(|row| Some([row.row(), period(row.offsets())?]))
        .filter(|[_, period]| *period > 1)
        .collect();
    assert_eq!(found, expected);
}

#[test]
#[ignore = "some seconds: both cubic recurrences to 1500 (just test-long)"]
fn brouwers_recurrence_agrees_to_1500() {
    let table = Table::up_to(1500);
    for row in Rows::new().take(1501) {
        let row = row.expect("every row is proved");
        for q in row.row()..=1500 {
            let expected = table.f(q, row.row()).filter(|&p| p >= q).map(BigUint::from);
            assert_eq!(row.f(&BigUint::from(q)), expected, "f({q},{})", row.row());
        }
    }
}
