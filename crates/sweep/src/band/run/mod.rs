//! The pipeline of workers: blocks of bands, one after the other, each a few groups behind the one
//! below it.
//!
//! Worker `t` of `T` does the blocks `t, t + T, ..`, and passes every group of columns on to the
//! worker of the next block as soon as its own last band is done with it. Nothing is shared but
//! constants: groups move with their owner, and each worker keeps its own table of old rows and
//! diagonals, from what all others tell it. A block sends the next one, in this order: the corner,
//! the groups, and that it is finished. It tells all others its diagonal values before the first of
//! these, and its rows before the last. A worker enters rows when it would wait, and some with each
//! message. All that a cell reads is the same for any number of workers (proofs/sweep.md, 6).
//!
//! ```text
//! row
//!  |                 .-----------------------------.
//!  |              .'   block 2, worker 0        .'      ^  groups go up,
//!  |           .-----------------------------.'         |  from block to block
//!  |        .'   block 1, worker 1        .'            |
//!  |     .-----------------------------.'
//!  |  .'   block 0, worker 0        .'
//!  +-.---------------------------.------------------- column
//!    diagonal                    √2 r
//! ```
//!
//! | module | what |
//! |---|---|
//! | `options` | how a run works, and what it needs |
//! | `boundary`, `start` | where the pipeline begins, and with what |
//! | `worker` | blocks, one after the other |
//! | `link` | what goes from worker to worker |
//! | `part` | the workers of one process, where several share a run |
//! | `talk`, `exchange`, `wire` | what it says to other processes, how, and in which bytes |
//! | `copying` | what it does for a checkpoint |
//! | `visits` | what the caller is told |

mod boundary;
mod buffers;
mod copying;
mod exchange;
mod link;
mod options;
mod part;
mod start;
mod talk;
mod visits;
mod wire;
mod worker;

use super::{
    checkpoint::{Checkpoint, Checkpoints, Saver},
    schedule::BLOCK,
    walk::BlockBuffers,
};
use crate::{
    cells::BeforeEnd,
    error::SweepError,
    units::{RowIndex, index},
};
pub use buffers::{Buffer, Buffers};
pub use exchange::{Eagerness, Exchange, Sent, Waker};
pub use options::{
    Options, Part, least_words, memory, memory_besides_words, words_on_disk, workers,
};
pub use part::{PartDone, part_of_rows};
use record::listeners::{Cells, Done, Visitor};
pub use wire::WIRE_FORMAT;

use link::{Queue, Ring, Transmit, ring};
use start::{Start, Waiting};
use std::{
    io,
    sync::{Mutex, mpsc::channel},
    thread,
};
use visits::Visits;
use worker::{Input, Worker};

/// Visits every row below `end`, in order.
///
/// Rows to `R` cost O(R^2): a cell is a few instructions on the windows of its row and its column.
/// Memory is [`memory`]: about 0.03 R^2 bits.
///
/// # Errors
/// [`SweepError::Kernel`] if the machine cannot run the kernel, [`SweepError::Threads`] if it does
/// not create the threads, [`SweepError::End`] if `end` is past 2^29, and any other if a row does
/// not fit the hypotheses that the engine needs and cannot do without: with the default windows
/// every row below two million does.
///
/// # Panics
/// If the engine itself is wrong.
pub fn rows(end: u64, options: Options, visitor: &mut dyn Visitor) -> Result<Done, SweepError> {
    Ok(run(end, options, None, None, visitor, &|| ())?.0)
}

/// As [`rows`], and tells of every cell `(q,r)` that it decides: `r <= q <= last` in a finite row,
/// `r <= q < recurs` of its certificate in a periodic one, whose values from there on follow from
/// its record.
///
/// `cells` is called once for each worker, and once for the rows with which the sweep begins. Every
/// cell is told to exactly one of the results, which one is not specified. All of them are
/// returned. If the visitor ends the sweep, they have been told of cells of rows that it has not
/// seen.
///
/// # Errors
/// As [`rows`].
///
/// # Panics
/// If the engine itself is wrong.
pub fn rows_and_cells<C: Cells>(
    end: u64,
    options: Options,
    visitor: &mut dyn Visitor,
    cells: impl Fn() -> C,
) -> Result<(Done, Vec<C>), SweepError> {
    run(end, options, None, None, visitor, &|| BeforeEnd { end: RowIndex(end), cells: cells() })
        .map(|(done, heard)| (done, heard.into_iter().map(|below| below.cells).collect()))
}

/// As [`rows`], with checkpoints; goes on from one, if given, which the windows must fit.
///
/// Whatever it goes on from, every row from 0 on is visited, those below the checkpoint's as they
/// are stored. `end` is at most [`Checkpoint::end`]. The cells that are done count the whole
/// checkpoint. If one cannot be written, the run goes on, and [`Checkpoints::heard_by`] says who is
/// told. The checkpoints stay until [`Checkpoints::remove`]; two runs at a time must not share a
/// folder.
///
/// # Errors
/// As [`rows`]; [`SweepError::CheckpointWindows`] and [`SweepError::CheckpointEnd`] if the
/// checkpoint is of a run with other windows or one that ends too early;
/// [`SweepError::CheckpointUnreadable`] if it cannot be read, and [`SweepError::Checkpoint`] if it
/// says what cannot be so. Not all that is wrong is seen: the rows of a run that goes on from a
/// checkpoint are right if the checkpoint is (proofs/sweep.md, 7.3).
///
/// # Panics
/// If the engine itself is wrong.
pub fn resumable_rows(
    end: u64,
    options: Options,
    checkpoints: &Checkpoints<'_>,
    from: Option<Checkpoint>,
    visitor: &mut dyn Visitor,
) -> Result<Done, SweepError> {
    Ok(run(end, options, Some(checkpoints), from, visitor, &|| ())?.0)
}

fn run<C: Cells>(
    end: u64,
    options: Options,
    checkpoints: Option<&Checkpoints<'_>>,
    from: Option<Checkpoint>,
    visitor: &mut dyn Visitor,
    cells: &impl Fn() -> C,
) -> Result<(Done, Vec<C>), SweepError> {
    let mut visits = Visits { end: RowIndex(end), visitor, done: Done::default() };
    let mut heard = vec![cells()];
    let spill = checkpoints.and_then(Checkpoints::spill_to);
    let waiting = spill.map_or(Waiting::Memory, Waiting::Spilling);
    let Some(start) = Start::new(options, from, waiting, &mut visits, &mut heard[0])? else {
        return Ok((visits.done, heard));
    };
    let Start { kernel, ref shared, ref spare, ref office, bands, band, knowledge, .. } = start;
    let Start { messages, rows, .. } = start;
    let saver = checkpoints.map(|kept| Saver::new(kept, office, shared.frame, rows, visits.done));
    let gate = &Mutex::new(());
    thread::scope(|scope| {
        let (sender, results) = channel();
        let (jobs, to_write) = channel();
        let blocks = (bands - band).div_ceil(BLOCK);
        let count = options.threads.get().min(index(blocks));
        let refused = |error: io::Error| SweepError::Threads {
            wanted: count + usize::from(saver.is_some()) + usize::from(office.spills()),
            problem: error.to_string(),
        };
        if let Some(saver) = &saver {
            let write = move || saver.write(&to_write);
            thread::Builder::new().spawn_scoped(scope, write).map_err(refused)?;
        }
        // The clerk works as long as a worker may want something.
        let user = office.user();
        if office.spills() {
            thread::Builder::new().spawn_scoped(scope, || office.work()).map_err(refused)?;
        }
        let mut workers = Vec::new();
        let Ring { links, .. } = ring(count, messages);
        // No worker can be done before all are there.
        let begin = gate.lock();
        for (number, (input, output)) in (0..).zip(links) {
            let sender = sender.clone();
            let mut worker = Worker {
                kernel,
                shared,
                spare,
                office,
                workers: count,
                cells: cells(),
                knowledge: knowledge.clone(),
                buffers: BlockBuffers::default(),
                input: Input::new(input, kernel),
                output,
                // If the caller is gone, nobody wants more.
                tell: move |result| sender.send(result).is_ok(),
                saver: saver.as_ref().map(|saver| (saver, jobs.clone())),
            };
            let user = office.user();
            let work = move || {
                let _user = user;
                drop(gate.lock());
                worker.work(number, band, bands);
                worker.cells
            };
            // If one is missing, the ring is open and nobody takes the rows: the others give up.
            workers.push(thread::Builder::new().spawn_scoped(scope, work).map_err(refused)?);
        }
        drop((begin, sender, jobs, knowledge, user));
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

/// As [`rows`], by one worker on the thread of the caller, whatever the options say of threads.
///
/// # Errors
/// As [`rows`], but for [`SweepError::Threads`].
///
/// # Panics
/// If the engine itself is wrong.
pub fn rows_in_this_thread(
    end: u64,
    options: Options,
    visitor: &mut dyn Visitor,
) -> Result<Done, SweepError> {
    Ok(run_in_this_thread(end, options, visitor, ())?.0)
}

/// As [`rows_in_this_thread`], and tells `cells` of every cell that it decides, as
/// [`rows_and_cells`] does. Returns `cells`.
///
/// # Errors
/// As [`rows_in_this_thread`].
///
/// # Panics
/// If the engine itself is wrong.
pub fn rows_and_cells_in_this_thread<C: Cells>(
    end: u64,
    options: Options,
    visitor: &mut dyn Visitor,
    cells: C,
) -> Result<(Done, C), SweepError> {
    run_in_this_thread(end, options, visitor, BeforeEnd { end: RowIndex(end), cells })
        .map(|(done, below)| (done, below.cells))
}

fn run_in_this_thread<C: Cells>(
    end: u64,
    options: Options,
    visitor: &mut dyn Visitor,
    mut cells: C,
) -> Result<(Done, C), SweepError> {
    let mut visits = Visits { end: RowIndex(end), visitor, done: Done::default() };
    let Some(start) = Start::new(options, None, Waiting::Memory, &mut visits, &mut cells)? else {
        return Ok((visits.done, cells));
    };
    let Start {
        kernel, ref shared, ref spare, ref office, bands, band, knowledge, messages, ..
    } = start;
    let mut queue = Queue::default();
    for message in messages {
        queue.transmit(message);
    }
    let mut wants_more = Ok(true);
    let mut worker = Worker {
        kernel,
        shared,
        spare,
        office,
        workers: 1,
        cells,
        knowledge,
        buffers: BlockBuffers::default(),
        input: Input::new(queue.clone(), kernel),
        output: queue,
        tell: |result| {
            wants_more = visits.block(result);
            wants_more == Ok(true)
        },
        saver: None,
    };
    worker.work(0, band, bands);
    let cells = worker.cells;
    assert!(wants_more? <= (visits.done.rows == end), "workers end early only with an error");
    Ok((visits.done, cells))
}
