//! Options of a run, its memory and its beginning, and its workers as threads of one process.

use super::boundary::Boundary;
use super::link::{Links, Message, ToWorkers, Transmit, Visits, ring};
use super::worker::Workers;
use crate::band::MOST_ROWS;
use crate::band::below::Knowledge;
use crate::band::constants::{Constants, Routes};
use crate::band::geometry::{Frame, Windows, reach};
use crate::band::group::GroupPool;
use crate::band::schedule::BLOCK;
use crate::band::simd::{Kernel, Runnable};
use crate::band::walk::Listen;
use crate::error::SweepError;
use crate::units::{BandIndex, GroupIndex, LANES, RowIndex, index};
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

/// Options of the band engine. They do not change the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Threads of its own, one for each worker; at most one for each block of 512 rows is used.
    /// `None` for one worker on the thread of the caller.
    pub threads: Option<NonZero<usize>>,
    /// The vector instructions.
    pub kernel: Kernel,
    /// The positions of the windows.
    pub windows: Windows,
}

/// One thread for every processor; none where the system does not give their number, as in a
/// browser.
impl Default for Options {
    fn default() -> Self {
        let threads = thread::available_parallelism().ok();
        Self { threads, kernel: Kernel::Auto, windows: Windows::default() }
    }
}

impl Options {
    /// The number of workers: at least one, perhaps on the thread of the caller.
    pub fn workers(self) -> NonZero<usize> {
        self.threads.unwrap_or(NonZero::<usize>::MIN)
    }
}

/// The largest number of workers that [`rows`](crate::band::rows) uses, given this number of
/// threads.
pub fn workers(end: u64, threads: NonZero<usize>) -> u64 {
    end.div_ceil(LANES * BLOCK).min(threads.get() as u64)
}

/// An upper estimate of the memory in bytes that [`rows`](crate::band::rows) needs with this number
/// of threads, measured to 2 * 10^6 rows.
pub fn memory(end: u64, threads: NonZero<usize>) -> u64 {
    memory_of_words(end).saturating_add(memory_besides_words(end, threads))
}

/// The part of [`memory`] that is not for words that wait, in bytes.
pub fn memory_besides_words(end: u64, threads: NonZero<usize>) -> u64 {
    // Each worker has its own tables of the rows below.
    let a_row = 226 + 12 * workers(end, threads);
    end.saturating_mul(a_row).saturating_add(16 << 20)
}

/// The most bytes of words that wait at the same time.
pub fn memory_of_words(end: u64) -> u64 {
    let square = u128::from(end) * u128::from(end) / 270;
    u64::try_from(square).unwrap_or(u64::MAX)
}

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
        let shared = Constants::new(frame, bands, Routes::new(frame));
        let workers = Workers {
            kernel,
            shared,
            pool: Arc::default(),
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
        workers.pool.grow(most.saturating_sub(groups.len()));
    }

    /// Runs in threads of this process, with a worker for each of these listeners, and with no more
    /// workers than there are blocks. Returns whether the visitor wanted more.
    pub(crate) fn in_threads(
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
        let wants_more = self.connected(team, cells, connect, |_, _| visits.blocks(results))?;
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
        connect: impl FnMut(usize, Receiver<Message>, ToWorkers, &Arc<GroupPool>) -> F,
        attend: impl FnOnce(&[Sender<Message>], &GroupPool) -> Result<bool, SweepError>,
    ) -> Result<bool, SweepError> {
        let mut nobody = vec![(); team.threads];
        self.connected(team, as_listeners(&mut nobody), connect, attend)
    }

    fn connected<'l, F: FnOnce() -> Links<'l> + Send>(
        self,
        Team { first, threads, all }: Team,
        cells: Vec<&mut dyn Listen>,
        mut connect: impl FnMut(usize, Receiver<Message>, ToWorkers, &Arc<GroupPool>) -> F,
        attend: impl FnOnce(&[Sender<Message>], &GroupPool) -> Result<bool, SweepError>,
    ) -> Result<bool, SweepError> {
        let Self { ref workers, knowledge, messages } = self;
        let gate = &Mutex::new(());
        thread::scope(|scope| {
            let (mut senders, mut started) = (Vec::new(), Vec::new());
            // Workers begin when all of them have been started.
            let begin = gate.lock();
            for ((t, (input, output)), cells) in ring(threads).enumerate().zip(cells) {
                senders.clone_from(&output.workers);
                let links = connect(t, input, output, &workers.pool);
                let (number, knowledge) = (first + t as u64, knowledge.clone());
                let work = move || {
                    let links = links();
                    drop(gate.lock());
                    workers.work(number, all, knowledge, links, cells);
                };
                // If a thread cannot be started, the ring is incomplete, and the workers exit.
                let thread = thread::Builder::new().spawn_scoped(scope, work);
                started.push(thread.map_err(SweepError::threads(threads))?);
            }
            for message in messages.into_iter().filter(|_| first == 0) {
                let _ = senders[0].send(message);
            }
            drop((begin, connect, knowledge));
            let wants_more = attend(&senders, &workers.pool);
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

    /// Runs on the thread of the caller.
    pub(super) fn in_this_thread(
        self,
        visits: &mut Visits,
        cells: &mut dyn Listen,
    ) -> Result<(), SweepError> {
        self.make_places();
        let Self { workers, knowledge, messages } = self;
        let (input, mut output) = ring(1).next().expect("a worker");
        for message in messages {
            output.transmit(message);
        }
        let mut wants_more = Ok(true);
        let tell = |result| {
            wants_more = visits.block(result);
            wants_more == Ok(true)
        };
        // It never waits for itself, because all messages are there.
        let (input, output, tell) = (Box::new(input), Box::new(output), Box::new(tell));
        workers.work(0, 1, knowledge, Links { input, output, tell }, cells);
        let is_whole = RowIndex(visits.done.rows) == visits.end;
        assert!(wants_more? <= is_whole, "workers end early only with an error");
        Ok(())
    }
}

/// As the engine takes them.
pub(crate) fn as_listeners<C: Listen>(cells: &mut [C]) -> Vec<&mut dyn Listen> {
    cells.iter_mut().map(|cells| -> &mut dyn Listen { cells }).collect()
}
