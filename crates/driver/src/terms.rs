//! Terms of sequences, from as many rows as they need.

use std::ops::ControlFlow;

use census::sequences::{Sequence, Term, TermFinder};

use crate::engine::{Engine, ProvedRow};
use crate::watch::Watch;
use crate::{Error, LARGEST_ROW};

impl Engine {
    /// The first terms of a sequence of the OEIS, `wanted` of them, each handed to `take` as soon
    /// as it is certain. `Break` ends the work, successfully.
    ///
    /// Computes the rows that are probably needed, and twice as many if they were not enough.
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
        // The terms of earlier rounds.
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
