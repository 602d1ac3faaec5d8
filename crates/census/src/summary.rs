//! Counts and extremes over many rows.

use std::collections::BTreeMap;

use record::{Periodic, RowRecord, Statement};

use crate::Excess;

/// What the table at the end of `chomp rows` says about the rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Number of rows.
    pub rows: u64,
    /// Number of finite rows.
    pub finite: u64,
    /// The first of them.
    pub first_finite: Option<u64>,
    /// By period: the number of rows, and the first one.
    pub periods: BTreeMap<u64, (u64, u64)>,
    /// The least and the largest `start - √2·r`.
    pub excess: Option<(Excess, Excess)>,
    /// What the certificates needed.
    pub certificates: CertificateExtremes,
}

/// How far certificates reach, at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CertificateExtremes {
    /// Largest `recurs - start`: columns past the start until the proof was complete.
    pub columns_past_start: u64,
    /// Number of rows whose modulus is not 1.
    pub with_modulus: u64,
}

impl Summary {
    /// Counts one more row.
    pub fn add(&mut self, record: &RowRecord) {
        self.rows += 1;
        match record.statement() {
            Statement::Finite(finite) => {
                self.finite += 1;
                self.first_finite.get_or_insert(finite.row);
            }
            Statement::Periodic(periodic) => self.add_periodic(periodic),
        }
    }

    /// Number of periodic rows.
    #[must_use]
    pub fn periodic(&self) -> u64 {
        self.rows - self.finite
    }

    fn add_periodic(&mut self, periodic: &Periodic) {
        let &Periodic { row, start, ref certificate, .. } = periodic;
        self.periods.entry(periodic.period()).or_insert((0, row)).0 += 1;

        let excess = Excess { row, start };
        let (least, largest) = self.excess.unwrap_or((excess, excess));
        self.excess = Some((least.min(excess), largest.max(excess)));

        let extremes = &mut self.certificates;
        extremes.columns_past_start = extremes.columns_past_start.max(certificate.recurs - start);
        extremes.with_modulus += u64::from(certificate.modulus != 1_u32.into());
    }
}
