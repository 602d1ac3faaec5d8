//! Messages between ranks.
//!
//! A [`Transport`] carries bytes from one rank to another: with the feature `mpi`, `Mpi`; in the
//! tests, channels between threads of one process. [`Watched`] wraps it: each of its waits ends, if
//! necessary with an error that names a silent rank. Before anything else ranks compare their
//! builds (`build`).
//!
//! Messages from one rank to another arrive in the order in which they were sent. Each has a
//! number, and the receiver checks that it is the next one: hypothesis V12 of proofs/sweep.md, 7.4.

mod build;
mod messages;
#[cfg(feature = "mpi")]
mod mpi;
pub mod network;
mod watched;

pub use build::WIRE_FORMAT;
pub use messages::{Eagerness, LONGEST, Transport, TransportError, Waker};
#[cfg(feature = "mpi")]
pub use mpi::{Mpi, MpiError};
pub use watched::Watched;
