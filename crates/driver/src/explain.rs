//! Why a row has its period, from the rows of a source.

use std::ops::ControlFlow;

use cascade::why::{Explainer, Explanation};
use record::HeadForm;

use crate::job::Watch;
use crate::{Error, Source};

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
