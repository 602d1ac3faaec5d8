//! Ranks as processes of an MPI job.
//!
//! MPI cannot withdraw a message that is being sent. So a thread of its own sends, and records
//! since when a message has been in flight. Waiting in MPI would keep a processor busy, so both
//! threads poll, and sleep in between.
//!
//! MPI keeps the order of messages from one process to another that match the same receive (V12 of
//! proofs/sweep.md). So there is one communicator, one thread sends, and one receives the next
//! message.

use super::{Eagerness, Transport, Waker};
use mpi::Threading;
use mpi::environment::Universe;
use mpi::request::scope;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Equivalence, Source};
use std::collections::VecDeque;
use std::io;
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The shortest time between two polls, if a worker waits for a message.
const OFTEN: Duration = Duration::from_micros(50);

/// The time between two polls if all workers are busy, as a poll can interrupt one of them. A
/// worker that will soon wait wakes the polling thread.
const RARELY: Duration = Duration::from_millis(5);

/// The longest time between two polls, if a worker waits.
const LONGEST_PAUSE: Duration = Duration::from_millis(2);

/// A pause is this fraction of the time since the last event.
const PART: u32 = 8;

/// No more messages are in flight than this, and no more bytes, unless one message has more.
const MESSAGES: usize = 32;
const BYTES: usize = 2 << 20;

/// This process, as a rank of its MPI job.
pub struct Mpi {
    rank: usize,
    ranks: usize,
    world: SimpleCommunicator,
    /// A thread has woken this one, which receives.
    is_woken: Arc<AtomicBool>,
    /// When a poll last succeeded, or a thread last woke this one.
    last_event: Instant,
    /// The channel to the thread that sends, and that thread; until the end.
    sender: Option<(Sender<Addressed>, JoinHandle<()>)>,
    oldest: Oldest,
    /// Ends MPI when it is dropped: only after all messages have been accepted, or it could wait
    /// for ever.
    universe: ManuallyDrop<Option<Universe>>,
}

impl Mpi {
    /// Joins the job. Once in a process.
    ///
    /// # Errors
    /// MPI cannot be set up, or its library does not let several threads call it.
    ///
    /// # Panics
    /// If MPI does not count ranks from 0 on.
    pub fn join() -> io::Result<Self> {
        let wanted = Threading::Multiple;
        let Some((universe, level)) = mpi::initialize_with_threading(wanted) else {
            let problem = "MPI cannot be set up: is the program started by mpirun or srun?";
            return Err(io::Error::other(problem));
        };
        if level < wanted {
            let problem = "this MPI does not let several threads call it (MPI_THREAD_MULTIPLE)";
            return Err(io::Error::other(problem));
        }
        let world = universe.world();
        let [rank, ranks] = [world.rank(), world.size()]
            .map(|number| usize::try_from(number).expect("MPI counts from 0"));
        let (to_send, messages) = channel();
        let oldest = Oldest::default();
        let sending = Sending { messages, oldest: oldest.clone() };
        let sender = thread::Builder::new().spawn(move || sending.send_all())?;
        Ok(Self {
            rank,
            ranks,
            world,
            is_woken: Arc::default(),
            last_event: Instant::now(),
            sender: Some((to_send, sender)),
            oldest,
            universe: ManuallyDrop::new(Some(universe)),
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

    fn send(&mut self, to: usize, message: Vec<u8>) {
        if let Some((to_send, _)) = &self.sender {
            // The thread ends only after this end of the channel.
            let _ = to_send.send((to, message));
        }
    }

    fn receive(&mut self, wait: Duration, eagerness: Eagerness) -> Option<(usize, Vec<u8>)> {
        let until = Instant::now() + wait;
        loop {
            if self.is_woken.swap(false, Ordering::Acquire) {
                self.last_event = Instant::now();
                return None;
            }
            if let Some((message, status)) = self.world.any_process().immediate_matched_probe() {
                self.last_event = Instant::now();
                let from = usize::try_from(status.source_rank()).expect("MPI counts from 0");
                let bytes = usize::try_from(status.count(u8::equivalent_datatype()));
                let mut received = vec![0; bytes.expect("no message of MPI is as long")];
                message.matched_receive_into(received.as_mut_slice());
                return Some((from, received));
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            let pause = match eagerness {
                Eagerness::Often => pause(self.last_event),
                Eagerness::Rarely => RARELY,
            };
            thread::park_timeout(pause.min(left));
        }
    }

    fn waker(&self) -> Waker {
        let (is_woken, this) = (self.is_woken.clone(), thread::current());
        Arc::new(move || {
            is_woken.store(true, Ordering::Release);
            this.unpark();
        })
    }

    fn under_way(&self) -> Option<(usize, Duration)> {
        lock(&self.oldest).map(|(to, since)| (to, since.elapsed()))
    }

    fn close(&mut self) {
        if let Some((to_send, sender)) = self.sender.take() {
            drop(to_send);
            sender.join().expect("the thread that sends does not panic");
        }
        drop(self.universe.take());
    }
}

/// The pause before the next poll: a fraction of the time since the last event, so that the delay
/// of the next event is proportional to that time.
fn pause(last_event: Instant) -> Duration {
    (last_event.elapsed() / PART).clamp(OFTEN, LONGEST_PAUSE)
}

/// A thread that sends messages.
struct Sending {
    messages: Receiver<Addressed>,
    /// The receiver of the oldest message in flight, and since when.
    oldest: Oldest,
}

/// A message with its receiver.
type Addressed = (usize, Vec<u8>);

type Oldest = Arc<Mutex<Option<(usize, Instant)>>>;

fn lock(oldest: &Oldest) -> MutexGuard<'_, Option<(usize, Instant)>> {
    oldest.lock().expect("nobody panics while holding it")
}

impl Sending {
    /// Waits for the next messages. There are none only if there will be no more.
    fn take(&self) -> Vec<Addressed> {
        let mut taken: Vec<_> = self.messages.recv().ok().into_iter().collect();
        let mut bytes = taken.iter().map(|(_, message)| message.len()).sum::<usize>();
        while (1..MESSAGES).contains(&taken.len())
            && bytes < BYTES
            && let Ok((to, message)) = self.messages.try_recv()
        {
            bytes += message.len();
            taken.push((to, message));
        }
        taken
    }

    /// Sends messages until the channel is closed and empty.
    fn send_all(&self) {
        let world = SimpleCommunicator::world();
        loop {
            let messages = self.take();
            if messages.is_empty() {
                return;
            }
            let begun = Instant::now();
            scope(|scope| {
                let mut under_way = VecDeque::new();
                for (to, message) in &messages {
                    let rank = i32::try_from(*to).expect("MPI has given this rank");
                    let process = world.process_at_rank(rank);
                    under_way.push_back((*to, process.immediate_send(scope, message.as_slice())));
                }
                while !under_way.is_empty() {
                    let left = under_way.into_iter().filter_map(|(to, request)| {
                        request.test().err().map(|request| (to, request))
                    });
                    under_way = left.collect();
                    *lock(&self.oldest) = under_way.front().map(|(to, _)| (*to, begun));
                    if !under_way.is_empty() {
                        thread::sleep(pause(begun));
                    }
                }
            });
        }
    }
}
