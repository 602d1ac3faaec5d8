//! Messages between ranks.
//!
//! A [`Transport`] carries bytes from one rank to another: with the feature `mpi`, `Mpi`; in the
//! tests, channels between threads of one process. [`Watched`] wraps it: each of its waits ends, if
//! necessary with an error that names a silent rank. Before anything else ranks compare their
//! builds.
//!
//! Messages from one rank to another arrive in the order in which they were sent. Each has a
//! number, and the receiver checks that it is the next one: hypothesis V12 of proofs/sweep.md, 7.4.

#[cfg(feature = "mpi")]
mod mpi;
mod watched;

#[cfg(feature = "mpi")]
pub use mpi::Mpi;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io;
use std::sync::Arc;
use std::time::Duration;
pub use watched::{WIRE_FORMAT, Watched};

/// Wakes the thread that waits for a message.
pub type Waker = Arc<dyn Fn() + Send + Sync>;

/// How often to poll for a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Eagerness {
    /// All workers are busy, and each poll can interrupt one of them.
    Rarely,
    /// A worker waits for the message.
    #[default]
    Often,
}

/// The most bytes of a message.
pub const LONGEST: usize = 1 << 30;

/// Carries messages between ranks, which are numbered from 0 on.
pub trait Transport {
    /// This rank.
    fn rank(&self) -> usize;

    /// The number of ranks.
    fn ranks(&self) -> usize;

    /// Sends a message to another rank. Does not wait. Messages to a rank arrive in the order in
    /// which they were sent.
    fn send(&mut self, to: usize, message: Vec<u8>);

    /// The next message from any rank. Waits for `wait` at most, or until it is woken. If it must
    /// poll, `eagerness` says how often.
    fn receive(&mut self, wait: Duration, eagerness: Eagerness) -> Option<(usize, Vec<u8>)>;

    /// Makes [`receive`](Self::receive) return soon, from any thread.
    fn waker(&self) -> Waker;

    /// The rank that has not accepted the oldest message in flight, and the time since it was sent.
    fn under_way(&self) -> Option<(usize, Duration)>;

    /// Waits until all messages have been accepted, and ends. Called once, at the end.
    fn close(&mut self);
}

/// A message of this kind, with its content as JSON.
pub(crate) fn message(kind: u8, content: &impl Serialize) -> Vec<u8> {
    let mut out = vec![kind];
    serde_json::to_writer(&mut out, content).expect("it has a JSON form");
    out
}

/// The content of a message, without its kind.
pub(crate) fn content<T: DeserializeOwned>(bytes: &[u8]) -> io::Result<T> {
    Ok(serde_json::from_slice(bytes)?)
}
