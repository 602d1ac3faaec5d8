//! Levels and tails: the rows of a family computed, written, verified.

use std::num::NonZero;
use std::ops::ControlFlow;
#[cfg(feature = "files")]
use std::path::Path;

use byrnes::ChompGrundy;
#[cfg(feature = "files")]
use check::{CheckError, Task, Verified};
#[cfg(feature = "files")]
use record::data_set::{Contents, DataSet, DataSetError, require_free, write_family};
use record::{Family, HeadForm, Record};

use crate::memory::family::FamilyMemory;
#[cfg(feature = "files")]
use crate::records::verify_data_set;
use crate::watch::{Running, Unit, Watch, Work};
use crate::{Engine, Error};

impl Engine {
    /// All rows of a family, in their order, each proved. `Break` ends the work, with
    /// [`Error::Interrupted`]; `visit` gets each row before those that need it.
    ///
    /// The literal recurrence knows tails of one part only.
    ///
    /// # Errors
    /// [`Error::Levels`] if there are too many rows; [`Error::LiteralTails`];
    /// [`Error::Interrupted`]; a row that was not proved; [`Error::Memory`] before the work, if
    /// there is less memory than such families were measured to need, and during the work, if less
    /// is left than has been used.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use driver::{Engine, Family, HeadForm};
    /// let family = Family::of_tails(2, "3".parse()?);
    /// let visit = |_: &_| ControlFlow::Continue(());
    /// let rows = Engine::default().family(&family, HeadForm::Fingerprint, &(), visit)?;
    /// assert_eq!(rows[8].to_string(), "Empty(row: 2, level: 2, by: 1)");
    /// assert_eq!(rows, Engine::Literal.family(&family, HeadForm::Fingerprint, &(), visit)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn family(
        &self,
        family: &Family,
        form: HeadForm,
        watch: &dyn Watch,
        mut visit: impl FnMut(&Record) -> ControlFlow<()>,
    ) -> Result<Vec<Record>, Error> {
        let all = family.count().unwrap_or(u64::MAX);
        let (mut memory, mut shortage) = (FamilyMemory::begin(family, form, watch)?, None);
        let _ended = Running::new(watch, Work { unit: Unit::Row, all, before: 0, exponent: 2.0 });
        let mut done = 0;
        let mut take = |record: &Record| {
            done += 1;
            watch.done(done);
            visit(record)?;
            let period = record.periodic().map_or(0, record::Periodic::period);
            let head = record.settled().saturating_sub(record.key().first_column());
            shortage = memory.keep(head + period).err();
            let stop = shortage.is_some() || watch.stop();
            if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let rows = match self {
            Self::Literal => literal(family, form, &mut take),
            Self::Sweep(options) => {
                let threads = options.threads.unwrap_or(NonZero::<usize>::MIN);
                let options = levels::Options { threads, form };
                levels::rows(family, &options, &mut take).map_err(Error::from)
            }
        };
        shortage.map_or(rows, |shortage| Err(Error::Memory(shortage)))
    }

    /// Writes the rows of a family to a folder as a data set of format 2, and verifies it, depths
    /// structure and tails. Nothing is a data set before all rows are computed. A folder that holds
    /// the same rows already is left as it is, and verified.
    ///
    /// # Errors
    /// As [`family`](Self::family), but [`Error::WriteInterrupted`] if it is interrupted, which
    /// leaves the folder as it was, and [`Error::VerificationInterrupted`] if that is when all rows
    /// are written; a folder that holds something else; a file that cannot be written;
    /// [`Error::Check`] if the data set is not verified.
    #[cfg(feature = "files")]
    pub fn write_family(
        &self,
        folder: &Path,
        family: &Family,
        form: HeadForm,
        watch: &dyn Watch,
    ) -> Result<WrittenFamily, Error> {
        if let Some(held) = held(folder, family, form)? {
            let verdict = verified(&held, watch)?;
            let rows = held.rows().collect::<Result<_, _>>()?;
            return Ok(WrittenFamily { rows, verdict, held: true });
        }
        let rows = self.family(family, form, watch, |_| ControlFlow::Continue(()));
        let rows = rows.map_err(|error| match error {
            Error::Interrupted => Error::WriteInterrupted { kept: None },
            error => error,
        })?;
        let data_set = write_family(folder, family, form, rows.iter().cloned())?;
        let verdict = verified(&data_set, watch)?;
        Ok(WrittenFamily { rows, verdict, held: false })
    }
}

/// A data set of a family.
#[cfg(feature = "files")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenFamily {
    /// Its records.
    pub rows: Vec<Record>,
    /// The verdict of the checker that knows no engine.
    pub verdict: Verified,
    /// Whether the folder held it already, and nothing was computed.
    pub held: bool,
}

#[cfg(feature = "files")]
fn verified(written: &DataSet, watch: &dyn Watch) -> Result<Verified, Error> {
    let verdict = verify_data_set(written, &Task::default(), watch);
    verdict.map_err(|error| match error {
        CheckError::Interrupted => {
            let (folder, family) = (written.folder().to_owned(), written.family());
            Error::VerificationInterrupted { folder, family }
        }
        error => error.into(),
    })
}

/// The data set of this family, if a folder holds it. An error if it holds anything else.
#[cfg(feature = "files")]
fn held(folder: &Path, family: &Family, form: HeadForm) -> Result<Option<DataSet>, DataSetError> {
    let held = match DataSet::open_any(folder) {
        Err(DataSetError::Missing { .. }) => return require_free(folder).map(|()| None),
        held => held?,
    };
    let (path, head) = (folder.to_owned(), held.manifest().head);
    match &held.manifest().contents {
        Contents::Family(own) if own == family && head == form => Ok(Some(held)),
        Contents::Family(own) if own == family => {
            Err(DataSetError::OtherForm { path, held: head, asked: form })
        }
        Contents::Family(own) => {
            let (held, asked) = (own.to_string(), family.to_string());
            Err(DataSetError::OtherFamily { path, held, asked })
        }
        Contents::Rows => Err(DataSetError::Occupied { path }),
    }
}

fn literal(
    family: &Family,
    form: HeadForm,
    take: &mut dyn FnMut(&Record) -> ControlFlow<()>,
) -> Result<Vec<Record>, Error> {
    let within = family.within().filter(|within| within.parts().len() <= 1);
    let last = within.ok_or(Error::LiteralTails)?.first_column();
    let mut records = Vec::new();
    for (_, rows) in (0..=last).zip(ChompGrundy::to_level(family.level)) {
        for (level, row) in (0..).zip(rows?) {
            let record = row.record(level, form)?;
            if take(&record).is_break() {
                return Err(Error::Interrupted);
            }
            records.push(record);
        }
    }
    Ok(records)
}
