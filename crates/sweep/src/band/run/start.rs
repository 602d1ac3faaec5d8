//! The beginning of a run, and its workers as threads of one process.

use super::{
    boundary::Boundary,
    link::{Message, Queue, Transmit, ring},
    options::Options,
    visits::Visits,
    worker::{Links, Workers},
};
use crate::{
    band::{
        MOST_ROWS,
        below::Knowledge,
        geometry::{Frame, reach},
        group::Spare,
        schedule::BLOCK,
        shared::Shared,
        simd::Runnable,
        units::{BandIndex, GroupIndex, LANES},
        words::Routes,
    },
    error::SweepError,
    units::{RowIndex, index},
};
use record::listeners::Cells;
use std::{
    io,
    num::NonZero,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc::channel,
    },
    thread,
};

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
        cells: &mut impl Cells,
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
            listener: visits.listener,
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
        self.in_threads_and_tell(threads, visits, &|| ()).map(|(wants_more, _)| wants_more)
    }

    /// As [`Self::in_threads`], and reports cells.
    pub(super) fn in_threads_and_tell<C: Cells>(
        self,
        threads: NonZero<usize>,
        visits: &mut Visits,
        cells: &impl Fn() -> C,
    ) -> Result<(bool, Vec<C>), SweepError> {
        self.make_places();
        let StartParts { ref workers, knowledge, messages } = self.0;
        let blocks = (workers.bands - workers.band).div_ceil(BLOCK);
        let count = threads.get().min(index(blocks));
        let refused =
            |error: io::Error| SweepError::Threads { wanted: count, problem: error.to_string() };
        let gate = &Mutex::new(());
        thread::scope(|scope| {
            let (sender, results) = channel();
            let mut started = Vec::new();
            // Workers begin when all of them have been started.
            let begin = gate.lock();
            for (number, (input, output)) in (0..).zip(ring::<Message>(count, messages)) {
                let (sender, knowledge, mut cells) = (sender.clone(), knowledge.clone(), cells());
                let work = move || {
                    let tell = Box::new(move |result| sender.send(result).is_ok());
                    let links = Links { input: Box::new(input), output: Box::new(output), tell };
                    drop(gate.lock());
                    workers.work_and_tell(number, count as u64, knowledge, links, &mut cells);
                    cells
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
            let join = |thread: thread::ScopedJoinHandle<'_, C>| thread.join();
            let told = started.into_iter().map(join).collect::<Result<_, _>>();
            Ok((wants_more, told.expect("workers do not panic")))
        })
    }

    /// Runs on the thread of the caller, and reports cells.
    pub(super) fn in_this_thread_and_tell<C: Cells>(
        self,
        visits: &mut Visits,
        cells: &mut C,
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
        workers.work_and_tell(
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
