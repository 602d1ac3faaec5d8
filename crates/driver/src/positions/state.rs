//! The state of a run that finds P-positions, in a file of a [`ResumeFolder`].
//!
//! | part | bytes |
//! |---|---|
//! | first line | `chomp-positions 1 rows M next A`: the version, the rows, and the least length of row 1 that is not done |
//! | layers | for each length from 1 to A - 1 the number of positions, 8 bytes little-endian, and their hash, 32 bytes |
//! | sieve | the output of [`Sieve::save`] |
//! | hash | see [`ResumeFolder`] |

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use boards::sieve::{Sieve, SieveError, Width};
use files::invalid;

use super::layers::{FoundLayers, LayerCount};
use crate::Error;
use crate::resume_folder::ResumeFolder;
use crate::watch::{Event, Watch};

/// How the first line begins: a name and the version.
const MAGIC: &str = "chomp-positions 1 ";

/// The bytes of a length: the number of its positions, and their hash.
const LAYER: u64 = 8 + 32;

/// Where the state of a run is.
pub(super) struct StateFile {
    folder: ResumeFolder,
    name: String,
    written: Instant,
}

impl StateFile {
    pub(super) fn open(folder: &Path, rows: u16) -> Result<Self, Error> {
        let name = format!("positions-{rows}.state");
        let folder = ResumeFolder::open(folder).map_err(|error| Error::PositionsState {
            file: folder.to_owned(),
            problem: error.to_string(),
        })?;
        Ok(Self { folder, name, written: Instant::now() })
    }

    pub(super) fn path(&self) -> PathBuf {
        self.folder.file(&self.name)
    }

    /// Whether this time has passed since the state was last written.
    pub(super) fn is_due(&self, every: Duration) -> bool {
        self.written.elapsed() >= every
    }

    /// The state, if there is one.
    pub(super) fn resume(
        &self,
        rows: u16,
        to: u16,
        width: Width,
        watch: &dyn Watch,
    ) -> Result<Option<(Sieve, FoundLayers)>, Error> {
        let refused = |problem: String| {
            if watch.stop() {
                return Error::Interrupted;
            }
            Error::PositionsState { file: self.path(), problem }
        };
        let failed = |error: io::Error| {
            refused(format!("{error}; remove it to begin again, or choose another folder"))
        };
        let state = self.read(rows, watch).map_err(failed)?;
        let Some((next, found, mut rest)) = state else { return Ok(None) };
        if next > to.saturating_add(1) {
            let done = next - 1;
            return Err(refused(format!(
                "its run goes to a = {done} at least, and a = {to} is asked for; choose another \
                 folder, or a larger length"
            )));
        }
        let sieve = match Sieve::restore(rows, to, width, next, &mut rest) {
            Err(SieveError::Restore(error)) => return Err(failed(error)),
            sieve => sieve?,
        };
        watch.event(&Event::PositionsResume { file: self.path(), next });
        Ok(Some((sieve, found)))
    }

    /// The first line and the layers, and a reader of the rest; `None` if there is no state.
    fn read(
        &self,
        rows: u16,
        watch: &dyn Watch,
    ) -> io::Result<Option<(u16, FoundLayers, impl Read)>> {
        let Some(opened) = self.folder.read(&self.name)? else { return Ok(None) };
        let next = opened
            .line
            .strip_prefix(MAGIC)
            .ok_or_else(|| invalid("it is no state of this version of the program"))?
            .strip_prefix(&format!("rows {rows} next "))
            .and_then(|next| next.parse::<u16>().ok())
            .ok_or_else(|| invalid("it is the state of another number of rows"))?;
        let sieve = Sieve::bytes_to_resume(rows, next).map_err(|error| invalid(error.to_string()));
        let layers = u64::from(next.saturating_sub(1)) * LAYER;
        let (mut source, _) = opened.verify(sieve?.saturating_add(layers), watch)?;
        let layers = (1..next).map(|first| {
            let (mut count, mut hash) = ([0; 8], [0; 32]);
            source.read_exact(&mut count)?;
            source.read_exact(&mut hash)?;
            Ok(LayerCount { first, count: u64::from_le_bytes(count), hash })
        });
        let layers = layers.collect::<io::Result<Vec<_>>>()?;
        Ok(Some((next, FoundLayers(layers), source)))
    }

    /// Writes the state, or reports that it cannot. Returns whether it is written.
    pub(super) fn write(&mut self, sieve: &Sieve, found: &FoundLayers, watch: &dyn Watch) -> bool {
        let line = format!("{MAGIC}rows {} next {}", sieve.rows(), sieve.next());
        let written = self.folder.write(&self.name, &line, |out| {
            for layer in found.layers() {
                out.write_all(&layer.count.to_le_bytes())?;
                out.write_all(&layer.hash)?;
            }
            sieve.save(out)
        });
        // A disk that is full is not tried again at once.
        self.written = Instant::now();
        if let Err(error) = &written {
            let (file, problem) = (self.path(), error.to_string());
            watch.event(&Event::PositionsNotKept { file, problem });
        }
        written.is_ok()
    }

    /// Removes the state of a run that is complete.
    pub(super) fn remove(&self) {
        // A run resumes from it and has nothing to do, if it stays.
        let _stays = fs::remove_file(self.path());
        files::remove_if_empty(self.folder.path(), 1);
    }
}
