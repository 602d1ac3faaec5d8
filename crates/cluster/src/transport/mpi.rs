//! Ranks that are processes of an MPI job.
//!
//! MPI has no way to give up a message that is being sent. So a thread of its own sends, the most
//! urgent messages first; and who waits for it can see for how long it has been at some. What is
//! short and goes to the same rank is sent together, since a message of MPI takes its time however
//! short it is. MPI would keep a processor busy while it waits: both threads look, and sleep in
//! between.
//!
//! MPI keeps the order of messages from one process to another that match the same receive (V12 of
//! proofs/sweep.md). So there is one communicator, one thread sends, and one receives what comes
//! next, with any tag.

use super::{messages::Transport, numbers::Numbers};
use crate::parts::{Buffer, Buffers, Eagerness};
use bytes::{Buf, Bytes};
use mpi::{
    Tag, Threading,
    environment::Universe,
    point_to_point::{Message, Status},
    request::{LocalScope, Request, scope},
    topology::SimpleCommunicator,
    traits::{Communicator, Destination, Equivalence, Source},
};
use std::{
    cell::OnceCell,
    collections::{BTreeMap, VecDeque},
    mem::ManuallyDrop,
    sync::{Arc, Condvar, Mutex, MutexGuard},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};
use thiserror::Error;

/// Between two looks for a message, if somebody waits for it: at least.
const OFTEN: Duration = Duration::from_micros(50);

/// If all workers are at work, since a look may take a processor from one of them: who will soon
/// wait wakes the thread that looks.
const RARELY: Duration = Duration::from_millis(5);

/// Between two looks whether a message has been taken, if all workers are at work: at least.
const SENDING: Duration = Duration::from_millis(1);

/// Between two looks, at most.
const LONGEST_PAUSE: Duration = Duration::from_millis(2);

/// A pause is this part of the time in which nothing has happened.
const PART: u32 = 8;

/// Messages that are shorter are sent together.
const SHORT: usize = 32 << 10;

/// Messages that are sent together have no more bytes.
const PACKET: usize = 256 << 10;

/// Buffers that are kept for what is received.
const BUFFERS: usize = 64;

/// As many bytes are taken to be sent at a time, or a few more.
const TAKEN: usize = 1 << 20;

/// No more are sent while as many bytes are under way.
const UNDER_WAY: usize = 2 << 20;

/// Messages of MPI whose memory is given back at a time.
const SLOTS: usize = 32;

/// The tags of a message, and of some with their lengths.
const ONE: Tag = 0;
const SOME: Tag = 1;

/// Why there is no MPI.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum MpiError {
    /// MPI could not be set up.
    #[error("MPI cannot be set up: is the program started by mpirun or srun?")]
    None,
    /// The library does not let several threads call it.
    #[error("this MPI does not let several threads call it (MPI_THREAD_MULTIPLE)")]
    Threads,
    /// There is no thread to send messages.
    #[error("cannot start a thread: {0}")]
    NoThread(String),
}

/// This process, as a rank of its MPI job.
pub struct Mpi {
    rank: usize,
    ranks: usize,
    world: SimpleCommunicator,
    /// What has come together with something else.
    come: VecDeque<(usize, Bytes)>,
    /// For what is received.
    buffers: Buffers,
    bell: Arc<Bell>,
    pauses: Pauses,
    to_send: Arc<SendQueue>,
    sender: JoinHandle<()>,
    /// Ends MPI when it goes: only when all messages have been taken, or it could wait for ever.
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
            come: VecDeque::new(),
            buffers: Buffers::new(PACKET, BUFFERS),
            bell: Arc::default(),
            pauses: Pauses::new(),
            to_send,
            sender,
            universe: ManuallyDrop::new(universe),
        })
    }
}

impl Mpi {
    /// Takes what has been found.
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
            self.come.push_back((from, received));
        } else {
            self.come.extend(apart(received).map(|message| (from, message)));
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
            if let Some(next) = self.come.pop_front() {
                return Some(next);
            }
            if self.bell.take() {
                self.pauses.restart();
                return None;
            }
            if let Some(found) = self.world.any_process().immediate_matched_probe() {
                self.take(found);
                self.pauses.restart();
                continue;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            let pause = match eagerness {
                Eagerness::Often => self.pauses.next(OFTEN),
                Eagerness::Rarely => RARELY,
            };
            self.bell.wait(pause.min(left));
        }
    }

    fn waker(&self) -> Arc<dyn Fn() + Send + Sync> {
        let bell = self.bell.clone();
        Arc::new(move || bell.ring())
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

/// How long to wait between two looks for something that MPI does not tell of: a part of the time
/// since it has last happened, so that it is noticed a little late, in proportion.
struct Pauses {
    since: Instant,
}

impl Pauses {
    fn new() -> Self {
        Self { since: Instant::now() }
    }

    /// It has happened.
    fn restart(&mut self) {
        self.since = Instant::now();
    }

    fn next(&self, least: Duration) -> Duration {
        (self.since.elapsed() / PART).clamp(least, LONGEST_PAUSE)
    }
}

/// Wakes the thread that receives.
#[derive(Default)]
struct Bell {
    state: Mutex<BellState>,
    rung: Condvar,
}

#[derive(Default)]
struct BellState {
    is_rung: bool,
    /// Somebody sleeps for so long that it is to be woken; else it soon looks.
    is_waited_for: bool,
}

impl Bell {
    fn state(&self) -> MutexGuard<'_, BellState> {
        self.state.lock().expect("nobody panics while holding it")
    }

    fn ring(&self) {
        let mut state = self.state();
        state.is_rung = true;
        let is_waited_for = state.is_waited_for;
        // Who wakes finds it unlocked.
        drop(state);
        if is_waited_for {
            self.rung.notify_all();
        }
    }

    /// Whether it has been rung since.
    fn take(&self) -> bool {
        std::mem::take(&mut self.state().is_rung)
    }

    /// Waits so long. If that is long, no longer than until it is rung.
    fn wait(&self, pause: Duration) {
        if pause < 2 * OFTEN {
            thread::sleep(pause);
            return;
        }
        let mut state = self.state();
        if !state.is_rung {
            state.is_waited_for = true;
            let waited = self.rung.wait_timeout(state, pause);
            waited.expect("nobody panics while holding it").0.is_waited_for = false;
        }
    }
}

/// Messages to be sent.
#[derive(Default)]
struct SendQueue {
    queue: Mutex<SendQueueState>,
    changed: Condvar,
}

#[derive(Default)]
struct SendQueueState {
    /// The rank that each is for, by its urgency and how many there were before it.
    waiting: BTreeMap<(u64, u64), (usize, Buffer)>,
    /// How long they are, all together.
    bytes: u64,
    /// How many there have been.
    count: u64,
    /// Of those that have been taken.
    numbers: Numbers,
    /// Some have come since the other thread was woken.
    is_new: bool,
    /// To whom messages are being sent, and since when.
    sending: Option<(usize, Instant)>,
    /// How often to look whether they have been taken.
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

    /// Has what is new sent, all of it at once: to wake the other thread for each message would
    /// take more time than to send it. Says how often to look whether it has been taken.
    fn flush(&self, eagerness: Eagerness) {
        let mut queue = self.queue();
        queue.eagerness = eagerness;
        let is_new = std::mem::take(&mut queue.is_new);
        // Who wakes finds it unlocked.
        drop(queue);
        if is_new {
            self.changed.notify_all();
        }
    }

    /// Waits until there is something to send. `false` if there will be no more.
    fn wait(&self) -> bool {
        let wait = |queue: &mut SendQueueState| queue.waiting.is_empty() && !queue.closed;
        let queue = self.changed.wait_while(self.queue(), wait);
        !queue.expect("nobody panics while holding it").waiting.is_empty()
    }

    /// The next messages, most urgent first, for each rank. In this order they are numbered, and
    /// sent by the one thread that sends.
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

    /// Sends what there is until the queue is closed and empty.
    fn send_all(&self) {
        let world = SimpleCommunicator::world();
        let (mut packets, buffers) = (VecDeque::new(), Buffers::new(PACKET, SLOTS));
        while !packets.is_empty() || self.wait() {
            let slots: [OnceCell<Packet>; SLOTS] = Default::default();
            scope(|scope| self.send_some(&world, (&mut packets, &buffers), scope, &slots));
        }
    }

    /// Sends packets, and what comes meanwhile, as many as there are slots. Waits until all of them
    /// have been taken.
    fn send_some<'a>(
        &self,
        world: &SimpleCommunicator,
        (packets, buffers): (&mut VecDeque<Packet>, &Buffers),
        scope: &LocalScope<'a>,
        slots: &'a [OnceCell<Packet>],
    ) {
        let mut free = slots.iter();
        let mut under_way: Vec<UnderWay<'a, '_>> = Vec::new();
        let mut pauses = Pauses::new();
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
                pauses.restart();
            }
            under_way = under_way.into_iter().filter_map(UnderWay::left).collect();
            let has_slots = !free.as_slice().is_empty();
            let mut queue = self.queue();
            queue.sending = under_way.first().map(|sent| (sent.packet.to, sent.since));
            if under_way.is_empty() && (queue.waiting.is_empty() || !has_slots) {
                return;
            }
            let pause = pauses.next(match queue.eagerness {
                Eagerness::Often => OFTEN,
                Eagerness::Rarely => SENDING,
            });
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
    /// It, unless it has been taken.
    fn left(self) -> Option<Self> {
        let Self { packet, since, request } = self;
        request.test().err().map(|request| Self { packet, since, request })
    }
}

/// Messages to a rank: those that are long as they are, and others together, each after its length.
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

/// The messages that were sent together.
fn apart(mut together: Bytes) -> impl Iterator<Item = Bytes> {
    std::iter::from_fn(move || {
        let length = u64::from_le_bytes(*together.first_chunk()?);
        together.advance(size_of::<u64>());
        let length = usize::try_from(length).ok().filter(|&length| length <= together.len())?;
        Some(together.split_to(length))
    })
}
