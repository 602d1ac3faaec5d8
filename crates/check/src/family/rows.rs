//! The records of a family, and which of them are below which (fact 12).

use std::collections::HashMap;

use record::{Family, Periodic, Record, Tail};

/// The records of a family, and which of them are below which.
pub(super) struct FamilyRows<'a> {
    pub(super) records: &'a [Record],
    /// How many levels each tail has.
    levels: usize,
    /// For each tail the numbers of the tails that bites leave, by row i, then by z.
    shorter: Vec<Vec<u32>>,
}

impl<'a> FamilyRows<'a> {
    pub(super) fn new(family: &Family, records: &'a [Record]) -> Self {
        let levels = usize::try_from(family.level).unwrap_or(usize::MAX).saturating_add(1);
        let tails: Vec<&Tail> =
            records.iter().step_by(levels).map(|record| &record.key().tail).collect();
        let number: HashMap<&[u64], u32> =
            (0..).zip(&tails).map(|(number, tail)| (tail.parts(), number)).collect();
        let of = |tail: &&Tail| {
            let left = bites(tail.parts());
            left.filter_map(|parts| number.get(parts.as_slice()).copied()).collect()
        };
        let shorter = tails.iter().map(of).collect();
        Self { records, levels, shorter }
    }

    /// The numbers of all records.
    pub(super) fn numbers(&self) -> Vec<usize> {
        (0..self.records.len()).collect()
    }

    /// The number of the tail, and the level.
    pub(super) fn place(&self, number: usize) -> (usize, usize) {
        let split = number.checked_div(self.levels).zip(number.checked_rem(self.levels));
        split.unwrap_or((0, 0))
    }

    /// The numbers of the rows of (C), by i, then by z. The first r1 of them are also those of (D).
    pub(super) fn shorter(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        let (tail, level) = self.place(number);
        let tails = self.shorter.get(tail).map_or(&[][..], Vec::as_slice);
        tails
            .iter()
            .map(move |&tail| (tail as usize).saturating_mul(self.levels).saturating_add(level))
    }

    /// The numbers of the rows of (L).
    pub(super) fn lower(&self, number: usize) -> impl Iterator<Item = usize> + use<> {
        number.saturating_sub(self.place(number).1)..number
    }

    /// The numbers of all rows below.
    pub(super) fn below(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        self.shorter(number).chain(self.lower(number))
    }

    pub(super) fn record(&self, number: usize) -> Option<&'a Record> {
        self.records.get(number)
    }

    pub(super) fn periodic(&self, number: usize) -> Option<&'a Periodic> {
        self.record(number)?.periodic()
    }

    /// The largest offset that the row can have.
    pub(super) fn most_offset(&self, number: usize) -> u64 {
        self.record(number).map_or(0, |record| record.key().most_offset())
    }

    /// The first column.
    pub(super) fn first_column(&self, number: usize) -> u64 {
        self.record(number).map_or(0, |record| record.key().first_column())
    }
}

/// The parts that are left when a bite leaves z squares in part i, for all i and z.
fn bites(parts: &[u64]) -> impl Iterator<Item = Vec<u64>> + '_ {
    parts.iter().enumerate().flat_map(move |(i, &part)| {
        (0..part).map(move |z| {
            let cut = |(j, &part): (usize, &u64)| if j < i { part } else { part.min(z) };
            parts.iter().enumerate().map(cut).filter(|part| *part > 0).collect()
        })
    })
}
