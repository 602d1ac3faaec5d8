//! What a transport does, and why ranks cannot go on together.

use crate::parts::{Buffer, Eagerness};
use bytes::Bytes;
use std::{sync::Arc, time::Duration};
use sweep::hypothesis::Hypothesis;
use thiserror::Error;

/// The most bytes of a message.
pub const LONGEST: usize = 1 << 30;

/// Takes messages between ranks, which are numbered from 0 on.
pub trait Transport {
    /// This rank.
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn ranks(&self) -> usize;

    /// Takes a message over, to be sent to another rank. Does not wait. It leaves when something is
    /// [received](Self::receive), at the latest, and is then [numbered](super::Numbers).
    fn send(&mut self, to: usize, urgency: u64, message: Buffer);

    /// Waits so long, at most, for the next message from any rank, or until it is woken. If that
    /// takes looking again and again, `eagerness` says how often.
    fn receive(&mut self, wait: Duration, eagerness: Eagerness) -> Option<(usize, Bytes)>;

    /// What makes [`receive`](Self::receive) return soon, from any thread.
    fn waker(&self) -> Arc<dyn Fn() + Send + Sync>;

    /// The rank for which a message is under way that has not been taken, and for how long.
    fn under_way(&self) -> Option<(usize, Duration)>;

    /// Bytes that are still to be sent. Who sends much is to wait while they are many.
    fn to_be_sent(&self) -> u64;

    /// Waits until all messages have been taken.
    fn close(self);
}

/// Why ranks cannot go on together.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TransportError {
    /// A rank runs another build of the program.
    #[error(
        "rank {rank} is of another build than rank 0: it has {its}, and rank 0 has {first}; start \
         the same binary on all machines"
    )]
    Build {
        /// The first such rank.
        rank: usize,
        /// What it says that it is.
        its: String,
        /// What rank 0 is.
        first: String,
    },
    /// Nothing has come from a rank.
    #[error(
        "rank {rank} has not been heard of for {} s: its program, its machine or the network has \
         failed",
        .waited.as_secs()
    )]
    Silent {
        /// The rank.
        rank: usize,
        /// For how long.
        waited: Duration,
    },
    /// A rank does not take what is sent to it.
    #[error(
        "rank {rank} has taken no message for {} s: its program, its machine or the network has \
         failed",
        .waited.as_secs()
    )]
    NotTaken {
        /// The rank.
        rank: usize,
        /// For how long.
        waited: Duration,
    },
    /// A rank has left, and a message for it is to be sent, or is waited for.
    #[error("rank {rank} has left, and is still needed")]
    Left {
        /// The rank.
        rank: usize,
    },
    /// Bytes that no rank sends.
    #[error("rank {rank} has sent what is no message: do all ranks run the same program?")]
    Garbled {
        /// The rank.
        rank: usize,
    },
    /// A message has come that is not the next one.
    #[error(
        "message {found} of rank {rank} has come, and {expected} would be next: hypothesis {} of \
         proofs/sweep.md fails: {}; {}",
        Hypothesis::Messages, Hypothesis::Messages.statement(), Hypothesis::Messages.remedy()
    )]
    OutOfOrder {
        /// Who has sent it.
        rank: usize,
        /// Its number.
        found: u32,
        /// The number of the next one.
        expected: u32,
    },
    /// A message is too long to be sent.
    #[error("a message of {bytes} bytes is to be sent, and {LONGEST} is the most")]
    TooLong {
        /// How many bytes it has.
        bytes: usize,
    },
}
