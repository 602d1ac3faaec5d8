//! How ranks send messages to each other.
//!
//! A [`Transport`] takes bytes from one rank to another. There are two: [`Channels`], between
//! threads of one process, with which everything can be tested; and, with the feature `mpi`, `Mpi`.
//! [`Watched`] is what ranks use of either: none of its waits is without an end, and a rank that
//! is not heard of any more is named. Before anything else ranks compare their builds (`build`).
//!
//! Messages between two ranks come in the order in which they were sent, if they are as urgent. The
//! urgency is a number, and a lower one goes first: as blocks read words in their order, a post is
//! as urgent as its reader is low. In the simulation a network that is nearly full takes more than
//! twice as long without that. As a message leaves it gets a number, and who receives it looks
//! whether that is the next one ([`Numbers`]).

mod build;
mod channels;
mod messages;
#[cfg(feature = "mpi")]
mod mpi;
pub mod network;
mod numbers;
mod watched;

pub use channels::{Channels, channels};
pub use messages::{LONGEST, Transport, TransportError};
#[cfg(feature = "mpi")]
pub use mpi::Mpi;
pub use numbers::Numbers;
pub use watched::Watched;
pub(crate) use watched::take_last;
