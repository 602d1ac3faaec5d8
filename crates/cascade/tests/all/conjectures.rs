//! The conjectures of `examples/conjectures`, on sequences whose invariants are known.

#[path = "../../examples/conjectures/learn.rs"]
mod learn;

use crate::predictions::balance::{self, Balance};
use learn::{Lists, Range, Values};

/// The Fibonacci word abaababa..., with a = 0 and b = 1. Its minimal forbidden words have the
/// Fibonacci numbers as lengths: bb, aaa, babab, ... (Mignosi, Restivo and Sciortino 2002).
#[test]
fn forbidden_words_of_the_fibonacci_word() {
    let (mut word, mut before) = (vec![0, 1], vec![0]);
    while word.len() < 5000 {
        let next = [&word[..], &before].concat();
        before = std::mem::replace(&mut word, next);
    }
    let mut lists = Lists::default();
    for (row, &letter) in (0..).zip(&word) {
        lists.add(row, row < 1000, letter);
    }
    let found = lists.conjectures();
    let expected = [vec![1, 1], vec![0, 0, 0], vec![1, 0, 1, 0, 1]];
    assert_eq!(found, expected.map(|list| (list, None)));
    // What was learned too early fails later, at the row of its last term.
    let mut lists = Lists::default();
    for (row, term) in (0..).zip([0, 1, 0, 0, 1, 1]) {
        lists.add(row, row < 4, term);
    }
    assert!(lists.conjectures().contains(&(vec![1, 1], Some(5))));
}

#[test]
fn values_and_ranges() {
    let mut values = Values::default();
    for (row, value) in (0..).zip([3, 5, 3, 5, 4, 6]) {
        values.add(row, row < 3, value);
    }
    assert_eq!(values.refuted, Some((4, 4)));
    assert_eq!(values.learned.into_iter().collect::<Vec<_>>(), [3, 5]);
    let mut range = Range::default();
    // The range is from 1 - √2 to 2 - √2; 3 - 2√2 is in it, and 2 - 2√2 is less.
    for (row, periodic) in (0..).zip([1, 0, 1]) {
        range.add(row, true, Balance { periodic, rows: 1 });
    }
    range.add(3, false, Balance { periodic: 1, rows: 2 });
    assert_eq!(range.refuted, None);
    range.add(4, false, Balance { periodic: 0, rows: 2 });
    assert_eq!(range.refuted.map(|(row, _)| row), Some(4));
}
