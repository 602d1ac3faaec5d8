//! `chomp export`.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::anyhow;
use census::export::{ExportError, Exporter, Format};
use clap::ValueEnum;
use record::data_set::{DataSet, Disk, Storage};

use crate::arguments::{Export, FormatName};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::Progress;

/// Writes a data set in another form.
pub fn run(arguments: &Export) -> anyhow::Result<()> {
    let data_set = DataSet::open(&arguments.data)?;
    let format = format(arguments)?;
    match &arguments.out {
        Some(path) => to_file(&data_set, format, path),
        None if format == Format::Parquet => {
            Err(Failure::Usage("Parquet is not text; name a file with --out FILE".to_owned())
                .into())
        }
        None => to_stdout(&data_set, format),
    }
}

/// The form that was asked for, or else that of the file's name.
fn format(arguments: &Export) -> Result<Format, Failure> {
    match (arguments.format, &arguments.out) {
        (Some(name), _) => Ok(name.into()),
        (None, None) => Ok(Format::Csv),
        (None, Some(path)) => path
            .extension()
            .and_then(|ending| FormatName::from_str(ending.to_str()?, true).ok())
            .map(Format::from)
            .ok_or_else(|| {
                Failure::Usage(format!(
                    "{} does not end in .csv, .jsonl or .parquet; choose a --format",
                    path.display()
                ))
            }),
    }
}

fn to_stdout(data_set: &DataSet, format: Format) -> anyhow::Result<()> {
    let written = write(data_set, format, BufWriter::new(io::stdout()));
    let failed = |error: anyhow::Error| match error.downcast() {
        Ok(ExportError::Io(error)) => Failure::from(error).into(),
        Ok(other) => other.into(),
        Err(other) => other,
    };
    written.map(drop).map_err(failed)
}

/// Under a temporary name until it is whole.
fn to_file(data_set: &DataSet, format: Format, path: &Path) -> anyhow::Result<()> {
    let cannot = |error| anyhow!("cannot write {}: {error}", path.display());
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = Disk.create(folder).map_err(cannot)?;
    write(data_set, format, BufWriter::new(file.as_file_mut())).map(drop)?;
    Disk.sync(file.as_file()).map_err(cannot)?;
    Disk.rename(file, path).map_err(cannot)?;
    Disk.sync_folder(folder).map_err(cannot)?;
    let (rows, path) = (data_set.manifest().rows, path.display());
    tracing::info!("wrote {rows} rows to {path}");
    Ok(())
}

fn write<W: Write + Send>(data_set: &DataSet, format: Format, out: W) -> anyhow::Result<W> {
    let interrupt = Interrupt::catch()?;
    let manifest = data_set.manifest();
    let mut exporter = Exporter::new(format, manifest.head, out).map_err(|error| match error {
        ExportError::NoParquet => Failure::Usage(error.to_string()).into(),
        error => anyhow::Error::from(error),
    })?;
    let mut progress = Progress::of("row", manifest.rows, 1.0);
    for (record, done) in data_set.rows().zip(1..) {
        exporter.add(&record?)?;
        progress.set(done);
        if interrupt.asked() {
            return Err(Failure::Interrupted("; nothing is written".to_owned()).into());
        }
    }
    progress.finish();
    Ok(exporter.finish()?)
}
