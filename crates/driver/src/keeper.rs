//! Long work keeps its state in a folder from time to time, and when it is interrupted.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use files::ResumeFolder;

use crate::watch::{Event, Watch};

/// A folder for the state of work in progress.
pub struct Keeper<'a> {
    pub folder: ResumeFolder,
    every: Duration,
    /// When a state was written last, or could not be.
    written: Mutex<Instant>,
    pub watch: &'a dyn Watch,
}

impl<'a> Keeper<'a> {
    /// Opens the folder for a state that is written this often.
    pub fn open(folder: &Path, every: Duration, watch: &'a dyn Watch) -> io::Result<Self> {
        let (folder, written) = (ResumeFolder::open(folder)?, Mutex::new(Instant::now()));
        Ok(Self { folder, every, written, watch })
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.file(name)
    }

    /// Whether it is time to write the state.
    pub fn is_due(&self) -> bool {
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.elapsed() >= self.every
    }

    /// Writes a state, and tells the watcher. Returns its hash, unless it cannot be written.
    pub fn write(
        &self,
        name: &str,
        line: &str,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Option<String> {
        let (written, file) = (self.folder.write(name, line, fill), self.file(name));
        // A disk that is full is not tried again at once.
        *self.written.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        match written {
            Ok(hash) => {
                self.watch.event(&Event::Kept { file });
                Some(hash)
            }
            Err(error) => {
                let then = if self.watch.stop() { "ends without it" } else { "continues" };
                let file = file.display();
                let words = format!("{file} cannot be written: {error}; the run {then}");
                self.watch.event(&Event::Warning(words));
                None
            }
        }
    }
}
