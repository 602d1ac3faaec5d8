//! Rows with h = 2 right above a row that moves. Stands on `proofs/cascade.md`, 5.1.

use std::collections::BTreeSet;

use cascade::{Law, Pattern};

/// The patterns of a row with two holes that takes two balls out of this law. (If it takes out one
/// ball, its values depend on rows further below.)
pub fn patterns(law: &Law) -> BTreeSet<Pattern> {
    let balls: Vec<Vec<bool>> = law
        .cycles()
        .iter()
        .flat_map(|cycle| {
            let ball = law.ball(cycle);
            let shift = move |times: u64| {
                let mut ball = ball.clone();
                let by = usize::try_from(times).unwrap_or(0) * law.period() % ball.len();
                ball.rotate_left(by);
                ball
            };
            (0..cycle.balls).map(shift).collect::<Vec<_>>()
        })
        .collect();
    let mut patterns = BTreeSet::new();
    for (place, one) in balls.iter().enumerate() {
        for other in &balls[place + 1..] {
            patterns.insert(pattern(law, one, other));
        }
    }
    patterns
}

/// The mean is m - 1. The value is m - e where a ball falls, and m + 1 elsewhere.
fn pattern(law: &Law, one: &[bool], other: &[bool]) -> Pattern {
    // Both are multiples of the period of the law.
    let columns = one.len() * other.len() / law.period();
    let height = |column: usize| {
        if one[column % one.len()] || other[column % other.len()] {
            1 - law.depths()[column % law.period()].cast_signed()
        } else {
            2
        }
    };
    Pattern::new(&(0..columns).map(height).collect::<Vec<i64>>())
}
