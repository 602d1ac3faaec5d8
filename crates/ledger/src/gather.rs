//! Evidence from a source of rows, and from the searches that claims need besides.

use std::ops::ControlFlow;

use driver::{
    Engine, Error, HeadForm, PosetAnswer, PositionsRun, ProvedRow, Source, Spending, SweepOptions,
    Watch,
};
use game::Outcome;
use posets::NamedPoset;

use crate::{CELLS_ENOUGH, Claim, Costly, Evidence, LONG_POSETS};

/// The end of Brouwer's computation.
const LAST_ROW: u64 = 130_000;

/// The range in which claims are tested.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scope {
    /// The last row; by default the last of the source, or 130 000, the end of Brouwer's
    /// computation.
    pub to: Option<u64>,
    /// The last row whose cells are visited; by default as many rows as the claims need.
    pub cells: Option<u64>,
    /// The longest row of the P-positions of four rows; by default 500.
    pub four_rows: Option<u16>,
    /// Whether posets that take a quarter of an hour are searched.
    pub posets: bool,
    /// The options of the sweep, which visits the cells.
    pub sweep: SweepOptions,
}

impl Evidence {
    /// The evidence of this scope for these claims, and for no others: rows of the source; and, if
    /// one of the claims needs them, cells from the sweep, P-positions of four rows, and posets.
    ///
    /// # Errors
    /// [`Error`]; of work that was not finished, [`Error::incomplete`].
    pub fn gather(
        claims: &[Claim],
        source: &dyn Source,
        scope: &Scope,
        watch: &dyn Watch,
    ) -> Result<Self, Error> {
        let mut evidence = Self::default();
        let last = scope.to.or(source.last()).unwrap_or(LAST_ROW);
        source.rows(last, HeadForm::Fingerprint, watch, &mut |row: ProvedRow| {
            evidence.add(&row.record);
            ControlFlow::Continue(())
        })?;
        if Costly::Cells.is_needed(claims) {
            let cells = scope.cells.unwrap_or(CELLS_ENOUGH).min(evidence.last_row());
            // Records do not hold the cells, so the sweep visits them.
            evidence.add_cells(Engine::Sweep(scope.sweep).cell_statistics(cells, watch, |_| {})?);
        }
        if let Some(to) = scope.four_rows.filter(|_| Costly::FourRows.is_needed(claims)) {
            let (_, four_rows) = PositionsRun::new(4, to).four_rows(watch)?;
            evidence.add_four_rows(four_rows);
        }
        if scope.posets && Costly::Posets.is_needed(claims) {
            for named in LONG_POSETS {
                evidence.add_poset(&named, search(&named, watch)?);
            }
        }
        Ok(evidence)
    }
}

/// Decides a poset whose search takes minutes.
fn search(named: &NamedPoset, watch: &dyn Watch) -> Result<Outcome, Error> {
    let poset = named.poset().map_err(|error| Error::defect(format!("{named}: {error}")))?;
    let spending = Spending { grundy: 0, ..Spending::USUAL };
    let PosetAnswer { outcome, limit, .. } =
        driver::solve_poset(&poset, &poset.full(), spending, watch)?;
    let undecided = || Error::incomplete(format!("{named} is not decided by {limit} positions"));
    outcome.ok_or_else(undecided)
}
