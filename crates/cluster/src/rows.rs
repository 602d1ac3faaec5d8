//! Rows by several ranks: the pipeline of `sweep`, over a transport.

use crate::{
    blocks::RunGeometry,
    costs::{Cluster, Costs, Network},
    parts::{Buffer, Eagerness, Exchange, Part, PartDone, Sent, Waker, part_of_rows},
    plan::{Model, Traffic},
    transport::{Transport, TransportError, Watched, take_last},
};
use bytes::Bytes;
use record::Record;
use record::listeners::{Done, Visitor};
use std::{collections::VecDeque, ops::ControlFlow, thread, time::Duration};
use sweep::band::{self, Options, memory_besides_words};
use thiserror::Error;
use words::{Checkpoint, Checkpoints, WordsError, least_words};

/// Why ranks have not found all rows.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RowsError {
    /// The engine has stopped, here or on another rank; or a rank is missing.
    #[error(transparent)]
    Words(#[from] WordsError),
    /// A rank has gone missing before the first row, or after the last.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// A rank was given other options.
    #[error(
        "rank {rank} has {its}, and rank 0 has {first}: all ranks must be given the same, and \
             see the same checkpoints"
    )]
    Options {
        /// The first such rank.
        rank: usize,
        /// What it was given.
        its: String,
        /// What rank 0 was given.
        first: String,
    },
    /// A rank may not have the memory that it needs, wherever its words wait.
    #[error(
        "each rank needs at least {} MB of memory for rows to {last}, wherever their words wait, \
         and may take {}",
        least.div_ceil(1_000_000), memory / 1_000_000
    )]
    Memory {
        /// The last row.
        last: u64,
        /// What it may take, in bytes.
        memory: u64,
        /// What it needs.
        least: u64,
    },
    /// Rank 0 has sent the others away: there is nothing to do, or it has failed, and says why.
    #[error("rank 0 needs no help")]
    Dismissed,
}

/// What all ranks are to do together.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The rows below this one.
    pub end: u64,
    /// How.
    pub options: Options,
    /// Whether this rank is asked to end. Looked at again and again; if any rank is asked, all end.
    pub is_interrupted: &'a (dyn Fn() -> bool + Sync),
}

/// What the ranks have done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RanksDone {
    /// What the visitor has been told.
    pub done: Done,
    /// What each rank has done, by its number. None if the ranks were asked to end before all rows
    /// were found: rank 0 then waits for nobody.
    pub ranks: Vec<RankDone>,
}

/// What a rank has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankDone {
    /// Cells that its workers have decided; on rank 0, also those below the first block.
    pub cells: u64,
    /// How long they have waited for others, all together.
    pub waited: Duration,
    /// What it has sent to others.
    pub sent: Sent,
    /// The most bytes that its words have had on disk at a time.
    pub on_disk: u64,
    /// The most memory in bytes that its process has had, if the system says so.
    pub memory: Option<u64>,
}

/// This rank, when all have found that they were given the same.
pub struct Joined<'a, T> {
    task: Task<'a>,
    over: RankExchange<'a, T>,
    from: Option<Checkpoint>,
    /// Whether the others have left, if this rank did not wait for it.
    all_have_left: bool,
}

impl<'a, T: Transport> Joined<'a, T> {
    /// Meets all other ranks. If there is a checkpoint, all go on from the newest one that is
    /// whole: all must see it.
    ///
    /// All ranks must be of the same build, which they compare first, and be given the same `end`,
    /// windows and number of threads; the kernel may differ.
    ///
    /// # Errors
    /// [`RowsError`]. All leave if one is of another build or was given something else, or rank 0
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

    /// The row of the checkpoint that the ranks go on from.
    #[must_use]
    pub fn from(&self) -> Option<u64> {
        self.from.as_ref().map(Checkpoint::row)
    }

    /// Does this rank's part, together with all others. Once.
    ///
    /// Rank 0 shows every row to the visitor, in order, writes checkpoints, and is told what each
    /// rank has done. The other ranks have nothing to show, and are told nothing. If ranks were
    /// asked to end, rank 0 does not wait long for the others.
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
        let checkpoints = (checkpoints, from.take());
        let done = part_of_rows(task.end, task.options, part, over, checkpoints, visitor)?;
        // The visitor may have been the first to notice.
        over.interrupted |= part.number == 0 && (task.is_interrupted)();
        if over.interrupted && done.seen.rows < task.end {
            self.all_have_left = over.ranks.leave_within(GRACE);
            return Ok(RanksDone { done: done.seen, ranks: Vec::new() });
        }
        let ranks = over.report(&done)?;
        Ok(RanksDone { done: done.seen, ranks })
    }

    /// Leaves, when all others do, too; unless they were asked to end, and some have not left.
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

/// Does this rank's part of some rows: [`Joined::new`], [`Joined::rows`], and [`Joined::leave`].
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

/// As [`rows`], for a rank other than 0. It has no more to do if rank 0 needs no help.
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

/// If ranks are asked to end, rank 0 waits no longer than this for the others: it has rows to keep.
const GRACE: Duration = Duration::from_millis(300);

/// What the plan says that so many ranks send, all together, for the rows below `end`.
#[must_use]
pub fn planned(end: u64, ranks: u64, threads: u64) -> Traffic {
    // What is sent does not depend on how fast it is.
    let network = Network::of_gigabits(1.0, 1e-6);
    let cluster = Cluster { ranks, threads, spare: true, memory: 1e9, network };
    Model::new(&RunGeometry::new(end), Costs::default()).predict(&cluster).traffic
}

/// Bytes of words that a rank may have in memory, if it may take so much memory in all: an eighth
/// of that may be on its way to others besides ([`Checkpoints::spill`]).
///
/// # Errors
/// [`RowsError::Memory`] if that is too little, wherever words wait.
pub fn words_in_memory(end: u64, options: Options, memory: u64) -> Result<u64, RowsError> {
    let besides = memory_besides_words(end, options.threads).saturating_add(MESSAGES);
    let least = besides.saturating_add(least_words(end));
    if memory < least {
        return Err(RowsError::Memory { last: end.saturating_sub(1), memory, least });
    }
    Ok((memory - besides) / 9 * 8)
}

/// Bytes that a rank needs if all words that wait are in memory: its share of them, and the rest.
#[must_use]
pub fn memory_of_rank(end: u64, options: Options, ranks: u64) -> u64 {
    let besides = memory_besides_words(end, options.threads);
    let words = band::memory(end, options.threads) - besides;
    (words / ranks).saturating_add(besides).saturating_add(MESSAGES)
}

/// What messages on their way may take, and MPI.
const MESSAGES: u64 = 64 << 20;

/// What all ranks must be given, a line each.
fn given(end: u64, options: Options, spills: bool, from: Option<&Checkpoint>) -> String {
    let Options { threads, windows, .. } = options;
    let from = from.map_or("no checkpoint".to_owned(), |from| {
        format!("a checkpoint at row {}, of a run to before {}", from.row(), from.end())
    });
    let words = if spills { "a folder for words" } else { "no folder for words" };
    format!("rows below {end}\n{threads} threads\n{windows:?}\n{words}\n{from}")
}

/// The last byte of a message between ranks.
const OF_ENGINE: u8 = 0;
const OPTIONS: u8 = 1;
const REPORT: u8 = 2;
const INTERRUPTED: u8 = 3;
const DISMISSED: u8 = 4;

/// How long a rank waits before it looks for something else.
const WAIT: Duration = Duration::from_millis(5);

/// What the engine sends to other parts goes over the transport.
struct RankExchange<'a, T> {
    ranks: Watched<T>,
    /// What has come for the engine before it has begun.
    early: VecDeque<Bytes>,
    /// What ranks have told of themselves when they were done.
    reports: Vec<Option<RankDone>>,
    is_interrupted: &'a (dyn Fn() -> bool + Sync),
    /// In rank 0: a rank was asked to end.
    interrupted: bool,
    /// In another one: rank 0 was told so.
    has_told: bool,
}

impl<T: Transport> RankExchange<'_, T> {
    /// Opens the newest checkpoint, and compares what each rank has with what rank 0 has. All find
    /// the same.
    fn agree(
        &mut self,
        Task { end, options, .. }: Task<'_>,
        checkpoints: &Checkpoints<'_>,
    ) -> Result<Option<Checkpoint>, RowsError> {
        let mut all = vec![String::new(); self.ranks.ranks()];
        // Rank 0 sets aside what is damaged, before another one looks.
        while self.ranks.rank() > 0 && all[0].is_empty() {
            self.hear_options(&mut all)?;
        }
        let from = thread::scope(|scope| {
            let newest = scope.spawn(|| checkpoints.newest());
            // All of it is read: the others see meanwhile that this rank is there.
            while !newest.is_finished() {
                self.hear_options(&mut all)?;
            }
            Ok::<_, RowsError>(newest.join().expect("it does not panic")?)
        })?;
        let given = given(end, options, checkpoints.spills(), from.as_ref());
        for to in self.ranks.others() {
            // Nothing overtakes it.
            self.ranks.send(to, 0, framed(given.clone().into_bytes(), OPTIONS))?;
        }
        all[self.ranks.rank()] = given;
        while all.iter().any(String::is_empty) {
            self.hear_options(&mut all)?;
        }
        for (rank, given) in all.iter().enumerate() {
            if let Some((its, first)) = given.lines().zip(all[0].lines()).find(|(a, b)| a != b) {
                let (its, first) = (its.to_owned(), first.to_owned());
                return Err(RowsError::Options { rank, its, first });
            }
        }
        Ok(from)
    }

    /// Waits for what a rank was given, for a short time.
    fn hear_options(&mut self, all: &mut [String]) -> Result<(), RowsError> {
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

    /// Tells rank 0 what this rank has done; on rank 0, hears it of all, this one among them.
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
            // If rank 0 wants no more rows, some may still be on their way.
            self.of_engine(from, message)?;
        }
        Ok(self.reports.iter().copied().flatten().collect())
    }

    /// A message for the engine; what else may come while it works is kept.
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
                // If it cannot be told, it will be missed.
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

/// The most memory in bytes that this process has had, if the system says so.
fn peak_memory() -> Option<u64> {
    let peak = files::process_status("VmHWM")?;
    let kib: u64 = peak.strip_suffix(" kB")?.parse().ok()?;
    Some(1024 * kib)
}
