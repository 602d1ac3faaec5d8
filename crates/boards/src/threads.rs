//! Threads that share the work of a solver.
//!
//! In a [`ring`] the work is cut twice: into *walkers* and, for each walker, into *slices*. A
//! walker needs slice k from the walker before it, changes it, and hands it on. So walkers on
//! different threads follow each other, each some slices behind the one before:
//!
//! ```text
//! walker 0   slice 0 ─┐
//! walker 1            └▶ slice 0 ─▶ slice 1 ─┐
//! walker 2                 └▶ slice 0 ─▶      └▶ slice 1 ─▶ slice 2
//! ```
//!
//! Thread k of t has the walkers k, k + t, k + 2t, ... and a channel to the next thread; the last
//! thread has one to the first. Channels keep the order of the slices. A thread that ends early
//! drops its ends of two channels; then its neighbours find them closed, and all threads end.

use std::num::NonZero;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::SolveError;

/// Runs each function on a thread of its own, the first of them on this one. If the operating
/// system refuses a thread, the functions that did not run are dropped.
pub(crate) fn on_threads<T: Send, F: FnOnce() -> Result<T, SolveError> + Send>(
    functions: impl IntoIterator<Item = F>,
) -> Result<Vec<T>, SolveError> {
    let mut functions = functions.into_iter();
    let own = functions.next();
    thread::scope(|scope| {
        let spawn = |function| thread::Builder::new().spawn_scoped(scope, function);
        let spawned: Result<Vec<_>, _> = functions.map(spawn).collect();
        let spawned = spawned.map_err(SolveError::Thread)?;
        let own = own.map(|own| own());
        let others = spawned.into_iter().map(|thread| thread.join().expect("no walker panics"));
        own.into_iter().chain(others).collect()
    })
}

/// A walker among its neighbours in a ring.
pub(crate) struct Turn<'a, S> {
    /// The number of the walker, from 0 on.
    pub(crate) walker: usize,
    is_last: bool,
    previous: &'a Receiver<S>,
    next: &'a Sender<S>,
}

impl<S> Turn<'_, S> {
    /// Waits for the next slice that the walker before hands on.
    pub(crate) fn take(&self) -> Result<S, SolveError> {
        self.previous.recv().map_err(|_| SolveError::Stopped)
    }

    /// Hands a slice on to the walker after this one, if there is one.
    pub(crate) fn hand_on(&self, slice: S) -> Result<(), SolveError> {
        if self.is_last {
            return Ok(());
        }
        self.next.send(slice).map_err(|_| SolveError::Stopped)
    }
}

/// Runs this number of walkers on at most this number of threads, each with a state of its own.
/// Returns the results by walker.
pub(crate) fn ring<S: Send, T: Send, State>(
    walkers: usize,
    threads: NonZero<usize>,
    state: impl Fn() -> State + Sync,
    walk: impl Fn(&mut State, &Turn<S>) -> Result<T, SolveError> + Sync,
) -> Result<Vec<T>, SolveError> {
    let threads = threads.get().min(walkers);
    let (senders, mut receivers): (Vec<_>, Vec<_>) = (0..threads).map(|_| channel()).unzip();
    receivers.rotate_right(1);
    let (state, walk) = (&state, &walk);
    let functions = senders.into_iter().zip(receivers).enumerate().map(|(first, channels)| {
        move || {
            let (mut state, (next, previous)) = (state(), &channels);
            let turn = |walker| Turn { walker, is_last: walker + 1 == walkers, previous, next };
            let walkers = (first..walkers).step_by(threads);
            walkers.map(|walker| walk(&mut state, &turn(walker))).collect()
        }
    });
    let results: Vec<Vec<T>> = on_threads(functions)?;
    let mut results: Vec<_> = results.into_iter().map(Vec::into_iter).collect();
    let of_walker = |walker: usize| results[walker % threads].next();
    Ok((0..walkers).map_while(of_walker).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each walker w adds w to slices 0 to w; slice k has passed the walkers from k on.
    #[test]
    fn slices_pass_all_walkers_in_order() {
        for threads in [1, 2, 3, 8] {
            let threads = NonZero::new(threads).expect("not 0");
            let walked = ring(
                5,
                threads,
                || (),
                |(), turn| {
                    let mut seen = Vec::new();
                    for slice in 0..=turn.walker {
                        let mut passed =
                            if slice < turn.walker { turn.take()? } else { Vec::new() };
                        passed.push(turn.walker);
                        seen.push(passed.clone());
                        turn.hand_on(passed)?;
                    }
                    Ok(seen)
                },
            );
            let expected = |walker| (0..=walker).map(|slice| (slice..=walker).collect()).collect();
            let expected: Vec<Vec<Vec<usize>>> = (0..5).map(expected).collect();
            assert_eq!(walked.expect("nobody stops"), expected);
        }
    }

    #[test]
    fn a_walker_that_stops_ends_all() {
        for (threads, stops) in [(1, 3), (2, 0), (3, 2), (4, 6)] {
            let threads = NonZero::new(threads).expect("not 0");
            let walked = ring(
                7,
                threads,
                || (),
                |(), turn| {
                    if turn.walker == stops {
                        return Err(SolveError::Stopped);
                    }
                    if turn.walker > 0 {
                        turn.take()?;
                    }
                    turn.hand_on(())
                },
            );
            assert!(matches!(walked, Err(SolveError::Stopped)));
        }
    }
}
