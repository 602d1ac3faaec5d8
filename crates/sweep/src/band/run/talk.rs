//! What a part talks of with the others.

use super::{
    copying::Copying,
    exchange::{Counted, Outgoing, problem},
    link::Message,
    options::Part,
    visits::Visits,
    wire::{
        FAILED, FORGET, KEEP, ROWS, STOP, WORDS, decode_message, decode_rows, decode_words,
        encode_rows,
    },
    worker::BlockResult,
};
use crate::{
    band::{
        checkpoint::Saver,
        codec::Source,
        geometry::Frame,
        post::{Office, Run},
        schedule::{BLOCK, block_of},
        units::{BandIndex, BlockIndex},
    },
    error::SweepError,
    sink::Done,
    units::RowIndex,
};
use record::RowRecord;
use std::{
    collections::BTreeMap,
    io,
    ops::ControlFlow,
    sync::{
        Arc,
        mpsc::{Receiver, Sender},
    },
    time::Duration,
};

/// How long a part waits for a message before it looks for something to send.
const WAIT: Duration = Duration::from_micros(100);

/// What a part talks of with the others, on the thread of its caller.
pub(super) struct Talk<'a, 'v, 'e> {
    pub(super) part: Part,
    pub(super) exchange: &'a mut Counted<'e>,
    pub(super) frame: Frame,
    /// Where messages from the part before go.
    pub(super) first_input: Option<Sender<Message>>,
    pub(super) rows: Rows,
    pub(super) visits: &'a mut Visits<'v>,
    /// What the workers of this part have done.
    pub(super) own: &'a mut Done,
    /// In part 0, if checkpoints are written.
    pub(super) saver: Option<&'a Saver<'a>>,
    pub(super) copying: Copying<'a>,
}

/// The rows of blocks, which come in any order and go in theirs.
pub(super) struct Rows {
    pub(super) waiting: BTreeMap<RowIndex, (Arc<Vec<RowRecord>>, Done)>,
    pub(super) next: BandIndex,
    pub(super) end: BandIndex,
}

impl Talk<'_, '_, '_> {
    /// Sends, receives and hands on, until part 0 has seen all rows or wants no more, and all parts
    /// know.
    pub(super) fn until_done(
        &mut self,
        to_send: &Receiver<Outgoing>,
        blocks: &Receiver<BlockResult>,
        office: &Office,
    ) -> Result<(), SweepError> {
        let mut arrive = |reader, run| office.arrive(reader, run);
        loop {
            if self.exchange.exchange.is_interrupted() && self.part.number == 0 {
                return self.stop();
            }
            // If the workers are done, others may still need what waits here.
            for result in blocks.try_iter() {
                if self.block(result)?.is_break() {
                    return Ok(());
                }
            }
            self.send_what_is_there(to_send)?;
            office.set_on_the_way(self.exchange.exchange.on_the_way());
            self.copying.all_is_sent(self.exchange)?;
            if self.part.number == 0 && self.rows.next >= self.rows.end {
                return self.stop();
            }
            if let Some(message) = self.exchange.exchange.receive(WAIT).map_err(problem)?
                && self.take(&message, &mut arrive)?.is_break()
            {
                return Ok(());
            }
        }
    }

    fn send_what_is_there(&mut self, to_send: &Receiver<Outgoing>) -> Result<(), SweepError> {
        to_send.try_iter().try_for_each(|message| message.send(self.exchange))
    }

    /// In part 0: nobody has anything more to do.
    fn stop(&mut self) -> Result<(), SweepError> {
        let mut others = Outgoing::to_all(self.part, &[STOP]);
        others.try_for_each(|message| message.send(self.exchange))
    }

    /// A block of this part is done, or has failed.
    fn block(&mut self, result: BlockResult) -> Result<ControlFlow<()>, SweepError> {
        if let Ok((_, done)) = &result {
            *self.own += *done;
        }
        match result {
            Ok((rows, done)) if self.part.number == 0 => self.see(rows, done),
            Ok((rows, done)) => {
                let message = encode_rows(&rows, done);
                let urgency = rows.first().map_or(0, RowRecord::row);
                Outgoing { to: 0, urgency, message }.send(self.exchange)?;
                Ok(ControlFlow::Continue(()))
            }
            Err(error) => {
                let words = format!("part {} of the run: {error}", self.part.number);
                let failed = [&[FAILED][..], words.as_bytes()].concat();
                for message in Outgoing::to_all(self.part, &failed) {
                    // If they cannot hear of it, they notice that this part is gone.
                    let _ = message.send(self.exchange);
                }
                Err(error)
            }
        }
    }

    /// Part 0 shows rows to the visitor, when those before have been seen.
    fn see(
        &mut self,
        rows: Arc<Vec<RowRecord>>,
        done: Done,
    ) -> Result<ControlFlow<()>, SweepError> {
        let Some(first) = rows.first() else { return Ok(ControlFlow::Continue(())) };
        self.rows.waiting.insert(RowIndex(first.row()), (rows, done));
        while let Some((rows, done)) = self.rows.waiting.remove(&self.rows.next.first_row()) {
            let block = block_of(self.rows.next);
            self.rows.next += BLOCK;
            if !self.visits.block(Ok((rows.clone(), done)))? {
                self.stop()?;
                return Ok(ControlFlow::Break(()));
            }
            if let Some(checkpoint) = self.saver.and_then(|saver| saver.see(block, &rows, done)) {
                self.copying.begin(block, checkpoint, self.exchange)?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// A message from another part.
    fn take(
        &mut self,
        message: &[u8],
        arrive: &mut impl FnMut(BlockIndex, Run),
    ) -> Result<ControlFlow<()>, SweepError> {
        let garbled = |error: io::Error| problem(format!("a message between parts: {error}"));
        let Some((&kind, body)) = message.split_first() else {
            return Err(problem("an empty message between parts".to_owned()));
        };
        let mut source = Source(body);
        match kind {
            WORDS => {
                let (reader, run) = decode_words(&mut source).map_err(garbled)?;
                arrive(reader, run);
            }
            ROWS => {
                let (rows, done) = decode_rows(&mut source).map_err(garbled)?;
                return self.see(Arc::new(rows), done);
            }
            FAILED => return Err(problem(String::from_utf8_lossy(body).into_owned())),
            STOP => return Ok(ControlFlow::Break(())),
            KEEP..=FORGET => self.copying.take(kind, body, self.exchange)?,
            _ => {
                let message = decode_message(kind, &mut source, self.frame).map_err(garbled)?;
                // If the worker is done, it needs no more.
                let _ = self.first_input.as_ref().map(|input| input.send(message));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}
