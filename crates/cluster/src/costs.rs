//! The costs of a run on processors and on the network, and the cluster that carries it out.
//!
//! Times are in seconds and sizes in bytes. They are estimates, so they are floating-point numbers;
//! no row depends on them.

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
    /// A worker encodes a group for the network, or decodes one.
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

/// Bytes of a group on the network, on average: three words of eight columns, often one that it
/// carries, and a few numbers.
pub const GROUP_BYTES: f64 = 252.0;

/// Bytes of a stored word of eight columns.
pub const WORD_BYTES: f64 = 64.0;

/// Bytes of an encoded row.
pub const ROW_BYTES: f64 = 20.0;

/// Bytes of a diagonal value.
pub const DIAGONAL_BYTES: f64 = 8.0;

/// Bytes of a corner.
pub const CORNER_BYTES: f64 = 2600.0;

/// Groups in a message.
pub const BATCH: u64 = 16;

/// The network between nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Network {
    /// Bytes that a node can send in a second, while it receives as many.
    pub bandwidth: f64,
    /// Seconds that a short message takes.
    pub latency: f64,
}

impl Network {
    /// A network of this many gigabits a second, with a latency in seconds.
    #[must_use]
    pub fn of_gigabits(gigabits: f64, latency: f64) -> Self {
        Self { bandwidth: gigabits * 1e9 / 8.0, latency }
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
    /// Memory of a node, in bytes.
    pub memory: f64,
    /// Bytes that the disk of a node writes in a second, while it reads as many.
    pub disk: f64,
    /// The network between the nodes.
    pub network: Network,
}

impl Cluster {
    /// The number of workers of all ranks.
    #[must_use]
    pub fn workers(&self) -> u64 {
        self.ranks * self.threads
    }
}

/// A count as a floating-point number.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub(crate) fn count(n: u64) -> f64 {
    n as f64
}
