//! The order in which threads find the parts.
//!
//! A part waits for those that it needs. Threads take the parts that wait for nothing, in the order
//! of their numbers. Nothing that is found depends on which thread finds it, or when.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::{io, thread};

use super::halves::Halves;
use super::parts::{OnPart, Parts};
use super::walk::{PartWalker, room};
use crate::rectangles::{OnProgress, SolveError};

/// The parts that are not begun.
struct Waiting {
    /// For each part, the number of those that it waits for.
    needs: Vec<usize>,
    /// Those that wait for nothing.
    ready: BTreeSet<u32>,
    /// The number of parts that are not done.
    left: usize,
    /// A thread has failed, or was stopped.
    over: bool,
}

struct Schedule<'a> {
    halves: &'a Halves,
    parts: &'a Parts,
    on_part: &'a OnPart<'a>,
    on_progress: &'a OnProgress<'a>,
    /// For each part, those that wait for it.
    needed_by: Vec<Vec<u32>>,
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

/// Finds all parts that are not known.
pub(super) fn solve(
    halves: &Halves,
    parts: &Parts,
    threads: NonZero<usize>,
    on_part: &OnPart,
    on_progress: &OnProgress,
) -> Result<(), SolveError> {
    let schedule = Schedule::new(halves, parts, on_part, on_progress);
    thread::scope(|scope| {
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, || schedule.work());
        let spawned: Result<Vec<_>, io::Error> = (1..threads.get()).map(spawn).collect();
        let own = match spawned {
            Ok(_) => schedule.work(),
            Err(_) => Err(SolveError::Stopped),
        };
        if own.is_err() {
            schedule.end();
        }
        for thread in spawned.map_err(SolveError::Thread)? {
            thread.join().expect("a walker does not panic")?;
        }
        own
    })
}

impl<'a> Schedule<'a> {
    fn new(
        halves: &'a Halves,
        parts: &'a Parts,
        on_part: &'a OnPart<'a>,
        on_progress: &'a OnProgress<'a>,
    ) -> Self {
        let mut needs = vec![0; 1 << halves.numbered];
        let mut needed_by = vec![Vec::new(); 1 << halves.numbered];
        let mut waiting =
            Waiting { needs: Vec::new(), ready: BTreeSet::new(), left: 0, over: false };
        // Those that are known as well: a part may need others through them.
        for part in halves.parts() {
            for needed in halves.needs(part) {
                needs[part as usize] += 1;
                needed_by[needed as usize].push(part);
            }
            waiting.left += 1;
            if needs[part as usize] == 0 {
                waiting.ready.insert(part);
            }
        }
        waiting.needs = needs;
        let (waiting, changed) = (Mutex::new(waiting), Condvar::new());
        Self { halves, parts, on_part, on_progress, needed_by, waiting, changed }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds parts until none is left.
    fn work(&self) -> Result<(), SolveError> {
        let _end = EndOnPanic(self);
        let mut room = room(self.halves);
        while let Some(part) = self.next() {
            if self.parts.get(part).is_some() {
                self.done(part);
                continue;
            }
            let found =
                PartWalker::walk(self.halves, self.parts, part, &mut room, self.on_progress);
            let kept = found.and_then(|found| match (self.on_part)(part, &found.bytes()) {
                ControlFlow::Continue(()) => Ok(found),
                ControlFlow::Break(()) => Err(SolveError::Stopped),
            });
            match kept {
                Ok(found) => {
                    self.parts.set(part, found);
                    self.done(part);
                }
                Err(error) => {
                    self.end();
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// A part that waits for nothing, as soon as there is one; `None` if all are done, or the work
    /// is over.
    fn next(&self) -> Option<u32> {
        let mut waiting = self.lock();
        while waiting.left > 0 && !waiting.over {
            if let Some(part) = waiting.ready.pop_first() {
                return Some(part);
            }
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    fn done(&self, part: u32) {
        let mut waiting = self.lock();
        waiting.left -= 1;
        for &next in &self.needed_by[part as usize] {
            waiting.needs[next as usize] -= 1;
            if waiting.needs[next as usize] == 0 {
                waiting.ready.insert(next);
            }
        }
        self.changed.notify_all();
    }

    /// Lets all threads end.
    fn end(&self) {
        self.lock().over = true;
        self.changed.notify_all();
    }
}

/// Ends the work when a thread panics, so that the others do not wait for its part.
struct EndOnPanic<'a>(&'a Schedule<'a>);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.end();
        }
    }
}
