//! Words on disk: files in a folder, one for the readers of a bucket.
//!
//! A file is a chain of parts: its length in bytes, runs of words, and the BLAKE3 hash of the part
//! before and of these runs. A run is its reader, its source, how many
//! words there are, and the words; all numbers are little-endian.

use super::{runs::Run, waiting::Words};
use crate::{
    band::{
        codec::{Source, invalid, put, put_eight},
        space::sync_folder,
        units::BlockIndex,
    },
    error::SweepError,
};
use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{self, BufReader, Read, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

/// A file that says whose words they are.
const OWNER: &str = "owner.txt";

/// A part has so many bytes and little more, if there are more words.
const PART: usize = 1 << 20;

/// Readers whose words share a file.
const BUCKET: u64 = 4;

/// The bucket of a reader.
pub(crate) fn bucket_of(reader: BlockIndex) -> u64 {
    reader.0 / BUCKET
}

/// The readers of a bucket.
pub(super) fn readers(bucket: u64) -> std::ops::Range<BlockIndex> {
    BlockIndex(BUCKET * bucket)..BlockIndex(BUCKET * (bucket + 1))
}

/// How far a file has been written: what a checkpoint says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileState {
    pub(crate) bucket: u64,
    pub(crate) bytes: u64,
    /// Of the last part.
    pub(crate) hash: [u8; blake3::OUT_LEN],
}

impl FileState {
    /// What [`Self::save`] appends.
    pub(crate) const BYTES: u64 = 2 * 8 + blake3::OUT_LEN as u64;

    /// Nothing.
    pub(super) fn empty(bucket: u64) -> Self {
        Self { bucket, bytes: 0, hash: [0; blake3::OUT_LEN] }
    }

    /// Appends it.
    pub(crate) fn save(&self, out: &mut Vec<u8>) {
        put(out, self.bucket);
        put(out, self.bytes);
        out.extend(self.hash);
    }

    /// Takes what [`Self::save`] appended.
    pub(crate) fn restore(source: &mut Source<impl Read>) -> io::Result<Self> {
        let (bucket, bytes) = (source.number()?, source.number()?);
        let mut hash = [0; blake3::OUT_LEN];
        source.0.read_exact(&mut hash)?;
        Ok(Self { bucket, bytes, hash })
    }
}

/// A folder with such files.
#[derive(Clone, Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    pub(crate) fn file(&self, bucket: u64) -> PathBuf {
        self.0.join(format!("words-{bucket:07}.bin"))
    }

    /// Appends words to the file of a bucket, of which so much is there. If that fails, it has no
    /// more than before, as far as the system can do that.
    pub(super) fn append(&self, state: &FileState, words: &Words) -> io::Result<FileState> {
        let mut file =
            OpenOptions::new().create(true).append(true).open(self.file(state.bucket))?;
        if file.metadata()?.len() != state.bytes {
            return Err(invalid("somebody else has written to it"));
        }
        append_to(&mut file, *state, words).inspect_err(|_| {
            // The error to report is the first one.
            let _ = file.set_len(state.bytes);
        })
    }

    /// Reads what is there, in the order in which it was written; nothing that a hash does not fit.
    pub(crate) fn read(
        &self,
        state: &FileState,
        mut take: impl FnMut(BlockIndex, Run),
    ) -> io::Result<()> {
        if state.bytes == 0 {
            return Ok(());
        }
        let file = File::open(self.file(state.bucket))?;
        let mut rest = BufReader::with_capacity(1 << 18, file).take(state.bytes);
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
                if !readers(state.bucket).contains(&reader) || source >= reader {
                    return Err(invalid("it has words for other readers"));
                }
                let words = (0..count).map(|_| part.eight()).collect::<io::Result<Vec<_>>>()?;
                take(reader, Run { source, words: Arc::new(words), is_on_disk: true });
            }
        }
        if last == state.hash { Ok(()) } else { Err(invalid("it is not as the checkpoint says")) }
    }

    /// Makes these files safe, and that they are there.
    pub(super) fn sync(&self, files: &[FileState]) -> io::Result<()> {
        files.iter().try_for_each(|state| File::open(self.file(state.bucket))?.sync_data())?;
        sync_folder(&self.0)
    }

    /// Removes all such files, if they are of the run with checkpoints in `owner`; if nothing else
    /// is there, the folder as well.
    pub(crate) fn clear(&self, owner: &Path) -> io::Result<()> {
        if !self.0.exists() {
            return Ok(());
        }
        self.prepare_files(owner, &[]).map_err(|(_, error)| error)?;
        fs::remove_file(self.0.join(OWNER))?;
        if fs::read_dir(&self.0)?.next().is_none() { fs::remove_dir(&self.0) } else { Ok(()) }
    }

    pub(super) fn remove(&self, bucket: u64) -> io::Result<()> {
        match fs::remove_file(self.file(bucket)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Prepares the folder for a run with checkpoints in `owner`, that begins, or goes on from
    /// these files. Whatever else is there of the same run goes; what is of another run is an
    /// error.
    pub(crate) fn prepare(&self, owner: &Path, left: &[FileState]) -> Result<(), SweepError> {
        self.prepare_files(owner, left).map_err(|(file, error)| failure(&file, &error))
    }

    fn prepare_files(&self, owner: &Path, left: &[FileState]) -> Result<(), (PathBuf, io::Error)> {
        let here = |error| (self.0.clone(), error);
        fs::create_dir_all(&self.0).map_err(here)?;
        let files = self.files().map_err(here)?;
        let said = self.0.join(OWNER);
        let there = |error| (said.clone(), error);
        let owner = format!(
            "words of the run in {}\n",
            std::path::absolute(owner).map_err(here)?.display()
        );
        match fs::read_to_string(&said) {
            Ok(text) if text == owner || files.is_empty() => {}
            Ok(text) => {
                let problem = format!(
                    "it has {}, and this is another run; choose another folder, or remove {OWNER} \
                     if nobody is to go on with that run",
                    text.trim_end()
                );
                return Err(here(io::Error::other(problem)));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(there(error)),
        }
        fs::write(&said, owner).map_err(there)?;
        for (bucket, file) in files {
            let kept = left.iter().find(|state| state.bucket == bucket);
            let prepared = match kept {
                Some(state) => OpenOptions::new()
                    .write(true)
                    .open(&file)
                    .and_then(|open| open.set_len(state.bytes)),
                None => fs::remove_file(&file),
            };
            prepared.map_err(|error| (file, error))?;
        }
        Ok(())
    }

    /// What the files of words take.
    pub(super) fn bytes(&self) -> io::Result<u64> {
        if !self.0.is_dir() {
            return Ok(0);
        }
        self.files()?.values().map(|file| Ok(file.metadata()?.len())).sum()
    }

    /// The files of words, by bucket.
    fn files(&self) -> io::Result<BTreeMap<u64, PathBuf>> {
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(&self.0)? {
            let entry = entry?;
            if let Some(bucket) = entry.file_name().to_str().and_then(bucket_in) {
                files.insert(bucket, entry.path());
            }
        }
        Ok(files)
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

/// The error of a file of words.
pub(crate) fn failure(file: &Path, error: &io::Error) -> SweepError {
    SweepError::Spill { file: file.to_owned(), problem: error.to_string() }
}

fn bucket_in(name: &str) -> Option<u64> {
    name.strip_prefix("words-")?.strip_suffix(".bin")?.parse().ok()
}

fn hash(before: &[u8; blake3::OUT_LEN], part: &[u8]) -> [u8; blake3::OUT_LEN] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(before).update(part);
    hasher.finalize().into()
}
