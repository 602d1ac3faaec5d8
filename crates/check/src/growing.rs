//! A data set that is still being written: structure and tails of each segment once it is there.

use record::data_set::DataSet;

use crate::tails::ValuesBelow;
use crate::{CheckError, CheckWatch, Depth, Place, Verified, certificates, check_tail, in_files};

/// Checks a data set that grows, segment by segment, on the thread that asks for it.
///
/// It compares a certificate only with the segments that it has read, and with nothing that the
/// program that writes them says.
#[derive(Debug, Default)]
pub struct Growing {
    below: ValuesBelow,
    segments: usize,
    rows: u64,
    certificates: u64,
}

impl Growing {
    /// The number of segments that were checked.
    pub fn segments(&self) -> usize {
        self.segments
    }

    /// The number of rows that were checked.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Reads the next segment of `data_set`, which has all segments that were checked, and checks
    /// its certificates. O(1) a row in practice, and a look at every value below.
    ///
    /// # Errors
    /// As for a data set on disk. No further segment can be checked then.
    ///
    /// # Panics
    /// If the data set has no further segment.
    pub fn next_segment(
        &mut self,
        data_set: &DataSet,
        watch: &dyn CheckWatch,
    ) -> Result<(), CheckError> {
        let records = data_set.segment(self.segments, &|| watch.stop())?;
        self.below.extend(&records);
        let family = data_set.family();
        let place = Place { family: &family, held: data_set.last_row() };
        for record in &records {
            check_tail(&self.below, record, watch)
                .map_err(|end| in_files(place.error(end), data_set))?;
        }
        self.segments = self.segments.saturating_add(1);
        self.rows = self.rows.saturating_add(records.len() as u64);
        self.certificates = self.certificates.saturating_add(certificates(&records));
        Ok(())
    }

    /// The verdict on the rows that were checked; `None` if none were.
    pub fn verified(&self) -> Option<Verified> {
        let last = self.rows.checked_sub(1)?;
        Some(Verified::of(Depth::Tails, (0, last), last, self.certificates))
    }
}
