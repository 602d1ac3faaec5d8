//! A model of a run: time, memory and network, computed at once.
//!
//! A block can start when several conditions hold, each a certain time after the block below has
//! started. One more block costs the longest of these times ([`LIMITS`]). The sum over all blocks,
//! plus the time of the last block, is the time of the run.
//!
//! Times are in seconds and sizes in bytes. They are estimates, so they are floating-point numbers;
//! no row depends on them. Tests compare them with measured runs (docs/CLUSTER.md).

use std::f64::consts::SQRT_2;
use sweep::band::parts::{BLOCK, first_tile, headway, last_tile};
use sweep::band::pipeline::{BandIndex, FIRST_BAND, LANES};

/// Bands of a block, rows of a band, and rows of a block.
const BANDS: f64 = 64.0;
const BAND: f64 = 8.0;
const ROWS: f64 = BANDS * BAND;

/// Slots from the first tile of a block to the first tile of its last band.
const STARTING: f64 = 2.0 * BANDS;

/// Slots from the last tile of a block's first band to the last tile of its last band.
const FINISHING: f64 = (1.0 + SQRT_2) * BANDS;

/// The model looks at this number of blocks at most, at equal distances.
const SAMPLES: u64 = 512;

/// Bytes of a group on the network, on average.
const GROUP: f64 = 254.0;

/// Bytes of a stored word of eight columns.
const WORD: f64 = 64.0;

/// Bytes of an encoded row, of a diagonal value, and of a corner.
const ROW: f64 = 20.0;
const DIAGONAL: f64 = 8.0;
const CORNER: f64 = 2600.0;

/// Groups in a message from worker to worker.
const BATCH: f64 = 16.0;

/// Bytes of a rank for a row: anchors and weights of the columns that it reaches.
const TABLES: f64 = 14.0;

/// Bytes of a worker for a row that it has entered.
const KNOWLEDGE: f64 = 12.0;

/// Bytes of all ranks for a row: the groups that exist at the same time.
const GROUPS: f64 = 24.0;

/// Bytes of rank 0 for a row: its record until it is written, and its part of a checkpoint.
const RECORDS: f64 = 190.0;

/// Times of a worker. The defaults were measured (docs/CLUSTER.md).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// A tile of 64 cells.
    pub tile: f64,
    /// A group joins a block and leaves it, with its memory accesses.
    pub group: f64,
    /// A band starts: from the diagonal to its first tile.
    pub start: f64,
    /// A band finishes: the last cells of its rows.
    pub finish: f64,
    /// A worker enters a row of another block in its tables.
    pub learn: f64,
    /// The caller makes a record of a row and writes it.
    pub record: f64,
    /// A rank encodes a group for the network, or decodes one.
    pub encode: f64,
    /// The other threads of a rank send or receive a byte.
    pub byte: f64,
}

impl Default for Costs {
    fn default() -> Self {
        Self {
            tile: 19.0e-9,
            group: 175.0e-9,
            start: 4.5e-6,
            finish: 3.0e-6,
            learn: 0.2e-6,
            record: 1.8e-6,
            encode: 30.0e-9,
            byte: 0.25e-9,
        }
    }
}

/// A cluster, with one rank on each node.
///
/// Ranks take blocks in turn, each as many as it has workers. So groups cross the network where the
/// last worker of a rank sends to the first worker of the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cluster {
    /// Ranks, one on each node.
    pub ranks: u64,
    /// Workers of a rank, each in a thread.
    pub threads: u64,
    /// Whether a node has another processor for the threads that are not workers.
    pub spare: bool,
    /// Memory of a node.
    pub memory: f64,
    /// Bytes that the disk of a node writes in a second, while it reads as many.
    pub disk: f64,
    /// Bytes that a node can send in a second, while it receives as many.
    pub bandwidth: f64,
    /// Seconds that a short message takes.
    pub latency: f64,
}

impl Cluster {
    /// Some cluster: the traffic depends on nothing else.
    #[must_use]
    pub fn any(ranks: u64, threads: u64) -> Self {
        let (memory, disk, bandwidth, latency) = (1e9, 1e9, 1e9, 1e-6);
        Self { ranks, threads, spare: true, memory, disk, bandwidth, latency }
    }
}

/// The conditions that delay a block, in words: a worker must have finished its previous block
/// (only this time shrinks with more workers); the block below must have started all its bands, and
/// be far enough ahead; the block below must have finished all its rows; the network must have
/// carried the messages of a block; the disks must have taken the words of a block that do not fit
/// into memory; and rank 0 must have written all rows, for which the run waits and blocks do not.
pub const LIMITS: [&str; 6] = [
    "processors",
    "start of the block below",
    "finish of the block below",
    "bandwidth",
    "disk",
    "records on rank 0",
];

/// The kinds of messages: words go to the shared folder, finished rows and diagonal values to every
/// rank.
pub const KINDS: [&str; 4] = ["stored words", "groups", "finished rows", "diagonal values"];

/// The predicted cost of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// Seconds from start to end.
    pub seconds: f64,
    /// Seconds of work of all workers together.
    pub work: f64,
    /// The bottleneck, one of [`LIMITS`]: rank 0, if its records take longer than all blocks;
    /// otherwise the limit that accounts for most of the time.
    pub limit: &'static str,
    /// Bytes on the network, of each of [`KINDS`].
    pub traffic: [f64; 4],
    /// The most bytes of words that wait at a time, on all nodes together.
    pub waiting: f64,
    /// Memory of rank 0 besides waiting words. The other ranks need less.
    pub tables: f64,
}

impl Prediction {
    /// Predicts the run of the rows below `end` on a cluster.
    #[must_use]
    pub fn new(end: u64, cluster: &Cluster, costs: &Costs) -> Self {
        let end = BandIndex(end.div_ceil(LANES));
        let blocks = end.0.saturating_sub(FIRST_BAND.0).div_ceil(BLOCK);
        let (ranks, rows) = (count(cluster.ranks), count(blocks) * ROWS);
        let of_row = TABLES + KNOWLEDGE * count(cluster.threads) + GROUPS / ranks + RECORDS;
        let (waiting, tables) = (most_waiting(end), rows * of_row);
        let room = (cluster.memory - tables).max(0.0) * ranks;
        let on_disk = if waiting > room { 1.0 - room / waiting } else { 0.0 };
        let (mut limits, mut traffic) = ([0.0; LIMITS.len()], [0.0; KINDS.len()]);
        let (mut work, mut last) = (0.0, 0.0);
        for (number, weight) in samples(blocks) {
            let first = FIRST_BAND + BLOCK * number;
            let block = Block::new(first, end, on_disk, cluster, costs);
            let (limit, seconds) = longest(&block.after);
            limits[limit] += weight * seconds;
            work += weight * block.alone;
            last = block.alone;
            traffic = std::array::from_fn(|kind| traffic[kind] + weight * block.traffic[kind]);
        }
        limits[0] += last;
        let (of_blocks, records) = (limits.iter().sum::<f64>(), rows * costs.record);
        let limit = if records > of_blocks { LIMITS.len() - 1 } else { longest(&limits).0 };
        let (seconds, limit) = (of_blocks.max(records), LIMITS[limit]);
        Self { seconds, work, limit, traffic, waiting, tables }
    }

    /// The memory that a node needs if all words wait in memory.
    #[must_use]
    pub fn memory(&self, ranks: u64) -> f64 {
        self.tables + self.waiting / count(ranks)
    }
}

/// The longest of these times, with its index.
fn longest(times: &[f64]) -> (usize, f64) {
    let all = times.iter().copied().enumerate();
    all.max_by(|a, b| a.1.total_cmp(&b.1)).expect("there are times")
}

/// The numbers of some blocks, from 0 on, each with the number of blocks that it represents.
fn samples(blocks: u64) -> impl Iterator<Item = (u64, f64)> {
    let taken = blocks.min(SAMPLES);
    let at = move |i: u64| u64::try_from(u128::from(blocks) * u128::from(i) / u128::from(taken));
    (0..taken).map(move |i| {
        let (from, to) = (at(i).expect("below blocks"), at(i + 1).expect("at most blocks"));
        (from.midpoint(to - 1), count(to - from))
    })
}

/// The bytes of words that a block with these bands stores in a run that ends before band `end`.
///
/// Word w of a group is complete when the high window has passed it, near band 8 (w + 2), and the
/// low windows of band b read the words of group g that begin below `8 (1 + √2) b - 8 √2 g`
/// (proofs/sweep.md, 4.1). A group has words from band `g / √2` on. So the groups whose word is
/// stored for a later block are those that this block does not read, the run does, and a band
/// before has reached.
fn words_of(first: BandIndex, end: BandIndex) -> f64 {
    let read_by = |band: f64, word: f64| {
        // The places above the low anchor of the last band that a block knows, and others.
        let known = 100.0;
        ((1.0 + SQRT_2) * BAND * band + known - 64.0 * word) / (BAND * SQRT_2)
    };
    let (first, end) = (count(first.0), count(end.0));
    let words = (0..BLOCK / LANES).map(|i| {
        let word = first / BAND + count(i) - 2.0;
        let from = read_by((first + BANDS).min(end) - 1.0, word).max(first);
        let to = read_by(end - 1.0, word).min(SQRT_2 * BAND * (word + 2.0));
        (to - from).max(0.0)
    });
    WORD * words.sum::<f64>()
}

/// The most bytes of words that wait at a time, in a run that ends before band `end`.
///
/// By the same inequalities, the words that wait in band b form a triangle in the plane of g and w,
/// `c ((1 - u)² b² - (b - u end)²)` words if `b > u end`, with `u = (1 + √2) / 3` and
/// `c = 3 / (16 √2)`. This is the maximum over b.
fn most_waiting(end: BandIndex) -> f64 {
    let u = (1.0 + SQRT_2) / 3.0;
    let words = 3.0 / (16.0 * SQRT_2) * u * (1.0 - u).powi(2) / (2.0 - u);
    WORD * words * count(end.0).powi(2)
}

/// A block in the model.
struct Block {
    /// The time of a worker.
    alone: f64,
    /// How long after the block below it can start, by each of the [`LIMITS`] but the last.
    after: [f64; 5],
    traffic: [f64; 4],
}

impl Block {
    /// The block that begins with this band. `on_disk` is the part of the words that does not fit
    /// into memory.
    fn new(
        first: BandIndex,
        end: BandIndex,
        on_disk: f64,
        cluster: &Cluster,
        costs: &Costs,
    ) -> Self {
        let length = count(last_tile(end.min(first + BLOCK) - 1) - first_tile(first));
        let words = words_of(first, end);
        let &Cluster { spare, disk, bandwidth, latency, .. } = cluster;
        let (ranks, threads) = (count(cluster.ranks), count(cluster.threads));
        let (workers, is_shared) = (ranks * threads, cluster.ranks > 1);

        let slot = BANDS * costs.tile + costs.group;
        let ends = BANDS * (costs.start + costs.finish);
        let alone = length * slot + ends + ROWS * costs.learn * (workers - 1.0).max(0.0);

        let crosses = if is_shared { 1.0 / threads } else { 0.0 };
        // All words are written to the shared folder and read from it, most of them elsewhere.
        let traffic = [
            if is_shared { words } else { 0.0 },
            crosses * (GROUP * length + CORNER),
            (ranks - 1.0) * ROW * ROWS,
            (ranks - 1.0) * DIAGONAL * ROWS,
        ];
        // All bytes that are sent are also received.
        let byte = if spare { 0.0 } else { costs.byte };
        let elsewhere = (1.0 - 1.0 / ranks) * words;
        let talk = crosses * length * (costs.encode + GROUP * byte) + elsewhere * byte;
        let alone = alone + 2.0 * talk;
        let over = crosses * (latency + BATCH * GROUP / bandwidth);
        // The block that receives its groups over the network slows down those after it.
        let pace = if is_shared { alone.max(length * GROUP / bandwidth) } else { alone };

        let half = BANDS / 2.0 * costs.tile + costs.group;
        let headway = count(headway(first, cluster.ranks * cluster.threads));
        let ahead = (headway + BATCH) * pace / length;
        let start = BANDS * costs.start + STARTING * half + ahead + over;
        let finish = BANDS * costs.finish + FINISHING * half + ROWS * costs.learn + over;
        let beside = if spare { 0.0 } else { ROWS * costs.record / threads };
        let sent = traffic.iter().sum::<f64>() / (ranks * bandwidth);
        let written = on_disk * words / (ranks * disk);
        let after = [pace / workers + beside, start, finish, sent, written];
        Self { alone, after, traffic }
    }
}

/// A count as a floating-point number.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn count(n: u64) -> f64 {
    n as f64
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
