//! Links of a worker whose neighbour can be in another rank.

use super::wire::{
    FINISHED, decode_groups, encode_diagonals, encode_groups, encode_started, garbled, outside,
};
use crate::transport::Waker;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};
use sweep::band::parts::{
    BlockResult, Broadcast, Message, Receive, Spare, ToWorkers, Transmit, first_tile,
};
use sweep::band::pipeline::{BandIndex, BlockIndex, Decoder, Frame};
use sweep::error::SweepError;
use words::parts::FileState;

/// A request from a thread of this rank to its dispatcher.
pub(super) enum ForDispatcher {
    /// Send a message to another rank.
    Send(usize, Vec<u8>),
    /// Send a message to all other ranks.
    SendToAll(Vec<u8>),
    /// Take the rows of a block of this rank, or the error that it failed with.
    Block(BlockResult),
    /// Ask all other ranks for their files of words above a block.
    Save(BlockIndex, Sender<std::io::Result<Vec<FileState>>>),
}

/// A channel to the dispatcher, which waits for messages of other ranks.
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
        let is_there = self.sender.send(request).is_ok();
        (self.waker)();
        thread::yield_now();
        is_there
    }
}

/// The number of workers that wait for messages of other ranks, and their total waiting time.
pub(super) struct Waits {
    /// Wakes the dispatcher when a worker begins to wait, or soon will.
    waker: Waker,
    workers: AtomicUsize,
    nanoseconds: AtomicU64,
}

impl Waits {
    /// No worker waits yet.
    pub(super) fn new(waker: Waker) -> Self {
        Self { waker, workers: AtomicUsize::new(0), nanoseconds: AtomicU64::new(0) }
    }

    /// Lets a worker wait, and measures the time.
    fn measure<R>(&self, wait: impl FnOnce() -> R) -> R {
        let begun = Instant::now();
        self.workers.fetch_add(1, Ordering::Relaxed);
        (self.waker)();
        let result = wait();
        self.workers.fetch_sub(1, Ordering::Relaxed);
        let waited = u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds.fetch_add(waited, Ordering::Relaxed);
        result
    }

    /// Whether a worker waits.
    pub(super) fn has_some(&self) -> bool {
        self.workers.load(Ordering::Relaxed) > 0
    }

    /// The sum of the waiting times of all workers.
    pub(super) fn all(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed))
    }
}

/// A message to a worker.
pub(super) enum Incoming {
    Message(Message),
    /// Groups as another rank has sent them.
    Encoded(Vec<u8>),
}

impl From<Message> for Incoming {
    fn from(message: Message) -> Self {
        Self::Message(message)
    }
}

/// The output of a worker.
pub(super) struct PartOutput<'a> {
    pub(super) near: ToWorkers<Incoming>,
    pub(super) to_dispatcher: ToDispatcher,
    /// If the next worker is in another rank: that rank, and where the memory of sent groups goes.
    pub(super) next: Option<(usize, &'a Spare)>,
    /// Groups on their way to it.
    pub(super) groups: Vec<u8>,
    /// Set by a worker that ends before its last block.
    pub(super) given_up: &'a AtomicBool,
    /// Where the blocks of the worker end.
    pub(super) ends: VecDeque<BandIndex>,
    /// Where the run ends.
    pub(super) bands: BandIndex,
}

impl PartOutput<'_> {
    /// The end of the block that is being computed.
    fn end(&self) -> BandIndex {
        *self.ends.front().expect("a block sends before it has finished")
    }
}

impl Transmit for PartOutput<'_> {
    fn transmit(&mut self, message: Message) {
        let end = self.end();
        if matches!(message, Message::Finished) {
            self.ends.pop_front();
        }
        let Some((to, spare)) = self.next else { return self.near.transmit(message) };
        // No block follows the end of the run.
        if end == self.bands {
            return;
        }
        let send = |message| self.to_dispatcher.send(ForDispatcher::Send(to, message));
        match message {
            Message::Started(corner) => {
                send(encode_started(&corner, end));
            }
            Message::Groups(groups) => {
                encode_groups(&mut self.groups, &groups, end).map(send);
                spare.put(groups);
            }
            Message::Finished => {
                let rest = std::mem::take(&mut self.groups);
                Some(rest).filter(|rest| !rest.is_empty()).map(send);
                send(vec![FINISHED]);
            }
            _ => unreachable!("a block sends nothing else to the next one"),
        }
    }

    fn tell_all(&mut self, found: Broadcast) {
        // The dispatcher sends the rows to other ranks, with the work done for them.
        if let Broadcast::Diagonals(first, values) = &found
            && self.end() < self.bands
        {
            self.to_dispatcher.send(ForDispatcher::SendToAll(encode_diagonals(*first, values)));
        }
        self.near.tell_all(found);
    }

    fn complete(&mut self) {
        self.near.complete();
    }
}

impl Drop for PartOutput<'_> {
    fn drop(&mut self) {
        if !self.near.is_complete {
            self.given_up.store(true, Ordering::Release);
            (self.to_dispatcher.waker)();
        }
    }
}

/// The input of a worker. It measures the waiting time.
pub(super) struct PartInput<'a> {
    pub(super) receiver: Receiver<Incoming>,
    pub(super) spare: &'a Spare,
    pub(super) frame: Frame,
    pub(super) waits: &'a Waits,
    /// The blocks of the worker that have not received all groups.
    pub(super) blocks: VecDeque<Range<BandIndex>>,
    /// Groups from another rank, and the place up to which they have been decoded.
    pub(super) encoded: (Vec<u8>, usize),
    /// The message after these.
    pub(super) next: Option<Incoming>,
    /// The number of groups that have come for the first of the blocks.
    pub(super) come: u64,
}

impl PartInput<'_> {
    /// Decodes a message. Groups are decoded a few at a time, just before they are used; if no
    /// message follows them, it is time to look for more.
    fn decoded(&mut self, message: Incoming) -> Result<Message, SweepError> {
        match message {
            Incoming::Encoded(groups) => {
                // After the kind.
                self.encoded = (groups, 1);
                self.next = self.receiver.try_recv().ok();
                if self.next.is_none() {
                    (self.waits.waker)();
                }
                self.groups()
            }
            Incoming::Message(message) => {
                if matches!(message, Message::Finished) {
                    self.blocks.pop_front();
                    self.come = 0;
                }
                Ok(message)
            }
        }
    }

    /// The next groups from another rank, which must be the next ones of their block.
    fn groups(&mut self) -> Result<Message, SweepError> {
        let (bytes, at) = &mut self.encoded;
        let mut source = Decoder(&bytes[*at..]);
        let groups = decode_groups(&mut source, self.spare, self.frame).map_err(garbled)?;
        *at = bytes.len() - source.0.len();
        for group in &groups {
            let expected = self
                .blocks
                .front()
                .map(|block| (first_tile(block.start) - 1 + self.come, block.start - 1));
            if expected != Some((group.index(), group.band())) {
                return Err(outside("a group is not the next one"));
            }
            self.come += 1;
        }
        Ok(Message::Groups(groups))
    }
}

impl Receive for PartInput<'_> {
    fn receive(&mut self) -> Result<Option<Message>, SweepError> {
        if let Some(message) = self.receive_now()? {
            return Ok(Some(message));
        }
        let message = self.waits.measure(|| self.receiver.recv().ok());
        message.map(|message| self.decoded(message)).transpose()
    }

    fn receive_now(&mut self) -> Result<Option<Message>, SweepError> {
        if self.encoded.1 < self.encoded.0.len() {
            return self.groups().map(Some);
        }
        let message = self.next.take().or_else(|| self.receiver.try_recv().ok());
        message.map(|message| self.decoded(message)).transpose()
    }
}
