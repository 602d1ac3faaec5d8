//! Section 6: the options of value g of the boards with two equal longest rows, by the rules.

use std::collections::HashMap;

use game::{Board, Chomp, Search};

/// Grundy values of boards with a limited number of columns, by plain search.
struct Values<'g> {
    search: Search<'g, Chomp>,
    known: HashMap<Vec<u16>, u64>,
    columns: u16,
}

impl Values<'_> {
    fn of(&mut self, rows: &[u16]) -> u64 {
        let rows: Vec<u16> = rows.iter().copied().filter(|&row| row > 0).collect();
        if let Some(&value) = self.known.get(&rows) {
            return value;
        }
        let value = self.search.grundy(&Board::new(rows.clone()).unwrap());
        self.known.insert(rows, value);
        value
    }

    fn board(&mut self, p: u16, q: u16, tail: &[u16]) -> u64 {
        let rows: Vec<u16> = [p, q].iter().chain(tail).map(|&row| row.min(p)).collect();
        let tail: Vec<u16> = rows[2..].iter().map(|&row| row.min(rows[1])).collect();
        self.of(&[&rows[..2], &tail].concat())
    }

    /// The p with `q <= p` for which `(p,q,t)` has this value; `None` if none is known.
    fn f(&mut self, level: u64, q: u16, tail: &[u16]) -> Option<u16> {
        (q.max(1)..=self.columns).find(|&p| self.board(p, q, tail) == level)
    }

    /// Whether row (level; tail) has the board `(p,p,min(t,p))` with `p < q`: it is empty, or it
    /// ended before q.
    fn is_dead(&mut self, level: u64, q: u16, tail: &[u16]) -> bool {
        (1..q).any(|p| self.board(p, p, tail) == level)
    }
}

fn cut(tail: &[u16], from: usize, length: u16) -> Vec<u16> {
    let parts = tail.iter().enumerate();
    parts.map(|(i, &part)| if i < from { part } else { part.min(length) }).collect()
}

/// 6.1 in every column in which all values of (D) and (R) are known.
fn check(tail: &[u16], level: u64, values: &mut Values) -> usize {
    let mut cases = 0;
    let first = tail.first().copied().unwrap_or(0).max(1);
    for q in first..values.columns {
        if values.is_dead(level, q, tail) {
            break;
        }
        let found: Option<Vec<u16>> =
            (0..q).map(|y| values.f(level, y, &cut(tail, 0, y))).collect();
        let Some(found) = found else { break };
        let blocked = found.iter().filter(|&&p| p >= q).count();

        let shorter = (0..tail.len()).flat_map(|i| (0..tail[i]).map(move |z| cut(tail, i, z)));
        let dead = shorter.filter(|row| values.is_dead(level, q, row)).count();
        let mut options = 0;
        for p in 1..q {
            let mut count = 0;
            for y in 0..p {
                count += usize::from(values.board(p, y, tail) == level);
            }
            for i in 0..tail.len() {
                for z in 0..tail[i].min(p) {
                    count += usize::from(values.board(p, p, &cut(tail, i, z)) == level);
                }
            }
            assert!(count <= 1 + tail.len());
            options += count;
        }
        assert_eq!(blocked + options, usize::from(q) + dead, "level {level}, {tail:?}, column {q}");
        cases += 1;
    }
    cases
}

#[test]
fn means_on_levels_and_with_four_rows() {
    let mut values = Values { search: Search::of(&Chomp), known: HashMap::new(), columns: 34 };
    let mut cases = 0;
    for level in 0..=6 {
        cases += (0..14).map(|r| check(&[r], level, &mut values)).sum::<usize>();
    }
    values.columns = 18;
    for level in 0..=3 {
        for r in 1..=6 {
            cases += (1..=r).map(|s| check(&[r, s], level, &mut values)).sum::<usize>();
        }
    }
    assert!(cases > 1000, "{cases}");
}
