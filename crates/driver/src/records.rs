//! What is asked of the records of a data set that is held in memory. No files are needed.

use std::sync::OnceLock;

use census::query::board::Value;
use census::query::{self, Answer, Position, Query};
use check::{CheckError, Task, Verified, check_records};
use num_bigint::BigUint;
#[cfg(feature = "data-sets")]
use record::data_set::Texts;
use record::{RowRecord, parse_line};

use crate::Error;
use crate::watch::{Begun, Unit, Watch, Work};

/// Reads the records of a text: one per line, as a segment of a data set has them between its first
/// line and its last.
///
/// # Errors
/// [`Error::Line`] for the first line that is not a record as it is written, with its number
/// from 1.
///
/// ```
/// let row_1 = r#"Finite(row: 1, first: 3, last: 2, head: "22145bd91204b982")"#;
/// assert_eq!(driver::records::read(row_1)?[0].first(), 3);
/// let error = driver::records::read(&format!("{row_1}\nFinite")).unwrap_err();
/// assert!(error.to_string().starts_with("line 2, "), "{error}");
/// # Ok::<(), driver::Error>(())
/// ```
pub fn read(text: &str) -> Result<Vec<RowRecord>, Error> {
    (1..).zip(text.lines()).map(|(line, text)| Ok(parse_line(text, line)?)).collect()
}

/// Verifies the records of rows 0, 1, 2, ..., by the checker that knows no engine. It keeps all of
/// them.
///
/// # Errors
/// Anything but a verdict of *verified*: see [`CheckError`]. What is wrong with a record is said
/// with the file and line where a data set would have it.
///
/// ```
/// use std::ops::ControlFlow;
/// use driver::{Engine, HeadForm, Task, records};
/// let mut text = String::new();
/// Engine::default().rows(130, HeadForm::Fingerprint, &(), |row| {
///     text += &format!("{}\n", row.record);
///     ControlFlow::Continue(())
/// })?;
/// let task = Task { heads: true, rows: None };
/// let verdict = records::verify(records::read(&text)?, &task, &())?;
/// assert_eq!((verdict.last, verdict.assumptions()), (130, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify(
    records: impl IntoIterator<Item = RowRecord>,
    task: &Task,
    watch: &dyn Watch,
) -> Result<Verified, CheckError> {
    let records: Vec<RowRecord> = records.into_iter().collect();
    check_records(&records, task, &Checker::new(watch))
}

/// f(q,r) for the r of a record, the only p that makes (p,q,r) a P-position; `None` if there is
/// none, that is for q < r and past the end of a finite row. O(log q).
///
/// # Errors
/// [`Error::Query`] if the record has only a fingerprint of that offset.
///
/// ```
/// use driver::{Engine, records};
/// let row_5 = Engine::default().row(5, &())?.record;
/// let f = |q: u32| records::f(&row_5, &q.into());
/// // Row 5 has the offsets 5, 3, 4, 4, 4, ...
/// assert_eq!((f(4)?, f(6)?, f(1_000_000)?), (None, Some(9_u32.into()), Some(1_000_004_u32.into())));
/// assert!(records::f(&row_5.abridged(), &6_u32.into()).is_err());
/// # Ok::<(), driver::Error>(())
/// ```
pub fn f(record: &RowRecord, q: &BigUint) -> Result<Option<BigUint>, Error> {
    Ok(query::f(record, q)?)
}

/// The same, and where there is no p, why.
///
/// # Errors
/// As [`f`].
///
/// ```
/// use driver::{Engine, Value, records};
/// let row_4 = Engine::default().row(4, &())?.record;
/// assert_eq!(records::value(&row_4, &8_u32.into())?, Value::Ended { last: 7 });
/// # Ok::<(), driver::Error>(())
/// ```
pub fn value(record: &RowRecord, q: &BigUint) -> Result<Value, Error> {
    Ok(query::board::value(&record.clone().into(), q)?)
}

/// Verifies a data set whose files are held in memory: structure, tails and, if asked for, heads.
///
/// # Errors
/// Anything but a verdict of *verified*: see [`CheckError`].
///
/// ```
/// use std::ops::ControlFlow;
/// use driver::{Engine, HeadForm, Task, Texts, records};
/// let mut held = Vec::new();
/// Engine::default().rows(130, HeadForm::Fingerprint, &(), |row| {
///     held.push(row.record);
///     ControlFlow::Continue(())
/// })?;
/// let task = Task { heads: true, rows: None };
/// let verdict = records::verify_texts(&Texts::of(&held), &task, &())?;
/// assert_eq!((verdict.last, verdict.assumptions()), (130, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "data-sets")]
pub fn verify_texts(texts: &Texts, task: &Task, watch: &dyn Watch) -> Result<Verified, CheckError> {
    check_records(&texts.records()?, task, &Checker::new(watch))
}

/// Whether a position is P or N, and every bite that leaves a P-position, from the records of rows
/// 0, 1, 2, ...; `None` if they end before its row.
///
/// # Errors
/// [`Error::Query`] if the answer depends on offsets that the records do not hold, or they
/// contradict each other.
///
/// ```
/// use std::ops::ControlFlow;
/// use driver::{Engine, HeadForm, records};
/// let mut held = Vec::new();
/// Engine::default().rows(5, HeadForm::Offsets, &(), |row| {
///     held.push(row.record);
///     ControlFlow::Continue(())
/// })?;
/// // Row 5 has the offsets 5, 3, 4, 4, 4, ...
/// let answer = records::query(held.iter().cloned(), &"(9,6,5)".parse()?)?;
/// assert!(answer.is_some_and(|answer| answer.is_p()));
/// assert_eq!(records::query(held, &"(7,6,6)".parse()?)?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn query(
    records: impl IntoIterator<Item = RowRecord>,
    position: &Position,
) -> Result<Option<Answer>, Error> {
    answer(records.into_iter().map(Ok::<_, Error>), position)
}

/// The answer from records that may be hard to come by.
pub(crate) fn answer<E>(
    records: impl Iterator<Item = Result<RowRecord, E>>,
    position: &Position,
) -> Result<Option<Answer>, Error>
where
    Error: From<E>,
{
    let mut query = Query::new(position.clone());
    for record in records {
        if let Some(answer) = query.add(&record?)? {
            return Ok(Some(answer));
        }
    }
    Ok(None)
}

/// Shows the progress of the checker, which counts columns, and tells how many there are when it
/// has counted the first.
pub(crate) struct Checker<'a> {
    watch: &'a dyn Watch,
    begun: OnceLock<Begun<'a>>,
}

impl<'a> Checker<'a> {
    pub(crate) fn new(watch: &'a dyn Watch) -> Self {
        Self { watch, begun: OnceLock::new() }
    }
}

impl check::CheckWatch for Checker<'_> {
    fn progress(&self, done: u64, all: u64) {
        let work = Work { unit: Unit::Column, all, before: 0, exponent: 2.0 };
        self.begun.get_or_init(|| Begun::new(self.watch, work));
        self.watch.done(done);
    }

    fn stop(&self) -> bool {
        self.watch.stop()
    }
}
