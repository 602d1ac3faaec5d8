//! Which rank does which blocks.
//!
//! Consecutive blocks make a *run of blocks*, and the ranks take runs in turn. In a rank the
//! workers take the blocks of a run in turn. Groups cross the network where a run ends, and
//! nowhere else, so long runs send less. But a worker does one block after the other. So the last
//! block of a run that is longer than there are workers starts late, and with it the next run, on
//! the next rank.

use crate::{costs::Cluster, plan::Model};

/// Which rank does which blocks, and which of its workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// How many ranks.
    pub ranks: u64,
    /// Workers of each rank.
    pub threads: u64,
    /// Blocks of a run.
    pub run: u64,
}

impl Layout {
    /// Runs of as many blocks as make the whole take the least time by the model.
    #[must_use]
    pub fn choose(model: &Model, cluster: &Cluster) -> Self {
        let layouts = Self::candidates(cluster.ranks, cluster.threads);
        let timed = layouts.map(|layout| (model.predict(layout, cluster).seconds, layout));
        // Of two that take as long, the first.
        let best = timed.reduce(|best, next| if next.0 < best.0 { next } else { best });
        best.expect("there are candidates").1
    }

    /// As many blocks as there are threads, and halves and doubles of that.
    fn candidates(ranks: u64, threads: u64) -> impl Iterator<Item = Self> {
        let factors = [(1, 1), (2, 1), (4, 1), (8, 1), (16, 1), (1, 2), (1, 4)];
        let runs = factors.into_iter().map(move |(times, by)| threads * times / by);
        runs.filter(|&run| run > 0).map(move |run| Self { ranks, threads, run })
    }

    /// All workers.
    #[must_use]
    pub fn workers(&self) -> u64 {
        self.ranks * self.threads
    }

    /// The rank that does a block.
    #[must_use]
    pub fn rank(&self, block: u64) -> u64 {
        block / self.run % self.ranks
    }

    /// The worker that does a block, among the workers of its rank. The first block that a rank
    /// does goes to worker 0, the next to worker 1, and so on.
    #[must_use]
    pub fn worker(&self, block: u64) -> u64 {
        let runs_before = block / self.run / self.ranks;
        (runs_before * self.run + block % self.run) % self.threads
    }

    /// Whether a block gets its groups over the network.
    #[must_use]
    pub fn crosses(&self, block: u64) -> bool {
        self.ranks > 1 && block.is_multiple_of(self.run) && block > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_rank_shares_blocks_as_the_engine_does() {
        for run in [1, 2, 3, 5, 24] {
            let layout = Layout { ranks: 1, threads: 3, run };
            assert!((0..100).all(|m| layout.rank(m) == 0 && layout.worker(m) == m % 3));
            assert!((0..100).all(|m| !layout.crosses(m)));
        }
    }

    #[test]
    fn ranks_take_runs_in_turn() {
        let layout = Layout { ranks: 2, threads: 2, run: 3 };
        let of = |m| (layout.rank(m), layout.worker(m));
        let first: Vec<_> = (0..12).map(of).collect();
        assert_eq!(first[..6], [(0, 0), (0, 1), (0, 0), (1, 0), (1, 1), (1, 0)]);
        assert_eq!(first[6..], [(0, 1), (0, 0), (0, 1), (1, 1), (1, 0), (1, 1)]);
        assert_eq!((1..12).filter(|&m| layout.crosses(m)).collect::<Vec<_>>(), [3, 6, 9]);
    }
}
