//! The way from one part to another.

use super::{
    link::{Message, Transmit},
    options::Part,
    wire::{FINISHED, GROUPS, ROWS, STARTED, WORDS, encode_message},
};
use crate::{
    band::{schedule::block_of, units::BandIndex},
    error::SweepError,
};
use std::{collections::VecDeque, sync::mpsc::Sender, time::Duration};

/// Takes messages between the parts of a run.
pub trait Exchange {
    /// Sends a message to a part. A lower urgency goes first, and messages that are as urgent keep
    /// their order: so a message comes after those that were sent before it and have no higher one.
    ///
    /// # Errors
    /// In words, if it cannot: the run then ends.
    fn send(&mut self, to: usize, urgency: u64, message: Vec<u8>) -> Result<(), String>;

    /// The next message from any other part. Waits so long, at most.
    ///
    /// # Errors
    /// In words, if there will be none, because a part is missing: the run then ends.
    fn receive(&mut self, wait: Duration) -> Result<Option<Vec<u8>>, String>;

    /// Bytes that have been given to [`send`](Self::send), and have not left.
    fn on_the_way(&self) -> u64;
    /// Whether the run is to end now, with the rows that have been seen. Asked again and again, and
    /// obeyed in part 0.
    fn is_interrupted(&mut self) -> bool {
        false
    }
}

/// Bytes that one part has sent, by what they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// Posted words.
    pub words: u64,
    /// Groups, and corners with diagonal values.
    pub groups: u64,
    /// Finished rows.
    pub rows: u64,
    /// Everything else.
    pub other: u64,
}

impl Sent {
    /// All of them.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.words + self.groups + self.rows + self.other
    }

    fn count(&mut self, message: &[u8]) {
        let of_kind = match message.first() {
            Some(&WORDS) => &mut self.words,
            Some(&(STARTED | GROUPS)) => &mut self.groups,
            Some(&(FINISHED | ROWS)) => &mut self.rows,
            _ => &mut self.other,
        };
        *of_kind += message.len() as u64;
    }
}

/// An exchange, and what has been sent over it.
pub(super) struct Counted<'a> {
    pub(super) exchange: &'a mut dyn Exchange,
    pub(super) sent: Sent,
}

/// A message for another part.
pub(super) struct Outgoing {
    pub(super) to: usize,
    pub(super) urgency: u64,
    pub(super) message: Vec<u8>,
}

impl Outgoing {
    pub(super) fn send(self, over: &mut Counted) -> Result<(), SweepError> {
        over.sent.count(&self.message);
        over.exchange.send(self.to, self.urgency, self.message).map_err(problem)
    }

    /// The same to all other parts, at once.
    pub(super) fn to_all(part: Part, message: &[u8]) -> impl Iterator<Item = Self> {
        let others = (0..part.parts).filter(move |&to| to != part.number);
        others.map(|to| Self { to, urgency: 0, message: message.to_vec() })
    }
}

/// The link from the last worker of a part to the first one of the next.
pub(super) struct Far {
    pub(super) to: usize,
    pub(super) outgoing: Sender<Outgoing>,
    /// Where the blocks of the worker end.
    pub(super) ends: VecDeque<BandIndex>,
    /// Where the run ends.
    pub(super) bands: BandIndex,
}

impl Transmit for Far {
    fn transmit(&mut self, message: Message) {
        let end = *self.ends.front().expect("a block sends before it has finished");
        if matches!(message, Message::Finished(_)) {
            self.ends.pop_front();
        }
        // Nobody goes on from the end of the run.
        if end < self.bands {
            let urgency = block_of(end).0;
            let message = encode_message(&message, end);
            // If nobody sends any more, nobody waits.
            let _ = self.outgoing.send(Outgoing { to: self.to, urgency, message });
        }
    }
}

impl Transmit for Box<dyn Transmit + Send> {
    fn transmit(&mut self, message: Message) {
        (**self).transmit(message);
    }
}

pub(super) fn problem(problem: String) -> SweepError {
    SweepError::Part { problem }
}
