//! A model of a run: time, memory and network, computed at once.
//!
//! A block can start when several conditions hold, each a certain time after the block below has
//! started. One more block costs the longest of these times ([`Limit`]). The sum over all blocks,
//! plus the time of the last block, is the time of the run.
//!
//! Tests compare it with measured runs (docs/CLUSTER.md).

use crate::blocks::{BLOCK_ROWS, Block, RunGeometry};
use crate::costs::{
    BATCH, CORNER_BYTES, Cluster, Costs, DIAGONAL_BYTES, GROUP_BYTES, Network, ROW_BYTES,
    WORD_BYTES, count,
};
use std::{collections::BTreeMap, f64::consts::SQRT_2};

/// Bands of a block.
const BANDS: f64 = 64.0;

/// Slots from the first tile of a block to the first tile of its last band.
const STARTING: f64 = 2.0 * BANDS;

/// Slots from the last tile of a block's first band to the last tile of its last band.
const FINISHING: f64 = (1.0 + SQRT_2) * BANDS;

/// The model looks at this number of blocks at most, at equal distances.
const SAMPLES: u64 = 512;

/// The condition that delays the next block most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    /// A worker must have finished its previous block. Only this time shrinks with more workers.
    Work,
    /// The block below must have started all its bands, and be far enough ahead.
    Start,
    /// The block below must have finished all its rows.
    Finish,
    /// The network must have carried the messages of a block.
    Network,
    /// The disks must have taken the words of a block that do not fit into memory.
    Disk,
    /// Rank 0 must have written all rows. The run waits for this, blocks do not.
    Records,
}

impl Limit {
    /// A name for people.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Work => "processors",
            Self::Start => "start of the block below",
            Self::Finish => "finish of the block below",
            Self::Network => "bandwidth",
            Self::Disk => "disk",
            Self::Records => "records on rank 0",
        }
    }
}

/// The predicted cost of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// Seconds from start to end.
    pub seconds: f64,
    /// Seconds of work of all workers together.
    pub work: f64,
    /// The seconds for which each limit was the longest.
    pub limits: BTreeMap<Limit, f64>,
    /// Bytes on the network.
    pub traffic: Traffic,
    /// The most bytes of words that wait at a time, on all nodes together.
    pub waiting: f64,
    /// Memory of rank 0 besides waiting words. The other ranks need less.
    pub tables: f64,
}

/// Bytes on the network.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Traffic {
    /// Stored words.
    pub words: f64,
    /// Groups and corners.
    pub groups: f64,
    /// Finished rows, for every rank.
    pub rows: f64,
    /// Diagonal values, for every rank.
    pub diagonals: f64,
}

impl Traffic {
    fn add(&mut self, weight: f64, other: Self) {
        self.words += weight * other.words;
        self.groups += weight * other.groups;
        self.rows += weight * other.rows;
        self.diagonals += weight * other.diagonals;
    }

    /// The sum.
    #[must_use]
    pub fn all(&self) -> f64 {
        self.words + self.groups + self.rows + self.diagonals
    }
}

impl Prediction {
    /// The bottleneck: rank 0, if its records take longer than all blocks; otherwise the limit that
    /// accounts for most of the time.
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

    /// The memory that a node needs if all words wait in memory.
    #[must_use]
    pub fn memory(&self, ranks: u64) -> f64 {
        self.tables + self.waiting / count(ranks)
    }
}

/// The properties of a run that do not depend on the cluster.
#[derive(Clone, Debug)]
pub struct Model {
    blocks: u64,
    samples: Vec<Sample>,
    costs: Costs,
    /// The most words that wait at a time.
    waiting: u64,
}

/// A block of a run that represents several.
#[derive(Clone, Debug)]
struct Sample {
    block: Block,
    /// The number of blocks that it represents.
    weight: f64,
    /// The words that it stores.
    stored: u64,
}

impl Model {
    /// The model of this run.
    ///
    /// Cost: O(end · log end), a second at 10^8.
    #[must_use]
    pub fn new(run: &RunGeometry, costs: Costs) -> Self {
        let blocks = run.last_block();
        // Blocks are counted from 1.
        let sample = |(number, weight)| Sample {
            block: run.block(number + 1),
            weight,
            stored: run.words_of(number + 1),
        };
        let samples = samples(blocks).map(sample).collect();
        Self { blocks, samples, costs, waiting: most_waiting(run) }
    }

    /// Predicts the run on a cluster.
    #[must_use]
    pub fn predict(&self, cluster: &Cluster) -> Prediction {
        let mut limits = BTreeMap::from([(Limit::Work, 0.0)]);
        let (mut work, mut last, mut traffic) = (0.0, 0.0, Traffic::default());
        let rows = count(self.blocks * BLOCK_ROWS);
        let of_row =
            TABLES + KNOWLEDGE * count(cluster.threads) + GROUPS / count(cluster.ranks) + RECORDS;
        let (waiting, tables) = (WORD_BYTES * count(self.waiting), rows * of_row);
        let room = (cluster.memory - tables).max(0.0) * count(cluster.ranks);
        let on_disk = if waiting > room { 1.0 - room / waiting } else { 0.0 };
        for sample in &self.samples {
            let block = BlockModel::new(sample, on_disk, cluster, &self.costs);
            let (limit, seconds) = block.longest();
            *limits.entry(limit).or_default() += sample.weight * seconds;
            work += sample.weight * block.alone;
            last = block.alone;
            traffic.add(sample.weight, block.traffic);
        }
        *limits.entry(Limit::Work).or_default() += last;
        let written = rows * self.costs.record - limits.values().sum::<f64>();
        if written > 0.0 {
            limits.insert(Limit::Records, written);
        }
        Prediction { seconds: limits.values().sum(), work, limits, traffic, waiting, tables }
    }
}

/// Bytes of a rank for a row: anchors and weights of the columns that it reaches.
const TABLES: f64 = 14.0;

/// Bytes of a worker for a row that it has entered.
const KNOWLEDGE: f64 = 12.0;

/// Bytes of all ranks for a row: the groups that exist at the same time.
const GROUPS: f64 = 24.0;

/// Bytes of rank 0 for a row: its record until it is written, and its part of a checkpoint.
const RECORDS: f64 = 190.0;

/// The numbers of some blocks, each with the number of blocks that it represents.
fn samples(blocks: u64) -> impl Iterator<Item = (u64, f64)> {
    let taken = blocks.min(SAMPLES);
    let at = move |i: u64| u64::try_from(u128::from(blocks) * u128::from(i) / u128::from(taken));
    (0..taken).map(move |i| {
        let (from, to) = (at(i).expect("below blocks"), at(i + 1).expect("at most blocks"));
        (from.midpoint(to - 1), count(to - from))
    })
}

/// The most words that wait at a time: when about four fifths of the rows are finished.
fn most_waiting(run: &RunGeometry) -> u64 {
    let blocks = run.last_block();
    (24..30).map(|i| blocks * i / 32).map(|block| run.waiting_after(block)).max().unwrap_or(0)
}

/// A block in the model.
struct BlockModel {
    /// The time of a worker.
    alone: f64,
    /// By each limit, how long after the block below it can start.
    after: [(Limit, f64); 5],
    traffic: Traffic,
}

impl BlockModel {
    /// `on_disk` is the part of the words that does not fit into memory.
    fn new(sample: &Sample, on_disk: f64, cluster: &Cluster, costs: &Costs) -> Self {
        let Sample { block, stored, .. } = sample;
        let groups = block.groups();
        let length = count(groups.end - groups.start);
        let (ranks, threads) = (count(cluster.ranks), count(cluster.threads));
        let workers = count(cluster.workers());
        let rows = count(BLOCK_ROWS);
        let Network { bandwidth, latency } = cluster.network;

        let slot = BANDS * costs.tile + costs.group;
        let ends = BANDS * (costs.start + costs.finish);
        let alone = length * slot + ends + rows * costs.learn * (workers - 1.0).max(0.0);

        let crosses = if cluster.ranks > 1 { 1.0 / threads } else { 0.0 };
        // All words are written to the shared folder and read from it, most of them elsewhere.
        let words = WORD_BYTES * count(*stored);
        let elsewhere = (1.0 - 1.0 / ranks) * words;
        let traffic = Traffic {
            words: if cluster.ranks > 1 { words } else { 0.0 },
            groups: crosses * (GROUP_BYTES * length + CORNER_BYTES),
            rows: (ranks - 1.0) * ROW_BYTES * rows,
            diagonals: (ranks - 1.0) * DIAGONAL_BYTES * rows,
        };
        // All bytes that are sent are also received.
        let byte = if cluster.spare { 0.0 } else { costs.byte };
        let talk = crosses * length * (costs.encode + GROUP_BYTES * byte) + elsewhere * byte;
        let alone = alone + 2.0 * talk;
        let over = crosses * (latency + count(BATCH) * GROUP_BYTES / bandwidth);
        // The block that receives its groups over the network slows down those after it.
        let pace =
            if cluster.ranks > 1 { alone.max(length * GROUP_BYTES / bandwidth) } else { alone };

        let headway = count(block.headway(cluster.workers()));
        let half = BANDS / 2.0 * costs.tile + costs.group;
        let ahead = (headway + count(BATCH)) * pace / length;
        let start = BANDS * costs.start + STARTING * half + ahead + over;
        let finish = BANDS * costs.finish + FINISHING * half + rows * costs.learn + over;
        let written = rows * costs.record;
        let beside = if cluster.spare { 0.0 } else { written / threads };
        let after = [
            (Limit::Work, pace / workers + beside),
            (Limit::Start, start),
            (Limit::Finish, finish),
            (Limit::Network, traffic.all() / (ranks * bandwidth)),
            (Limit::Disk, on_disk * WORD_BYTES * count(*stored) / (ranks * cluster.disk)),
        ];
        Self { alone, after, traffic }
    }

    /// The longest limit, with its time.
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
    fn samples_represent_all_blocks() {
        for blocks in [0, 1, 2, 511, 512, 513, 5000, 520_000] {
            let samples: Vec<_> = samples(blocks).collect();
            let all: f64 = samples.iter().map(|(_, weight)| weight).sum();
            assert!((all - count(blocks)).abs() < 0.5, "{blocks}");
            assert!(samples.iter().all(|&(number, _)| number < blocks));
            assert!(samples.is_sorted_by(|a, b| a.0 < b.0));
        }
    }
}
