//! The beginning of a run, and its workers as threads of one process.

use super::boundary::Boundary;
use super::link::{Message, Queue, ToWorkers, Transmit, ring};
use super::options::Options;
use super::visits::Visits;
use super::worker::{Links, Workers};
use crate::band::MOST_ROWS;
use crate::band::below::Knowledge;
use crate::band::cells::Listen;
use crate::band::geometry::{Frame, reach};
use crate::band::group::Spare;
use crate::band::schedule::BLOCK;
use crate::band::shared::Shared;
use crate::band::simd::Runnable;
use crate::band::units::{BandIndex, GroupIndex, LANES};
use crate::band::words::Routes;
use crate::error::SweepError;
use crate::units::{RowIndex, index};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::{io, thread};

/// The constants of a run, before anything is computed.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    kernel: Runnable,
    /// The windows, and the end for which words are kept.
    pub frame: Frame,
    /// The run ends before this band.
    pub bands: BandIndex,
}

impl Plan {
    /// For the rows below `end`.
    ///
    /// # Errors
    /// [`SweepError::Kernel`] and [`SweepError::End`].
    pub fn new(end: u64, options: &Options) -> Result<Self, SweepError> {
        let kernel = options.kernel.detect()?;
        let bands = BandIndex(end.div_ceil(LANES));
        if bands > Frame::MOST_BANDS {
            return Err(SweepError::End { end, most: MOST_ROWS });
        }
        Ok(Self { kernel, frame: Frame { windows: options.windows, bands }, bands })
    }
}

/// A run before its first block.
pub struct Start<'a> {
    /// The data that the workers share.
    workers: Workers<'a>,
    /// The rows below the first block.
    knowledge: Knowledge,
    /// The messages that the block below the first one would have sent.
    messages: [Message; 3],
}

/// Successive workers in threads of one process, and all workers of the run, of which other
/// processes can have some.
#[derive(Clone, Copy, Debug)]
pub struct Team {
    /// The number of the first of them.
    pub first: u64,
    /// How many they are.
    pub threads: usize,
    /// All workers of the run.
    pub all: u64,
}

impl<'a> Start<'a> {
    /// Begins with row 0, and reports cells. `None` if the visitor wants no more rows.
    pub(crate) fn seed(
        plan: Plan,
        visits: &mut Visits<'a>,
        cells: &mut dyn Listen,
    ) -> Result<Option<Self>, SweepError> {
        let boundary = Boundary::seed(plan.frame, visits, cells)?;
        Ok(boundary.map(|boundary| Self::at(plan, boundary, visits)))
    }

    /// Begins at a boundary, whose words are in the storage.
    pub(crate) fn at(plan: Plan, boundary: Boundary, visits: &Visits<'a>) -> Self {
        let Plan { kernel, frame, bands } = plan;
        let Boundary { band, knowledge, corner, groups } = boundary;
        let shared = Shared::new(frame, bands, Routes::new(frame));
        let workers = Workers {
            kernel,
            shared,
            spare: Arc::new(Spare::default()),
            storage: visits.storage,
            bands: band..bands,
            stop: AtomicBool::new(false),
        };
        let messages = [Message::Started(corner), Message::Groups(groups), Message::Finished];
        Self { workers, knowledge, messages }
    }

    /// The bands of its blocks.
    #[cfg(feature = "ranks")]
    pub fn bands(&self) -> std::ops::Range<BandIndex> {
        self.workers.bands.clone()
    }

    /// Makes places for all groups that will exist at the same time: those that the last band meets
    /// or has activated.
    fn make_places(&self) {
        let Self { workers, messages, .. } = self;
        let bands = workers.bands.end;
        let most = index(reach(bands.first_row()) - GroupIndex(bands.0));
        let Message::Groups(groups) = &messages[1] else { return };
        workers.spare.grow(most.saturating_sub(groups.len()));
    }

    /// Runs in threads of this process, with a worker for each of these listeners, to which it
    /// reports cells if `HEARD`; with no more workers than there are blocks. Returns whether the
    /// visitor wanted more.
    pub(crate) fn in_threads<const HEARD: bool>(
        self,
        visits: &mut Visits,
        mut cells: Vec<&mut dyn Listen>,
    ) -> Result<bool, SweepError> {
        let bands = &self.workers.bands;
        cells.truncate(index((bands.end - bands.start).div_ceil(BLOCK)));
        self.make_places();
        let threads = cells.len();
        let team = Team { first: 0, threads, all: threads as u64 };
        let (sender, results) = channel();
        let connect = move |_, input, output: ToWorkers, _: &_| {
            let sender = sender.clone();
            move || Links {
                input: Box::new(input),
                output: Box::new(output),
                tell: Box::new(move |result| sender.send(result).is_ok()),
            }
        };
        let wants_more =
            self.connected::<HEARD, _>(team, cells, connect, |_, _| visits.blocks(results))?;
        let is_whole = RowIndex(visits.done.rows) == visits.end;
        assert!(!wants_more || is_whole, "workers end early only with an error");
        Ok(wants_more)
    }

    /// Runs the workers of a team of several in threads, with other links than channels between
    /// them, while `attend` runs on this thread, with the channels to the workers and the places of
    /// groups. The workers end when it ends, and its result is returned.
    ///
    /// `connect` gets the number of a worker in the team, the end of the channel to it, the
    /// channels from it to all others, and the places of groups, and makes a function that makes
    /// the links of the worker on its thread.
    ///
    /// # Errors
    /// That of `attend`, or [`SweepError::Threads`].
    ///
    /// # Panics
    /// If the engine itself is wrong.
    #[cfg(feature = "ranks")]
    pub fn in_team<'l, F: FnOnce() -> Links<'l> + Send>(
        self,
        team: Team,
        connect: impl FnMut(usize, Receiver<Message>, ToWorkers, &Arc<Spare>) -> F,
        attend: impl FnOnce(&[Sender<Message>], &Spare) -> Result<bool, SweepError>,
    ) -> Result<bool, SweepError> {
        let mut nobody = vec![(); team.threads];
        self.connected::<false, _>(team, as_listeners(&mut nobody), connect, attend)
    }

    fn connected<'l, const HEARD: bool, F: FnOnce() -> Links<'l> + Send>(
        self,
        Team { first, threads, all }: Team,
        cells: Vec<&mut dyn Listen>,
        mut connect: impl FnMut(usize, Receiver<Message>, ToWorkers, &Arc<Spare>) -> F,
        attend: impl FnOnce(&[Sender<Message>], &Spare) -> Result<bool, SweepError>,
    ) -> Result<bool, SweepError> {
        let Self { ref workers, knowledge, messages } = self;
        let refused =
            |error: io::Error| SweepError::Threads { wanted: threads, problem: error.to_string() };
        let gate = &Mutex::new(());
        thread::scope(|scope| {
            let (mut senders, mut started) = (Vec::new(), Vec::new());
            // Workers begin when all of them have been started.
            let begin = gate.lock();
            for ((t, (input, output)), cells) in ring(threads).enumerate().zip(cells) {
                senders.clone_from(&output.workers);
                let links = connect(t, input, output, &workers.spare);
                let (number, knowledge) = (first + t as u64, knowledge.clone());
                let work = move || {
                    let links = links();
                    drop(gate.lock());
                    workers.work::<HEARD>(number, all, knowledge, links, cells);
                };
                // If a thread cannot be started, the ring is incomplete, and the workers exit.
                let thread = thread::Builder::new().spawn_scoped(scope, work).map_err(refused)?;
                started.push(thread);
            }
            for message in messages.into_iter().filter(|_| first == 0) {
                let _ = senders[0].send(message);
            }
            drop((begin, connect, knowledge));
            let wants_more = attend(&senders, &workers.spare);
            workers.stop.store(true, Ordering::Relaxed);
            // For workers that wait for another process.
            for worker in senders {
                let _ = worker.send(Message::GivenUp);
            }
            let wants_more = wants_more?;
            for thread in started {
                thread.join().expect("workers do not panic");
            }
            Ok(wants_more)
        })
    }

    /// Runs on the thread of the caller, and reports cells if `HEARD`.
    pub(super) fn in_this_thread<const HEARD: bool>(
        self,
        visits: &mut Visits,
        cells: &mut dyn Listen,
    ) -> Result<(), SweepError> {
        self.make_places();
        let Self { workers, knowledge, messages } = self;
        let mut queue = Queue::default();
        for message in messages {
            queue.transmit(message);
        }
        let mut wants_more = Ok(true);
        let tell = |result| {
            wants_more = visits.block(result);
            wants_more == Ok(true)
        };
        let (input, output) = (Box::new(queue.clone()), Box::new(queue));
        workers.work::<HEARD>(
            0,
            1,
            knowledge,
            Links { input, output, tell: Box::new(tell) },
            cells,
        );
        let is_whole = RowIndex(visits.done.rows) == visits.end;
        assert!(wants_more? <= is_whole, "workers end early only with an error");
        Ok(())
    }
}

/// As the engine takes them.
pub(crate) fn as_listeners<C: Listen>(cells: &mut [C]) -> Vec<&mut dyn Listen> {
    cells.iter_mut().map(|cells| -> &mut dyn Listen { cells }).collect()
}
