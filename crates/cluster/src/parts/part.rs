//! A part of the pipeline: the workers of one process, where several share a run.
//!
//! With P parts of T workers each, part p has the workers `p T, p T + 1, ..` of the ring of all
//! P T workers. The links within a part are channels. The last worker of a part sends to the first
//! of the next, and words for a block of another part are sent there: both as bytes, by an
//! [`Exchange`]. The first part takes the rows of all blocks.

use super::{
    copying::{Copying, WordsOfParts},
    dispatcher::{Dispatcher, FromThreads, RowQueue},
    exchange::{Counted, Exchange, Outgoing, Part, Sent, ToDispatcher, Waker},
    links::{Incoming, PartInput, PartOutput},
    storage::{Elsewhere, OtherParts, PartStorage, Waits},
    wire::{EncodedGroups, STOP, word_buffers},
};
use record::Record;
use record::listeners::{Done, Visitor};
use std::{
    collections::{BTreeMap, VecDeque},
    io,
    ops::ControlFlow,
    sync::{
        Condvar, Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, channel},
    },
    thread,
    time::Duration,
};
use sweep::{
    band::{
        Options,
        pipeline::{
            BandIndex, BlockResult, FIRST_BAND, Links, Message, Plan, RowIndex, Start, Visits,
            block_of, blocks_of, ring,
        },
    },
    error::SweepError,
};
use words::{
    Checkpoint, Checkpoints, WordsError,
    parts::{Place, Reads, Recorder, Saver, Share, Store, outcome, prepare, start},
};

/// What one part has done of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartDone {
    /// What the visitor has been told: 0, but in part 0.
    pub seen: Done,
    /// What the workers of this part have done; in part 0, also what was done before them, here or
    /// for the checkpoint.
    pub own: Done,
    /// How long they have waited for others, all together.
    pub waited: Duration,
    /// What this part has sent to others.
    pub sent: Sent,
    /// The most bytes that its files of words have had at a time.
    pub on_disk: u64,
}

/// Does one part of the rows below `end`; resumes from a checkpoint, if given. All parts must have
/// the same end, windows and number of threads, and the same checkpoint: each keeps the words that
/// its blocks read.
///
/// The visitor of part 0 sees every row, in order, and that of another part none. Part 0 writes the
/// checkpoints: those of [`resumable_rows`](words::resumable_rows), byte for byte. Any number of
/// parts, or one process, may resume from them. If words may wait in a folder
/// ([`Checkpoints::spill`]), each part has a folder of its own there, and the same number of bytes
/// of them in memory.
///
/// # Errors
/// As [`resumable_rows`](words::resumable_rows); and [`SweepError::Outside`] if the exchange fails,
/// or another part does.
///
/// # Panics
/// If the engine itself is wrong.
pub fn part_of_rows(
    end: u64,
    options: Options,
    part: Part,
    exchange: &mut dyn Exchange,
    (checkpoints, from): (&Checkpoints<'_>, Option<Checkpoint>),
    visitor: &mut dyn Visitor,
) -> Result<PartDone, WordsError> {
    let mut nobody = |_: Record| ControlFlow::Continue(());
    let visitor = if part.number == 0 { visitor } else { &mut nobody };
    let threads = options.threads.get();
    let band = from.as_ref().map_or(FIRST_BAND, |from| BandIndex::of_row(RowIndex(from.row())));
    let elsewhere = Elsewhere { part, threads, first: block_of(band) };
    let reads = Reads(Box::new(move |block| elsewhere.of(block).is_none()));
    let share = Share { place: Place::OfPart(part.number as u64), parts: part.parts as u64 };
    let (plan, store) = prepare(end, options, checkpoints, from.as_ref(), (share, reads))?;
    let mut exchange = Counted { exchange, sent: Sent::default() };
    let mut done = PartDone::default();
    let run = PartRun { part, threads, plan, store: &store, elsewhere };
    let ended = run.run((checkpoints, from), &mut exchange, (end, visitor), &mut done);
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
        (checkpoints, from): (&Checkpoints<'_>, Option<Checkpoint>),
        exchange: &mut Counted,
        (end, visitor): (u64, &mut dyn Visitor),
        done: &mut PartDone,
    ) -> Result<(), WordsError> {
        let &Self { part, threads, plan, store, elsewhere } = self;
        let waker = exchange.exchange.waker();
        let (outgoing, to_send) = to_dispatcher(&waker);
        let (requests, requested) = to_dispatcher(&waker);
        let (results, blocks) = to_dispatcher(&waker);
        let (waits, from_threads) =
            (&Waits::new(waker), FromThreads { to_send, blocks, requested });
        let words = WordsOfParts { part, store, outgoing: outgoing.clone(), requests };
        let saver = (part.number == 0).then(|| Saver::new(checkpoints, store, &words, plan.frame));
        let (to_files, copies) = channel();
        let files = outgoing.clone();
        thread::scope(|scope| {
            let (recorder, jobs) = saver.as_ref().map(Recorder::new).unzip();
            let storage = PartStorage {
                store,
                elsewhere,
                outgoing: outgoing.clone(),
                buffers: word_buffers(),
                waits,
                state: Mutex::new(OtherParts::default()),
                changed: Condvar::new(),
            };
            let listener = recorder.as_ref().map(|recorder| recorder as _);
            let mut visits = Visits::new(end, visitor, &storage, listener);
            let start = start(plan, from, &mut visits, store, recorder.as_ref())?;
            if part.number == 0 {
                // By the pointer engine, or from the checkpoint: all parts have that, and it counts
                // once.
                (done.own, done.seen) = (visits.done, visits.done);
            }
            let Some(start) = start else {
                let mut stop =
                    Outgoing::to_all(part, 0, &[STOP]).filter(|_| visits.done.rows < end);
                return Ok(stop.try_for_each(|stop| stop.send(exchange))?);
            };
            let refused = |problem: io::Error| SweepError::Threads {
                wanted: threads + usize::from(part.number == 0) + 2 * usize::from(store.spills()),
                problem: problem.to_string(),
            };
            // The disk thread works as long as a worker or a checkpoint may need it.
            let user = store.user();
            if store.spills() {
                thread::Builder::new().spawn_scoped(scope, || store.work()).map_err(refused)?;
                let tell = move || Copying::tell_of_files(part, store, &copies, &files);
                thread::Builder::new().spawn_scoped(scope, tell).map_err(refused)?;
            }
            if let Some((saver, jobs)) = saver.as_ref().zip(jobs) {
                let write = move || saver.write(&jobs);
                thread::Builder::new().spawn_scoped(scope, write).map_err(refused)?;
            }
            let mut dispatcher = Dispatcher {
                part,
                exchange,
                frame: plan.frame,
                storage: &storage,
                inputs: Vec::new(),
                waits,
                given_up: &AtomicBool::new(false),
                rows: RowQueue {
                    waiting: BTreeMap::new(),
                    next: start.workers.band,
                    end: start.workers.bands,
                },
                visits: &mut visits,
                own: &mut done.own,
                copying: Copying::new(part, store, to_files),
            };
            let end = || {
                // A checkpoint that is being written is not worth waiting for.
                saver.iter().for_each(Saver::complete);
                drop(user);
            };
            let links = (outgoing, results);
            self.work(start, links, &mut dispatcher, from_threads, end, refused)?;
            if part.number == 0 {
                done.seen = visits.done;
            }
            done.waited = waits.all();
            Ok(())
        })
    }

    /// Starts the workers, and has the dispatcher work until the end.
    fn work(
        &self,
        Start { workers, knowledge, messages }: Start<'_>,
        (outgoing, results): (ToDispatcher<Outgoing>, ToDispatcher<BlockResult>),
        dispatcher: &mut Dispatcher,
        from_threads: FromThreads,
        end: impl FnOnce(),
        refused: impl Fn(io::Error) -> SweepError,
    ) -> Result<(), SweepError> {
        let &Self { part, threads, plan, .. } = self;
        let (workers, all) = (&workers, (threads * part.parts) as u64);
        let (given_up, waits, storage) =
            (dispatcher.given_up, dispatcher.waits, dispatcher.storage);
        let gate = &Mutex::new(());
        thread::scope(|scope| {
            let messages = messages.into_iter().filter(|_| part.number == 0);
            // No worker can be done before all are there.
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
                    outgoing: outgoing.clone(),
                    given_up,
                    groups: EncodedGroups::new(),
                    next: is_last.then_some(((part.number + 1) % part.parts, &workers.spare)),
                    ends: blocks.iter().map(|block| block.end).collect(),
                    bands: workers.bands,
                };
                let input = PartInput::new(input, (&workers.spare, plan.frame), waits, blocks);
                let (results, knowledge) = (results.clone(), knowledge.clone());
                let work = move || {
                    let tell = Box::new(move |result| results.send(result).is_ok());
                    let links = Links { input: Box::new(input), output: Box::new(output), tell };
                    drop(gate.lock());
                    workers.work(number, all, knowledge, links);
                };
                thread::Builder::new().spawn_scoped(scope, work).map_err(&refused)?;
            }
            drop((begin, results, outgoing, knowledge));
            let ended = dispatcher.until_done(&from_threads);
            // A checkpoint gets no words any more.
            drop(from_threads);
            // The workers that still wait give up.
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

/// A channel to the dispatcher.
fn to_dispatcher<T>(waker: &Waker) -> (ToDispatcher<T>, Receiver<T>) {
    let (sender, receiver) = channel();
    (ToDispatcher { sender, waker: waker.clone() }, receiver)
}
