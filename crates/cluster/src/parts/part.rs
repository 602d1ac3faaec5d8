//! A part of the pipeline: the workers of one process, if several processes share a run.
//!
//! With P parts of T workers each, part p has the workers `p T, p T + 1, ..` of the ring of all
//! P T workers. The links within a part are channels. The last worker of a part sends to the first
//! worker of the next part, and words for a block of another part are sent to that part: both as
//! bytes, by an [`Exchange`]. The first part takes the rows of all blocks.

use super::copying::{Copying, WordsOfParts};
use super::dispatcher::{Dispatcher, RowQueue, stop};
use super::exchange::{Counted, Exchange, ForDispatcher, Part, Sent, ToDispatcher};
use super::links::{Incoming, PartInput, PartOutput};
use super::storage::{Elsewhere, PartStorage, Waits};
use super::wire::EncodedGroups;
use record::Record;
use record::listeners::{Done, Visitor};
use std::collections::VecDeque;
use std::io;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, Scope};
use std::time::Duration;
use sweep::band::Options;
use sweep::band::parts::{Links, Message, StartParts, blocks_of, ring};
use sweep::band::pipeline::{BandIndex, BlockIndex, FIRST_BAND, Plan, RowIndex, Visits, block_of};
use sweep::error::SweepError;
use words::parts::{CheckpointJob, Recorder, Saver, Store, outcome, prepare, start};
use words::{Checkpoint, Checkpoints, WordsError};

/// The work of one part of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartDone {
    /// The rows that the visitor has seen, and the work done for them: 0 except in part 0.
    pub seen: Done,
    /// Cells that the workers of this part have decided; in part 0, also those of the rows below
    /// the first block.
    pub cells: u64,
    /// The sum of the times for which its workers have waited for others.
    pub waited: Duration,
    /// Bytes sent to other parts.
    pub sent: Sent,
    /// The most bytes that its files of words have had at a time.
    pub on_disk: u64,
}

/// Computes one part of the rows below `end`; resumes from a checkpoint, if given. All parts must
/// have the same end, windows, number of threads and checkpoint. Each keeps the words that its
/// blocks read.
///
/// The visitor of part 0 sees every row, in order; the other visitors see none. Part 0 writes the
/// checkpoints, which are the checkpoints of [`resumable_rows`](words::resumable_rows), byte for
/// byte. Any number of parts, or one process, can resume from them. If words can wait in a folder
/// ([`Checkpoints::spill`]), each part has a folder of its own in it, and keeps that number of
/// bytes of words in memory.
///
/// # Errors
/// As [`resumable_rows`](words::resumable_rows); and [`SweepError::Outside`] if the exchange or
/// another part fails.
///
/// # Panics
/// If the engine itself is wrong.
pub fn part_of_rows(
    end: u64,
    options: Options,
    part: Part,
    exchange: &mut dyn Exchange,
    checkpoints: &Checkpoints<'_>,
    from: Option<Checkpoint>,
    visitor: &mut dyn Visitor,
) -> Result<PartDone, WordsError> {
    let mut nobody = |_: Record| ControlFlow::Continue(());
    let visitor = if part.number == 0 { visitor } else { &mut nobody };
    let threads = options.workers().get();
    let band = from.as_ref().map_or(FIRST_BAND, |from| BandIndex::of_row(RowIndex(from.row())));
    let elsewhere = Elsewhere { part, threads, first: block_of(band) };
    let scope = Box::new(elsewhere);
    let (plan, store) = prepare(end, options, checkpoints, from.as_ref(), scope)?;
    let mut exchange = Counted { exchange, sent: Sent::default() };
    let mut done = PartDone::default();
    let run = PartRun { part, threads, plan, store: &store, elsewhere };
    let ended = run.run(checkpoints, from, &mut exchange, end, visitor, &mut done);
    outcome(ended, &store)?;
    done.sent = exchange.sent;
    done.on_disk = store.most_on_disk();
    Ok(done)
}

/// A part of a run that begins.
struct PartRun<'a> {
    part: Part,
    threads: usize,
    plan: Plan,
    store: &'a Store,
    elsewhere: Elsewhere,
}

impl PartRun<'_> {
    fn run(
        &self,
        checkpoints: &Checkpoints<'_>,
        from: Option<Checkpoint>,
        exchange: &mut Counted,
        end: u64,
        visitor: &mut dyn Visitor,
        done: &mut PartDone,
    ) -> Result<(), WordsError> {
        let &Self { part, plan, store, elsewhere, .. } = self;
        let waker = exchange.exchange.waker();
        let (to_dispatcher, requests) = ToDispatcher::new(waker.clone());
        let waits = &Waits::new(waker);
        let words = WordsOfParts { part, store, to_dispatcher: to_dispatcher.clone() };
        let saver = (part.number == 0).then(|| Saver::new(checkpoints, store, &words, plan.frame));
        let (to_files, copies) = channel();
        thread::scope(|scope| {
            let (recorder, jobs) = saver.as_ref().map(Recorder::new).unzip();
            let storage = PartStorage::new(store, elsewhere, to_dispatcher.clone(), waits);
            let listener = recorder.as_ref().map(|recorder| recorder as _);
            let mut visits = Visits::new(end, visitor, &storage, listener);
            let start = start(plan, from, &mut visits, store, recorder.as_ref())?;
            if part.number == 0 {
                // All parts have the rows below the first block. They count once.
                (done.cells, done.seen) = (visits.done.cells, visits.done);
            }
            let Some(start) = start else {
                let is_stopped = visits.done.rows < end;
                return if is_stopped { Ok(stop(exchange, part)?) } else { Ok(()) };
            };
            let start = start.into_parts();
            // The disk thread works as long as a worker or a checkpoint may need it.
            let user = store.user();
            self.start_helpers(scope, saver.as_ref().zip(jobs), copies, &to_dispatcher)?;
            let mut dispatcher = Dispatcher {
                part,
                exchange,
                frame: plan.frame,
                storage: &storage,
                inputs: Vec::new(),
                waits,
                given_up: &AtomicBool::new(false),
                rows: RowQueue::new(start.workers.band, start.workers.bands),
                visits: &mut visits,
                cells: &mut done.cells,
                copying: Copying::new(part, store, to_files),
            };
            let end = || {
                // The run does not wait for a checkpoint that is being written.
                saver.iter().for_each(Saver::complete);
                drop(user);
            };
            self.work(start, to_dispatcher, &mut dispatcher, requests, end)?;
            if part.number == 0 {
                done.seen = visits.done;
            }
            done.waited = waits.all();
            Ok(())
        })
    }

    /// Starts the threads that write and read files: words on disk, and in part 0 checkpoints.
    fn start_helpers<'s>(
        &'s self,
        scope: &'s Scope<'s, '_>,
        saver: Option<(&'s Saver<'_>, Receiver<CheckpointJob>)>,
        copies: Receiver<BlockIndex>,
        to_dispatcher: &ToDispatcher,
    ) -> Result<(), SweepError> {
        let &Self { part, store, .. } = self;
        let refused = |problem| self.refused(problem);
        if store.spills() {
            thread::Builder::new().spawn_scoped(scope, || store.work()).map_err(refused)?;
            let to_dispatcher = to_dispatcher.clone();
            let tell = move || Copying::tell_of_files(part, store, &copies, &to_dispatcher);
            thread::Builder::new().spawn_scoped(scope, tell).map_err(refused)?;
        }
        if let Some((saver, jobs)) = saver {
            let write = move || saver.write(&jobs);
            thread::Builder::new().spawn_scoped(scope, write).map_err(refused)?;
        }
        Ok(())
    }

    /// The error if the system refuses a thread.
    #[expect(clippy::needless_pass_by_value, reason = "it maps errors")]
    fn refused(&self, problem: io::Error) -> SweepError {
        let helpers = usize::from(self.part.number == 0) + 2 * usize::from(self.store.spills());
        SweepError::Threads { wanted: self.threads + helpers, problem: problem.to_string() }
    }

    /// Starts the workers, and runs the dispatcher until the end.
    fn work(
        &self,
        StartParts { workers, knowledge, messages }: StartParts<'_>,
        to_dispatcher: ToDispatcher,
        dispatcher: &mut Dispatcher,
        requests: Receiver<ForDispatcher>,
        end: impl FnOnce(),
    ) -> Result<(), SweepError> {
        let &Self { part, threads, plan, .. } = self;
        let (workers, all) = (&workers, (threads * part.parts) as u64);
        let (given_up, waits, storage) =
            (dispatcher.given_up, dispatcher.waits, dispatcher.storage);
        let gate = &Mutex::new(());
        thread::scope(|scope| {
            let messages = messages.into_iter().filter(|_| part.number == 0);
            // Workers begin when all of them have been started.
            let begin = gate.lock();
            for (t, (input, near)) in ring::<Incoming>(threads, messages).into_iter().enumerate() {
                dispatcher.inputs.clone_from(&near.workers);
                let number = (part.number * threads + t) as u64;
                let is_last = t + 1 == threads && part.parts > 1;
                let blocks: VecDeque<_> =
                    blocks_of(number, all, workers.band, workers.bands).collect();
                let output = PartOutput {
                    near,
                    part,
                    to_dispatcher: to_dispatcher.clone(),
                    given_up,
                    groups: EncodedGroups::new(),
                    next: is_last.then_some(((part.number + 1) % part.parts, &workers.spare)),
                    ends: blocks.iter().map(|block| block.end).collect(),
                    bands: workers.bands,
                };
                let input = PartInput::new(input, &workers.spare, plan.frame, waits, blocks);
                let (to_dispatcher, knowledge) = (to_dispatcher.clone(), knowledge.clone());
                let work = move || {
                    let tell =
                        Box::new(move |result| to_dispatcher.send(ForDispatcher::Block(result)));
                    let links = Links { input: Box::new(input), output: Box::new(output), tell };
                    drop(gate.lock());
                    workers.work(number, all, knowledge, links);
                };
                let spawned = thread::Builder::new().spawn_scoped(scope, work);
                spawned.map_err(|problem| self.refused(problem))?;
            }
            drop((begin, to_dispatcher, knowledge));
            let ended = dispatcher.until_done(&requests);
            // No checkpoint gets words from here on.
            drop(requests);
            // Workers that still wait exit.
            workers.stop.store(true, Ordering::Relaxed);
            storage.close();
            for input in dispatcher.inputs.drain(..) {
                let _ = input.send(Message::GivenUp.into());
            }
            end();
            ended
        })
    }
}
