//! Messages between ranks.
//!
//! A [`Transport`] carries bytes from one rank to another: with the feature `mpi`, `Mpi`; in the
//! tests, channels between threads of one process. [`Watched`] wraps it: each of its waits ends, if
//! necessary with an error that names a silent rank. Before anything else ranks compare their
//! builds (`build`).
//!
//! Messages between two ranks with the same urgency arrive in the order in which they were sent.
//! The urgency is a number, and lower numbers go first. Blocks read words in their order, so the
//! urgency of words is the number of their reader. A message gets its number when it leaves, and
//! the receiver checks that it is the next one ([`Numbers`]).

mod build;
mod messages;
#[cfg(feature = "mpi")]
mod mpi;
pub mod network;
mod numbers;
mod watched;

pub use messages::{LONGEST, Transport, TransportError};
#[cfg(feature = "mpi")]
pub use mpi::{Mpi, MpiError};
pub use numbers::Numbers;
pub use watched::Watched;
pub(crate) use watched::take_last;
