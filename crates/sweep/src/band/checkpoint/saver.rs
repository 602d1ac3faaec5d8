//! Writing checkpoints while the pipeline goes on (the module above says what one is).
//!
//! At most one is being written at a time. The worker whose block ends below the boundary copies
//! every message that it sends into buffers; a thread of its own hashes and writes these, and
//! makes the file safe. If the disk is slower than the pipeline, that worker waits, so that no more
//! than a few buffers are ever full. Whatever goes wrong is told, and the run goes on.

use super::{
    file::{header, size, trailer},
    folder::{Checkpoints, file_name, may_go, unfinished_name},
    news::CheckpointNews,
};
use crate::{
    band::{
        codec::{put, put_eight, put_row},
        geometry::Frame,
        group::Group,
        post::{Office, Run},
        schedule::block_of,
        space::{require_space, sync_folder},
        units::{BandIndex, BlockIndex},
        walk::Corner,
    },
    sink::Done,
    units::RowIndex,
};
use record::RowRecord;
use std::{
    fs::{self, File},
    io::{self, Write},
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, Sender, SyncSender, sync_channel},
    },
    time::{Duration, Instant},
};

/// Bytes in a buffer.
const BUFFER: usize = 1 << 20;

/// Buffers on their way to the file.
const BUFFERS: usize = 4;

/// After a checkpoint that failed, the next one is not tried for so long.
const PAUSE: Duration = Duration::from_secs(30);

/// When the next checkpoint is due; what they all share.
pub(crate) struct Saver<'a> {
    checkpoints: &'a Checkpoints<'a>,
    office: &'a Office,
    frame: Frame,
    /// `None` while one is being written, or if there will be no more.
    due: Mutex<Option<Due>>,
    finished: Mutex<Finished>,
    complete: AtomicBool,
}

/// When a checkpoint is due. One that could not be written is not tried again before.
#[derive(Clone, Copy)]
struct Due {
    at: Instant,
    is_retry: bool,
}

/// All rows that are finished, encoded, and what was done for them.
struct Finished {
    rows: Vec<Arc<Vec<u8>>>,
    done: Done,
}

/// Words that wait, by reader and source, but for those that are in files or will be.
type Words = Vec<(BlockIndex, Run)>;

/// A checkpoint to be written: its row, and what it consists of.
pub(crate) struct Job {
    row: RowIndex,
    begun: Instant,
    pieces: Receiver<Piece>,
}

/// A piece of a checkpoint.
enum Piece {
    /// Of corner or groups.
    Columns(Vec<u8>),
    /// The end: the number of groups, the words that wait for them, the rows, and what was done for
    /// them.
    End(u64, Words, Vec<Arc<Vec<u8>>>, Done),
}

impl<'a> Saver<'a> {
    /// For a run that begins, or goes on, after these rows.
    pub(crate) fn new(
        checkpoints: &'a Checkpoints<'a>,
        office: &'a Office,
        frame: Frame,
        rows: Vec<u8>,
        done: Done,
    ) -> Self {
        if let Err(error) = checkpoints.remove_unfinished() {
            let (folder, problem) = (checkpoints.folder().to_owned(), error.to_string());
            checkpoints.tell(&CheckpointNews::UnfinishedStay { folder, problem });
        }
        let due = Instant::now().checked_add(checkpoints.interval(Duration::ZERO));
        let due = due.map(|at| Due { at, is_retry: false });
        let finished = Finished { rows: vec![Arc::new(rows)], done };
        let (due, finished) = (Mutex::new(due), Mutex::new(finished));
        Self { checkpoints, office, frame, due, finished, complete: AtomicBool::new(false) }
    }

    /// Begins the checkpoint whose first row is `row`, if one is due.
    pub(crate) fn begin(&self, row: RowIndex, jobs: &Sender<Job>) -> Option<Tee> {
        let mut due = lock(&self.due);
        let begun = Instant::now();
        let is_now = |Due { at, is_retry }| at <= begun || !is_retry && self.office.is_crowded();
        if !due.is_some_and(is_now) {
            return None;
        }
        let (sender, pieces) = sync_channel(BUFFERS);
        jobs.send(Job { row, begun, pieces }).ok()?;
        *due = None;
        Some(Tee { pieces: Some(sender), buffer: Vec::with_capacity(BUFFER), groups: 0 })
    }

    /// Takes the rows of the next block, and ends the checkpoint at its boundary, if there is one:
    /// with the words that wait there.
    pub(crate) fn finish(&self, rows: &[RowRecord], done: Done, end: Option<(Tee, Words)>) {
        let mut bytes = Vec::new();
        for row in rows {
            put_row(&mut bytes, row);
        }
        let mut finished = lock(&self.finished);
        finished.rows.push(Arc::new(bytes));
        finished.done += done;
        if let Some((mut tee, words)) = end {
            let (rows, done) = (finished.rows.clone(), finished.done);
            drop(finished);
            tee.flush();
            let groups = tee.groups;
            tee.send(Piece::End(groups, words, rows, done));
        }
    }

    /// The run is complete: a checkpoint that is being written is not worth waiting for.
    pub(crate) fn complete(&self) {
        self.complete.store(true, Ordering::Relaxed);
    }

    /// Writes checkpoints until all workers are gone.
    pub(crate) fn write(&self, jobs: &Receiver<Job>) {
        for Job { row, begun, pieces } in jobs {
            let written = self.write_one(row, &pieces);
            // Whether it is used or not, the copy is made.
            pieces.iter().for_each(drop);
            self.office.forget_copy(self.checkpoints.oldest().map(first_block));
            let is_retry = written.is_err();
            let next = match written {
                Ok(()) => begun.checked_add(self.checkpoints.interval(begun.elapsed())),
                Err(error) => {
                    let folder = self.checkpoints.folder().to_owned();
                    let problem = error.to_string();
                    let news = CheckpointNews::NotWritten { row: row.0, folder, problem };
                    self.checkpoints.tell(&news);
                    let pause = self.checkpoints.interval(Duration::ZERO).max(PAUSE);
                    Instant::now().checked_add(pause)
                }
            };
            *lock(&self.due) = next.map(|at| Due { at, is_retry });
        }
    }

    fn write_one(&self, row: RowIndex, pieces: &Receiver<Piece>) -> io::Result<()> {
        let begun = Instant::now();
        let folder = self.checkpoints.folder();
        fs::create_dir_all(folder)?;
        let end = self.frame.bands.first_row();
        require_space(folder, size(row, end, self.office.spills()))?;
        let (unfinished, safe) = (folder.join(unfinished_name(row)), folder.join(file_name(row)));
        if fs::symlink_metadata(&safe).is_ok() && !may_go(&safe, end) {
            return Ok(());
        }
        let written = self.write_file(&unfinished, row, pieces);
        let published = written.and_then(|bytes| {
            if let Some(bytes) = bytes {
                fs::rename(&unfinished, &safe)?;
                sync_folder(folder)?;
                let (file, took) = (safe.clone(), begun.elapsed());
                self.checkpoints.tell(&CheckpointNews::Written { file, bytes, took });
            }
            Ok(bytes.is_some())
        });
        if !matches!(published, Ok(true)) {
            // The error to report is the first one; if even this fails, the next run removes it.
            let _ = fs::remove_file(&unfinished);
        } else if let Err(error) = self.checkpoints.remove_oldest(end) {
            let (folder, problem) = (folder.to_owned(), error.to_string());
            self.checkpoints.tell(&CheckpointNews::OldStays { folder, problem });
        }
        published.map(drop)
    }

    /// Writes the file; `None` if the run has ended before its checkpoint.
    fn write_file(
        &self,
        path: &Path,
        row: RowIndex,
        pieces: &Receiver<Piece>,
    ) -> io::Result<Option<u64>> {
        let mut file =
            Hashed { file: File::create(path)?, hasher: blake3::Hasher::new(), bytes: 0 };
        file.write(header(row, self.frame).as_bytes())?;
        for piece in pieces.iter().take_while(|_| !self.complete.load(Ordering::Relaxed)) {
            match piece {
                Piece::Columns(bytes) => file.write(&bytes)?,
                Piece::End(groups, words, rows, done) => {
                    write_words(&mut file, words)?;
                    let files = self.office.files_of_copy()?;
                    let rows_at = file.bytes;
                    rows.iter().try_for_each(|rows| file.write(rows))?;
                    file.write(&trailer(groups, rows_at, &files, done, row))?;
                    return file.end().map(Some);
                }
            }
        }
        Ok(None)
    }
}

/// The block with which a run goes on from the checkpoint of this row.
fn first_block(row: RowIndex) -> BlockIndex {
    block_of(BandIndex::of_row(row))
}

/// Writes the words: what is written is freed, unless somebody else needs it.
fn write_words(file: &mut Hashed, words: Words) -> io::Result<()> {
    let mut bytes = Vec::new();
    let mut words = words.into_iter().peekable();
    while let Some((reader, Run { source, words: piece, .. })) = words.next() {
        let mut run = vec![piece];
        while let Some((_, next)) =
            words.next_if(|next| next.0 == reader && next.1.source == source)
        {
            run.push(next.words);
        }
        let count = run.iter().map(|piece| piece.len() as u64).sum();
        for number in [reader.0, source.0, count] {
            put(&mut bytes, number);
        }
        run.iter().flat_map(|piece| piece.iter()).for_each(|word| put_eight(&mut bytes, word));
        file.write(&bytes)?;
        bytes.clear();
    }
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no worker panics while it holds the lock")
}

/// A file that ends with the hash of what was written to it.
struct Hashed {
    file: File,
    hasher: blake3::Hasher,
    bytes: u64,
}

impl Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.update(bytes);
        self.bytes += bytes.len() as u64;
        self.file.write_all(bytes)
    }

    /// Makes the file safe; returns its size.
    fn end(mut self) -> io::Result<u64> {
        let hash = self.hasher.finalize();
        self.file.write_all(hash.as_bytes())?;
        self.file.sync_all()?;
        Ok(self.bytes + hash.as_bytes().len() as u64)
    }
}

/// A copy of what a block sends, on its way to a checkpoint. Dropped before its end, it leaves
/// none.
pub(crate) struct Tee {
    /// Nothing, once the writer has given up.
    pieces: Option<SyncSender<Piece>>,
    buffer: Vec<u8>,
    groups: u64,
}

impl Tee {
    pub(crate) fn corner(&mut self, corner: &Corner) {
        corner.save(&mut self.buffer);
    }

    pub(crate) fn groups(&mut self, groups: &[Box<Group>]) {
        for group in groups {
            if self.pieces.is_none() {
                return;
            }
            group.save(&mut self.buffer);
            if self.buffer.len() >= BUFFER {
                self.flush();
            }
        }
        self.groups += groups.len() as u64;
    }

    fn flush(&mut self) {
        let full = std::mem::replace(&mut self.buffer, Vec::with_capacity(BUFFER));
        self.send(Piece::Columns(full));
    }

    fn send(&mut self, piece: Piece) {
        if self.pieces.as_ref().is_some_and(|pieces| pieces.send(piece).is_err()) {
            self.pieces = None;
        }
    }
}
