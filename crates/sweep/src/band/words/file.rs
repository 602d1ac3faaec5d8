//! A file of words: those that one process has stored for one reader.
//!
//! A file only grows. It is a chain of parts. A part is its length in bytes, batches of words, and
//! their XXH3 hash of 64 bits, with the hash of the previous part as its seed. The hash detects
//! damage, and nothing else. A batch is its reader, its source, the number of words, and the words;
//! all numbers are little-endian.
//!
//! So a file is described by its length and the hash of its last part, and a checkpoint needs no
//! more. When a checkpoint is made, blocks above it are running, and have stored words in the same
//! files. A run that resumes computes these blocks again. So it first cuts the file to the length
//! that the checkpoint names, and appends a *bar*: a batch without words, whose source is the block
//! below the checkpoint. It voids the words of later sources that come before it.
//!
//! ```text
//! source   7 7 8 9 8 9 | 10 9 10        the checkpoint above block 8 names the length up to |
//! resumed  7 7 8 9 8 9   bar 8   9 9 10 10
//! ```

use crate::band::codec::{Decoder, invalid, put, put_eight};
use crate::band::simd::Eight;
use crate::units::{BlockIndex, index};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use twox_hash::XxHash3_64;

/// Words in a buffer. A batch takes two: one block completes 8 words of a group, and each of them
/// has the same reader in about `64 (1 + √2) 8 / (2 * 8/√2)` groups in succession.
pub(crate) const BUFFER: usize = 440;

/// A batch of words, or a piece of one: words from one block to another, in the order in which they
/// were stored.
#[derive(Debug)]
pub(crate) struct Batch {
    /// The block that has stored them.
    pub(crate) source: BlockIndex,
    /// The words, each for the eight columns of a group.
    pub(crate) words: Vec<Eight>,
}

/// A part other than the last of an append has this number of bytes, or slightly more. It stays in
/// the cache while it is encoded, hashed and written, or read, hashed and decoded.
const PART: usize = 1 << 18;

/// No part is longer: the last batch of a part adds some kilobytes to it.
const LONGEST_PART: u64 = 1 << 26;

/// No file is longer: a reader of rows to 2^29 reads less than 12 GB.
const LONGEST_FILE: u64 = 1 << 36;

/// Bytes of a length or a hash.
const NUMBER: usize = size_of::<u64>();

/// The bits of a file's number from this one on have its writer.
const WRITER: u32 = 32;

/// A file of words, up to some length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileState {
    /// The reader of its words.
    pub(crate) reader: BlockIndex,
    /// The number of the process that writes it.
    pub(crate) writer: u64,
    pub(crate) bytes: u64,
    /// The hash of the last part.
    pub(crate) hash: u64,
}

impl FileState {
    /// A file that does not exist yet.
    pub(crate) fn empty(reader: BlockIndex, writer: u64) -> Self {
        Self { reader, writer, bytes: 0, hash: 0 }
    }

    /// It as numbers.
    pub fn numbers(&self) -> [u64; 3] {
        [self.writer << WRITER | self.reader.0, self.bytes, self.hash]
    }

    /// The file with these [numbers](Self::numbers).
    pub fn of_numbers([number, bytes, hash]: [u64; 3]) -> Self {
        let (writer, reader) = (number >> WRITER, BlockIndex(number & ((1 << WRITER) - 1)));
        Self { reader, writer, bytes, hash }
    }

    pub(crate) fn path(&self, folder: &Path) -> PathBuf {
        let Self { reader: BlockIndex(reader), writer, .. } = self;
        folder.join(match writer {
            0 => format!("words-{reader:07}.bin"),
            _ => format!("words-{reader:07}-{writer:04}.bin"),
        })
    }

    /// The file with exactly this name.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let numbers = name.strip_prefix("words-")?.strip_suffix(".bin")?;
        let (reader, writer) = numbers.split_once('-').unwrap_or((numbers, "0"));
        let file = Self::empty(BlockIndex(reader.parse().ok()?), writer.parse().ok()?);
        (file.path(Path::new("")) == Path::new(name)).then_some(file)
    }

    /// Whether this is the same file, perhaps up to another length.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        (self.reader, self.writer) == (other.reader, other.writer)
    }

    /// Appends words. If that fails, the file is cut to its previous length, if the system allows
    /// it.
    pub(crate) fn append(&mut self, folder: &Path, batches: &[Batch]) -> io::Result<()> {
        let path = self.path(folder);
        let mut file = files::append(&path)?;
        if file.metadata()?.len() != self.bytes {
            return Err(invalid("another program has written to it"));
        }
        let (mut grown, mut rest) = (*self, batches);
        while !rest.is_empty() {
            let part = grown.part(&mut rest);
            file.write_all(&part).inspect_err(|_| {
                // Report the first error.
                let _ = files::cut(&path, self.bytes);
            })?;
        }
        *self = grown;
        Ok(())
    }

    /// Cuts it to this length, and appends the bar of a run that resumes above block `below`.
    pub(crate) fn bar(&mut self, folder: &Path, below: BlockIndex) -> io::Result<()> {
        let path = self.path(folder);
        files::cut(&path, self.bytes)?;
        files::append(&path)?.write_all(&self.barred(below))
    }

    /// The state after a [bar](Self::bar), and the bytes of the bar.
    pub(crate) fn barred(&mut self, below: BlockIndex) -> Vec<u8> {
        self.part(&mut [Batch { source: below, words: Vec::new() }].as_slice())
    }

    /// The next part, with as many of the batches as it has room for.
    fn part(&mut self, batches: &mut &[Batch]) -> Vec<u8> {
        let bytes = batches.iter().map(|batch| 3 * NUMBER + 64 * batch.words.len()).sum::<usize>();
        let mut part = Vec::with_capacity((2 * NUMBER + bytes).min(2 * PART));
        put(&mut part, 0);
        while part.len() < PART
            && let Some(Batch { source, words }) = batches.split_off_first()
        {
            for number in [self.reader.0, source.0, words.len() as u64] {
                put(&mut part, number);
            }
            for word in words {
                put_eight(&mut part, word);
            }
        }
        let length = (part.len() - NUMBER) as u64;
        part[..NUMBER].copy_from_slice(&length.to_le_bytes());
        self.hash = XxHash3_64::oneshot_with_seed(self.hash, &part[NUMBER..]);
        put(&mut part, self.hash);
        self.bytes += part.len() as u64;
        part
    }

    /// Reads on from here, without the words that a bar voids; the hash of a part is verified
    /// first. Stops at `end`, or if none is given, at the last part that another process has
    /// completed. It fails once it is to stop.
    pub(crate) fn read(
        &mut self,
        folder: &Path,
        end: Option<u64>,
        stop: impl Fn() -> bool,
    ) -> io::Result<Vec<Batch>> {
        let mut batches: Vec<Batch> = Vec::new();
        if end == Some(self.bytes) {
            return Ok(batches);
        }
        let (mut file, length) = match files::open(&self.path(folder), LONGEST_FILE) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && end.is_none() => {
                return Ok(batches);
            }
            opened => opened?,
        };
        let last = end.unwrap_or(length);
        if length < last {
            // For example an old or a partial copy.
            return Err(io::Error::other(format!("it has {length} bytes, and {last} are needed")));
        }
        file.seek(SeekFrom::Start(self.bytes))?;
        let mut rest = files::stoppable(file, stop).take(last.saturating_sub(self.bytes));
        let mut part = Vec::new();
        // A part that another process has not completed is shorter than it says.
        let has = |rest: &io::Take<_>, bytes| end.is_some() || rest.limit() >= bytes;
        while rest.limit() > 0 && has(&rest, NUMBER as u64) {
            let mut length = [0; NUMBER];
            rest.read_exact(&mut length)?;
            let length = u64::from_le_bytes(length);
            let with_hash = length.saturating_add(NUMBER as u64);
            if length > LONGEST_PART || end.is_some() && rest.limit() < with_hash {
                return Err(invalid("a part of it is too long"));
            }
            if !has(&rest, with_hash) {
                break;
            }
            part.resize(index(with_hash), 0);
            rest.read_exact(&mut part)?;
            let (part, hash) = part.split_at(index(length));
            self.hash = XxHash3_64::oneshot_with_seed(self.hash, part);
            if self.hash != Decoder(hash).number()? {
                return Err(invalid("its hash is not that of its content"));
            }
            self.bytes += NUMBER as u64 + with_hash;
            let mut part = Decoder(part);
            while !part.0.is_empty() {
                let (reader, source) = (BlockIndex(part.number()?), BlockIndex(part.number()?));
                if reader != self.reader || source >= reader {
                    return Err(invalid("it has words for another reader"));
                }
                let words = part.number().and_then(|count| part.eights(count))?;
                if words.is_empty() {
                    batches.retain(|batch| batch.source <= source);
                } else {
                    batches.push(Batch { source, words });
                }
            }
        }
        Ok(batches)
    }

    /// Syncs it to disk.
    pub(crate) fn sync(&self, folder: &Path) -> io::Result<()> {
        let file: File = files::open(&self.path(folder), LONGEST_FILE)?.0;
        file.sync_data()
    }
}
