//! A block of lengths of row 1, found column by column.
//!
//! A *column* is a length of row 2. A thread walks [`COLUMNS`] columns together, through the
//! lengths of row 3 in ascending order, so an entry of a table is still in the cache when the next
//! column needs it. The table of row 2 is cut into [`Strip`]s by lengths of row 3. When one thread
//! has finished a strip, the thread with the next columns takes it, so the threads follow each
//! other.

use std::collections::VecDeque;
use std::io;
use std::mem;
use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread;

use super::column::{BlockPositions, Column};
use super::error::SieveError;
use super::lanes::Lanes;
use super::shape::{COLUMNS, STRIP, Shape};
use super::walker::{Strip, Walker};
use crate::rectangles::OnProgress;

/// Takes the positions of each column, in ascending order.
pub(super) type TakeColumn<'a> = dyn FnMut(u16, &BlockPositions) + Send + 'a;

/// A strip, and the number of the columns that walk it next.
struct Turn<const K: usize> {
    strip: Mutex<(usize, Strip<K>)>,
    handed_on: Condvar,
}

/// The next columns to be taken, and the function that takes them.
struct Taker<'a, 'b> {
    next: usize,
    take: &'a mut TakeColumn<'b>,
}

/// The search for the P-positions whose row 1 has one of these lengths.
pub(super) struct Search<'a> {
    pub(super) shape: &'a Shape,
    pub(super) lengths: Range<u16>,
    pub(super) threads: NonZero<usize>,
    pub(super) on_progress: &'a OnProgress<'a>,
}

impl Search<'_> {
    /// Finds these P-positions, after those with smaller lengths of row 1. If no function takes
    /// them, the columns keep them.
    pub(super) fn run<const K: usize>(
        &self,
        columns: &mut [Column],
        shut: &mut [Vec<bool>],
        table: &mut [Vec<Lanes<K>>],
        take: Option<&mut TakeColumn>,
    ) -> Result<(), SieveError> {
        let strips = shut.iter_mut().zip(&mut *table).zip(0..).map(|((shut, blocked), number)| {
            let first = number * usize::from(STRIP) / COLUMNS;
            blocked.clear();
            let strip = Strip { blocked: mem::take(blocked), shut: mem::take(shut) };
            Turn { strip: Mutex::new((first, strip)), handed_on: Condvar::new() }
        });
        let strips: Vec<Turn<K>> = strips.collect();
        let columns = &mut columns[..usize::from(self.lengths.end)];
        let together: VecDeque<_> = columns.chunks_mut(COLUMNS).enumerate().collect();
        let crew = Crew {
            search: self,
            strips: &strips,
            together: Mutex::new(together),
            taker: take.map(|take| Mutex::new(Taker { next: 0, take })),
            taken: Condvar::new(),
            stopped: AtomicBool::new(false),
        };
        thread::scope(|scope| {
            let others = (1..self.threads.get()).map(|_| {
                let walk = || crew.walk();
                thread::Builder::new().spawn_scoped(scope, walk)
            });
            let others: Result<Vec<_>, io::Error> = others.collect();
            if others.is_err() {
                crew.stop();
            }
            crew.walk();
            others.map(drop).map_err(SieveError::Thread)
        })?;
        if crew.stopped.into_inner() {
            return Err(SieveError::Stopped);
        }
        for ((shut, blocked), turn) in shut.iter_mut().zip(table).zip(strips) {
            let (_, strip) = turn.strip.into_inner().expect("no walker panics");
            (*shut, *blocked) = (strip.shut, strip.blocked);
        }
        Ok(())
    }
}

/// The state that the threads share.
struct Crew<'a, 'b, const K: usize> {
    search: &'a Search<'a>,
    strips: &'a [Turn<K>],
    /// The columns that no thread has taken.
    together: Mutex<VecDeque<(usize, &'a mut [Column])>>,
    /// `None` if the columns keep the found positions.
    taker: Option<Mutex<Taker<'a, 'b>>>,
    /// Some columns were taken.
    taken: Condvar,
    stopped: AtomicBool,
}

impl<const K: usize> Crew<'_, '_, K> {
    /// Walks columns until none are left.
    fn walk(&self) {
        let mut walker = Walker::new(self.search.shape, self.search.lengths.clone());
        while !self.stopped.load(Ordering::Relaxed) {
            let taken = self.together.lock().expect("no walker panics").pop_front();
            let Some((number, columns)) = taken else {
                return;
            };
            let done = columns.len() as u64;
            self.walk_columns(&mut walker, number, columns);
            if (self.search.on_progress)(done).is_break() {
                self.stop();
            }
        }
    }

    fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        for turn in self.strips {
            drop(turn.strip.lock());
            turn.handed_on.notify_all();
        }
        drop(self.taker.as_ref().map(Mutex::lock));
        self.taken.notify_all();
    }

    /// Walks a few columns, strip after strip.
    fn walk_columns(&self, walker: &mut Walker<K>, number: usize, columns: &mut [Column]) {
        walker.begin(number, columns);
        for index in 0..=usize::from(walker.last_second() / STRIP) {
            let Some(mut guard) = self.turn(index, number) else {
                return;
            };
            let (next, strip) = &mut *guard;
            walker.walk(index, strip, columns);
            *next += 1;
            drop(guard);
            self.strips[index].handed_on.notify_all();
        }
        walker.end();
        match &self.taker {
            Some(taker) => self.take(taker, walker, number),
            None => walker.keep(columns),
        }
    }

    /// Has the columns taken, after those before them.
    fn take(&self, taker: &Mutex<Taker>, walker: &Walker<K>, number: usize) {
        let stopped = || self.stopped.load(Ordering::Relaxed);
        let guard = taker.lock().expect("no walker panics");
        let waits = |taker: &mut Taker| taker.next != number && !stopped();
        let mut guard = self.taken.wait_while(guard, waits).expect("no walker panics");
        if stopped() {
            return;
        }
        for (hand, second) in walker.hands.iter().zip(walker.start..) {
            (guard.take)(second, &hand.found);
        }
        guard.next += 1;
        drop(guard);
        self.taken.notify_all();
    }

    /// Waits for a strip; `None` if the sieve is stopped.
    fn turn(&self, index: usize, number: usize) -> Option<MutexGuard<'_, (usize, Strip<K>)>> {
        let turn = &self.strips[index];
        let stopped = || self.stopped.load(Ordering::Relaxed);
        let guard = turn.strip.lock().expect("no walker panics");
        let waits = |state: &mut (usize, Strip<K>)| state.0 != number && !stopped();
        let guard = turn.handed_on.wait_while(guard, waits).expect("no walker panics");
        (!stopped()).then_some(guard)
    }
}
