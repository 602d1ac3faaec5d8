//! Ranks as threads of one process.

use cluster::transport::{Eagerness, Transport, Waker};
use std::{
    sync::{
        Arc,
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
}

/// This number of ranks, in their order.
pub fn channels(ranks: usize) -> Vec<Channels> {
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..ranks).map(|_| channel()).unzip();
    let of = |(rank, receiver)| Channels { rank, senders: senders.clone(), receiver };
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
