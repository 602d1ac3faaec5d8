//! Links between workers, and from them to the caller.
//!
//! A worker sends its groups to the next one, and the last worker to the first. It sends the
//! results of its block to all others. A link must keep the order of messages from the block below,
//! and nothing else. Channels between threads are links, and so is one from a worker to itself.

use crate::band::group::Group;
use crate::band::walk::Corner;
use crate::band::words::Store;
use crate::error::SweepError;
use crate::units::{Number, RowIndex};
use record::Record;
use record::listeners::{Done, Visitor};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// The result of a block for the caller: its rows, and the work done for them. Results come in row
/// order.
pub type BlockResult = Result<(Arc<Vec<Record>>, Done), SweepError>;

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

/// The connections of a worker with the others and with the caller.
pub struct Links<'a> {
    /// The messages to the worker.
    pub input: Box<dyn Receive + 'a>,
    /// The messages from the worker.
    pub output: Box<dyn Transmit + 'a>,
    /// Passes the rows of a block to the caller. Returns whether the caller wants more.
    pub tell: Box<dyn FnMut(BlockResult) -> bool + 'a>,
}

impl Receive for Receiver<Message> {
    fn receive(&mut self) -> Result<Option<Message>, SweepError> {
        Ok(self.recv().ok())
    }

    fn receive_now(&mut self) -> Result<Option<Message>, SweepError> {
        Ok(self.try_recv().ok())
    }
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

/// The caller's visitor, and the rows that it has seen.
pub struct Visits<'a> {
    /// Rows from this one on are not shown.
    pub end: RowIndex,
    /// The visitor.
    pub visitor: &'a mut dyn Visitor,
    /// The storage of the run, which receives rows before the visitor does.
    pub storage: &'a Store,
    /// The rows that the visitor has seen, and the work done for them.
    pub done: Done,
}

impl<'a> Visits<'a> {
    /// Of a run of the rows below `end`, before row 0.
    pub fn new(end: u64, visitor: &'a mut dyn Visitor, storage: &'a Store) -> Self {
        Self { end: RowIndex(end), visitor, storage, done: Done::default() }
    }

    /// Passes on a row, unless it is past the end and only shares the last band.
    pub fn row(&mut self, row: Record) -> ControlFlow<()> {
        if RowIndex(row.row()) >= self.end {
            return ControlFlow::Continue(());
        }
        self.done.rows += 1;
        self.visitor.row(row, None)
    }

    /// Passes on the rows of all blocks. Returns whether the caller wants more.
    pub(super) fn blocks(&mut self, results: Receiver<BlockResult>) -> Result<bool, SweepError> {
        for result in results {
            if !self.block(result)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Passes on the rows of the next block. Returns whether the caller wants more.
    ///
    /// # Errors
    /// That of the block.
    pub fn block(&mut self, result: BlockResult) -> Result<bool, SweepError> {
        let (rows, part) = result?;
        self.storage.rows(&rows, part);
        self.done += part;
        for row in rows.iter() {
            if self.row(row.clone()).is_break() {
                return Ok(false);
            }
        }
        self.visitor.progress(self.done);
        Ok(true)
    }
}
