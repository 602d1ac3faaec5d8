//! `chomp-mpi rows`.

use anyhow::{Context, bail};
use cluster::{
    rows::{RowsError, help, rows},
    transport::{Mpi, Watched},
};
use record::{
    HeadForm, RowRecord,
    data_set::{DataSetError, Found, Writer},
};
use std::{num::NonZero, ops::ControlFlow, path::Path, time::Duration};
use sweep::{band::Options, sink::Done};

use crate::{arguments::RowsArguments, network::give_up};

/// Does this rank's part of the rows. Rank 0 writes them.
pub fn run(arguments: &RowsArguments) -> anyhow::Result<()> {
    let ranks = Watched::new(Mpi::join()?, Duration::from_secs(arguments.patience));
    let rank = ranks.rank();
    let threads = NonZero::new(arguments.threads).context("no threads")?;
    let (end, options) = (arguments.to + 1, Options { threads, ..Options::default() });
    let done = if rank == 0 {
        write(arguments, end, options, ranks)
    } else {
        help(end, options, ranks).map_err(anyhow::Error::from)
    };
    done.or_else(|error| give_up(rank, error.as_ref()))
}

fn write(
    arguments: &RowsArguments,
    end: u64,
    options: Options,
    ranks: Watched<Mpi>,
) -> anyhow::Result<()> {
    let (count, out) = (ranks.ranks(), arguments.out.as_path());
    let mut writer = writer(out, arguments.to)?;
    let mut failed: Option<DataSetError> = None;
    let mut visit = |row: RowRecord| match writer.push(row) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            failed = Some(error);
            ControlFlow::Break(())
        }
    };
    let found: Result<Done, RowsError> = rows(end, options, ranks, &mut visit);
    if let Some(error) = failed {
        return Err(error.into());
    }
    let Done { rows, cells, .. } = found?;
    writer.finish()?.context("no rows")?;
    println!("Rows 0 to {}, ranks: {count}, cells: {cells}.", rows - 1);
    Ok(())
}

/// For a folder in which there are no rows yet.
fn writer(out: &Path, last: u64) -> anyhow::Result<Writer> {
    let form = HeadForm::Fingerprint;
    match Found::in_folder(out, last, form)? {
        Found::Nothing => Ok(Writer::new(out, form)?),
        Found::Smaller(_) | Found::Same(_) => {
            bail!(
                "{} holds rows already, and this program cannot extend them: choose another folder",
                out.display()
            )
        }
    }
}
