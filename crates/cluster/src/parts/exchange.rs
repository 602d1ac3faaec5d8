//! Messages from one part to another.

use super::buffers::Buffer;
use super::pieces::Request;
use super::wire::{DIAGONALS, FINISHED, GROUPS, ROWS, STARTED, WORDS};
use bytes::Bytes;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use std::{io, thread};
use sweep::{band::parts::BlockResult, error::SweepError};

/// One of the parts of a run, each computed by one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its number, from 0 on.
    pub number: usize,
    /// The number of parts.
    pub parts: usize,
}

impl Part {
    /// The numbers of all other parts.
    pub(super) fn others(self) -> impl Iterator<Item = usize> {
        (0..self.parts).filter(move |&other| other != self.number)
    }
}

/// Carries messages between the parts of a run.
pub trait Exchange {
    /// Sends a message to a part. Messages with a lower urgency go first, and those with the same
    /// urgency keep their order. So a message arrives after all earlier messages whose urgency is
    /// not higher.
    ///
    /// # Errors
    /// The reason, in words: the run then ends.
    fn send(&mut self, to: usize, urgency: u64, message: Buffer) -> Result<(), String>;

    /// The next message from any other part. Waits for `wait` at most, or until it is woken. If it
    /// must poll, `eagerness` says how often.
    ///
    /// # Errors
    /// The missing part, in words: the run then ends.
    fn receive(&mut self, wait: Duration, eagerness: Eagerness) -> Result<Option<Bytes>, String>;

    /// Makes [`receive`](Self::receive) return soon, from any thread.
    fn waker(&self) -> Waker;

    /// Bytes that were passed to [`send`](Self::send) and have not left.
    fn on_the_way(&self) -> u64;

    /// Whether the run must end now, with the rows that have been seen. Polled; only the answer of
    /// part 0 counts.
    fn is_interrupted(&mut self) -> bool {
        false
    }
}

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

/// Bytes that one part has sent, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// Stored words.
    pub words: u64,
    /// Groups and corners.
    pub groups: u64,
    /// Finished rows and diagonal values.
    pub rows: u64,
    /// Everything else.
    pub other: u64,
}

impl Sent {
    fn count(&mut self, message: &[u8]) {
        let of_kind = match message.first() {
            Some(&WORDS) => &mut self.words,
            Some(&(STARTED | GROUPS | FINISHED)) => &mut self.groups,
            Some(&(DIAGONALS | ROWS)) => &mut self.rows,
            _ => &mut self.other,
        };
        *of_kind += message.len() as u64;
    }
}

/// An exchange that counts the bytes sent.
pub(super) struct Counted<'a> {
    pub(super) exchange: &'a mut dyn Exchange,
    pub(super) sent: Sent,
}

/// A request from a thread of this part to its dispatcher.
pub(super) enum ForDispatcher {
    /// Send a message to another part.
    Send(Outgoing),
    /// Take the rows of a block of this part, or the error that it failed with.
    Block(BlockResult),
    /// Gather the words of a checkpoint.
    Gather(Request),
}

/// A channel to the dispatcher, which waits for messages of other parts.
#[derive(Clone)]
pub(super) struct ToDispatcher {
    sender: Sender<ForDispatcher>,
    waker: Waker,
}

impl ToDispatcher {
    /// The channel to a dispatcher that this function wakes.
    pub(super) fn new(waker: Waker) -> (Self, Receiver<ForDispatcher>) {
        let (sender, receiver) = channel();
        (Self { sender, waker }, receiver)
    }

    /// Makes a request and wakes the dispatcher. Yields the processor to it, as other threads can
    /// be waiting for the message. Returns whether the dispatcher is still there; if it has ended,
    /// nobody waits for anything.
    pub(super) fn send(&self, request: ForDispatcher) -> bool {
        let is_there = self.send_later(request);
        self.wake();
        thread::yield_now();
        is_there
    }

    /// As [`send`](Self::send), but does not wake the dispatcher, which handles the request with
    /// the next one that does, or a little later.
    pub(super) fn send_later(&self, request: ForDispatcher) -> bool {
        self.sender.send(request).is_ok()
    }

    pub(super) fn wake(&self) {
        (self.waker)();
    }
}

/// A message for another part.
pub(super) struct Outgoing {
    pub(super) to: usize,
    pub(super) urgency: u64,
    pub(super) message: Buffer,
}

impl Outgoing {
    pub(super) fn send(self, over: &mut Counted) -> Result<(), SweepError> {
        over.sent.count(&self.message);
        over.exchange.send(self.to, self.urgency, self.message).map_err(problem)
    }

    /// Sends the same message to all other parts.
    pub(super) fn send_to_all(
        over: &mut Counted,
        part: Part,
        urgency: u64,
        message: &[u8],
    ) -> Result<(), SweepError> {
        let mut others = part.others();
        others.try_for_each(|to| Self { to, urgency, message: message.to_vec().into() }.send(over))
    }
}

/// The error of a part, or of the exchange.
pub(super) fn problem(problem: String) -> SweepError {
    SweepError::Outside { problem }
}

/// The error of a message that cannot be read.
#[expect(clippy::needless_pass_by_value, reason = "it maps errors")]
pub(super) fn garbled(error: io::Error) -> SweepError {
    problem(format!("a message between parts: {error}"))
}
