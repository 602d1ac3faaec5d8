//! The beginning of a run, and its workers as threads of one process.

use super::boundary::Boundary;
use super::link::{Message, Queue, Transmit, ring};
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
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
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
pub struct Start<'a>(StartParts<'a>);

/// The data of a run before its first block.
pub struct StartParts<'a> {
    /// The data that the workers share.
    pub workers: Workers<'a>,
    /// The rows below the first block.
    pub knowledge: Knowledge,
    /// The messages that the block below the first one would have sent.
    pub messages: [Message; 3],
}

impl<'a> Start<'a> {
    /// Begins with row 0. `None` if the visitor wants no more rows.
    ///
    /// # Errors
    /// Those of a run.
    pub fn seed(plan: Plan, visits: &mut Visits<'a>) -> Result<Option<Self>, SweepError> {
        Self::seed_and_tell(plan, visits, &mut ())
    }

    /// As [`Self::seed`], and reports cells.
    pub(super) fn seed_and_tell(
        plan: Plan,
        visits: &mut Visits<'a>,
        cells: &mut dyn Listen,
    ) -> Result<Option<Self>, SweepError> {
        let boundary = Boundary::seed(plan.frame, visits, cells)?;
        Ok(boundary.map(|boundary| Self::at(plan, boundary, visits)))
    }

    /// Begins at a boundary, whose words are in the storage.
    pub fn at(plan: Plan, boundary: Boundary, visits: &Visits<'a>) -> Self {
        let Plan { kernel, frame, bands } = plan;
        let Boundary { band, knowledge, corner, groups } = boundary;
        let shared = Shared::new(frame, bands, Routes::new(frame));
        let workers = Workers {
            kernel,
            shared,
            spare: Spare::default(),
            storage: visits.storage,
            band,
            bands,
            stop: AtomicBool::new(false),
        };
        let messages = [Message::Started(corner), Message::Groups(groups), Message::Finished];
        Self(StartParts { workers, knowledge, messages })
    }

    /// For other workers than threads of this process.
    #[cfg(feature = "ranks")]
    pub fn into_parts(self) -> StartParts<'a> {
        self.0
    }

    /// Makes places for all groups that will exist at the same time: those that the last band meets
    /// or has activated.
    fn make_places(&self) {
        let StartParts { workers, messages, .. } = &self.0;
        let bands = workers.bands;
        let most = index(reach(bands.first_row()) - GroupIndex(bands.0));
        let Message::Groups(groups) = &messages[1] else { return };
        workers.spare.grow(most.saturating_sub(groups.len()));
    }

    /// Runs in threads of this process. Returns whether the visitor wanted more.
    ///
    /// # Errors
    /// Those of a run.
    ///
    /// # Panics
    /// If the engine itself is wrong.
    pub fn in_threads(
        self,
        threads: NonZero<usize>,
        visits: &mut Visits,
    ) -> Result<bool, SweepError> {
        let mut nobody = vec![(); self.workers(threads)];
        self.run_in_threads::<false>(visits, listeners(&mut nobody))
    }

    /// The number of workers in at most this number of threads: no more than there are blocks.
    pub(super) fn workers(&self, threads: NonZero<usize>) -> usize {
        let workers = &self.0.workers;
        threads.get().min(index((workers.bands - workers.band).div_ceil(BLOCK)))
    }

    /// As [`Self::in_threads`], with a worker for each of these listeners, to which it reports
    /// cells. Not generic, so that this crate compiles it.
    pub(super) fn in_threads_and_tell(
        self,
        visits: &mut Visits,
        cells: Vec<&mut dyn Listen>,
    ) -> Result<bool, SweepError> {
        self.run_in_threads::<true>(visits, cells)
    }

    fn run_in_threads<const HEARD: bool>(
        self,
        visits: &mut Visits,
        cells: Vec<&mut dyn Listen>,
    ) -> Result<bool, SweepError> {
        self.make_places();
        let StartParts { ref workers, knowledge, messages } = self.0;
        let count = cells.len();
        let refused =
            |error: io::Error| SweepError::Threads { wanted: count, problem: error.to_string() };
        let gate = &Mutex::new(());
        thread::scope(|scope| {
            let (sender, results) = channel();
            let mut started = Vec::new();
            // Workers begin when all of them have been started.
            let begin = gate.lock();
            let links = ring::<Message>(count, messages);
            for ((number, (input, output)), cells) in (0..).zip(links).zip(cells) {
                let (sender, knowledge) = (sender.clone(), knowledge.clone());
                let work = move || {
                    let tell = Box::new(move |result| sender.send(result).is_ok());
                    let links = Links { input: Box::new(input), output: Box::new(output), tell };
                    drop(gate.lock());
                    workers.work_and_tell::<HEARD>(number, count as u64, knowledge, links, cells);
                };
                // If a thread cannot be started, the ring is incomplete, and the workers exit.
                let thread = thread::Builder::new().spawn_scoped(scope, work).map_err(refused)?;
                started.push(thread);
            }
            drop((begin, sender, knowledge));
            let wants_more = visits.blocks(results);
            workers.stop.store(true, Ordering::Relaxed);
            let wants_more = wants_more?;
            let is_whole = RowIndex(visits.done.rows) == visits.end;
            assert!(!wants_more || is_whole, "workers end early only with an error");
            for thread in started {
                thread.join().expect("workers do not panic");
            }
            Ok(wants_more)
        })
    }

    /// Runs on the thread of the caller, and reports cells if `HEARD`.
    pub(super) fn in_this_thread_and_tell<const HEARD: bool>(
        self,
        visits: &mut Visits,
        cells: &mut dyn Listen,
    ) -> Result<(), SweepError> {
        self.make_places();
        let StartParts { workers, knowledge, messages } = self.0;
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
        workers.work_and_tell::<HEARD>(
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
pub(super) fn listeners<C: Listen>(cells: &mut [C]) -> Vec<&mut dyn Listen> {
    cells.iter_mut().map(|cells| -> &mut dyn Listen { cells }).collect()
}
