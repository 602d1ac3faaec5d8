//! Runs of words that wait for their readers.

use crate::{
    band::{simd::Eight, units::BlockIndex},
    units::index,
};
use std::sync::{Arc, Mutex, MutexGuard};

/// Words from one block to another, in the order in which they were posted; or a piece of them.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) source: BlockIndex,
    pub(crate) words: Arc<[Eight]>,
}

/// What waits. All workers share it.
#[derive(Debug, Default)]
pub(crate) struct Office(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    /// By reader.
    runs: Vec<Vec<Run>>,
    /// What is taken by blocks after this one is kept as well, if it comes from no later block.
    boundary: Option<BlockIndex>,
    kept: Vec<(BlockIndex, Run)>,
}

impl Office {
    /// Posts some words.
    pub(crate) fn post(&self, reader: BlockIndex, source: BlockIndex, words: &[Eight]) {
        let run = Run { source, words: words.into() };
        let mut waiting = self.waiting();
        let reader = index(reader.0);
        if waiting.runs.len() <= reader {
            waiting.runs.resize_with(reader + 1, Vec::new);
        }
        waiting.runs[reader].push(run);
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
        self.0.lock().expect("nobody panics while holding it")
    }
}
