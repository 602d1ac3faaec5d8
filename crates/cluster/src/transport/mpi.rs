//! Ranks as processes of an MPI job.
//!
//! MPI cannot withdraw a message that is being sent. So a thread of its own sends, the most urgent
//! messages first, and records since when each message has been in flight. It combines short
//! messages to the same rank, because each message of MPI has a fixed cost. Waiting in MPI would
//! keep a processor busy, so both threads poll, and sleep in between.
//!
//! MPI keeps the order of messages from one process to another that match the same receive (V12 of
//! proofs/sweep.md). So there is one communicator, one thread sends, and one receives the next
//! message with any tag.

use super::{messages::Transport, numbers::Numbers};
use crate::parts::{Buffer, Buffers, Eagerness, Waker};
use bytes::{Buf, Bytes};
use mpi::environment::Universe;
use mpi::point_to_point::{Message, Status};
use mpi::request::{LocalScope, Request, scope};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Equivalence, Source};
use mpi::{Tag, Threading};
use std::cell::OnceCell;
use std::collections::{BTreeMap, VecDeque};
use std::mem::ManuallyDrop;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use thiserror::Error;

/// The shortest time between two polls for a message, if a worker waits for it.
const OFTEN: Duration = Duration::from_micros(50);

/// The same if all workers are busy, as a poll can interrupt one of them. A worker that will soon
/// wait wakes the polling thread.
const RARELY: Duration = Duration::from_millis(5);

/// The shortest time between two polls for sent messages, if all workers are busy.
const SENDING: Duration = Duration::from_millis(1);

/// The longest time between two polls.
const LONGEST_PAUSE: Duration = Duration::from_millis(2);

/// A pause is this fraction of the time since the last event.
const PART: u32 = 8;

/// Messages that are shorter are combined.
const SHORT: usize = 32 << 10;

/// The most bytes of combined messages.
const PACKET: usize = 256 << 10;

/// The number of buffers kept for received messages.
const BUFFERS: usize = 64;

/// Bytes that are taken from the queue at a time, or a few more.
const TAKEN: usize = 1 << 20;

/// No more messages are sent while this many bytes are in flight.
const UNDER_WAY: usize = 2 << 20;

/// The number of MPI messages whose memory is freed at a time.
const SLOTS: usize = 32;

/// The tags of a single message, and of combined messages with their lengths.
const ONE: Tag = 0;
const SOME: Tag = 1;

/// The reason why MPI cannot be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum MpiError {
    /// MPI could not be set up.
    #[error("MPI cannot be set up: is the program started by mpirun or srun?")]
    None,
    /// The library does not let several threads call it.
    #[error("this MPI does not let several threads call it (MPI_THREAD_MULTIPLE)")]
    Threads,
    /// The thread that sends messages cannot be started.
    #[error("cannot start a thread: {0}")]
    NoThread(String),
}

/// This process, as a rank of its MPI job.
pub struct Mpi {
    rank: usize,
    ranks: usize,
    world: SimpleCommunicator,
    /// Received messages that were combined with others.
    received: VecDeque<(usize, Bytes)>,
    /// Memory for received messages.
    buffers: Buffers,
    wakeup: Arc<Wakeup>,
    /// When a poll last succeeded, or a thread last woke this one.
    last_event: Instant,
    to_send: Arc<SendQueue>,
    sender: JoinHandle<()>,
    /// Ends MPI when it is dropped: only after all messages have been accepted, or it could wait
    /// for ever.
    universe: ManuallyDrop<Universe>,
}

impl Mpi {
    /// Joins the job. Once in a process.
    ///
    /// # Errors
    /// [`MpiError`].
    ///
    /// # Panics
    /// If MPI does not count ranks from 0 on.
    pub fn join() -> Result<Self, MpiError> {
        let wanted = Threading::Multiple;
        let (universe, level) = mpi::initialize_with_threading(wanted).ok_or(MpiError::None)?;
        if level < wanted {
            return Err(MpiError::Threads);
        }
        let world = universe.world();
        let [rank, ranks] = [world.rank(), world.size()]
            .map(|number| usize::try_from(number).expect("MPI counts from 0"));
        let to_send = Arc::new(SendQueue::default());
        let send = {
            let to_send = to_send.clone();
            move || to_send.send_all()
        };
        let sender = thread::Builder::new()
            .spawn(send)
            .map_err(|problem| MpiError::NoThread(problem.to_string()))?;
        Ok(Self {
            rank,
            ranks,
            world,
            received: VecDeque::new(),
            buffers: Buffers::new(PACKET, BUFFERS),
            wakeup: Arc::default(),
            last_event: Instant::now(),
            to_send,
            sender,
            universe: ManuallyDrop::new(universe),
        })
    }
}

impl Mpi {
    /// Receives a message that a poll has found.
    fn take(&mut self, (message, status): (Message, Status)) {
        let from = usize::try_from(status.source_rank()).expect("MPI counts from 0");
        let bytes = usize::try_from(status.count(u8::equivalent_datatype()));
        let bytes = bytes.expect("no message of MPI is as long");
        let mut received = match bytes {
            0..SHORT => vec![0; bytes].into(),
            _ => self.buffers.filled(bytes),
        };
        message.matched_receive_into(received.as_mut_slice());
        let received = received.into();
        if status.tag() == ONE {
            self.received.push_back((from, received));
        } else {
            self.received.extend(apart(received).map(|message| (from, message)));
        }
    }
}

impl Transport for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn send(&mut self, to: usize, urgency: u64, message: Buffer) {
        self.to_send.put(to, urgency, message);
    }

    fn receive(&mut self, wait: Duration, eagerness: Eagerness) -> Option<(usize, Bytes)> {
        let until = Instant::now() + wait;
        self.to_send.flush(eagerness);
        loop {
            if let Some(next) = self.received.pop_front() {
                return Some(next);
            }
            if self.wakeup.take() {
                self.last_event = Instant::now();
                return None;
            }
            if let Some(found) = self.world.any_process().immediate_matched_probe() {
                self.take(found);
                self.last_event = Instant::now();
                continue;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            let pause = match eagerness {
                Eagerness::Often => pause(self.last_event, OFTEN),
                Eagerness::Rarely => RARELY,
            };
            self.wakeup.wait(pause.min(left));
        }
    }

    fn waker(&self) -> Waker {
        let wakeup = self.wakeup.clone();
        Arc::new(move || wakeup.wake())
    }

    fn under_way(&self) -> Option<(usize, Duration)> {
        let (to, since) = self.to_send.queue().sending?;
        Some((to, since.elapsed()))
    }

    fn to_be_sent(&self) -> u64 {
        self.to_send.queue().bytes
    }

    fn close(self) {
        self.to_send.queue().closed = true;
        self.to_send.changed.notify_all();
        self.sender.join().expect("the thread that sends does not panic");
        drop(ManuallyDrop::into_inner(self.universe));
    }
}

/// The pause before the next poll: a fraction of the time since the last event, so that the delay
/// of the next event is proportional to that time.
fn pause(last_event: Instant, least: Duration) -> Duration {
    (last_event.elapsed() / PART).clamp(least, LONGEST_PAUSE)
}

/// Wakes the thread that receives.
#[derive(Default)]
struct Wakeup {
    state: Mutex<WakeupState>,
    woken: Condvar,
}

#[derive(Default)]
struct WakeupState {
    is_due: bool,
    /// The thread sleeps so long that it must be woken; otherwise it soon polls.
    is_waited_for: bool,
}

impl Wakeup {
    fn state(&self) -> MutexGuard<'_, WakeupState> {
        self.state.lock().expect("nobody panics while holding it")
    }

    fn wake(&self) {
        let mut state = self.state();
        state.is_due = true;
        let is_waited_for = state.is_waited_for;
        // The woken thread finds it unlocked.
        drop(state);
        if is_waited_for {
            self.woken.notify_all();
        }
    }

    /// Whether [`Self::wake`] has been called since the last time.
    fn take(&self) -> bool {
        std::mem::take(&mut self.state().is_due)
    }

    /// Waits for a pause, or until it is woken if the pause is long.
    fn wait(&self, pause: Duration) {
        if pause < 2 * OFTEN {
            thread::sleep(pause);
            return;
        }
        let mut state = self.state();
        if !state.is_due {
            state.is_waited_for = true;
            let waited = self.woken.wait_timeout(state, pause);
            waited.expect("nobody panics while holding it").0.is_waited_for = false;
        }
    }
}

/// The queue of messages to send.
#[derive(Default)]
struct SendQueue {
    queue: Mutex<SendQueueState>,
    changed: Condvar,
}

#[derive(Default)]
struct SendQueueState {
    /// Messages with their receivers, by urgency and by the number of messages before them.
    waiting: BTreeMap<(u64, u64), (usize, Buffer)>,
    /// Their size.
    bytes: u64,
    /// The number of messages so far.
    count: u64,
    /// The numbers of messages that have been taken.
    numbers: Numbers,
    /// There are new messages since the other thread was woken.
    is_new: bool,
    /// The receiver of the oldest message in flight, and since when.
    sending: Option<(usize, Instant)>,
    /// How often to poll for sent messages.
    eagerness: Eagerness,
    closed: bool,
}

impl SendQueue {
    fn queue(&self) -> MutexGuard<'_, SendQueueState> {
        self.queue.lock().expect("nobody panics while holding it")
    }

    fn put(&self, to: usize, urgency: u64, message: Buffer) {
        let mut queue = self.queue();
        let count = queue.count;
        queue.count += 1;
        queue.bytes += message.len() as u64;
        queue.waiting.insert((urgency, count), (to, message));
        queue.is_new = true;
    }

    /// Wakes the sending thread for all new messages at once: to wake it for each message would
    /// take longer than to send the message. Sets how often it polls.
    fn flush(&self, eagerness: Eagerness) {
        let mut queue = self.queue();
        queue.eagerness = eagerness;
        let is_new = std::mem::take(&mut queue.is_new);
        // The woken thread finds it unlocked.
        drop(queue);
        if is_new {
            self.changed.notify_all();
        }
    }

    /// Waits until there is a message to send. `false` if there will be no more.
    fn wait(&self) -> bool {
        let wait = |queue: &mut SendQueueState| queue.waiting.is_empty() && !queue.closed;
        let queue = self.changed.wait_while(self.queue(), wait);
        !queue.expect("nobody panics while holding it").waiting.is_empty()
    }

    /// The next messages for each rank, most urgent first. They are numbered in this order, and the
    /// only sending thread keeps it.
    fn take(&self) -> BTreeMap<usize, Vec<Buffer>> {
        let mut queue = self.queue();
        let (mut taken, mut bytes) = (BTreeMap::<_, Vec<_>>::new(), 0);
        while bytes < TAKEN
            && let Some((_, (to, mut message))) = queue.waiting.pop_first()
        {
            bytes += message.len();
            queue.bytes -= message.len() as u64;
            queue.numbers.put(to, &mut message);
            taken.entry(to).or_default().push(message);
        }
        taken
    }

    /// Sends messages until the queue is closed and empty.
    fn send_all(&self) {
        let world = SimpleCommunicator::world();
        let (mut packets, buffers) = (VecDeque::new(), Buffers::new(PACKET, SLOTS));
        while !packets.is_empty() || self.wait() {
            let slots: [OnceCell<Packet>; SLOTS] = Default::default();
            scope(|scope| self.send_some(&world, &mut packets, &buffers, scope, &slots));
        }
    }

    /// Sends packets, and new messages that arrive meanwhile, as many as there are slots. Waits
    /// until all of them have been accepted.
    fn send_some<'a>(
        &self,
        world: &SimpleCommunicator,
        packets: &mut VecDeque<Packet>,
        buffers: &Buffers,
        scope: &LocalScope<'a>,
        slots: &'a [OnceCell<Packet>],
    ) {
        let mut free = slots.iter();
        let mut under_way: Vec<UnderWay<'a, '_>> = Vec::new();
        let mut last_event = Instant::now();
        loop {
            let has_room = |under_way: &[UnderWay]| {
                under_way.iter().map(|sent| sent.packet.bytes.len()).sum::<usize>() < UNDER_WAY
            };
            if packets.is_empty() && has_room(&under_way) {
                let taken = self.take().into_iter();
                packets.extend(taken.flat_map(|(to, messages)| packed(to, messages, buffers)));
            }
            while !packets.is_empty()
                && let Some(slot) = free.next()
            {
                let packet = packets.pop_front().expect("there is one");
                let packet = slot.get_or_init(|| packet);
                let rank = i32::try_from(packet.to).expect("MPI has given this rank");
                let (bytes, process) = (packet.bytes.as_slice(), world.process_at_rank(rank));
                let request = process.immediate_send_with_tag(scope, bytes, packet.tag);
                under_way.push(UnderWay { packet, since: Instant::now(), request });
                last_event = Instant::now();
            }
            under_way = under_way.into_iter().filter_map(UnderWay::left).collect();
            let has_slots = !free.as_slice().is_empty();
            let mut queue = self.queue();
            queue.sending = under_way.first().map(|sent| (sent.packet.to, sent.since));
            if under_way.is_empty() && (queue.waiting.is_empty() || !has_slots) {
                return;
            }
            let least = match queue.eagerness {
                Eagerness::Often => OFTEN,
                Eagerness::Rarely => SENDING,
            };
            let pause = pause(last_event, least);
            if has_slots && has_room(&under_way) {
                if queue.waiting.is_empty() {
                    let waited = self.changed.wait_timeout(queue, pause);
                    drop(waited.expect("nobody panics while holding it"));
                }
            } else {
                drop(queue);
                thread::sleep(pause);
            }
        }
    }
}

/// A message of MPI.
#[derive(Debug)]
struct Packet {
    to: usize,
    tag: Tag,
    bytes: Buffer,
}

/// A packet that is being sent.
struct UnderWay<'a, 's> {
    packet: &'a Packet,
    since: Instant,
    request: Request<'a, [u8], &'s LocalScope<'a>>,
}

impl UnderWay<'_, '_> {
    /// The packet, unless it has been accepted.
    fn left(self) -> Option<Self> {
        let Self { packet, since, request } = self;
        request.test().err().map(|request| Self { packet, since, request })
    }
}

/// Packs messages to a rank: long ones alone, others combined, each after its length.
fn packed(to: usize, messages: Vec<Buffer>, buffers: &Buffers) -> Vec<Packet> {
    let mut packets: Vec<Packet> = Vec::new();
    for message in messages {
        if message.len() >= SHORT {
            packets.push(Packet { to, tag: ONE, bytes: message });
            continue;
        }
        let bytes = size_of::<u64>() + message.len();
        let has_room = |last: &Packet| last.tag == SOME && last.bytes.len() + bytes <= PACKET;
        if !packets.last().is_some_and(has_room) {
            packets.push(Packet { to, tag: SOME, bytes: buffers.empty() });
        }
        let some = &mut packets.last_mut().expect("there is one").bytes;
        some.extend_from_slice(&(message.len() as u64).to_le_bytes());
        some.extend_from_slice(&message);
    }
    packets
}

/// The messages of a combined one.
fn apart(mut together: Bytes) -> impl Iterator<Item = Bytes> {
    std::iter::from_fn(move || {
        let length = u64::from_le_bytes(*together.first_chunk()?);
        together.advance(size_of::<u64>());
        let length = usize::try_from(length).ok().filter(|&length| length <= together.len())?;
        Some(together.split_to(length))
    })
}
