//! What is asked of a data set on disk. Nothing is computed again here but by the checker.

use std::ops::ControlFlow;
use std::path::Path;

use census::query::board::{self, BoardAnswer, BoardPosition, Value};
use census::query::omega::{self, OmegaAnswer, OmegaPosition};
use census::query::{Answer, Position};
use check::{CheckError, Task, Verified, check_data_set, check_keyed_data_set};
use num_bigint::BigUint;
use record::data_set::{AnyDataSet, DataSet, KeyedDataSet};
use record::{KeyedRecord, RowKey, RowRecord, Tail};

use crate::Error;
use crate::board_rows::answer_from;
use crate::records::{self, Checker, answer};
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

/// The record of the row of level 0 with this tail, from a data set of either format. Reads all
/// records of one of format 2.
///
/// # Errors
/// [`Error::NoSuchRow`] or [`Error::NoSuchTail`], and a segment that cannot be read or is damaged.
///
/// ```
/// use driver::{Engine, Family, HeadForm, data_set};
/// let folder = tempfile::tempdir()?;
/// let family = Family { level: 0, within: "3,2".parse()? };
/// Engine::default().write_family(folder.path(), &family, HeadForm::Offsets, &())?;
/// // (2,2,2,1) is a P-position, and so no position with a longer tail (r,1) is one.
/// let row = data_set::row_of_tail(folder.path(), &"3,1".parse()?)?;
/// assert_eq!(row.to_string(), "Empty(tail: [3, 1], by: 2)");
/// assert!(data_set::row_of_tail(folder.path(), &"3,3".parse()?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn row_of_tail(folder: &Path, tail: &Tail) -> Result<KeyedRecord, Error> {
    match AnyDataSet::open(folder)? {
        AnyDataSet::Rows(data_set) if tail.parts().len() <= 1 => {
            Ok(row(&data_set, tail.first_column())?.into())
        }
        AnyDataSet::Rows(data_set) => Err(without_tail(&data_set, tail)),
        AnyDataSet::Keyed(data_set) => {
            let record = data_set.row(&RowKey::new(0, tail.clone()))?;
            record.ok_or_else(|| no_such_tail(&data_set, tail))
        }
    }
}

/// f(q,t), by the record of a data set of either format.
///
/// # Errors
/// As [`row_of_tail`], and if the record does not tell: it has no offsets before its start.
///
/// ```
/// use driver::{Engine, Family, HeadForm, Value, data_set};
/// let folder = tempfile::tempdir()?;
/// let family = Family { level: 0, within: "5,4".parse()? };
/// Engine::default().write_family(folder.path(), &family, HeadForm::Offsets, &())?;
/// // Cho 2018, proposition 3.10: [4557] is a P-position.
/// let value = data_set::value_of_tail(folder.path(), &5_u32.into(), &"5,4".parse()?)?;
/// assert_eq!(value, Value::Is(7_u32.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn value_of_tail(folder: &Path, q: &BigUint, tail: &Tail) -> Result<Value, Error> {
    Ok(board::value(&row_of_tail(folder, tail)?, q)?)
}

/// The record of row r of three-rowed Chomp, from a data set of either format.
///
/// # Errors
/// As [`row_of_tail`].
pub fn row_in(folder: &Path, number: u64) -> Result<RowRecord, Error> {
    match AnyDataSet::open(folder)? {
        AnyDataSet::Rows(data_set) => row(&data_set, number),
        AnyDataSet::Keyed(data_set) => {
            let record = data_set.row(&RowKey::of_row(0, number))?;
            let record = record.as_ref().and_then(KeyedRecord::three_rowed);
            record.ok_or_else(|| no_such_tail(&data_set, &Tail::of_row(number)))
        }
    }
}

/// As [`query`], from a data set of either format.
///
/// # Errors
/// As [`query`], and [`Error::NoSuchTail`].
///
/// ```
/// use driver::{Engine, Family, HeadForm, data_set};
/// let folder = tempfile::tempdir()?;
/// let family = Family { level: 1, within: "5,4".parse()? };
/// Engine::default().write_family(folder.path(), &family, HeadForm::Fingerprint, &())?;
/// // Row 5 has the offset 4 from column 7 on.
/// assert!(data_set::query_in(folder.path(), &"(1004,1000,5)".parse()?)?.is_p());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn query_in(folder: &Path, position: &Position) -> Result<Answer, Error> {
    match AnyDataSet::open(folder)? {
        AnyDataSet::Rows(data_set) => query(&data_set, position),
        AnyDataSet::Keyed(data_set) => {
            let records = data_set.rows()?;
            let answer =
                records::query(records.iter().filter_map(KeyedRecord::three_rowed), position)?;
            answer.ok_or_else(|| no_such_tail(&data_set, &Tail::of_row(position.r())))
        }
    }
}

/// As [`query_omega`], from a data set of either format.
///
/// # Errors
/// As [`query_in`].
pub fn query_omega_in(folder: &Path, position: &OmegaPosition) -> Result<OmegaAnswer, Error> {
    Ok(omega::answer(position, &row_in(folder, position.row())?)?)
}

/// Whether a position with any number of rows is P or N, and every bite that leaves a P-position,
/// from a data set of format 2 that holds the rows with tails within its tail.
///
/// # Errors
/// [`Error::NoSuchTail`]; otherwise as [`query`].
///
/// ```
/// use driver::{BoardPosition, Engine, Family, HeadForm, data_set};
/// let folder = tempfile::tempdir()?;
/// let family = Family { level: 0, within: "5,4".parse()? };
/// Engine::default().write_family(folder.path(), &family, HeadForm::Offsets, &())?;
/// // Cho 2018, proposition 3.10: [4557] is a P-position.
/// let position = BoardPosition::new([7_u32, 5, 5, 4].map(Into::into).to_vec())?;
/// assert!(data_set::query_board(folder.path(), &position)?.is_p);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn query_board(folder: &Path, position: &BoardPosition) -> Result<BoardAnswer, Error> {
    let tail = position.tail();
    match AnyDataSet::open(folder)? {
        AnyDataSet::Keyed(data_set) if data_set.family().within.contains(tail) => {
            answer_from(&data_set.rows()?, position)
        }
        AnyDataSet::Keyed(data_set) => Err(no_such_tail(&data_set, tail)),
        AnyDataSet::Rows(data_set) => Err(without_tail(&data_set, tail)),
    }
}

/// It holds no tails of two rows or more.
fn without_tail(data_set: &DataSet, tail: &Tail) -> Error {
    let held = format!("rows 0 to {} of three-rowed Chomp", data_set.last_row());
    Error::NoSuchTail { folder: data_set.folder().to_owned(), held, tail: tail.clone() }
}

fn no_such_tail(data_set: &KeyedDataSet, tail: &Tail) -> Error {
    let (folder, held) = (data_set.folder().to_owned(), data_set.family().to_string());
    Error::NoSuchTail { folder, held, tail: tail.clone() }
}

fn missing(data_set: &DataSet, row: u64) -> Error {
    Error::NoSuchRow { folder: data_set.folder().to_owned(), last: data_set.last_row(), row }
}
