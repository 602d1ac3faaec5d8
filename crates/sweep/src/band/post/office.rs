//! Runs of words that wait for their readers.

use crate::{
    band::{simd::Eight, units::BlockIndex},
    units::index,
};
use std::{
    fmt::{self, Debug, Formatter},
    sync::{Arc, Condvar, Mutex, MutexGuard},
};

/// Words from one block to another, in the order in which they were posted; or a piece of them.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) source: BlockIndex,
    pub(crate) words: Arc<[Eight]>,
}

/// What waits. All workers of a process share it.
#[derive(Debug, Default)]
pub(crate) struct Office {
    waiting: Mutex<Waiting>,
    others: Option<Others>,
}

/// Which blocks are done by this process, if several share the run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elsewhere {
    pub(crate) part: usize,
    pub(crate) parts: usize,
    pub(crate) threads: usize,
}

/// Hands on what is posted to a reader in another process.
type HandOn = dyn Fn(BlockIndex, usize, &Run) + Send + Sync;

/// The other processes that share the run.
struct Others {
    elsewhere: Elsewhere,
    hand_on: Box<HandOn>,
    /// Something has come from them, or nothing will any more.
    arrived: Condvar,
}

impl Debug for Others {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.elsewhere.fmt(f)
    }
}

#[derive(Debug, Default)]
struct Waiting {
    /// By reader.
    runs: Vec<Vec<Run>>,
    /// What is taken by blocks after this one is kept as well, if it comes from no later block.
    boundary: Option<BlockIndex>,
    kept: Vec<(BlockIndex, Run)>,
    /// Nothing will come from other processes any more.
    closed: bool,
}

impl Office {
    /// From now on, other processes have some of the blocks, and `hand_on` takes what is posted to
    /// them. What block 0 has posted to them they have posted themselves.
    pub(crate) fn share(
        &mut self,
        elsewhere: Elsewhere,
        hand_on: impl Fn(BlockIndex, usize, &Run) + Send + Sync + 'static,
    ) {
        let mut waiting = self.waiting();
        let readers = (0..).map(BlockIndex).zip(&mut waiting.runs);
        readers.filter(|(n, _)| elsewhere.has(*n)).for_each(|(_, runs)| runs.clear());
        drop(waiting);
        let others = Others { elsewhere, hand_on: Box::new(hand_on), arrived: Condvar::new() };
        self.others = Some(others);
    }

    /// Posts some words.
    pub(crate) fn post(&self, reader: BlockIndex, source: BlockIndex, words: &[Eight]) {
        let run = Run { source, words: words.into() };
        match &self.others {
            Some(others) if others.elsewhere.has(reader) => {
                let to = others.elsewhere.of(reader).expect("it is elsewhere");
                (others.hand_on)(reader, to, &run);
            }
            _ => self.arrive(reader, run),
        }
    }

    /// Waits until there is more for `reader`, if that can be; says whether.
    pub(crate) fn wait(&self, reader: BlockIndex) -> bool {
        let Some(others) = &self.others else { return false };
        let mut waiting = self.waiting();
        let reader = index(reader.0);
        while waiting.runs.get(reader).is_none_or(Vec::is_empty) {
            if waiting.closed {
                return false;
            }
            waiting = others.arrived.wait(waiting).expect("nobody panics while holding it");
        }
        true
    }

    /// Whether nothing will come any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.others.is_some() && self.waiting().closed
    }

    /// Nothing will come from other processes any more.
    pub(crate) fn close(&self) {
        self.waiting().closed = true;
        self.others.iter().for_each(|others| others.arrived.notify_all());
    }

    /// Some words for a reader of this process have come.
    pub(crate) fn arrive(&self, reader: BlockIndex, run: Run) {
        let mut waiting = self.waiting();
        let reader = index(reader.0);
        if waiting.runs.len() <= reader {
            waiting.runs.resize_with(reader + 1, Vec::new);
        }
        waiting.runs[reader].push(run);
        self.others.iter().for_each(|others| others.arrived.notify_all());
    }

    /// Takes what waits for `reader`.
    pub(crate) fn take(&self, reader: BlockIndex) -> Vec<Run> {
        let mut waiting = self.waiting();
        let runs = waiting.runs.get_mut(index(reader.0)).map(std::mem::take).unwrap_or_default();
        if let Some(boundary) = waiting.boundary.filter(|&boundary| boundary < reader) {
            let old = runs.iter().filter(|run| run.source <= boundary);
            waiting.kept.extend(old.map(|run| (reader, run.clone())));
        }
        runs
    }

    /// Prepares for a [`copy`](Self::copy) of what waits between block `boundary`, which has not
    /// begun, and the next.
    pub(crate) fn keep(&self, boundary: BlockIndex) {
        let mut waiting = self.waiting();
        waiting.boundary = Some(boundary);
        waiting.kept.clear();
    }

    /// All that the blocks up to `boundary` have posted to later ones, whether it has been read or
    /// not: by reader, then by source, then in the order in which it was posted.
    pub(crate) fn copy(&self, boundary: BlockIndex) -> Vec<(BlockIndex, Run)> {
        let mut waiting = self.waiting();
        debug_assert_eq!(waiting.boundary, Some(boundary));
        waiting.boundary = None;
        let mut copy = std::mem::take(&mut waiting.kept);
        for (reader, runs) in (0..).map(BlockIndex).zip(&waiting.runs) {
            let old = runs.iter().filter(|run| run.source <= boundary && reader > boundary);
            copy.extend(old.map(|run| (reader, run.clone())));
        }
        drop(waiting);
        copy.sort_by_key(|(reader, run)| (*reader, run.source));
        copy
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().expect("nobody panics while holding it")
    }
}

impl Elsewhere {
    /// Whether another process has a block.
    fn has(&self, block: BlockIndex) -> bool {
        self.of(block).is_some()
    }

    /// The other process that has a block, if one has.
    fn of(&self, block: BlockIndex) -> Option<usize> {
        let worker = index(block.0.checked_sub(1)?);
        let part = worker / self.threads % self.parts;
        (part != self.part).then_some(part)
    }
}
