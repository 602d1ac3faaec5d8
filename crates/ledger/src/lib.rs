//! The claims ledger: computable claims of six papers on Chomp, of a page in two versions, and of a
//! project with a ledger of its own, tested.
//!
//! Each author has a folder. Its `claims.ron` has one entry per claim: its source, its statement in
//! our words, and the [`Test`] that decides it, a function with the numbers that the paper prints.
//! The functions are in the modules beside it; what several authors claim is in the folder of the
//! first. Verdicts are computed each time, from an [`Evidence`], and never stored. The entry also
//! has the expected result, so that a change is noticed, and for a claim that fails its defect:
//! wrong, a misprint, or true but for rounding.
//!
//! | folder | module | what its claims are about | what decides them |
//! |---|---|---|---|
//! | `brouwer` | `posets` | Chomp on posets other than boards | search (`posets`), fact 11 |
//! | | `boards` | openings of boards with more rows | all positions (`boards`) |
//! | | `positions` | positions, small tables | game tree, Brouwer's recurrence (`game`) |
//! | | `rows` | periods, patterns, ends of rows | row records |
//! | | `sequences` | the sequences of the 2005 paper, section 8 | row records |
//! | | `cells` | how often values occur, row minima | statistics of all cells |
//! | `zeilberger` | | the share of larger periods | row records |
//! | | | Grundy values | literal recurrence, certified rows (`levels`) |
//! | | `moves` | moves and what they imply | all bites, game tree |
//! | | `recurrences` | mex, the scheme | literal recurrence (`byrnes`), all small cases |
//! | `cho` | | positions of three rows | game tree |
//! | | `boards` | boards with more rows | all positions (`boards`) |
//! | `garg` | | last rows of P-positions | all positions (`boards`), row records |
//! | | `triples`, `medians` | P-positions of four rows | a sieve (`boards`) |
//! | `sheiner` | | the one winning opening | row records |
//! | `padhi` | | openings of rectangles | all positions (`boards`) |
//! | `nguyen` | | starts, ends, numbers in columns | row records |
//!
//! To add a claim, add an entry that names a function. If none decides it, write one in the folder
//! of the author, and add its name to the list in `functions`.
//!
//! Frequencies are compared as fractions and strips in integers; no float is used.

mod arguments;
mod brouwer;
mod cho;
mod evidence;
mod functions;
mod garg;
mod judged;
mod model;
mod nguyen;
mod oracles;
mod padhi;
mod verdict;
mod zeilberger;

pub use evidence::{CELLS_ENOUGH, Costly, Evidence, LONG_POSETS};
pub use functions::Test;
pub use judged::{JudgedClaim, Scope, count, how_many, judge_all};
pub use model::{Claim, Decision, Defect, Expected, LedgerError, Paper, chosen, claims, parse};
pub use verdict::{Judgement, Range, Verdict};
