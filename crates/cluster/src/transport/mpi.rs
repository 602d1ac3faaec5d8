//! Ranks that are processes of an MPI job.
//!
//! MPI has no way to give up a message that is being sent. So a thread of its own sends, the most
//! urgent messages first; and who waits for it can see for how long it has been at some. It puts
//! what goes to the same rank together, since a message of MPI takes its time however short it is.
//! MPI would keep a processor busy while it waits: both threads look, and sleep in between.

use super::messages::Transport;
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
const LOOKS: (Duration, Duration) = (Duration::from_micros(5), Duration::from_micros(100));

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
    come: VecDeque<(usize, Vec<u8>)>,
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
        let (come, universe) = (VecDeque::new(), ManuallyDrop::new(universe));
        Ok(Self { rank, ranks, world, come, outbox, sender, universe })
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

    fn receive(&mut self, wait: Duration) -> Option<(usize, Vec<u8>)> {
        let until = Instant::now() + wait;
        let (mut pause, longest) = LOOKS;
        loop {
            if let Some(next) = self.come.pop_front() {
                return Some(next);
            }
            if let Some(found) = self.world.any_process().immediate_matched_probe() {
                let (together, status) = found.matched_receive_vec::<u8>();
                let from = usize::try_from(status.source_rank()).expect("MPI counts from 0");
                self.come.extend(apart(&together).map(|message| (from, message.to_vec())));
                continue;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            thread::sleep(pause.min(left));
            pause = (2 * pause).min(longest);
        }
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
        let (mut taken, mut bytes) = (BTreeMap::<_, Vec<u8>>::new(), 0);
        while bytes < TOGETHER
            && let Some(Reverse((_, _, to, message))) = queue.waiting.pop()
        {
            bytes += message.len();
            queue.bytes -= message.len() as u64;
            let together = taken.entry(to).or_default();
            together.extend((message.len() as u64).to_le_bytes());
            together.extend(message);
        }
        Some(taken)
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
                let (mut pause, longest) = LOOKS;
                loop {
                    let left = requests.into_iter().filter_map(|(to, request)| {
                        request.test().err().map(|request| (to, request))
                    });
                    requests = left.collect();
                    let Some((to, _)) = requests.first() else { break };
                    self.queue().sending = Some((*to, begun));
                    thread::sleep(pause);
                    pause = (2 * pause).min(longest);
                }
            });
        }
    }
}

/// The messages that were sent together.
fn apart(mut together: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (length, rest) = together.split_first_chunk()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (message, rest) = rest.split_at_checked(length)?;
        together = rest;
        Some(message)
    })
}
