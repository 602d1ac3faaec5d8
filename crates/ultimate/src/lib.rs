//! Ultimately periodic sequences as finite objects: a head, then a cycle that repeats for ever.
//!
//! | object | here | printed |
//! |---|---|---|
//! | a finite set of naturals | [`NatSet`] | `{0, 1, 5}`, `∅` |
//! | one that has all naturals below its mex | [`MexSet`] | |
//! | an ultimately periodic sequence | [`Ultimate`] | `[4, 2][3]^∞` |
//! | one that is finite or ultimately periodic | [`FiniteOrPeriodic`] | `[2, 0]`, `[4, 2][3]^∞` |
//! | some of these, once all of them repeat | [`Settled`] | |
//! | such a sequence of finite sets | [`SetSequence`] | `[{0}]([{1}]^∞ ∪ [{2}, {3}]^∞)` |
//!
//! The notation and the need for it are from D. Zeilberger, "Chomp, recurrences and chaos(?)"
//! (2003), section "The ultimate-periodicity phenomenon": such sequences are finite objects, and
//! hence meaningful. The operations are those that the same paper's recurrence for the sequences of
//! instant winners asks for: `OneLess`, Chop and union.
//!
//! Every value is canonical from its construction on, so `==`, `Hash` and the printed form are
//! those of the mathematical object. Fields are private. No text makes a value that is not
//! canonical.
//!
//! No game belongs here: the crates above give the sequences their meaning.

mod nat_set;
mod sequence;
mod set_sequence;
mod text;

pub use nat_set::{LARGEST_READ, MexSet, NatSet, least_free};
pub use sequence::{EmptyCycle, FiniteOrPeriodic, MAX_TERMS, Settled, Ultimate, least_period};
pub use set_sequence::SetSequence;
pub use text::ParseError;
