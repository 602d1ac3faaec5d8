//! Rows by several ranks: the pipeline of `sweep`, over a transport.

use crate::parts::{self, DISMISSED, Exchange, OPTIONS, garbled};
use crate::transport::{Eagerness, Watched, content, message};
use driver::{Error, Sweep, require_memory};
use record::Record;
use record::listeners::{Done, Visitor};
use std::{ops::ControlFlow, thread, time::Duration};
use sweep::band::parts::{Run, Share};
use sweep::band::{Options, memory_besides_words};
use sweep::checkpoints::{Bytes, Checkpoint, Checkpoints, least_words};

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

/// Computes the part of this rank, as [`Ranks`] does. Returns the rows that the visitor has seen,
/// with the work done for them.
///
/// # Errors
/// Those of [`Ranks`].
pub fn rows(
    task: Task<'_>,
    checkpoints: &Checkpoints<'_>,
    ranks: Watched<'_>,
    visitor: &mut dyn Visitor,
) -> Result<Done, Error> {
    let mut ranks = Ranks::new(task, ranks)?;
    ranks.begin(checkpoints)?;
    let done = ranks.rows(task.end, checkpoints, visitor)?;
    ranks.end()?;
    Ok(done)
}

/// As [`rows`], for a rank other than 0.
///
/// # Errors
/// As [`rows`].
pub fn help(
    task: Task<'_>,
    checkpoints: &Checkpoints<'_>,
    ranks: Watched<'_>,
) -> Result<(), Error> {
    let mut nobody = |_: Record| ControlFlow::Continue(());
    rows(task, checkpoints, ranks, &mut nobody).map(drop)
}

/// This rank among all, which have met. As a [`Sweep`], it computes the part of this rank, together
/// with all others.
///
/// *It begins* when all ranks agree on the run. If there is a checkpoint, all resume from the
/// newest intact one, which all must see. All must see the folder for words. All must have the same
/// `end`, windows and number of threads; the kernels can differ. Rank 0 opens the newest
/// checkpoint, prepares the folder of words, and sends its options. Then each other rank opens the
/// same checkpoint, looks for the mark of rank 0 in its folder of words, and sends its own options.
/// All ranks compare all of them, and come to the same result: if one has other options, all leave,
/// with an error that names it.
///
/// *Rows.* Rank 0 shows every row to the visitor, in order, and writes checkpoints, from which any
/// number of ranks, or one process, can resume. The other ranks show none. Then all leave together.
/// If ranks had to end, rank 0 does not wait long for the others: it still has to save rows.
pub struct Ranks<'a> {
    task: Task<'a>,
    exchange: Exchange<'a>,
    stage: Stage,
    from: Option<Checkpoint>,
}

/// The stage of a rank.
enum Stage {
    /// The ranks have not agreed on their options.
    New,
    /// They have, and compute rows; or have failed.
    Joined(Option<Box<Run>>),
    /// The run was interrupted, and all others have left.
    Alone,
}

/// The options of a rank: the row of its checkpoint, and a text for each option.
type Said = (Option<u64>, Vec<String>);

impl<'a> Ranks<'a> {
    /// Meets all other ranks. All must have the same build.
    ///
    /// # Errors
    /// A rank is missing or of another build. In the second case all leave.
    pub fn new(task: Task<'a>, mut ranks: Watched<'a>) -> Result<Self, Error> {
        ranks.meet()?;
        let exchange = Exchange::new(ranks, task.is_interrupted);
        Ok(Self { task, exchange, stage: Stage::New, from: None })
    }

    /// Waits for the options of a rank, for a short time; or until rank 0 needs no help. Messages
    /// of the run are `early`.
    fn receive(
        &mut self,
        all: &mut [Option<Said>],
        early: &mut Vec<(usize, Vec<u8>)>,
    ) -> Result<ControlFlow<()>, Error> {
        let received = self.exchange.ranks.receive(WAIT, Eagerness::Often)?;
        let Some((rank, message)) = received else { return Ok(ControlFlow::Continue(())) };
        match message.split_first() {
            Some((&DISMISSED, _)) => return Ok(ControlFlow::Break(())),
            Some((&OPTIONS, said)) => {
                all[rank] = Some(content(said).map_err(|error| garbled(rank, &error))?);
            }
            _ => early.push((rank, message)),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Ends, after all work of this rank. If this is rank 0, and it has not joined the others, it
    /// needs no help, and all leave.
    ///
    /// # Errors
    /// A missing rank.
    pub fn end(&mut self) -> Result<(), Error> {
        match self.stage {
            Stage::New => {
                self.exchange.send_to_all(&[DISMISSED])?;
                self.exchange.ranks.leave()?;
            }
            Stage::Alone => self.exchange.ranks.close(),
            Stage::Joined(_) => {}
        }
        Ok(())
    }
}

impl Sweep for Ranks<'_> {
    fn begin(&mut self, checkpoints: &Checkpoints<'_>) -> Result<Option<u64>, Error> {
        self.stage = Stage::Joined(None);
        let Task { end, options, .. } = self.task;
        let (rank, ranks) = (self.exchange.ranks.rank(), self.exchange.ranks.ranks());
        let (mut all, mut early): (Vec<Option<Said>>, _) = (vec![None; ranks], Vec::new());
        // If rank 0 needs no help, it says so before another rank reads a checkpoint.
        while rank > 0 && all[0].is_none() {
            if self.receive(&mut all, &mut early)?.is_break() {
                self.exchange.ranks.leave()?;
                return Ok(None);
            }
        }
        let row = all[0].as_ref().map(|(row, _)| *row);
        let workers = (options.workers().get() * ranks) as u64;
        let share = Share { process: rank as u64, processes: ranks as u64, workers };
        let (from, mut run) = thread::scope(|scope| {
            let prepare = scope.spawn(|| {
                let from = match row {
                    None => checkpoints.newest()?,
                    Some(row) => row.map_or(Ok(None), |row| checkpoints.at(row))?,
                };
                let run = Run::prepare(end, options, checkpoints, from.as_ref(), share)?;
                Ok::<_, Error>((from, run))
            });
            // It takes long. Meanwhile this rank sends signs of life.
            while !prepare.is_finished() {
                let _not_dismissed = self.receive(&mut all, &mut early)?;
            }
            prepare.join().expect("it does not panic")
        })?;
        let row = from.as_ref().map(Checkpoint::row);
        let said: Said = (row, given(self.task, checkpoints, from.as_ref()));
        self.exchange.send_to_all(&message(OPTIONS, &said))?;
        all[rank] = Some(said);
        while all.iter().any(Option::is_none) {
            let _not_dismissed = self.receive(&mut all, &mut early)?;
        }
        if let Some(words) = difference(&all) {
            // Nobody has written anything.
            run.store.is_over = true;
            self.exchange.ranks.leave()?;
            return Err(Error::usage(words));
        }
        self.exchange.ranks.give_back(early);
        (self.stage, self.from) = (Stage::Joined(Some(Box::new(run))), from);
        Ok(row)
    }

    fn rows(
        &mut self,
        _end: u64,
        checkpoints: &Checkpoints<'_>,
        visitor: &mut dyn Visitor,
    ) -> Result<Done, Error> {
        let Self { task, exchange, stage, from } = self;
        let Stage::Joined(Some(run)) = stage else {
            // Rank 0 needs no help.
            return Ok(Done::default());
        };
        let (from, threads) = (from.take(), task.options.workers().get());
        let mut nobody = |_: Record| ControlFlow::Continue(());
        let is_first = exchange.ranks.rank() == 0;
        let visitor = if is_first { visitor } else { &mut nobody };
        let seen = parts::run(run, threads, checkpoints, from, exchange, visitor)?;
        // The visitor can have been the first to notice.
        exchange.interrupted |= (task.is_interrupted)();
        let is_short = is_first && exchange.interrupted && seen.rows < task.end;
        if !is_short {
            exchange.ranks.leave()?;
        } else if !exchange.ranks.leave_within(GRACE) {
            return Ok(seen);
        }
        // No other rank writes files any more, and the folder of words is free for its removal.
        run.store.is_over = true;
        *stage = if is_short { Stage::Alone } else { Stage::Joined(None) };
        Ok(seen)
    }
}

/// If ranks must end, rank 0 waits no longer than this for the others.
const GRACE: Duration = Duration::from_millis(300);

/// The time for which a rank waits for a message before it checks other conditions.
const WAIT: Duration = Duration::from_millis(5);

/// The options in which all ranks must agree.
fn given(
    Task { end, options, .. }: Task<'_>,
    checkpoints: &Checkpoints<'_>,
    from: Option<&Checkpoint>,
) -> Vec<String> {
    let from = from.map_or("no checkpoint".to_owned(), |from| {
        format!("a checkpoint at row {}, of a run to before {}", from.row(), from.end())
    });
    let words = checkpoints.mark_of_words().map_or_else(
        || "no folder for words that rank 0 has prepared".to_owned(),
        |mark| format!("a folder for words with the mark {mark}"),
    );
    let windows = format!("{:?}", options.windows);
    vec![
        format!("rows below {end}"),
        format!("{} threads", options.workers()),
        windows,
        from,
        words,
    ]
}

/// The first rank whose options are not those of rank 0, in words.
fn difference(all: &[Option<Said>]) -> Option<String> {
    let mut all = all.iter().flatten().map(|(_, options)| options).enumerate();
    let (_, first) = all.next()?;
    all.find_map(|(rank, its)| {
        let (its, first) = its.iter().zip(first).find(|(its, first)| its != first)?;
        Some(format!(
            "rank {rank} has {its}, and rank 0 has {first}: all ranks must have the same options, \
             and see the same folders of checkpoints and of words"
        ))
    })
}

/// Bytes for MPI and for messages in flight.
const MESSAGES: u64 = 64 << 20;

/// The bytes of words that a rank may have in memory, if its budget is `memory`: by default the
/// least that it needs for rows to `last`.
///
/// # Errors
/// That memory is too little, or there is less ([`Error::Memory`]).
pub fn words_in_memory(last: u64, options: Options, memory: Option<u64>) -> Result<u64, Error> {
    let (end, threads) = (last + 1, options.workers());
    let besides = memory_besides_words(end, threads).saturating_add(MESSAGES);
    let least = besides.saturating_add(least_words(end));
    let memory = memory.unwrap_or(least);
    if memory < least {
        return Err(Error::usage(format!(
            "each rank needs at least {} of memory for rows to {last}, even with words on disk, \
             and may use {}",
            Bytes(least),
            Bytes(memory)
        )));
    }
    require_memory(last, memory)?;
    Ok(memory - besides)
}
