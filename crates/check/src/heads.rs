//! Depth *heads*: computes every pre-period again, from the rules (fact 1 of `proofs/README.md`).
//! Fact 8 proves that this module does so; the invariants H1 to H4 are defined there.
//!
//! A cell (q,r) is column q in row r. It depends on the cells (q,c) with c < r, which block p in
//! its column, and on the cells (x,r) with x < q, which block p in its row. Any order in which
//! these come first will do. Here the columns are taken in groups of 24, and in each group the rows
//! in ascending order; a row computes its cells of the 24 columns at once. Meanwhile its state
//! stays in registers, and the columns stay in the cache. The threads take the groups in turns, and
//! pass the rows on to each other.
//!
//! A cell takes the least p that neither its column nor the row itself blocks. The p that a column
//! leaves free are a set of bits ([`column::Column`]). The p that the row itself blocks, by the
//! diagonal or by its past, are an interval that contains its diagonal value, and a few p near the
//! two ends: the row takes the p that the diagonal left free, downwards, and p above its largest,
//! upwards. So two words are enough: the p that the row leaves free below the interval, and above
//! it ([`words::Words`]). The words follow the interval, and nothing is assumed about its place: a
//! row that does not fit into its words keeps a set, and costs a search.
//!
//! In practice a cell takes constant time. Rows 0 to R have about 0.21·R² cells. A row takes 80
//! bytes, and a column one bit for each p up to 2q.
//!
//! The records must be certified at depth *tails* first. Both depths together prove every record
//! (fact 9): if the rows below r are as stated, the column blocks the p that fact 1 says, so the
//! offsets of row r up to `from`, and U(from), are right, and its certificate proves the rest. From
//! `from` on, or from an equivalent column on (Corollary 3a), the rows above use the `values` of
//! the row.
//!
//! The threads form a ring. Each takes a group: it receives the rows in portions, in ascending
//! order, computes its columns in each portion, and sends the portion on, for the next group. Hence
//! a cell is computed after those that it needs, and by the same steps with any number of threads:
//! the verdict does not depend on it. If several threads find an error, the error of the first
//! group counts, as if there were one thread. No group before it is left unfinished: a thread that
//! stops sends no more rows, and only later groups wait for these.

mod absorbed;
mod checkpoint;
mod column;
#[cfg(any(test, feature = "files"))]
mod restore;
mod row;
mod words;

use std::collections::VecDeque;
use std::io::Write;
use std::mem;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Builder, ScopedJoinHandle};

use record::Record;

pub(crate) use checkpoint::Checkpoint;
#[cfg(any(test, feature = "files"))]
pub use checkpoint::most_bytes;

use crate::CheckWatch;
use crate::error::EarlyEnd;
use crate::stated::last_column;
use absorbed::Absorbed;
use column::Columns;
use row::Live;
use words::Diagonal;

/// Cells beyond R² that rows 0 to R may take. They take about 0.23·R², counted with the words of
/// the columns. Where true certificates begin late, rows stay unsettled, and nothing bounds the
/// cost.
const CELLS_TO_LINGER: u64 = 1 << 31;

/// Checks the heads of rows 0, 1, ..., all of them certified at depth *tails*, from column 0 on, or
/// from a checkpoint that is assumed to be right.
pub(crate) fn check(
    rows: &[Record],
    threads: Option<NonZero<usize>>,
    start: Option<Checkpoint>,
    watch: &dyn CheckWatch,
) -> Result<(), EarlyEnd> {
    Heads::new(rows, Tile::with(threads), watch).check(start, most_cells(rows))
}

/// The most cells of a check of these rows.
pub(crate) fn most_cells(rows: &[Record]) -> u64 {
    let count = rows.len() as u64;
    count.saturating_mul(count).saturating_add(CELLS_TO_LINGER)
}

/// The columns of a group, and the rows that go from thread to thread at once. Any numbers will do;
/// with these the columns and a portion stay in the cache.
#[derive(Clone, Copy, Debug)]
struct Tile {
    columns: u32,
    rows: usize,
    threads: usize,
}

impl Tile {
    /// With as many threads as there are processors, unless told otherwise.
    fn with(threads: Option<NonZero<usize>>) -> Self {
        let threads = threads.or_else(|| thread::available_parallelism().ok());
        Self { columns: 24, rows: 512, threads: threads.map_or(1, usize::from) }
    }
}

/// The data that all cells share.
struct Heads<'a> {
    rows: &'a [Record],
    diagonal: Diagonal,
    tile: Tile,
    watch: &'a dyn CheckWatch,
    /// The cells that are done, of them those of an earlier run, and all cells, up to the last
    /// columns of the rows. They are shown, and decide nothing.
    done: AtomicU64,
    before: u64,
    cells: u64,
}

/// The cells of rows in the columns before this one.
fn cells_before(column: u64, rows: &[Record]) -> u64 {
    let end = |record| last_column(record).saturating_add(1).min(column);
    let cells = (0..).zip(rows).map(|(row, record)| end(record).saturating_sub(row));
    cells.fold(0, u64::saturating_add)
}

impl<'a> Heads<'a> {
    fn new(rows: &'a [Record], tile: Tile, watch: &'a dyn CheckWatch) -> Self {
        let (diagonal, cells) = (Diagonal::new(rows), cells_before(u64::MAX, rows));
        Self { rows, diagonal, tile, watch, done: AtomicU64::new(0), before: 0, cells }
    }

    /// Checks all rows from a checkpoint on, or from column 0 on. Computes at most this number of
    /// cells.
    fn check(mut self, start: Option<Checkpoint<'a>>, most_cells: u64) -> Result<(), EarlyEnd> {
        let none =
            || Checkpoint { column: 0, absorbed: Absorbed::none(most_cells), live: Vec::new() };
        let start = start.unwrap_or_else(none);
        self.before = cells_before(start.column.into(), self.rows);
        self.done = AtomicU64::new(self.before);
        let portions = self.portions(start);
        let stops = match run_with(&self, portions, self.tile.threads) {
            Ok(stops) => stops,
            // The operating system creates no threads; this one takes longer, and is enough.
            Err(portions) => run_with(&self, portions, 1).unwrap_or_default(),
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

    /// The portions in which the rows of a checkpoint go to the first thread.
    fn portions(
        &self,
        Checkpoint { column, absorbed, mut live }: Checkpoint<'a>,
    ) -> Vec<Portion<'a>> {
        let mut begin = Some(Box::new(Group { column, absorbed }));
        let mut portions = Vec::new();
        while live.len() > self.tile.rows {
            let others = live.split_off(self.tile.rows);
            portions.push(Portion { begin: begin.take(), rows: live, is_last: false });
            live = others;
        }
        portions.push(Portion { begin, rows: live, is_last: true });
        portions
    }
}

/// Consecutive rows, on their way to the next group of columns.
struct Portion<'a> {
    /// The beginning of the group, with its first portion.
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

/// Why each of the threads stopped; the portions again if not all of them could be started.
fn run_with<'a>(
    heads: &Heads<'a>,
    portions: Vec<Portion<'a>>,
    threads: usize,
) -> Result<Vec<Stop>, Vec<Portion<'a>>> {
    let (mut outputs, inputs): (Vec<_>, Vec<_>) = (0..threads.max(1)).map(|_| channel()).unzip();
    let Some(entry) = outputs.first().cloned() else { return Err(portions) };
    outputs.rotate_left(1);
    let mut workers = inputs.into_iter().zip(outputs).map(|(input, output)| Worker {
        heads,
        input,
        output,
        waiting: VecDeque::new(),
        bytes: Vec::new(),
    });
    let Some(own) = workers.next() else { return Err(portions) };
    thread::scope(|scope| {
        let others: Result<Vec<_>, _> = workers
            .map(|worker| Builder::new().spawn_scoped(scope, move || worker.work()))
            .collect();
        let Ok(others) = others else { return Err(portions) };
        for portion in portions {
            // Its receiver is `own`, or one of the others, which wait.
            let _sent = entry.send(portion);
        }
        drop(entry);
        let own = own.work();
        let join = |other: ScopedJoinHandle<_>| other.join().unwrap_or_else(|it| resume_unwind(it));
        Ok(others.into_iter().map(join).chain([own]).collect())
    })
}

/// One thread of the ring.
struct Worker<'a, 'h> {
    heads: &'h Heads<'a>,
    input: Receiver<Portion<'a>>,
    output: Sender<Portion<'a>>,
    /// The portions of the group at hand that have been received and not computed.
    waiting: VecDeque<Portion<'a>>,
    /// Those of the columns of a group.
    bytes: Vec<u8>,
}

impl<'a> Worker<'a, '_> {
    fn work(mut self) -> Stop {
        loop {
            if let Err(stop) = self.group() {
                return stop;
            }
        }
    }

    fn receive(&mut self) -> Result<Portion<'a>, Stop> {
        match self.waiting.pop_front() {
            Some(portion) => Ok(portion),
            None => self.input.recv().map_err(|_| Stop::Neighbour),
        }
    }

    /// Hands over the checkpoint before a group, which takes all rows.
    fn keep_checkpoint(&mut self, group: &Group, portion: &Portion) -> Result<(), Stop> {
        let mut is_last = portion.is_last;
        while !is_last {
            let portion = self.input.recv().map_err(|_| Stop::Neighbour)?;
            is_last = portion.is_last;
            self.waiting.push_back(portion);
        }
        let &Group { column, ref absorbed } = group;
        let live =
            || portion.rows.iter().chain(self.waiting.iter().flat_map(|portion| &portion.rows));
        let rows = self.heads.rows.len() as u64;
        let save = |out: &mut dyn Write| checkpoint::save(column, rows, absorbed, live(), out);
        self.heads.watch.checkpoint(column.into(), &save);
        Ok(())
    }

    /// If the neighbour has stopped, this group is computed to its end all the same: an error in it
    /// comes before the neighbour's.
    fn send(&self, portion: Portion<'a>) {
        let _stopped = self.output.send(portion);
    }

    /// Computes a group of columns in all rows.
    fn group(&mut self) -> Result<(), Stop> {
        let Heads { diagonal, tile, .. } = self.heads;
        let mut portion = self.receive()?;
        let Some(mut group) = portion.begin.take() else { return Err(Stop::Neighbour) };
        group.absorbed.absorb(&mut portion.rows);
        while portion.rows.is_empty() && !portion.is_last {
            portion = self.receive()?;
            group.absorbed.absorb(&mut portion.rows);
        }
        if group.absorbed.rows == self.heads.rows.len() as u64 {
            return Err(Stop::Done);
        }
        if self.heads.watch.wants_checkpoint(group.column.into()) {
            self.keep_checkpoint(&group, &portion)?;
        }
        let q = group.column;
        let early = |end| Stop::Early(q, end);
        let mut bytes = mem::take(&mut self.bytes);
        self.begin(&mut group, portion.rows.first_mut()).map_err(early)?;
        let mut columns = Columns::new(q, tile.columns, &group.absorbed.settled, &mut bytes);
        group.column = q.saturating_add(tile.columns);
        let mut next = Some(group);
        let mut cells = 0_u64;
        loop {
            for row in &mut portion.rows {
                cells = cells.saturating_add(u64::from(row.is_computed()));
                row.cells(&mut columns, diagonal).map_err(early)?;
            }
            let Portion { rows, is_last, .. } = portion;
            if is_last {
                let begun = self.begun(q, &mut columns).map_err(early)?;
                self.bytes = bytes;
                let cells = cells.saturating_mul(tile.columns.into());
                self.heads.done.fetch_add(cells, Ordering::Relaxed);
                self.send_last(next, rows, begun);
                return Ok(());
            }
            self.send(Portion { begin: next.take(), rows, is_last });
            portion = self.receive()?;
        }
    }

    /// Shows the progress before a group, counts its cost, and looks whether its first row recurs.
    fn begin(&self, group: &mut Group, row: Option<&mut Live>) -> Result<(), EarlyEnd> {
        let Heads { rows, diagonal, tile, watch, done, before, cells } = self.heads;
        let &mut Group { column: q, ref mut absorbed } = group;
        if watch.stop() {
            return Err(EarlyEnd::Interrupted);
        }
        watch.progress(done.load(Ordering::Relaxed).min(*cells), *before, *cells);
        let begun = u64::from(q).min(rows.len() as u64);
        absorbed.count_cells(begun.saturating_sub(absorbed.rows), tile.columns, q)?;
        if let Some(row) = row {
            absorbed.first_recurs(row, q, diagonal)?;
        }
        Ok(())
    }

    /// The rows that begin in the group whose first column is q, after its cells.
    fn begun(&self, q: u32, columns: &mut Columns) -> Result<Vec<Live<'a>>, EarlyEnd> {
        let Heads { rows, diagonal, .. } = self.heads;
        let mut begun = Vec::new();
        let records = rows.get(q as usize..).unwrap_or_default();
        for (record, column) in records.iter().zip(q..).take(columns.all.len()) {
            let mut row = Live::new(record, column)?;
            row.cells(columns, diagonal)?;
            begun.push(row);
        }
        Ok(begun)
    }

    /// Sends the last rows and those that have begun: as one portion, unless it would be too large.
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
            self.send(Portion { begin: begin.take(), rows, is_last: false });
        }
        self.send(Portion { begin, rows, is_last: true });
    }
}

#[cfg(test)]
mod resume_tests;
#[cfg(test)]
mod tests;
