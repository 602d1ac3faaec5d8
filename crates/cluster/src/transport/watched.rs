//! A transport that detects missing ranks, and ranks of another build.
//!
//! **The first message** from a rank to another one has a form that never changes, so that any two
//! builds can read it: a text in UTF-8, and two bytes that are 1. The text is one line of at most
//! 200 bytes. It begins with `wire format `, and names the format, the version and the commit. Two
//! ranks have the same build if their texts are equal.
//!
//! A rank of another build reads only the last byte of the following messages: 0 is a sign of life,
//! and 2 means that the rank leaves.
//!
//! Builds from before this form begin with another message. They interpret this one as options of a
//! rank, which differ from theirs, and report that.

use super::{Eagerness, LONGEST, Transport, Waker};
use driver::{Error, ErrorKind};
use std::collections::VecDeque;
use std::fmt::Display;
use std::time::{Duration, Instant};
use terminal::VERSION;

/// The last byte of messages after the first one. Those of a sign of life and of a rank
/// that leaves never change, so that ranks of different builds can leave together.
const BEAT: u8 = 0;
const MESSAGE: u8 = 1;
const LEAVE: u8 = 2;

/// The number of signs of life in the time after which a rank counts as missing.
const BEATS: u32 = 8;

/// Hypothesis V12 of proofs/sweep.md. `Watched::hear` checks it.
const V12: &str = "messages from one process to another arrive complete, once each, and in the order in which \
     they were sent";

/// A transport on which each rank sends signs of life, so that every wait ends.
///
/// A rank sends them while it sends or receives here, so it must do so more often than the patience
/// of the others. If a rank is silent for that time, or accepts no message, the others get an error
/// that names it. They must then exit; over MPI this ends the job.
///
/// Before anything else ranks exchange their builds ([`meet`](Self::meet)).
pub struct Watched<'a> {
    transport: Box<dyn Transport + 'a>,
    patience: Duration,
    next_beat: Instant,
    /// When this rank has last checked the others.
    looked: Instant,
    /// Silence before this time does not count.
    awake: Instant,
    peers: Vec<Peer>,
    /// Messages that arrived too early, and will be received.
    early: VecDeque<(usize, Vec<u8>)>,
}

/// The state of a rank.
#[derive(Clone, Debug)]
struct Peer {
    /// Its build, after its first message.
    build: Option<String>,
    /// The numbers of the last messages to it and from it. The first ones have the number 0, which
    /// is not sent, as their form never changes; 1 follows 2^32 - 1.
    sent: u32,
    number: u32,
    heard: Instant,
    has_left: bool,
    /// Since when a message for it exists, although it has left.
    missed: Option<Instant>,
}

/// The error of a rank that is missing, or of its messages.
fn lost(words: impl Display) -> Error {
    Error::of(ErrorKind::Incomplete, words)
}

fn silent(rank: usize, does: &str, waited: Duration) -> Error {
    let seconds = waited.as_secs();
    lost(format!(
        "rank {rank} has {does} for {seconds} s: its program, its machine or the network has failed"
    ))
}

fn garbled(rank: usize) -> Error {
    lost(format!("rank {rank} has sent an invalid message: do all ranks run the same program?"))
}

fn has_left(rank: usize) -> Error {
    lost(format!("rank {rank} has left, and is still needed"))
}

impl<'a> Watched<'a> {
    /// Ranks that are silent for `patience` count as missing. Sends this build to the others.
    pub fn new(transport: impl Transport + 'a, patience: Duration) -> Self {
        let transport = Box::new(transport);
        let (now, early) = (Instant::now(), VecDeque::new());
        let peer =
            Peer { build: None, sent: 0, number: 0, heard: now, has_left: false, missed: None };
        let mut peers = vec![peer; transport.ranks()];
        peers[transport.rank()].build = Some(this_build());
        let mut ranks =
            Self { transport, patience, next_beat: now, looked: now, awake: now, peers, early };
        for to in ranks.others() {
            ranks.transport.send(to, first_message());
        }
        ranks
    }

    /// Waits until all ranks have sent their builds. If one has another build than rank 0, all
    /// leave, and all get the error that names it.
    ///
    /// # Errors
    /// A rank is of another build ([`ErrorKind::Usage`]) or missing ([`ErrorKind::Incomplete`]).
    pub fn meet(&mut self) -> Result<(), Error> {
        while self.peers.iter().any(|peer| peer.build.is_none()) {
            let received = self.hear(self.between_beats(), Eagerness::Often)?;
            self.early.extend(received);
        }
        let different = self.peers.iter().position(|peer| peer.build != self.peers[0].build);
        let Some(rank) = different else { return Ok(()) };
        let error = self.different(rank);
        if self.leave_within(self.patience) {
            self.close();
        }
        Err(error)
    }

    /// This rank.
    pub fn rank(&self) -> usize {
        self.transport.rank()
    }

    /// The number of ranks.
    pub fn ranks(&self) -> usize {
        self.transport.ranks()
    }

    /// The other ranks.
    pub fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let this = self.rank();
        (0..self.ranks()).filter(move |&rank| rank != this)
    }

    /// Sends a message to another rank.
    ///
    /// A rank that has left does not get it. It can have learnt earlier than this rank that it is
    /// no longer needed; so it counts as missing only if this rank has not ended after its
    /// patience.
    ///
    /// # Errors
    /// A rank is missing, or the message is too long.
    pub fn send(&mut self, to: usize, message: Vec<u8>) -> Result<(), Error> {
        let bytes = message.len();
        if bytes >= LONGEST {
            return Err(lost(format!(
                "a message has {bytes} bytes, and at most {LONGEST} can be sent"
            )));
        }
        self.watch()?;
        if self.peers[to].has_left {
            self.peers[to].missed.get_or_insert_with(Instant::now);
        } else {
            self.frame(to, MESSAGE, message);
        }
        Ok(())
    }

    /// The next message, with its sender. Waits for `wait` at most, or until it is woken or gets a
    /// sign of life; `None` if no message arrives.
    ///
    /// # Errors
    /// A rank is missing.
    pub fn receive(
        &mut self,
        wait: Duration,
        eagerness: Eagerness,
    ) -> Result<Option<(usize, Vec<u8>)>, Error> {
        let early = self.early.pop_front();
        early.map_or_else(
            || self.hear(wait.min(self.between_beats()), eagerness),
            |early| Ok(Some(early)),
        )
    }

    /// Lets messages that came too early be received again, before all others.
    pub fn give_back(&mut self, early: Vec<(usize, Vec<u8>)>) {
        early.into_iter().rev().for_each(|message| self.early.push_front(message));
    }

    /// Makes [`receive`](Self::receive) return soon, from any thread.
    pub fn waker(&self) -> Waker {
        self.transport.waker()
    }

    /// Leaves, and waits until all others have left. Drops messages that still arrive.
    ///
    /// # Errors
    /// A rank is missing.
    pub fn leave(&mut self) -> Result<(), Error> {
        self.leave_until(None)?;
        self.close();
        Ok(())
    }

    /// As [`leave`](Self::leave), but waits no longer than `limit`, and stays open: see
    /// [`close`](Self::close). Returns whether all have left.
    pub fn leave_within(&mut self, limit: Duration) -> bool {
        self.leave_until(Some(Instant::now() + limit)).unwrap_or(false)
    }

    fn leave_until(&mut self, until: Option<Instant>) -> Result<bool, Error> {
        for rank in self.others() {
            self.frame(rank, LEAVE, Vec::new());
        }
        while !self.others().all(|rank| self.peers[rank].has_left) {
            let wait = self.between_beats();
            let left = until.map_or(wait, |until| until.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return Ok(false);
            }
            self.hear(wait.min(left), Eagerness::Often)?;
        }
        Ok(true)
    }

    /// Closes the transport, when all ranks have left.
    pub fn close(&mut self) {
        self.transport.close();
    }

    /// Waits for the next message, for `wait` at most. `None` if there is none, or one without
    /// content; of a rank of another build, nothing else can be read. Checks V12.
    fn hear(
        &mut self,
        wait: Duration,
        eagerness: Eagerness,
    ) -> Result<Option<(usize, Vec<u8>)>, Error> {
        self.watch()?;
        let Some((from, mut bytes)) = self.transport.receive(wait, eagerness) else {
            return Ok(None);
        };
        self.peers[from].heard = Instant::now();
        if self.peers[from].build.is_none() {
            let named = named_build(&bytes);
            self.peers[from].build = Some(named.unwrap_or(OLDER).to_owned());
            if named.is_some() {
                return Ok(None);
            }
        }
        let is_other = self.peers[from].build != self.peers[self.rank()].build;
        let kind = bytes.pop();
        if !is_other {
            self.take_number(from, &mut bytes)?;
        }
        match kind {
            Some(LEAVE) => self.peers[from].has_left = true,
            Some(MESSAGE) if !is_other => return Ok(Some((from, bytes))),
            Some(BEAT) => {}
            _ if is_other => {}
            _ => return Err(garbled(from)),
        }
        Ok(None)
    }

    /// Takes the number of a message, which must be the next one.
    fn take_number(&mut self, rank: usize, message: &mut Vec<u8>) -> Result<(), Error> {
        let found = *message.last_chunk().ok_or_else(|| garbled(rank))?;
        message.truncate(message.len() - size_of_val(&found));
        let (found, expected) = (u32::from_le_bytes(found), next(self.peers[rank].number));
        if found != expected {
            return Err(lost(format!(
                "message {found} of rank {rank} arrived in place of message {expected}: hypothesis \
                 V12 of the proofs on the engines fails: {V12}; one process needs no messages"
            )));
        }
        self.peers[rank].number = found;
        Ok(())
    }

    /// The error of a rank with another build than rank 0.
    fn different(&self, rank: usize) -> Error {
        let build = |rank: usize| self.peers[rank].build.as_deref().unwrap_or(OLDER);
        Error::usage(format!(
            "rank {rank} is of another build than rank 0: it has {}, and rank 0 has {}; start the \
             same binary on all machines",
            build(rank),
            build(0)
        ))
    }

    /// Sends a message with its number and its kind.
    fn frame(&mut self, to: usize, kind: u8, mut message: Vec<u8>) {
        let number = next(self.peers[to].sent);
        self.peers[to].sent = number;
        message.extend(number.to_le_bytes());
        message.push(kind);
        self.transport.send(to, message);
    }

    fn between_beats(&self) -> Duration {
        self.patience / BEATS
    }

    /// Sends signs of life when they are due, and checks the signs of the others.
    fn watch(&mut self) -> Result<(), Error> {
        let now = Instant::now();
        // If this rank was suspended, the others can have been too, and their messages wait here.
        if now.saturating_duration_since(self.looked) > self.patience / 2 {
            self.awake = now;
        }
        self.looked = now;
        if now >= self.next_beat {
            self.next_beat = now + self.between_beats();
            for rank in self.others() {
                if !self.peers[rank].has_left {
                    self.frame(rank, BEAT, Vec::new());
                }
            }
        }
        let since_awake = now.saturating_duration_since(self.awake);
        let is_too_long = |waited: Duration| waited.min(since_awake) > self.patience;
        if let Some((rank, waited)) = self.transport.under_way()
            && is_too_long(waited)
        {
            return Err(silent(rank, "accepted no message", waited));
        }
        for rank in self.others() {
            let Peer { heard, has_left: left, missed, .. } = self.peers[rank];
            let waited = now.saturating_duration_since(heard);
            if !left && is_too_long(waited) {
                return Err(silent(rank, "been silent", waited));
            }
            if missed.is_some_and(|missed| is_too_long(now.saturating_duration_since(missed))) {
                return Err(has_left(rank));
            }
        }
        Ok(())
    }
}

/// The number after this one.
fn next(number: u32) -> u32 {
    number.checked_add(1).unwrap_or(1)
}

/// The version of the wire format: of all messages between the ranks of a run. Raise it whenever a
/// message changes: those of `parts::exchange`, with encoded groups, corners and rows, and the
/// bytes that `transport` adds.
///
/// All ranks of a run must have the same version and be built from the same commit.
pub const WIRE_FORMAT: u32 = 9;

/// The beginning of the text.
const BEGIN: &str = "wire format ";

/// The end of the message.
const END: [u8; 2] = [1; 2];

const MOST_BYTES: usize = 200;

/// The build of a rank whose first message does not name it.
const OLDER: &str = "an older build, which does not name itself";

/// This build.
fn this_build() -> String {
    format!("{BEGIN}{WIRE_FORMAT}, chomp-mpi {VERSION}")
}

/// The first message of this build.
fn first_message() -> Vec<u8> {
    [this_build().as_bytes(), &END].concat()
}

/// The build that a first message names, if it names one.
fn named_build(message: &[u8]) -> Option<&str> {
    let text = str::from_utf8(message.strip_suffix(&END)?).ok()?;
    let is_one = text.starts_with(BEGIN)
        && text.len() <= MOST_BYTES
        && !text.contains(|c: char| c.is_control());
    is_one.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The proof lists V12 after the hypotheses of `sweep`, in these words.
    #[test]
    fn the_proof_lists_the_hypothesis() {
        let proof = include_str!("../../../../proofs/sweep.md");
        let stated = proof.lines().find(|line| line.starts_with("| V12 "));
        assert_eq!(stated, Some(format!("| V12 | {V12} | `Watched::hear` |").as_str()));
        assert!(include_str!("watched.rs").contains("fn hear("));
    }

    #[test]
    fn a_build_names_itself() {
        assert_eq!(named_build(&first_message()), Some(&*this_build()));
        assert_eq!(
            named_build(b"wire format 7, chomp-mpi 2.0\x01\x01"),
            Some("wire format 7, chomp-mpi 2.0")
        );
    }

    /// Among them a sign of life, and the options of earlier builds.
    #[test]
    fn other_messages_name_no_build() {
        let long = [BEGIN, &"x".repeat(MOST_BYTES), "\x01\x01"].concat();
        let all: [&[u8]; 7] = [
            b"",
            b"\x00",
            b"program 0.1.0\nrows below 1000\x01\x01",
            b"wire format 1\x01",
            b"wire format 1\x1b[31m\x01\x01",
            b"wire format \xff\x01\x01",
            long.as_bytes(),
        ];
        for message in all {
            assert_eq!(named_build(message), None, "{message:?}");
        }
    }
}
