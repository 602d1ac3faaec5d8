//! What goes from worker to worker, and how.
//!
//! A worker sends its groups to the next one, and the last to the first; and what a block has found
//! to all. A link keeps the order of what it brings from the block below, and a worker asks for
//! nothing else: channels between threads are such links, and a queue is another, from a worker to
//! itself.

use crate::{
    band::{group::Group, walk::Corner},
    units::{Number, RowIndex},
};
use bytes::Bytes;
use record::Record;
use std::{
    cell::RefCell,
    collections::VecDeque,
    io,
    rc::Rc,
    sync::{
        Arc,
        mpsc::{Receiver, Sender, channel},
    },
};

/// What comes to a worker.
pub(super) enum Message {
    /// From the block below, first: its last band has started.
    Started(Corner),
    /// Then: its last band is done with these groups, consecutive from message to message.
    Groups(Vec<Box<Group>>),
    /// Last: all its rows are finished.
    Finished,
    /// Groups as another process has sent them. A link between processes makes groups of them.
    Encoded(Bytes),
    /// What such a link cannot read.
    Unreadable(io::Error),
    /// From any block of another worker.
    Found(Found),
    /// Another worker has ended before its last block: there will be no more rows.
    GivenUp,
}

/// What a block has found, for all workers; with its first row.
#[derive(Clone)]
pub(super) enum Found {
    /// Its diagonal values. All workers have them on their way before the next block starts.
    Diagonals(RowIndex, Arc<Vec<Number>>),
    /// Its rows. All workers have them on their way before the next block hears that it is
    /// finished.
    Rows(RowIndex, Arc<Vec<Record>>),
}

/// The end of a link that a worker reads.
pub(super) trait Receive {
    /// Waits for the next message; nothing, if there will be none.
    fn receive(&mut self) -> Option<Message>;

    /// The next message, if it has come.
    fn receive_now(&mut self) -> Option<Message>;
}

/// The end of a link that a worker writes. If nobody is there any more, what it sends is lost.
pub(super) trait Transmit {
    /// Sends a message to the worker of the next block.
    fn transmit(&mut self, message: Message);

    /// Tells all other workers.
    fn tell_all(&mut self, found: Found);

    /// The worker has done its last block. If it ends before, the others are told.
    fn complete(&mut self);
}

impl Receive for Receiver<Message> {
    fn receive(&mut self) -> Option<Message> {
        self.recv().ok()
    }

    fn receive_now(&mut self) -> Option<Message> {
        self.try_recv().ok()
    }
}

/// A link from a worker to itself. Whoever waits for more than it has sent has nothing to wait for.
#[derive(Clone, Default)]
pub(super) struct Queue(Rc<RefCell<VecDeque<Message>>>);

impl Receive for Queue {
    fn receive(&mut self) -> Option<Message> {
        self.0.borrow_mut().pop_front()
    }

    fn receive_now(&mut self) -> Option<Message> {
        self.receive()
    }
}

impl Transmit for Queue {
    fn transmit(&mut self, message: Message) {
        self.0.borrow_mut().push_back(message);
    }

    fn tell_all(&mut self, _: Found) {}

    fn complete(&mut self) {}
}

/// The ways from a worker to all workers of its process, itself among them.
pub(super) struct ToWorkers {
    number: usize,
    workers: Vec<Sender<Message>>,
    is_complete: bool,
}

impl ToWorkers {
    fn others(&self) -> impl Iterator<Item = &Sender<Message>> {
        let workers = self.workers.iter().enumerate();
        workers.filter(|(number, _)| *number != self.number).map(|(_, worker)| worker)
    }

    /// Whether the worker has done its last block.
    pub(super) fn is_complete(&self) -> bool {
        self.is_complete
    }
}

impl Transmit for ToWorkers {
    fn transmit(&mut self, message: Message) {
        let _ = self.workers[(self.number + 1) % self.workers.len()].send(message);
    }

    fn tell_all(&mut self, found: Found) {
        for worker in self.others() {
            let _ = worker.send(Message::Found(found.clone()));
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

/// The links between the workers of a process, from each to all.
pub(super) struct Ring {
    /// For each worker, what comes to it and what it sends to.
    pub(super) links: Vec<(Receiver<Message>, ToWorkers)>,
    /// The ways to them from outside.
    pub(super) inputs: Vec<Sender<Message>>,
}

/// The links between so many workers, of whom the first one is sent these messages.
pub(super) fn ring(workers: usize, messages: impl IntoIterator<Item = Message>) -> Ring {
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..workers).map(|_| channel()).unzip();
    for message in messages {
        senders[0].send(message).expect("the receiver is here");
    }
    let to = |number| ToWorkers { number, workers: senders.clone(), is_complete: false };
    let links = receivers.into_iter().enumerate().map(|(n, receiver)| (receiver, to(n))).collect();
    Ring { links, inputs: senders }
}
