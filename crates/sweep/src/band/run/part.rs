//! A part of the pipeline: the workers of one process, where several share a run.
//!
//! With P parts of T workers each, part p has the workers `p T, p T + 1, ..` of the ring of all
//! P T workers. The links within a part are channels. The last worker of a part sends to the first
//! of the next, and what is posted to a block of another part goes there: both as bytes, by an
//! [`Exchange`]. The first part takes the rows of all blocks.

use super::{
    link::{Message, Receive, Transmit},
    options::{Options, Part},
    start::{Start, Waiting},
    visits::Visits,
    worker::{BlockResult, Input, Worker},
};
use crate::{
    band::{
        checkpoint::Checkpoint,
        codec::{Source, invalid, put, put_eight, put_row},
        geometry::Frame,
        group::Group,
        post::Run,
        schedule::{BLOCK, block_of, blocks_of},
        units::{BandIndex, BlockIndex},
        walk::Corner,
    },
    error::SweepError,
    sink::{Done, Visitor},
    units::{Number, RowIndex},
};
use record::RowRecord;
use std::{
    collections::{BTreeMap, VecDeque},
    io::{self, Read},
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc::{Receiver, Sender, TryRecvError, channel},
    },
    thread,
    time::{Duration, Instant},
};

/// How long a part waits for a message before it looks for something to send.
const WAIT: Duration = Duration::from_micros(100);

/// Takes messages between the parts of a run.
pub trait Exchange {
    /// Sends a message to a part. A lower urgency goes first; messages that are as urgent keep
    /// their order.
    ///
    /// # Errors
    /// In words, if it cannot: the run then ends.
    fn send(&mut self, to: usize, urgency: u64, message: Vec<u8>) -> Result<(), String>;

    /// The next message from any other part. Waits so long, at most.
    ///
    /// # Errors
    /// In words, if there will be none, because a part is missing: the run then ends.
    fn receive(&mut self, wait: Duration) -> Result<Option<Vec<u8>>, String>;
}

/// What one part has done of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartDone {
    /// What the visitor has been told: 0, but in part 0.
    pub seen: Done,
    /// What the workers of this part have done; in part 0, also what was done before them, here or
    /// for the checkpoint.
    pub own: Done,
    /// How long they have waited for others, all together.
    pub waited: Duration,
    /// What this part has sent to others.
    pub sent: Sent,
}

/// Bytes that one part has sent, by what they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// Posted words.
    pub words: u64,
    /// Groups, and corners with diagonal values.
    pub groups: u64,
    /// Finished rows.
    pub rows: u64,
    /// Everything else.
    pub other: u64,
}

impl Sent {
    /// All of them.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.words + self.groups + self.rows + self.other
    }

    fn count(&mut self, message: &[u8]) {
        let of_kind = match message.first() {
            Some(&WORDS) => &mut self.words,
            Some(&(STARTED | GROUPS)) => &mut self.groups,
            Some(&(FINISHED | ROWS)) => &mut self.rows,
            _ => &mut self.other,
        };
        *of_kind += message.len() as u64;
    }
}

/// An exchange, and what has been sent over it.
struct Counted<'a> {
    exchange: &'a mut dyn Exchange,
    sent: Sent,
}

/// Does one part of the rows below `end`; goes on from a checkpoint, if given. All parts must have
/// the same end, windows and number of threads, and the same checkpoint: each keeps the words that
/// its blocks read.
///
/// The visitor of part 0 sees every row, in order, and that of another part none.
///
/// # Errors
/// As [`resumable_rows`](super::resumable_rows); and [`SweepError::Part`] if the exchange fails, or
/// another part does.
///
/// # Panics
/// If the engine itself is wrong.
pub fn part_of_rows(
    end: u64,
    options: Options,
    part: Part,
    exchange: &mut dyn Exchange,
    from: Option<Checkpoint>,
    visitor: &mut dyn Visitor,
) -> Result<PartDone, SweepError> {
    let mut nobody = |_: RowRecord| ControlFlow::Continue(());
    let visitor = if part.number == 0 { visitor } else { &mut nobody };
    let mut visits = Visits { end: RowIndex(end), visitor, done: Done::default() };
    let mut exchange = Counted { exchange, sent: Sent::default() };
    let start = Start::new(options, from, Waiting::In(part), &mut visits, &mut ())?;
    let mut done = PartDone::default();
    if part.number == 0 {
        // By the pointer engine, or from the checkpoint: all parts have that, and it counts once.
        done.own = visits.done;
    }
    match start {
        Some(start) => {
            let threads = options.threads.get();
            do_part(start, threads, part, &mut exchange, (&mut visits, &mut done))?;
        }
        None if visits.done.rows < end => {
            Outgoing::to_all(part, &[STOP]).try_for_each(|message| message.send(&mut exchange))?;
        }
        None => {}
    }
    if part.number == 0 {
        done.seen = visits.done;
    }
    done.sent = exchange.sent;
    Ok(done)
}

fn do_part(
    start: Start,
    threads: usize,
    part: Part,
    exchange: &mut Counted,
    (visits, done): (&mut Visits, &mut PartDone),
) -> Result<(), SweepError> {
    let Start { kernel, ref shared, mut office, bands, band, knowledge, messages, .. } = start;
    let workers = threads * part.parts;
    let (outgoing, to_send) = channel();
    let hand_on = {
        let outgoing = outgoing.clone();
        move |reader: BlockIndex, to, run: &Run| {
            let message = encode_words(reader, run);
            // If nobody sends any more, nobody reads.
            let _ = outgoing.send(Outgoing { to, urgency: reader.0, message });
        }
    };
    office.hand_on(Box::new(hand_on));
    let (office, waited) = (&office, AtomicU64::new(0));
    let waited = &waited;
    thread::scope(|scope| {
        let (results, blocks) = channel();
        let (first_input, mut input) = channel();
        if part.number == 0 {
            for message in messages {
                first_input.send(message).expect("the receiver is here");
            }
        }
        for t in 0..threads {
            let number = (part.number * threads + t) as u64;
            let (next_input, next) = channel();
            let output: Box<dyn Transmit + Send> = if t + 1 < threads {
                Box::new(next_input)
            } else if part.parts == 1 {
                Box::new(first_input.clone())
            } else {
                let ends = blocks_of(number, workers as u64, band, bands).map(|block| block.end);
                let to = (part.number + 1) % part.parts;
                Box::new(Far { to, outgoing: outgoing.clone(), ends: ends.collect(), bands })
            };
            let this_input = std::mem::replace(&mut input, next);
            let results = results.clone();
            let mut worker = Worker {
                kernel,
                shared,
                office,
                workers,
                cells: (),
                knowledge: knowledge.clone(),
                input: Input::new(Timed { receiver: this_input, waited }, kernel),
                output,
                tell: move |result| results.send(result).is_ok(),
                saver: None,
            };
            let user = office.user();
            let work = move || {
                let _user = user;
                worker.work(number, band, bands);
            };
            thread::Builder::new().spawn_scoped(scope, work).map_err(|problem| {
                SweepError::Threads { wanted: threads, problem: problem.to_string() }
            })?;
        }
        drop((results, outgoing));
        let mut talk = Talk {
            part,
            exchange,
            frame: shared.frame,
            first_input: Some(first_input),
            rows: Rows { waiting: BTreeMap::new(), next: band, end: bands },
            visits,
            own: &mut done.own,
        };
        let talked = talk.until_done(&to_send, &blocks, |reader, run| office.arrive(reader, run));
        // Whoever still waits gives up.
        office.close();
        talked
    })?;
    done.waited = Duration::from_nanos(waited.load(Ordering::Relaxed)) + office.waited();
    Ok(())
}

/// A link whose reader measures how long it waits, in nanoseconds.
struct Timed<'a> {
    receiver: Receiver<Message>,
    waited: &'a AtomicU64,
}

impl Receive for Timed<'_> {
    fn receive(&mut self) -> Option<Message> {
        self.receive_now().or_else(|| {
            let begun = Instant::now();
            let message = self.receiver.recv().ok();
            let waited = u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
            self.waited.fetch_add(waited, Ordering::Relaxed);
            message
        })
    }

    fn receive_now(&mut self) -> Option<Message> {
        self.receiver.try_recv().ok()
    }
}

/// What a part talks of with the others, on the thread of its caller.
struct Talk<'a, 'v, 'e> {
    part: Part,
    exchange: &'a mut Counted<'e>,
    frame: Frame,
    /// Where messages from the part before go.
    first_input: Option<Sender<Message>>,
    rows: Rows,
    visits: &'a mut Visits<'v>,
    /// What the workers of this part have done.
    own: &'a mut Done,
}

/// The rows of blocks, which come in any order and go in theirs.
struct Rows {
    waiting: BTreeMap<RowIndex, (Arc<Vec<RowRecord>>, Done)>,
    next: BandIndex,
    end: BandIndex,
}

impl Talk<'_, '_, '_> {
    /// Sends, receives and hands on, until the workers are done and, in part 0, all rows are seen.
    fn until_done(
        &mut self,
        to_send: &Receiver<Outgoing>,
        blocks: &Receiver<BlockResult>,
        mut arrive: impl FnMut(BlockIndex, Run),
    ) -> Result<(), SweepError> {
        loop {
            self.send_what_is_there(to_send)?;
            loop {
                match blocks.try_recv() {
                    Ok(result) => {
                        if self.block(result)?.is_break() {
                            return Ok(());
                        }
                    }
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => {
                        // What the workers have sent before they ended.
                        self.send_what_is_there(to_send)?;
                        if self.part.number != 0 || self.rows.next >= self.rows.end {
                            return Ok(());
                        }
                        break;
                    }
                }
            }
            if let Some(message) = self.exchange.exchange.receive(WAIT).map_err(problem)?
                && self.take(&message, &mut arrive)?.is_break()
            {
                return Ok(());
            }
        }
    }

    fn send_what_is_there(&mut self, to_send: &Receiver<Outgoing>) -> Result<(), SweepError> {
        to_send.try_iter().try_for_each(|message| message.send(self.exchange))
    }

    /// A block of this part is done, or has failed.
    fn block(&mut self, result: BlockResult) -> Result<ControlFlow<()>, SweepError> {
        if let Ok((_, done)) = &result {
            *self.own += *done;
        }
        match result {
            Ok((rows, done)) if self.part.number == 0 => self.see(rows, done),
            Ok((rows, done)) => {
                let message = encode_rows(&rows, done);
                let urgency = rows.first().map_or(0, RowRecord::row);
                Outgoing { to: 0, urgency, message }.send(self.exchange)?;
                Ok(ControlFlow::Continue(()))
            }
            Err(error) => {
                let words = format!("part {} of the run: {error}", self.part.number);
                let failed = [&[FAILED][..], words.as_bytes()].concat();
                for message in Outgoing::to_all(self.part, &failed) {
                    // If they cannot hear of it, they notice that this part is gone.
                    let _ = message.send(self.exchange);
                }
                Err(error)
            }
        }
    }

    /// Part 0 shows rows to the visitor, when those before have been seen.
    fn see(
        &mut self,
        rows: Arc<Vec<RowRecord>>,
        done: Done,
    ) -> Result<ControlFlow<()>, SweepError> {
        let Some(first) = rows.first() else { return Ok(ControlFlow::Continue(())) };
        self.rows.waiting.insert(RowIndex(first.row()), (rows, done));
        while let Some(next) = self.rows.waiting.remove(&self.rows.next.first_row()) {
            self.rows.next += BLOCK;
            if !self.visits.block(Ok(next))? {
                Outgoing::to_all(self.part, &[STOP])
                    .try_for_each(|message| message.send(self.exchange))?;
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// A message from another part.
    fn take(
        &mut self,
        message: &[u8],
        arrive: &mut impl FnMut(BlockIndex, Run),
    ) -> Result<ControlFlow<()>, SweepError> {
        let garbled = |error: io::Error| problem(format!("a message between parts: {error}"));
        let Some((&kind, body)) = message.split_first() else {
            return Err(problem("an empty message between parts".to_owned()));
        };
        let mut source = Source(body);
        match kind {
            WORDS => {
                let (reader, run) = decode_words(&mut source).map_err(garbled)?;
                arrive(reader, run);
            }
            ROWS => {
                let (rows, done) = decode_rows(&mut source).map_err(garbled)?;
                return self.see(Arc::new(rows), done);
            }
            FAILED => return Err(problem(String::from_utf8_lossy(body).into_owned())),
            STOP => return Ok(ControlFlow::Break(())),
            _ => {
                let message = decode_message(kind, &mut source, self.frame).map_err(garbled)?;
                // If the worker is done, it needs no more.
                let _ = self.first_input.as_ref().map(|input| input.send(message));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

fn problem(problem: String) -> SweepError {
    SweepError::Part { problem }
}

/// A message for another part.
struct Outgoing {
    to: usize,
    urgency: u64,
    message: Vec<u8>,
}

impl Outgoing {
    fn send(self, over: &mut Counted) -> Result<(), SweepError> {
        over.sent.count(&self.message);
        over.exchange.send(self.to, self.urgency, self.message).map_err(problem)
    }

    /// The same to all other parts, at once.
    fn to_all(part: Part, message: &[u8]) -> impl Iterator<Item = Self> {
        let others = (0..part.parts).filter(move |&to| to != part.number);
        others.map(|to| Self { to, urgency: 0, message: message.to_vec() })
    }
}

/// The link from the last worker of a part to the first one of the next.
struct Far {
    to: usize,
    outgoing: Sender<Outgoing>,
    /// Where the blocks of the worker end.
    ends: VecDeque<BandIndex>,
    /// Where the run ends.
    bands: BandIndex,
}

impl Transmit for Far {
    fn transmit(&mut self, message: Message) {
        let end = *self.ends.front().expect("a block sends before it has finished");
        if matches!(message, Message::Finished(_)) {
            self.ends.pop_front();
        }
        // Nobody goes on from the end of the run.
        if end < self.bands {
            let urgency = block_of(end).0;
            let message = encode_message(&message, end);
            // If nobody sends any more, nobody waits.
            let _ = self.outgoing.send(Outgoing { to: self.to, urgency, message });
        }
    }
}

impl Transmit for Box<dyn Transmit + Send> {
    fn transmit(&mut self, message: Message) {
        (**self).transmit(message);
    }
}

/// The first byte of a message between parts.
const STARTED: u8 = 0;
const GROUPS: u8 = 1;
const FINISHED: u8 = 2;
const WORDS: u8 = 3;
const ROWS: u8 = 4;
const FAILED: u8 = 5;
const STOP: u8 = 6;

/// What goes from a block that ends before band `end` to the next.
fn encode_message(message: &Message, end: BandIndex) -> Vec<u8> {
    let mut out = Vec::new();
    match message {
        Message::Started(corner, diagonals) => {
            out.push(STARTED);
            put(&mut out, end.0);
            corner.save(&mut out);
            put(&mut out, diagonals.len() as u64);
            for (first, values) in diagonals {
                put(&mut out, first.0);
                put(&mut out, values.len() as u64);
                values.iter().for_each(|p| put(&mut out, p.0));
            }
        }
        Message::Groups(groups) => {
            out.push(GROUPS);
            put(&mut out, groups.len() as u64);
            for group in groups {
                group.send(&mut out);
            }
        }
        Message::Finished(rows) => {
            out.push(FINISHED);
            put(&mut out, rows.len() as u64);
            for (first, rows) in rows {
                put(&mut out, first.0);
                put(&mut out, rows.len() as u64);
                rows.iter().for_each(|row| put_row(&mut out, row));
            }
        }
    }
    out
}

fn decode_message(kind: u8, source: &mut Source<impl Read>, frame: Frame) -> io::Result<Message> {
    match kind {
        STARTED => {
            let band = BandIndex(source.number()?);
            let corner = Corner::restore(source, band, frame.windows)?;
            let diagonals = (0..source.number()?).map(|_| {
                let first = RowIndex(source.number()?);
                let values = (0..source.number()?).map(|_| source.number().map(Number));
                Ok((first, Arc::new(values.collect::<io::Result<_>>()?)))
            });
            Ok(Message::Started(corner, diagonals.collect::<io::Result<_>>()?))
        }
        GROUPS => {
            let groups = (0..source.number()?).map(|_| Group::receive(source, frame).map(Box::new));
            Ok(Message::Groups(groups.collect::<io::Result<_>>()?))
        }
        FINISHED => {
            let rows = (0..source.number()?).map(|_| {
                let first = RowIndex(source.number()?);
                let count = source.number()?;
                let rows = (0..count).map(|i| source.row(first + i));
                Ok((first, Arc::new(rows.collect::<io::Result<_>>()?)))
            });
            Ok(Message::Finished(rows.collect::<io::Result<_>>()?))
        }
        _ => Err(invalid("it is of no kind")),
    }
}

fn encode_words(reader: BlockIndex, run: &Run) -> Vec<u8> {
    let mut out = Vec::with_capacity(25 + 64 * run.words.len());
    out.push(WORDS);
    for number in [reader.0, run.source.0, run.words.len() as u64] {
        put(&mut out, number);
    }
    run.words.iter().for_each(|word| put_eight(&mut out, word));
    out
}

fn decode_words(source: &mut Source<impl Read>) -> io::Result<(BlockIndex, Run)> {
    let (reader, from, count) = (source.number()?, source.number()?, source.number()?);
    let words = (0..count).map(|_| source.eight()).collect::<io::Result<Vec<_>>>()?;
    let words = Arc::new(words);
    Ok((BlockIndex(reader), Run { source: BlockIndex(from), words, is_on_disk: false }))
}

fn encode_rows(rows: &[RowRecord], done: Done) -> Vec<u8> {
    let mut out = vec![ROWS];
    let first = rows.first().map_or(0, RowRecord::row);
    for number in [first, rows.len() as u64, done.rows, done.cells, done.fallbacks] {
        put(&mut out, number);
    }
    for row in rows {
        put_row(&mut out, row);
    }
    out
}

fn decode_rows(source: &mut Source<impl Read>) -> io::Result<(Vec<RowRecord>, Done)> {
    let (first, count) = (RowIndex(source.number()?), source.number()?);
    let (rows, cells, fallbacks) = (source.number()?, source.number()?, source.number()?);
    let found = (0..count).map(|i| source.row(first + i)).collect::<io::Result<_>>()?;
    Ok((found, Done { rows, cells, fallbacks }))
}
