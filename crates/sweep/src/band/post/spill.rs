//! Words on disk: files, one for the readers of a bucket.
//!
//! A file is a chain of parts: its length in bytes, runs of words, and the BLAKE3 hash of the part
//! before and of these runs. A run is its reader, its source, how many words there are, and the
//! words; all numbers are little-endian.

use super::{
    folder::Folder,
    runs::Run,
    state::{FileState, readers},
    waiting::Words,
};
use crate::band::{
    codec::{Source, invalid, put, put_eight},
    units::BlockIndex,
};
use std::{
    fs::{File, OpenOptions},
    io::{self, BufReader, Read, Write},
    sync::Arc,
};

/// A part has so many bytes and little more, if there are more words.
const PART: usize = 1 << 20;

impl FileState {
    /// Appends words to the file, of which so much is there. If that fails, it has no
    /// more than before, as far as the system can do that.
    pub(super) fn append(&self, folder: &Folder, words: &Words) -> io::Result<FileState> {
        let mut file = OpenOptions::new().create(true).append(true).open(folder.file(self))?;
        if file.metadata()?.len() != self.bytes {
            return Err(invalid("somebody else has written to it"));
        }
        append_to(&mut file, *self, words).inspect_err(|_| {
            // The error to report is the first one.
            let _ = file.set_len(self.bytes);
        })
    }

    /// Reads what is there, in the order in which it was written; nothing that a hash does not fit.
    pub(crate) fn read(
        &self,
        folder: &Folder,
        mut take: impl FnMut(BlockIndex, Run),
    ) -> io::Result<()> {
        if self.bytes == 0 {
            return Ok(());
        }
        let file = File::open(folder.file(self))?;
        let mut rest = BufReader::with_capacity(1 << 18, file).take(self.bytes);
        let mut last = [0; blake3::OUT_LEN];
        while rest.limit() > 0 {
            let length = Source(&mut rest).number()?;
            let mut part = Vec::new();
            (&mut rest).take(length).read_to_end(&mut part)?;
            let mut expected = [0; blake3::OUT_LEN];
            rest.read_exact(&mut expected)?;
            last = hash(&last, &part);
            if last != expected {
                return Err(invalid("its hash is not that of its content"));
            }
            let mut part = Source(part.as_slice());
            while !part.0.is_empty() {
                let (reader, source) = (BlockIndex(part.number()?), BlockIndex(part.number()?));
                let count = part.number()?;
                if !readers(self.bucket).contains(&reader) || source >= reader {
                    return Err(invalid("it has words for other readers"));
                }
                let words = (0..count).map(|_| part.eight()).collect::<io::Result<Vec<_>>>()?;
                take(reader, Run { source, words: Arc::new(words), is_on_disk: true });
            }
        }
        if last == self.hash { Ok(()) } else { Err(invalid("it is not as the checkpoint says")) }
    }

    /// Makes it safe.
    pub(super) fn sync(&self, folder: &Folder) -> io::Result<()> {
        File::open(folder.file(self))?.sync_data()
    }
}

/// Appends words, in parts.
fn append_to(file: &mut File, mut state: FileState, words: &Words) -> io::Result<FileState> {
    let mut part = Vec::new();
    let mut words = words.iter().peekable();
    while let Some((reader, run)) = words.next() {
        for number in [reader.0, run.source.0, run.words.len() as u64] {
            put(&mut part, number);
        }
        run.words.iter().for_each(|word| put_eight(&mut part, word));
        if part.len() >= PART || words.peek().is_none() {
            state.hash = hash(&state.hash, &part);
            file.write_all(&(part.len() as u64).to_le_bytes())?;
            file.write_all(&part)?;
            file.write_all(&state.hash)?;
            state.bytes += (size_of::<u64>() + part.len() + state.hash.len()) as u64;
            part.clear();
        }
    }
    Ok(state)
}

fn hash(before: &[u8; blake3::OUT_LEN], part: &[u8]) -> [u8; blake3::OUT_LEN] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(before).update(part);
    hasher.finalize().into()
}
