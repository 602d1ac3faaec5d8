//! The pipeline of workers: blocks of bands, one after the other, each a few groups behind the one
//! below it.
//!
//! Worker `t` of `T` does the blocks `t, t + T, ..`, and passes every group of columns on to the
//! worker of the next block as soon as its own last band is done with it. Nothing is shared but
//! constants: groups move with their owner, and each worker keeps its own table of old rows and
//! diagonals, from what comes along with the groups. A block sends, in this order: the corner, the
//! groups, and its rows. All that a cell reads is therefore the same for any number of workers.

use super::{
    block::Block,
    cells::{Below, Cells},
    checkpoint::{Checkpoint, Checkpoints},
    codec::put_row,
    corner::Corner,
    exact::lane,
    geometry::{Frame, LANES, Windows, first_tile, last_tile, reach, stored_from},
    group::Group,
    kernel::{Kernel, Runnable},
    knowledge::{Knowledge, Shared},
    lanes::{Eight, Portable},
    saver::{Job, Saver, Tee},
    stored::Pool,
};
use crate::{
    error::Error,
    oracle::Oracle,
    pointer::Pointers,
    row::{Report, Row, Visitor},
    tail::index,
};
use std::{
    collections::VecDeque,
    io,
    num::NonZero,
    ops::ControlFlow,
    sync::{
        Arc,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

/// The first band; the rows below are swept by the pointer engine.
pub(super) const FIRST_BAND: u64 = 128;

/// Bands in a block: as many as leave their groups in the cache.
const BLOCK: u64 = 24;

/// Groups in a message.
const BATCH: usize = 16;

/// What a group keeps is asked for in three stages, so many groups apart, before it joins a block: each
/// stage reads what the one before it has brought to the cache.
const AHEAD: usize = 2;

/// How the band engine works. No choice changes a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Workers, of which there are no more than blocks of 192 rows.
    pub threads: NonZero<usize>,
    /// The instructions to use.
    pub kernel: Kernel,
    /// Where the windows are put.
    pub windows: Windows,
}

impl Default for Options {
    /// One thread for every processor.
    fn default() -> Self {
        let threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        Self { threads, kernel: Kernel::Auto, windows: Windows::default() }
    }
}

/// What a block hands to the next one, in this order.
enum Message {
    /// Its last band has started. The diagonal values are those of the last blocks.
    Started(Corner, Baton<u64>),
    /// Its last band is done with these groups, consecutive from message to message.
    Groups(Vec<Box<Group>>),
    /// All its rows are finished. The rows are those of the last blocks.
    Finished(Baton<Row>),
}

/// What the last blocks have found, each with its first row: as many as there are workers, so that
/// everyone hears of every block.
type Baton<T> = Vec<(u64, Arc<Vec<T>>)>;

/// What the workers tell the caller, in row order.
type Outcome = Result<(Arc<Vec<Row>>, Report), Error>;

/// How many of so many threads [`rows`] makes workers, at most.
#[must_use]
pub fn workers(end: u64, threads: NonZero<usize>) -> u64 {
    end.div_ceil(LANES * BLOCK).min(threads.get() as u64)
}

/// About how many bytes [`rows`] holds at most with so many threads, with a little to spare: measured to
/// 2 * 10^6 rows.
#[must_use]
pub fn memory(end: u64, threads: NonZero<usize>) -> u64 {
    let square = u128::from(end) * u128::from(end) / 270;
    let square = u64::try_from(square).unwrap_or(u64::MAX);
    // What a worker knows of the rows below is its own.
    let a_row = 226 + 12 * workers(end, threads);
    square.saturating_add(end.saturating_mul(a_row)).saturating_add(16 << 20)
}

/// Visits every row below `end`, in order.
///
/// Rows to `R` cost O(R^2): a cell is a few instructions on the windows of its row and its column.
/// Memory is [`memory`]: about 0.03 R^2 bits.
///
/// # Errors
/// [`Error::Kernel`] if the machine cannot run the kernel, [`Error::Threads`] if it does not create the
/// threads, [`Error::End`] if `end` is past 2^31, and any other if a row does not fit the hypotheses
/// that the engine needs and cannot do without: with the default windows every row below two million
/// does.
///
/// # Panics
/// If the engine itself is wrong.
pub fn rows(end: u64, options: Options, visitor: &mut impl Visitor) -> Result<Report, Error> {
    Ok(run(end, options, None, None, visitor, &|| ())?.0)
}

/// As [`rows`], and tells of every cell `(q,r)` that it decides: `r <= q <= last` in a finite row,
/// `r <= q < recurs` of its certificate in a periodic one, whose values from there on follow from
/// its record.
///
/// `cells` makes somebody to tell for each worker, and one more for the rows with which the sweep
/// begins. They are told of different cells, and which of them is told of a cell is left open; so
/// what is made of them should not depend on it. All are returned. If the visitor ends the sweep,
/// they have heard of cells of rows that it has not seen.
///
/// # Errors
/// As [`rows`].
///
/// # Panics
/// If the engine itself is wrong.
pub fn rows_and_cells<C: Cells>(
    end: u64,
    options: Options,
    visitor: &mut impl Visitor,
    cells: impl Fn() -> C,
) -> Result<(Report, Vec<C>), Error> {
    run(end, options, None, None, visitor, &|| Below { end, cells: cells() })
        .map(|(report, heard)| (report, heard.into_iter().map(|below| below.cells).collect()))
}

/// As [`rows`], with checkpoints; goes on from one, if given, which the windows must fit.
///
/// Whatever it goes on from, every row from 0 on is visited, those below the checkpoint's as they
/// are stored. `end` is at most [`Checkpoint::end`]; what the report says of cells counts the whole
/// checkpoint. A checkpoint that cannot be written is a warning. The checkpoints stay until
/// [`Checkpoints::remove`]; two runs at a time must not share a folder.
///
/// # Errors
/// As [`rows`]; [`Error::CheckpointWindows`] and [`Error::CheckpointEnd`] if the checkpoint is of a run
/// with other windows or one that ends too early; [`Error::CheckpointUnreadable`] if it cannot be read, and
/// [`Error::Checkpoint`] if it says what cannot be so. Not all that is wrong is seen: the rows of a run
/// that goes on from a checkpoint are right if the checkpoint is (proofs/sweep.md, 7.3).
///
/// # Panics
/// If the engine itself is wrong.
pub fn resumable_rows(
    end: u64,
    options: Options,
    checkpoints: &Checkpoints,
    from: Option<Checkpoint>,
    visitor: &mut impl Visitor,
) -> Result<Report, Error> {
    Ok(run(end, options, Some(checkpoints), from, visitor, &|| ())?.0)
}

fn run<C: Cells>(
    end: u64,
    options: Options,
    checkpoints: Option<&Checkpoints>,
    from: Option<Checkpoint>,
    visitor: &mut impl Visitor,
    cells: &impl Fn() -> C,
) -> Result<(Report, Vec<C>), Error> {
    let kernel = options.kernel.detect()?;
    let bands = end.div_ceil(LANES);
    if bands > Frame::MOST_BANDS {
        return Err(Error::End { end, most: LANES * Frame::MOST_BANDS });
    }
    let frame = match &from {
        None => Frame { windows: options.windows, bands },
        Some(checkpoint) => checkpoint.frame(options.windows, bands)?,
    };
    let pool = Pool::default();
    let mut visits = Visits { end, visitor, done: Report::default() };
    let mut heard = vec![cells()];
    let boundary = match from {
        None => Boundary::seed(frame, &pool, &mut visits, &mut heard[0])?,
        Some(checkpoint) => Boundary::restore(checkpoint, &pool, &mut visits)?,
    };
    let Some(Boundary { band, knowledge, corner, groups, rows }) = boundary else {
        return Ok((visits.done, heard));
    };
    let first = [
        Message::Started(corner, Vec::new()),
        Message::Groups(groups),
        Message::Finished(Vec::new()),
    ];
    let shared = Shared::new(frame, bands, pool);
    let saver = checkpoints.map(|kept| Saver::new(kept, frame, rows, visits.done));
    thread::scope(|scope| {
        let (outcomes, results) = channel();
        let (jobs, to_write) = channel();
        let blocks = (bands - band).div_ceil(BLOCK);
        let count = options.threads.get().min(index(blocks));
        let refused = |error: io::Error| Error::Threads {
            wanted: count + usize::from(saver.is_some()),
            problem: error.to_string(),
        };
        if let Some(saver) = &saver {
            let write = move || saver.write(&to_write);
            thread::Builder::new().spawn_scoped(scope, write).map_err(refused)?;
        }
        let mut workers = Vec::new();
        for (number, (input, output)) in (0..).zip(ring(count, first)) {
            let mut worker = Worker {
                kernel,
                shared: &shared,
                workers: count,
                cells: cells(),
                knowledge: knowledge.clone(),
                input: Input::new(input),
                output,
                outcomes: outcomes.clone(),
                saver: saver.as_ref().map(|saver| (saver, jobs.clone())),
            };
            let work = move || {
                worker.work(band + BLOCK * number, bands);
                worker.cells
            };
            // If one is missing, the ring is open and nobody takes the rows: the others give up.
            workers.push(thread::Builder::new().spawn_scoped(scope, work).map_err(refused)?);
        }
        drop((outcomes, jobs, knowledge));
        let wants_more = visits.blocks(results)?;
        if let Some(saver) = saver.as_ref().filter(|_| wants_more) {
            saver.complete();
        }
        assert!(!wants_more || visits.done.rows == end, "workers end early only with an error");
        let joined = workers.into_iter().map(|worker| worker.join().expect("workers do not panic"));
        heard.extend(joined);
        Ok((visits.done, heard))
    })
}

/// The caller's visitor, and what it has been told.
struct Visits<'a, V> {
    end: u64,
    visitor: &'a mut V,
    done: Report,
}

impl<V: Visitor> Visits<'_, V> {
    /// Hands on a row, unless it is one of those past the end that share its band.
    fn row(&mut self, row: Row) -> ControlFlow<()> {
        if row.row >= self.end {
            return ControlFlow::Continue(());
        }
        self.done.rows += 1;
        self.visitor.row(row, None)
    }

    /// Hands on the rows of all blocks. Says whether the caller would have taken more.
    fn blocks(&mut self, results: Receiver<Outcome>) -> Result<bool, Error> {
        for outcome in results {
            let (rows, part) = outcome?;
            self.done += part;
            for row in rows.iter() {
                if self.row(row.clone()).is_break() {
                    return Ok(false);
                }
            }
            self.visitor.progress(self.done);
        }
        Ok(true)
    }
}

/// Where the pipeline begins: between the rows below a band, all finished, and that band.
struct Boundary {
    band: u64,
    /// The rows below.
    knowledge: Knowledge,
    /// What the block below would have sent.
    corner: Corner,
    groups: Vec<Box<Group>>,
    /// The rows below, encoded.
    rows: Vec<u8>,
}

impl Boundary {
    /// The first one, by the pointer engine. `None` if the caller needs no more.
    fn seed<V: Visitor>(
        frame: Frame,
        pool: &Pool,
        visits: &mut Visits<V>,
        cells: &mut impl Cells,
    ) -> Result<Option<Self>, Error> {
        let mut oracle = Oracle::new(Pointers::default());
        let (mut knowledge, mut rows) = (Knowledge::new(), Vec::new());
        for _ in 0..visits.end.min(LANES * FIRST_BAND) {
            let (row, offsets) = oracle.next_row()?;
            for (q, offset) in (row.row..).zip(offsets) {
                cells.cell(q, row.row, q + offset);
            }
            knowledge.add_with_diagonal(&row)?;
            put_row(&mut rows, &row);
            visits.done.cells = oracle.report().cells;
            if visits.row(row).is_break() {
                return Ok(None);
            }
        }
        visits.visitor.progress(visits.done);
        if visits.end <= LANES * FIRST_BAND {
            return Ok(None);
        }
        let (corner, groups) = first_state(&mut oracle, &knowledge, frame, pool)?;
        Ok(Some(Self { band: FIRST_BAND, knowledge, corner, groups, rows }))
    }

    /// That of a checkpoint. `None` if the caller needs no more.
    fn restore<V: Visitor>(
        mut checkpoint: Checkpoint,
        pool: &Pool,
        visits: &mut Visits<V>,
    ) -> Result<Option<Self>, Error> {
        visits.done = Report { rows: 0, ..checkpoint.report() };
        let rows = checkpoint.rows()?;
        let mut knowledge = Knowledge::new();
        let mut believed = checkpoint.believed(&rows);
        for _ in 0..checkpoint.row().min(visits.end) {
            let row = checkpoint.next_row(&mut believed)?;
            knowledge.add_with_diagonal(&row)?;
            if visits.row(row).is_break() {
                return Ok(None);
            }
        }
        visits.visitor.progress(visits.done);
        if visits.end <= checkpoint.row() {
            return Ok(None);
        }
        let band = checkpoint.row() / LANES;
        let (corner, groups) = checkpoint.state(believed, &knowledge, pool)?;
        Ok(Some(Self { band, knowledge, corner, groups, rows }))
    }
}

/// The channels from each worker to the next, in a ring, with the first worker's first messages.
fn ring(workers: usize, first: [Message; 3]) -> Vec<(Receiver<Message>, Sender<Message>)> {
    let (mut senders, receivers): (Vec<_>, Vec<_>) = (0..workers).map(|_| channel()).unzip();
    for message in first {
        senders[0].send(message).expect("the receiver is here");
    }
    senders.rotate_left(1);
    receivers.into_iter().zip(senders).collect()
}

/// The corner and the groups that the block below the first one would have sent.
fn first_state(
    oracle: &mut Oracle<Pointers>,
    knowledge: &Knowledge,
    frame: Frame,
    pool: &Pool,
) -> Result<(Corner, Vec<Box<Group>>), Error> {
    let b = FIRST_BAND;
    let end = reach(LANES * b - 1);
    // Columns are reached from left to right.
    for q in LANES * b..LANES * end {
        oracle.columns.reach(q);
    }
    let free = |g: u64, p: u64| {
        Eight(std::array::from_fn(|lane| {
            let q = LANES * g + (LANES - 1 - lane as u64);
            let is_free = |i: &u64| p + i >= q && oracle.columns.is_free(q, p + i);
            (0..64).filter(is_free).fold(0, |word, i| word | 1 << i)
        }))
    };
    let columns = &oracle.columns;
    let is_free = |q: u64, p: u64| columns.is_free(q, p) && knowledge.diagonals.is_free(p);
    let corner = Corner::build(b, frame.windows, free);
    for q in LANES * b..LANES * (first_tile(b) - 1) {
        // W5: numbers below the words are blocked, numbers above them are free.
        if (q..corner.base).any(|p| is_free(q, p)) || columns.end(q) > corner.end() {
            return Err(Error::Hypothesis { column: q, row: LANES * b, hypothesis: "W5" });
        }
    }
    let group = |g: u64| -> Result<Box<Group>, Error> {
        let activating = (0..).find(|&r| reach(r) > g).expect("rows reach every group");
        let limit = LANES * g + stored_from(activating);
        let mut group = Group::build(g, b - 1, limit, frame, pool, |p| free(g, p));
        // W8, for a group that no row has activated: the old rows are what its columns know.
        if (group.low_anchor()..LANES * g + group.stored_from()).step_by(64).any(|p| {
            let old: Portable = knowledge.old.free(g, p);
            p >= group.low_anchor() + 64 && old != free(g, p).0
        }) {
            return Err(Error::Hypothesis { column: LANES * g, row: activating, hypothesis: "W8" });
        }
        // W1 need not hold: what the windows cannot hold is an exception.
        for q in LANES * g..LANES * (g + 1) {
            for p in (q..group.low_anchor()).filter(|&p| is_free(q, p)) {
                group.free_below_window(lane(q), p);
            }
            for p in (group.end()..columns.end(q)).filter(|&p| !columns.is_free(q, p)) {
                group.block(lane(q), p);
            }
        }
        Ok(Box::new(group))
    };
    let groups = (first_tile(b) - 1..end).map(group).collect::<Result<_, Error>>()?;
    Ok((corner, groups))
}

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
struct Worker<'a, C> {
    kernel: Runnable,
    shared: &'a Shared,
    workers: usize,
    cells: C,
    knowledge: Knowledge,
    input: Input,
    output: Sender<Message>,
    outcomes: Sender<Outcome>,
    saver: Option<(&'a Saver<'a>, Sender<Job>)>,
}

impl<C: Cells> Worker<'_, C> {
    /// Does this worker's share of the bands from `first` to before `bands`.
    fn work(&mut self, first: u64, bands: u64) {
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
            kernel.tiles(&mut block, slot);
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

/// Adds what a block has found, and leaves what the workers may still need.
fn pass_on<T>(baton: &mut Baton<T>, first: u64, found: Vec<T>, workers: usize) {
    pass_on_shared(baton, first, Arc::new(found), workers);
}

fn pass_on_shared<T>(baton: &mut Baton<T>, first: u64, found: Arc<Vec<T>>, workers: usize) {
    baton.push((first, found));
    let old = baton.len().saturating_sub(workers);
    baton.drain(..old);
}

/// What comes from the block below.
struct Input {
    receiver: Receiver<Message>,
    groups: VecDeque<Box<Group>>,
    /// The rows, once the block below is finished.
    finished: Option<Baton<Row>>,
}

impl Input {
    fn new(receiver: Receiver<Message>) -> Self {
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
            return Err(Error::Hypothesis { column, row, hypothesis: "W7" }.into());
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
