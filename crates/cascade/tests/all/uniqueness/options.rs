//! Section 6: the options of value g of the boards with two equal longest rows, by the rules.

use game::ThreeRows;

use super::CASES;
use crate::levels::value;

/// Grundy values of boards with a limited number of columns.
trait Values {
    /// The value of `(p,q,min(t,q))`.
    fn board(&mut self, p: u16, q: u16, tail: &[u16]) -> u64;

    fn columns(&self) -> u16;

    /// The p with `q <= p` for which `(p,q,t)` has this value; `None` if none is known.
    fn f(&mut self, level: u64, q: u16, tail: &[u16]) -> Option<u16> {
        (q.max(1)..=self.columns()).find(|&p| self.board(p, q, tail) == level)
    }

    /// Whether `(p,p,min(t,p))` has this value: then row (level; tail) is empty, or ends at p.
    fn dies_at(&mut self, level: u64, p: u16, tail: &[u16]) -> bool {
        self.board(p, p, tail) == level
    }
}

/// Three rows: a table of all values, by the rules.
struct ThreeRowsTo(u16);

impl Values for ThreeRowsTo {
    fn board(&mut self, p: u16, q: u16, tail: &[u16]) -> u64 {
        let [p, q, r] = [p, q, tail[0].min(q)].map(u64::from);
        value(ThreeRows::new(p, q, r).unwrap())
    }

    fn columns(&self) -> u16 {
        self.0
    }
}

/// Four rows: a table of all values, by the rules.
struct FourRows {
    /// By the four lengths, each up to the number of columns.
    values: Vec<u8>,
    columns: usize,
}

impl FourRows {
    fn up_to(columns: usize) -> Self {
        let mut table = Self { values: vec![0; (columns + 1).pow(4)], columns };
        for p in 1..=columns {
            for q in 0..=p {
                for r in 0..=q {
                    for s in 0..=r {
                        let place = table.place([p, q, r, s]);
                        table.values[place] = table.value([p, q, r, s]);
                    }
                }
            }
        }
        table
    }

    /// The least number that no bite leaves; a bite of the poison is none.
    fn value(&self, rows: [usize; 4]) -> u8 {
        let mut left = [false; 256];
        for row in 0..4 {
            for length in usize::from(row == 0)..rows[row] {
                let bitten =
                    std::array::from_fn(|i| if i < row { rows[i] } else { rows[i].min(length) });
                left[usize::from(self.values[self.place(bitten)])] = true;
            }
        }
        left.iter().zip(0..).find_map(|(&is_left, value)| (!is_left).then_some(value)).unwrap()
    }

    fn place(&self, rows: [usize; 4]) -> usize {
        rows.into_iter().fold(0, |place, row| place * (self.columns + 1) + row)
    }
}

impl Values for FourRows {
    fn board(&mut self, p: u16, q: u16, tail: &[u16]) -> u64 {
        let rows = [p, q, tail[0].min(q), tail[1].min(q)].map(usize::from);
        self.values[self.place(rows)].into()
    }

    fn columns(&self) -> u16 {
        u16::try_from(self.columns).unwrap()
    }
}

fn cut(tail: &[u16], from: usize, length: u16) -> Vec<u16> {
    let parts = tail.iter().enumerate();
    parts.map(|(i, &part)| if i < from { part } else { part.min(length) }).collect()
}

/// The number of bites of `(p,p,min(t,p))` in the other rows than the first that leave the value.
fn options(values: &mut impl Values, level: u64, p: u16, tail: &[u16]) -> usize {
    let mut count = 0;
    for y in 0..p {
        count += usize::from(values.board(p, y, tail) == level);
    }
    for i in 0..tail.len() {
        for z in 0..tail[i].min(p) {
            count += usize::from(values.board(p, p, &cut(tail, i, z)) == level);
        }
    }
    count
}

/// 6.1 in every column in which all values of (D) and (R) are known.
fn check(tail: &[u16], level: u64, values: &mut impl Values) -> usize {
    let first = tail.first().copied().unwrap_or(0).max(1);
    let mut shorter: Vec<Vec<u16>> =
        (0..tail.len()).flat_map(|i| (0..tail[i]).map(move |z| cut(tail, i, z))).collect();
    let (mut found, mut of_boards, mut dead, mut cases) = (Vec::new(), 0, 0, 0);
    for q in 1..values.columns() {
        if q > 1 {
            let p = q - 1;
            if values.dies_at(level, p, tail) {
                break;
            }
            let count = options(values, level, p, tail);
            assert!(count <= 1 + tail.len());
            of_boards += count;
            let alive = shorter.len();
            shorter.retain(|row| !values.dies_at(level, p, row));
            dead += alive - shorter.len();
        }
        let Some(value) = values.f(level, q - 1, &cut(tail, 0, q - 1)) else { break };
        found.push(value);
        if q >= first {
            let blocked = found.iter().filter(|&&p| p >= q).count();
            assert_eq!(blocked + of_boards, usize::from(q) + dead, "{level}, {tail:?}, {q}");
            cases += 1;
        }
    }
    cases
}

#[test]
fn means_on_levels_and_with_four_rows() {
    let mut table = ThreeRowsTo(220);
    let mut cases = 0;
    for level in 0..=20 {
        cases += (0..170).map(|r| check(&[r], level, &mut table)).sum::<usize>();
    }
    assert!(cases > CASES, "{cases}");
    let mut table = FourRows::up_to(57);
    cases = 0;
    for level in 0..=30 {
        for r in 1..=28 {
            cases += (1..=r).map(|s| check(&[r, s], level, &mut table)).sum::<usize>();
        }
    }
    assert!(cases > CASES, "{cases}");
}
