//! What a run will take: a model that is calculated at once.
//!
//! A block can start when several things are so, each a certain time after the block below has
//! started. The longest of these times is what one more block costs. Their sum over all blocks,
//! and the time of the last block, is the time of the run. [`Limit`] says what the times are.
//!
//! [`simulation`](crate::simulation) computes when each step of each block happens. The model is
//! compared with that (docs/CLUSTER.md).

use crate::blocks::{BLOCK_ROWS, Block, Run};
use crate::{
    costs::{BATCH, Cluster, Costs, Network, Sizes, count},
    layout::Layout,
};
use std::{collections::BTreeMap, f64::consts::SQRT_2};

/// Bands of a block.
const BANDS: f64 = 64.0;

/// Slots from the first tile of a block to the first of its last band.
const STARTING: f64 = 2.0 * BANDS;

/// Slots from the last tile of a block's first band to that of its last one.
const FINISHING: f64 = (1.0 + SQRT_2) * BANDS;

/// Blocks of which the model looks at each; of more, it takes as many at equal distances.
const SAMPLES: u64 = 512;

/// What one more block waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    /// A worker: it must be done with the block before. Only this becomes less with more workers.
    Work,
    /// The run of blocks below: its last block starts when a worker is done with the one before.
    Runs,
    /// The block below: it must have started all its bands, and be far enough ahead.
    Start,
    /// The block below: it must have finished all its rows.
    Finish,
    /// The network: it must have taken what a block sends.
    Network,
    /// Rank 0: it must have written all rows. Blocks do not wait for that, but the run does.
    Records,
}

impl Limit {
    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Work => "processors",
            Self::Runs => "order in a run of blocks",
            Self::Start => "start of the block below",
            Self::Finish => "finish of the block below",
            Self::Network => "bandwidth",
            Self::Records => "records on rank 0",
        }
    }
}

/// What a run will take.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// Seconds, from start to end.
    pub seconds: f64,
    /// Seconds of work, of all workers together.
    pub work: f64,
    /// What the seconds are spent on: for how long which limit was the longest.
    pub limits: BTreeMap<Limit, f64>,
    /// What goes over the network.
    pub traffic: Traffic,
    /// Bytes of words that wait, at the highest, on all nodes together.
    pub waiting: f64,
    /// Memory of rank 0, without words that wait.
    pub first_rank: f64,
    /// Memory of any other rank, without words that wait.
    pub other_ranks: f64,
}

/// Bytes on the network, by what they are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Traffic {
    /// Posted words.
    pub words: f64,
    /// Groups, and corners.
    pub groups: f64,
    /// Finished rows, which every rank learns.
    pub rows: f64,
    /// Diagonal values, which every rank learns.
    pub diagonals: f64,
}

impl Traffic {
    fn add(&mut self, weight: f64, other: Self) {
        self.words += weight * other.words;
        self.groups += weight * other.groups;
        self.rows += weight * other.rows;
        self.diagonals += weight * other.diagonals;
    }

    /// All of them.
    #[must_use]
    pub fn all(&self) -> f64 {
        self.words + self.groups + self.rows + self.diagonals
    }
}

impl Prediction {
    /// What limits the run: rank 0, if its records take longer than all blocks; otherwise what
    /// limits it for the longest time.
    ///
    /// # Panics
    /// Never: a prediction has limits.
    #[must_use]
    pub fn limit(&self) -> Limit {
        if self.limits.contains_key(&Limit::Records) {
            return Limit::Records;
        }
        let longest = self.limits.iter().max_by(|a, b| a.1.total_cmp(b.1));
        *longest.expect("there are limits").0
    }

    /// The memory that a node needs if no word goes to disk.
    #[must_use]
    pub fn memory(&self, ranks: u64) -> f64 {
        self.first_rank.max(self.other_ranks) + self.waiting / count(ranks)
    }
}

/// What is known of a run, whoever does it.
#[derive(Clone, Debug)]
pub struct Model {
    blocks: u64,
    samples: Vec<Sample>,
    costs: Costs,
    sizes: Sizes,
    waiting: u64,
}

/// A block of a run, which stands for some.
#[derive(Clone, Debug)]
struct Sample {
    block: Block,
    /// How many it stands for.
    weight: f64,
    /// The words that it posts.
    posted: u64,
}

impl Model {
    /// Of this run.
    ///
    /// Cost: O(end · log end), a second at 10^8.
    #[must_use]
    pub fn new(run: &Run, costs: Costs, sizes: Sizes) -> Self {
        let blocks = run.last_block();
        // Blocks are counted from 1.
        let sample = |(number, weight)| Sample {
            block: run.block(number + 1),
            weight,
            posted: run.words_of(number + 1),
        };
        let samples = samples(blocks).map(sample).collect();
        Self { blocks, samples, costs, sizes, waiting: most_waiting(run) }
    }

    /// What the run will take.
    #[must_use]
    pub fn predict(&self, layout: Layout, cluster: &Cluster) -> Prediction {
        let mut limits = BTreeMap::from([(Limit::Work, 0.0)]);
        let (mut alone, mut traffic) = (0.0, Traffic::default());
        for sample in &self.samples {
            let model = self.block(sample, layout, cluster);
            let (limit, seconds) = model.longest();
            *limits.entry(limit).or_default() += sample.weight * seconds;
            alone += sample.weight * model.alone;
            traffic.add(sample.weight, model.traffic);
        }
        if let Some(last) = self.samples.last() {
            let seconds = self.block(last, layout, cluster).alone;
            *limits.entry(Limit::Work).or_default() += seconds;
        }
        let rows = count(self.blocks * BLOCK_ROWS);
        let written = rows * self.costs.record - limits.values().sum::<f64>();
        if written > 0.0 {
            limits.insert(Limit::Records, written);
        }
        let (ranks, threads) = (count(layout.ranks), count(layout.threads));
        let tables = rows * (TABLES + KNOWLEDGE * threads + GROUPS / ranks);
        Prediction {
            seconds: limits.values().sum(),
            work: alone,
            limits,
            traffic,
            waiting: self.sizes.word * count(self.waiting),
            first_rank: tables + rows * RECORDS,
            other_ranks: tables,
        }
    }

    /// The layout with runs of as many blocks as make the whole take the least time.
    #[must_use]
    pub fn best_layout(&self, cluster: &Cluster) -> Layout {
        let Cluster { ranks, threads, .. } = *cluster;
        let timed = |run: u64| {
            let layout = Layout { ranks, threads, run };
            (self.predict(layout, cluster).seconds, layout)
        };
        // As many blocks as there are threads, and doubles and halves of that; of two that take as
        // long, the first.
        let others =
            [2 * threads, 4 * threads, 8 * threads, 16 * threads, threads / 2, threads / 4];
        let others = others.into_iter().filter(|&run| run > 0).map(timed);
        others.fold(timed(threads), |best, next| if next.0 < best.0 { next } else { best }).1
    }

    fn block(&self, sample: &Sample, layout: Layout, cluster: &Cluster) -> BlockModel {
        BlockModel::new(sample, layout, cluster, &self.costs, &self.sizes)
    }
}

/// Bytes of a rank for a row: anchors and weights of the columns that it reaches.
const TABLES: f64 = 14.0;

/// Bytes of a worker for a row: what it knows of it.
const KNOWLEDGE: f64 = 12.0;

/// Bytes of all ranks for a row: the groups that are under way.
const GROUPS: f64 = 24.0;

/// Bytes of rank 0 for a row: its record, until it is written, and what checkpoints say of it.
const RECORDS: f64 = 190.0;

/// Blocks, each with the number of those that it stands for.
fn samples(blocks: u64) -> impl Iterator<Item = (u64, f64)> {
    let taken = blocks.min(SAMPLES);
    let at = move |i: u64| u64::try_from(u128::from(blocks) * u128::from(i) / u128::from(taken));
    (0..taken).map(move |i| {
        let (from, to) = (at(i).expect("below blocks"), at(i + 1).expect("at most blocks"));
        (from.midpoint(to - 1), count(to - from))
    })
}

/// The most words that wait at a time: when some four fifths of the rows are done.
fn most_waiting(run: &Run) -> u64 {
    let blocks = run.last_block();
    (24..30).map(|i| blocks * i / 32).map(|block| run.waiting_after(block)).max().unwrap_or(0)
}

/// A block in the model.
struct BlockModel {
    /// How long it takes a worker.
    alone: f64,
    /// How long after the block below it can start, by each limit.
    after: [(Limit, f64); 5],
    traffic: Traffic,
}

impl BlockModel {
    fn new(
        sample: &Sample,
        layout: Layout,
        cluster: &Cluster,
        costs: &Costs,
        sizes: &Sizes,
    ) -> Self {
        let Sample { block, posted, .. } = sample;
        let groups = block.groups();
        let length = count(groups.end - groups.start);
        let (ranks, threads) = (count(layout.ranks), count(layout.threads));
        let (workers, blocks_of_run) = (count(layout.workers()), count(layout.run));
        let rows = count(BLOCK_ROWS);
        let Network { bandwidth, latency } = cluster.network;

        let slot = BANDS * costs.tile + costs.group;
        let ends = BANDS * (costs.start + costs.finish);
        let alone = length * slot + ends + rows * costs.learn * (workers - 1.0).max(0.0);

        let apart = 1.0 - 1.0 / ranks;
        let crosses = if layout.ranks > 1 { 1.0 / blocks_of_run } else { 0.0 };
        let traffic = Traffic {
            words: apart * sizes.word * count(*posted),
            groups: crosses * (sizes.group * length + sizes.corner),
            rows: (ranks - 1.0) * sizes.row * rows,
            diagonals: (ranks - 1.0) * sizes.diagonal * rows,
        };
        // Groups come and go, and as many words.
        let byte = if cluster.spare { 0.0 } else { costs.byte };
        let talk = crosses * length * (costs.encode + sizes.group * byte) + traffic.words * byte;
        let alone = alone + 2.0 * talk;
        let over = crosses * (latency + count(BATCH) * sizes.group / bandwidth);
        // A block that gets its groups over the network, and those that follow it.
        let pace =
            if layout.ranks > 1 { alone.max(length * sizes.group / bandwidth) } else { alone };

        let headway = count(block.headway(layout.workers()));
        let half = BANDS / 2.0 * costs.tile + costs.group;
        let ahead = (headway + count(BATCH)) * pace / length;
        let start = BANDS * costs.start + STARTING * half + ahead + over;
        let finish = BANDS * costs.finish + FINISHING * half + rows * costs.learn + over;
        let rounds = count(layout.run.div_ceil(layout.threads) - 1);
        let runs = if layout.ranks > 1 { rounds * pace / blocks_of_run + start } else { start };
        let written = rows * costs.record;
        let beside = if cluster.spare { 0.0 } else { written / threads };
        let after = [
            (Limit::Work, pace / workers + beside),
            (Limit::Runs, runs),
            (Limit::Start, start),
            (Limit::Finish, finish),
            (Limit::Network, traffic.all() / (ranks * bandwidth)),
        ];
        Self { alone, after, traffic }
    }

    /// The limit that is longest, and how long it is.
    fn longest(&self) -> (Limit, f64) {
        let longest = |best: (Limit, f64), next: (Limit, f64)| {
            if next.1 > best.1 { next } else { best }
        };
        self.after.into_iter().reduce(longest).expect("there are limits")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_stand_for_all_blocks() {
        for blocks in [0, 1, 2, 511, 512, 513, 5000, 520_000] {
            let samples: Vec<_> = samples(blocks).collect();
            let all: f64 = samples.iter().map(|(_, weight)| weight).sum();
            assert!((all - count(blocks)).abs() < 0.5, "{blocks}");
            assert!(samples.iter().all(|&(number, _)| number < blocks));
            assert!(samples.is_sorted_by(|a, b| a.0 < b.0));
        }
    }
}
