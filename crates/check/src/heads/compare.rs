//! A row's record against the computed offsets.

use record::{Certificate, Head, Periodic, Statement};

use super::diagonal::Diagonal;
use super::row::{Live, Phase};
use crate::certificate::value;
use crate::error::{EarlyEnd, Why};

impl Live<'_> {
    /// At `from`, before its offset is computed: compares U(from).
    pub(super) fn compare_state(&self, q: u32, diagonal: &Diagonal) -> Result<(), EarlyEnd> {
        let Some(Periodic { certificate, .. }) = self.record.periodic() else { return Ok(()) };
        let &Certificate { from, filled: stated_filled, above: ref stated_above, .. } = certificate;
        let (filled, above) = self.state(q, diagonal);
        if (filled, &above) == (stated_filled, stated_above) {
            return Ok(());
        }
        let stated_above = stated_above.clone();
        self.refuted(Why::WrongState { from, stated_filled, stated_above, filled, above })
    }

    /// Compares the offset of column q with the record.
    pub(super) fn compare(&mut self, q: u32, offset: u32) -> Result<(), EarlyEnd> {
        let (column, computed) = (u64::from(q), u64::from(offset));
        match self.record.statement() {
            Statement::Empty { .. } => Ok(()),
            Statement::Finite(finite) => {
                self.compare_with_head(column, computed)?;
                if column == finite.last {
                    if offset != 0 {
                        return self.refuted(Why::GoesOn { last: column, computed });
                    }
                    self.phase = Phase::Done;
                    self.compare_fingerprint()
                } else if offset == 0 {
                    self.refuted(Why::Ends { column })
                } else {
                    Ok(())
                }
            }
            Statement::Periodic(periodic) => {
                if offset == 0 {
                    return self.refuted(Why::Ends { column });
                }
                if column >= periodic.start {
                    if q == self.last {
                        self.phase = Phase::Repeat;
                    }
                    return self.compare_offset(column, value(periodic, column), computed);
                }
                self.compare_with_head(column, computed)?;
                if column.saturating_add(1) < periodic.start {
                    return Ok(());
                }
                if periodic.values.last() == Some(&computed) {
                    return self.refuted(Why::StartNotLeast { start: periodic.start });
                }
                self.compare_fingerprint()
            }
        }
    }

    fn compare_with_head(&self, column: u64, computed: u64) -> Result<(), EarlyEnd> {
        let Some(Head::Offsets(offsets)) = self.record.head() else { return Ok(()) };
        let place = column.saturating_sub(u64::from(self.row));
        let stated = usize::try_from(place).ok().and_then(|place| offsets.get(place));
        self.compare_offset(column, stated.copied().unwrap_or(u64::MAX), computed)
    }

    fn compare_offset(&self, column: u64, stated: u64, computed: u64) -> Result<(), EarlyEnd> {
        if stated == computed {
            return Ok(());
        }
        self.refuted(Why::WrongOffset { column, stated, computed })
    }

    fn compare_fingerprint(&self) -> Result<(), EarlyEnd> {
        match self.record.head() {
            Some(&Head::Fingerprint(stated)) if stated != self.sum => {
                self.refuted(Why::WrongFingerprint { stated, computed: self.sum })
            }
            _ => Ok(()),
        }
    }
}
