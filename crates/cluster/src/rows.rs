//! Rows by several ranks: the pipeline of `sweep`, over a transport.

use crate::blocks::RunGeometry;
use crate::costs::{Cluster, Costs, Network};
use crate::parts::{Buffer, Eagerness, Exchange, Part, PartDone, Sent, Waker, part_of_rows};
use crate::plan::{Model, Traffic};
use crate::transport::{Transport, TransportError, Watched, take_last};
use bytes::Bytes;
use record::Record;
use record::listeners::{Done, Visitor};
use std::{collections::VecDeque, ops::ControlFlow, thread, time::Duration};
use sweep::band::{self, Options, memory_besides_words};
use thiserror::Error;
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
             see the same checkpoints"
    )]
    Options {
        /// The first such rank.
        rank: usize,
        /// Its option.
        its: String,
        /// The option of rank 0.
        first: String,
    },
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

/// The work of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankDone {
    /// Cells that its workers have decided; on rank 0, also those below the first block.
    pub cells: u64,
    /// The sum of their waiting times.
    pub waited: Duration,
    /// Bytes sent to other ranks.
    pub sent: Sent,
    /// The most bytes that its words have had on disk at a time.
    pub on_disk: u64,
    /// The peak memory of its process in bytes, if the system provides it.
    pub memory: Option<u64>,
}

/// This rank, after all ranks have agreed on their options.
pub struct Joined<'a, T> {
    task: Task<'a>,
    over: RankExchange<'a, T>,
    from: Option<Checkpoint>,
    /// Whether the others have left, if this rank did not have to wait for it.
    all_have_left: bool,
}

impl<'a, T: Transport> Joined<'a, T> {
    /// Meets all other ranks. If there is a checkpoint, all resume from the newest intact one,
    /// which all must see.
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
        let ranks = ranks.meet()?;
        let reports = vec![None; ranks.ranks()];
        let is_interrupted = task.is_interrupted;
        let mut over = RankExchange {
            ranks,
            early: VecDeque::new(),
            reports,
            is_interrupted,
            interrupted: false,
            has_told: false,
        };
        match over.agree(task, checkpoints) {
            Ok(from) => Ok(Self { task, over, from, all_have_left: false }),
            Err(error @ (RowsError::Options { .. } | RowsError::Dismissed)) => {
                over.ranks.leave()?;
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
    /// Rank 0 shows every row to the visitor, in order, writes checkpoints, and returns the work of
    /// each rank. The other ranks show no rows and return no work. If ranks had to end, rank 0 does
    /// not wait long for the others.
    ///
    /// # Errors
    /// [`RowsError`].
    pub fn rows(
        &mut self,
        checkpoints: &Checkpoints<'_>,
        visitor: &mut dyn Visitor,
    ) -> Result<RanksDone, RowsError> {
        let Self { task, over, from, .. } = self;
        let part = Part { number: over.ranks.rank(), parts: over.ranks.ranks() };
        let (end, options, from) = (task.end, task.options, from.take());
        let done = part_of_rows(end, options, part, over, checkpoints, from, visitor)?;
        // The visitor can have been the first to notice.
        over.interrupted |= part.number == 0 && (task.is_interrupted)();
        if over.interrupted && done.seen.rows < task.end {
            self.all_have_left = over.ranks.leave_within(GRACE);
            return Ok(RanksDone { done: done.seen, ranks: Vec::new() });
        }
        let ranks = over.report(&done)?;
        Ok(RanksDone { done: done.seen, ranks })
    }

    /// Leaves together with all others. Does not wait for them if the run was interrupted.
    ///
    /// # Errors
    /// [`TransportError`], if a rank is missing.
    pub fn leave(self) -> Result<(), TransportError> {
        let Self { over, all_have_left, .. } = self;
        if all_have_left {
            over.ranks.close();
        } else if !over.interrupted {
            over.ranks.leave()?;
        }
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
        ranks.send(to, 0, vec![DISMISSED])?;
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
/// `memory` bytes in all. An eighth as many can be on their way to other ranks.
///
/// # Errors
/// [`RowsError::Memory`] if that is too little even with words on disk.
pub fn words_in_memory(end: u64, options: Options, memory: u64) -> Result<u64, RowsError> {
    let besides = memory_besides_words(end, options.workers()).saturating_add(MESSAGES);
    let least = besides.saturating_add(least_words(end));
    if memory < least {
        return Err(RowsError::Memory { last: end.saturating_sub(1), memory, least });
    }
    Ok((memory - besides) / 9 * 8)
}

/// Bytes that a rank needs if all words wait in memory: its share of them, and the rest.
#[must_use]
pub fn memory_of_rank(end: u64, options: Options, ranks: u64) -> u64 {
    let besides = memory_besides_words(end, options.workers());
    let words = band::memory(end, options.workers()) - besides;
    (words / ranks).saturating_add(besides).saturating_add(MESSAGES)
}

/// Bytes for MPI and for messages in flight.
const MESSAGES: u64 = 64 << 20;

/// The options in which all ranks must agree, one per line.
fn given(end: u64, options: Options, spills: bool, from: Option<&Checkpoint>) -> String {
    let (threads, windows) = (options.workers(), options.windows);
    let from = from.map_or("no checkpoint".to_owned(), |from| {
        format!("a checkpoint at row {}, of a run to before {}", from.row(), from.end())
    });
    let words = if spills { "a folder for words" } else { "no folder for words" };
    format!("rows below {end}\n{threads} threads\n{windows:?}\n{words}\n{from}")
}

/// The last byte of a message between ranks: its kind.
const OF_ENGINE: u8 = 0;
const OPTIONS: u8 = 1;
const REPORT: u8 = 2;
const INTERRUPTED: u8 = 3;
const DISMISSED: u8 = 4;

/// The time for which a rank waits for a message before it checks other conditions.
const WAIT: Duration = Duration::from_millis(5);

/// The exchange of the engine's parts, over the transport.
struct RankExchange<'a, T> {
    ranks: Watched<T>,
    /// Messages for the engine that arrived before it began.
    early: VecDeque<Bytes>,
    /// The reports of ranks that have finished.
    reports: Vec<Option<RankDone>>,
    is_interrupted: &'a (dyn Fn() -> bool + Sync),
    /// In rank 0: a rank must end.
    interrupted: bool,
    /// In another rank: rank 0 has been told so.
    has_told: bool,
}

impl<T: Transport> RankExchange<'_, T> {
    /// Opens the newest checkpoint, and compares the options of each rank with the options of rank
    /// 0. All ranks come to the same result.
    fn agree(
        &mut self,
        Task { end, options, .. }: Task<'_>,
        checkpoints: &Checkpoints<'_>,
    ) -> Result<Option<Checkpoint>, RowsError> {
        let mut all = vec![String::new(); self.ranks.ranks()];
        // If rank 0 needs no help, it says so before another rank reads a checkpoint.
        while self.ranks.rank() > 0 && all[0].is_empty() {
            self.receive_options(&mut all)?;
        }
        let from = thread::scope(|scope| {
            let newest = scope.spawn(|| checkpoints.newest());
            // Reading takes long. Meanwhile this rank sends signs of life.
            while !newest.is_finished() {
                self.receive_options(&mut all)?;
            }
            Ok::<_, RowsError>(newest.join().expect("it does not panic")?)
        })?;
        let given = given(end, options, checkpoints.spills(), from.as_ref());
        for to in self.ranks.others() {
            // The most urgent message, so none overtakes it.
            self.ranks.send(to, 0, framed(given.clone().into_bytes(), OPTIONS))?;
        }
        all[self.ranks.rank()] = given;
        while all.iter().any(String::is_empty) {
            self.receive_options(&mut all)?;
        }
        for (rank, given) in all.iter().enumerate() {
            if let Some((its, first)) = given.lines().zip(all[0].lines()).find(|(a, b)| a != b) {
                let (its, first) = (its.to_owned(), first.to_owned());
                return Err(RowsError::Options { rank, its, first });
            }
        }
        Ok(from)
    }

    /// Waits for the options of a rank, for a short time.
    fn receive_options(&mut self, all: &mut [String]) -> Result<(), RowsError> {
        let Some((from, mut message)) = self.ranks.receive(WAIT, Eagerness::Often)? else {
            return Ok(());
        };
        match take_last(&mut message) {
            Some(OPTIONS) => all[from] = String::from_utf8_lossy(&message).into_owned(),
            Some(OF_ENGINE) => self.early.push_back(message),
            Some(INTERRUPTED) => self.interrupted = true,
            Some(DISMISSED) => return Err(RowsError::Dismissed),
            _ => return Err(TransportError::Garbled { rank: from }.into()),
        }
        Ok(())
    }

    /// Reports the work of this rank to rank 0. On rank 0, collects the reports of all.
    fn report(&mut self, done: &PartDone) -> Result<Vec<RankDone>, TransportError> {
        let own = RankDone {
            cells: done.cells,
            waited: done.waited,
            sent: done.sent,
            on_disk: done.on_disk,
            memory: peak_memory(),
        };
        if self.ranks.rank() > 0 {
            self.ranks.send(0, u64::MAX, framed(own.encode(), REPORT))?;
            return Ok(Vec::new());
        }
        self.reports[0] = Some(own);
        while let Some(missing) = self.reports.iter().position(Option::is_none) {
            let (from, message) = self.ranks.wait_for(Some(missing))?;
            // If rank 0 wants no more rows, some can still arrive.
            self.of_engine(from, message)?;
        }
        Ok(self.reports.iter().copied().flatten().collect())
    }

    /// Returns a message for the engine, and handles the other messages that can arrive meanwhile.
    fn of_engine(
        &mut self,
        from: usize,
        mut message: Bytes,
    ) -> Result<Option<Bytes>, TransportError> {
        let garbled = TransportError::Garbled { rank: from };
        match take_last(&mut message) {
            Some(OF_ENGINE) => Ok(Some(message)),
            Some(REPORT) => {
                self.reports[from] = Some(RankDone::decode(&message).ok_or(garbled)?);
                Ok(None)
            }
            Some(INTERRUPTED) => {
                self.interrupted = true;
                Ok(None)
            }
            _ => Err(garbled),
        }
    }
}

impl<T: Transport> Exchange for RankExchange<'_, T> {
    fn send(&mut self, to: usize, urgency: u64, message: Buffer) -> Result<(), String> {
        let message = framed(message, OF_ENGINE);
        self.ranks.send(to, urgency, message).map_err(|error| error.to_string())
    }

    fn receive(&mut self, wait: Duration, eagerness: Eagerness) -> Result<Option<Bytes>, String> {
        if let Some(early) = self.early.pop_front() {
            return Ok(Some(early));
        }
        let received = self.ranks.receive(wait, eagerness).map_err(|error| error.to_string())?;
        let Some((from, message)) = received else { return Ok(None) };
        self.of_engine(from, message).map_err(|error| error.to_string())
    }

    fn on_the_way(&self) -> u64 {
        self.ranks.to_be_sent()
    }

    fn waker(&self) -> Waker {
        self.ranks.waker()
    }

    fn is_interrupted(&mut self) -> bool {
        if (self.is_interrupted)() {
            self.interrupted |= self.ranks.rank() == 0;
            if self.ranks.rank() > 0 && !self.has_told {
                self.has_told = true;
                // If it cannot be told, it is missing, and that is noticed.
                let _ = self.ranks.send(0, 0, vec![INTERRUPTED]);
            }
        }
        self.interrupted
    }
}

fn framed(message: impl Into<Buffer>, kind: u8) -> Buffer {
    let mut message = message.into();
    message.push(kind);
    message
}

impl RankDone {
    fn encode(&self) -> Vec<u8> {
        let Sent { words, groups, rows, other } = self.sent;
        let waited = u64::try_from(self.waited.as_nanos()).unwrap_or(u64::MAX);
        let memory = self.memory.unwrap_or(0);
        let numbers = [self.cells, waited, memory, words, groups, rows, other, self.on_disk];
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let numbers: Vec<_> = bytes.as_chunks().0.iter().map(|n| u64::from_le_bytes(*n)).collect();
        let &[cells, waited, memory, words, groups, rows, other, on_disk] = numbers.as_slice()
        else {
            return None;
        };
        let sent = Sent { words, groups, rows, other };
        let memory = (memory > 0).then_some(memory);
        Some(Self { cells, waited: Duration::from_nanos(waited), sent, on_disk, memory })
    }
}

/// The peak memory of this process in bytes, if the system provides it.
fn peak_memory() -> Option<u64> {
    let peak = files::process_status("VmHWM")?;
    let kib: u64 = peak.strip_suffix(" kB")?.parse().ok()?;
    Some(1024 * kib)
}
