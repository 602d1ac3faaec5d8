//! The storage of a run, which makes checkpoints while the pipeline goes on.

use super::saver::{Job, Rest, Saver, lock};
use record::{Record, listeners::Done};
use std::sync::{
    Arc, Mutex,
    mpsc::{Receiver, Sender, SyncSender, channel, sync_channel},
};
use sweep::{
    band::pipeline::{
        BandIndex, BlockIndex, Eight, Listener, RowIndex, Run, Storage, block_of, put_row,
    },
    error::SweepError,
};

/// Buffers on their way to the file.
const BUFFERS: usize = 4;

/// The storage of a run with checkpoints: words are in the [store](crate::store::Store), and the
/// [`Saver`] writes what its listeners get. Dropped, it begins no more checkpoints, and leaves one
/// that is not complete.
pub struct Recorder<'a> {
    saver: &'a Saver<'a>,
    jobs: Sender<Job>,
    found: Mutex<Found>,
}

/// The rows so far, in bytes, and what was done for them.
#[derive(Default)]
struct Found {
    rows: Vec<Arc<Vec<u8>>>,
    done: Done,
    /// A checkpoint that has its corner and groups, and lacks rows.
    columns: Option<Columns>,
}

/// A checkpoint that has its corner and groups.
struct Columns {
    row: RowIndex,
    groups: u64,
    rest: Sender<Rest>,
}

impl<'a> Recorder<'a> {
    /// For a run from row 0 on. Returns also the jobs for the saver.
    pub fn new(saver: &'a Saver<'a>) -> (Self, Receiver<Job>) {
        let (jobs, to_write) = channel();
        (Self { saver, jobs, found: Mutex::default() }, to_write)
    }

    /// The run resumes after these rows, in bytes.
    pub fn resume(&self, rows: Vec<u8>, done: Done) {
        *lock(&self.found) = Found { rows: vec![Arc::new(rows)], done, columns: None };
    }
}

impl Storage for Recorder<'_> {
    fn begin(&self, reader: BlockIndex) -> Result<(), SweepError> {
        self.saver.store.begin(reader)
    }

    fn store(
        &self,
        reader: BlockIndex,
        source: BlockIndex,
        words: Vec<Eight>,
    ) -> Result<(), SweepError> {
        self.saver.store.add(reader, source, words);
        self.saver.store.make_room(None)
    }

    fn take(&self, reader: BlockIndex) -> Vec<Run> {
        self.saver.store.take(reader)
    }

    fn end(&self, block: BlockIndex) {
        self.saver.store.end(block);
    }

    fn buffer(&self) -> Vec<Eight> {
        self.saver.store.buffer()
    }

    fn recycle(&self, buffers: Vec<Vec<Eight>>) {
        self.saver.store.recycle(buffers);
    }

    fn listener(&self, above: BandIndex) -> Option<Box<dyn Listener + '_>> {
        let row = above.first_row();
        let (pieces, columns) = sync_channel(BUFFERS);
        let (to_rest, rest) = channel();
        let start = |begun| self.jobs.send(Job { row, begun, columns, rest }).is_ok();
        let has_begun = self.saver.begin(block_of(above - 1), start);
        has_begun.then(|| Box::new(Tee { found: &self.found, row, pieces, rest: to_rest }) as _)
    }

    fn rows(&self, rows: &[Record], done: Done) {
        let Some(last) = rows.last() else { return };
        let mut bytes = Vec::new();
        for row in rows {
            put_row(&mut bytes, row);
        }
        let mut found = lock(&self.found);
        found.rows.push(Arc::new(bytes));
        found.done += done;
        let end = RowIndex(last.row() + 1);
        if let Some(Columns { groups, rest, .. }) = found.columns.take_if(|one| one.row == end) {
            // If the saver has given up, it has told why.
            let _ = rest.send(Rest { groups, rows: found.rows.clone(), done: found.done });
        }
    }
}

/// A copy of what a block sends, on its way to a checkpoint. Dropped before its end, it leaves
/// none.
struct Tee<'a> {
    found: &'a Mutex<Found>,
    row: RowIndex,
    pieces: SyncSender<Vec<u8>>,
    rest: Sender<Rest>,
}

impl Listener for Tee<'_> {
    fn bytes(&mut self, bytes: Vec<u8>) -> bool {
        self.pieces.send(bytes).is_ok()
    }

    fn end(self: Box<Self>, groups: u64) {
        let Self { found, row, rest, .. } = *self;
        lock(found).columns = Some(Columns { row, groups, rest });
    }
}
