//! Words on disk: files, one for each reader.
//!
//! A file is a chain of parts. A part is its length in bytes, batches of words, and their XXH3 hash
//! of 64 bits, with the hash of the previous part as its seed. The hash detects damage, and nothing
//! else. A batch is its reader, its source, the number of words, and the words; all numbers are
//! little-endian.

use super::{folder::Folder, state::FileState};
use std::fs::File;
use std::io::{self, Read, Write};
use sweep::band::pipeline::{BlockIndex, Decoder, Eight, invalid, put, put_eight};
use twox_hash::XxHash3_64;

/// A part other than the last has this number of bytes, or slightly more. It stays in the cache
/// while it is encoded, hashed and written, or read, hashed and decoded.
const PART: usize = 1 << 18;

/// No part is longer: the last batch of a part adds some kilobytes to it.
const LONGEST_PART: u64 = 1 << 26;

/// No file is longer: a reader of rows to 2^29 reads less than 12 GB.
const LONGEST_FILE: u64 = 1 << 36;

/// Bytes before the runs of a part.
const LENGTH: usize = size_of::<u64>();

impl FileState {
    /// Appends words, each list with its reader and its source. If that fails, the file is cut to
    /// its previous length, if the system allows it. The buffer is for a part.
    pub(crate) fn append<'a>(
        &self,
        folder: &Folder,
        words: impl Iterator<Item = (BlockIndex, BlockIndex, &'a [Eight])>,
        part: &mut Vec<u8>,
    ) -> io::Result<FileState> {
        let mut file = files::append(&folder.file(self))?;
        if file.metadata()?.len() != self.bytes {
            return Err(invalid("another program has written to it"));
        }
        append_to(&mut file, *self, words, part).inspect_err(|_| {
            // Report the first error.
            let _ = files::cut(&folder.file(self), self.bytes);
        })
    }

    /// Reads its words with their sources, in the order in which they were written. The hash of a
    /// part is verified first. The buffer is for a part; `list` gives an empty list for a number of
    /// words. It fails once it is to stop.
    pub(crate) fn read(
        &self,
        folder: &Folder,
        part: &mut Vec<u8>,
        stop: impl Fn() -> bool,
        list: impl Fn(u64) -> Vec<Eight>,
        mut take: impl FnMut(BlockIndex, Vec<Eight>),
    ) -> io::Result<()> {
        if self.bytes == 0 {
            return Ok(());
        }
        let (file, length) = files::open(&folder.file(self), LONGEST_FILE)?;
        if length < self.bytes {
            // For example an old or a partial copy.
            let problem = format!("it has {length} bytes, and {} are needed", self.bytes);
            return Err(io::Error::other(problem));
        }
        let mut rest = files::stoppable(file, stop).take(self.bytes);
        let mut last = 0;
        while rest.limit() > 0 {
            let length = Decoder(&mut rest).number()?;
            if length > LONGEST_PART {
                return Err(invalid("a part of it is too long"));
            }
            part.clear();
            (&mut rest).take(length).read_to_end(part)?;
            last = XxHash3_64::oneshot_with_seed(last, part);
            if last != Decoder(&mut rest).number()? {
                return Err(invalid("its hash is not that of its content"));
            }
            let mut part = Decoder(part.as_slice());
            while !part.0.is_empty() {
                let (reader, source) = (BlockIndex(part.number()?), BlockIndex(part.number()?));
                let count = part.number()?;
                if reader != self.reader || source >= reader {
                    return Err(invalid("it has words for another reader"));
                }
                let mut words = list(count);
                part.eights(count, &mut words)?;
                take(source, words);
            }
        }
        if last == self.hash {
            Ok(())
        } else {
            Err(invalid("it is not the file that the checkpoint names"))
        }
    }

    /// Syncs it to disk.
    pub(super) fn sync(&self, folder: &Folder) -> io::Result<()> {
        files::open(&folder.file(self), LONGEST_FILE)?.0.sync_data()
    }
}

/// Appends words, in parts.
fn append_to<'a>(
    file: &mut File,
    mut state: FileState,
    words: impl Iterator<Item = (BlockIndex, BlockIndex, &'a [Eight])>,
    part: &mut Vec<u8>,
) -> io::Result<FileState> {
    let mut words = words.peekable();
    while words.peek().is_some() {
        part.clear();
        put(part, 0);
        while part.len() < PART
            && let Some((reader, source, words)) = words.next()
        {
            for number in [reader.0, source.0, words.len() as u64] {
                put(part, number);
            }
            for word in words {
                put_eight(part, word);
            }
        }
        let length = part.len() - LENGTH;
        part[..LENGTH].copy_from_slice(&(length as u64).to_le_bytes());
        state.hash = XxHash3_64::oneshot_with_seed(state.hash, &part[LENGTH..]);
        put(part, state.hash);
        file.write_all(part)?;
        state.bytes += part.len() as u64;
    }
    Ok(state)
}
