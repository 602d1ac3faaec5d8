//! Levels and tails: the rows of a family computed.

use std::num::NonZero;
use std::ops::ControlFlow;

use byrnes::ChompGrundy;
use record::{Family, HeadForm, Record};

use crate::error::Hint;
use crate::job::Running;
use crate::watch::{Unit, Watch, Work};
use crate::{Engine, Error};

pub mod cost;

use cost::FamilyMemory;

impl Engine {
    /// All rows of a family, in their order, each proved. `Break` ends the work, with
    /// [`Error::Interrupted`]; `visit` gets each row before those that need it.
    ///
    /// The literal recurrence knows tails of one part only.
    ///
    /// # Errors
    /// Too many rows, or rows that the literal recurrence does not have; [`Error::Interrupted`]; a
    /// row that was not proved; [`Error::Memory`] before the work, if there is less memory than
    /// such families were measured to need, and during the work, if less is left than has been
    /// used.
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
        // The rows of large tails take longer; those of ideals are of all sizes from the first on.
        let exponent = if family.within().is_some() { 2.0 } else { 1.0 };
        let running = Running::new(watch, Work { unit: Unit::Row, all, before: 0, exponent });
        let mut take = |record: &Record| {
            visit(record)?;
            let period = record.periodic().map_or(0, record::Periodic::period);
            let head = record.settled().saturating_sub(record.key().first_column());
            shortage = memory.keep(head + period).err();
            if shortage.is_some() { ControlFlow::Break(()) } else { running.advance(1) }
        };
        let rows = match self {
            Self::Literal => literal(family, form, &mut take),
            Self::Sweep(options) => {
                let threads = options.threads.unwrap_or(NonZero::<usize>::MIN);
                let options = levels::Options { threads, form, stop: &|| watch.stop() };
                levels::rows(family, &options, &mut take).map_err(Error::from)
            }
        };
        shortage.map_or(rows, Err)
    }
}

fn literal(
    family: &Family,
    form: HeadForm,
    take: &mut dyn FnMut(&Record) -> ControlFlow<()>,
) -> Result<Vec<Record>, Error> {
    let within = family.within().filter(|within| within.parts().len() <= 1);
    let three_rowed =
        || Error::usage("the literal recurrence has three rows only").with(Hint::Sweep);
    let last = within.ok_or_else(three_rowed)?.first_column();
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
