//! Messages from one part to another.

use super::{
    buffers::Buffer,
    wire::{DIAGONALS, FINISHED, GROUPS, ROWS, STARTED, WORDS},
};
use bytes::Bytes;
use std::{
    io,
    sync::{
        Arc,
        mpsc::{SendError, Sender},
    },
    thread,
    time::Duration,
};
use sweep::error::SweepError;

/// Which part of a run a process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its number, from 0 on.
    pub number: usize,
    /// How many parts there are.
    pub parts: usize,
}

impl Part {
    /// The numbers of all other parts.
    pub(super) fn others(self) -> impl Iterator<Item = usize> {
        (0..self.parts).filter(move |&other| other != self.number)
    }
}

/// Takes messages between the parts of a run.
pub trait Exchange {
    /// Sends a message to a part. Messages with a lower urgency go first, and those with the same
    /// urgency keep their order: so a message comes after all that were sent before it and have no
    /// higher one.
    ///
    /// # Errors
    /// What is wrong: the run then ends.
    fn send(&mut self, to: usize, urgency: u64, message: Buffer) -> Result<(), String>;

    /// The next message from any other part. Waits for `wait`, at most, or until it is woken. If it
    /// must poll, `eagerness` says how often.
    ///
    /// # Errors
    /// Which part is missing: the run then ends.
    fn receive(&mut self, wait: Duration, eagerness: Eagerness) -> Result<Option<Bytes>, String>;

    /// Makes [`receive`](Self::receive) return soon, from any thread.
    fn waker(&self) -> Waker;

    /// Bytes that have been given to [`send`](Self::send) and have not left.
    fn on_the_way(&self) -> u64;

    /// Whether the run must end now, with the rows that have been seen. Polled; only the answer of
    /// part 0 counts.
    fn is_interrupted(&mut self) -> bool {
        false
    }
}

/// Wakes the thread that waits for a message.
pub type Waker = Arc<dyn Fn() + Send + Sync>;

/// How often to look for a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Eagerness {
    /// All workers are at work, and each look may take time from one of them.
    Rarely,
    /// A worker waits for it.
    #[default]
    Often,
}

/// Bytes that one part has sent, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// Posted words.
    pub words: u64,
    /// Groups, and corners.
    pub groups: u64,
    /// Finished rows, and diagonal values.
    pub rows: u64,
    /// Everything else.
    pub other: u64,
}

impl Sent {
    /// All of them.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.words + self.groups + self.rows + self.other
    }

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

/// An exchange, and what has been sent over it.
pub(super) struct Counted<'a> {
    pub(super) exchange: &'a mut dyn Exchange,
    pub(super) sent: Sent,
}

/// A channel to the dispatcher, which waits for messages of other parts: sending wakes it. The
/// sender yields its processor to it, as others may wait for the message.
pub(super) struct ToDispatcher<T> {
    pub(super) sender: Sender<T>,
    pub(super) waker: Waker,
}

impl<T> Clone for ToDispatcher<T> {
    fn clone(&self) -> Self {
        Self { sender: self.sender.clone(), waker: self.waker.clone() }
    }
}

impl<T> ToDispatcher<T> {
    pub(super) fn send(&self, what: T) -> Result<(), SendError<T>> {
        self.sender.send(what)?;
        (self.waker)();
        thread::yield_now();
        Ok(())
    }

    /// As [`send`](Self::send), but does not wake it: the message is sent with the next one that
    /// does, or a little later.
    pub(super) fn send_later(&self, what: T) -> Result<(), SendError<T>> {
        self.sender.send(what)
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

    /// The same to all other parts.
    pub(super) fn to_all(part: Part, urgency: u64, message: &[u8]) -> impl Iterator<Item = Self> {
        part.others().map(move |to| Self { to, urgency, message: message.to_vec().into() })
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
