//! Copies of the state of a run, for checkpoints, while the pipeline runs.
//!
//! They are made on the threads of the pipeline, and written by another one. When a checkpoint is
//! due above the next block, that block gets a channel for a copy of its messages
//! ([`begin`](Copies::begin)), and a [`CheckpointJob`] with the other end goes to the thread that
//! writes. [`Copies`] has the rows of all blocks so far. When the block below the checkpoint has
//! ended, they follow through the same channel ([`add`](Copies::add)). Then the next copy can be
//! made.

use crate::band::codec::put_row;
use crate::units::{BandIndex, RowIndex};
use record::{Record, listeners::Done};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::time::Instant;

/// The most pieces that wait to be written, some megabytes. If the disk is slower than the
/// pipeline, the worker of the block waits.
const PIECES: usize = 1 << 10;

/// A piece of a copy of the messages of one block to the next.
pub(crate) enum Copied {
    /// The corner, or groups, and the number of groups.
    Columns(Vec<u8>, u64),
    /// The last piece. Without it, the block did not finish.
    Rows(RowsBelow),
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
    pub(crate) pieces: Receiver<Copied>,
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
    wanted: Option<(RowIndex, SyncSender<Copied>)>,
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
        let (row, (copy, pieces)) = (above.first_row(), sync_channel(PIECES));
        (self.due, self.wanted) = (None, Some((row, copy.clone())));
        self.jobs.send(CheckpointJob { row, begun: Instant::now(), pieces }).ok()?;
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
        if let Some((_, copy)) = self.wanted.take_if(|(row, _)| Some(*row) == end) {
            // If the thread that writes has given up, it has reported why.
            let _ = copy.send(Copied::Rows(self.found.clone()));
        }
    }
}
