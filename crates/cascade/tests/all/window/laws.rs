//! One row, and the row after it.

use cascade::{Law, Pattern};
use num_integer::Integer;

use super::cases::Random;
use super::row::Columns;
use crate::predictions::two_holes;

/// The law with this period, from the blocked depths of its columns.
fn of_columns(period: usize, mut is_blocked: impl FnMut(usize, u64) -> bool) -> Option<Law> {
    let least = |column| (0..1 << 62).find(|&depth| !is_blocked(column, depth)).unwrap();
    Law::new((0..period).map(least).collect())
}

const CASES: u32 = 100_000;

/// 1.1, 1.2: no row below has a value above the mean; nothing else is asked of what lies below.
#[test]
fn one_hole() {
    let mut random = Random::new(1);
    let mut cases = 0;
    while cases < CASES {
        let top = 1 + u32::try_from(random.below(9)).unwrap();
        let period = 1 + random.index(6);
        // Sparse, even, or dense.
        let density = random.below(3);
        let column = |random: &mut Random| {
            let bits = random.bits(top) << 1;
            match density {
                0 => bits & random.bits(top + 1),
                1 => bits,
                _ => bits | random.bits(top) << 1,
            }
        };
        let columns = Columns((0..period).map(|_| column(&mut random)).collect());
        let mean = top + u32::try_from(random.below(3)).unwrap();
        let Some(row) = columns.row(mean, &mut random) else { continue };
        cases += 1;
        let holes: Vec<u64> = row
            .states
            .iter()
            .map(|state| {
                let hole = (1_u128 << (mean + 1)) - 1 - state;
                assert!(hole.is_power_of_two(), "{mean}, {columns:?}: {row:?}");
                u64::from(mean - hole.trailing_zeros())
            })
            .collect();
        for (column, (&value, &depth)) in row.values.iter().zip(&holes).enumerate() {
            let blocked = columns.is_blocked(column, mean, depth);
            let expected =
                if blocked { i64::from(mean) + 1 } else { i64::from(mean) - depth as i64 };
            assert_eq!(i64::from(value), expected);
            let next = holes[(column + 1) % holes.len()];
            assert_eq!(next, if blocked { depth + 1 } else { 0 });
        }
    }
}

/// 1.3: depths 0 to k - 1 are blocked in all columns, depth k is in none; anything below that.
#[test]
fn obstacles() {
    let mut random = Random::new(2);
    let mut cases = 0;
    while cases < CASES {
        let k = u32::try_from(random.below(7)).unwrap();
        let deeper = u32::try_from(random.below(8)).unwrap();
        let mean = k + deeper + 2;
        let obstacles = ((1_u128 << k) - 1) << (mean + 1 - k);
        let period = 1 + random.index(6);
        let columns = (0..period).map(|_| obstacles | random.bits(deeper + 1) << 1).collect();
        let columns = Columns(columns);
        let Some(row) = columns.row(mean, &mut random) else { continue };
        cases += 1;
        let mut pattern = vec![1; k as usize];
        pattern.push(-i64::from(k));
        assert_eq!(Pattern::new(&row.pattern(mean)), Pattern::new(&pattern), "{mean}, {columns:?}");
        let law = Law::obstacles(k.into());
        assert_eq!(law.moves(100).unwrap().first().unwrap().0, Pattern::new(&pattern));
    }
}

/// 5.7: over a constant row and one with the pattern (1,-1), a row with the same mean can repeat.
#[test]
fn a_row_that_could_repeat() {
    let mean = 9;
    let columns = Columns(vec![1 << mean]).with(&[mean + 1, mean - 1]);
    let full = (1_u128 << (mean + 1)) - 1;
    let row = columns.walk(full & !(1 << (mean - 1))).unwrap();
    assert_eq!(row.values, [mean - 1, mean + 1]);
}

/// A random law, and columns in which it holds: all balls in the air are blocked (2.1), and some
/// deeper offsets.
fn law(random: &mut Random) -> (Vec<u64>, Vec<u64>) {
    let period = 1 + random.index(7);
    let mut from: Vec<usize> = (0..period).collect();
    for place in (1..period).rev() {
        from.swap(place, random.index(place + 1));
    }
    let more = random.below(3);
    let depth = |column: usize, random: &mut Random| {
        let steps = (column + 2 * period - 1 - from[column]) % period;
        (steps + period * random.index(1 + usize::try_from(more).unwrap())) as u64
    };
    let depths: Vec<u64> = (0..period).map(|column| depth(column, random)).collect();
    let deepest = depths.iter().max().unwrap() + 1;
    let blocked = (0..period as u64)
        .map(|column| {
            let depth = depths[column as usize];
            let mut blocked = (1 << depth) - 1;
            for later in 1..=deepest {
                let lands = (column + later) % period as u64;
                // What lands `later` columns on has been in the air since it was thrown.
                let thrown = depths[lands as usize] + 1;
                if thrown > later {
                    blocked |= 1 << (thrown - later - 1);
                }
            }
            let deeper = random.bits(u32::try_from(deepest).unwrap() + 3) as u64;
            blocked | deeper & !(1 << depth) & !((1 << depth) - 1)
        })
        .collect();
    (depths, blocked)
}

/// Columns with these depths blocked.
fn columns(mean: u32, blocked: &[u64]) -> Columns {
    let column = |&depths: &u64| {
        (0..mean)
            .filter(|depth| depths >> depth & 1 == 1)
            .fold(0, |all, depth| all | 1 << (mean - depth))
    };
    Columns(blocked.iter().map(column).collect())
}

/// 2.2: the row fills its hole with one ball. 3.3 and 3.4: what the next rows of the cluster meet.
#[test]
fn one_ball() {
    let mut random = Random::new(3);
    let mut cases = 0;
    let mut choices = 0;
    while cases < CASES {
        let (depths, blocked) = law(&mut random);
        let deepest = 64 - blocked.iter().fold(0, |all, depths| all | depths).leading_zeros();
        let mean = deepest.max(u32::try_from(*depths.iter().max().unwrap()).unwrap()) + 2;
        let columns = columns(mean, &blocked);
        let law = Law::new(depths.clone()).unwrap();
        let read =
            of_columns(depths.len(), |column, depth| columns.is_blocked(column, mean, depth));
        assert_eq!(read.unwrap(), law);

        let Some(row) = columns.row(mean, &mut random) else { continue };
        cases += 1;
        let pattern = Pattern::new(&row.pattern(mean));
        let moves = law.moves(1 << 20).unwrap();
        choices += u32::from(moves.len() > 1);
        let mut possible = moves.iter().filter(|(possible, _)| *possible == pattern).peekable();
        assert!(possible.peek().is_some(), "{depths:?}, {blocked:?}: {row:?}");

        // 2.2: from one filled hole to the next, exactly as a ball goes.
        let period = row.values.len();
        let filled = |column: usize| row.values[column % period] <= mean;
        let last = (0..period).find(|&column| filled(column)).unwrap();
        let mut column = last + period * (1 + deepest as usize);
        let end = column - period;
        while column > end {
            let depth = usize::try_from(law.depths()[column % law.period()]).unwrap();
            assert_eq!(row.values[column % period], mean - depth as u32);
            let before = column - depth - 1;
            assert!(filled(before) && (before + 1..column).all(|between| !filled(between)));
            column = before;
        }

        // 3.3: the next row, its mean one more.
        let with = columns.with(&row.values);
        let read = |columns: &Columns, mean| {
            of_columns(columns.0.len(), |column, depth| columns.is_blocked(column, mean, depth))
        };
        let next = read(&with, mean + 1).unwrap();
        assert!(possible.any(|(_, law)| *law == next.rotated_least()), "{depths:?}, {row:?}");
        assert_eq!(next.balls(), law.balls());
        // 3.4: a constant row between them.
        let stands = read(&with.with(&[mean + 2]), mean + 2).unwrap();
        assert_eq!(stands, next.stand());
        assert_eq!(stands.balls(), law.balls() + 1);
    }
    assert!(choices > CASES / 4, "{choices} laws with a choice");
}

/// 5.1: rows with any number of holes, one after the other, and the laws of the rows to them.
#[test]
fn any_number_of_holes() {
    let mut random = Random::new(6);
    let (mut cases, mut fewer, mut resets, mut two) = (0, 0, 0, 0);
    while cases < CASES {
        let (depths, blocked) = law(&mut random);
        let deepest = 64 - blocked.iter().fold(0, |all, depths| all | depths).leading_zeros();
        let mut top = deepest.max(u32::try_from(*depths.iter().max().unwrap()).unwrap()) + 2;
        let mut columns = columns(top, &blocked);
        let mut law = Law::new(depths).unwrap();
        for _ in 0..3 {
            let holes = random.below(law.balls() + 3) as i64 - 1;
            let mean = i64::from(top) + 1 - holes;
            if !(1..=60).contains(&mean) {
                break;
            }
            let mean = u32::try_from(mean).unwrap();
            let Some(row) = columns.row(mean, &mut random) else { break };
            if row.values.len() > 500 {
                break;
            }
            cases += 1;
            columns = columns.with(&row.values);
            if holes < 0 {
                resets += 1;
                assert!(row.values.iter().all(|&value| value == mean), "{law:?}: {row:?}");
                (top, law) = (mean, Law::obstacles(1));
            } else {
                let taken = taken_out(&law, &row.values, top);
                let allowed = u64::from(holes > 0)..=law.balls().min(holes as u64);
                assert!(allowed.contains(&taken), "{law:?}, {holes} holes: {row:?}");
                fewer += u32::from(taken < holes as u64);
                // The patterns in `outputs/PREDICTIONS.md`.
                if (holes, taken) == (2, 2) && two < 2000 {
                    two += 1;
                    let pattern = Pattern::new(&row.pattern(mean));
                    assert!(two_holes::patterns(&law).contains(&pattern), "{law:?}: {row:?}");
                }
                if taken == holes as u64 {
                    let value =
                        |(&value, depth): (&u32, u64)| value > top || value == top - depth as u32;
                    assert!(row.values.iter().zip(depths_of(&law)).all(value), "{law:?}: {row:?}");
                }
                let balls = law.balls() - taken + 1;
                law = with_union(&law, &row.values, top);
                top += 1;
                assert_eq!(law.balls(), balls);
            }
            assert!(columns.top() <= top);
            let read =
                of_columns(columns.0.len(), |column, depth| columns.is_blocked(column, top, depth));
            assert_eq!(read.unwrap(), law);
        }
    }
    assert!(two == 2000 && fewer > CASES / 100 && resets > CASES / 20, "{two} {fewer} {resets}");
}

/// `e(q)`, from column 0 on, for ever.
fn depths_of(law: &Law) -> impl Iterator<Item = u64> {
    law.depths().iter().copied().cycle()
}

/// The number of balls that the columns with a value up to `top` are a union of.
fn taken_out(law: &Law, values: &[u32], top: u32) -> u64 {
    let period = values.len().lcm(&law.period());
    let is_filled = |column: usize| values[column % values.len()] <= top;
    let filled = (0..period).filter(|&column| is_filled(column));
    let mut length = 0;
    for column in filled {
        let depth = law.depths()[column % law.period()] as usize;
        assert!(is_filled(column + period * (depth + 1) - depth - 1), "{law:?}: {values:?}");
        length += depth + 1;
    }
    assert!(length.is_multiple_of(period));
    (length / period) as u64
}

/// The law that is 0 where a value is at most `top`, and one more elsewhere.
fn with_union(law: &Law, values: &[u32], top: u32) -> Law {
    let period = values.len().lcm(&law.period());
    let values = values.iter().cycle();
    let depths = depths_of(law).zip(values).take(period);
    Law::new(depths.map(|(depth, &value)| if value <= top { 0 } else { depth + 1 }).collect())
        .unwrap()
}

/// 3.1, 3.2: the balls of a law, counted one by one.
#[test]
fn balls_and_cycles() {
    let mut random = Random::new(4);
    for _ in 0..CASES {
        let (depths, _) = law(&mut random);
        let law = Law::new(depths).unwrap();
        let period = law.period() as i64;
        let depth = |column: i64| law.depths()[column.rem_euclid(period) as usize] as i64;
        // The balls that fall in columns 0 to 999, by their first column there.
        let mut ball = vec![None; 1000];
        let mut count = 0;
        for column in 0..1000_i64 {
            let before = column - depth(column) - 1;
            ball[column as usize] = if before < 0 {
                count += 1;
                Some(count - 1)
            } else {
                ball[before as usize]
            };
        }
        assert_eq!(law.balls(), count);
        let cycles = law.cycles();
        assert_eq!(cycles.iter().map(|cycle| cycle.balls).sum::<u64>(), count);
        for cycle in &cycles {
            // 3.2: the period of a row divides the law's times the balls, and is that if there is
            // one cycle.
            let period = usize::try_from(cycle.balls).unwrap() * law.period();
            let (pattern, _) = law.take_out(cycle);
            assert!(period.is_multiple_of(pattern.period()));
            assert!(cycles.len() > 1 || period == pattern.period());
            let falls = law.ball(cycle);
            let column =
                falls.iter().position(|&falls| falls).unwrap() + falls.len() * (200 / falls.len());
            for later in column..(column + falls.len()).min(1000) {
                assert_eq!(ball[later] == ball[column], falls[later % falls.len()]);
            }
            // Shifted by the law's period, it is another one, until it has been all of the cycle.
            for shift in 1..cycle.balls {
                let later = column + usize::try_from(shift).unwrap() * law.period();
                assert!(later >= 1000 || ball[later] != ball[column]);
            }
        }
    }
}
