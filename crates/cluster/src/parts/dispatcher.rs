//! The dispatcher of a rank: sends, receives and distributes messages, on the thread of the caller.

use super::exchange::{
    DIAGONALS, FAILED, FILES, FINISHED, Files, GROUPS, INTERRUPTED, ROWS, SAVE, STARTED, STOP,
    decode_groups, decode_rows, encode_rows, outside,
};
use super::exchange::{Exchange, garbled};
use super::links::{Request, Waits};
use crate::transport::{Eagerness, content, message};
use record::Record;
use record::listeners::Done;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;
use sweep::band::Windows;
use sweep::band::parts::{
    BandIndex, BlockIndex, BlockResult, Broadcast, Corner, Decoder, FileState, GroupPool, Message,
    Number, RowIndex, Visits, invalid,
};
use sweep::error::SweepError;

/// If nothing wakes the dispatcher, it waits this long for a message.
const WAIT: Duration = Duration::from_millis(5);

/// The dispatcher of a rank.
pub(super) struct Dispatcher<'a, 'v, 'e> {
    pub(super) exchange: &'a mut Exchange<'e>,
    pub(super) visits: &'a mut Visits<'v>,
    /// The channels to the workers of this rank. The first worker computes the blocks above those
    /// of the rank before.
    pub(super) workers: &'a [Sender<Message>],
    /// The blocks of the first worker that have not received everything, and the number of groups
    /// that have come for the first of them.
    pub(super) blocks: VecDeque<Range<BandIndex>>,
    pub(super) come: u64,
    /// Places for groups.
    pub(super) spare: &'a GroupPool,
    pub(super) windows: Windows,
    pub(super) waits: &'a Waits,
    /// In rank 0: the rows of blocks, by the first one, which arrive in any order.
    pub(super) rows: BTreeMap<u64, (Arc<Vec<Record>>, Done)>,
    /// In rank 0: the block below the current checkpoint, and the channel for the files.
    pub(super) saving: Option<(BlockIndex, Sender<io::Result<Vec<FileState>>>)>,
    /// Tells rank 0 the files of words above a block, on a thread of its own.
    pub(super) tell_files: &'a dyn Fn(BlockIndex) -> io::Result<()>,
}

impl Dispatcher<'_, '_, '_> {
    fn is_first(&self) -> bool {
        self.exchange.ranks.rank() == 0
    }

    fn send_to_all(&mut self, message: &[u8]) -> Result<(), SweepError> {
        self.exchange.send_to_all(message).map_err(outside)
    }

    /// Works until rank 0 has seen all rows or wants no more. Returns whether it has seen all.
    pub(super) fn until_done(&mut self, requests: &Receiver<Request>) -> Result<bool, SweepError> {
        loop {
            // If the workers are done, other ranks can still need their messages.
            for request in requests.try_iter() {
                if self.request(request)?.is_break() {
                    return Ok(false);
                }
            }
            let must_end = self.exchange.has_to_end();
            let is_whole = RowIndex(self.visits.done.rows) >= self.visits.end;
            if self.is_first() && (must_end || is_whole) {
                return Ok(is_whole);
            }
            let is_busy = self.waits.workers.load(Ordering::Relaxed) == 0;
            let eagerness = if is_busy { Eagerness::Rarely } else { Eagerness::Often };
            let received = self.exchange.ranks.receive(WAIT, eagerness).map_err(outside)?;
            let Some((from, message)) = received else { continue };
            let taken = self.take(&message).map_err(|error| outside(garbled(from, &error)))?;
            if taken?.is_break() {
                return Ok(false);
            }
        }
    }

    fn request(&mut self, request: Request) -> Result<ControlFlow<()>, SweepError> {
        match request {
            Request::Send(Some(to), message) => {
                self.exchange.ranks.send(to, message).map_err(outside)?;
            }
            Request::Send(None, message) => self.send_to_all(&message)?,
            Request::Block(result) => return self.block(result),
            Request::Save(boundary, reply) => {
                self.saving = Some((boundary, reply));
                self.send_to_all(&message(SAVE, &boundary.0))?;
            }
            // A worker that fails reports its error first.
            Request::GivenUp => return Err(outside("a worker has ended early")),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// A block of this rank is done, or has failed.
    fn block(&mut self, result: BlockResult) -> Result<ControlFlow<()>, SweepError> {
        match result {
            Ok((rows, done)) => {
                self.send_to_all(&encode_rows(&rows, done))?;
                self.see(rows, done)
            }
            Err(error) => {
                let words = format!("rank {}: {error}", self.exchange.ranks.rank());
                // If it cannot be sent, the others notice that this rank is gone.
                let _ = self.send_to_all(&message(FAILED, &words));
                Err(error)
            }
        }
    }

    /// In rank 0: shows rows to the visitor when all rows before them have been seen.
    fn see(&mut self, rows: Arc<Vec<Record>>, done: Done) -> Result<ControlFlow<()>, SweepError> {
        let Some(first) = rows.first().filter(|_| self.is_first()) else {
            return Ok(ControlFlow::Continue(()));
        };
        self.rows.insert(first.row(), (rows, done));
        while let Some(next) = self.rows.remove(&self.visits.done.rows) {
            if !self.visits.block(Ok(next))? {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Takes a message from another rank. Fails if its bytes are none; a message can also tell why
    /// the other rank failed.
    fn take(&mut self, message: &[u8]) -> io::Result<Result<ControlFlow<()>, SweepError>> {
        let (&kind, body) = message.split_first().ok_or_else(|| invalid("it is empty"))?;
        match kind {
            FAILED => return Ok(Err(outside(content::<String>(body)?))),
            STOP => return Ok(Ok(ControlFlow::Break(()))),
            INTERRUPTED => self.exchange.interrupted = true,
            ROWS => {
                let (rows, done) = decode_rows(body)?;
                let rows = Arc::new(rows);
                if let Some(first) = rows.first() {
                    self.broadcast(&Broadcast::Rows(RowIndex(first.row()), rows.clone()));
                }
                return Ok(self.see(rows, done));
            }
            DIAGONALS => {
                let (first, values): (u64, Vec<u64>) = content(body)?;
                let values = Arc::new(values.into_iter().map(Number).collect());
                self.broadcast(&Broadcast::Diagonals(RowIndex(first), values));
            }
            STARTED | GROUPS | FINISHED => self.pass_on(kind, body)?,
            SAVE => (self.tell_files)(BlockIndex(content(body)?))?,
            FILES => {
                let (boundary, files): Files = content(body)?;
                let files = files.map(|all| all.into_iter().map(FileState::of_numbers).collect());
                if let Some((_, reply)) = self.saving.as_ref().filter(|(of, _)| of.0 == boundary) {
                    let _ = reply.send(files.map_err(io::Error::other));
                }
            }
            _ => return Err(invalid("unknown kind of message")),
        }
        Ok(Ok(ControlFlow::Continue(())))
    }

    /// Passes a message from the block below to the first worker.
    fn pass_on(&mut self, kind: u8, body: &[u8]) -> io::Result<()> {
        // No block follows the end of the run.
        let Some(block) = self.blocks.front() else { return Ok(()) };
        let message = match kind {
            STARTED => {
                Message::Started(Corner::restore(&mut Decoder(body), block.start, self.windows)?)
            }
            GROUPS => {
                let groups = decode_groups(body, block, self.come, self.spare, self.windows)?;
                self.come += groups.len() as u64;
                Message::Groups(groups)
            }
            _ => {
                self.blocks.pop_front();
                self.come = 0;
                Message::Finished
            }
        };
        // A worker that has ended needs no more messages.
        let _ = self.workers[0].send(message);
        Ok(())
    }

    fn broadcast(&self, found: &Broadcast) {
        for worker in self.workers {
            let _ = worker.send(Message::Broadcast(found.clone()));
        }
    }
}
