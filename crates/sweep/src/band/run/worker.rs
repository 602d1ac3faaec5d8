//! One worker of the pipeline.

use super::link::{Baton, Message, pass_on, pass_on_shared};
use crate::{
    band::{
        below::Knowledge,
        checkpoint::{Job, Saver, Tee},
        geometry::{LANES, first_tile, last_tile},
        group::Group,
        schedule::BLOCK,
        shared::Shared,
        simd::Runnable,
        walk::{Block, Corner, Tiles},
    },
    error::Error,
    hypothesis::Hypothesis,
    row::{Report, Row},
    sink::Cells,
    units::index,
};
use std::{
    collections::VecDeque,
    sync::{
        Arc,
        mpsc::{Receiver, Sender},
    },
};

/// Groups in a message.
const BATCH: usize = 16;

/// What a group keeps is asked for in three stages, so many groups apart, before it joins a block: each
/// stage reads what the one before it has brought to the cache.
const AHEAD: usize = 2;

/// What the workers tell the caller, in row order.
pub(super) type Outcome = Result<(Arc<Vec<Row>>, Report), Error>;

/// What ends a worker early.
enum Stop {
    Failed(Error),
    /// The caller wants no more rows, or another worker has failed.
    GivenUp,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// One thread of the pipeline.
pub(super) struct Worker<'a, C> {
    pub(super) kernel: Runnable,
    pub(super) shared: &'a Shared,
    pub(super) workers: usize,
    pub(super) cells: C,
    pub(super) knowledge: Knowledge,
    pub(super) input: Input,
    pub(super) output: Sender<Message>,
    pub(super) outcomes: Sender<Outcome>,
    pub(super) saver: Option<(&'a Saver<'a>, Sender<Job>)>,
}

impl<C: Cells> Worker<'_, C> {
    /// Does this worker's share of the bands from `first` to before `bands`.
    pub(super) fn work(&mut self, first: u64, bands: u64) {
        let step = self.workers * index(BLOCK);
        for first in (first..bands).step_by(step) {
            let end = bands.min(first + BLOCK);
            // Nobody goes on from the end of the run.
            let saver = self.saver.as_ref().filter(|_| end < bands);
            let tee = saver.and_then(|(saver, jobs)| saver.begin(LANES * end, jobs));
            match self.block(first, end, tee) {
                Ok(()) => {}
                Err(Stop::GivenUp) => return,
                Err(Stop::Failed(error)) => {
                    // If the caller is gone too, nobody wants to know.
                    let _ = self.outcomes.send(Err(error));
                    return;
                }
            }
        }
    }

    /// Does one block, of whose messages `tee` gets a copy.
    fn block(&mut self, first: u64, end: u64, tee: Option<Tee>) -> Result<(), Stop> {
        let Self { kernel, shared, workers, cells, knowledge, input, output, outcomes, saver } =
            self;
        let (corner, mut diagonals) = input.started()?;
        for (first, values) in &diagonals {
            if *first == knowledge.diagonals.rows() {
                values.iter().for_each(|&p| knowledge.diagonals.add(p));
            }
        }
        input.wait_for(index((last_tile(first) - first_tile(first)) / (2 * *workers as u64)))?;
        let mut output = Output { sender: output, batch: Vec::new(), tee };
        let mut block = Block::new(first, end, corner, knowledge, cells, shared);
        for slot in block.first_slot().. {
            if let Some(needed) = block.starting(slot) {
                input.groups(&mut block, needed)?;
                block.start_band()?;
                if block.all_started() {
                    pass_on(&mut diagonals, LANES * first, block.diagonals(), *workers);
                    let corner = block.corner.clone();
                    output.send(Message::Started(corner, std::mem::take(&mut diagonals)));
                }
            }
            let needed = block.needed(slot);
            input.groups(&mut block, needed)?;
            kernel.run(Tiles { block: &mut block, slot });
            block.check()?;
            if block.finishing(slot) {
                input.everything(&mut block)?;
                block.finish_band()?;
            }
            while let Some(group) = block.pop_group(block.released(slot)) {
                output.group(group);
            }
            if block.all_finished() {
                break;
            }
        }
        output.flush();
        if let Some((saver, _)) = saver {
            saver.finish(&block.rows, block.report, output.tee.take());
        }
        let (rows, report) = (Arc::new(std::mem::take(&mut block.rows)), block.report);
        outcomes.send(Ok((rows.clone(), report))).map_err(|_| Stop::GivenUp)?;
        let mut finished = input.end();
        pass_on_shared(&mut finished, LANES * first, rows, *workers);
        output.send(Message::Finished(finished));
        Ok(())
    }
}

/// What comes from the block below.
pub(super) struct Input {
    receiver: Receiver<Message>,
    groups: VecDeque<Box<Group>>,
    /// The rows, once the block below is finished.
    finished: Option<Baton<Row>>,
}

impl Input {
    pub(super) fn new(receiver: Receiver<Message>) -> Self {
        Self { receiver, groups: VecDeque::new(), finished: None }
    }

    fn started(&mut self) -> Result<(Corner, Baton<u64>), Stop> {
        match self.receiver.recv() {
            Ok(Message::Started(corner, diagonals)) => Ok((corner, diagonals)),
            Ok(_) => unreachable!("a block starts before anything else"),
            Err(_) => Err(Stop::GivenUp),
        }
    }

    /// Takes one more message.
    fn receive(&mut self) -> Result<(), Stop> {
        let message = self.receiver.recv().map_err(|_| Stop::GivenUp)?;
        self.take(message);
        Ok(())
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Groups(groups) => self.groups.extend(groups),
            Message::Finished(rows) => self.finished = Some(rows),
            Message::Started(..) => unreachable!("a block starts once"),
        }
    }

    /// Lets the block below go `groups` groups ahead, lest this one should wait for it at every step.
    fn wait_for(&mut self, groups: usize) -> Result<(), Stop> {
        while self.groups.len() < groups && self.finished.is_none() {
            self.receive()?;
        }
        Ok(())
    }

    /// Gives `block` the groups before `end`.
    fn groups<C: Cells>(&mut self, block: &mut Block<C>, end: u64) -> Result<(), Stop> {
        while block.groups_end() < end {
            while self.groups.is_empty() {
                self.receive()?;
            }
            while self.groups.len() <= 3 * AHEAD
                && self.finished.is_none()
                && let Ok(message) = self.receiver.try_recv()
            {
                self.take(message);
            }
            self.group(block)?;
        }
        Ok(())
    }

    /// Gives `block` the next group that has come.
    fn group<C: Cells>(&mut self, block: &mut Block<C>) -> Result<(), Stop> {
        let needs = block.needs_old_rows(&self.groups[0]);
        if needs > block.knowledge.old.complete_below() {
            self.rows(block)?;
        }
        let group = self.groups.pop_front().expect("a group has come");
        if needs > block.knowledge.old.complete_below() {
            let (column, row) = (LANES * group.index(), block.knowledge.old.rows());
            return Err(
                Error::Hypothesis { column, row, hypothesis: Hypothesis::LeastValues }.into()
            );
        }
        block.push_group(group);
        let ahead = [AHEAD, 2 * AHEAD, 3 * AHEAD].map(|ahead| self.groups.get(ahead));
        ahead[2].inspect(|group| group.prefetch());
        ahead[1].inspect(|group| group.prefetch_segments());
        ahead[0].inspect(|group| group.prefetch_words());
        Ok(())
    }

    /// Waits for the block below to finish, and enters its rows.
    fn rows<C: Cells>(&mut self, block: &mut Block<C>) -> Result<(), Stop> {
        while self.finished.is_none() {
            self.receive()?;
        }
        for (first, rows) in self.finished.iter().flatten() {
            if *first == block.knowledge.old.rows() {
                rows.iter().try_for_each(|row| block.knowledge.add(row))?;
            }
        }
        Ok(())
    }

    /// Waits for the block below to finish, and gives `block` all that it has left.
    fn everything<C: Cells>(&mut self, block: &mut Block<C>) -> Result<(), Stop> {
        self.rows(block)?;
        while !self.groups.is_empty() {
            self.group(block)?;
        }
        Ok(())
    }

    /// Ends the block: its input must all have been taken.
    fn end(&mut self) -> Baton<Row> {
        debug_assert!(self.groups.is_empty());
        self.finished.take().expect("the block below is finished")
    }
}

/// What goes to the block above. If nobody is there any more, it is lost.
struct Output<'a> {
    sender: &'a Sender<Message>,
    batch: Vec<Box<Group>>,
    tee: Option<Tee>,
}

impl Output<'_> {
    fn send(&mut self, message: Message) {
        match (&message, &mut self.tee) {
            (Message::Started(corner, _), Some(tee)) => tee.corner(corner),
            (Message::Groups(groups), Some(tee)) => tee.groups(groups),
            _ => {}
        }
        let _ = self.sender.send(message);
    }

    fn group(&mut self, group: Box<Group>) {
        self.batch.push(group);
        if self.batch.len() == BATCH {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let batch = std::mem::take(&mut self.batch);
        self.send(Message::Groups(batch));
    }
}
