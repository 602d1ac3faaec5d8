//! The groups of columns, in threads that hand each other the rows.
//!
//! The threads form a ring. Each takes a group: it receives the rows in parts, in ascending order,
//! computes its columns in each part, and sends the part on, for the next group. Hence a cell is
//! computed after those that it needs, and by the same steps with any number of threads: the
//! verdict does not depend on it. If several threads find an error, that of the first group counts,
//! as if there were one thread. No group before it is left unfinished: a thread that stops sends no
//! more rows, and only later groups wait for these.

use std::mem;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Builder, ScopedJoinHandle};

use record::Record;

use super::absorbed::Absorbed;
use super::column::Column;
use super::diagonal::Diagonal;
use super::row::{Live, last_column};
use crate::CheckWatch;
use crate::error::EarlyEnd;

/// The columns of a group, and the rows that go from thread to thread at once. Any numbers will do;
/// with these the columns and a part stay in the cache.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tile {
    pub(super) columns: u32,
    pub(super) rows: usize,
    pub(super) threads: usize,
}

impl Tile {
    /// With as many threads as there are processors, unless told otherwise.
    pub(super) fn with(threads: Option<NonZero<usize>>) -> Self {
        let threads = threads.or_else(|| thread::available_parallelism().ok());
        Self { columns: 16, rows: 512, threads: threads.map_or(1, usize::from) }
    }
}

/// What is the same for all cells.
pub(super) struct Heads<'a> {
    rows: &'a [Record],
    pub(super) diagonal: Diagonal,
    tile: Tile,
    watch: &'a dyn CheckWatch,
    /// The last column in which a row is computed or compared.
    last_column: u64,
}

impl<'a> Heads<'a> {
    pub(super) fn new(rows: &'a [Record], tile: Tile, watch: &'a dyn CheckWatch) -> Self {
        let last_column = rows.iter().map(last_column).max().unwrap_or(0);
        Self { rows, diagonal: Diagonal::new(rows), tile, watch, last_column }
    }

    /// Checks all rows, and computes at most this number of cells.
    pub(super) fn check(&self, most_cells: u64) -> Result<(), EarlyEnd> {
        let stops = match run_with(self, most_cells, self.tile.threads) {
            Some(stops) => stops,
            // The operating system creates no threads; this one takes longer, and is enough.
            None => run_with(self, most_cells, 1).unwrap_or_default(),
        };
        let is_done = stops.iter().any(|stop| matches!(stop, Stop::Done));
        let early = stops.into_iter().filter_map(|stop| match stop {
            Stop::Early(column, end) => Some((column, end)),
            Stop::Done | Stop::Neighbour => None,
        });
        match early.min_by_key(|(column, _)| *column) {
            Some((_, end)) => Err(end),
            None if is_done => Ok(()),
            // No verdict without a thread that has seen all rows absorbed.
            None => Err(EarlyEnd::Interrupted),
        }
    }
}

/// Consecutive rows, on their way to the next group of columns.
struct Part<'a> {
    /// The beginning of the group, with its first part.
    begin: Option<Box<Group<'a>>>,
    rows: Vec<Live<'a>>,
    /// No row past these has begun.
    is_last: bool,
}

/// A group of columns, and the rows below its first row that is computed.
struct Group<'a> {
    /// The first column.
    column: u32,
    absorbed: Absorbed<'a>,
}

/// Why a thread stopped.
enum Stop {
    /// All rows are absorbed.
    Done,
    /// Another thread has stopped.
    Neighbour,
    /// An error in the group that begins with this column.
    Early(u32, EarlyEnd),
}

/// Why each of the threads stopped; `None` if not all of them could be started.
fn run_with(heads: &Heads, most_cells: u64, threads: usize) -> Option<Vec<Stop>> {
    let (mut outputs, inputs): (Vec<_>, Vec<_>) = (0..threads.max(1)).map(|_| channel()).unzip();
    let entry = outputs.first().cloned()?;
    outputs.rotate_left(1);
    let mut workers = inputs.into_iter().zip(outputs).map(|(input, output)| Worker {
        heads,
        input,
        output,
        columns: Vec::new(),
    });
    let own = workers.next()?;
    thread::scope(|scope| {
        let others: Vec<_> = workers
            .map(|worker| Builder::new().spawn_scoped(scope, move || worker.work()))
            .collect::<Result<_, _>>()
            .ok()?;
        let group = Group { column: 0, absorbed: Absorbed::none(most_cells) };
        let part = Part { begin: Some(Box::new(group)), rows: Vec::new(), is_last: true };
        entry.send(part).ok()?;
        drop(entry);
        let own = own.work();
        let join = |other: ScopedJoinHandle<_>| other.join().unwrap_or_else(|it| resume_unwind(it));
        Some(others.into_iter().map(join).chain([own]).collect())
    })
}

/// One thread of the ring.
struct Worker<'a, 'h> {
    heads: &'h Heads<'a>,
    input: Receiver<Part<'a>>,
    output: Sender<Part<'a>>,
    columns: Vec<Column>,
}

impl<'a> Worker<'a, '_> {
    fn work(mut self) -> Stop {
        self.columns.resize_with(self.heads.tile.columns as usize, Column::default);
        loop {
            if let Err(stop) = self.group() {
                return stop;
            }
        }
    }

    fn receive(&self) -> Result<Part<'a>, Stop> {
        self.input.recv().map_err(|_| Stop::Neighbour)
    }

    /// If the neighbour has stopped, this group is computed to its end all the same: an error in it
    /// comes before the neighbour's.
    fn send(&self, part: Part<'a>) {
        let _stopped = self.output.send(part);
    }

    /// Computes a group of columns in all rows.
    fn group(&mut self) -> Result<(), Stop> {
        let Heads { diagonal, tile, .. } = self.heads;
        let mut part = self.receive()?;
        let Some(mut group) = part.begin.take() else { return Err(Stop::Neighbour) };
        group.absorbed.absorb(&mut part.rows);
        while part.rows.is_empty() && !part.is_last {
            part = self.receive()?;
            group.absorbed.absorb(&mut part.rows);
        }
        if group.absorbed.rows == self.heads.rows.len() as u64 {
            return Err(Stop::Done);
        }
        let q = group.column;
        let early = |end| Stop::Early(q, end);
        self.begin(&mut group, part.rows.first_mut()).map_err(early)?;
        group.column = q.saturating_add(tile.columns);
        let mut next = Some(group);
        loop {
            for row in &mut part.rows {
                row.cells(&mut self.columns, diagonal).map_err(early)?;
            }
            let Part { rows, is_last, .. } = part;
            if is_last {
                let begun = self.begun(q).map_err(early)?;
                self.send_last(next, rows, begun);
                return Ok(());
            }
            self.send(Part { begin: next.take(), rows, is_last });
            part = self.receive()?;
        }
    }

    /// Prepares the columns of a group, the first row of which is this one.
    fn begin(&mut self, group: &mut Group, row: Option<&mut Live>) -> Result<(), EarlyEnd> {
        let &Heads { rows, ref diagonal, tile, watch, last_column } = self.heads;
        let &mut Group { column: q, ref mut absorbed } = group;
        if watch.stop() {
            return Err(EarlyEnd::Interrupted);
        }
        watch.progress(u64::from(q), last_column);
        let begun = u64::from(q).min(rows.len() as u64);
        absorbed.count_cells(begun.saturating_sub(absorbed.rows), tile.columns, q)?;
        if let Some(row) = row {
            absorbed.first_recurs(row, q, diagonal)?;
        }
        for (column, place) in self.columns.iter_mut().zip(q..) {
            column.prepare(place, q & !7, &absorbed.settled);
        }
        Ok(())
    }

    /// The rows that begin in the group whose first column is q, after its cells.
    fn begun(&mut self, q: u32) -> Result<Vec<Live<'a>>, EarlyEnd> {
        let Heads { rows, diagonal, .. } = self.heads;
        let mut begun = Vec::new();
        let records = rows.get(q as usize..).unwrap_or_default();
        for (record, column) in records.iter().zip(q..).take(self.columns.len()) {
            let mut row = Live::new(record, column)?;
            row.cells(&mut self.columns, diagonal)?;
            begun.push(row);
        }
        Ok(begun)
    }

    /// Sends the last rows and those that have begun: as one part, unless it would be too large.
    fn send_last(
        &self,
        mut begin: Option<Box<Group<'a>>>,
        mut rows: Vec<Live<'a>>,
        begun: Vec<Live<'a>>,
    ) {
        if rows.len() < self.heads.tile.rows {
            rows.extend(begun);
        } else {
            let rows = mem::replace(&mut rows, begun);
            self.send(Part { begin: begin.take(), rows, is_last: false });
        }
        self.send(Part { begin, rows, is_last: true });
    }
}
