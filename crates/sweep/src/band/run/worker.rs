//! One worker of the pipeline.

use super::link::{Broadcast, Links, Message, Receive, Transmit};
use crate::band::below::Knowledge;
use crate::band::constants::Constants;
use crate::band::group::{Group, GroupPool};
use crate::band::schedule::{block_of, blocks_of, headway};
use crate::band::simd::Runnable;
use crate::band::walk::{Block, Corner, Listen, Tiles};
use crate::band::words::{Inbox, News, Outbox, Store};
use crate::error::SweepError;
use crate::hypothesis::Hypothesis;
use crate::units::{BandIndex, GroupIndex, Number, RowIndex, index};
use record::Record;
use std::collections::{BTreeMap, VecDeque};
use std::mem::take;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Groups in a message.
const BATCH: usize = 16;

/// A group is prefetched this number of groups before it joins a block.
const AHEAD: usize = 4;

/// The most rows that a worker enters between two messages.
const LEARNT: usize = 64;

/// The reason why a worker ends early.
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

/// The data that all workers share.
pub(super) struct Workers<'a> {
    pub(super) kernel: Runnable,
    pub(super) shared: Constants,
    /// Places for groups.
    pub(super) pool: Arc<GroupPool>,
    /// The storage of words and of copies for checkpoints.
    pub(super) storage: &'a Store,
    /// The bands of the run.
    pub(super) bands: Range<BandIndex>,
    /// If this is set, the workers exit at their next slot.
    pub(super) stop: AtomicBool,
}

impl Workers<'_> {
    /// Computes the blocks of worker `number` of all `workers`, those of other processes included.
    /// `knowledge` has the rows below the run. Not generic, so that this crate compiles the engine.
    pub(super) fn work(
        &self,
        number: u64,
        workers: u64,
        knowledge: Knowledge,
        links: Links<'_>,
        cells: &mut dyn Listen,
    ) {
        if cells.listens() {
            self.blocks::<true>(number, workers, knowledge, links, cells);
        } else {
            self.blocks::<false>(number, workers, knowledge, links, cells);
        }
    }

    /// The same. Reports cells if `HEARD`.
    fn blocks<const HEARD: bool>(
        &self,
        number: u64,
        workers: u64,
        mut knowledge: Knowledge,
        Links { input, mut output, mut tell }: Links<'_>,
        cells: &mut dyn Listen,
    ) {
        let mut input = Input::new(input, self.kernel);
        for bands in blocks_of(number, workers, self.bands.clone()) {
            // No block follows the end of the run.
            let follows = bands.end < self.bands.end;
            let copy = (follows && self.storage.copy_of_block(bands.end)).then(Vec::new);
            let outbox =
                Outbox::new(block_of(bands.start), workers, self.storage, &self.shared.routes);
            let mut output = Output {
                link: &mut *output,
                batch: Vec::with_capacity(BATCH),
                outbox,
                copy,
                follows,
            };
            let block = input.begin(&bands, workers, &mut knowledge).map(|corner| {
                Block::<HEARD>::new(
                    bands.clone(),
                    (&self.shared, &self.pool),
                    Inbox::new(block_of(bands.start), self.storage),
                    &mut knowledge,
                    &mut *cells,
                    corner,
                )
            });
            let done = block.and_then(|mut block| {
                self.block(&mut block, bands.start.first_row(), &mut input, &mut output)?;
                if let Some(columns) = output.copy.take() {
                    self.storage.tell(News::Copied(bands.end.first_row(), columns));
                }
                let rows = Arc::new(take(&mut block.rows));
                if !tell(Ok((rows.clone(), block.done))) {
                    return Err(Quit::GivenUp);
                }
                output.link.tell_all(Broadcast::Rows(bands.start.first_row(), rows));
                output.send(Message::Finished);
                Ok(())
            });
            match done {
                Ok(()) => {}
                Err(Quit::GivenUp) => return,
                Err(Quit::Failed(error)) => {
                    tell(Err(error));
                    return;
                }
            }
        }
        output.complete();
    }

    /// Computes a block, from its first slot to its last.
    fn block<const HEARD: bool>(
        &self,
        block: &mut Block<HEARD>,
        first: RowIndex,
        input: &mut Input,
        output: &mut Output,
    ) -> Result<(), Quit> {
        for slot in block.schedule.first_slot().. {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Quit::GivenUp);
            }
            if let Some(needed) = block.schedule.starting(slot) {
                input.groups(block, needed)?;
                block.start_band()?;
                if block.schedule.all_started() {
                    let diagonals = Arc::new(block.diagonals());
                    output.link.tell_all(Broadcast::Diagonals(first, diagonals));
                    output.send(Message::Started(block.corner.clone()));
                }
            }
            if block.schedule.finishing(slot) {
                input.everything(block)?;
                block.finish_band()?;
            }
            let needed = block.schedule.needed(slot);
            input.groups(block, needed)?;
            self.kernel.run(Tiles { block, slot });
            block.failed.take().map_or(Ok(()), Err)?;
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
        assert!(block.inbox.is_empty()?, "every word that is stored is read");
        Ok(())
    }
}

/// Messages from the block below, and from all others.
struct Input<'a> {
    link: Box<dyn Receive + 'a>,
    kernel: Runnable,
    /// The corner from the block below, if it has started, until it is taken.
    corner: Option<Corner>,
    groups: VecDeque<Box<Group>>,
    /// The block below has finished.
    is_finished: bool,
    /// Messages of a later block, which have arrived since the block below has finished.
    later: VecDeque<Message>,
    /// Results of other blocks that this worker has not entered, by their first rows.
    diagonals: BTreeMap<RowIndex, Arc<Vec<Number>>>,
    rows: BTreeMap<RowIndex, Arc<Vec<Record>>>,
}

impl<'a> Input<'a> {
    fn new(link: Box<dyn Receive + 'a>, kernel: Runnable) -> Self {
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

    /// Begins the block of these bands. Waits until the block below has started and the diagonal
    /// values of all rows below are entered, then until the block below is far enough ahead.
    fn begin(
        &mut self,
        bands: &Range<BandIndex>,
        workers: u64,
        knowledge: &mut Knowledge,
    ) -> Result<Corner, Quit> {
        assert!(self.groups.is_empty());
        self.is_finished = false;
        let (first, ahead) = (bands.start.first_row(), index(headway(bands.start, workers)));
        for message in take(&mut self.later) {
            self.take(message)?;
        }
        loop {
            while let Some(values) = self.diagonals.remove(&knowledge.diagonals.rows) {
                values.iter().for_each(|&p| knowledge.diagonals.add(p));
            }
            if knowledge.diagonals.rows == first
                && let Some(corner) = self.corner.take()
            {
                while self.groups.len() < ahead && !self.is_finished {
                    self.receive(knowledge)?;
                }
                return Ok(corner);
            }
            self.receive(knowledge)?;
        }
    }

    /// Takes one more message. If none has arrived, enters some rows; if there are none, waits.
    fn receive(&mut self, knowledge: &mut Knowledge) -> Result<(), Quit> {
        if let Some(message) = self.link.receive_now()? {
            return self.take(message);
        }
        if self.learn(knowledge)? {
            return Ok(());
        }
        let message = self.link.receive()?.ok_or(Quit::GivenUp)?;
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
            Message::Broadcast(Broadcast::Diagonals(first, values)) => {
                self.diagonals.insert(first, values);
            }
            Message::Broadcast(Broadcast::Rows(first, rows)) => {
                self.rows.insert(first, rows);
            }
            Message::GivenUp => return Err(Quit::GivenUp),
            Message::Started(corner) => self.corner = Some(corner),
            Message::Groups(groups) => self.groups.extend(groups),
            Message::Finished => self.is_finished = true,
        }
        Ok(())
    }

    /// Enters some of the next rows, if they have arrived. Returns whether there were any.
    fn learn(&mut self, knowledge: &mut Knowledge) -> Result<bool, SweepError> {
        let next = knowledge.old.rows;
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

    /// Gives `block` the groups before `end`.
    fn groups<const HEARD: bool>(
        &mut self,
        block: &mut Block<HEARD>,
        end: GroupIndex,
    ) -> Result<(), Quit> {
        while block.groups_end() < end {
            while self.groups.is_empty() {
                self.receive(block.knowledge)?;
            }
            while self.groups.len() <= AHEAD
                && !self.is_finished
                && let Some(message) = self.link.receive_now()?
            {
                self.take(message)?;
                // A few at a time, so that no block waits for long.
                self.learn(block.knowledge)?;
            }
            self.group(block)?;
        }
        Ok(())
    }

    /// Gives `block` the next group that has arrived.
    fn group<const HEARD: bool>(&mut self, block: &mut Block<HEARD>) -> Result<(), Quit> {
        assert!(block.is_next(&self.groups[0]));
        let needs = block.needs_old_rows(&self.groups[0]);
        while needs > block.knowledge.old.complete_below_offset() && !self.knows_all(block) {
            self.receive(block.knowledge)?;
        }
        let group = self.groups.pop_front().expect("a group has arrived");
        if needs > block.knowledge.old.complete_below_offset() {
            let (column, row) = (group.index.first_column(), block.knowledge.old.rows);
            return Err(SweepError::hypothesis(column, row, Hypothesis::LeastValues).into());
        }
        block.push_group(self.kernel, group);
        if let Some(error) = block.inbox.failed.take() {
            return Err(error.into());
        }
        self.groups.get(AHEAD).inspect(|group| group.prefetch());
        let next = self.groups.get(AHEAD / 2);
        next.inspect(|group| group.prefetch_old_rows(&block.knowledge.old));
        Ok(())
    }

    /// Whether all blocks below have finished, and their rows are entered.
    fn knows_all<const HEARD: bool>(&self, block: &Block<HEARD>) -> bool {
        // Its own rows are entered as they are finished.
        self.is_finished && block.knowledge.old.rows >= block.first_row
    }

    /// Waits until the blocks below have finished, enters their rows, and gives `block` all
    /// remaining groups.
    fn everything<const HEARD: bool>(&mut self, block: &mut Block<HEARD>) -> Result<(), Quit> {
        while !self.knows_all(block) {
            self.receive(block.knowledge)?;
        }
        while !self.groups.is_empty() {
            self.group(block)?;
        }
        Ok(())
    }
}

/// Messages to the block above.
struct Output<'a> {
    link: &'a mut dyn Transmit,
    batch: Vec<Box<Group>>,
    outbox: Outbox<'a>,
    /// A copy of the corner and the groups, in bytes, if a checkpoint needs it.
    copy: Option<Vec<Vec<u8>>>,
    /// Whether a block follows, and takes the messages.
    follows: bool,
}

impl Output<'_> {
    fn send(&mut self, message: Message) {
        if let Some(copy) = &mut self.copy {
            let mut bytes = Vec::new();
            match &message {
                Message::Started(corner) => corner.save(&mut bytes),
                Message::Groups(groups) => {
                    bytes.reserve_exact(groups.len() * Group::LEAST_BYTES);
                    for group in groups {
                        group.save(&mut bytes);
                    }
                }
                _ => {}
            }
            copy.push(bytes);
        }
        if self.follows {
            self.link.transmit(message);
        }
    }

    fn group(&mut self, group: Box<Group>) -> Result<(), Quit> {
        self.batch.push(group);
        if self.batch.len() == BATCH {
            self.flush()?;
        }
        Ok(())
    }

    /// Stores the words that the groups need, then sends the groups.
    fn flush(&mut self) -> Result<(), Quit> {
        self.outbox.dispatch()?;
        let batch = std::mem::replace(&mut self.batch, Vec::with_capacity(BATCH));
        self.send(Message::Groups(batch));
        Ok(())
    }
}
