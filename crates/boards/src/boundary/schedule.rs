//! The order in which threads find the parts.
//!
//! A part waits for those that it needs; those that wait for nothing stand in a queue. A thread
//! that has found a part puts those into the queue that waited for it alone. Nothing that is found
//! depends on which thread finds it, or when.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use super::halves::Halves;
use super::parts::{OnPart, Parts};
use super::walk::{PartWalker, room};
use crate::threads::on_threads;
use crate::{OnProgress, SolveError};

/// Finds all parts that are not known.
pub(super) fn solve(
    halves: &Halves,
    parts: &Parts,
    threads: NonZero<usize>,
    on_part: &OnPart,
    on_progress: &OnProgress,
) -> Result<(), SolveError> {
    let mut waits = Vec::new();
    waits.resize_with(1 << halves.numbered, Waits::default);
    // Those that are known as well: a part may need others through them.
    for part in halves.parts() {
        for needed in halves.needs(part) {
            *waits[part as usize].needs.get_mut() += 1;
            waits[needed as usize].needed_by.push(part);
        }
    }
    let (ready, queue) = channel();
    let is_ready = |&part: &u32| waits[part as usize].needs.load(Ordering::Relaxed) == 0;
    halves.parts().filter(is_ready).for_each(|part| _ = ready.send(Some(part)));
    let schedule = Schedule {
        halves,
        parts,
        on_part,
        on_progress,
        waits,
        left: AtomicUsize::new(halves.parts().count()),
        queue: Mutex::new(queue),
        is_over: AtomicBool::new(false),
    };
    let workers = (0..threads.get()).map(|_| Worker { schedule: &schedule, ready: ready.clone() });
    on_threads(workers.map(|worker| move || worker.work())).map(drop)
}

/// The parts before and after a part.
#[derive(Default)]
struct Waits {
    /// The number of parts that it waits for.
    needs: AtomicUsize,
    /// Those that wait for it.
    needed_by: Vec<u32>,
}

/// What the threads share.
struct Schedule<'a> {
    halves: &'a Halves,
    parts: &'a Parts,
    on_part: &'a OnPart<'a>,
    on_progress: &'a OnProgress<'a>,
    /// By part.
    waits: Vec<Waits>,
    /// The number of parts that are not done.
    left: AtomicUsize,
    /// The parts that wait for nothing; `None` after the last one.
    queue: Mutex<Receiver<Option<u32>>>,
    is_over: AtomicBool,
}

/// A thread.
struct Worker<'a> {
    schedule: &'a Schedule<'a>,
    ready: Sender<Option<u32>>,
}

impl Worker<'_> {
    /// Finds parts until none is left.
    fn work(self) -> Result<(), SolveError> {
        let &Schedule { halves, parts, on_part, on_progress, .. } = self.schedule;
        let mut room = room(halves);
        while let Some(part) = self.next() {
            if parts.get(part).is_none() {
                let found = PartWalker::walk(halves, parts, part, &mut room, on_progress)?;
                if on_part(part, &found.bytes()).is_break() {
                    return Err(SolveError::Stopped);
                }
                parts.set(part, found);
            }
            for &next in &self.schedule.waits[part as usize].needed_by {
                if self.schedule.waits[next as usize].needs.fetch_sub(1, Ordering::AcqRel) == 1 {
                    _ = self.ready.send(Some(next));
                }
            }
            if self.schedule.left.fetch_sub(1, Ordering::AcqRel) == 1 {
                break;
            }
        }
        Ok(())
    }

    /// A part that waits for nothing, as soon as there is one; `None` if all are done, or a thread
    /// has ended.
    fn next(&self) -> Option<u32> {
        let queue = self.schedule.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let next = queue.recv().ok().flatten();
        next.filter(|_| !self.schedule.is_over.load(Ordering::Relaxed))
    }
}

/// A thread that ends, also by an error or a panic, lets the others end.
impl Drop for Worker<'_> {
    fn drop(&mut self) {
        self.schedule.is_over.store(true, Ordering::Relaxed);
        _ = self.ready.send(None);
    }
}
