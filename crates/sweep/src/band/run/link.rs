//! Links between workers.
//!
//! A worker sends its groups to the next one, and the last worker to the first. It sends the
//! results of its block to all others. A link must keep the order of messages from the block below,
//! and nothing else. Channels between threads are links, and so is a queue from a worker to itself.

use crate::band::group::Group;
use crate::band::walk::Corner;
use crate::error::SweepError;
use crate::units::{Number, RowIndex};
use record::Record;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// A message to a worker.
pub enum Message {
    /// From the block below, first: its last band has started.
    Started(Corner),
    /// Then: its last band has met these groups, which are consecutive from message to message.
    Groups(Vec<Box<Group>>),
    /// Last: all its rows are finished.
    Finished,
    /// From any block of another worker.
    Broadcast(Broadcast),
    /// Another worker has ended before its last block: there will be no more rows.
    GivenUp,
}

/// The results of a block for all workers, with its first row.
#[derive(Clone)]
pub enum Broadcast {
    /// Its diagonal values. They are sent to all workers before the next block starts.
    Diagonals(RowIndex, Arc<Vec<Number>>),
    /// Its rows. They are sent to all workers before the next block learns that it is finished.
    Rows(RowIndex, Arc<Vec<Record>>),
}

/// The end of a link that a worker reads.
pub trait Receive {
    /// Waits for the next message; `None` if there will be none.
    ///
    /// # Errors
    /// [`SweepError::Outside`], if the link has failed. The run then ends.
    fn receive(&mut self) -> Result<Option<Message>, SweepError>;

    /// The next message, if it has arrived.
    ///
    /// # Errors
    /// As [`Self::receive`].
    fn receive_now(&mut self) -> Result<Option<Message>, SweepError>;
}

/// The end of a link that a worker writes. If the reader has ended, messages are lost.
pub trait Transmit {
    /// Sends a message to the worker of the next block.
    fn transmit(&mut self, message: Message);

    /// Sends results to all other workers.
    fn tell_all(&mut self, found: Broadcast);

    /// The worker has finished its last block. A link that is dropped before tells the others.
    fn complete(&mut self);
}

impl Receive for Receiver<Message> {
    fn receive(&mut self) -> Result<Option<Message>, SweepError> {
        Ok(self.recv().ok())
    }

    fn receive_now(&mut self) -> Result<Option<Message>, SweepError> {
        Ok(self.try_recv().ok())
    }
}

/// A link from a worker to itself. It never waits, because all messages are there.
#[derive(Clone, Default)]
pub(super) struct Queue(Rc<RefCell<VecDeque<Message>>>);

impl Receive for Queue {
    fn receive(&mut self) -> Result<Option<Message>, SweepError> {
        Ok(self.0.borrow_mut().pop_front())
    }

    fn receive_now(&mut self) -> Result<Option<Message>, SweepError> {
        self.receive()
    }
}

impl Transmit for Queue {
    fn transmit(&mut self, message: Message) {
        self.0.borrow_mut().push_back(message);
    }

    fn tell_all(&mut self, _: Broadcast) {}

    fn complete(&mut self) {}
}

/// The links from a worker to all workers of its process, itself among them.
pub struct ToWorkers {
    number: usize,
    /// The channels to all workers.
    pub(super) workers: Vec<Sender<Message>>,
    /// Whether the worker has finished its last block.
    pub is_complete: bool,
}

impl ToWorkers {
    fn others(&self) -> impl Iterator<Item = &Sender<Message>> {
        let workers = self.workers.iter().enumerate();
        workers.filter(|(number, _)| *number != self.number).map(|(_, worker)| worker)
    }
}

impl Transmit for ToWorkers {
    fn transmit(&mut self, message: Message) {
        let _ = self.workers[(self.number + 1) % self.workers.len()].send(message);
    }

    fn tell_all(&mut self, found: Broadcast) {
        for worker in self.others() {
            let _ = worker.send(Message::Broadcast(found.clone()));
        }
    }

    fn complete(&mut self) {
        self.is_complete = true;
    }
}

impl Drop for ToWorkers {
    fn drop(&mut self) {
        if !self.is_complete {
            for worker in self.others() {
                let _ = worker.send(Message::GivenUp);
            }
        }
    }
}

/// The links between this number of workers: the end of the channel to each, and the channels from
/// it to all.
pub(super) fn ring(workers: usize) -> impl Iterator<Item = (Receiver<Message>, ToWorkers)> {
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..workers).map(|_| channel()).unzip();
    let to = move |number| ToWorkers { number, workers: senders.clone(), is_complete: false };
    receivers.into_iter().enumerate().map(move |(n, receiver)| (receiver, to(n)))
}
