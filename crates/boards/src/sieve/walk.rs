//! A block of lengths of row 1, found column by column.
//!
//! A *column* is a length of row 2. A walker of the [`ring`] goes through [`COLUMNS`] columns
//! together, through the lengths of row 3 in ascending order, so an entry of a table is still in
//! the cache when the next column needs it. The table of row 2 is cut into [`Strip`]s by lengths of
//! row 3. Strips outlive a block, so they are not sent: a walker tells the next one that it has
//! finished a strip, and at last that the positions of its columns were taken.

use std::mem;
use std::num::NonZero;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard};

use super::hits::Hits;
use super::shape::{COLUMNS, STRIP, Shape};
use super::walker::{Column, Strip, Walker};
use crate::error::report;
use crate::threads::{Turn, ring};
use crate::{OnProgress, SolveError};

/// Takes the positions of each column, in ascending order.
pub(super) type TakeColumn<'a> = dyn FnMut(u16, &Hits) + Send + 'a;

/// The search for the P-positions whose row 1 has one of these lengths.
pub(super) struct Search<'a> {
    pub(super) shape: &'a Shape,
    pub(super) lengths: Range<u16>,
    pub(super) threads: NonZero<usize>,
    pub(super) on_progress: &'a OnProgress<'a>,
}

impl Search<'_> {
    /// Finds these P-positions, after those with smaller lengths of row 1.
    pub(super) fn run<const K: usize>(
        &self,
        columns: &mut [Column],
        shut: &mut [Vec<bool>],
        table: &mut [Vec<u64>],
        take: &mut TakeColumn,
    ) -> Result<(), SolveError> {
        let strips = shut.iter_mut().zip(&mut *table).map(|(shut, blocked)| {
            blocked.clear();
            Mutex::new(Strip { blocked: mem::take(blocked), shut: mem::take(shut) })
        });
        let strips: Vec<_> = strips.collect();
        let columns = columns[..self.lengths.end.into()].chunks_mut(COLUMNS);
        let columns: Vec<_> = columns.map(Mutex::new).collect();
        let take = Mutex::new(take);
        let walker = || Walker::<K>::new(self.shape, self.lengths.clone());
        ring(columns.len(), self.threads, walker, |walker, turn| {
            let columns = &mut *lock(&columns[turn.walker]);
            walk(walker, turn, &strips, columns)?;
            if turn.walker > 0 {
                turn.take()?;
            }
            walker.hits().for_each(|(second, hits)| lock(&take)(second, hits));
            turn.hand_on(())?;
            report(self.on_progress, columns.len() as u64)
        })?;
        for ((shut, blocked), strip) in shut.iter_mut().zip(table).zip(strips) {
            let strip = strip.into_inner().expect(NO_PANIC);
            (*shut, *blocked) = (strip.shut, strip.blocked);
        }
        Ok(())
    }
}

const NO_PANIC: &str = "no walker panics";

/// Never waits: only one walker at a time has its turn.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().expect(NO_PANIC)
}

/// Walks a few columns, strip after strip.
fn walk<const K: usize>(
    walker: &mut Walker<K>,
    turn: &Turn<()>,
    strips: &[Mutex<Strip>],
    columns: &mut [Column],
) -> Result<(), SolveError> {
    walker.begin(turn.walker, columns);
    for (index, strip) in strips.iter().enumerate() {
        // The first columns that have such a row 3 begin the strip.
        let first = index * usize::from(STRIP) / COLUMNS;
        if first > turn.walker {
            break;
        }
        if first < turn.walker {
            turn.take()?;
        }
        walker.walk(index, &mut lock(strip), columns);
        turn.hand_on(())?;
    }
    walker.end();
    Ok(())
}
