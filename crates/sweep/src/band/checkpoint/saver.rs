//! Writing checkpoints while the pipeline goes on (the module above says what one is).
//!
//! At most one is being written at a time. The worker whose block ends below the boundary copies
//! every message that it sends into buffers; a thread of its own hashes and writes these, and
//! makes the file safe. If the disk is slower than the pipeline, that worker waits, so that no more
//! than a few buffers are ever full. Whatever goes wrong is told, and the run goes on.
//!
//! Where several processes share the run, one of them writes. Its own workers begin checkpoints,
//! and the words that wait with the others come in pieces, as they are asked for.

use super::{
    file::{VERSION, VERSION_OF_PARTS, header, size, trailer},
    folder::{Checkpoints, file_name, may_go, unfinished_name},
    news::CheckpointNews,
    words::{Broken, Tell, ToOthers, Words},
};
use crate::{
    band::{
        codec::put_row,
        geometry::Frame,
        group::Group,
        post::Office,
        schedule::block_of,
        space::require_space,
        units::{BandIndex, BlockIndex},
        walk::Corner,
    },
    units::RowIndex,
};
use record::Record;
use record::listeners::Done;
use std::{
    fs::{self, File},
    io::{self, Write},
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, Sender, SyncSender, channel, sync_channel},
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
    /// Where the run is shared: tells the other processes what they have to do.
    others: Option<Box<Tell>>,
    /// Corner and groups are complete below the last row of this block; the rest is not.
    columns: Mutex<Option<(BlockIndex, Columns)>>,
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

/// A checkpoint to be written: its row, and what it consists of.
pub(crate) struct Job {
    row: RowIndex,
    begun: Instant,
    /// Corner and groups, in pieces.
    columns: Receiver<Vec<u8>>,
    rest: Receiver<Rest>,
}

/// What a checkpoint consists of besides corner and groups.
struct Rest {
    /// How many groups there are.
    groups: u64,
    /// The words that wait for them.
    words: Words,
    rows: Vec<Arc<Vec<u8>>>,
    done: Done,
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
        Self {
            checkpoints,
            office,
            frame,
            due: Mutex::new(due),
            finished: Mutex::new(finished),
            complete: AtomicBool::new(false),
            others: None,
            columns: Mutex::default(),
        }
    }

    /// The same, where other processes share the run, who are told by `others` what to do.
    pub(crate) fn shared(self, others: Box<Tell>) -> Self {
        Self { others: Some(others), ..self }
    }

    /// Begins the checkpoint whose first row is `row`, if one is due. The block below has not
    /// begun.
    pub(crate) fn begin(&self, row: RowIndex, jobs: &Sender<Job>) -> Option<Tee> {
        let mut due = lock(&self.due);
        let begun = Instant::now();
        let is_now = |Due { at, is_retry }| at <= begun || !is_retry && self.office.is_crowded();
        if !due.is_some_and(is_now) {
            return None;
        }
        let (pieces, columns) = sync_channel(BUFFERS);
        let (to_rest, rest) = channel();
        jobs.send(Job { row, begun, columns, rest }).ok()?;
        *due = None;
        self.office.keep(last_block(row));
        self.tell(ToOthers::Keep(last_block(row)));
        let buffer = Vec::with_capacity(BUFFER);
        Some(Tee { pieces: Some(pieces), rest: to_rest, buffer, groups: 0 })
    }

    /// A block has finished, with these rows; `tee` has a copy of what it has sent.
    ///
    /// If all blocks are of this process, the checkpoint at its boundary is complete, with the
    /// words that wait there. Otherwise rows are [seen](Self::see) as they come.
    pub(crate) fn finish(&self, block: BlockIndex, rows: &[Record], done: Done, tee: Option<Tee>) {
        let columns = tee.map(Tee::end);
        if self.others.is_some() {
            let mut waiting = lock(&self.columns);
            if !self.complete.load(Ordering::Relaxed) {
                *waiting = columns.map(|columns| (block, columns)).or(waiting.take());
            }
            return;
        }
        let so_far = self.add(rows, done);
        if let Some(columns) = columns {
            let own = self.office.copy(block);
            columns.with(so_far).complete(Words { own, others: Vec::new() });
        }
    }

    /// Takes the rows of a block; those of all blocks before have been taken. Where the run is
    /// shared, this gives the checkpoint above the block, if there is one.
    pub(crate) fn see(
        &self,
        block: BlockIndex,
        rows: &[Record],
        done: Done,
    ) -> Option<AllButWords> {
        let so_far = self.add(rows, done);
        let (_, columns) = lock(&self.columns).take_if(|(boundary, _)| *boundary == block)?;
        Some(columns.with(so_far))
    }

    /// Adds rows to those that are finished; returns these.
    fn add(&self, rows: &[Record], done: Done) -> (Vec<Arc<Vec<u8>>>, Done) {
        let mut bytes = Vec::new();
        for row in rows {
            put_row(&mut bytes, row);
        }
        let mut finished = lock(&self.finished);
        finished.rows.push(Arc::new(bytes));
        finished.done += done;
        (finished.rows.clone(), finished.done)
    }

    fn tell(&self, what: ToOthers) {
        if let Some(others) = &self.others {
            others(what);
        }
    }

    /// The run is complete, or ends here: a checkpoint that is being written is not worth waiting
    /// for.
    pub(crate) fn complete(&self) {
        self.complete.store(true, Ordering::Relaxed);
        // Nobody will see the rows of its block.
        lock(&self.columns).take();
    }

    /// Writes checkpoints until all workers are gone.
    pub(crate) fn write(&self, jobs: &Receiver<Job>) {
        for Job { row, begun, columns, rest } in jobs {
            let written = self.write_one(row, columns, &rest);
            // However it went, no other one begins before the block below this one has finished.
            let _ = rest.recv();
            let needed = self.checkpoints.oldest().map(first_block);
            self.office.forget_copy(needed);
            self.tell(ToOthers::Forget(last_block(row), needed));
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

    fn write_one(
        &self,
        row: RowIndex,
        columns: Receiver<Vec<u8>>,
        rest: &Receiver<Rest>,
    ) -> io::Result<()> {
        let begun = Instant::now();
        let folder = self.checkpoints.folder();
        fs::create_dir_all(folder)?;
        let end = self.frame.bands.first_row();
        require_space(folder, size(row, end, self.office.spills()))?;
        let (unfinished, safe) = (folder.join(unfinished_name(row)), folder.join(file_name(row)));
        if fs::symlink_metadata(&safe).is_ok() && !may_go(&safe, end) {
            return Ok(());
        }
        if fs::symlink_metadata(&unfinished).is_ok() {
            fs::remove_file(&unfinished)?;
        }
        let written = self.write_file(&unfinished, row, columns, rest);
        let published = written.and_then(|bytes| {
            if let Some(bytes) = bytes {
                fs::rename(&unfinished, &safe)?;
                files::sync_folder(folder)?;
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
        columns: Receiver<Vec<u8>>,
        rest: &Receiver<Rest>,
    ) -> io::Result<Option<u64>> {
        let mut file =
            Hashed { file: files::create_new(path)?, hasher: blake3::Hasher::new(), bytes: 0 };
        let version =
            if self.others.is_some() && self.office.spills() { VERSION_OF_PARTS } else { VERSION };
        file.write(header(row, self.frame, version).as_bytes())?;
        let goes_on = || !self.complete.load(Ordering::Relaxed);
        columns.into_iter().take_while(|_| goes_on()).try_for_each(|bytes| file.write(&bytes))?;
        let Some(Rest { groups, words, rows, done }) = rest.recv().ok().filter(|_| goes_on())
        else {
            return Ok(None);
        };
        let ask = |part| self.tell(ToOthers::Give(part, last_block(row)));
        let write = |bytes: &[u8]| {
            if !goes_on() {
                return Err(Broken::RunEnded);
            }
            Ok(file.write(bytes)?)
        };
        let files = if self.office.spills() {
            words.files_of_others().and_then(|mut files| {
                files.extend(self.office.files_of_copy()?);
                files.sort_by_key(|file| (file.reader, file.place));
                Ok(files)
            })
        } else {
            words.each(&ask, write).map(|()| Vec::new())
        };
        let files = match files {
            Ok(files) => files,
            Err(Broken::RunEnded) => return Ok(None),
            Err(Broken::Failed(error)) => return Err(error),
        };
        let rows_at = file.bytes;
        rows.iter().try_for_each(|rows| file.write(rows))?;
        file.write(&trailer(groups, rows_at, &files, done, row))?;
        file.end().map(Some)
    }
}

/// The block with which a run goes on from the checkpoint of this row.
fn first_block(row: RowIndex) -> BlockIndex {
    block_of(BandIndex::of_row(row))
}

/// The block below the checkpoint of this row.
fn last_block(row: RowIndex) -> BlockIndex {
    block_of(BandIndex::of_row(row) - 1)
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
    pieces: Option<SyncSender<Vec<u8>>>,
    rest: Sender<Rest>,
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
        if self.pieces.as_ref().is_some_and(|pieces| pieces.send(full).is_err()) {
            self.pieces = None;
        }
    }

    /// The block has sent everything.
    fn end(mut self) -> Columns {
        self.flush();
        Columns { rest: self.rest, groups: self.groups }
    }
}

/// A checkpoint that has its corner and groups.
struct Columns {
    rest: Sender<Rest>,
    groups: u64,
}

impl Columns {
    fn with(self, (rows, done): (Vec<Arc<Vec<u8>>>, Done)) -> AllButWords {
        let Self { rest, groups } = self;
        AllButWords { rest, groups, rows, done }
    }
}

/// A checkpoint that lacks nothing but the words that wait. Dropped, it leaves none.
pub(crate) struct AllButWords {
    rest: Sender<Rest>,
    groups: u64,
    rows: Vec<Arc<Vec<u8>>>,
    done: Done,
}

impl AllButWords {
    /// Has it written, with these.
    pub(crate) fn complete(self, words: Words) {
        let Self { rest, groups, rows, done } = self;
        // If the writer has given up, it has told why.
        let _ = rest.send(Rest { groups, words, rows, done });
    }
}
