//! The way from one part to another.

use super::{
    buffers::Buffer,
    link::{Found, Message, ToWorkers, Transmit},
    options::Part,
    wire::{
        DIAGONALS, EncodedGroups, FINISHED, GROUPS, ROWS, STARTED, WORDS, encode_diagonals,
        encode_finished, encode_started,
    },
};
use crate::{
    band::{group::Spare, schedule::block_of, units::BandIndex},
    error::SweepError,
};
use bytes::Bytes;
use std::{
    collections::VecDeque,
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{SendError, Sender},
    },
    thread,
    time::Duration,
};

/// Takes messages between the parts of a run.
pub trait Exchange {
    /// Sends a message to a part. A lower urgency goes first, and messages that are as urgent keep
    /// their order: so a message comes after those that were sent before it and have no higher one.
    ///
    /// # Errors
    /// In words, if it cannot: the run then ends.
    fn send(&mut self, to: usize, urgency: u64, message: Buffer) -> Result<(), String>;

    /// The next message from any other part. Waits so long, at most, or until it is woken. If that
    /// takes looking again and again, `eagerness` says how often.
    ///
    /// # Errors
    /// In words, if there will be none, because a part is missing: the run then ends.
    fn receive(&mut self, wait: Duration, eagerness: Eagerness) -> Result<Option<Bytes>, String>;

    /// What makes [`receive`](Self::receive) return soon, from any thread.
    fn waker(&self) -> Waker;

    /// Bytes that have been given to [`send`](Self::send), and have not left.
    fn on_the_way(&self) -> u64;

    /// Whether the run is to end now, with the rows that have been seen. Asked again and again, and
    /// obeyed in part 0.
    fn is_interrupted(&mut self) -> bool {
        false
    }
}

/// Wakes who waits for a message.
pub type Waker = Arc<dyn Fn() + Send + Sync>;

/// How often to look for a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Eagerness {
    /// All workers are at work, and each look takes time from one of them, perhaps.
    Rarely,
    /// Somebody waits for it and does nothing meanwhile.
    #[default]
    Often,
}

/// Bytes that one part has sent, by what they are.
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

/// A way to the thread that waits for messages: what is sent wakes it. If it has no processor of
/// its own, it goes before the thread that sends: others may wait for the message.
pub(super) struct ToTalk<T> {
    pub(super) sender: Sender<T>,
    pub(super) waker: Waker,
}

impl<T> Clone for ToTalk<T> {
    fn clone(&self) -> Self {
        Self { sender: self.sender.clone(), waker: self.waker.clone() }
    }
}

impl<T> ToTalk<T> {
    pub(super) fn send(&self, what: T) -> Result<(), SendError<T>> {
        self.sender.send(what)?;
        (self.waker)();
        thread::yield_now();
        Ok(())
    }

    /// As [`send`](Self::send), but wakes nobody: it goes with the next that does, or a little
    /// later.
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
        let others = (0..part.parts).filter(move |&to| to != part.number);
        others.map(move |to| Self { to, urgency, message: message.to_vec().into() })
    }
}

/// The ways from a worker to all others of the run.
pub(super) struct Ways<'a> {
    pub(super) near: ToWorkers,
    pub(super) part: Part,
    pub(super) outgoing: ToTalk<Outgoing>,
    /// If the next worker is in another part: its number, and where groups go that have been sent.
    pub(super) next: Option<(usize, &'a Spare)>,
    pub(super) groups: EncodedGroups,
    /// Said of a worker that ends before its last block.
    pub(super) given_up: &'a AtomicBool,
    /// Where the blocks of the worker end.
    pub(super) ends: VecDeque<BandIndex>,
    /// Where the run ends.
    pub(super) bands: BandIndex,
}

impl Ways<'_> {
    /// The end of the block that is being done.
    fn end(&self) -> BandIndex {
        *self.ends.front().expect("a block sends before it has finished")
    }

    fn send(&self, to: usize, message: impl Into<Buffer>) {
        // If nobody sends any more, nobody waits.
        let message = message.into();
        let urgency = block_of(self.end()).0;
        let _ = self.outgoing.send(Outgoing { to, urgency, message });
    }
}

impl Transmit for Ways<'_> {
    fn transmit(&mut self, message: Message) {
        let (end, is_last) = (self.end(), matches!(message, Message::Finished));
        match self.next {
            None => self.near.transmit(message),
            // Nobody goes on from the end of the run.
            Some((to, spare)) if end < self.bands => match message {
                Message::Started(corner) => self.send(to, encode_started(&corner, end)),
                Message::Groups(groups) => {
                    self.groups.add(&groups, end).into_iter().for_each(|full| self.send(to, full));
                    spare.put(groups);
                }
                Message::Finished => {
                    self.groups.take().into_iter().for_each(|rest| self.send(to, rest));
                    self.send(to, encode_finished());
                }
                _ => unreachable!("a block sends nothing else to the next"),
            },
            Some(_) => {}
        }
        if is_last {
            self.ends.pop_front();
        }
    }

    fn tell_all(&mut self, found: Found) {
        // The rows go to other parts with what was done for them.
        if let Found::Diagonals(first, values) = &found
            && self.end() < self.bands
        {
            let message = encode_diagonals(*first, values);
            for to in (0..self.part.parts).filter(|&to| to != self.part.number) {
                self.send(to, message.clone());
            }
        }
        self.near.tell_all(found);
    }

    fn complete(&mut self) {
        self.near.complete();
    }
}

impl Drop for Ways<'_> {
    fn drop(&mut self) {
        if !self.near.is_complete() {
            self.given_up.store(true, Ordering::Release);
            (self.outgoing.waker)();
        }
    }
}

pub(super) fn problem(problem: String) -> SweepError {
    SweepError::Part { problem }
}

/// The error of a message that cannot be read.
#[expect(clippy::needless_pass_by_value, reason = "it maps errors")]
pub(super) fn garbled(error: io::Error) -> SweepError {
    problem(format!("a message between parts: {error}"))
}
