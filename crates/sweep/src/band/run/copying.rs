//! What the parts of a run do for a checkpoint (proofs/sweep.md, 7.4).
//!
//! Part 0 writes it, below a block of its own. The other parts have what waits there for blocks of
//! theirs. Part 0 says three things, which go from part to part, each after the one before:
//!
//! | | when | what a part then does |
//! |---|---|---|
//! | *keep* | before the block begins | keeps what its later blocks read, if it was posted up to there |
//! | *copy* | when all rows up to there are found | marks the end of what it has posted to each other part |
//! | *forget* | when the checkpoint is written, or cannot be | forgets it |
//!
//! When the marks of all others have come, a part has all that was posted to it. It gives that to
//! part 0, in pieces, each when it is asked for.

use super::{
    exchange::{Counted, Outgoing, ToTalk, garbled},
    options::Part,
    wire::{COPY, FORGET, GIVE, KEEP, MARK, PIECE},
};
use crate::{
    band::{
        checkpoint::{AllButWords, Encoded, ToOthers, Words, encode_files},
        codec::{Source, put},
        post::Office,
        units::BlockIndex,
    },
    error::SweepError,
};
use std::{
    collections::BTreeMap,
    sync::mpsc::{Receiver, Sender, channel},
};

/// The pipeline goes first.
const NOT_URGENT: u64 = u64::MAX;

/// What a part does for a checkpoint.
pub(super) struct Copying<'a> {
    part: Part,
    office: &'a Office,
    /// Whoever waits until what is copied is in files.
    to_files: Sender<BlockIndex>,
    /// The block below the checkpoint that is being made.
    boundary: Option<BlockIndex>,
    stage: Stage,
    /// How many other parts have marked the end of what they have posted up to a block.
    marks: BTreeMap<BlockIndex, usize>,
    /// In part 0: where pieces from the others go.
    pieces: Vec<(usize, Sender<Vec<u8>>)>,
    /// In part 0, until all marks have come.
    waiting: Option<Unworded>,
}

/// A checkpoint that lacks the words, and where those of the other parts come from.
struct Unworded {
    checkpoint: AllButWords,
    others: Vec<(usize, Receiver<Vec<u8>>)>,
}

/// How far the copy of this part is.
enum Stage {
    /// It is kept.
    Kept,
    /// The blocks up to the boundary have ended, and what they have posted is on its way to be
    /// sent.
    Ended,
    /// All of that is sent, with a mark behind it.
    Marked,
    /// The copy goes to part 0.
    Copied(Encoded),
}

impl<'a> Copying<'a> {
    pub(super) fn new(part: Part, office: &'a Office, to_files: Sender<BlockIndex>) -> Self {
        Self {
            part,
            office,
            to_files,
            boundary: None,
            stage: Stage::Kept,
            marks: BTreeMap::new(),
            pieces: Vec::new(),
            waiting: None,
        }
    }

    /// What part 0 tells other parts, as a message to one of them.
    pub(super) fn told(part: Part, what: ToOthers) -> Option<Outgoing> {
        Self::told_to(1, part, what)
    }

    /// The same, as another part passes it on.
    fn told_next(part: Part, what: ToOthers) -> Option<Outgoing> {
        Self::told_to(part.number + 1, part, what)
    }

    fn told_to(next: usize, part: Part, what: ToOthers) -> Option<Outgoing> {
        let (to, kind, boundary) = match what {
            ToOthers::Keep(boundary) => (next, KEEP, boundary),
            ToOthers::Give(to, boundary) => (to, GIVE, boundary),
            ToOthers::Forget(boundary, _) => (next, FORGET, boundary),
        };
        let mut told = said(kind, boundary, to);
        if let ToOthers::Forget(_, needed) = what {
            put_needed(&mut told.message, needed);
        }
        (to < part.parts).then_some(told)
    }

    /// Tells part 0, when the copy above a block is in the files of this part, which these are.
    pub(super) fn tell_of_files(
        part: Part,
        office: &Office,
        copies: &Receiver<BlockIndex>,
        outgoing: &ToTalk<Outgoing>,
    ) {
        for boundary in copies {
            let mut told = said(PIECE, boundary, 0);
            put(&mut told.message, part.number as u64);
            told.message.extend(encode_files(&office.files_of_copy()));
            // If nobody sends any more, nobody waits.
            let _ = outgoing.send(told);
        }
    }

    /// In part 0: all rows up to the boundary have been seen.
    pub(super) fn begin(
        &mut self,
        boundary: BlockIndex,
        checkpoint: AllButWords,
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
        self.waiting = Some(Unworded { checkpoint, others });
        self.pass_on(COPY, boundary, exchange)
    }

    fn start(&mut self, boundary: BlockIndex) {
        self.boundary = Some(boundary);
        self.stage = Stage::Kept;
        self.marks.retain(|&marked, _| marked >= boundary);
    }

    /// Says something of part 0 to the next part, if it is not part 0.
    fn pass_on(
        &self,
        kind: u8,
        boundary: BlockIndex,
        exchange: &mut Counted,
    ) -> Result<(), SweepError> {
        let next = self.part.number + 1;
        if next == self.part.parts { Ok(()) } else { said(kind, boundary, next).send(exchange) }
    }

    /// All that the workers of this part have posted before has been sent.
    pub(super) fn all_is_sent(&mut self, exchange: &mut Counted) -> Result<(), SweepError> {
        if let (Some(boundary), Stage::Ended) = (self.boundary, &self.stage) {
            self.stage = Stage::Marked;
            let mark = said(MARK, boundary, 0).message;
            for mark in Outgoing::to_all(self.part, NOT_URGENT, &mark) {
                // Whatever was sent before comes before.
                mark.send(exchange)?;
            }
            self.copy(exchange)?;
        }
        Ok(())
    }

    /// A message of another part that is of a checkpoint.
    pub(super) fn take(
        &mut self,
        kind: u8,
        body: &[u8],
        exchange: &mut Counted,
    ) -> Result<(), SweepError> {
        let mut source = Source(body);
        let boundary = BlockIndex(source.number().map_err(garbled)?);
        let is_this = self.boundary == Some(boundary);
        match kind {
            KEEP => {
                self.office.keep(boundary);
                self.start(boundary);
                self.pass_on(kind, boundary, exchange)
            }
            COPY => {
                if is_this {
                    self.stage = Stage::Ended;
                }
                self.pass_on(kind, boundary, exchange)
            }
            MARK => {
                *self.marks.entry(boundary).or_default() += 1;
                self.copy(exchange)
            }
            GIVE if is_this => self.give(exchange),
            PIECE if is_this => {
                let from = source.number().map_err(garbled)?;
                let to = self.pieces.iter().find(|(part, _)| *part as u64 == from);
                // If the checkpoint has failed, nobody takes it.
                let _ = to.map(|(_, pieces)| pieces.send(source.0.to_vec()));
                Ok(())
            }
            FORGET => {
                let needed = source.number().map_err(garbled)?.checked_sub(1).map(BlockIndex);
                if is_this {
                    self.boundary = None;
                    self.stage = Stage::Kept;
                    self.office.forget_copy(needed);
                }
                let told = Self::told_next(self.part, ToOthers::Forget(boundary, needed));
                told.map_or(Ok(()), |told| told.send(exchange))
            }
            // Of a checkpoint that has failed.
            _ => Ok(()),
        }
    }

    /// Copies what waits in this part, if all has come that the others have posted.
    fn copy(&mut self, exchange: &mut Counted) -> Result<(), SweepError> {
        let (Some(boundary), Stage::Marked) = (self.boundary, &self.stage) else { return Ok(()) };
        if self.marks.get(&boundary).copied().unwrap_or(0) + 1 < self.part.parts {
            return Ok(());
        }
        let own = self.office.copy(boundary);
        if let Some(Unworded { checkpoint, others }) = self.waiting.take() {
            self.stage = Stage::Kept;
            checkpoint.complete(Words { own, others });
            return Ok(());
        }
        if self.office.spills() {
            // All of them are in files, or will be.
            self.stage = Stage::Kept;
            let _ = self.to_files.send(boundary);
            return Ok(());
        }
        self.stage = Stage::Copied(Encoded::new(own));
        self.give(exchange)
    }

    /// Gives part 0 the next piece: an empty one at the end.
    fn give(&mut self, exchange: &mut Counted) -> Result<(), SweepError> {
        let (Some(boundary), Stage::Copied(words)) = (self.boundary, &mut self.stage) else {
            return Ok(());
        };
        let mut piece = said(PIECE, boundary, 0);
        put(&mut piece.message, self.part.number as u64);
        piece.message.extend(words.piece());
        Outgoing { urgency: NOT_URGENT, ..piece }.send(exchange)
    }
}

fn said(kind: u8, boundary: BlockIndex, to: usize) -> Outgoing {
    let mut message = vec![kind];
    put(&mut message, boundary.0);
    Outgoing { to, urgency: 0, message: message.into() }
}

fn put_needed(out: &mut Vec<u8>, needed: Option<BlockIndex>) {
    put(out, needed.map_or(0, |needed| needed.0 + 1));
}
