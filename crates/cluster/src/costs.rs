//! What things cost: on a processor, and on the network.
//!
//! Times are in seconds and sizes in bytes. They are estimates, so they are floating-point numbers;
//! no row depends on them.

/// What a worker spends its time on. The defaults were measured: docs/CLUSTER.md says how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// A tile of 64 cells.
    pub tile: f64,
    /// A group joins a block, is passed on, and is looked for in memory.
    pub group: f64,
    /// A band goes from the diagonal to its first tile.
    pub start: f64,
    /// A band goes through its tails.
    pub finish: f64,
    /// A worker enters a row of another block in its tables.
    pub learn: f64,
    /// The caller makes a record of a row, and writes it.
    pub record: f64,
    /// A worker prepares a group for the network, or takes one that has come.
    pub encode: f64,
    /// The threads of a rank that are no workers send a byte, or receive one.
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

/// How large things are that ranks send to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// A group, on average: two windows, and two words of eight columns, often one that it
    /// carries, and a few numbers.
    pub group: f64,
    /// A word of eight columns.
    pub word: f64,
    /// A row, encoded.
    pub row: f64,
    /// A diagonal value.
    pub diagonal: f64,
    /// What a block sends when it has started, but for diagonal values.
    pub corner: f64,
}

impl Default for Sizes {
    fn default() -> Self {
        Self { group: 281.0, word: 64.0, row: 20.0, diagonal: 8.0, corner: 2600.0 }
    }
}

/// Groups in a message.
pub const BATCH: u64 = 16;

/// The network between nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Network {
    /// What a node sends in a second, and receives at the same time.
    pub bandwidth: f64,
    /// From sending a short message to having it.
    pub latency: f64,
}

impl Network {
    /// From bits in a second, as networks are sold, and seconds.
    #[must_use]
    pub fn of_gigabits(gigabits: f64, latency: f64) -> Self {
        Self { bandwidth: gigabits * 1e9 / 8.0, latency }
    }
}

/// A cluster: one rank on each of its nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cluster {
    /// Ranks, one for each node.
    pub ranks: u64,
    /// Workers of a rank, each in a thread.
    pub threads: u64,
    /// Whether a node has a processor besides, for what is not a worker's.
    pub spare: bool,
    /// Memory of a node.
    pub memory: f64,
    /// What is between the nodes.
    pub network: Network,
}

impl Cluster {
    /// All workers.
    #[must_use]
    pub fn workers(&self) -> u64 {
        self.ranks * self.threads
    }
}

/// A count, as a number to calculate with.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub(crate) fn count(n: u64) -> f64 {
    n as f64
}
