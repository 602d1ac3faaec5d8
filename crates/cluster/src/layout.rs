//! Which rank does which blocks.
//!
//! Consecutive blocks make a *run of blocks*, and the ranks take runs in turn. In a rank the
//! workers take the blocks of a run in turn. Groups cross the network where a run ends, and
//! nowhere else, so long runs send less. But a worker does one block after the other. So the last
//! block of a run that is longer than there are workers starts late, and with it the next run, on
//! the next rank.

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
    /// All workers.
    #[must_use]
    pub fn workers(&self) -> u64 {
        self.ranks * self.threads
    }

    /// The rank that does a block.
    #[must_use]
    pub fn rank(&self, block: u64) -> u64 {
        self.run_of(block) % self.ranks
    }

    /// The worker that does a block, among the workers of its rank. The first block that a rank
    /// does goes to worker 0, the next to worker 1, and so on.
    #[must_use]
    pub fn worker(&self, block: u64) -> u64 {
        let runs_before = self.run_of(block) / self.ranks;
        (runs_before * self.run + (block - 1) % self.run) % self.threads
    }

    /// Whether a block gets its groups over the network.
    #[must_use]
    pub fn crosses(&self, block: u64) -> bool {
        self.ranks > 1 && block > 1 && self.run_of(block) > self.run_of(block - 1)
    }

    /// The run of blocks that has a block, counted from 0. Blocks are counted from 1.
    fn run_of(&self, block: u64) -> u64 {
        (block - 1) / self.run
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_rank_shares_blocks_as_the_engine_does() {
        for run in [1, 2, 3, 5, 24] {
            let layout = Layout { ranks: 1, threads: 3, run };
            assert!((1..100).all(|m| layout.rank(m) == 0 && layout.worker(m) == (m - 1) % 3));
            assert!((1..100).all(|m| !layout.crosses(m)));
        }
    }

    #[test]
    fn ranks_take_runs_in_turn() {
        let layout = Layout { ranks: 2, threads: 2, run: 3 };
        let of = |m| (layout.rank(m), layout.worker(m));
        let first: Vec<_> = (1..13).map(of).collect();
        assert_eq!(first[..6], [(0, 0), (0, 1), (0, 0), (1, 0), (1, 1), (1, 0)]);
        assert_eq!(first[6..], [(0, 1), (0, 0), (0, 1), (1, 1), (1, 0), (1, 1)]);
        assert_eq!((1..12).filter(|&m| layout.crosses(m)).collect::<Vec<_>>(), [4, 7, 10]);
    }
}
