//! Sources of rows, and the questions that each of them answers.

use std::ops::ControlFlow;
use std::path::Path;

use answers::{Answer, Position, Query, QueryError, Value, value};
use cascade::why::{Explainer, Explanation};
use num_bigint::BigUint;
#[cfg(feature = "files")]
use record::Head;
#[cfg(feature = "files")]
use record::data_set::{Contents, DataSet, DataSetError};
use record::{HeadForm, Record, RowKey, Tail};

use crate::Error;
use crate::engine::ProvedRow;
use crate::job::Watch;
#[cfg(feature = "files")]
use crate::{engine::Engine, job::Event, records::of_data_set};

/// Where rows come from: an `Engine` or a `DataSet`.
///
/// Where a question needs offsets of which a data set has only a fingerprint, the rows are computed
/// and compared with its records; an [`Event::Remark`](crate::Event) says so.
///
/// ```
/// use driver::{DataSet, Engine, Family, HeadForm, Source, Value};
/// let folder = tempfile::tempdir()?;
/// let family = Family::of_tails(1, "5,4".parse()?);
/// Engine::default().write_family(folder.path(), &family, HeadForm::Offsets, &())?;
/// let data_set = DataSet::open(folder.path())?;
/// let sources: [&dyn Source; 2] = [&Engine::default(), &data_set];
/// for source in sources {
///     // (2,2,2,1) is a P-position, and so no position with a longer tail (r,1) is one.
///     let key = driver::RowKey::new(0, "3,1".parse()?);
///     let row = source.row(&key, HeadForm::Fingerprint, &())?.record;
///     assert_eq!(row.to_string(), "Empty(tail: [3, 1], by: 2)");
///     // Cho 2018, proposition 3.10: [4557] is a P-position.
///     assert_eq!(source.value(&5_u32.into(), &"5,4".parse()?, &())?, Value::Is(7_u32.into()));
///     assert!(source.answer(&"[4557]".parse()?, &())?.is_p());
///     // The bite at the corner wins.
///     let bites = source.answer(&"(2,2,2)".parse()?, &())?.bites;
///     assert_eq!(bites[0].leaves.to_string(), "(2,2,1)");
///     // Row 4 ends at column 7, and 2×ω is a P-position.
///     let bites = source.answer(&"(ω,ω,4)".parse()?, &())?.bites;
///     let leaves: Vec<String> = bites.iter().map(|bite| bite.leaves.to_string()).collect();
///     assert_eq!(leaves, ["(7,7,4)", "(ω,ω,0)"]);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Source {
    /// The last row of three-rowed Chomp that is held; `None` if rows are computed.
    fn last(&self) -> Option<u64>;

    /// Rows 0 to `last` of three-rowed Chomp at level 0, in order. An engine hands each to `visit`
    /// as soon as it is proved, with a head of this form; a data set gives offsets if they are
    /// asked for. `Break` ends the work, successfully.
    ///
    /// Rows to R cost O(R²) cells of the sweep, O(R³) of the literal recurrence.
    ///
    /// # Errors
    /// A row that is not held; rows that are too large or need too much memory, before the work; a
    /// row that the engine does not prove; a file that cannot be read; computed rows that differ
    /// from records; [`Error::Interrupted`].
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use driver::{Engine, HeadForm, Source};
    /// let mut finite = Vec::new();
    /// Engine::default().rows(10, HeadForm::Fingerprint, &(), &mut |row| {
    ///     if row.record.periodic().is_none() {
    ///         finite.push(row.record.row());
    ///     }
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(finite, [1, 3, 4, 6, 8, 10]);
    /// # Ok::<(), driver::Error>(())
    /// ```
    fn rows(
        &self,
        last: u64,
        form: HeadForm,
        watch: &dyn Watch,
        visit: &mut dyn FnMut(ProvedRow) -> ControlFlow<()>,
    ) -> Result<(), Error>;

    /// One row, with all offsets if they are known, or if they are asked for by this form.
    ///
    /// # Errors
    /// As [`Self::rows`].
    fn row(&self, key: &RowKey, form: HeadForm, watch: &dyn Watch) -> Result<ProvedRow, Error>;

    /// f(q,t), the only p that makes (p,q,t) a P-position, or why there is none.
    ///
    /// # Errors
    /// As [`Self::rows`].
    fn value(&self, q: &BigUint, tail: &Tail, watch: &dyn Watch) -> Result<Value, Error> {
        match value_of_row(self, q, tail, HeadForm::Fingerprint, watch) {
            Err(Error::Query(QueryError::NeedsHead { .. })) => {
                value_of_row(self, q, tail, HeadForm::Offsets, watch)
            }
            found => found,
        }
    }

    /// Whether a position is P or N, and the bites that leave a P-position: all of them, unless an
    /// engine would need more than ten seconds or 1 GB for that, and a theorem says who wins.
    ///
    /// # Errors
    /// As [`Self::value`], and if records contradict each other.
    fn answer(&self, position: &Position, watch: &dyn Watch) -> Result<Answer, Error>;

    /// The folder from which the rows of this answer were read; `None` if they were computed.
    fn folder_of(&self, answer: &Answer) -> Option<&Path>;

    /// The same with every bite. No cost is too high.
    ///
    /// # Errors
    /// As [`Self::answer`].
    fn answer_with_all_bites(
        &self,
        position: &Position,
        watch: &dyn Watch,
    ) -> Result<Answer, Error> {
        self.answer(position, watch)
    }
}

/// f(q,t) from the row, with a head of this form.
pub(crate) fn value_of_row<S: Source + ?Sized>(
    source: &S,
    q: &BigUint,
    tail: &Tail,
    form: HeadForm,
    watch: &dyn Watch,
) -> Result<Value, Error> {
    let first_column = tail.first_column();
    if *q < first_column.into() {
        return Ok(Value::BeforeFirst { first_column });
    }
    Ok(value(&source.row(&RowKey::new(0, tail.clone()), form, watch)?.record, q)?)
}

/// Answers a query from records, the position's own row last.
pub(crate) fn ask<E>(
    mut query: Query,
    records: impl IntoIterator<Item = Result<Record, E>>,
) -> Result<Option<Answer>, Error>
where
    Error: From<E>,
{
    for record in records {
        if let Some(answer) = query.add(&record?)? {
            return Ok(Some(answer));
        }
    }
    Ok(None)
}

#[cfg(feature = "files")]
impl Source for DataSet {
    fn last(&self) -> Option<u64> {
        self.family().within().map(Tail::first_column)
    }

    fn rows(
        &self,
        last: u64,
        form: HeadForm,
        watch: &dyn Watch,
        visit: &mut dyn FnMut(ProvedRow) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        require_held(self, &RowKey::of_row(0, last))?;
        if form != self.manifest().head && form == HeadForm::Offsets {
            let mut read = DataSet::rows(self).filter(|record| {
                record.as_ref().map_or(true, |record| record.key().is_three_rowed())
            });
            return computing(self, watch).visit(last, form, watch, &mut |row| {
                let record = read.next().transpose()?;
                Ok(visit(agreeing(record.as_ref(), row)?))
            });
        }
        for record in of_data_set(self, watch) {
            let record = record?;
            if record.key().is_three_rowed() {
                let is_last = record.row() == last;
                if visit(record.into()).is_break() || is_last {
                    break;
                }
            }
        }
        Ok(())
    }

    fn row(&self, key: &RowKey, form: HeadForm, watch: &dyn Watch) -> Result<ProvedRow, Error> {
        require_held(self, key)?;
        let record = DataSet::row(self, key)?.ok_or_else(|| missing(self, key))?;
        if form == HeadForm::Fingerprint || !matches!(record.head(), Some(Head::Fingerprint(_))) {
            return Ok(record.into());
        }
        if let Some(without_head) = record.in_full(&[]) {
            return Ok(without_head.into());
        }
        agreeing(Some(&record), computing(self, watch).row(key, form, watch)?)
    }

    fn answer(&self, position: &Position, watch: &dyn Watch) -> Result<Answer, Error> {
        let (query, key) = (Query::new(position.clone()), position.key());
        if !query.has_one_bite() {
            require_held(self, &key)?;
        }
        let found = if query.needs_rows_below() {
            ask(query, DataSet::rows(self))
        } else {
            ask(query, DataSet::row(self, &key).transpose())
        };
        if !matches!(found, Err(Error::Query(QueryError::NeedsHead { .. }))) {
            return found?.ok_or_else(|| missing(self, &key));
        }
        let answer = computing(self, watch).answer_by_rows(position, watch)?;
        if let Some(own) = answer.record() {
            agreeing(DataSet::row(self, &key)?.as_ref(), own.clone().into())?;
        }
        Ok(answer)
    }

    fn folder_of(&self, answer: &Answer) -> Option<&Path> {
        let bites = answer.bites.iter().filter_map(|bite| bite.record.as_ref());
        let mut heads = answer.record().into_iter().chain(bites).filter_map(Record::head);
        heads.all(|head| head.form() == self.manifest().head).then(|| self.folder())
    }
}

/// The engine for rows whose heads a data set has as fingerprints.
#[cfg(feature = "files")]
pub(crate) fn computing(data_set: &DataSet, watch: &dyn Watch) -> Engine {
    let words = "has only fingerprints of the offsets that this needs; the rows are computed";
    watch.event(&Event::Remark(format!("{} {words}", data_set.folder().display())));
    Engine::default()
}

/// A computed row, if the record of a data set is the same but for the form of its head.
#[cfg(feature = "files")]
fn agreeing(record: Option<&Record>, computed: ProvedRow) -> Result<ProvedRow, Error> {
    if record.map(Record::abridged) == Some(computed.record.abridged()) {
        return Ok(computed);
    }
    Err(DataSetError::contradicted(computed.record.row()).into())
}

#[cfg(feature = "files")]
fn require_held(data_set: &DataSet, key: &RowKey) -> Result<(), Error> {
    let number = data_set.family().number(key);
    if number.is_some() { Ok(()) } else { Err(missing(data_set, key)) }
}

#[cfg(feature = "files")]
fn missing(data_set: &DataSet, key: &RowKey) -> Error {
    let rows = match &data_set.manifest().contents {
        Contents::Rows if key.is_three_rowed() => format!("rows 0 to {}", data_set.last_row()),
        Contents::Rows => format!("rows 0 to {} of three-rowed Chomp", data_set.last_row()),
        Contents::Family(family) => family.to_string(),
    };
    let held = format!("{} holds {rows}", data_set.folder().display());
    Error::no_such_row(&held, key)
}

/// Why a row of three-rowed Chomp has its period, period 1 among them: from all rows of the source
/// to this one.
///
/// # Errors
/// A finite row, and as [`Source::rows`].
///
/// ```
/// use driver::{Engine, explain};
/// let why = explain(&Engine::default(), 120, &())?;
/// assert_eq!((why.word.as_deref(), why.doubts.len()), (Some("1:A"), 0));
/// let error = explain(&Engine::default(), 4, &()).unwrap_err().to_string();
/// assert_eq!(error, "row 4 is finite, and has no period: it ends in column 7");
/// # Ok::<(), driver::Error>(())
/// ```
pub fn explain(source: &dyn Source, row: u64, watch: &dyn Watch) -> Result<Explanation, Error> {
    let (mut explainer, mut found) = (Explainer::default(), None);
    source.rows(row, HeadForm::Fingerprint, watch, &mut |proved| {
        let explanation = explainer.add(&proved.record, |periodic| periodic.row == row);
        if proved.record.row() == row {
            let last = proved.record.settled().saturating_sub(1);
            let none = || {
                let words = "has no period: it ends in column";
                Error::usage(format!("row {row} is finite, and {words} {last}"))
            };
            found = Some(explanation.ok_or_else(none));
        }
        ControlFlow::Continue(())
    })?;
    found.unwrap_or_else(|| Err(Error::defect(format!("row {row} was not visited"))))
}
