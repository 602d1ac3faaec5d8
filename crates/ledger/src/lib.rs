//! The claims ledger: every computable claim of four papers on Chomp, and of a page in two
//! versions, tested.
//!
//! `claims.ron` has one entry per claim: its source, its statement in our words, and the numbers
//! that the paper prints, as parameters of a [`Test`]. The code here does the tests. Verdicts are
//! computed each time, from an [`Evidence`], and never stored. The entry also has the expected
//! result, so that a change is noticed, and for a claim that fails its defect: wrong, a misprint,
//! or true but for rounding.
//!
//! | module | what its claims are about | what decides them |
//! |---|---|---|
//! | `positions` | single positions, small tables | game tree, Brouwer's recurrence (`game`) |
//! | `moves` | Zeilberger's moves and what they imply | all bites of small positions, game tree |
//! | `rows` | periods, patterns, ends of rows | row records |
//! | `sequences` | the sequences of the 2005 paper, section 8 | row records |
//! | `cells` | how often values occur, row minima | statistics of all cells |
//! | `grundy` | Grundy values | a full table (`boards`), literal recurrence of levels (`byrnes`) |
//! | `posets` | Chomp on posets other than boards | search (`posets`), fact 11 |
//! | `four_rows` | P-positions of four rows | a sieve (`boards`), row records |
//! | `recurrences` | Zeilberger's recurrences | literal recurrence (`byrnes`), all small cases |
//!
//! To add a kind of claim, add a variant with its parameters, and an arm to the `match` of its
//! module, which names the method and decides the claim.
//!
//! Frequencies are compared as fractions and strips in integers; no float is used.

mod boards;
mod cells;
mod chi_squared;
mod evidence;
mod four_rows;
mod gather;
mod grundy;
mod judged;
pub mod kinds;
mod model;
mod moves;
mod posets;
mod positions;
mod recurrences;
mod render;
mod rows;
mod sequences;
mod verdict;

pub use evidence::{CELLS_ENOUGH, Evidence, LONG_POSETS, SearchedPoset};
pub use gather::{GatherError, Scope};
pub use judged::{JudgedClaim, count, how_many, judge_all};
pub use kinds::{Costly, Test};
pub use model::{Claim, Decision, Defect, Expected, LedgerError, Paper, chosen, claims, parse};
pub use render::markdown;
pub use verdict::{Range, Verdict};
