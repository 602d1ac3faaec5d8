//! The quantities about which conjectures are made, row by row.

use std::collections::BTreeMap;

use record::{Record, Statement};

use crate::balance::Balance;
use crate::learn::{Lists, Range, Values};

/// The rows so far. F(r) is the number of finite rows below row r, `E_c` the end of row c.
pub struct Rows {
    /// The last row to learn from.
    pub learned: u64,
    pub read: u64,
    pub values: BTreeMap<&'static str, Values>,
    pub ranges: BTreeMap<&'static str, Range>,
    pub lists: BTreeMap<&'static str, Lists>,
    /// F(0), F(1), ...
    finite: Vec<i64>,
    diagonal: i64,
    /// The last finite row, and its end.
    last_finite: Option<(i64, i64)>,
    last_periodic: Option<i64>,
    run: i64,
}

impl Rows {
    pub fn new(learned: u64) -> Self {
        Self {
            learned,
            read: 0,
            values: BTreeMap::new(),
            ranges: BTreeMap::new(),
            lists: BTreeMap::new(),
            finite: vec![0],
            diagonal: 0,
            last_finite: None,
            last_periodic: None,
            run: 0,
        }
    }

    pub fn add(&mut self, record: &Record) {
        let r = record.row().cast_signed();
        let below = self.finite[self.finite.len() - 1];
        let diagonal = record.diagonal().cast_signed();
        if r > 0 {
            self.value("d(r) - d(r-1)", diagonal - self.diagonal);
            self.list("d(r) - d(r-1)", diagonal - self.diagonal);
        }
        self.diagonal = diagonal;
        let line = 2 * diagonal - 4 * r + below;
        self.value("2d(r) - 4r + F(r)", line);
        let finite = match record.statement() {
            Statement::Finite(row) => {
                self.finite(r, below, line, row.last.cast_signed());
                1
            }
            Statement::Periodic(row) => {
                self.periodic(r, row.period() > 1, row.start.cast_signed() - 2 * r + below, line);
                0
            }
            Statement::Empty { .. } => 0,
        };
        self.finite.push(below + finite);
        let (b, all) = (r + 1, below + finite);
        let again = self.finite[usize::try_from(all).unwrap_or(0)];
        self.value("F(F(b)) - 4F(b) + 2b", again - 4 * all + 2 * b);
        let balance = Balance { periodic: b - all, rows: b };
        self.range("D(r), all rows", balance);
        self.range(if finite == 1 { "D(r), finite rows" } else { "D(r), periodic rows" }, balance);
        if finite == 0 {
            let moves = record.periodic().is_some_and(|row| row.period() > 1);
            let name = if moves { "D(r), rows that move" } else { "D(r), constant rows" };
            self.range(name, balance);
        }
        self.read += 1;
    }

    fn finite(&mut self, r: i64, below: i64, line: i64, end: i64) {
        self.value("E(c) - 2c + F(c)", end - 2 * r + below);
        self.value("2d(c) - 4c + F(c), finite rows", line);
        self.value("2d(c) - 2E(c) - F(c)", 2 * self.diagonal - 2 * end - below);
        if let Some((row, last)) = self.last_finite.replace((r, end)) {
            self.value("c' - c, successive finite rows", r - row);
            self.value("E(c') - E(c), successive finite rows", end - last);
            self.list("E(c') - E(c)", end - last);
            self.value("E(c') - E(c) - (c' - c)", end - last - (r - row));
        }
        self.run += 1;
    }

    fn periodic(&mut self, r: i64, moves: bool, start: i64, line: i64) {
        self.value("finite rows between periodic ones", self.run);
        self.run = 0;
        let (of_start, of_line) = if moves {
            ("start - 2r + F(r), rows that move", "2d(r) - 4r + F(r), rows that move")
        } else {
            ("start - 2r + F(r), constant rows", "2d(r) - 4r + F(r), constant rows")
        };
        self.value(of_start, start);
        self.value(of_line, line);
        if let Some(last) = self.last_periodic.replace(r) {
            self.value("Δ", r - last);
            self.list("Δ", r - last);
        }
    }

    fn learns(&self) -> bool {
        self.read <= self.learned
    }

    fn value(&mut self, name: &'static str, value: i64) {
        let (row, learns) = (self.read, self.learns());
        self.values.entry(name).or_default().add(row, learns, value);
    }

    fn range(&mut self, name: &'static str, value: Balance) {
        let (row, learns) = (self.read, self.learns());
        self.ranges.entry(name).or_default().add(row, learns, value);
    }

    fn list(&mut self, name: &'static str, term: i64) {
        let (row, learns) = (self.read, self.learns());
        self.lists.entry(name).or_default().add(row, learns, term);
    }
}
