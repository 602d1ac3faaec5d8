//! A folder in which long work keeps its results, so that it can resume.
//!
//! A file is a line of text, bytes, and the BLAKE3 hash of both, 32 bytes. It is written under
//! another name, synced and renamed; so there is the old file or the whole new one. The folder is
//! locked as long as the work runs. The reader of a file learns from the first line how long it can
//! be, before it hashes it.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use files::{HASH, Hashing, Lock, invalid};
use record::data_set::{Disk, Folder, Storage, TEMPORARY_PREFIX};

use crate::watch::Watch;

/// No first line is longer.
const LONGEST_LINE: u64 = 100;

/// The size of a buffer, in bytes.
const BUFFER: usize = 1 << 20;

/// A locked folder.
pub struct ResumeFolder {
    path: PathBuf,
    _made: Folder,
    _lock: Lock,
}

impl ResumeFolder {
    /// Makes the folder if it is not there, locks it, and removes what killed runs have left of
    /// unfinished files. The error is [`ResourceBusy`](io::ErrorKind::ResourceBusy) if another run
    /// has the lock; its words say so.
    pub fn open(path: &Path) -> io::Result<Self> {
        let made = Folder::make(path, &Disk)?;
        let busy = "another run keeps its results there; wait for it, or choose another folder";
        let lock =
            Lock::of(path).ok_or_else(|| io::Error::new(io::ErrorKind::ResourceBusy, busy))?;
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(TEMPORARY_PREFIX) {
                // A file that cannot be removed does no harm.
                let _harmless = fs::remove_file(entry.path());
            }
        }
        Ok(Self { path: path.to_owned(), _made: made, _lock: lock })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file, or replaces it. Returns its hash in hexadecimal digits.
    pub fn write(
        &self,
        name: &str,
        line: &str,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<String> {
        let mut draft = Disk.create(&self.path)?;
        let mut out = Hashing::new(&mut draft);
        writeln!(out, "{line}")?;
        fill(&mut out)?;
        let (_, hash) = out.finish()?;
        Disk.sync(draft.as_file())?;
        Disk.rename(draft, &self.file(name))?;
        Disk.sync_folder(&self.path)?;
        Ok(hash)
    }

    /// Opens a file; `None` if it is not there. The error is
    /// [`InvalidData`](io::ErrorKind::InvalidData) if it is damaged.
    pub fn read(&self, name: &str) -> io::Result<Option<Opened>> {
        let (file, length) = match files::open(&self.file(name), u64::MAX) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        let mut start = Vec::new();
        (&file).take(LONGEST_LINE).read_to_end(&mut start)?;
        let end = start.iter().position(|&byte| byte == b'\n');
        let line = end.and_then(|end| str::from_utf8(&start[..end]).ok());
        let line = line.ok_or_else(|| invalid("it has no first line"))?.to_owned();
        Ok(Some(Opened { line, file, length }))
    }
}

/// A file of which only the first line was read.
pub struct Opened {
    pub line: String,
    file: File,
    length: u64,
}

impl Opened {
    /// The bytes between the first line and the hash, at most this number, once all has been
    /// hashed; and the hash in hexadecimal digits. The error is
    /// [`InvalidData`](io::ErrorKind::InvalidData) if the file is damaged; another one, also of the
    /// reader, if the watcher stops the work.
    pub fn verify(mut self, most: u64, watch: &dyn Watch) -> io::Result<(impl Read, String)> {
        let start = self.line.len() as u64 + 1;
        let most = most.saturating_add(start + HASH);
        if self.length > most {
            let length = self.length;
            return Err(invalid(format!("it has {length} bytes, and may have at most {most}")));
        }
        let stop = || watch.stop();
        let (end, hash) = files::verify_hash(&mut self.file, self.length, stop)?;
        let rest = end.checked_sub(start).ok_or_else(|| invalid("it is too short"))?;
        self.file.seek(SeekFrom::Start(start))?;
        let source = files::stoppable(self.file.take(rest), stop);
        Ok((BufReader::with_capacity(BUFFER, source), hash))
    }
}
