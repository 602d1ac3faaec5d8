//! A folder in which long work keeps its state, so that it can resume.
//!
//! A file is a line of text, bytes, and the BLAKE3 hash of both, 32 bytes. It is born as a draft
//! ([`replace`]), so there is the old file or the whole new one. The folder is locked as long as
//! the [`ResumeFolder`] lives. A run opens it, reads the file of an earlier run, writes new ones,
//! and removes them when all is done; a killed run leaves its last whole file. The first line says
//! how long the file can be, before the reader hashes it.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::draft::{Folder, remove_drafts, replace};
use crate::folder::{Lock, remove_if_empty};
use crate::{invalid, stoppable};

/// No first line is longer.
const LONGEST_LINE: u64 = 100;

/// The size of a buffer, in bytes.
const BUFFER: usize = 1 << 20;

/// A locked folder.
///
/// ```
/// use std::io::{Read, Write};
/// let folder = tempfile::tempdir()?;
/// let kept = files::ResumeFolder::open(folder.path())?;
/// kept.write("squares", "squares 1 to 3", |out| out.write_all(&[1, 4, 9]))?;
/// let opened = kept.read("squares")?.expect("it is there");
/// assert_eq!(opened.line, "squares 1 to 3");
/// let (mut squares, mut bytes) = (opened.verify(3, || false)?.0, Vec::new());
/// squares.read_to_end(&mut bytes)?;
/// assert_eq!(bytes, [1, 4, 9]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct ResumeFolder {
    path: PathBuf,
    _made: Folder,
    _lock: Lock,
}

impl ResumeFolder {
    /// Makes the folder if it is not there, locks it, and removes what killed runs have left of
    /// unfinished files.
    ///
    /// # Errors
    /// The error of the operating system; [`io::ErrorKind::ResourceBusy`] if another run has the
    /// lock: its words say so.
    pub fn open(path: &Path) -> io::Result<Self> {
        let made = Folder::make(path)?;
        let busy = "another run keeps its results there; wait for it, or choose another folder";
        let lock =
            Lock::of(path).ok_or_else(|| io::Error::new(io::ErrorKind::ResourceBusy, busy))?;
        // Those that stay do no harm.
        let _stay = remove_drafts(path);
        Ok(Self { path: path.to_owned(), _made: made, _lock: lock })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The names of the files in the folder.
    pub fn names(&self) -> impl Iterator<Item = String> + use<> {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok())
    }

    /// Writes a file, or replaces it. Returns its hash in hexadecimal digits.
    ///
    /// # Errors
    /// The error of the operating system, or of `fill`.
    pub fn write(
        &self,
        name: &str,
        line: &str,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<String> {
        replace(&self.file(name), |draft| {
            let mut out = Hashing::new(draft);
            writeln!(out, "{line}")?;
            fill(&mut out)?;
            Ok(out.finish()?.1)
        })
    }

    /// Opens a file; `None` if it is not there.
    ///
    /// # Errors
    /// The error of the operating system; [`io::ErrorKind::InvalidData`] if it is damaged.
    pub fn read(&self, name: &str) -> io::Result<Option<Opened>> {
        let (file, length) = match crate::open(&self.file(name), u64::MAX) {
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

    /// Removes a file. One that stays does no harm: a run resumes from it.
    pub fn remove(&self, name: &str) {
        let _stays = fs::remove_file(self.file(name));
    }

    /// Ends the use of the folder by work that is complete: removes it, if it is empty.
    pub fn end(self) {
        remove_if_empty(&self.path, 1);
    }
}

/// A file of which only the first line was read.
#[derive(Debug)]
pub struct Opened {
    /// The first line.
    pub line: String,
    file: File,
    length: u64,
}

impl Opened {
    /// The bytes between the first line and the hash, at most this number, once all has been
    /// hashed; and the hash in hexadecimal digits.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidData`] if the file is damaged; another one, also of the reader, if
    /// `stop` says so.
    pub fn verify<S: Fn() -> bool + Copy>(
        mut self,
        most: u64,
        stop: S,
    ) -> io::Result<(impl Read + use<S>, String)> {
        let start = self.line.len() as u64 + 1;
        let most = most.saturating_add(start + HASH);
        if self.length > most {
            let length = self.length;
            return Err(invalid(format!("it has {length} bytes, and may have at most {most}")));
        }
        let (end, hash) = verify_hash(&mut self.file, self.length, stop)?;
        let rest = end.checked_sub(start).ok_or_else(|| invalid("it is too short"))?;
        self.file.seek(SeekFrom::Start(start))?;
        let source = stoppable(self.file.take(rest), stop);
        Ok((BufReader::with_capacity(BUFFER, source), hash))
    }
}

/// The bytes of the hash.
pub const HASH: u64 = blake3::OUT_LEN as u64;

/// Hashes all bytes that are written.
pub struct Hashing<W: Write> {
    out: BufWriter<W>,
    hasher: blake3::Hasher,
}

impl<W: Write> Hashing<W> {
    /// A file without bytes.
    pub fn new(out: W) -> Self {
        Self { out: BufWriter::with_capacity(1 << 20, out), hasher: blake3::Hasher::new() }
    }

    /// The number of bytes so far.
    pub fn count(&self) -> u64 {
        self.hasher.count()
    }

    /// Writes the hash. Returns the file and the hash in hexadecimal digits.
    ///
    /// # Errors
    /// The error of the operating system.
    pub fn finish(mut self) -> io::Result<(W, String)> {
        let hash = self.hasher.finalize();
        self.out.write_all(hash.as_bytes())?;
        Ok((self.out.into_inner()?, hash.to_string()))
    }
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

/// The number of bytes before the hash of a file of this length, and the hash in hexadecimal
/// digits. All of it is read, unless it is to stop.
///
/// # Errors
/// [`io::ErrorKind::InvalidData`] if the hash is another one; the error of [`stoppable`].
pub fn verify_hash(
    file: &mut File,
    length: u64,
    stop: impl Fn() -> bool,
) -> io::Result<(u64, String)> {
    let end = length.checked_sub(HASH).ok_or_else(|| invalid("it is too short"))?;
    file.rewind()?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(stoppable(&*file, stop).take(end))?;
    let mut expected = [0; blake3::OUT_LEN];
    file.read_exact(&mut expected)?;
    let hash = hasher.finalize();
    if hash == expected {
        Ok((end, hash.to_string()))
    } else {
        Err(invalid("its hash does not fit"))
    }
}
