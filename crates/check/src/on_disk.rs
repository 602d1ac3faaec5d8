//! Data sets on disk: one that is whole, and one that is still being written: structure and tails
//! of each segment once it is there.

use record::data_set::DataSet;

use crate::tails::ValuesBelow;
use crate::{Check, CheckError, CheckWatch, Resumed, Task, Verified, between, certificates, heads};

/// A checkpoint of *heads*, from which a check resumes.
pub struct Start<'a> {
    /// Its file, for messages.
    pub file: String,
    /// Its hash, for the verdict.
    pub hash: String,
    /// The bytes that [`CheckWatch::checkpoint`] has written.
    pub bytes: &'a mut dyn std::io::Read,
}

/// Checks a data set on disk. Of rows of three-rowed Chomp it reads no segment beyond the last row
/// that is judged, and it resumes their heads from a checkpoint, if there is one, which is assumed
/// to be right: the verdict says so.
///
/// # Errors
/// Anything but a verdict of *verified*: see [`CheckError`]. Of several wrong certificates the one
/// of the least row is reported; of several wrong heads, the first one that is found.
pub fn check_data_set(
    data_set: &DataSet,
    task: &Task,
    start: Option<Start>,
    watch: &dyn CheckWatch,
) -> Result<Verified, CheckError> {
    let manifest = data_set.manifest();
    let data = manifest.segments.last().map(|last| last.blake3.clone());
    let (family, held) = (data_set.family(), data_set.last_row());
    let check = Check { family: &family, held, manifest: Some(manifest), watch };
    let of_rows = check.is_of_rows();
    let last = task.rows.filter(|_| of_rows).map(|(_, last)| last);
    let count = last.and_then(|last| usize::try_from(last).ok()?.checked_add(1));
    let records = data_set.rows_until(|| watch.stop()).take(count.unwrap_or(usize::MAX));
    let records: Vec<_> = records.collect::<Result<_, _>>()?;
    let read = last.and_then(|last| manifest.entry_of(last)).map_or(held, |entry| entry.last);
    let judged = task.rows.map_or(&*records, |(_, last)| between(&records, 0, last));
    let restored = start.map(|Start { file, hash, bytes }| {
        let restored = heads::Checkpoint::restore(judged, heads::most_cells(judged), bytes);
        let checkpoint = restored.map_err(|error| {
            let problem = format!("{error}; remove it, or choose another folder");
            CheckError::Checkpoint { file, problem }
        })?;
        Ok::<_, CheckError>((Resumed { hash, column: checkpoint.column.into() }, checkpoint))
    });
    let (resumed, checkpoint) = restored.transpose()?.unzip();
    let verified =
        if of_rows { check.rows(&records, task, checkpoint) } else { check.family(&records, task) };
    match (verified, resumed) {
        (Ok(verified), resumed) => Ok(Verified { read, data, resumed, ..verified }),
        (
            Err(source @ (CheckError::Refuted(_) | CheckError::Incomplete(_))),
            Some(Resumed { hash, .. }),
        ) => Err(CheckError::Resumed { source: Box::new(source), hash }),
        (Err(error), _) => Err(error),
    }
}

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
        let family = data_set.family();
        let (held, manifest) = (data_set.last_row(), Some(data_set.manifest()));
        let check = Check { family: &family, held, manifest, watch };
        for record in &records {
            self.below.take(record);
            check.tail(&self.below, record).map_err(|end| check.error(end))?;
        }
        self.segments = self.segments.saturating_add(1);
        self.rows = self.rows.saturating_add(records.len() as u64);
        self.certificates = self.certificates.saturating_add(certificates(&records));
        Ok(())
    }

    /// The verdict on the rows that were checked; `None` if none were.
    pub fn verified(&self) -> Option<Verified> {
        let last = self.rows.checked_sub(1)?;
        let (held, read, certificates) = (last, last, self.certificates);
        Some(Verified { last, held, read, certificates, ..Verified::default() })
    }
}
