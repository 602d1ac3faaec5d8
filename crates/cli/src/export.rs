//! `chomp export`.

use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;

use census::export::{ExportError, Exporter, Format};
use clap::ValueEnum;
use driver::{DataSet, data_set};
use terminal::Watcher;

use crate::arguments::{ExportArguments, FormatName};
use crate::failure::Failure;
use crate::output::Output;

/// Writes a data set in another form.
pub fn run(arguments: &ExportArguments) -> anyhow::Result<()> {
    let data_set = DataSet::open(&arguments.data)?;
    let format = format(arguments)?;
    let Some(path) = file(arguments) else {
        if format == Format::Parquet {
            let problem = "Parquet is not text; name a file with --out FILE";
            return Err(Failure::Usage(problem.to_owned()).into());
        }
        return write(&data_set, format, Output::Standard);
    };
    write(&data_set, format, Output::open(path)?)?;
    tracing::info!("wrote {} rows to {}", data_set.manifest().rows, path.display());
    Ok(())
}

/// The file to write, if it is not standard output.
fn file(arguments: &ExportArguments) -> Option<&Path> {
    arguments.out.as_deref().filter(|path| *path != Path::new("-"))
}

/// The form that was asked for, or else that of the file's name.
fn format(arguments: &ExportArguments) -> Result<Format, Failure> {
    match (arguments.format, file(arguments)) {
        (Some(name), _) => Ok(name.into()),
        (None, None) => Ok(Format::Csv),
        (None, Some(path)) => path
            .extension()
            .and_then(|ending| FormatName::from_str(ending.to_str()?, true).ok())
            .map(Format::from)
            .ok_or_else(|| {
                Failure::Usage(format!(
                    "{} does not end in .csv, .jsonl, .parquet or .v; choose a --format",
                    path.display()
                ))
            }),
    }
}

fn write(data_set: &DataSet, format: Format, output: Output) -> anyhow::Result<()> {
    let interrupted = output.if_interrupted();
    let fill = |out: &mut (dyn Write + Send)| {
        let form = data_set.manifest().head;
        let mut exporter = Exporter::new(format, form, BufWriter::new(out)).map_err(plain)?;
        let mut written = Ok(());
        let read = data_set::rows(data_set, &Watcher::new()?, |record| {
            written = exporter.add(&record);
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        match read {
            Err(driver::Error::Interrupted) => {
                return Err(Failure::Interrupted(interrupted.to_owned()).into());
            }
            read => read?,
        }
        written.map_err(plain)?;
        exporter.finish().map(drop).map_err(plain)
    };
    output.write(fill)
}

/// An error of writing as [`Output::write`] expects it.
fn plain(error: ExportError) -> anyhow::Error {
    match error {
        ExportError::Io(error) => error.into(),
        error => error.into(),
    }
}
