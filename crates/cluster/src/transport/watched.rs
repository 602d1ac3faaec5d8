//! A transport that notices who is missing.

use super::{LONGEST, Transport, TransportError};
use std::time::{Duration, Instant};

/// The first byte of what ranks send to each other.
const BEAT: u8 = 0;
const MESSAGE: u8 = 1;
const LEAVE: u8 = 2;

/// Signs of life go before everything else.
const AT_ONCE: u64 = 0;

/// Signs of life in the time after which a rank is missed.
const BEATS: u32 = 8;

/// A transport on which each rank gives signs of life, and every wait has an end.
///
/// A rank gives them while it sends or receives here, so it must do so more often than ranks are
/// patient. If one is silent for that long, or takes no message, the others get an error that names
/// it. They are then to end: over MPI this ends the job.
#[derive(Debug)]
pub struct Watched<T> {
    transport: T,
    patience: Duration,
    next_beat: Instant,
    peers: Vec<Peer>,
}

/// What is known of a rank.
#[derive(Clone, Copy, Debug)]
struct Peer {
    heard: Instant,
    has_left: bool,
}

impl<T: Transport> Watched<T> {
    /// Ranks are missed after so much time.
    pub fn new(transport: T, patience: Duration) -> Self {
        let now = Instant::now();
        let peers = vec![Peer { heard: now, has_left: false }; transport.ranks()];
        Self { transport, patience, next_beat: now, peers }
    }

    /// This rank.
    pub fn rank(&self) -> usize {
        self.transport.rank()
    }

    /// How many ranks there are.
    pub fn ranks(&self) -> usize {
        self.transport.ranks()
    }

    /// The other ranks.
    pub fn others(&self) -> impl Iterator<Item = usize> + use<T> {
        let this = self.rank();
        (0..self.ranks()).filter(move |&rank| rank != this)
    }

    /// Sends a message to another rank. A lower urgency goes first.
    ///
    /// # Errors
    /// [`TransportError`], if a rank is missing, or the message is too long.
    pub fn send(&mut self, to: usize, urgency: u64, message: &[u8]) -> Result<(), TransportError> {
        if message.len() >= LONGEST {
            return Err(TransportError::TooLong { bytes: message.len() });
        }
        if self.peers[to].has_left {
            return Err(TransportError::Left { rank: to });
        }
        self.watch()?;
        self.frame(to, urgency, MESSAGE, message);
        Ok(())
    }

    /// The next message, and who has sent it. Waits so long, at most: nothing, if none comes.
    ///
    /// # Errors
    /// [`TransportError`], if a rank is missing.
    pub fn receive(&mut self, wait: Duration) -> Result<Option<(usize, Vec<u8>)>, TransportError> {
        let until = Instant::now() + wait;
        loop {
            self.watch()?;
            let left = until.saturating_duration_since(Instant::now());
            let Some((from, mut bytes)) = self.transport.receive(left.min(self.between_beats()))
            else {
                if left.is_zero() {
                    return Ok(None);
                }
                continue;
            };
            self.peers[from].heard = Instant::now();
            match bytes.pop() {
                Some(MESSAGE) => return Ok(Some((from, bytes))),
                Some(BEAT) => {}
                Some(LEAVE) => self.peers[from].has_left = true,
                _ => return Err(TransportError::Garbled { rank: from }),
            }
        }
    }

    /// The next message, for which no rank may be missing and none may have left; waits as long as
    /// that is so.
    ///
    /// # Errors
    /// [`TransportError`], if a rank is missing.
    pub fn wait_for(&mut self) -> Result<(usize, Vec<u8>), TransportError> {
        loop {
            if let Some(message) = self.receive(self.between_beats())? {
                return Ok(message);
            }
            if let Some(rank) = self.others().find(|&rank| self.peers[rank].has_left) {
                return Err(TransportError::Left { rank });
            }
        }
    }

    /// Leaves: waits until all others do, too.
    ///
    /// # Errors
    /// [`TransportError`], if a rank is missing, or has sent what nobody takes.
    pub fn leave(mut self) -> Result<(), TransportError> {
        for rank in self.others() {
            self.frame(rank, u64::MAX, LEAVE, &[]);
        }
        while self.others().any(|rank| !self.peers[rank].has_left) {
            if let Some((rank, _)) = self.receive(self.between_beats())? {
                return Err(TransportError::Left { rank });
            }
        }
        self.transport.close();
        Ok(())
    }

    fn frame(&mut self, to: usize, urgency: u64, kind: u8, message: &[u8]) {
        let mut bytes = Vec::with_capacity(message.len() + 1);
        bytes.extend(message);
        bytes.push(kind);
        self.transport.send(to, urgency, bytes);
    }

    fn between_beats(&self) -> Duration {
        self.patience / BEATS
    }

    /// Gives signs of life when it is time, and looks for those of the others.
    fn watch(&mut self) -> Result<(), TransportError> {
        let now = Instant::now();
        if now >= self.next_beat {
            self.next_beat = now + self.between_beats();
            for rank in self.others() {
                if !self.peers[rank].has_left {
                    self.frame(rank, AT_ONCE, BEAT, &[]);
                }
            }
        }
        if let Some((rank, waited)) = self.transport.under_way()
            && waited > self.patience
        {
            return Err(TransportError::NotTaken { rank, waited });
        }
        for rank in self.others() {
            let Peer { heard, has_left } = self.peers[rank];
            let waited = now.saturating_duration_since(heard);
            if !has_left && waited > self.patience {
                return Err(TransportError::Silent { rank, waited });
            }
        }
        Ok(())
    }
}
