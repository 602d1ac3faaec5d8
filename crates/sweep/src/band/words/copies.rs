//! Copies of the state of a run, for checkpoints, while the pipeline runs.
//!
//! They are made on the threads of the pipeline, and written by another one. When a checkpoint is
//! due above the next block, that block gets a channel for a copy of its messages
//! ([`begin`](Copies::begin)), and a [`CheckpointJob`] with the other end goes to the thread that
//! writes. [`Copies`] has the rows of all blocks so far. When the block below the checkpoint has
//! ended, they follow ([`add`](Copies::add)). Then the next copy can be made.

use crate::band::codec::put_row;
use crate::units::{BandIndex, RowIndex};
use record::{Record, listeners::Done};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::time::Instant;

/// The most buffers that wait to be written. If the disk is slower than the pipeline, the worker of
/// the block waits.
const BUFFERS: usize = 4;

/// A piece of a copy of the messages of one block to the next. If there is no last one, the block
/// did not finish.
pub(crate) enum Copied {
    /// The corner, then groups.
    Bytes(Vec<u8>),
    /// The last piece: the number of all groups.
    Groups(u64),
}

/// The rows below a checkpoint, in bytes, and the work done for them.
#[derive(Clone, Default)]
pub(crate) struct RowsBelow {
    pub(crate) rows: Vec<Arc<Vec<u8>>>,
    pub(crate) done: Done,
}

/// A checkpoint to be written.
pub(crate) struct CheckpointJob {
    pub(crate) row: RowIndex,
    pub(crate) begun: Instant,
    /// Corner and groups.
    pub(crate) columns: Receiver<Copied>,
    pub(crate) rows: Receiver<RowsBelow>,
}

/// When the next checkpoint is due.
#[derive(Clone, Copy)]
pub(crate) struct Due {
    pub(crate) at: Instant,
    /// The previous one could not be written. The next attempt is not made before the time.
    pub(crate) is_retry: bool,
}

/// The state of a run that makes checkpoints.
pub(crate) struct Copies {
    jobs: Sender<CheckpointJob>,
    /// `None` while one is being made, or if there will be no more.
    pub(crate) due: Option<Due>,
    /// All rows so far.
    pub(crate) found: RowsBelow,
    /// The row of a checkpoint, and the channel for the rows below it.
    wanted: Option<(RowIndex, Sender<RowsBelow>)>,
}

impl Copies {
    /// Before row 0. Also returns the jobs, which end when this is dropped.
    pub(crate) fn new(due: Option<Instant>) -> (Self, Receiver<CheckpointJob>) {
        let (jobs, to_write) = channel();
        let due = due.map(|at| Due { at, is_retry: false });
        (Self { jobs, due, found: RowsBelow::default(), wanted: None }, to_write)
    }

    /// Begins a checkpoint below band `above`.
    pub(crate) fn begin(&mut self, above: BandIndex) -> Option<SyncSender<Copied>> {
        let (row, begun) = (above.first_row(), Instant::now());
        let ((copy, columns), (to_rows, rows)) = (sync_channel(BUFFERS), channel());
        (self.due, self.wanted) = (None, Some((row, to_rows)));
        self.jobs.send(CheckpointJob { row, begun, columns, rows }).ok()?;
        Some(copy)
    }

    /// Adds the rows of the next block.
    pub(crate) fn add(&mut self, rows: &[Record], done: Done) {
        let mut bytes = Vec::new();
        for row in rows {
            put_row(&mut bytes, row);
        }
        self.found.rows.push(Arc::new(bytes));
        self.found.done += done;
        let end = rows.last().map(|row| RowIndex(row.row() + 1));
        if let Some((_, to_rows)) = self.wanted.take_if(|(row, _)| Some(*row) == end) {
            // If the thread that writes has given up, it has reported why.
            let _ = to_rows.send(self.found.clone());
        }
    }
}
