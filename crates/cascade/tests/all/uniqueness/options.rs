//! Section 6: the options of value g of the boards with two equal longest rows, by the rules.

use std::collections::HashMap;

use game::{Board, Chomp, GrundyTable, Search, ThreeRows};

use super::CASES;

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
impl Values for (GrundyTable, u16) {
    fn board(&mut self, p: u16, q: u16, tail: &[u16]) -> u64 {
        let [p, q, r] = [p, q, tail[0].min(q)].map(u64::from);
        self.0.value(ThreeRows::new(p, q, r).unwrap()).unwrap()
    }

    fn columns(&self) -> u16 {
        self.1
    }
}

/// Four rows: plain search.
struct Searched<'g> {
    search: Search<'g, Chomp>,
    known: HashMap<Vec<u16>, u64>,
    columns: u16,
}

impl Values for Searched<'_> {
    fn board(&mut self, p: u16, q: u16, tail: &[u16]) -> u64 {
        let rows = [p, q].into_iter().chain(tail.iter().map(|&row| row.min(q)));
        let rows: Vec<u16> = rows.filter(|&row| row > 0).collect();
        if let Some(&value) = self.known.get(&rows) {
            return value;
        }
        let value = self.search.grundy(&Board::new(rows.clone()).unwrap());
        self.known.insert(rows, value);
        value
    }

    fn columns(&self) -> u16 {
        self.columns
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
    let mut table = (GrundyTable::up_to(260), 260);
    let mut cases = 0;
    for level in 0..=20 {
        cases += (0..170).map(|r| check(&[r], level, &mut table)).sum::<usize>();
    }
    assert!(cases > CASES, "{cases}");
    let mut values = Searched { search: Search::of(&Chomp), known: HashMap::new(), columns: 18 };
    cases = 0;
    for level in 0..=3 {
        for r in 1..=6 {
            cases += (1..=r).map(|s| check(&[r, s], level, &mut values)).sum::<usize>();
        }
    }
    assert!(cases > 300, "{cases}");
}
