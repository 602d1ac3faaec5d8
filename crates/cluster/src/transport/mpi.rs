//! Ranks that are processes of an MPI job.
//!
//! MPI has no way to give up a message that is being sent. So a thread of its own sends, the most
//! urgent messages first; and who waits for it can see for how long it has been at some. It puts
//! what goes to the same rank together, since a message of MPI takes its time however short it is.
//! MPI would keep a processor busy while it waits: both threads look, and sleep in between.

use super::messages::Transport;
use bytes::{Buf, Bytes};
use mpi::{
    Threading,
    environment::Universe,
    point_to_point::MatchedReceiveVec,
    request::scope,
    topology::SimpleCommunicator,
    traits::{Communicator, Destination, Source},
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap, VecDeque},
    mem::ManuallyDrop,
    sync::{Arc, Condvar, Mutex, MutexGuard},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};
use thiserror::Error;

/// Between two looks for a message, at least and at most.
const PAUSES: (Duration, Duration) = (Duration::from_micros(50), Duration::from_millis(2));

/// A pause is this part of the time in which nothing has happened.
const PART: u32 = 8;

/// As many bytes are sent together, or a few more.
const TOGETHER: usize = 1 << 20;

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
    bell: Arc<Bell>,
    pauses: Pauses,
    outbox: Arc<Outbox>,
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
        let outbox = Arc::new(Outbox::default());
        let send = {
            let outbox = outbox.clone();
            move || outbox.send_all()
        };
        let sender = thread::Builder::new()
            .spawn(send)
            .map_err(|problem| MpiError::NoThread(problem.to_string()))?;
        Ok(Self {
            rank,
            ranks,
            world,
            come: VecDeque::new(),
            bell: Arc::new(Bell::default()),
            pauses: Pauses::new(),
            outbox,
            sender,
            universe: ManuallyDrop::new(universe),
        })
    }
}

impl Transport for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn send(&mut self, to: usize, urgency: u64, message: Vec<u8>) {
        self.outbox.put(to, urgency, message);
    }

    fn receive(&mut self, wait: Duration) -> Option<(usize, Bytes)> {
        let until = Instant::now() + wait;
        loop {
            if let Some(next) = self.come.pop_front() {
                return Some(next);
            }
            if self.bell.take() {
                self.pauses.restart();
                return None;
            }
            if let Some(found) = self.world.any_process().immediate_matched_probe() {
                let (together, status) = found.matched_receive_vec::<u8>();
                let from = usize::try_from(status.source_rank()).expect("MPI counts from 0");
                self.come.extend(apart(together.into()).map(|message| (from, message)));
                self.pauses.restart();
                continue;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            self.bell.wait(self.pauses.next().min(left));
        }
    }

    fn waker(&self) -> Arc<dyn Fn() + Send + Sync> {
        let bell = self.bell.clone();
        Arc::new(move || bell.ring())
    }

    fn under_way(&self) -> Option<(usize, Duration)> {
        let (to, since) = self.outbox.queue().sending?;
        Some((to, since.elapsed()))
    }

    fn to_be_sent(&self) -> u64 {
        self.outbox.queue().bytes
    }

    fn close(self) {
        self.outbox.queue().closed = true;
        self.outbox.changed.notify_all();
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

    fn next(&self) -> Duration {
        let (least, most) = PAUSES;
        (self.since.elapsed() / PART).clamp(least, most)
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
        if state.is_waited_for {
            self.rung.notify_all();
        }
    }

    /// Whether it has been rung since.
    fn take(&self) -> bool {
        std::mem::take(&mut self.state().is_rung)
    }

    /// Waits so long. If that is long, no longer than until it is rung.
    fn wait(&self, pause: Duration) {
        if pause < 2 * PAUSES.0 {
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
struct Outbox {
    queue: Mutex<Queue>,
    changed: Condvar,
}

/// A message, by its urgency and how many there were before it; and the rank that it is for.
type Waiting = (u64, u64, usize, Vec<u8>);

#[derive(Default)]
struct Queue {
    waiting: BinaryHeap<Reverse<Waiting>>,
    /// How long they are, all together.
    bytes: u64,
    /// How many there have been.
    count: u64,
    /// To whom messages are being sent, and since when.
    sending: Option<(usize, Instant)>,
    closed: bool,
}

impl Outbox {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().expect("nobody panics while holding it")
    }

    fn put(&self, to: usize, urgency: u64, message: Vec<u8>) {
        let mut queue = self.queue();
        let count = queue.count;
        queue.count += 1;
        queue.bytes += message.len() as u64;
        queue.waiting.push(Reverse((urgency, count, to, message)));
        self.changed.notify_all();
    }

    /// The next messages, together, for each rank; `None` when there will be no more.
    fn take(&self) -> Option<BTreeMap<usize, Vec<u8>>> {
        let mut queue = self.queue();
        queue.sending = None;
        while queue.waiting.is_empty() {
            if queue.closed {
                return None;
            }
            queue = self.changed.wait(queue).expect("nobody panics while holding it");
        }
        let (mut taken, mut bytes) = (BTreeMap::<_, Vec<Vec<u8>>>::new(), 0);
        while bytes < TOGETHER
            && let Some(Reverse((_, _, to, message))) = queue.waiting.pop()
        {
            bytes += message.len();
            queue.bytes -= message.len() as u64;
            taken.entry(to).or_default().push(message);
        }
        drop(queue);
        Some(taken.into_iter().map(|(to, messages)| (to, together(&messages))).collect())
    }

    /// Sends what there is until the outbox is closed and empty.
    fn send_all(&self) {
        let world = SimpleCommunicator::world();
        while let Some(taken) = self.take() {
            let begun = Instant::now();
            scope(|scope| {
                let request = |(to, together): (&usize, _)| {
                    let rank = i32::try_from(*to).expect("MPI has given this rank");
                    let process = world.process_at_rank(rank);
                    (*to, process.immediate_send(scope, Vec::as_slice(together)))
                };
                let mut requests: Vec<_> = taken.iter().map(request).collect();
                let pauses = Pauses::new();
                loop {
                    let left = requests.into_iter().filter_map(|(to, request)| {
                        request.test().err().map(|request| (to, request))
                    });
                    requests = left.collect();
                    let Some((to, _)) = requests.first() else { break };
                    self.queue().sending = Some((*to, begun));
                    thread::sleep(pauses.next());
                }
            });
        }
    }
}

/// Messages, each after its length.
fn together(messages: &[Vec<u8>]) -> Vec<u8> {
    let bytes = messages.iter().map(|message| size_of::<u64>() + message.len()).sum();
    let mut together = Vec::with_capacity(bytes);
    for message in messages {
        together.extend_from_slice(&(message.len() as u64).to_le_bytes());
        together.extend_from_slice(message);
    }
    together
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
