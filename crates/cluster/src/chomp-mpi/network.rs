//! `chomp-mpi network`.

use cluster::transport::{Mpi, Watched, network::measure};
use driver::{Error, ErrorKind};
use std::time::Duration;
use terminal::exit;

use crate::arguments::NetworkArguments;

/// Measures the network between all ranks of the job. Rank 0 prints the results.
pub fn run(arguments: &NetworkArguments) -> Result<(), Error> {
    let mut ranks = Watched::new(Mpi::join()?, Duration::from_secs(arguments.patience));
    let rank = ranks.rank();
    let found = ranks.meet().and_then(|()| measure(&mut ranks, arguments.messages));
    if let (Ok(found), 0) = (&found, rank) {
        let header = ["from", "to", "latency, µs", "bandwidth, Gb/s"];
        let mut table = terminal::table(header, |_| true);
        for between in found {
            table.add_row([
                between.from.to_string(),
                between.to.to_string(),
                format!("{:.1}", 1e6 * between.latency),
                format!("{:.1}", 8e-9 * between.bandwidth),
            ]);
        }
        terminal::print(format!("{table}\n").as_bytes())?;
    }
    found.and_then(|_| ranks.leave()).map_err(|error| {
        let words = format!("rank {rank}: {error}");
        if error.kind() == ErrorKind::Usage {
            return Error::usage(words);
        }
        // This ends the job, without waiting for the others.
        terminal::tell(&format!("error: {words}"));
        std::process::exit(exit::INCOMPLETE.into())
    })
}
