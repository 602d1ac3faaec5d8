//! Gathers the words of a checkpoint from several parts (proofs/sweep.md, 7.4).
//!
//! Part 0 writes the checkpoint, below a block of its own. The other parts have the words that wait
//! for their blocks. Part 0 sends three messages, which go from part to part in this order:
//!
//! | | when | effect in a part |
//! |---|---|---|
//! | *keep* | before the block begins | keeps words for its later blocks that were stored below the checkpoint |
//! | *copy* | when all rows below are found | marks the end of its words for each other part |
//! | *forget* | when the checkpoint is written, or has failed | forgets the checkpoint |
//!
//! When a part has received the marks of all others, it has all its words. It sends them to part 0
//! in pieces, each on request.

use super::exchange::{Counted, ForDispatcher, Outgoing, Part, ToDispatcher, garbled};
use super::pieces::{Encoded, Gathered, Request, encode_files, ended};
use super::wire::{COPY, FORGET, GIVE, KEEP, MARK, PIECE};
use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use sweep::band::pipeline::{BlockIndex, Decoder, put};
use sweep::error::SweepError;
use words::parts::{CheckpointWords, FileState, Store};

/// The messages of the pipeline go first.
const NOT_URGENT: u64 = u64::MAX;

/// The words of a checkpoint, gathered by part 0 from all parts.
pub(super) struct WordsOfParts<'a> {
    pub(super) part: Part,
    pub(super) store: &'a Store,
    pub(super) to_dispatcher: ToDispatcher,
}

impl WordsOfParts<'_> {
    /// Sends a message to another part, if there is one.
    fn send(&self, message: Outgoing) {
        if message.to < self.part.parts {
            self.to_dispatcher.send(ForDispatcher::Send(message));
        }
    }
}

impl CheckpointWords for WordsOfParts<'_> {
    fn keep(&self, boundary: BlockIndex) {
        self.store.keep(boundary);
        self.send(message(KEEP, boundary, 1));
    }

    fn write(
        &self,
        boundary: BlockIndex,
        write: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<Vec<FileState>> {
        let (sender, gathered) = channel();
        // If the dispatcher has ended, no answer comes.
        self.to_dispatcher.send(ForDispatcher::Gather((boundary, sender)));
        let gathered = gathered.recv().map_err(ended)?;
        if !self.store.spills() {
            gathered.write(&|part| self.send(message(GIVE, boundary, part)), write)?;
            return Ok(Vec::new());
        }
        let mut files = gathered.files_of_others()?;
        files.extend(self.store.files_of_copy()?);
        Ok(files)
    }

    fn forget(&self, boundary: BlockIndex, needed: Option<BlockIndex>) {
        self.store.forget(boundary, needed);
        self.send(forget(boundary, needed, 1));
    }
}

/// The work of a part for a checkpoint.
pub(super) struct Copying<'a> {
    part: Part,
    store: &'a Store,
    /// The thread that waits until a copy is in files.
    to_files: Sender<BlockIndex>,
    /// The block below the current checkpoint.
    boundary: Option<BlockIndex>,
    stage: Stage,
    /// The number of other parts that have marked the end of their words up to a block.
    marks: BTreeMap<BlockIndex, usize>,
    /// In part 0: the channels for pieces of the other parts.
    pieces: Vec<(usize, Sender<Vec<u8>>)>,
    /// In part 0, until all marks have arrived.
    waiting: Option<Unworded>,
}

/// A checkpoint that waits for its words, and the channels of the other parts.
struct Unworded {
    reply: Sender<Gathered>,
    others: Vec<(usize, Receiver<Vec<u8>>)>,
}

/// The progress of the copy of this part.
enum Stage {
    /// The words are kept.
    Kept,
    /// The blocks up to the boundary have ended, and their words are in the queue.
    Ended,
    /// All of them are sent, followed by a mark.
    Marked,
    /// The copy goes to part 0.
    Copied(Encoded),
}

impl<'a> Copying<'a> {
    pub(super) fn new(part: Part, store: &'a Store, to_files: Sender<BlockIndex>) -> Self {
        Self {
            part,
            store,
            to_files,
            boundary: None,
            stage: Stage::Kept,
            marks: BTreeMap::new(),
            pieces: Vec::new(),
            waiting: None,
        }
    }

    /// Tells part 0 the files of this part whenever they contain a copy.
    pub(super) fn tell_of_files(
        part: Part,
        store: &Store,
        copies: &Receiver<BlockIndex>,
        to_dispatcher: &ToDispatcher,
    ) {
        for boundary in copies {
            let mut piece = message(PIECE, boundary, 0);
            put(&mut piece.message, part.number as u64);
            piece.message.extend(encode_files(&store.files_of_copy()));
            to_dispatcher.send(ForDispatcher::Send(piece));
        }
    }

    /// In part 0: all rows up to the boundary have been seen.
    pub(super) fn begin(
        &mut self,
        (boundary, reply): Request,
        exchange: &mut Counted,
    ) -> Result<(), SweepError> {
        self.start(boundary);
        self.stage = Stage::Ended;
        let links = (1..self.part.parts).map(|part| {
            let (sender, receiver) = channel();
            ((part, sender), (part, receiver))
        });
        let others;
        (self.pieces, others) = links.unzip();
        self.waiting = Some(Unworded { reply, others });
        self.pass_on(message(COPY, boundary, 0), exchange)
    }

    fn start(&mut self, boundary: BlockIndex) {
        self.boundary = Some(boundary);
        self.stage = Stage::Kept;
        self.marks.retain(|&marked, _| marked >= boundary);
    }

    /// Passes a message of part 0 to the next part, unless that is part 0.
    fn pass_on(&self, message: Outgoing, exchange: &mut Counted) -> Result<(), SweepError> {
        let to = self.part.number + 1;
        if to == self.part.parts { Ok(()) } else { Outgoing { to, ..message }.send(exchange) }
    }

    /// All words that the workers of this part have stored for other parts have been sent.
    pub(super) fn all_is_sent(&mut self, exchange: &mut Counted) -> Result<(), SweepError> {
        if let (Some(boundary), Stage::Ended) = (self.boundary, &self.stage) {
            self.stage = Stage::Marked;
            let mark = message(MARK, boundary, 0).message;
            // The least urgent message: it arrives after all that were sent before.
            Outgoing::send_to_all(exchange, self.part, NOT_URGENT, &mark)?;
            self.copy(exchange)?;
        }
        Ok(())
    }

    /// Takes a message of another part about a checkpoint.
    pub(super) fn take(
        &mut self,
        kind: u8,
        body: &[u8],
        exchange: &mut Counted,
    ) -> Result<(), SweepError> {
        let mut source = Decoder(body);
        let boundary = BlockIndex(source.number().map_err(garbled)?);
        let is_this = self.boundary == Some(boundary);
        match kind {
            KEEP => {
                self.store.keep(boundary);
                self.start(boundary);
                self.pass_on(message(kind, boundary, 0), exchange)
            }
            COPY => {
                if is_this {
                    self.stage = Stage::Ended;
                }
                self.pass_on(message(kind, boundary, 0), exchange)
            }
            MARK => {
                *self.marks.entry(boundary).or_default() += 1;
                self.copy(exchange)
            }
            GIVE if is_this => self.give(exchange),
            PIECE if is_this => {
                let from = source.number().map_err(garbled)?;
                let to = self.pieces.iter().find(|(part, _)| *part as u64 == from);
                // If the checkpoint has failed, nobody receives it.
                let _ = to.map(|(_, pieces)| pieces.send(source.0.to_vec()));
                Ok(())
            }
            FORGET => {
                let needed = source.number().map_err(garbled)?.checked_sub(1).map(BlockIndex);
                if is_this {
                    self.boundary = None;
                    self.stage = Stage::Kept;
                    self.store.forget(boundary, needed);
                }
                self.pass_on(forget(boundary, needed, 0), exchange)
            }
            // About a checkpoint that has failed.
            _ => Ok(()),
        }
    }

    /// Copies the words that wait in this part, if all words of the others have arrived.
    fn copy(&mut self, exchange: &mut Counted) -> Result<(), SweepError> {
        let (Some(boundary), Stage::Marked) = (self.boundary, &self.stage) else { return Ok(()) };
        if self.marks.get(&boundary).copied().unwrap_or(0) + 1 < self.part.parts {
            return Ok(());
        }
        let own = self.store.copy(boundary);
        if let Some(Unworded { reply, others }) = self.waiting.take() {
            self.stage = Stage::Kept;
            // If the saver has given up, it has reported why.
            let _ = reply.send(Gathered { own, others });
            return Ok(());
        }
        if self.store.spills() {
            // The disk thread writes all of them to files.
            self.stage = Stage::Kept;
            let _ = self.to_files.send(boundary);
            return Ok(());
        }
        self.stage = Stage::Copied(Encoded::new(own));
        self.give(exchange)
    }

    /// Sends the next piece to part 0: an empty one at the end.
    fn give(&mut self, exchange: &mut Counted) -> Result<(), SweepError> {
        let (Some(boundary), Stage::Copied(words)) = (self.boundary, &mut self.stage) else {
            return Ok(());
        };
        let mut piece = message(PIECE, boundary, 0);
        put(&mut piece.message, self.part.number as u64);
        piece.message.extend(words.piece());
        Outgoing { urgency: NOT_URGENT, ..piece }.send(exchange)
    }
}

fn message(kind: u8, boundary: BlockIndex, to: usize) -> Outgoing {
    let mut message = vec![kind];
    put(&mut message, boundary.0);
    Outgoing { to, urgency: 0, message: message.into() }
}

fn forget(boundary: BlockIndex, needed: Option<BlockIndex>, to: usize) -> Outgoing {
    let mut forget = message(FORGET, boundary, to);
    put(&mut forget.message, needed.map_or(0, |needed| needed.0 + 1));
    forget
}
