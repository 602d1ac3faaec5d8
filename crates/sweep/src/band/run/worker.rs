//! One worker of the pipeline.

use super::{
    exchange::problem,
    link::{Found, Message, Receive, Transmit},
};
use crate::{
    band::{
        below::Knowledge,
        checkpoint::{Job, Saver, Tee},
        group::{Group, Spare},
        post::{Inbox, Office, Outbox},
        schedule::{block_of, blocks_of, headway},
        shared::Shared,
        simd::Runnable,
        units::{BandIndex, GroupIndex},
        walk::{Block, BlockBuffers, Corner, Tiles},
    },
    error::SweepError,
    hypothesis::Hypothesis,
    units::{Number, RowIndex, index},
};
use record::Record;
use record::listeners::{Cells, Done};
use std::{
    collections::{BTreeMap, VecDeque},
    mem::take,
    ops::Range,
    sync::{Arc, mpsc::Sender},
};

/// Groups in a message.
const BATCH: usize = 16;

/// A group is asked for so many groups before it joins a block.
const AHEAD: usize = 4;

/// Rows that a worker enters between two messages, at most.
const LEARNT: usize = 64;

/// What the workers tell the caller, in row order.
pub(super) type BlockResult = Result<(Arc<Vec<Record>>, Done), SweepError>;

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
    pub(super) spare: &'a Spare,
    pub(super) office: &'a Office,
    pub(super) workers: usize,
    pub(super) cells: C,
    pub(super) knowledge: Knowledge,
    pub(super) buffers: BlockBuffers,
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
        self.output.complete();
    }

    /// Does one block, of whose messages `tee` gets a copy.
    fn block(&mut self, bands: Range<BandIndex>, tee: Option<Tee>) -> Result<(), Quit> {
        let Self { kernel, shared, spare, office, workers, cells, .. } = self;
        let Self { knowledge, buffers, input, output, tell, saver, .. } = self;
        let (first, index_of_block) = (bands.start, block_of(bands.start));
        let corner = input.started(first.first_row(), knowledge)?;
        input.wait_for(index(headway(first, *workers as u64)), knowledge)?;
        let outbox = Outbox::new(index_of_block, *workers as u64, office, &shared.routes);
        let mut output = Output { link: output, batch: Vec::with_capacity(BATCH), outbox, tee };
        let inbox = Inbox::open(index_of_block, office)?;
        let mut block =
            Block::new(bands, corner, knowledge, cells, take(buffers), (shared, spare, inbox));
        for slot in block.schedule.first_slot().. {
            if office.is_closed() {
                return Err(Quit::GivenUp);
            }
            if let Some(needed) = block.schedule.starting(slot) {
                input.groups(&mut block, needed)?;
                block.start_band()?;
                if block.schedule.all_started() {
                    let diagonals = Arc::new(block.diagonals());
                    output.link.tell_all(Found::Diagonals(first.first_row(), diagonals));
                    output.send(Message::Started(block.corner.clone()));
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
        let (rows, done) = (Arc::new(take(&mut block.rows)), block.done);
        *buffers = block.into_buffers();
        if !tell(Ok((rows.clone(), done))) {
            return Err(Quit::GivenUp);
        }
        output.link.tell_all(Found::Rows(first.first_row(), rows));
        output.send(Message::Finished);
        office.end(index_of_block);
        Ok(())
    }
}

/// What comes from the block below, and from all others.
pub(super) struct Input<I> {
    link: I,
    kernel: Runnable,
    /// The block below has started, and not yet been asked for this.
    corner: Option<Corner>,
    groups: VecDeque<Box<Group>>,
    /// The block below is finished.
    is_finished: bool,
    /// What has come of a later block since.
    later: VecDeque<Message>,
    /// What other blocks have found and this worker has not entered, by their first rows.
    diagonals: BTreeMap<RowIndex, Arc<Vec<Number>>>,
    rows: BTreeMap<RowIndex, Arc<Vec<Record>>>,
}

impl<I: Receive> Input<I> {
    pub(super) fn new(link: I, kernel: Runnable) -> Self {
        Self {
            link,
            kernel,
            corner: None,
            groups: VecDeque::new(),
            is_finished: false,
            later: VecDeque::new(),
            diagonals: BTreeMap::new(),
            rows: BTreeMap::new(),
        }
    }

    /// Begins a block whose first row is `first`: waits until the block below has started. Then the
    /// diagonal values of all rows below are entered.
    fn started(&mut self, first: RowIndex, knowledge: &mut Knowledge) -> Result<Corner, Quit> {
        debug_assert!(self.groups.is_empty());
        self.is_finished = false;
        for message in take(&mut self.later) {
            self.take(message)?;
        }
        loop {
            while let Some(values) = self.diagonals.remove(&knowledge.diagonals.rows()) {
                values.iter().for_each(|&p| knowledge.diagonals.add(p));
            }
            if knowledge.diagonals.rows() == first
                && let Some(corner) = self.corner.take()
            {
                return Ok(corner);
            }
            self.receive(knowledge)?;
        }
    }

    /// Takes one more message. If there is none yet, enters some rows; or else waits.
    fn receive(&mut self, knowledge: &mut Knowledge) -> Result<(), Quit> {
        if let Some(message) = self.link.receive_now() {
            return self.take(message);
        }
        if self.learn(knowledge)? {
            return Ok(());
        }
        let message = self.link.receive().ok_or(Quit::GivenUp)?;
        self.take(message)
    }

    fn take(&mut self, message: Message) -> Result<(), Quit> {
        let is_from_below =
            matches!(message, Message::Started(_) | Message::Groups(_) | Message::Finished);
        if is_from_below && self.is_finished {
            self.later.push_back(message);
            return Ok(());
        }
        match message {
            Message::Found(Found::Diagonals(first, values)) => {
                self.diagonals.insert(first, values);
            }
            Message::Found(Found::Rows(first, rows)) => {
                self.rows.insert(first, rows);
            }
            Message::GivenUp => return Err(Quit::GivenUp),
            Message::Unreadable(error) => {
                return Err(problem(format!("a message between parts: {error}")).into());
            }
            Message::Started(corner) => self.corner = Some(corner),
            Message::Groups(groups) => self.groups.extend(groups),
            Message::Encoded(_) => unreachable!("the link makes groups of them"),
            Message::Finished => self.is_finished = true,
        }
        Ok(())
    }

    /// Enters some of the next rows, if they have come. Says whether there were any.
    fn learn(&mut self, knowledge: &mut Knowledge) -> Result<bool, SweepError> {
        let next = knowledge.old.rows();
        let Some(entry) = self.rows.first_entry().filter(|entry| *entry.key() <= next) else {
            return Ok(false);
        };
        let from = index(next - *entry.key());
        let (rows, end) = (entry.get(), entry.get().len().min(from + LEARNT));
        rows[from..end].iter().try_for_each(|row| knowledge.add(row))?;
        if end == rows.len() {
            entry.remove();
        }
        Ok(true)
    }

    /// Lets the block below go `groups` groups ahead.
    fn wait_for(&mut self, groups: usize, knowledge: &mut Knowledge) -> Result<(), Quit> {
        while self.groups.len() < groups && !self.is_finished {
            self.receive(knowledge)?;
        }
        Ok(())
    }

    /// Gives `block` the groups before `end`.
    fn groups<C: Cells>(&mut self, block: &mut Block<C>, end: GroupIndex) -> Result<(), Quit> {
        while block.groups_end() < end {
            while self.groups.is_empty() {
                self.receive(block.knowledge)?;
            }
            while self.groups.len() <= AHEAD
                && !self.is_finished
                && let Some(message) = self.link.receive_now()
            {
                self.take(message)?;
                // A few at a time, so that no block waits for long.
                self.learn(block.knowledge)?;
            }
            self.group(block)?;
        }
        Ok(())
    }

    /// Gives `block` the next group that has come.
    fn group<C: Cells>(&mut self, block: &mut Block<C>) -> Result<(), Quit> {
        if !block.is_next(&self.groups[0]) {
            return Err(problem("a group has come that is not the next one".to_owned()).into());
        }
        let needs = block.needs_old_rows(&self.groups[0]);
        while needs > block.knowledge.old.complete_below_offset() && !self.knows_all(block) {
            self.receive(block.knowledge)?;
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

    /// Whether the block below, and all before it, are finished, and their rows entered.
    fn knows_all<C: Cells>(&self, block: &Block<C>) -> bool {
        // Its own rows are entered as they are finished.
        self.is_finished && block.knowledge.old.rows() >= block.first_row()
    }

    /// Waits for the blocks below to finish, enters their rows, and gives `block` all that it has
    /// left.
    fn everything<C: Cells>(&mut self, block: &mut Block<C>) -> Result<(), Quit> {
        while !self.knows_all(block) {
            self.receive(block.knowledge)?;
        }
        while !self.groups.is_empty() {
            self.group(block)?;
        }
        Ok(())
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
            (Message::Started(corner), Some(tee)) => tee.corner(corner),
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
