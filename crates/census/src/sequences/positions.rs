//! The number of P-positions `(p,q,r)` with `p <= n`, A029899.
//!
//! All of them have `r <= p`, so when rows 0 to n are known, those with `p <= n` are. In the
//! periodic part of a row every p from some place on occurs exactly once (fact 4 of
//! proofs/README.md), so a row costs as much as its record is long.

use std::collections::VecDeque;

use record::{Periodic, Record, Statement};

/// The P-positions of the rows so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Positions {
    /// Those with `p <= r`, where r is the last row.
    counted: u64,
    /// Rows whose periodic part has every p from r on.
    steady: u64,
    /// The positions with larger p, from r + 1 on.
    later: VecDeque<Later>,
    /// The p of `later[0]`.
    next: u64,
}

/// The positions with one p.
#[derive(Clone, Copy, Debug, Default)]
struct Later {
    /// P-positions that are counted one by one.
    single: u64,
    /// Rows that have one for this p and all larger ones.
    joining: u64,
}

impl Positions {
    /// The number of P-positions with `p <= r`, where r is this row, which comes next; `None` if
    /// its head is a fingerprint.
    pub(super) fn add(&mut self, record: &Record) -> Option<u64> {
        for (column, offset) in (record.row()..).zip(record.head_offsets()?) {
            self.at(column + offset).single += 1;
        }
        if let Statement::Periodic(periodic) = record.statement() {
            self.repeat(periodic);
        }
        let Later { single, joining } = self.later.pop_front().unwrap_or_default();
        self.next += 1;
        self.steady += joining;
        self.counted += single + self.steady;
        Some(self.counted)
    }

    /// From the first period's largest p on, each p occurs once; before that, each value gives a p
    /// in every period.
    fn repeat(&mut self, periodic: &Periodic) {
        let first_period = (periodic.start..).zip(&periodic.values).map(|(q, offset)| q + offset);
        let largest = first_period.clone().max().expect("a period has values");
        for p in first_period {
            for p in (p..largest).step_by(periodic.values.len()) {
                self.at(p).single += 1;
            }
        }
        self.at(largest).joining += 1;
    }

    fn at(&mut self, p: u64) -> &mut Later {
        let place = p.checked_sub(self.next).expect("p >= r, rows in order");
        let place = usize::try_from(place).expect("as many p as a record has offsets");
        if place >= self.later.len() {
            self.later.resize(place + 1, Later::default());
        }
        &mut self.later[place]
    }
}
