//! A part of the pipeline: the workers of one process, where several share a run.
//!
//! With P parts of T workers each, part p has the workers `p T, p T + 1, ..` of the ring of all
//! P T workers. The links within a part are channels. The last worker of a part sends to the first
//! of the next, and what is posted to a block of another part goes there: both as bytes, by an
//! [`Exchange`]. The first part takes the rows of all blocks.

use super::{
    copying::Copying,
    exchange::{Counted, Exchange, Outgoing, Sent, ToTalk, Ways},
    link::{Message, Receive, Ring, ring},
    options::{Options, Part},
    start::{Start, Waiting},
    talk::{Rows, Talk},
    visits::Visits,
    wire::{EncodedGroups, STOP, decode_groups, encode_words, word_buffers},
    worker::{Input, Worker},
};
use crate::{
    band::{
        checkpoint::{Checkpoint, Checkpoints, Saver, Tell},
        geometry::Frame,
        group::Spare,
        post::{HandOn, Waits, Way},
        schedule::blocks_of,
        walk::BlockBuffers,
    },
    error::SweepError,
    units::RowIndex,
};
use bytes::Bytes;
use record::Record;
use record::listeners::{Done, Visitor};
use std::{
    collections::BTreeMap,
    io,
    ops::ControlFlow,
    sync::{
        Arc, Mutex,
        atomic::AtomicBool,
        mpsc::{Receiver, channel},
    },
    thread,
    time::Duration,
};

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
    /// The most bytes that its files of words have had at a time.
    pub on_disk: u64,
}

/// Does one part of the rows below `end`; goes on from a checkpoint, if given. All parts must have
/// the same end, windows and number of threads, and the same checkpoint: each keeps the words that
/// its blocks read.
///
/// The visitor of part 0 sees every row, in order, and that of another part none. Part 0 writes the
/// checkpoints, if it is said where: those of [`resumable_rows`](super::resumable_rows), byte for
/// byte. Any number of parts, or none, may go on from them. If they say where words may wait
/// ([`Checkpoints::spill`]), each part has a folder of its own there, and so many bytes of them in
/// memory.
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
    (checkpoints, from): (Option<&Checkpoints<'_>>, Option<Checkpoint>),
    visitor: &mut dyn Visitor,
) -> Result<PartDone, SweepError> {
    let mut nobody = |_: Record| ControlFlow::Continue(());
    let visitor = if part.number == 0 { visitor } else { &mut nobody };
    let mut visits = Visits { end: RowIndex(end), visitor, done: Done::default() };
    let mut exchange = Counted { exchange, sent: Sent::default() };
    let spill = checkpoints.and_then(Checkpoints::spill_to);
    let start = Start::new(options, from, Waiting::In(part, spill), &mut visits, &mut ())?;
    let mut done = PartDone::default();
    if part.number == 0 {
        // By the pointer engine, or from the checkpoint: all parts have that, and it counts once.
        done.own = visits.done;
    }
    match start {
        Some(start) => {
            let threads = options.threads.get();
            let checkpoints = checkpoints.filter(|_| part.number == 0);
            do_part(start, threads, part, (&mut exchange, checkpoints), (&mut visits, &mut done))?;
        }
        None if visits.done.rows < end => {
            Outgoing::to_all(part, 0, &[STOP])
                .try_for_each(|message| message.send(&mut exchange))?;
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
    (exchange, checkpoints): (&mut Counted, Option<&Checkpoints<'_>>),
    (visits, done): (&mut Visits, &mut PartDone),
) -> Result<(), SweepError> {
    let Start { kernel, ref shared, ref spare, mut office, bands, band, knowledge, .. } = start;
    let Start { messages, rows, .. } = start;
    let workers = threads * part.parts;
    let waker = exchange.exchange.waker();
    let (sender, to_send) = channel();
    let outgoing = ToTalk { sender, waker: waker.clone() };
    let waits = Arc::new(Waits::new(waker.clone()));
    office.connect(way(outgoing.clone(), workers as u64, waits.clone()));
    let (office, given_up, waits) = (&office, &AtomicBool::new(false), &*waits);
    let saver = checkpoints.map(|kept| {
        let tell = tell_others(part, outgoing.clone());
        Saver::new(kept, office, shared.frame, rows, visits.done).shared(tell)
    });
    let gate = &Mutex::new(());
    thread::scope(|scope| {
        let (sender, blocks) = channel();
        let results = ToTalk { sender, waker };
        let ((jobs, to_write), (to_files, copies)) = (channel(), channel());
        let refused = |problem: io::Error| SweepError::Threads {
            wanted: threads + usize::from(saver.is_some()) + 2 * usize::from(office.spills()),
            problem: problem.to_string(),
        };
        // The clerk works as long as a worker may want something, or a checkpoint.
        let user = office.user();
        if office.spills() {
            thread::Builder::new().spawn_scoped(scope, || office.work()).map_err(refused)?;
            let outgoing = outgoing.clone();
            let tell = move || Copying::tell_of_files(part, office, &copies, &outgoing);
            thread::Builder::new().spawn_scoped(scope, tell).map_err(refused)?;
        }
        if let Some(saver) = &saver {
            let write = move || saver.write(&to_write);
            thread::Builder::new().spawn_scoped(scope, write).map_err(refused)?;
        }
        let messages = messages.into_iter().filter(|_| part.number == 0);
        let Ring { links, inputs } = ring(threads, messages);
        // No worker can be done before all are there.
        let begin = gate.lock();
        for (t, (input, near)) in links.into_iter().enumerate() {
            let number = (part.number * threads + t) as u64;
            let is_last = t + 1 == threads && part.parts > 1;
            let output = Ways {
                near,
                part,
                outgoing: outgoing.clone(),
                given_up,
                groups: EncodedGroups::new(),
                next: is_last.then_some(((part.number + 1) % part.parts, spare)),
                ends: blocks_of(number, workers as u64, band, bands).map(|b| b.end).collect(),
                bands,
            };
            let results = results.clone();
            let mut worker = Worker {
                kernel,
                shared,
                spare,
                office,
                workers,
                cells: (),
                knowledge: knowledge.clone(),
                buffers: BlockBuffers::default(),
                input: Input::new(Link::new(input, (spare, shared.frame), waits), kernel),
                output,
                tell: move |result| results.send(result).is_ok(),
                saver: saver.as_ref().map(|saver| (saver, jobs.clone())),
            };
            let user = office.user();
            let work = move || {
                let _user = user;
                drop(gate.lock());
                worker.work(number, band, bands);
            };
            thread::Builder::new().spawn_scoped(scope, work).map_err(refused)?;
        }
        drop((begin, results, outgoing, jobs));
        let mut talk = Talk {
            part,
            exchange,
            frame: shared.frame,
            office,
            inputs: inputs.clone(),
            waits,
            given_up,
            rows: Rows { waiting: BTreeMap::new(), next: band, end: bands },
            visits,
            own: &mut done.own,
            saver: saver.as_ref(),
            copying: Copying::new(part, office, to_files),
        };
        let talked = talk.until_done(&to_send, &blocks);
        // Whoever still waits gives up. A checkpoint that is being written is not worth it.
        office.close();
        for input in inputs {
            let _ = input.send(Message::GivenUp);
        }
        saver.iter().for_each(Saver::complete);
        drop(user);
        talked
    })?;
    done.waited = waits.all();
    done.on_disk = office.most_on_disk();
    Ok(())
}

/// What part 0 tells the others of a checkpoint goes out.
fn tell_others(part: Part, outgoing: ToTalk<Outgoing>) -> Box<Tell> {
    Box::new(move |what| {
        // If nobody sends any more, nobody waits.
        let _ = Copying::told(part, what).map(|message| outgoing.send(message));
    })
}

/// What is posted to other parts goes out: at once if its reader, one of so many workers, may be at
/// work.
fn way(outgoing: ToTalk<Outgoing>, workers: u64, waits: Arc<Waits>) -> Way {
    let buffers = word_buffers();
    let hand_on: Box<HandOn> = Box::new(move |reader, to, run| {
        let message = encode_words(reader, run, &buffers);
        let message = Outgoing { to, urgency: reader.0, message };
        // If nobody sends any more, nobody reads.
        let _ = if reader <= run.source + workers {
            outgoing.send(message)
        } else {
            outgoing.send_later(message)
        };
    });
    Way { hand_on, waits }
}

/// A link that may come from another process. Its reader measures how long it waits.
struct Link<'a> {
    /// What has come from another process and has not been decoded.
    encoded: Bytes,
    /// What has come after that.
    next: Option<Message>,
    receiver: Receiver<Message>,
    spare: &'a Spare,
    frame: Frame,
    waits: &'a Waits,
}

impl<'a> Link<'a> {
    fn new(
        receiver: Receiver<Message>,
        (spare, frame): (&'a Spare, Frame),
        waits: &'a Waits,
    ) -> Self {
        Self { encoded: Bytes::new(), next: None, receiver, spare, frame, waits }
    }

    /// A message as the worker takes it. Groups are decoded a few at a time, just before they are
    /// used; if nothing has come after them, it is time to look for more.
    fn decoded(&mut self, message: Message) -> Message {
        match message {
            Message::Encoded(groups) => {
                self.encoded = groups;
                self.next = self.receiver.try_recv().ok();
                if self.next.is_none() {
                    self.waits.expect_soon();
                }
                self.next_groups()
            }
            other => other,
        }
    }

    fn next_groups(&mut self) -> Message {
        match decode_groups(&mut self.encoded, self.spare, self.frame) {
            Ok(groups) => Message::Groups(groups),
            Err(error) => Message::Unreadable(error),
        }
    }
}

impl Receive for Link<'_> {
    fn receive(&mut self) -> Option<Message> {
        if let Some(message) = self.receive_now() {
            return Some(message);
        }
        let message = self.waits.measure(|| self.receiver.recv().ok());
        message.map(|message| self.decoded(message))
    }

    fn receive_now(&mut self) -> Option<Message> {
        if !self.encoded.is_empty() {
            return Some(self.next_groups());
        }
        let message = self.next.take().or_else(|| self.receiver.try_recv().ok())?;
        Some(self.decoded(message))
    }
}
