//! A part of the pipeline: the workers of one rank.
//!
//! With P ranks of T workers each, rank p has the workers `p T, p T + 1, ..` of the ring of all P T
//! workers. The links within a rank are channels. The last worker of a rank sends to the first
//! worker of the next rank, over the [`Exchange`]. Rank 0 takes the rows of all blocks.
//!
//! A checkpoint is made by rank 0, above one of its own blocks, m, so that it has the corner and
//! the groups, and it receives all rows in any case. Its words are in files:
//!
//! ```text
//! rank 0                              every other rank
//!   has all rows below block m + 1
//!   -- SAVE m ----------------------> its sources up to m have closed: all their words are in files;
//!                                     it syncs the files with readers above m
//!   <--------------------- FILES m -- their lengths and hashes
//!   writes all of them into the checkpoint
//! ```
//!
//! Rank 0 removes files, so it needs to ask nobody to keep any.

use super::dispatcher::{Dispatcher, RowQueue};
use super::exchange::Exchange;
use super::links::{ForDispatcher, Incoming, PartInput, PartOutput, ToDispatcher, Waits};
use super::wire::{STOP, encode_files, outside};
use crate::transport::Transport;
use record::listeners::{Done, Visitor};
use std::collections::VecDeque;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, Scope};
use std::time::Duration;
use sweep::band::parts::{Links, Message, StartParts, blocks_of, ring};
use sweep::band::pipeline::{BlockIndex, Plan, Visits};
use sweep::error::SweepError;
use words::parts::{CheckpointJob, RunStorage, Saver, Store, start};
use words::{Checkpoint, Checkpoints, WordsError};

/// The work of one part of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PartDone {
    /// The rows that the visitor has seen, and the work done for them: 0 except in rank 0.
    pub(crate) seen: Done,
    /// Cells that the workers of this rank have decided; in rank 0, also those of the rows below
    /// the first block.
    pub(crate) cells: u64,
    /// The sum of the times for which its workers have waited for others.
    pub(crate) waited: Duration,
}

/// A part of a run that begins.
pub(crate) struct Part<'a> {
    pub(crate) rank: usize,
    pub(crate) ranks: usize,
    /// The workers of a rank.
    pub(crate) threads: usize,
    pub(crate) plan: Plan,
    pub(crate) store: &'a Store,
}

impl Part<'_> {
    /// Computes the part of the rows below `end`; resumes from a checkpoint, if given. The visitor
    /// of rank 0 sees every row, in order; the other visitors see none.
    pub(crate) fn run<T: Transport>(
        &self,
        checkpoints: &Checkpoints<'_>,
        from: Option<Checkpoint>,
        exchange: &mut Exchange<'_, T>,
        end: u64,
        visitor: &mut dyn Visitor,
    ) -> Result<PartDone, WordsError> {
        let &Self { rank, plan, store, .. } = self;
        let waker = exchange.ranks.waker();
        let (to_dispatcher, requests) = ToDispatcher::new(waker.clone());
        let waits = &Waits::new(waker);
        let asked = Mutex::new(to_dispatcher.clone());
        let files = |boundary| {
            let (reply, answers) = channel();
            let to_dispatcher = asked.lock().expect("nobody panics while holding it").clone();
            to_dispatcher.send(ForDispatcher::Save(boundary, reply));
            let ended = |_| io::Error::other("the run has ended");
            let mut files = store.states(boundary)?;
            for _ in 1..self.ranks {
                files.extend(answers.recv().map_err(ended)??);
            }
            Ok(files)
        };
        let saver = (rank == 0).then(|| Saver::new(checkpoints, store, &files, plan.frame));
        let mut done = PartDone::default();
        thread::scope(|scope| {
            let (storage, jobs) = RunStorage::new(store, saver.as_ref());
            let mut visits = Visits::new(end, visitor, &storage);
            let start = start(plan, from, &mut visits, store, &storage)?;
            if rank == 0 {
                // All ranks have the rows below the first block. They count once.
                (done.cells, done.seen) = (visits.done.cells, visits.done);
            }
            let Some(start) = start else {
                if visits.done.rows < end {
                    exchange.send_to_all(&[STOP]).map_err(outside)?;
                }
                return Ok(done);
            };
            let start = start.into_parts();
            let (saves, to_save) = channel();
            self.start_helper(scope, saver.as_ref(), jobs, to_save, &to_dispatcher)?;
            let mut dispatcher = Dispatcher {
                exchange,
                frame: plan.frame,
                inputs: Vec::new(),
                waits,
                given_up: &AtomicBool::new(false),
                rows: RowQueue::new(start.workers.band, start.workers.bands),
                visits: &mut visits,
                cells: &mut done.cells,
                saves,
                saving: None,
            };
            let ended = self.work(start, to_dispatcher, &mut dispatcher, requests);
            // The run does not wait for a checkpoint that is being written.
            saver.iter().for_each(Saver::complete);
            drop(dispatcher);
            ended?;
            if rank == 0 {
                done.seen = visits.done;
            }
            done.waited = waits.all();
            Ok(done)
        })
    }

    /// Starts the thread that writes checkpoints, in rank 0, or tells rank 0 the files of words.
    fn start_helper<'s>(
        &'s self,
        scope: &'s Scope<'s, '_>,
        saver: Option<&'s Saver<'_>>,
        jobs: Receiver<CheckpointJob>,
        saves: Receiver<BlockIndex>,
        to_dispatcher: &ToDispatcher,
    ) -> Result<(), SweepError> {
        let (store, to_dispatcher) = (self.store, to_dispatcher.clone());
        let work = move || match saver {
            Some(saver) => saver.write(&jobs),
            None => {
                for boundary in saves {
                    let message = encode_files(boundary, &store.states(boundary));
                    to_dispatcher.send(ForDispatcher::Send(0, message));
                }
            }
        };
        let spawned = thread::Builder::new().spawn_scoped(scope, work);
        spawned.map(drop).map_err(|problem| self.refused(&problem))
    }

    /// The error if the system refuses a thread.
    fn refused(&self, problem: &io::Error) -> SweepError {
        SweepError::Threads { wanted: self.threads + 1, problem: problem.to_string() }
    }

    /// Starts the workers, and runs the dispatcher until the end.
    fn work<T: Transport>(
        &self,
        StartParts { workers, knowledge, messages }: StartParts<'_>,
        to_dispatcher: ToDispatcher,
        dispatcher: &mut Dispatcher<T>,
        requests: Receiver<ForDispatcher>,
    ) -> Result<(), SweepError> {
        let &Self { rank, ranks, threads, plan, .. } = self;
        let (workers, all) = (&workers, (threads * ranks) as u64);
        let (given_up, waits) = (dispatcher.given_up, dispatcher.waits);
        let gate = &Mutex::new(());
        thread::scope(|scope| {
            let messages = messages.into_iter().filter(|_| rank == 0);
            // Workers begin when all of them have been started.
            let begin = gate.lock();
            for (t, (input, near)) in ring::<Incoming>(threads, messages).into_iter().enumerate() {
                dispatcher.inputs.clone_from(&near.workers);
                let number = (rank * threads + t) as u64;
                let is_last = t + 1 == threads && ranks > 1;
                let blocks: VecDeque<_> =
                    blocks_of(number, all, workers.band, workers.bands).collect();
                let output = PartOutput {
                    near,
                    to_dispatcher: to_dispatcher.clone(),
                    given_up,
                    groups: Vec::new(),
                    next: is_last.then_some(((rank + 1) % ranks, &workers.spare)),
                    ends: blocks.iter().map(|block| block.end).collect(),
                    bands: workers.bands,
                };
                let input = PartInput {
                    receiver: input,
                    spare: &workers.spare,
                    frame: plan.frame,
                    waits,
                    blocks,
                    encoded: (Vec::new(), 0),
                    next: None,
                    come: 0,
                };
                let (to_dispatcher, knowledge) = (to_dispatcher.clone(), knowledge.clone());
                let work = move || {
                    let tell =
                        Box::new(move |result| to_dispatcher.send(ForDispatcher::Block(result)));
                    let links = Links { input: Box::new(input), output: Box::new(output), tell };
                    drop(gate.lock());
                    workers.work(number, all, knowledge, links);
                };
                let spawned = thread::Builder::new().spawn_scoped(scope, work);
                spawned.map_err(|problem| self.refused(&problem))?;
            }
            drop((begin, to_dispatcher, knowledge));
            let ended = dispatcher.until_done(&requests);
            // No checkpoint gets files from here on.
            drop(requests);
            // Workers that still wait exit.
            workers.stop.store(true, Ordering::Relaxed);
            for input in dispatcher.inputs.drain(..) {
                let _ = input.send(Message::GivenUp.into());
            }
            ended
        })
    }
}
