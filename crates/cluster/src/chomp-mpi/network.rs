//! `chomp-mpi network`.

use cluster::transport::{Mpi, TransportError, Watched, network::measure};
use std::time::Duration;
use terminal::exit;

use crate::{arguments::NetworkArguments, failure::Failure};

/// Measures the network between all ranks of the job. Rank 0 prints the results.
pub fn run(arguments: &NetworkArguments) -> Result<(), Failure> {
    let ranks = Watched::new(Mpi::join()?, Duration::from_secs(arguments.patience));
    let rank = ranks.rank();
    let mut ranks = ranks.meet().or_else(|error| match error {
        TransportError::Build { .. } => Err(Failure::of_usage(rank, error)),
        error => give_up(rank, &error),
    })?;
    let found = match measure(&mut ranks, arguments.messages) {
        Ok(found) => found,
        Err(error) => give_up(rank, &error),
    };
    if rank == 0 {
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
    ranks.leave().or_else(|error| give_up(rank, &error))
}

/// Ends this rank, and with it the job, without waiting for the others.
pub fn give_up<T>(rank: usize, error: &dyn std::error::Error) -> T {
    terminal::tell(&format!("error: rank {rank}: {error}"));
    std::process::exit(exit::INCOMPLETE.into())
}
