//! The interface of a transport, and its errors.

use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// Hypothesis V12 of proofs/sweep.md. `Watched::hear` checks it.
const MESSAGES: &str = "messages from one process to another arrive complete, once each, and in the order in which \
     they were sent";

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

    /// Waits until all messages have been accepted.
    fn close(self);
}

/// The reason why ranks cannot continue together.
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
        /// Its build.
        its: String,
        /// The build of rank 0.
        first: String,
    },
    /// Nothing has arrived from a rank.
    #[error(
        "rank {rank} has been silent for {} s: its program, its machine or the network has failed",
        .waited.as_secs()
    )]
    Silent {
        /// The rank.
        rank: usize,
        /// The time.
        waited: Duration,
    },
    /// A rank does not accept messages.
    #[error(
        "rank {rank} has accepted no message for {} s: its program, its machine or the network has \
         failed",
        .waited.as_secs()
    )]
    NotTaken {
        /// The rank.
        rank: usize,
        /// The time.
        waited: Duration,
    },
    /// A rank has left, and another one still has a message for it or waits for one from it.
    #[error("rank {rank} has left, and is still needed")]
    Left {
        /// The rank.
        rank: usize,
    },
    /// Bytes that no rank sends.
    #[error("rank {rank} has sent an invalid message: do all ranks run the same program?")]
    Garbled {
        /// The rank.
        rank: usize,
    },
    /// A message is not the next one.
    #[error(
        "message {found} of rank {rank} arrived in place of message {expected}: hypothesis V12 of \
         the proofs on the engines fails: {MESSAGES}; one process needs no messages"
    )]
    OutOfOrder {
        /// The sender.
        rank: usize,
        /// Its number.
        found: u32,
        /// The number of the next one.
        expected: u32,
    },
    /// A message is too long.
    #[error("a message has {bytes} bytes, and at most {LONGEST} can be sent")]
    TooLong {
        /// Its bytes.
        bytes: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The proof lists V12 after the hypotheses of `sweep`, in these words.
    #[test]
    fn the_proof_lists_the_hypothesis() {
        let proof = include_str!("../../../../proofs/sweep.md");
        let last = proof.lines().rfind(|line| line.starts_with("| V"));
        assert_eq!(last, Some(format!("| V12 | {MESSAGES} | `Watched::hear` |").as_str()));
        assert!(include_str!("watched.rs").contains("fn hear("));
    }
}
