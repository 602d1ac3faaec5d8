//! `chomp-mpi plan`.

use cluster::plan::{Cluster, Costs, KINDS, Prediction};
use terminal::{Error, table};

use crate::arguments::PlanArguments;

/// Scaling stops when twice as many nodes take more than this part of the time.
const STILL_SCALES: f64 = 0.75;

/// The most nodes of the table.
const MOST_NODES: u64 = 4096;

/// Prints the predicted cost of a run.
pub fn run(arguments: &PlanArguments) -> Result<(), Error> {
    let planned = Planned::new(arguments, arguments.nodes);
    let text = planned.answer(arguments) + &planned.traffic() + &scaling(arguments);
    terminal::print(text.as_bytes())
}

/// A cluster, and the predicted cost of the run on it.
struct Planned {
    cluster: Cluster,
    prediction: Prediction,
}

/// A number of bytes as a floating-point number.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn bytes(n: u64) -> f64 {
    n as f64
}

impl Planned {
    fn new(arguments: &PlanArguments, ranks: u64) -> Self {
        let cluster = Cluster {
            ranks,
            threads: arguments.threads,
            spare: !arguments.all_processors,
            memory: bytes(arguments.memory),
            disk: bytes(arguments.disk),
            bandwidth: 1e9 / 8.0 * arguments.bandwidth,
            latency: arguments.latency / 1e6,
        };
        let (tile, group) = (arguments.tile / 1e9, arguments.group / 1e9);
        let costs = Costs { tile, group, ..Costs::default() };
        Self { cluster, prediction: Prediction::new(arguments.to + 1, &cluster, &costs) }
    }

    /// Bytes that a node must keep on its disk.
    fn disk(&self) -> f64 {
        (self.prediction.memory(self.cluster.ranks) - self.cluster.memory).max(0.0)
    }

    /// Bytes that a node has in memory.
    fn memory(&self) -> f64 {
        self.prediction.memory(self.cluster.ranks) - self.disk()
    }

    fn answer(&self, arguments: &PlanArguments) -> String {
        let Self { prediction, cluster } = self;
        let disk = match self.disk() {
            disk if disk > 0.0 => format!(
                "{} a node, for words that do not fit, at {} a second each way",
                size(disk),
                size(cluster.disk)
            ),
            _ => "none, except for the rows".to_owned(),
        };
        let mut text = format!(
            "Rows 0 to {}, nodes: {}, threads of each: {}, network: {} Gb/s, {} µs.\n\
             Predicted by a model of the engine and of the network.\n\n\
             time      {}, mostly limited by: {}\n\
             work      {} of one thread\n\
             memory    {} a node; on all nodes at most {} of words wait at a time\n\
             disk      {disk}\n",
            arguments.to,
            cluster.ranks,
            cluster.threads,
            arguments.bandwidth,
            arguments.latency,
            time(prediction.seconds),
            prediction.limit,
            time(prediction.work),
            size(self.memory()),
            size(prediction.waiting),
        );
        if prediction.tables > cluster.memory {
            text += "The tables of all rows alone do not fit into the memory of a node.\n";
        }
        text
    }

    fn traffic(&self) -> String {
        let Self { prediction, cluster } = self;
        let mut table =
            table(["on the network", "all", "each node", "Gb/s of each"], |index| index == 0);
        let sum = [("all", prediction.traffic.iter().sum())];
        for (kind, all) in KINDS.into_iter().zip(prediction.traffic).chain(sum) {
            let each = all / bytes(cluster.ranks);
            let rate = format!("{:.2}", each * 8e-9 / prediction.seconds);
            table.add_row([kind.to_owned(), size(all), size(each), rate]);
        }
        format!("\n{table}\n")
    }
}

/// The time with more and with fewer nodes.
fn scaling(arguments: &PlanArguments) -> String {
    let doubled = (0..).map(|times| 1 << times).take_while(|nodes| *nodes <= MOST_NODES);
    let all: Vec<Planned> = doubled.map(|nodes| Planned::new(arguments, nodes)).collect();
    let seconds = |planned: &Planned| planned.prediction.seconds;
    let gains = |pair: &[Planned]| seconds(&pair[1]) <= STILL_SCALES * seconds(&pair[0]);
    // The last doubling that is worth its nodes.
    let last = all.windows(2).rposition(gains).map_or(0, |step| step + 1);
    let header = ["nodes", "time", "times one node", "memory a node", "disk a node", "limit"];
    let mut table = table(header, |index| index == 0);
    for (at, planned) in all.iter().enumerate() {
        if at <= last + 1 || planned.cluster.ranks <= arguments.nodes {
            table.add_row([
                planned.cluster.ranks.to_string(),
                time(seconds(planned)),
                format!("{:.1}", seconds(&all[0]) / seconds(planned)),
                size(planned.memory()),
                size(planned.disk()),
                planned.prediction.limit.to_owned(),
            ]);
        }
    }
    let stops = all.get(last + 1).map_or_else(
        || format!("It scales to at least {MOST_NODES} nodes."),
        |next| {
            format!(
                "Scaling stops at about {} nodes: twice as many are less than a third faster, \
                 limited by: {}.",
                all[last].cluster.ranks, next.prediction.limit
            )
        },
    );
    format!("\n{table}\n{stops}\n")
}

fn time(seconds: f64) -> String {
    match seconds {
        _ if seconds < 100.0 => format!("{seconds:.2} s"),
        _ if seconds < 6000.0 => format!("{:.1} min", seconds / 60.0),
        _ if seconds < 360_000.0 => format!("{:.1} h", seconds / 3600.0),
        _ => format!("{:.1} days", seconds / 86_400.0),
    }
}

fn size(bytes: f64) -> String {
    let units = [(1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB")];
    let unit = units.into_iter().find(|(unit, _)| bytes >= *unit);
    let (unit, name) = unit.unwrap_or((1.0, "B"));
    let digits = usize::from(bytes >= 1e6);
    format!("{:.digits$} {name}", bytes / unit)
}
