//! The output of a command: a file named on the command line, or standard output.
//!
//! A regular file is replaced when the new one is complete; a link is followed. A device or a FIFO
//! is written to directly, since `/dev/null` must not become a regular file.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf, is_separator};

use clap::ValueEnum;
use record::data_set::{Disk, Storage, disturbs_data_set};
use terminal::OutputError;

use crate::failure::Failure;

/// The form that was typed, or else that of the ending of the file; for standard output the usual
/// one. `endings` are those that there are, for the message.
pub fn form<F: ValueEnum>(
    typed: Option<F>,
    file: Option<&Path>,
    usual: F,
    endings: &str,
) -> Result<F, Failure> {
    let Some(file) = file else { return Ok(typed.unwrap_or(usual)) };
    let ending = || file.extension().and_then(|ending| ending.to_str());
    let of_ending = || F::from_str(ending()?, true).ok();
    typed.or_else(of_ending).ok_or_else(|| {
        Failure::Usage(format!("{} does not end in {endings}; choose a --format", file.display()))
    })
}

/// An output, tested before the work begins.
pub enum Output {
    /// Standard output.
    Standard,
    /// A regular file, which may not exist yet, in a folder that exists.
    Whole {
        /// The typed path.
        path: PathBuf,
        /// The path with all links followed.
        file: PathBuf,
        folder: PathBuf,
    },
    /// A device or a FIFO, written to directly.
    Through {
        /// The typed path.
        path: PathBuf,
        file: File,
    },
}

impl Output {
    /// Refuses files that cannot be written.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let name = path.display();
        let is_folder = match fs::metadata(path) {
            Ok(there) if there.is_dir() => true,
            Ok(there) if !there.is_file() => return Self::through(path),
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(cannot_write(path, &error));
            }
            _ => path.to_string_lossy().ends_with(is_separator),
        };
        if is_folder {
            return Err(Failure::File(format!(
                "cannot write {name}: it is a folder; add the name of a file"
            )));
        }
        let file = past_links(path);
        let folder = folder_of(&file);
        let Ok(real) = folder.canonicalize() else {
            return Err(Failure::File(format!(
                "cannot write {name}: there is no folder {}",
                folder.display()
            )));
        };
        if let Some(why) = disturbs_data_set(&file) {
            let problem = format!("cannot write {name}: {why}; write another file");
            return Err(Failure::Usage(problem));
        }
        if holds_open_files(&real) {
            return Self::through(path);
        }
        // A test: this file is removed at once.
        Disk.create(&folder).map_err(|error| cannot_write(path, &error))?;
        Ok(Self::Whole { path: path.to_owned(), file, folder })
    }

    #[expect(clippy::disallowed_methods, reason = "the user names a device or a FIFO to write to")]
    fn through(path: &Path) -> Result<Self, Failure> {
        // An open file is not truncated, such as one to which standard output is appended.
        let opened = fs::OpenOptions::new().append(true).open(path);
        let file = opened.map_err(|error| cannot_write(path, &error))?;
        Ok(Self::Through { path: path.to_owned(), file })
    }

    /// The end of the message if the writing is interrupted.
    pub fn if_interrupted(&self) -> &'static str {
        match self {
            Self::Whole { .. } => "; nothing is written",
            Self::Standard | Self::Through { .. } => "; what is written is not whole",
        }
    }

    /// Writes the output of `fill`. Its [`Failure::System`] is an error of writing.
    pub fn write(
        self,
        fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        match self {
            Self::Standard => fill(&mut io::stdout())
                .map_err(|error| of_writing(error, |error| OutputError::from(error).into())),
            Self::Through { path, mut file } => fill(&mut file)
                .map_err(|error| of_writing(error, |error| cannot_write(&path, &error))),
            Self::Whole { path, file, folder } => replace(&file, &folder, fill)
                .map_err(|error| of_writing(error, |error| cannot_write(&path, &error))),
        }
    }
}

/// Replaces the file when the new one is complete.
fn replace(
    file: &Path,
    folder: &Path,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut draft = Disk.create(folder)?;
    fill(draft.as_file_mut())?;
    Disk.sync(draft.as_file())?;
    Disk.rename(draft, file)?;
    Ok(Disk.sync_folder(folder)?)
}

fn of_writing(error: Failure, words: impl FnOnce(io::Error) -> Failure) -> Failure {
    match error {
        Failure::System(error) => words(error),
        other => other,
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::File(format!("cannot write {}: {error}", path.display()))
}

fn folder_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
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
