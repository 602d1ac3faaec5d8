//! Conjectures of three forms, learned from the first rows and tested on the others.

use std::collections::{BTreeMap, BTreeSet};

use super::balance::Balance;

/// A conjecture: the integer takes no values but those that it took in the rows to learn from.
#[derive(Default)]
pub struct Values {
    pub learned: BTreeSet<i64>,
    /// The first other value, and its row.
    pub refuted: Option<(u64, i64)>,
}

impl Values {
    pub fn add(&mut self, row: u64, learns: bool, value: i64) {
        if learns {
            self.learned.insert(value);
            return;
        }
        if !self.learned.contains(&value) && self.refuted.is_none() {
            self.refuted = Some((row, value));
        }
    }
}

/// A conjecture: D stays in the range that it had in the rows to learn from.
#[derive(Default)]
pub struct Range {
    pub learned: Option<(Balance, Balance)>,
    pub refuted: Option<(u64, Balance)>,
}

impl Range {
    pub fn add(&mut self, row: u64, learns: bool, value: Balance) {
        let (least, greatest) = self.learned.unwrap_or((value, value));
        if learns {
            self.learned = Some((least.min(value), greatest.max(value)));
        } else if (value < least || value > greatest) && self.refuted.is_none() {
            self.refuted = Some((row, value));
        }
    }
}

/// The longest lists of successive terms.
const LONGEST: usize = 5;

/// Conjectures about successive terms of a sequence: a list of two to five does not occur, although
/// the lists without its first or its last term do.
#[derive(Default)]
pub struct Lists {
    last: Vec<i64>,
    learned: BTreeSet<Vec<i64>>,
    /// Lists that were not learned, and the row where each came first.
    later: BTreeMap<Vec<i64>, u64>,
}

impl Lists {
    pub fn add(&mut self, row: u64, learns: bool, term: i64) {
        if self.last.len() == LONGEST {
            self.last.remove(0);
        }
        self.last.push(term);
        for from in 0..self.last.len() {
            let list = &self.last[from..];
            if self.learned.contains(list) {
                continue;
            }
            if learns {
                self.learned.insert(list.to_vec());
            } else {
                self.later.entry(list.to_vec()).or_insert(row);
            }
        }
    }

    /// The conjectures, with the row that refutes each.
    pub fn conjectures(&self) -> Vec<(Vec<i64>, Option<u64>)> {
        let terms: BTreeSet<i64> =
            self.learned.iter().filter(|list| list.len() == 1).map(|list| list[0]).collect();
        let mut conjectures = Vec::new();
        for list in self.learned.iter().filter(|list| list.len() < LONGEST) {
            for &term in &terms {
                let mut longer = list.clone();
                longer.push(term);
                if self.learned.contains(&longer[1..]) && !self.learned.contains(&longer) {
                    let refuted = self.later.get(&longer).copied();
                    conjectures.push((longer, refuted));
                }
            }
        }
        conjectures.sort_by_key(|(list, _)| (list.len(), list.clone()));
        conjectures
    }
}
