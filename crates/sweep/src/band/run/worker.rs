//! One worker of the pipeline.

use super::link::{Baton, Message, Receive, Transmit, pass_on, pass_on_shared};
use crate::{
    band::{
        below::Knowledge,
        checkpoint::{Job, Saver, Tee},
        group::Group,
        post::{Inbox, Office, Outbox},
        schedule::{block_of, blocks_of, headway},
        shared::Shared,
        simd::Runnable,
        units::{BandIndex, GroupIndex},
        walk::{Block, Corner, Tiles},
    },
    error::SweepError,
    hypothesis::Hypothesis,
    sink::{Cells, Done},
    units::{Number, index},
};
use record::RowRecord;
use std::{
    collections::VecDeque,
    ops::Range,
    sync::{Arc, mpsc::Sender},
};

/// Groups in a message.
const BATCH: usize = 16;

/// A group is asked for so many groups before it joins a block.
const AHEAD: usize = 4;

/// What the workers tell the caller, in row order.
pub(super) type BlockResult = Result<(Arc<Vec<RowRecord>>, Done), SweepError>;

/// What ends a worker early.
enum Quit {
    Failed(SweepError),
    /// The caller wants no more rows, or another worker has failed.
    GivenUp,
}

impl From<SweepError> for Quit {
    fn from(error: SweepError) -> Self {
        Self::Failed(error)
    }
}

/// One worker, which reads from `I`, writes to `O`, and tells the caller by `T`.
pub(super) struct Worker<'a, C, I, O, T> {
    pub(super) kernel: Runnable,
    pub(super) shared: &'a Shared,
    pub(super) office: &'a Office,
    pub(super) workers: usize,
    pub(super) cells: C,
    pub(super) knowledge: Knowledge,
    pub(super) input: Input<I>,
    pub(super) output: O,
    /// Tells of the rows of a block; says whether more are wanted.
    pub(super) tell: T,
    pub(super) saver: Option<(&'a Saver<'a>, Sender<Job>)>,
}

impl<C, I, O, T> Worker<'_, C, I, O, T>
where
    C: Cells,
    I: Receive,
    O: Transmit,
    T: FnMut(BlockResult) -> bool,
{
    /// Does the share of worker `number` of the bands from `first` to before `end`.
    pub(super) fn work(&mut self, number: u64, first: BandIndex, end: BandIndex) {
        for bands in blocks_of(number, self.workers as u64, first, end) {
            // Nobody goes on from the end of the run.
            let saver = self.saver.as_ref().filter(|_| bands.end < end);
            let tee = saver.and_then(|(saver, jobs)| saver.begin(bands.end.first_row(), jobs));
            match self.block(bands, tee) {
                Ok(()) => {}
                Err(Quit::GivenUp) => return,
                Err(Quit::Failed(error)) => {
                    // If the caller is gone too, nobody wants to know.
                    (self.tell)(Err(error));
                    return;
                }
            }
        }
    }

    /// Does one block, of whose messages `tee` gets a copy.
    fn block(&mut self, bands: Range<BandIndex>, tee: Option<Tee>) -> Result<(), Quit> {
        let Self { kernel, shared, office, workers, cells, knowledge, input, output, tell, saver } =
            self;
        let (first, index_of_block) = (bands.start, block_of(bands.start));
        let (corner, mut diagonals) = input.started()?;
        for (first, values) in &diagonals {
            if *first == knowledge.diagonals.rows() {
                values.iter().for_each(|&p| knowledge.diagonals.add(p));
            }
        }
        input.wait_for(index(headway(first, *workers as u64)))?;
        let outbox = Outbox::new(index_of_block, *workers as u64, office, &shared.routes);
        let mut output = Output { link: output, batch: Vec::with_capacity(BATCH), outbox, tee };
        let inbox = Inbox::open(index_of_block, office)?;
        let mut block = Block::new(bands, corner, knowledge, cells, (shared, inbox));
        for slot in block.schedule.first_slot().. {
            if office.is_closed() {
                return Err(Quit::GivenUp);
            }
            if let Some(needed) = block.schedule.starting(slot) {
                input.groups(&mut block, needed)?;
                block.start_band()?;
                if block.schedule.all_started() {
                    pass_on(&mut diagonals, first.first_row(), block.diagonals(), *workers);
                    let corner = block.corner.clone();
                    output.send(Message::Started(corner, std::mem::take(&mut diagonals)));
                }
            }
            if block.schedule.finishing(slot) {
                input.everything(&mut block)?;
                block.finish_band()?;
            }
            let needed = block.schedule.needed(slot);
            input.groups(&mut block, needed)?;
            kernel.run(Tiles { block: &mut block, slot });
            block.check()?;
            let released = block.schedule.released(slot);
            while let Some(group) = block.pop_group(released, &mut output.outbox)? {
                output.group(group)?;
            }
            if block.schedule.all_finished() {
                break;
            }
        }
        output.flush()?;
        output.outbox.close()?;
        assert!(block.inbox.is_empty(), "every word that is posted is read");
        if let Some((saver, _)) = saver {
            saver.finish(index_of_block, &block.rows, block.done, output.tee.take());
        }
        let (rows, done) = (Arc::new(std::mem::take(&mut block.rows)), block.done);
        if !tell(Ok((rows.clone(), done))) {
            return Err(Quit::GivenUp);
        }
        let mut finished = input.end();
        pass_on_shared(&mut finished, first.first_row(), rows, *workers);
        output.send(Message::Finished(finished));
        office.end(index_of_block);
        Ok(())
    }
}

/// What comes from the block below.
pub(super) struct Input<I> {
    link: I,
    kernel: Runnable,
    groups: VecDeque<Box<Group>>,
    /// The rows, once the block below is finished.
    finished: Option<Baton<RowRecord>>,
}

impl<I: Receive> Input<I> {
    pub(super) fn new(link: I, kernel: Runnable) -> Self {
        Self { link, kernel, groups: VecDeque::new(), finished: None }
    }

    fn started(&mut self) -> Result<(Corner, Baton<Number>), Quit> {
        match self.link.receive() {
            Some(Message::Started(corner, diagonals)) => Ok((corner, diagonals)),
            Some(_) => unreachable!("a block starts before anything else"),
            None => Err(Quit::GivenUp),
        }
    }

    /// Takes one more message.
    fn receive(&mut self) -> Result<(), Quit> {
        let message = self.link.receive().ok_or(Quit::GivenUp)?;
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

    /// Lets the block below go `groups` groups ahead.
    fn wait_for(&mut self, groups: usize) -> Result<(), Quit> {
        while self.groups.len() < groups && self.finished.is_none() {
            self.receive()?;
        }
        Ok(())
    }

    /// Gives `block` the groups before `end`.
    fn groups<C: Cells>(&mut self, block: &mut Block<C>, end: GroupIndex) -> Result<(), Quit> {
        while block.groups_end() < end {
            while self.groups.is_empty() {
                self.receive()?;
            }
            while self.groups.len() <= AHEAD
                && self.finished.is_none()
                && let Some(message) = self.link.receive_now()
            {
                self.take(message);
            }
            self.group(block)?;
        }
        Ok(())
    }

    /// Gives `block` the next group that has come.
    fn group<C: Cells>(&mut self, block: &mut Block<C>) -> Result<(), Quit> {
        let needs = block.needs_old_rows(&self.groups[0]);
        if needs > block.knowledge.old.complete_below_offset() {
            self.rows(block)?;
        }
        let group = self.groups.pop_front().expect("a group has come");
        if needs > block.knowledge.old.complete_below_offset() {
            let (column, row) = (group.index().first_column(), block.knowledge.old.rows());
            return Err(SweepError::hypothesis(column, row, Hypothesis::LeastValues).into());
        }
        block.push_group(self.kernel, group);
        if block.inbox.gave_up() {
            return Err(Quit::GivenUp);
        }
        self.groups.get(AHEAD).inspect(|group| group.prefetch());
        let next = self.groups.get(AHEAD / 2);
        next.inspect(|group| group.prefetch_old_rows(&block.knowledge.old));
        Ok(())
    }

    /// Waits for the block below to finish, and enters its rows.
    fn rows<C: Cells>(&mut self, block: &mut Block<C>) -> Result<(), Quit> {
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
    fn everything<C: Cells>(&mut self, block: &mut Block<C>) -> Result<(), Quit> {
        self.rows(block)?;
        while !self.groups.is_empty() {
            self.group(block)?;
        }
        Ok(())
    }

    /// Ends the block: its input must all have been taken.
    fn end(&mut self) -> Baton<RowRecord> {
        debug_assert!(self.groups.is_empty());
        self.finished.take().expect("the block below is finished")
    }
}

/// What goes to the block above.
struct Output<'a, O> {
    link: &'a mut O,
    batch: Vec<Box<Group>>,
    outbox: Outbox<'a>,
    tee: Option<Tee>,
}

impl<O: Transmit> Output<'_, O> {
    fn send(&mut self, message: Message) {
        match (&message, &mut self.tee) {
            (Message::Started(corner, _), Some(tee)) => tee.corner(corner),
            (Message::Groups(groups), Some(tee)) => tee.groups(groups),
            _ => {}
        }
        self.link.transmit(message);
    }

    fn group(&mut self, group: Box<Group>) -> Result<(), Quit> {
        self.batch.push(group);
        if self.batch.len() == BATCH {
            self.flush()?;
        }
        Ok(())
    }

    /// Sends the groups, and what they need of the post before.
    fn flush(&mut self) -> Result<(), Quit> {
        self.outbox.dispatch()?;
        let batch = std::mem::replace(&mut self.batch, Vec::with_capacity(BATCH));
        self.send(Message::Groups(batch));
        Ok(())
    }
}
