//! A listener that makes checkpoints while the pipeline runs.

use super::folder::lock;
use super::saver::{CheckpointJob, Rest, Saver};
use record::{Record, listeners::Done};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use sweep::band::pipeline::{BandIndex, BlockListener, RowIndex, RunListener, block_of, put_row};

/// The most buffers that wait to be written.
const BUFFERS: usize = 4;

/// The listener to a run with checkpoints. The [`Saver`] writes the data that it receives. Once it
/// is dropped, no checkpoint begins, and one that is not complete is abandoned.
pub struct Recorder<'a> {
    saver: &'a Saver<'a>,
    jobs: Sender<CheckpointJob>,
    found: Mutex<RecorderState>,
}

/// The rows so far, in bytes, and the work done for them.
#[derive(Default)]
struct RecorderState {
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
    /// For a run from row 0 on. Also returns the jobs for the saver.
    pub fn new(saver: &'a Saver<'a>) -> (Self, Receiver<CheckpointJob>) {
        let (jobs, to_write) = channel();
        (Self { saver, jobs, found: Mutex::default() }, to_write)
    }

    /// The run resumes after these rows, in bytes.
    pub fn resume(&self, rows: Vec<u8>, done: Done) {
        *lock(&self.found) = RecorderState { rows: vec![Arc::new(rows)], done, columns: None };
    }
}

impl RunListener for Recorder<'_> {
    fn block_listener(&self, above: BandIndex) -> Option<Box<dyn BlockListener + '_>> {
        let row = above.first_row();
        let (pieces, columns) = sync_channel(BUFFERS);
        let (to_rest, rest) = channel();
        let start = |begun| self.jobs.send(CheckpointJob { row, begun, columns, rest }).is_ok();
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
            // If the saver has given up, it has reported why.
            let _ = rest.send(Rest { groups, rows: found.rows.clone(), done: found.done });
        }
    }
}

/// Copies the messages of a block to a checkpoint. If it is dropped before its end, there is no
/// checkpoint.
struct Tee<'a> {
    found: &'a Mutex<RecorderState>,
    row: RowIndex,
    pieces: SyncSender<Vec<u8>>,
    rest: Sender<Rest>,
}

impl BlockListener for Tee<'_> {
    fn bytes(&mut self, bytes: Vec<u8>) -> bool {
        self.pieces.send(bytes).is_ok()
    }

    fn end(self: Box<Self>, groups: u64) {
        let Self { found, row, rest, .. } = *self;
        lock(found).columns = Some(Columns { row, groups, rest });
    }
}
