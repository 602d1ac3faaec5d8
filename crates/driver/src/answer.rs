//! Questions whose answer is not a row: f(q,r), P or N, and terms of sequences.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use census::query::board::{self, Value};
use census::query::omega::{self, OmegaAnswer, OmegaPosition};
use census::query::{self, Answer, Position, Query, QueryError};
use census::sequences::{Sequence, Term, TermFinder};
use num_bigint::BigUint;
use record::HeadForm;

use crate::engine::{Engine, ProvedRow, require_row};
use crate::watch::Watch;
use crate::{Error, LARGEST_ROW};

impl Engine {
    /// f(q,r), the only p that makes (p,q,r) a P-position; `None` if there is none, that is for
    /// q < r and past the end of a finite row.
    ///
    /// # Errors
    /// As [`Self::rows`].
    ///
    /// ```
    /// use driver::Engine;
    /// let f = |q: u32, r| Engine::default().f(&q.into(), r, &());
    /// // Row 5 has the offsets 5, 3, 4, 4, 4, ..., and row 4 ends at column 7.
    /// assert_eq!(f(6, 5)?, Some(9_u32.into()));
    /// assert_eq!(f(1_000_000, 5)?, Some(1_000_004_u32.into()));
    /// assert_eq!(f(8, 4)?, None);
    /// # Ok::<(), driver::Error>(())
    /// ```
    pub fn f(self, q: &BigUint, r: u64, watch: &dyn Watch) -> Result<Option<BigUint>, Error> {
        Ok(match self.value(q, r, watch)? {
            Value::Is(p) => Some(p),
            Value::BeforeFirst { .. } | Value::Ended { .. } | Value::Empty { .. } => None,
        })
    }

    /// The same, and where there is no p, why.
    ///
    /// # Errors
    /// As [`Self::rows`].
    ///
    /// ```
    /// use driver::{Engine, Value};
    /// assert_eq!(Engine::default().value(&8_u32.into(), 4, &())?, Value::Ended { last: 7 });
    /// # Ok::<(), driver::Error>(())
    /// ```
    pub fn value(self, q: &BigUint, r: u64, watch: &dyn Watch) -> Result<Value, Error> {
        require_row(r)?;
        if *q < BigUint::from(r) {
            return Ok(Value::BeforeFirst { first_column: r });
        }
        if query::likely_settled(q, r) {
            let row = self.last_row(r, HeadForm::Fingerprint, watch)?;
            match board::value(&row.record.into(), q) {
                Err(QueryError::NeedsHead { .. }) => {}
                found => return Ok(found?),
            }
        }
        Ok(board::value(&self.row(r, watch)?.record.into(), q)?)
    }

    /// Whether a position is P or N, and every bite that leaves a P-position.
    ///
    /// From fingerprints, and where they are not enough, from the cells of row r and column q as
    /// well.
    ///
    /// # Errors
    /// As [`Self::rows`].
    ///
    /// ```
    /// use driver::Engine;
    /// // Of two columns of three squares, the corner is to be bitten off.
    /// let answer = Engine::default().query(&"(2,2,2)".parse()?, &())?;
    /// assert!(!answer.is_p());
    /// let leaves: Vec<String> = answer.bites.iter().map(|bite| bite.leaves.to_string()).collect();
    /// assert_eq!(leaves, ["(2,2,1)"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn query(self, position: &Position, watch: &dyn Watch) -> Result<Answer, Error> {
        let (mut query, r) = (Query::new(position.clone()), position.r());
        if matches!(self, Self::Literal) {
            return self.ask(query, r, HeadForm::Offsets, watch);
        }
        if query.likely_settled() {
            match self.ask(query.clone(), r, HeadForm::Fingerprint, watch) {
                Err(Error::Query(QueryError::NeedsHead { .. })) => {}
                result => return result,
            }
        }
        let q = u64::try_from(position.q()).ok();
        let mut unsettled = Vec::new();
        let below = |record| match query.add(&record) {
            Err(QueryError::NeedsHead { .. }) => {
                unsettled.push(record);
                Ok(())
            }
            result => Ok(result.map(drop)?),
        };
        let (own, column) = self.row_and_column(r, q, watch, below)?;
        let column: BTreeMap<u64, u64> = column.into_iter().collect();
        for record in unsettled {
            let row = record.row();
            let offset = column
                .get(&row)
                .ok_or_else(|| Error::Defect { what: format!("row {row}: a cell is not known") })?;
            query.add_with_offset(&record, *offset);
        }
        query.add(&own)?.ok_or_else(|| unanswered(r))
    }

    /// The same for a position with an infinite row.
    ///
    /// # Errors
    /// As [`Self::rows`].
    ///
    /// ```
    /// use driver::{Engine, OmegaPosition};
    /// // Row 5 has the offset 4 from column 7 on.
    /// let position = OmegaPosition::Top { q: 1000_u32.into(), r: 5 };
    /// let answer = Engine::default().query_omega(&position, &())?;
    /// assert_eq!(answer.bites[0].leaves.to_string(), "(1004,1000,5)");
    /// # Ok::<(), driver::Error>(())
    /// ```
    pub fn query_omega(
        self,
        position: &OmegaPosition,
        watch: &dyn Watch,
    ) -> Result<OmegaAnswer, Error> {
        let row = position.row();
        require_row(row)?;
        let settled = match position {
            OmegaPosition::Top { q, r } => query::likely_settled(q, *r),
            OmegaPosition::TopAndMiddle { .. } | OmegaPosition::All => true,
        };
        if settled {
            let found = self.last_row(row, HeadForm::Fingerprint, watch)?;
            match omega::answer(position, &found.record) {
                Err(QueryError::NeedsHead { .. }) => {}
                answer => return Ok(answer?),
            }
        }
        Ok(omega::answer(position, &self.row(row, watch)?.record)?)
    }

    fn ask(
        self,
        mut query: Query,
        last: u64,
        form: HeadForm,
        watch: &dyn Watch,
    ) -> Result<Answer, Error> {
        let mut answer = None;
        self.visit(last, form, watch, |row| {
            answer = query.add(&row.record)?;
            Ok(ControlFlow::Continue(()))
        })?;
        answer.ok_or_else(|| unanswered(last))
    }

    /// The first terms of a sequence of the OEIS, `wanted` of them, each handed to `take` as soon
    /// as it is certain. `Break` ends the work, successfully.
    ///
    /// As many rows are computed as probably are needed, and twice as many if they were not enough.
    ///
    /// # Errors
    /// As [`Self::rows`], and [`Error::TooManyTerms`].
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use driver::{Engine, Sequence};
    /// let mut diagonal = Vec::new();
    /// Engine::default().terms(Sequence::A029900, 6, &(), |term| {
    ///     diagonal.push(term.value);
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(diagonal, [1, 3, 4, 6, 8, 10]);
    /// # Ok::<(), driver::Error>(())
    /// ```
    pub fn terms(
        self,
        sequence: Sequence,
        wanted: u64,
        watch: &dyn Watch,
        mut take: impl FnMut(Term) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let mut rows = sequence.likely_rows(wanted);
        // By an earlier round.
        let (mut given, mut enough) = (0, wanted == 0);
        while !enough {
            if rows > LARGEST_ROW {
                return Err(Error::TooManyTerms { sequence });
            }
            let mut terms = TermFinder::of(sequence);
            self.visit(rows - 1, sequence.form(), watch, |row: ProvedRow| {
                if let Some(term) = terms.add(&row.record)?
                    && terms.given() > given
                {
                    given = terms.given();
                    enough = take(term).is_break() || given == wanted;
                }
                Ok(if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            })?;
            rows *= 2;
        }
        Ok(())
    }
}

/// Row r is the last that a question needs.
fn unanswered(row: u64) -> Error {
    Error::Defect { what: format!("row {row}: it does not end the question") }
}
