//! Rows by several ranks: the pipeline of `sweep`, over a transport.

use crate::blocks::RunGeometry;
use crate::costs::{Cluster, Costs, Network};
use crate::parts::{DISMISSED, Exchange, OPTIONS, Part, PartDone};
pub use crate::parts::{RankDone, Sent};
use crate::plan::{Model, Traffic};
use crate::transport::{Eagerness, Transport, TransportError, Watched};
use record::Record;
use record::listeners::{Done, Visitor};
use std::{ops::ControlFlow, thread, time::Duration};
use sweep::band::pipeline::Plan;
use sweep::band::{self, Options, memory_besides_words};
use thiserror::Error;
use words::parts::{Share, Store, outcome, prepare};
use words::{Checkpoint, Checkpoints, WordsError, least_words};

/// The reason why ranks have not found all rows.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RowsError {
    /// The engine has stopped, here or on another rank, or a rank is missing.
    #[error(transparent)]
    Words(#[from] WordsError),
    /// A rank is missing before the first row or after the last.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// A rank has other options.
    #[error(
        "rank {rank} has {its}, and rank 0 has {first}: all ranks must have the same options, and \
         see the same folders of checkpoints and of words"
    )]
    Options {
        /// The first such rank.
        rank: usize,
        /// Its option.
        its: String,
        /// The option of rank 0.
        first: String,
    },
    /// Several ranks have no folder for words.
    #[error("several ranks need a folder for words, which all of them see")]
    NoFolder,
    /// The memory of a rank is too small, even if its words wait on disk.
    #[error(
        "each rank needs at least {} of memory for rows to {last}, even with words on disk, and may \
         use {}",
        words::Bytes(*least), words::Bytes(*memory)
    )]
    Memory {
        /// The last row.
        last: u64,
        /// Its memory in bytes.
        memory: u64,
        /// The bytes that it needs.
        least: u64,
    },
    /// Rank 0 has dismissed the others: there is nothing to do, or it has failed and reports why.
    #[error("rank 0 needs no help")]
    Dismissed,
}

/// The common task of all ranks.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The rows below this one.
    pub end: u64,
    /// Options of the engine.
    pub options: Options,
    /// Whether this rank must end. Polled; if any rank must end, all do.
    pub is_interrupted: &'a (dyn Fn() -> bool + Sync),
}

/// The work of all ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RanksDone {
    /// The rows that the visitor has seen, and the work done for them.
    pub done: Done,
    /// The work of each rank, by its number. Empty if the ranks had to end before all rows were
    /// found: then rank 0 does not wait for the others.
    pub ranks: Vec<RankDone>,
}

/// This rank, after all ranks have agreed on their options.
pub struct Joined<'a, T> {
    task: Task<'a>,
    exchange: Exchange<'a, T>,
    from: Option<Checkpoint>,
    plan: Plan,
    store: Store,
    /// Whether the others have left, if this rank did not have to wait for it.
    all_have_left: bool,
}

impl<'a, T: Transport> Joined<'a, T> {
    /// Meets all other ranks. If there is a checkpoint, all resume from the newest intact one,
    /// which all must see. Several ranks need a folder for words ([`Checkpoints::spill`]), which
    /// all must see.
    ///
    /// All ranks must have the same build, which they compare first, and the same `end`, windows
    /// and number of threads. The kernels can differ.
    ///
    /// # Errors
    /// [`RowsError`]. All leave if one has another build or other options, or if rank 0
    /// [needs no help](dismiss).
    pub fn new(
        task: Task<'a>,
        checkpoints: &Checkpoints<'_>,
        ranks: Watched<T>,
    ) -> Result<Self, RowsError> {
        let mut exchange = Exchange::new(ranks.meet()?, task.is_interrupted);
        match Agreement::of(task, checkpoints, &mut exchange) {
            Ok(Prepared { from, plan, store }) => {
                Ok(Self { task, exchange, from, plan, store, all_have_left: false })
            }
            Err(
                error @ (RowsError::Options { .. } | RowsError::NoFolder | RowsError::Dismissed),
            ) => {
                exchange.ranks.leave()?;
                Err(error)
            }
            Err(error) => Err(error),
        }
    }

    /// The row of the checkpoint from which the ranks resume.
    #[must_use]
    pub fn from(&self) -> Option<u64> {
        self.from.as_ref().map(Checkpoint::row)
    }

    /// Computes the part of this rank, together with all others. Can be called once.
    ///
    /// Rank 0 shows every row to the visitor, in order, writes checkpoints, from which any number
    /// of ranks, or one process, can resume, and returns the work of each rank. The other ranks
    /// show no rows and return no work. If ranks had to end, rank 0 does not wait long for the
    /// others.
    ///
    /// # Errors
    /// [`RowsError`].
    pub fn rows(
        &mut self,
        checkpoints: &Checkpoints<'_>,
        visitor: &mut dyn Visitor,
    ) -> Result<RanksDone, RowsError> {
        let Self { task, exchange, from, plan, store, .. } = self;
        let (rank, ranks) = (exchange.ranks.rank(), exchange.ranks.ranks());
        let threads = task.options.workers().get();
        let mut nobody = |_: Record| ControlFlow::Continue(());
        let visitor = if rank == 0 { visitor } else { &mut nobody };
        let part = Part { rank, ranks, threads, plan: *plan, store };
        let ended = part.run(checkpoints, from.take(), exchange, task.end, visitor);
        let PartDone { seen, cells, waited } = outcome(ended, store)?;
        // The visitor can have been the first to notice.
        exchange.interrupted |= rank == 0 && (task.is_interrupted)();
        if exchange.interrupted && seen.rows < task.end {
            self.all_have_left = exchange.ranks.leave_within(GRACE);
            return Ok(RanksDone { done: seen, ranks: Vec::new() });
        }
        let sent = Sent { words: store.written(), ..exchange.sent };
        let own = RankDone { cells, waited, sent, memory: peak_memory() };
        let ranks = exchange.report(own)?;
        Ok(RanksDone { done: seen, ranks })
    }

    /// Leaves together with all others. Does not wait for them if the run was interrupted.
    ///
    /// # Errors
    /// [`TransportError`], if a rank is missing.
    pub fn leave(self) -> Result<(), TransportError> {
        let Self { exchange, mut store, all_have_left, .. } = self;
        if all_have_left {
            exchange.ranks.close();
        } else if exchange.interrupted {
            return Ok(());
        } else {
            exchange.ranks.leave()?;
        }
        // No other rank writes files any more.
        store.is_over = true;
        Ok(())
    }
}

/// Computes the part of this rank: [`Joined::new`], [`Joined::rows`], and [`Joined::leave`].
///
/// # Errors
/// [`RowsError`].
pub fn rows<T: Transport>(
    task: Task<'_>,
    checkpoints: &Checkpoints<'_>,
    ranks: Watched<T>,
    visitor: &mut dyn Visitor,
) -> Result<RanksDone, RowsError> {
    let mut joined = Joined::new(task, checkpoints, ranks)?;
    let found = joined.rows(checkpoints, visitor)?;
    joined.leave()?;
    Ok(found)
}

/// As [`rows`], for a rank other than 0. Also succeeds if rank 0 needs no help.
///
/// # Errors
/// [`RowsError`].
pub fn help<T: Transport>(
    task: Task<'_>,
    checkpoints: &Checkpoints<'_>,
    ranks: Watched<T>,
) -> Result<(), RowsError> {
    let mut nobody = |_: Record| ControlFlow::Continue(());
    match rows(task, checkpoints, ranks, &mut nobody) {
        Ok(_) | Err(RowsError::Dismissed) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Rank 0 needs no help: all ranks leave.
///
/// # Errors
/// [`TransportError`].
pub fn dismiss<T: Transport>(ranks: Watched<T>) -> Result<(), TransportError> {
    let mut ranks = ranks.meet()?;
    for to in ranks.others() {
        ranks.send(to, vec![DISMISSED])?;
    }
    ranks.leave()
}

/// If ranks must end, rank 0 waits no longer than this for the others: it still has to save rows.
const GRACE: Duration = Duration::from_millis(300);

/// The predicted traffic of this number of ranks for the rows below `end`.
#[must_use]
pub fn planned(end: u64, ranks: u64, threads: u64) -> Traffic {
    // The traffic does not depend on the network.
    let network = Network::of_gigabits(1.0, 1e-6);
    let cluster = Cluster { ranks, threads, spare: true, memory: 1e9, disk: 1e9, network };
    Model::new(&RunGeometry::new(end), Costs::default()).predict(&cluster).traffic
}

/// The bytes of words that a rank can have in memory ([`Checkpoints::spill`]), if it can use
/// `memory` bytes in all.
///
/// # Errors
/// [`RowsError::Memory`] if that is too little.
pub fn words_in_memory(end: u64, options: Options, memory: u64) -> Result<u64, RowsError> {
    let least = least_memory(end, options);
    if memory < least {
        return Err(RowsError::Memory { last: end.saturating_sub(1), memory, least });
    }
    Ok(memory - besides(end, options))
}

/// Bytes that a rank needs if words are in files.
#[must_use]
pub fn least_memory(end: u64, options: Options) -> u64 {
    besides(end, options).saturating_add(least_words(end))
}

/// Bytes that the only rank needs if all words wait in memory.
#[must_use]
pub fn memory_in_memory(end: u64, options: Options) -> u64 {
    band::memory(end, options.workers()).saturating_add(MESSAGES)
}

/// Bytes of a rank besides words.
fn besides(end: u64, options: Options) -> u64 {
    memory_besides_words(end, options.workers()).saturating_add(MESSAGES)
}

/// Bytes for MPI and for messages in flight.
const MESSAGES: u64 = 64 << 20;

/// The time for which a rank waits for a message before it checks other conditions.
const WAIT: Duration = Duration::from_millis(5);

/// A run that can begin, on this rank.
struct Prepared {
    from: Option<Checkpoint>,
    plan: Plan,
    store: Store,
}

/// The options of all ranks, as far as they are known: the row of the checkpoint, and a text with a
/// line for each option.
///
/// Rank 0 opens the newest checkpoint, prepares the folder of words, and sends its options. Then
/// each other rank opens the same checkpoint, looks for the mark of rank 0 in its folder of words,
/// and sends its own options. All ranks compare all of them, and come to the same result.
struct Agreement {
    all: Vec<Option<(u64, String)>>,
}

/// The row of a run without a checkpoint.
const NO_ROW: u64 = u64::MAX;

impl Agreement {
    fn of<T: Transport>(
        task: Task<'_>,
        checkpoints: &Checkpoints<'_>,
        exchange: &mut Exchange<'_, T>,
    ) -> Result<Prepared, RowsError> {
        let Task { end, options, .. } = task;
        let (rank, ranks) = (exchange.ranks.rank(), exchange.ranks.ranks());
        let mut agreement = Self { all: vec![None; ranks] };
        // If rank 0 needs no help, it says so before another rank reads a checkpoint.
        while rank > 0 && agreement.all[0].is_none() {
            agreement.receive(exchange)?;
        }
        let row = agreement.all[0].as_ref().map(|(row, _)| *row);
        let workers = (options.workers().get() * ranks) as u64;
        let share = Share { process: rank as u64, processes: ranks as u64, workers };
        let mut prepared = thread::scope(|scope| {
            let prepare = scope.spawn(|| {
                let from = match row {
                    None => checkpoints.newest()?,
                    Some(NO_ROW) => None,
                    Some(row) => checkpoints.at(row)?,
                };
                let (plan, store) = prepare(end, options, checkpoints, from.as_ref(), share)?;
                Ok::<_, RowsError>(Prepared { from, plan, store })
            });
            // It takes long. Meanwhile this rank sends signs of life.
            while !prepare.is_finished() {
                agreement.receive(exchange)?;
            }
            prepare.join().expect("it does not panic")
        })?;
        let own = given(task, checkpoints, prepared.from.as_ref());
        let row = prepared.from.as_ref().map_or(NO_ROW, Checkpoint::row);
        let message = [&[OPTIONS][..], &row.to_le_bytes(), own.as_bytes()].concat();
        exchange.send_to_all(&message)?;
        agreement.all[rank] = Some((row, own));
        while agreement.all.iter().any(Option::is_none) {
            agreement.receive(exchange)?;
        }
        let agreed = agreement.compare();
        let is_alone = ranks == 1 || checkpoints.spills();
        agreed.and(if is_alone { Ok(()) } else { Err(RowsError::NoFolder) }).inspect_err(|_| {
            // Nobody has written anything.
            prepared.store.is_over = true;
        })?;
        Ok(prepared)
    }

    fn compare(&self) -> Result<(), RowsError> {
        let mut texts = self.all.iter().flatten().map(|(_, text)| text).enumerate();
        let (_, of_first) = texts.next().expect("rank 0 has sent it");
        for (rank, text) in texts {
            if let Some((its, first)) = text.lines().zip(of_first.lines()).find(|(a, b)| a != b) {
                let (its, first) = (its.to_owned(), first.to_owned());
                return Err(RowsError::Options { rank, its, first });
            }
        }
        Ok(())
    }

    /// Waits for the options of a rank, for a short time.
    fn receive<T: Transport>(&mut self, exchange: &mut Exchange<'_, T>) -> Result<(), RowsError> {
        let received = exchange.ranks.receive(WAIT, Eagerness::Often)?;
        let Some((rank, message)) = received else { return Ok(()) };
        match message.split_first() {
            Some((&OPTIONS, options)) => {
                let (row, text) =
                    options.split_first_chunk().ok_or(TransportError::Garbled { rank })?;
                let text = String::from_utf8_lossy(text).into_owned();
                self.all[rank] = Some((u64::from_le_bytes(*row), text));
            }
            Some((&DISMISSED, _)) => return Err(RowsError::Dismissed),
            _ => exchange.keep_early(rank, message)?,
        }
        Ok(())
    }
}

/// The options in which all ranks must agree, one per line.
fn given(
    Task { end, options, .. }: Task<'_>,
    checkpoints: &Checkpoints<'_>,
    from: Option<&Checkpoint>,
) -> String {
    let (threads, windows) = (options.workers(), options.windows);
    let from = from.map_or("no checkpoint".to_owned(), |from| {
        format!("a checkpoint at row {}, of a run to before {}", from.row(), from.end())
    });
    let words = match (checkpoints.spills(), checkpoints.mark_of_words()) {
        (false, _) => "no folder for words".to_owned(),
        (true, None) => "no folder for words that rank 0 has prepared".to_owned(),
        (true, Some(mark)) => format!("a folder for words with the mark {mark}"),
    };
    format!("rows below {end}\n{threads} threads\n{windows:?}\n{from}\n{words}")
}

/// The peak memory of this process in bytes, if the system provides it.
fn peak_memory() -> Option<u64> {
    let peak = files::process_status("VmHWM")?;
    let kib: u64 = peak.strip_suffix(" kB")?.parse().ok()?;
    Some(1024 * kib)
}
