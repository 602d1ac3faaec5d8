//! The output of a command: standard output, or a file named on the command line, where - is
//! standard output.
//!
//! A regular file is replaced when the new one is complete; a link is followed. A device or a FIFO
//! is written to directly, since `/dev/null` must not become a regular file.

use driver::Error;
use std::fs;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf, is_separator};

use clap::ValueEnum;
use files::{ClaimedOutput, folder_of};
use record::data_set::disturbs_data_set;
use record::escaped;
use terminal::not_printed;
pub use terminal::{print, print_or};

/// Writes a list to stdout, in 100 columns. What does not fit into the line of an entry continues
/// below its last column, which begins after two spaces.
pub fn print_list(list: &str) -> Result<(), Error> {
    let wrapped = list.split_inclusive('\n').map(|line| {
        let indent = line.rfind("  ").map_or(0, |place| line[..place + 2].chars().count());
        textwrap::fill(line, textwrap::Options::new(100).subsequent_indent(&" ".repeat(indent)))
    });
    print(wrapped.collect::<String>().as_bytes())
}

/// Keeps a result, and breaks off at the first error.
pub fn keep<E>(kept: &mut Result<(), E>, result: Result<(), E>) -> ControlFlow<()> {
    *kept = result;
    if kept.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// A path in a result, with control characters escaped.
pub fn shown(path: &Path) -> String {
    escaped(&path.display().to_string())
}

/// The advice to those who wrote Parquet. A period of more than one offset is text in CSV, and the
/// first of them may come after the rows that polars looks at.
pub const PARQUET: &str = "write CSV with --out rows.csv; in Python, \
    polars.read_csv(\"rows.csv\", infer_schema_length=None).write_parquet(\"rows.parquet\") \
    makes Parquet of it";

/// Whether a typed name is that of standard output.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// The form that was typed, or else that of the ending of the file; for standard output the usual
/// one. `endings` are those that there are, for the message.
pub fn form<F: ValueEnum>(
    typed: Option<F>,
    file: &Path,
    usual: F,
    endings: &str,
) -> Result<F, Error> {
    if is_standard(file) {
        return Ok(typed.unwrap_or(usual));
    }
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    typed.or_else(|| F::from_str(ending, true).ok()).ok_or_else(|| {
        Error::usage(match ending {
            "parquet" => format!("Parquet is gone: {PARQUET}"),
            _ => format!("{} does not end in {endings}; choose a --format", file.display()),
        })
    })
}

/// An output, tested before the work begins.
pub struct Output {
    /// The typed path; `None` for standard output.
    path: Option<PathBuf>,
    to: To,
}

/// How an output is written.
enum To {
    /// Directly: standard output, a device or a FIFO.
    Through(Box<dyn Write + Send>),
    /// Whole: a regular file, which may not exist yet, in a folder that exists; its path with all
    /// links followed. It is claimed until it is replaced.
    Whole(PathBuf, ClaimedOutput),
}

impl Output {
    /// Refuses files that cannot be written, and those that the same command reads.
    pub fn open(path: &Path) -> Result<Self, Error> {
        if is_standard(path) {
            return Ok(Self { path: None, to: To::Through(Box::new(io::stdout())) });
        }
        let refused = |why: &str| Error::file(format!("cannot write {}: {why}", path.display()));
        let is_folder = match fs::metadata(path) {
            Ok(there) if there.is_dir() => true,
            Ok(there) if !there.is_file() => return Self::through(path),
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(cannot_write(path, &error));
            }
            _ => path.to_string_lossy().ends_with(is_separator),
        };
        if is_folder {
            return Err(refused("it is a folder; add the name of a file"));
        }
        let file = past_links(path);
        let folder = folder_of(&file);
        let Ok(real) = folder.canonicalize() else {
            return Err(refused(&format!("there is no folder {}", folder.display())));
        };
        if let Some(why) = disturbs_data_set(&file) {
            let name = path.display();
            return Err(Error::usage(format!("cannot write {name}: {why}; write another file")));
        }
        if holds_open_files(&real) {
            return Self::through(path);
        }
        let claimed = ClaimedOutput::new(&file).map_err(|error| cannot_write(path, &error))?;
        // A test: this file is removed at once.
        files::draft(&folder).map_err(|error| cannot_write(path, &error))?;
        Ok(Self { path: Some(path.to_owned()), to: To::Whole(file, claimed) })
    }

    #[expect(clippy::disallowed_methods, reason = "the user names a device or a FIFO to write to")]
    fn through(path: &Path) -> Result<Self, Error> {
        // An open file is not truncated, such as one to which standard output is appended.
        let opened = fs::OpenOptions::new().append(true).open(path);
        let file = opened.map_err(|error| cannot_write(path, &error))?;
        files::claim_open(path).map_err(|error| cannot_write(path, &error))?;
        Ok(Self { path: Some(path.to_owned()), to: To::Through(Box::new(file)) })
    }

    /// Writes these bytes.
    pub fn write_all(self, bytes: &[u8]) -> Result<(), Error> {
        self.write(|out| Ok(out.write_all(bytes).and_then(|()| out.flush())?))
    }

    /// Writes the output of `fill`. Its [`Error::Io`] is an error of writing; if its work is
    /// interrupted, the message says what is written.
    pub fn write<T>(
        self,
        fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let (written, left) = match self.to {
            To::Through(mut out) => (fill(&mut *out), "what is written is not whole"),
            To::Whole(file, _claimed) => {
                (files::replace(&file, |draft| fill(draft)), "nothing is written")
            }
        };
        written.map_err(|error| match (error, self.path) {
            (Error::Io(error), Some(path)) => cannot_write(&path, &error),
            (Error::Io(error), None) => not_printed(error),
            (Error::Interrupted, _) => Error::interrupted(format!("; {left}")),
            (other, _) => other,
        })
    }
}

/// The user must name another file if the same command reads this one.
fn cannot_write(path: &Path, error: &io::Error) -> Error {
    let words = format!("cannot write {}: {error}", path.display());
    let is_usage = error.kind() == io::ErrorKind::InvalidInput;
    if is_usage { Error::usage(words) } else { Error::file(words) }
}

/// The file at the end of a chain of links, whether it exists or not. The chain ends, since
/// `fs::metadata` fails on a cycle, and the caller has called it.
fn past_links(path: &Path) -> PathBuf {
    let mut file = path.to_owned();
    while let Ok(next) = fs::read_link(&file)
        && !folder_of(&file).canonicalize().is_ok_and(|folder| holds_open_files(&folder))
    {
        file = folder_of(&file).join(next);
    }
    file
}

/// Whether the entries of this folder are the open files of a process, as `/dev/stdout` links to.
fn holds_open_files(folder: &Path) -> bool {
    folder.starts_with("/proc") || folder.starts_with("/dev/fd")
}
