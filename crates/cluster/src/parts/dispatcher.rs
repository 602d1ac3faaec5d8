//! The dispatcher of a part: sends, receives and hands on messages, on the thread of the caller.

use super::{
    copying::{Copying, Request},
    exchange::{Counted, Eagerness, Outgoing, Part, garbled, problem},
    links::Incoming,
    storage::{PartStorage, Waits},
    wire::{
        DIAGONALS, FAILED, FINISHED, FORGET, GROUPS, KEEP, ROWS, STARTED, STOP, WORDS,
        decode_diagonals, decode_rows, decode_started, decode_words, encode_rows,
    },
};
use bytes::Bytes;
use record::Record;
use record::listeners::Done;
use std::{
    collections::BTreeMap,
    io,
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, Sender},
    },
    time::Duration,
};
use sweep::{
    band::pipeline::{
        BLOCK, BandIndex, BlockResult, Broadcast, Decoder, Frame, Message, RowIndex, Visits,
        block_of, invalid,
    },
    error::SweepError,
};

/// How long a part waits for a message, if nothing wakes it, before it sends what is not urgent.
const WAIT: Duration = Duration::from_millis(5);

/// The dispatcher of a part.
pub(super) struct Dispatcher<'a, 'v, 'e> {
    pub(super) part: Part,
    pub(super) exchange: &'a mut Counted<'e>,
    pub(super) frame: Frame,
    pub(super) storage: &'a PartStorage<'a>,
    /// The links to the workers of this part. The first one has the blocks above those of the part
    /// before.
    pub(super) inputs: Vec<Sender<Incoming>>,
    pub(super) waits: &'a Waits,
    /// A worker has ended before its last block.
    pub(super) given_up: &'a AtomicBool,
    pub(super) rows: RowQueue,
    pub(super) visits: &'a mut Visits<'v>,
    /// What the workers of this part have done.
    pub(super) own: &'a mut Done,
    pub(super) copying: Copying<'a>,
}

/// The rows of blocks, which come in any order and are shown in theirs.
pub(super) struct RowQueue {
    pub(super) waiting: BTreeMap<RowIndex, (Arc<Vec<Record>>, Done)>,
    pub(super) next: BandIndex,
    pub(super) end: BandIndex,
}

/// What comes to a dispatcher from the threads of its part.
pub(super) struct FromThreads {
    pub(super) to_send: Receiver<Outgoing>,
    pub(super) blocks: Receiver<BlockResult>,
    pub(super) requested: Receiver<Request>,
}

impl Dispatcher<'_, '_, '_> {
    /// Sends, receives and hands on, until part 0 has seen all rows or wants no more, and all parts
    /// know.
    pub(super) fn until_done(&mut self, from: &FromThreads) -> Result<(), SweepError> {
        loop {
            if self.exchange.exchange.is_interrupted() && self.part.number == 0 {
                return self.stop();
            }
            // If it knows why, it has said so before.
            let given_up = self.given_up.load(Ordering::Acquire);
            for result in from.blocks.try_iter() {
                if self.block(result)?.is_break() {
                    return Ok(());
                }
            }
            if given_up {
                return Err(problem("a worker has ended early".to_owned()));
            }
            // If the workers are done, others may still need what waits here.
            from.to_send.try_iter().try_for_each(|message| message.send(self.exchange))?;
            self.storage.set_on_the_way(self.exchange.exchange.on_the_way());
            for request in from.requested.try_iter() {
                self.copying.begin(request, self.exchange)?;
            }
            self.copying.all_is_sent(self.exchange)?;
            if self.part.number == 0 && self.rows.next >= self.rows.end {
                return self.stop();
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

    /// In part 0: nobody has anything more to do.
    fn stop(&mut self) -> Result<(), SweepError> {
        let mut others = Outgoing::to_all(self.part, 0, &[STOP]);
        others.try_for_each(|message| message.send(self.exchange))
    }

    /// A block of this part is done, or has failed.
    fn block(&mut self, result: BlockResult) -> Result<ControlFlow<()>, SweepError> {
        if let Ok((_, done)) = &result {
            *self.own += *done;
        }
        match result {
            Ok((rows, done)) if self.part.number == 0 => {
                self.send_rows(&rows, done)?;
                self.see(rows, done)
            }
            Ok((rows, done)) => {
                self.send_rows(&rows, done)?;
                Ok(ControlFlow::Continue(()))
            }
            Err(error) => {
                let words = format!("part {} of the run: {error}", self.part.number);
                let failed = [&[FAILED][..], words.as_bytes()].concat();
                for message in Outgoing::to_all(self.part, 0, &failed) {
                    // If it is not sent, they notice that this part is gone.
                    let _ = message.send(self.exchange);
                }
                Err(error)
            }
        }
    }

    /// Sends the rows of a block to all parts.
    fn send_rows(&mut self, rows: &[Record], done: Done) -> Result<(), SweepError> {
        let Some(first) = rows.first() else { return Ok(()) };
        let next = block_of(BandIndex::of_row(RowIndex(first.row()))) + 1;
        let message = encode_rows(rows, done);
        let mut messages = Outgoing::to_all(self.part, next.0, &message);
        messages.try_for_each(|message| message.send(self.exchange))
    }

    /// Part 0 shows rows to the visitor, when those before have been seen.
    fn see(&mut self, rows: Arc<Vec<Record>>, done: Done) -> Result<ControlFlow<()>, SweepError> {
        let Some(first) = rows.first() else { return Ok(ControlFlow::Continue(())) };
        self.rows.waiting.insert(RowIndex(first.row()), (rows, done));
        while let Some((rows, done)) = self.rows.waiting.remove(&self.rows.next.first_row()) {
            self.rows.next += BLOCK;
            if !self.visits.block(Ok((rows, done)))? {
                self.stop()?;
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// A message from another part.
    fn take(&mut self, message: &Bytes) -> Result<ControlFlow<()>, SweepError> {
        let Some((&kind, body)) = message.split_first() else {
            return Err(problem("an empty message between parts".to_owned()));
        };
        let mut source = Decoder(body);
        match kind {
            FAILED => return Err(problem(String::from_utf8_lossy(body).into_owned())),
            STOP => return Ok(ControlFlow::Break(())),
            KEEP..=FORGET => self.copying.take(kind, body, self.exchange)?,
            ROWS => {
                let (rows, done) = decode_rows(&mut source).map_err(garbled)?;
                let rows = Arc::new(rows);
                if let Some(first) = rows.first() {
                    self.tell_all(&Broadcast::Rows(RowIndex(first.row()), rows.clone()));
                }
                if self.part.number == 0 {
                    return self.see(rows, done);
                }
            }
            GROUPS => self.hand_on(Incoming::Encoded(message.slice(1..))),
            _ => self.decode(kind, &mut source).map_err(garbled)?,
        }
        Ok(ControlFlow::Continue(()))
    }

    /// A message for workers.
    fn decode(&self, kind: u8, source: &mut Decoder<&[u8]>) -> io::Result<()> {
        let message = match kind {
            WORDS => {
                let (reader, from, words) = decode_words(source, self.storage.store)?;
                self.storage.arrive(reader, from, words);
                return Ok(());
            }
            DIAGONALS => {
                self.tell_all(&decode_diagonals(source)?);
                return Ok(());
            }
            STARTED => Message::Started(decode_started(source, self.frame)?),
            FINISHED => Message::Finished,
            _ => return Err(invalid("it is of no kind")),
        };
        self.hand_on(message.into());
        Ok(())
    }

    /// Hands on a message from the block below the first worker's.
    fn hand_on(&self, message: Incoming) {
        // If the worker is done, it needs no more.
        let _ = self.inputs[0].send(message);
    }

    fn tell_all(&self, found: &Broadcast) {
        for input in &self.inputs {
            let _ = input.send(Message::Broadcast(found.clone()).into());
        }
    }
}
