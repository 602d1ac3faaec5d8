//! Links of a worker whose neighbour can be in another part.

use super::buffers::Buffer;
use super::exchange::{ForDispatcher, Outgoing, Part, ToDispatcher, garbled, problem};
use super::storage::Waits;
use super::wire::{
    EncodedGroups, decode_groups, encode_diagonals, encode_finished, encode_started,
};
use bytes::Bytes;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use sweep::band::parts::{
    Broadcast, GroupIndex, Message, Receive, Spare, ToWorkers, Transmit, first_tile,
};
use sweep::band::pipeline::{BandIndex, Frame, block_of};
use sweep::error::SweepError;

/// A message to a worker.
pub(super) enum Incoming {
    Message(Message),
    /// Groups as another part has sent them.
    Encoded(Bytes),
}

impl From<Message> for Incoming {
    fn from(message: Message) -> Self {
        Self::Message(message)
    }
}

/// The output of a worker.
pub(super) struct PartOutput<'a> {
    pub(super) near: ToWorkers<Incoming>,
    pub(super) part: Part,
    pub(super) to_dispatcher: ToDispatcher,
    /// If the next worker is in another part: the number of that part, and where the memory of sent
    /// groups goes.
    pub(super) next: Option<(usize, &'a Spare)>,
    pub(super) groups: EncodedGroups,
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

    fn send(&self, to: usize, message: impl Into<Buffer>) {
        let message = message.into();
        let urgency = block_of(self.end()).0;
        self.to_dispatcher.send(ForDispatcher::Send(Outgoing { to, urgency, message }));
    }
}

impl Transmit for PartOutput<'_> {
    fn transmit(&mut self, message: Message) {
        let (end, is_last) = (self.end(), matches!(message, Message::Finished));
        match self.next {
            None => self.near.transmit(message),
            // No block follows the end of the run.
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
                _ => unreachable!("a block sends nothing else to the next one"),
            },
            Some(_) => {}
        }
        if is_last {
            self.ends.pop_front();
        }
    }

    fn tell_all(&mut self, found: Broadcast) {
        // The dispatcher sends the rows to other parts, with the work done for them.
        if let Broadcast::Diagonals(first, values) = &found
            && self.end() < self.bands
        {
            let message = encode_diagonals(*first, values);
            for to in self.part.others() {
                self.send(to, message.clone());
            }
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
            self.to_dispatcher.wake();
        }
    }
}

/// The input of a worker. It measures the waiting time.
pub(super) struct PartInput<'a> {
    receiver: Receiver<Incoming>,
    /// Groups from another part that have not been decoded.
    encoded: Bytes,
    /// The message after these.
    next: Option<Incoming>,
    spare: &'a Spare,
    frame: Frame,
    waits: &'a Waits,
    /// The blocks of the worker that have not received all groups.
    blocks: VecDeque<Range<BandIndex>>,
    /// The next group that another part will send.
    group: GroupIndex,
}

impl<'a> PartInput<'a> {
    pub(super) fn new(
        receiver: Receiver<Incoming>,
        spare: &'a Spare,
        frame: Frame,
        waits: &'a Waits,
        blocks: VecDeque<Range<BandIndex>>,
    ) -> Self {
        let encoded = Bytes::new();
        let group = GroupIndex(0);
        let mut input = Self { receiver, encoded, next: None, spare, frame, waits, blocks, group };
        input.begin();
        input
    }

    /// Begins with the first of the blocks.
    fn begin(&mut self) {
        if let Some(block) = self.blocks.front() {
            self.group = first_tile(block.start) - 1;
        }
    }

    /// Decodes a message. Groups are decoded a few at a time, just before they are used; if no
    /// message follows them, it is time to look for more.
    fn decoded(&mut self, message: Incoming) -> Result<Message, SweepError> {
        match message {
            Incoming::Encoded(groups) => {
                self.encoded = groups;
                self.next = self.receiver.try_recv().ok();
                if self.next.is_none() {
                    self.waits.expect_soon();
                }
                self.groups()
            }
            Incoming::Message(message) => {
                if matches!(message, Message::Finished) {
                    self.blocks.pop_front();
                    self.begin();
                }
                Ok(message)
            }
        }
    }

    /// The next groups from another part, which must be the next ones of their block.
    fn groups(&mut self) -> Result<Message, SweepError> {
        let groups = decode_groups(&mut self.encoded, self.spare, self.frame).map_err(garbled)?;
        for group in &groups {
            let band = self.blocks.front().map(|block| block.start - 1);
            if (group.index(), Some(group.band())) != (self.group, band) {
                return Err(problem("a group is not the next one".to_owned()));
            }
            self.group += 1;
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
        if !self.encoded.is_empty() {
            return self.groups().map(Some);
        }
        let message = self.next.take().or_else(|| self.receiver.try_recv().ok());
        message.map(|message| self.decoded(message)).transpose()
    }
}
