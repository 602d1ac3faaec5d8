//! `chomp-mpi plan`.

use cluster::blocks::RunGeometry;
use cluster::costs::{Cluster, Costs, Network};
use cluster::plan::{Model, Prediction};
use terminal::{Error, table};

use crate::arguments::PlanArguments;

/// Scaling stops when twice as many nodes take more than this part of the time.
const STILL_SCALES: f64 = 0.75;

/// The most nodes of the table.
const MOST_NODES: u64 = 4096;

/// Prints the predicted cost of a run.
pub fn run(arguments: &PlanArguments) -> Result<(), Error> {
    let run = RunGeometry::new(arguments.to + 1);
    let costs =
        Costs { tile: arguments.tile / 1e9, group: arguments.group / 1e9, ..Costs::default() };
    let model = Model::new(&run, costs);
    let planned = planned(arguments, &model, arguments.nodes);
    let mut text = answer(arguments, &planned);
    text += &traffic(&planned.prediction, arguments.nodes);
    text += &scaling(arguments, &model);
    terminal::print(text.as_bytes())
}

/// A cluster, and the predicted cost of the run on it.
struct Planned {
    cluster: Cluster,
    prediction: Prediction,
}

fn planned(arguments: &PlanArguments, model: &Model, ranks: u64) -> Planned {
    let cluster = Cluster {
        ranks,
        threads: arguments.threads,
        spare: !arguments.all_processors,
        memory: bytes(arguments.memory),
        disk: bytes(arguments.disk),
        network: Network::of_gigabits(arguments.bandwidth, arguments.latency / 1e6),
    };
    Planned { cluster, prediction: model.predict(&cluster) }
}

/// A number of bytes as a floating-point number.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn bytes(n: u64) -> f64 {
    n as f64
}

impl Planned {
    /// Bytes that a node must keep on its disk.
    fn disk(&self) -> f64 {
        (self.prediction.memory(self.cluster.ranks) - self.cluster.memory).max(0.0)
    }

    /// Bytes that a node has in memory.
    fn memory(&self) -> f64 {
        self.prediction.memory(self.cluster.ranks) - self.disk()
    }

    /// Whether the tables alone fit into the memory of a node.
    fn fits(&self) -> bool {
        self.prediction.tables <= self.cluster.memory
    }
}

fn answer(arguments: &PlanArguments, planned: &Planned) -> String {
    let Planned { prediction, .. } = planned;
    let nodes = arguments.nodes;
    let mut text = format!(
        "Rows 0 to {}, nodes: {nodes}, threads of each: {}, network: {} Gb/s, {} µs.\n\
         Predicted by a model of the engine and of the network.\n\n\
         time      {}, mostly limited by: {}\n\
         work      {} of one thread\n\
         memory    {} a node; on all nodes at most {} of words wait at a time\n\
         disk      {}\n",
        arguments.to,
        arguments.threads,
        arguments.bandwidth,
        arguments.latency,
        time(prediction.seconds),
        prediction.limit().words(),
        time(prediction.work),
        size(planned.memory()),
        size(prediction.waiting),
        if planned.disk() > 0.0 {
            format!(
                "{} a node, for words that do not fit, at {} a second each way",
                size(planned.disk()),
                size(planned.cluster.disk)
            )
        } else {
            "none, except for the rows".to_owned()
        },
    );
    if !planned.fits() {
        text += "The tables of all rows alone do not fit into the memory of a node.\n";
    }
    text
}

fn traffic(prediction: &Prediction, nodes: u64) -> String {
    let sent = prediction.traffic;
    let mut table =
        table(["on the network", "all", "each node", "Gb/s of each"], |index| index == 0);
    let nodes = f64::from(u32::try_from(nodes).unwrap_or(u32::MAX));
    let lines = [
        ("stored words", sent.words),
        ("groups", sent.groups),
        ("finished rows", sent.rows),
        ("diagonal values", sent.diagonals),
        ("all", sent.all()),
    ];
    for (kind, bytes) in lines {
        let each = bytes / nodes;
        let rate = format!("{:.2}", each * 8e-9 / prediction.seconds);
        table.add_row([kind.to_owned(), size(bytes), size(each), rate]);
    }
    format!("\n{table}\n")
}

/// The time with more and with fewer nodes.
fn scaling(arguments: &PlanArguments, model: &Model) -> String {
    let doubled = (0..).map(|times| 1 << times).take_while(|nodes| *nodes <= MOST_NODES);
    let all: Vec<Planned> = doubled.map(|nodes| planned(arguments, model, nodes)).collect();
    let seconds = |planned: &Planned| planned.prediction.seconds;
    let gains = |pair: &[Planned]| seconds(&pair[1]) <= STILL_SCALES * seconds(&pair[0]);
    // The last doubling that is worth its nodes.
    let last = all.windows(2).rposition(gains).map_or(0, |step| step + 1);
    let mut table = table(
        ["nodes", "time", "times one node", "memory a node", "disk a node", "limit"],
        |index| index == 0,
    );
    let shown = |(at, planned): &(usize, &Planned)| {
        *at <= last + 1 || planned.cluster.ranks <= arguments.nodes
    };
    for (_, planned) in all.iter().enumerate().filter(shown) {
        table.add_row([
            planned.cluster.ranks.to_string(),
            time(seconds(planned)),
            format!("{:.1}", seconds(&all[0]) / seconds(planned)),
            size(planned.memory()),
            size(planned.disk()),
            planned.prediction.limit().words().to_owned(),
        ]);
    }
    let stops = all.get(last + 1).map_or_else(
        || format!("It scales to at least {MOST_NODES} nodes."),
        |next| {
            format!(
                "Scaling stops at about {} nodes: twice as many are less than a third faster, \
                 limited by: {}.",
                all[last].cluster.ranks,
                next.prediction.limit().words()
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
