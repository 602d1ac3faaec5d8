//! What is asked of a data set on disk. Nothing is computed again here but by the checker.

use std::ops::ControlFlow;
use std::path::Path;

use census::query::omega::{self, OmegaAnswer, OmegaPosition};
use census::query::{Answer, Position};
use check::{CheckError, Task, Verified, check_data_set, check_keyed_data_set};
use record::RowRecord;
use record::data_set::{AnyDataSet, DataSet};

use crate::Error;
use crate::records::{Checker, answer};
use crate::watch::{Begun, Unit, Watch, Work};

/// Opens the data set in a folder, of either format, and verifies it, by the checker that knows no
/// engine.
///
/// # Errors
/// Anything but a verdict of *verified*: see [`CheckError`].
///
/// ```
/// use driver::{Engine, Target, Task, data_set};
/// let folder = tempfile::tempdir()?;
/// Engine::default().write(&Target::new(folder.path(), 130), &())?;
/// let task = Task { heads: true, rows: None };
/// let verdict = data_set::verify(folder.path(), &task, &())?;
/// assert_eq!((verdict.last, verdict.assumptions()), (130, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify(folder: &Path, task: &Task, watch: &dyn Watch) -> Result<Verified, CheckError> {
    match AnyDataSet::open(folder)? {
        AnyDataSet::Rows(data_set) => verify_opened(&data_set, task, watch),
        AnyDataSet::Keyed(data_set) => check_keyed_data_set(&data_set, task, &Checker::new(watch)),
    }
}

pub(crate) fn verify_opened(
    data_set: &DataSet,
    task: &Task,
    watch: &dyn Watch,
) -> Result<Verified, CheckError> {
    check_data_set(data_set, task, &Checker::new(watch))
}

/// Hands each record to `visit`, in row order, as it is read; its segment was verified as a file
/// before. `Break` ends the work, successfully.
///
/// # Errors
/// A segment that cannot be read or is damaged; [`Error::Interrupted`].
///
/// ```
/// use std::ops::ControlFlow;
/// use driver::{DataSet, Engine, Target, data_set};
/// let folder = tempfile::tempdir()?;
/// Engine::default().write(&Target::new(folder.path(), 10), &())?;
/// let mut periodic = Vec::new();
/// data_set::rows(&DataSet::open(folder.path())?, &(), |record| {
///     periodic.extend(record.periodic().map(|row| row.row));
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(periodic, [0, 2, 5, 7, 9]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rows(
    data_set: &DataSet,
    watch: &dyn Watch,
    mut visit: impl FnMut(RowRecord) -> ControlFlow<()>,
) -> Result<(), Error> {
    let all = data_set.manifest().rows;
    let _ended = Begun::new(watch, Work { unit: Unit::Row, all, before: 0, exponent: 1.0 });
    for (done, record) in (1..).zip(data_set.rows()) {
        if visit(record?).is_break() {
            break;
        }
        watch.done(done);
        if watch.stop() && done < all {
            return Err(Error::Interrupted);
        }
    }
    Ok(())
}

/// The record of one row. Reads and verifies the segment that holds it.
///
/// # Errors
/// [`Error::NoSuchRow`], and a segment that cannot be read or is damaged.
///
/// ```
/// use driver::{DataSet, Engine, Target, data_set};
/// let folder = tempfile::tempdir()?;
/// Engine::default().write(&Target::new(folder.path(), 130), &())?;
/// let data_set = DataSet::open(folder.path())?;
/// assert_eq!(data_set::row(&data_set, 120)?.periodic().unwrap().values, [72, 70]);
/// assert!(data_set::row(&data_set, 131).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn row(data_set: &DataSet, number: u64) -> Result<RowRecord, Error> {
    data_set.row(number)?.ok_or_else(|| missing(data_set, number))
}

/// Whether a position is P or N, and every bite that leaves a P-position, from records.
///
/// # Errors
/// [`Error::NoSuchRow`]; [`Error::Query`] if the answer depends on offsets that the records do not
/// hold, or they contradict each other; a segment that cannot be read or is damaged.
///
/// ```
/// use driver::{DataSet, Engine, Target, data_set};
/// let folder = tempfile::tempdir()?;
/// Engine::default().write(&Target::new(folder.path(), 5), &())?;
/// // Row 5 has the offset 4 from column 7 on.
/// let answer = data_set::query(&DataSet::open(folder.path())?, &"(1004,1000,5)".parse()?)?;
/// assert!(answer.is_p());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn query(data_set: &DataSet, position: &Position) -> Result<Answer, Error> {
    let answer = answer(data_set.rows(), position)?;
    answer.ok_or_else(|| missing(data_set, position.r()))
}

/// The same for a position with an infinite row.
///
/// # Errors
/// As [`query`].
///
/// ```
/// use driver::{DataSet, Engine, OmegaPosition, Target, data_set};
/// let folder = tempfile::tempdir()?;
/// Engine::default().write(&Target::new(folder.path(), 4), &())?;
/// // Row 4 ends at column 7.
/// let position = OmegaPosition::TopAndMiddle { r: 4 };
/// let answer = data_set::query_omega(&DataSet::open(folder.path())?, &position)?;
/// let leaves: Vec<String> = answer.bites.iter().map(|bite| bite.leaves.to_string()).collect();
/// assert_eq!(leaves, ["(7,7,4)", "(ω,ω,0)"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn query_omega(data_set: &DataSet, position: &OmegaPosition) -> Result<OmegaAnswer, Error> {
    Ok(omega::answer(position, &row(data_set, position.row())?)?)
}

fn missing(data_set: &DataSet, row: u64) -> Error {
    Error::NoSuchRow { folder: data_set.folder().to_owned(), last: data_set.last_row(), row }
}
