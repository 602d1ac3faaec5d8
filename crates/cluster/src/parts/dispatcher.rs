//! The dispatcher of a rank: sends, receives and distributes messages, on the thread of the caller.

use super::exchange::Exchange;
use super::links::{ForDispatcher, Incoming, Waits};
use super::wire::{
    DIAGONALS, FAILED, FILES, FINISHED, GROUPS, ROWS, SAVE, STARTED, STOP, decode_diagonals,
    decode_files, decode_rows, decode_started, encode_rows, encode_save, garbled, outside,
};
use crate::transport::{Eagerness, Transport};
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
use sweep::band::pipeline::{BandIndex, BlockIndex, Decoder, Frame, RowIndex, Visits, invalid};
use sweep::error::SweepError;
use words::parts::FileState;

/// If nothing wakes the dispatcher, it waits this long for a message.
const WAIT: Duration = Duration::from_millis(5);

/// The dispatcher of a rank.
pub(super) struct Dispatcher<'a, 'v, 'e, T> {
    pub(super) exchange: &'a mut Exchange<'e, T>,
    pub(super) frame: Frame,
    /// The links to the workers of this rank. The first worker computes the blocks above those of
    /// the rank before.
    pub(super) inputs: Vec<Sender<Incoming>>,
    pub(super) waits: &'a Waits,
    /// A worker has ended before its last block.
    pub(super) given_up: &'a AtomicBool,
    pub(super) rows: RowQueue,
    pub(super) visits: &'a mut Visits<'v>,
    /// Cells that the workers of this rank have decided.
    pub(super) cells: &'a mut u64,
    /// To the thread that tells rank 0 the files of words.
    pub(super) saves: Sender<BlockIndex>,
    /// In rank 0: the block below the current checkpoint, and the channel for the files.
    pub(super) saving: Option<(BlockIndex, Sender<io::Result<Vec<FileState>>>)>,
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

impl<T: Transport> Dispatcher<'_, '_, '_, T> {
    fn is_first(&self) -> bool {
        self.exchange.ranks.rank() == 0
    }

    fn send_to_all(&mut self, message: &[u8]) -> Result<(), SweepError> {
        self.exchange.send_to_all(message).map_err(outside)
    }

    /// Works until rank 0 has seen all rows or wants no more, and all ranks know that.
    pub(super) fn until_done(
        &mut self,
        requests: &Receiver<ForDispatcher>,
    ) -> Result<(), SweepError> {
        loop {
            if self.exchange.has_to_end() && self.is_first() {
                return self.send_to_all(&[STOP]);
            }
            // A worker that fails reports its error first.
            let given_up = self.given_up.load(Ordering::Acquire);
            // If the workers are done, other ranks can still need their messages.
            for request in requests.try_iter() {
                if self.request(request)?.is_break() {
                    return Ok(());
                }
            }
            if given_up {
                return Err(outside("a worker has ended early"));
            }
            if self.is_first() && self.rows.next >= self.rows.end {
                return self.send_to_all(&[STOP]);
            }
            let eagerness =
                if self.waits.has_some() { Eagerness::Often } else { Eagerness::Rarely };
            let received = self.exchange.receive(WAIT, eagerness).map_err(outside)?;
            if let Some(message) = received
                && self.take(message)?.is_break()
            {
                return Ok(());
            }
        }
    }

    fn request(&mut self, request: ForDispatcher) -> Result<ControlFlow<()>, SweepError> {
        match request {
            ForDispatcher::Send(to, message) => self.exchange.send(to, message).map_err(outside)?,
            ForDispatcher::SendToAll(message) => self.send_to_all(&message)?,
            ForDispatcher::Block(result) => return self.block(result),
            ForDispatcher::Save(boundary, reply) => {
                self.saving = Some((boundary, reply));
                self.send_to_all(&encode_save(boundary))?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// A block of this rank is done, or has failed.
    fn block(&mut self, result: BlockResult) -> Result<ControlFlow<()>, SweepError> {
        match result {
            Ok((rows, done)) => {
                *self.cells += done.cells;
                self.send_to_all(&encode_rows(&rows, done))?;
                self.see(rows, done)
            }
            Err(error) => {
                let words = format!("rank {}: {error}", self.exchange.ranks.rank());
                // If it cannot be sent, the others notice that this rank is gone.
                let _ = self.send_to_all(&[&[FAILED][..], words.as_bytes()].concat());
                Err(error)
            }
        }
    }

    /// In rank 0: shows rows to the visitor when all rows before them have been seen.
    fn see(&mut self, rows: Arc<Vec<Record>>, done: Done) -> Result<ControlFlow<()>, SweepError> {
        let Some(first) = rows.first().filter(|_| self.is_first()) else {
            return Ok(ControlFlow::Continue(()));
        };
        self.rows.waiting.insert(RowIndex(first.row()), (rows, done));
        while let Some((rows, done)) = self.rows.waiting.remove(&self.rows.next.first_row()) {
            self.rows.next += BLOCK;
            if !self.visits.block(Ok((rows, done)))? {
                self.send_to_all(&[STOP])?;
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Takes a message from another rank.
    fn take(&mut self, message: Vec<u8>) -> Result<ControlFlow<()>, SweepError> {
        let Some((&kind, body)) = message.split_first() else {
            return Err(outside("an empty message between ranks"));
        };
        match kind {
            FAILED => return Err(outside(String::from_utf8_lossy(body))),
            STOP => return Ok(ControlFlow::Break(())),
            ROWS => {
                let (rows, done) = decode_rows(&mut Decoder(body)).map_err(garbled)?;
                let rows = Arc::new(rows);
                if let Some(first) = rows.first() {
                    self.broadcast(&Broadcast::Rows(RowIndex(first.row()), rows.clone()));
                }
                return self.see(rows, done);
            }
            GROUPS => self.pass_on(Incoming::Encoded(message)),
            _ => self.decode(kind, body).map_err(garbled)?,
        }
        Ok(ControlFlow::Continue(()))
    }

    fn decode(&self, kind: u8, body: &[u8]) -> io::Result<()> {
        let mut decoder = Decoder(body);
        match kind {
            DIAGONALS => self.broadcast(&decode_diagonals(&mut decoder)?),
            STARTED => {
                let corner = decode_started(&mut decoder, self.frame)?;
                self.pass_on(Message::Started(corner).into());
            }
            FINISHED => self.pass_on(Message::Finished.into()),
            SAVE => {
                // If the thread has ended, so has the run.
                let _ = self.saves.send(BlockIndex(decoder.number()?));
            }
            FILES => {
                let boundary = BlockIndex(decoder.number()?);
                if let Some((_, reply)) = self.saving.as_ref().filter(|(of, _)| *of == boundary) {
                    let _ = reply.send(decode_files(decoder.0));
                }
            }
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
