//! `chomp-mpi rows`.

use anyhow::{Context, bail};
use cluster::{
    plan::Traffic,
    rows::{Found, RankDone, RowsError, help, planned, rows},
    transport::{Mpi, Watched},
};
use comfy_table::{Table, presets};
use record::{
    HeadForm, RowRecord,
    data_set::{self, DataSet, DataSetError, Writer},
};
use std::{num::NonZero, ops::ControlFlow, path::Path, time::Duration};
use sweep::{
    band::{Checkpoints, Options, Sent},
    sink::Done,
};

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
        help(end, options, &Checkpoints::new(&arguments.out), ranks).map_err(anyhow::Error::from)
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
    let earlier = earlier(out, arguments.to)?;
    let mut earlier = earlier.as_ref().map(DataSet::rows);
    let mut writer = Writer::new(out, FORM)?;
    let mut take = |row: RowRecord| -> anyhow::Result<()> {
        let before = earlier.as_mut().and_then(Iterator::next).transpose()?;
        if before.is_some_and(|before| before != row) {
            return Err(DataSetError::Contradicted { row: row.row() }.into());
        }
        Ok(writer.push(row)?)
    };
    let mut failed = None;
    let mut visit = |row: RowRecord| match take(row) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            failed = Some(error);
            ControlFlow::Break(())
        }
    };
    let checkpoints = Checkpoints::new(out);
    let found: Result<Found, RowsError> = rows(end, options, &checkpoints, ranks, &mut visit);
    if let Some(error) = failed {
        return Err(error);
    }
    let Found { done: Done { rows, cells, .. }, ranks } = found?;
    writer.finish()?.context("no rows")?;
    checkpoints.remove(end)?;
    eprintln!("{}", table(&ranks, end, arguments.threads));
    println!("Rows 0 to {}, ranks: {count}, cells: {cells}.", rows - 1);
    Ok(())
}

/// What each rank has done, and what the plan says that all of them send.
fn table(ranks: &[RankDone], end: u64, threads: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header([
        "rank",
        "cells",
        "waiting, s",
        "words, MB",
        "groups, MB",
        "rows, MB",
        "other, MB",
        "memory, MB",
    ]);
    for (rank, done) in ranks.iter().enumerate() {
        let Sent { words, groups, rows, other } = done.sent;
        let mut line = vec![
            rank.to_string(),
            done.cells.to_string(),
            format!("{:.2}", done.waited.as_secs_f64()),
        ];
        line.extend([words, groups, rows, other].map(megabytes));
        line.push(done.memory.map_or("?".to_owned(), megabytes));
        table.add_row(line);
    }
    let Traffic { words, groups, rows, diagonals } =
        planned(end, ranks.len() as u64, threads as u64);
    let planned = [words, groups, rows + diagonals].map(|bytes| format!("{:.1}", bytes / 1e6));
    table.add_row(["plan".to_owned(), String::new(), String::new()].into_iter().chain(planned));
    table
}

fn megabytes(bytes: u64) -> String {
    format!("{}.{}", bytes / 1_000_000, bytes / 100_000 % 10)
}

/// What a head is in the data set.
const FORM: HeadForm = HeadForm::Fingerprint;

/// The rows that are in the folder already: they must come out the same.
fn earlier(out: &Path, last: u64) -> anyhow::Result<Option<DataSet>> {
    match data_set::Found::in_folder(out, last, FORM)? {
        data_set::Found::Nothing => Ok(None),
        data_set::Found::Smaller(data_set) => Ok(Some(data_set)),
        data_set::Found::Same(_) => {
            bail!("{} holds these rows already: nothing is left to compute", out.display())
        }
    }
}
