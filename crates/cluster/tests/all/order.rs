//! A transport loses, repeats or swaps a message: the receiver reports it and ends.

use crate::rows::{checkpoints, task};
use cluster::{
    rows::help,
    transport::{Eagerness, Transport, Watched},
};

use crate::channels::{Channels, channels, wait_for};
use std::{
    collections::VecDeque,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};
use sweep::band::Options;

/// A fault of a message.
#[derive(Clone, Copy, Debug)]
enum Fault {
    Lost,
    Repeated,
    /// The next message arrives first.
    Swapped,
    /// Its end is lost.
    Cut,
}

/// A transport with one fault, in the message with this number from rank 0.
struct Faulty {
    transport: Channels,
    fault: Option<(u32, Fault)>,
    come: u32,
    /// The next messages.
    next: VecDeque<(usize, Vec<u8>)>,
    /// The message that follows the next one from rank 0.
    later: Option<(usize, Vec<u8>)>,
    /// Counts down messages with groups; the one at zero is sent twice.
    groups_until_twice: Option<u32>,
    /// The numbers of messages sent to each rank.
    sent: Vec<u32>,
}

impl Faulty {
    fn new(transport: Channels, fault: Option<(u32, Fault)>) -> Self {
        let (next, later) = (VecDeque::new(), None);
        let sent = vec![0; transport.ranks()];
        Self { transport, fault, come: 0, next, later, groups_until_twice: None, sent }
    }

    /// Whether this message of the engine with groups is sent twice.
    fn is_sent_twice(&mut self, message: &[u8]) -> bool {
        let has_groups = message.starts_with(&[1]) && message.ends_with(&[1]);
        let Some(left) = self.groups_until_twice.as_mut().filter(|_| has_groups) else {
            return false;
        };
        *left = left.wrapping_sub(1);
        *left == 0
    }

    /// Sends a message with the next number, so that the receiver does not notice a repeated one.
    fn send_numbered(&mut self, to: usize, mut message: Vec<u8>) {
        if self.sent[to] > 0 {
            let kind = message.len() - 1;
            message[kind - 4..kind].copy_from_slice(&self.sent[to].to_le_bytes());
        }
        self.sent[to] += 1;
        self.transport.send(to, message);
    }

    fn take(&mut self, received: (usize, Vec<u8>)) {
        if received.0 > 0 {
            self.next.push_back(received);
            return;
        }
        self.come += 1;
        let fault = self.fault.filter(|(number, _)| *number + 1 == self.come);
        match fault.map(|(_, fault)| fault) {
            Some(Fault::Lost) => {}
            Some(Fault::Repeated) => self.next.extend([received.clone(), received]),
            Some(Fault::Swapped) => self.later = Some(received),
            Some(Fault::Cut) => {
                let cut = received.1[..received.1.len() - 1].to_vec();
                self.next.push_back((0, cut));
            }
            None => {
                self.next.push_back(received);
                self.next.extend(self.later.take());
            }
        }
    }
}

impl Transport for Faulty {
    fn rank(&self) -> usize {
        self.transport.rank()
    }

    fn ranks(&self) -> usize {
        self.transport.ranks()
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        if self.is_sent_twice(&message) {
            self.send_numbered(to, message.clone());
        }
        self.send_numbered(to, message);
    }

    fn receive(&mut self, wait: Duration, eagerness: Eagerness) -> Option<(usize, Vec<u8>)> {
        if self.next.is_empty()
            && let Some(received) = self.transport.receive(wait, eagerness)
        {
            self.take(received);
        }
        self.next.pop_front()
    }

    fn waker(&self) -> Arc<dyn Fn() + Send + Sync> {
        self.transport.waker()
    }

    fn under_way(&self) -> Option<(usize, Duration)> {
        self.transport.under_way()
    }

    fn close(&mut self) {
        self.transport.close();
    }
}

const FAULTS: [Fault; 4] = [Fault::Lost, Fault::Repeated, Fault::Swapped, Fault::Cut];

const PATIENCE: Duration = Duration::from_secs(2);

fn is_of_order(error: &str) -> bool {
    error.contains(" of rank 0 arrived in place of message ") && error.contains("hypothesis V12 of")
}

/// Rank 1 receives the messages before the fault, and then the error.
#[test]
fn a_message_out_of_order_is_detected() {
    for fault in FAULTS {
        for at in [3, 4, 17, 49] {
            let [sender, receiver] = channels(2).try_into().expect("two");
            let mut sender = Watched::new(sender, PATIENCE);
            let mut receiver = Watched::new(Faulty::new(receiver, Some((at, fault))), PATIENCE);
            for i in 0..60 {
                sender.send(1, vec![i; 20]).expect("it is there");
            }
            let mut received = 0;
            let error = loop {
                match wait_for(&mut receiver) {
                    Ok((_, message)) => assert_eq!(message, [received; 20][..]),
                    Err(error) => break error,
                }
                received += 1;
            };
            assert!(is_of_order(&error.to_string()), "{fault:?} {at}: {error}");
        }
    }
}

/// The errors of three ranks that compute rows.
fn ends(transport: impl Fn(usize, Channels) -> Faulty + Sync) -> Vec<Option<String>> {
    let (_folder, checkpoints) = &checkpoints();
    thread::scope(|scope| {
        let transport = &transport;
        let rank = |(rank, channels)| {
            scope.spawn(move || {
                let ranks = Watched::new(transport(rank, channels), PATIENCE);
                let done = help(task(20_000, Options::default()), checkpoints, ranks);
                done.err().map(|error| error.to_string())
            })
        };
        let all: Vec<_> = channels(3).into_iter().enumerate().map(rank).collect();
        all.into_iter().map(|rank| rank.join().expect("no panic")).collect()
    })
}

/// The rank with the fault ends with that error, and all others end.
#[test]
fn a_message_out_of_order_ends_a_run() {
    let run = |(fault, at)| {
        let begin = Instant::now();
        let errors = ends(|rank, transport| {
            let fault = (rank == 1).then_some((at, fault));
            Faulty::new(transport, fault)
        });
        assert!(begin.elapsed() < 20 * PATIENCE, "nobody waits for ever");
        for (rank, error) in errors.into_iter().enumerate() {
            let error = error.expect("the run does not end well");
            assert_eq!(is_of_order(&error), rank == 1, "{fault:?}: {error}");
        }
    };
    // The ranks mostly wait, so three runs take no longer than one. Rank 0 sends about sixty
    // messages, some of them by the clock: the faults are in the first half.
    thread::scope(|scope| {
        for fault in [(Fault::Lost, 9), (Fault::Swapped, 20), (Fault::Repeated, 30)] {
            scope.spawn(move || run(fault));
        }
    });
}

/// Groups out of order end the run.
#[test]
fn groups_out_of_order_end_a_run() {
    for twice in [1, 2, 10] {
        let errors = ends(|rank, transport| {
            let groups_until_twice = (rank == 0).then_some(twice);
            Faulty { groups_until_twice, ..Faulty::new(transport, None) }
        });
        assert!(errors.iter().all(Option::is_some), "{twice}: {errors:?}");
        let expected = "a group is not the next one";
        assert!(errors.iter().flatten().any(|error| error.ends_with(expected)), "{errors:?}");
    }
}
