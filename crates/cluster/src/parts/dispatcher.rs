//! The dispatcher of a part: sends, receives and distributes messages, on the thread of the caller.

use super::copying::Copying;
use super::exchange::{Counted, Eagerness, ForDispatcher, Outgoing, Part, garbled, problem};
use super::links::Incoming;
use super::storage::{PartStorage, Waits};
use super::wire::{
    DIAGONALS, FAILED, FINISHED, FORGET, GROUPS, KEEP, ROWS, STARTED, STOP, WORDS,
    decode_diagonals, decode_rows, decode_started, decode_words, encode_rows,
};
use bytes::Bytes;
use record::Record;
use record::listeners::Done;
use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;
use sweep::band::parts::{BLOCK, BlockResult, Broadcast, Message};
use sweep::band::pipeline::{BandIndex, Decoder, Frame, RowIndex, Visits, block_of, invalid};
use sweep::error::SweepError;

/// If nothing wakes the dispatcher, it waits this long before it sends messages that are not
/// urgent.
const WAIT: Duration = Duration::from_millis(5);

/// The dispatcher of a part.
pub(super) struct Dispatcher<'a, 'v, 'e> {
    pub(super) part: Part,
    pub(super) exchange: &'a mut Counted<'e>,
    pub(super) frame: Frame,
    pub(super) storage: &'a PartStorage<'a>,
    /// The links to the workers of this part. The first worker computes the blocks above those of
    /// the part before.
    pub(super) inputs: Vec<Sender<Incoming>>,
    pub(super) waits: &'a Waits,
    /// A worker has ended before its last block.
    pub(super) given_up: &'a AtomicBool,
    pub(super) rows: RowQueue,
    pub(super) visits: &'a mut Visits<'v>,
    /// Cells that the workers of this part have decided.
    pub(super) cells: &'a mut u64,
    pub(super) copying: Copying<'a>,
}

/// The rows of blocks, which arrive in any order and are shown in theirs.
pub(super) struct RowQueue {
    waiting: BTreeMap<RowIndex, (Arc<Vec<Record>>, Done)>,
    next: BandIndex,
    end: BandIndex,
}

impl RowQueue {
    pub(super) fn new(next: BandIndex, end: BandIndex) -> Self {
        Self { waiting: BTreeMap::new(), next, end }
    }
}

/// In part 0: tells all parts that the run is over.
pub(super) fn stop(exchange: &mut Counted, part: Part) -> Result<(), SweepError> {
    Outgoing::send_to_all(exchange, part, 0, &[STOP])
}

impl Dispatcher<'_, '_, '_> {
    /// Works until part 0 has seen all rows or wants no more, and all parts know that.
    pub(super) fn until_done(
        &mut self,
        requests: &Receiver<ForDispatcher>,
    ) -> Result<(), SweepError> {
        loop {
            if self.exchange.exchange.is_interrupted() && self.part.number == 0 {
                return stop(self.exchange, self.part);
            }
            // A worker that fails reports its error first.
            let given_up = self.given_up.load(Ordering::Acquire);
            // If the workers are done, other parts can still need their messages.
            for request in requests.try_iter() {
                match request {
                    ForDispatcher::Send(message) => message.send(self.exchange)?,
                    ForDispatcher::Block(result) => {
                        if self.block(result)?.is_break() {
                            return Ok(());
                        }
                    }
                    ForDispatcher::Gather(request) => {
                        self.copying.begin(request, self.exchange)?;
                    }
                }
            }
            if given_up {
                return Err(problem("a worker has ended early".to_owned()));
            }
            self.storage.set_on_the_way(self.exchange.exchange.on_the_way());
            self.copying.all_is_sent(self.exchange)?;
            if self.part.number == 0 && self.rows.next >= self.rows.end {
                return stop(self.exchange, self.part);
            }
            let eagerness =
                if self.waits.has_some() { Eagerness::Often } else { Eagerness::Rarely };
            let received = self.exchange.exchange.receive(WAIT, eagerness).map_err(problem)?;
            if let Some(message) = received
                && self.take(&message)?.is_break()
            {
                return Ok(());
            }
        }
    }

    fn send_to_all(&mut self, urgency: u64, message: &[u8]) -> Result<(), SweepError> {
        Outgoing::send_to_all(self.exchange, self.part, urgency, message)
    }

    /// A block of this part is done, or has failed.
    fn block(&mut self, result: BlockResult) -> Result<ControlFlow<()>, SweepError> {
        match result {
            Ok((rows, done)) => {
                *self.cells += done.cells;
                self.send_rows(&rows, done)?;
                if self.part.number == 0 {
                    self.see(rows, done)
                } else {
                    Ok(ControlFlow::Continue(()))
                }
            }
            Err(error) => {
                let words = format!("part {} of the run: {error}", self.part.number);
                // If it cannot be sent, the others notice that this part is gone.
                let _ = self.send_to_all(0, &[&[FAILED][..], words.as_bytes()].concat());
                Err(error)
            }
        }
    }

    /// Sends the rows of a block to all parts.
    fn send_rows(&mut self, rows: &[Record], done: Done) -> Result<(), SweepError> {
        let Some(first) = rows.first() else { return Ok(()) };
        let next = block_of(BandIndex::of_row(RowIndex(first.row()))) + 1;
        self.send_to_all(next.0, &encode_rows(rows, done))
    }

    /// In part 0: shows rows to the visitor when all rows before them have been seen.
    fn see(&mut self, rows: Arc<Vec<Record>>, done: Done) -> Result<ControlFlow<()>, SweepError> {
        let Some(first) = rows.first() else { return Ok(ControlFlow::Continue(())) };
        self.rows.waiting.insert(RowIndex(first.row()), (rows, done));
        while let Some((rows, done)) = self.rows.waiting.remove(&self.rows.next.first_row()) {
            self.rows.next += BLOCK;
            if !self.visits.block(Ok((rows, done)))? {
                stop(self.exchange, self.part)?;
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Takes a message from another part.
    fn take(&mut self, message: &Bytes) -> Result<ControlFlow<()>, SweepError> {
        let Some((&kind, body)) = message.split_first() else {
            return Err(problem("an empty message between parts".to_owned()));
        };
        let mut decoder = Decoder(body);
        match kind {
            FAILED => return Err(problem(String::from_utf8_lossy(body).into_owned())),
            STOP => return Ok(ControlFlow::Break(())),
            KEEP..=FORGET => self.copying.take(kind, body, self.exchange)?,
            ROWS => {
                let (rows, done) = decode_rows(&mut decoder).map_err(garbled)?;
                let rows = Arc::new(rows);
                if let Some(first) = rows.first() {
                    self.broadcast(&Broadcast::Rows(RowIndex(first.row()), rows.clone()));
                }
                if self.part.number == 0 {
                    return self.see(rows, done);
                }
            }
            GROUPS => self.pass_on(Incoming::Encoded(message.slice(1..))),
            _ => self.decode(kind, &mut decoder).map_err(garbled)?,
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Takes a message for workers.
    fn decode(&self, kind: u8, decoder: &mut Decoder<&[u8]>) -> io::Result<()> {
        match kind {
            WORDS => {
                let (reader, from, words) = decode_words(decoder, self.storage.store)?;
                self.storage.arrive(reader, from, words);
            }
            DIAGONALS => self.broadcast(&decode_diagonals(decoder)?),
            STARTED => {
                self.pass_on(Message::Started(decode_started(decoder, self.frame)?).into());
            }
            FINISHED => self.pass_on(Message::Finished.into()),
            _ => return Err(invalid("unknown kind of message")),
        }
        Ok(())
    }

    /// Passes a message from the block below to the first worker.
    fn pass_on(&self, message: Incoming) {
        // A worker that has ended needs no more messages.
        let _ = self.inputs[0].send(message);
    }

    fn broadcast(&self, found: &Broadcast) {
        for input in &self.inputs {
            let _ = input.send(Message::Broadcast(found.clone()).into());
        }
    }
}
