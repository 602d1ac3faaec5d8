//! Messages to the other ranks and from them.

use super::wire::{INTERRUPTED, REPORT, RankDone, Sent};
use crate::transport::{Eagerness, Transport, Watched, content, message};
use driver::{Error, ErrorKind};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// The other ranks. They exchange their options, then the messages of a run, then reports. A rank
/// can be ahead of another one, so messages of a later stage wait.
pub(crate) struct Exchange<'a, T> {
    pub(crate) ranks: Watched<T>,
    pub(crate) sent: Sent,
    /// Messages of a later stage.
    early: VecDeque<(usize, Vec<u8>)>,
    is_interrupted: &'a (dyn Fn() -> bool + Sync),
    /// In rank 0: a rank must end.
    pub(crate) interrupted: bool,
    /// In another rank: rank 0 has been told so.
    has_told: bool,
}

impl<'a, T: Transport> Exchange<'a, T> {
    pub(crate) fn new(ranks: Watched<T>, is_interrupted: &'a (dyn Fn() -> bool + Sync)) -> Self {
        let (sent, early) = (Sent::default(), VecDeque::new());
        Self { ranks, sent, early, is_interrupted, interrupted: false, has_told: false }
    }

    pub(crate) fn send(&mut self, to: usize, message: Vec<u8>) -> Result<(), Error> {
        self.sent.count(&message);
        self.ranks.send(to, message)
    }

    pub(crate) fn send_to_all(&mut self, message: &[u8]) -> Result<(), Error> {
        self.ranks.others().try_for_each(|to| self.send(to, message.to_vec()))
    }

    /// The next message of this stage. Waits for `wait` at most, or until it is woken.
    pub(crate) fn receive(
        &mut self,
        wait: Duration,
        eagerness: Eagerness,
        is_of_stage: impl Fn(u8) -> bool,
    ) -> Result<Option<(usize, Vec<u8>)>, Error> {
        let is_now =
            |(_, message): &(usize, Vec<u8>)| message.first().is_none_or(|&kind| is_of_stage(kind));
        if let Some(at) = self.early.iter().position(is_now) {
            return Ok(self.early.remove(at));
        }
        let received = self.ranks.receive(wait, eagerness)?;
        let (now, early) = received.into_iter().partition::<Vec<_>, _>(is_now);
        self.early.extend(early);
        Ok(now.into_iter().next())
    }

    /// Whether the run must end now, with the rows that have been seen. Only the answer of rank 0
    /// counts.
    pub(crate) fn has_to_end(&mut self) -> bool {
        if (self.is_interrupted)() {
            self.interrupted |= self.ranks.rank() == 0;
            if self.ranks.rank() > 0 && !self.has_told {
                self.has_told = true;
                // If it cannot be told, it is missing, and that is noticed.
                let _ = self.send(0, vec![INTERRUPTED]);
            }
        }
        self.interrupted
    }

    /// Reports the work of this rank to rank 0. On rank 0, collects the reports of all.
    pub(crate) fn report(&mut self, own: RankDone) -> Result<Vec<RankDone>, Error> {
        if self.ranks.rank() > 0 {
            self.ranks.send(0, message(REPORT, &own))?;
            return Ok(Vec::new());
        }
        let mut reports = BTreeMap::from([(0, own)]);
        while let Some(missing) = self.ranks.others().find(|rank| !reports.contains_key(rank)) {
            let received = self.early.pop_front();
            let (from, message) =
                received.map_or_else(|| self.ranks.wait_for(Some(missing)), Ok)?;
            // If rank 0 wants no more rows, some can still arrive.
            if let Some((&REPORT, report)) = message.split_first() {
                reports.insert(from, content(report).map_err(|error| garbled(from, &error))?);
            }
        }
        Ok(reports.into_values().collect())
    }
}

/// The error of a message that cannot be read.
pub(crate) fn garbled(from: usize, problem: &std::io::Error) -> Error {
    Error::of(ErrorKind::Incomplete, format!("a message of rank {from}: {problem}"))
}
