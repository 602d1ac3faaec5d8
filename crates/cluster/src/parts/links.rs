//! Links of a worker whose neighbour can be in another rank.

use super::exchange::{DIAGONALS, FINISHED, FULL, STARTED, add_groups};
use crate::transport::{Waker, message};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::thread;
use sweep::band::parts::{
    BlockIndex, BlockResult, Broadcast, FileState, GroupPool, Message, Receive, ToWorkers, Transmit,
};
use sweep::error::SweepError;

/// A request from a thread of this rank to its dispatcher.
pub(super) enum Request {
    /// Send a message to another rank, or to all others.
    Send(Option<usize>, Vec<u8>),
    /// Take the rows of a block of this rank, or the error that it failed with.
    Block(BlockResult),
    /// Ask all other ranks for their files of words above a block.
    Save(BlockIndex, Sender<io::Result<Vec<FileState>>>),
    /// A worker has ended before its last block.
    GivenUp,
}

/// A channel to the dispatcher, which waits for messages of other ranks.
#[derive(Clone)]
pub(super) struct ToDispatcher {
    pub(super) sender: Sender<Request>,
    pub(super) waker: Waker,
}

impl ToDispatcher {
    /// Makes a request and wakes the dispatcher. Yields the processor to it, as other threads can
    /// be waiting for the message. Returns whether the dispatcher is still there; if it has ended,
    /// nobody waits for anything.
    pub(super) fn send(&self, request: Request) -> bool {
        let is_there = self.sender.send(request).is_ok();
        (self.waker)();
        thread::yield_now();
        is_there
    }
}

/// The number of workers that wait for messages.
pub(super) struct Waits {
    /// Wakes the dispatcher when a worker begins to wait, or soon will.
    pub(super) waker: Waker,
    pub(super) workers: AtomicUsize,
}

/// The input of a worker, which is counted while it waits.
pub(super) struct Input<'a> {
    pub(super) receiver: Receiver<Message>,
    pub(super) waits: &'a Waits,
    /// The block below is of another rank.
    pub(super) is_fed: bool,
}

impl Receive for Input<'_> {
    fn receive(&mut self) -> Result<Option<Message>, SweepError> {
        if let Ok(message) = self.receiver.try_recv() {
            return Ok(Some(message));
        }
        let Waits { waker, workers } = self.waits;
        workers.fetch_add(1, Ordering::Relaxed);
        waker();
        let message = self.receiver.recv().ok();
        workers.fetch_sub(1, Ordering::Relaxed);
        Ok(message)
    }

    fn receive_now(&mut self) -> Result<Option<Message>, SweepError> {
        let message = self.receiver.try_recv().ok();
        if message.is_none() && self.is_fed {
            // The worker has few groups left: it is time to look for more.
            (self.waits.waker)();
        }
        Ok(message)
    }
}

/// The output of a worker.
pub(super) struct Output {
    pub(super) near: ToWorkers,
    pub(super) to_dispatcher: ToDispatcher,
    /// If the next worker is in another rank: that rank, and where the memory of sent groups goes.
    pub(super) next: Option<(usize, Arc<GroupPool>)>,
    /// Groups on their way to it.
    pub(super) groups: Vec<u8>,
}

impl Transmit for Output {
    fn transmit(&mut self, message: Message) {
        let Some((to, spare)) = &self.next else { return self.near.transmit(message) };
        let send = |message| self.to_dispatcher.send(Request::Send(Some(*to), message));
        match message {
            Message::Started(corner) => {
                let mut message = vec![STARTED];
                corner.save(&mut message);
                send(message);
            }
            Message::Groups(groups) => {
                add_groups(&mut self.groups, &groups);
                spare.put(groups);
                if self.groups.len() >= FULL {
                    send(std::mem::take(&mut self.groups));
                }
            }
            Message::Finished => {
                if !self.groups.is_empty() {
                    send(std::mem::take(&mut self.groups));
                }
                send(vec![FINISHED]);
            }
            _ => unreachable!("a block sends nothing else to the next one"),
        }
    }

    fn tell_all(&mut self, found: Broadcast) {
        // The dispatcher sends the rows to other ranks, with the work done for them.
        if let Broadcast::Diagonals(first, values) = &found {
            let values: Vec<u64> = values.iter().map(|p| p.0).collect();
            let message = message(DIAGONALS, &(first.0, values));
            self.to_dispatcher.send(Request::Send(None, message));
        }
        self.near.tell_all(found);
    }

    fn complete(&mut self) {
        self.near.complete();
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if !self.near.is_complete {
            self.to_dispatcher.send(Request::GivenUp);
        }
    }
}
