//! Ranks as threads of one process.

use cluster::transport::{Eagerness, Transport, Waker, Watched};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
    time::Duration,
};

/// A message with its sender; or `None`, to wake the receiver.
type Item = Option<(usize, Vec<u8>)>;

/// One of several ranks in a process.
#[derive(Debug)]
pub struct Channels {
    rank: usize,
    senders: Vec<Sender<Item>>,
    receiver: Receiver<Item>,
    /// The bytes of all messages of all ranks.
    bytes: Arc<AtomicU64>,
}

/// This number of ranks, in their order.
pub fn channels(ranks: usize) -> Vec<Channels> {
    counting(ranks, &Arc::default())
}

/// The same, and counts the bytes of their messages.
pub fn counting(ranks: usize, bytes: &Arc<AtomicU64>) -> Vec<Channels> {
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..ranks).map(|_| channel()).unzip();
    let of = |(rank, receiver)| {
        let (senders, bytes) = (senders.clone(), bytes.clone());
        Channels { rank, senders, receiver, bytes }
    };
    receivers.into_iter().enumerate().map(of).collect()
}

impl Transport for Channels {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.senders.len()
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        self.bytes.fetch_add(message.len() as u64, Ordering::Relaxed);
        // If the rank has ended, the others notice.
        let _ = self.senders[to].send(Some((self.rank, message)));
    }

    fn receive(&mut self, wait: Duration, _eagerness: Eagerness) -> Option<(usize, Vec<u8>)> {
        // A rank has a sender to itself, so the channel is open while it waits.
        self.receiver.recv_timeout(wait).ok().flatten()
    }

    fn waker(&self) -> Waker {
        let own = self.senders[self.rank].clone();
        Arc::new(move || {
            let _ = own.send(None);
        })
    }

    fn under_way(&self) -> Option<(usize, Duration)> {
        None
    }

    fn close(&mut self) {}
}

/// The next message, from any rank; or why there is none.
pub fn wait_for(all: &mut Watched<'_>) -> Result<(usize, Vec<u8>), driver::Error> {
    loop {
        if let Some(received) = all.receive(Duration::from_millis(10), Eagerness::Often)? {
            return Ok(received);
        }
    }
}
