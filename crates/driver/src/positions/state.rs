//! The state of a run that finds P-positions, in a file.
//!
//! | part | bytes |
//! |---|---|
//! | header | a line of text: `chomp-positions 1 rows M next A`, the version, the rows, and the least length of row 1 that is not done |
//! | layers | for each length from 1 to A - 1 the number of positions, 8 bytes little-endian, and their hash, 32 bytes |
//! | sieve | what [`Sieve::save`] writes |
//! | hash | BLAKE3 of all that precedes, 32 bytes |
//!
//! The file is written under another name, synced and renamed, so the previous state is there until
//! the new one is whole. Nothing of it is used before all of it has been hashed.

use std::fs;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use boards::sieve::{Sieve, Width};
use files::Lock;

use super::layers::{FoundLayers, LayerCount, of_sieve};
use crate::Error;
use crate::watch::{Event, Watch};

/// How the header begins: a name and the version.
const MAGIC: &str = "chomp-positions 1 ";

/// The longest header.
const HEADER: usize = 100;

const HASH: usize = blake3::OUT_LEN;

/// Where the state of a run is.
pub(super) struct StateFile {
    folder: PathBuf,
    path: PathBuf,
    written: Instant,
    _lock: Lock,
}

impl StateFile {
    /// Makes the folder if it is not there, and locks it.
    pub(super) fn open(folder: &Path, rows: u16) -> Result<Self, Error> {
        let path = folder.join(format!("positions-{rows}.state"));
        let refused = |problem: String| Error::PositionsState { file: path.clone(), problem };
        files::create_folders(folder).map_err(|error| refused(error.to_string()))?;
        let lock = Lock::of(folder).ok_or_else(|| {
            refused("another run has its state there; wait for it, or choose another folder".into())
        })?;
        Ok(Self { folder: folder.to_owned(), path, written: Instant::now(), _lock: lock })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
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
        match fs::symlink_metadata(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            _ => {}
        }
        let refused = |problem: String| Error::PositionsState { file: self.path.clone(), problem };
        let (next, found, mut rest) = self.read(rows).map_err(|error| {
            let advice = "remove it to begin again, or choose another folder";
            refused(format!("{error}; {advice}"))
        })?;
        if next > to.saturating_add(1) {
            let done = next - 1;
            return Err(refused(format!(
                "its run goes to a = {done} at least, and a = {to} is asked for; choose another \
                 folder, or a larger length"
            )));
        }
        let sieve = Sieve::restore(rows, to, width, next, &mut rest).map_err(of_sieve)?;
        watch.event(&Event::PositionsResume { file: self.path.clone(), next });
        Ok(Some((sieve, found)))
    }

    /// The header and the layers of a file whose hash fits, and what follows them.
    fn read(&self, rows: u16) -> io::Result<(u16, FoundLayers, impl Read)> {
        let (mut file, length) = files::open(&self.path, u64::MAX)?;
        let hashed = length.checked_sub(HASH as u64).ok_or_else(|| damaged("it is too short"))?;
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader((&mut file).take(hashed))?;
        let mut hash = [0; HASH];
        file.read_exact(&mut hash)?;
        if hasher.finalize() != hash {
            return Err(damaged("it is damaged: its hash does not fit"));
        }
        file.rewind()?;
        let mut source = BufReader::with_capacity(1 << 20, file.take(hashed));
        let header = line(&mut source)?;
        let next = header
            .strip_prefix(MAGIC)
            .ok_or_else(|| damaged("it is no state of this version of the program"))?
            .strip_prefix(&format!("rows {rows} next "))
            .and_then(|next| next.parse::<u16>().ok())
            .ok_or_else(|| damaged("it is the state of another number of rows"))?;
        let layers = (1..next).map(|first| {
            let (mut count, mut hash) = ([0; 8], [0; 32]);
            source.read_exact(&mut count)?;
            source.read_exact(&mut hash)?;
            Ok(LayerCount { first, count: u64::from_le_bytes(count), hash })
        });
        let layers = layers.collect::<io::Result<Vec<_>>>()?;
        Ok((next, FoundLayers(layers), source))
    }

    /// Writes the state; tells if it cannot. Returns whether it is written.
    pub(super) fn write(&mut self, sieve: &Sieve, found: &FoundLayers, watch: &dyn Watch) -> bool {
        // A disk that is full is not tried again at once.
        let written = self.try_write(sieve, found);
        self.written = Instant::now();
        if let Err(error) = &written {
            let (file, problem) = (self.path.clone(), error.to_string());
            watch.event(&Event::PositionsNotKept { file, problem });
        }
        written.is_ok()
    }

    fn try_write(&self, sieve: &Sieve, found: &FoundLayers) -> io::Result<()> {
        let draft = self.draft();
        // A killed run can have left it.
        match fs::remove_file(&draft) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = files::create_new(&draft)?;
        write_state(&mut file, sieve, found)?;
        file.sync_all()?;
        fs::rename(&draft, &self.path)?;
        files::sync_folder(&self.folder)
    }

    /// The name of the state until it is whole.
    fn draft(&self) -> PathBuf {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        self.folder.join(format!(".writing-{name}"))
    }

    /// Removes the state of a run that is complete.
    pub(super) fn remove(&self) {
        // A run resumes from it and has nothing to do, if it stays.
        let _stays = fs::remove_file(&self.path);
        let _was_there = fs::remove_file(self.draft());
        files::remove_if_empty(&self.folder, 1);
    }
}

fn write_state(file: impl Write, sieve: &Sieve, found: &FoundLayers) -> io::Result<()> {
    let hasher = blake3::Hasher::new();
    let mut out = Hashing { out: BufWriter::with_capacity(1 << 20, file), hasher };
    writeln!(out, "{MAGIC}rows {} next {}", sieve.rows(), sieve.next())?;
    for layer in found.layers() {
        out.write_all(&layer.count.to_le_bytes())?;
        out.write_all(&layer.hash)?;
    }
    sieve.save(&mut out)?;
    let Hashing { mut out, hasher } = out;
    out.write_all(hasher.finalize().as_bytes())?;
    out.flush()
}

/// Hashes all bytes that are written.
struct Hashing<W> {
    out: W,
    hasher: blake3::Hasher,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The first line, without its end.
fn line(source: &mut impl Read) -> io::Result<String> {
    let mut line = Vec::new();
    let mut byte = [0];
    loop {
        source.read_exact(&mut byte)?;
        match byte {
            [b'\n'] => break,
            _ if line.len() == HEADER => return Err(damaged("it is no state of positions")),
            [other] => line.push(other),
        }
    }
    String::from_utf8(line).map_err(|_| damaged("it is no state of positions"))
}

fn damaged(problem: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem)
}
