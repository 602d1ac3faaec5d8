//! The claims ledger as a table.

use driver::{Field, SweepOptions};
use ledger::{Evidence, JudgedClaim, Scope, chosen, judge_all};
use pyo3::prelude::*;

use crate::failure::Failure;
use crate::lines::Columns;
use crate::natural::RowNumber;
use crate::position::value_error;
use crate::source::Data;
use crate::table::{PyTable, defect};
use crate::work::{Progress, attend};

/// Tests the claims of six papers, a project and a web page again, on rows 0 to `to`: a `Table`
/// with a line for each claim.
///
/// Its columns are `id`, `source`, the claim in words (`claim`), the `verdict`, that with its range
/// (`words`), what was `tested` and found (`figure`), and `as_expected`, 1 if the verdict is that
/// of outputs/LEDGER.md, or else 0: then the rows are wrong, or this program is.
///
/// `claims` has the ids of the claims to test, or the beginnings of ids, as `["2005-8.2"]`; all
/// claims are tested by default.
///
/// Rows are computed to 130 000 by default, or read from the data set in the folder `data`. Cells
/// are visited to row `cells`, by default as far as the claims need, and not at all if none is
/// about cells. P-positions of four rows are those with a longest row of up to 500 squares; `chomp
/// reproduce` can go further. `progress` is as for `rows`.
///
/// Raises what `rows` raises, and `ValueError` if no claim has such an id.
///
/// >>> import chomp
/// >>> ledger = chomp.reproduce(500)
/// >>> set(ledger["as_expected"].to_list())
/// {1}
/// >>> chomp.reproduce(1000, claims=["2005-8.2-row"])["words"].to_list()
/// ['confirmed', 'wrong', 'out of reach']
#[pyfunction]
#[pyo3(
    signature = (
        to = None, *, claims = vec![], cells = None, data = Data::default(),
        progress = Progress::Bar
    ),
    text_signature = "(to=None, *, claims=(), cells=None, data=None, progress=True)"
)]
pub fn reproduce(
    py: Python,
    to: Option<RowNumber>,
    claims: Vec<String>,
    cells: Option<RowNumber>,
    data: Data,
    progress: Progress,
) -> PyResult<PyTable> {
    let number = |row: Option<RowNumber>| row.map(|RowNumber(row)| row);
    let scope = Scope {
        to: number(to),
        cells: number(cells),
        sweep: SweepOptions::default(),
        ..Scope::default()
    };
    attend(py, progress, |watch| {
        let claims = ledger::claims().and_then(|all| chosen(&all, &claims));
        let claims = claims.map_err(|error| Failure(value_error(error)))?;
        let evidence = Evidence::gather(&claims, &*data.open()?, &scope, watch)?;
        let mut columns: Option<Columns> = None;
        for judged in judge_all(&claims, &evidence, watch)? {
            let line = line(judged);
            columns.get_or_insert_with(|| Columns::of(line.clone())).add(line);
        }
        let lines = columns.unwrap_or(Columns::of(Vec::new())).finish();
        Ok(PyTable(lines.map_err(|error| Failure(defect(error)))?))
    })
}

fn line(judged: JudgedClaim) -> Vec<(&'static str, Field)> {
    let (source, words) = (judged.source(), judged.words());
    let JudgedClaim { claim, judgement, as_expected } = judged;
    vec![
        ("id", Field::Text(claim.id)),
        ("source", Field::Text(source)),
        ("claim", Field::Text(claim.statement)),
        ("verdict", Field::Text(judgement.verdict.to_string())),
        ("words", Field::Text(words)),
        ("tested", Field::Text(judgement.tested)),
        ("figure", Field::Text(judgement.figure)),
        ("as_expected", Field::Integer(as_expected.into())),
    ]
}
