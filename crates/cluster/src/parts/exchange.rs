//! Messages to the other ranks and from them.

use super::wire::{INTERRUPTED, REPORT, RankDone, Sent, decode_report, encode_report};
use crate::transport::{Eagerness, Transport, TransportError, Watched};
use std::collections::VecDeque;
use std::time::Duration;

/// The other ranks. A message begins with a byte that gives its kind.
pub(crate) struct Exchange<'a, T> {
    pub(crate) ranks: Watched<T>,
    pub(crate) sent: Sent,
    /// Messages for the engine that arrived before it began.
    early: VecDeque<Vec<u8>>,
    /// The reports of ranks that have finished.
    reports: Vec<Option<RankDone>>,
    is_interrupted: &'a (dyn Fn() -> bool + Sync),
    /// In rank 0: a rank must end.
    pub(crate) interrupted: bool,
    /// In another rank: rank 0 has been told so.
    has_told: bool,
}

impl<'a, T: Transport> Exchange<'a, T> {
    pub(crate) fn new(ranks: Watched<T>, is_interrupted: &'a (dyn Fn() -> bool + Sync)) -> Self {
        let reports = vec![None; ranks.ranks()];
        let (sent, early) = (Sent::default(), VecDeque::new());
        let (interrupted, has_told) = (false, false);
        Self { ranks, sent, early, reports, is_interrupted, interrupted, has_told }
    }

    pub(crate) fn send(&mut self, to: usize, message: Vec<u8>) -> Result<(), TransportError> {
        self.sent.count(&message);
        self.ranks.send(to, message)
    }

    pub(crate) fn send_to_all(&mut self, message: &[u8]) -> Result<(), TransportError> {
        self.ranks.others().try_for_each(|to| self.send(to, message.to_vec()))
    }

    /// The next message for the engine. Waits for `wait` at most, or until it is woken.
    pub(crate) fn receive(
        &mut self,
        wait: Duration,
        eagerness: Eagerness,
    ) -> Result<Option<Vec<u8>>, TransportError> {
        if let Some(early) = self.early.pop_front() {
            return Ok(Some(early));
        }
        let received = self.ranks.receive(wait, eagerness)?;
        received.map_or(Ok(None), |(from, message)| self.for_engine(from, message))
    }

    /// Returns a message for the engine, and handles the other messages that can arrive meanwhile.
    fn for_engine(
        &mut self,
        rank: usize,
        message: Vec<u8>,
    ) -> Result<Option<Vec<u8>>, TransportError> {
        match message.first() {
            Some(&REPORT) => {
                let report = decode_report(&message[1..]);
                self.reports[rank] = Some(report.ok_or(TransportError::Garbled { rank })?);
                Ok(None)
            }
            Some(&INTERRUPTED) => {
                self.interrupted = true;
                Ok(None)
            }
            _ => Ok(Some(message)),
        }
    }

    /// Keeps a message until the engine begins, if it is not about the options of the ranks.
    pub(crate) fn keep_early(
        &mut self,
        rank: usize,
        message: Vec<u8>,
    ) -> Result<(), TransportError> {
        let early = self.for_engine(rank, message)?;
        self.early.extend(early);
        Ok(())
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
    pub(crate) fn report(&mut self, own: RankDone) -> Result<Vec<RankDone>, TransportError> {
        if self.ranks.rank() > 0 {
            self.ranks.send(0, encode_report(&own))?;
            return Ok(Vec::new());
        }
        self.reports[0] = Some(own);
        while let Some(missing) = self.reports.iter().position(Option::is_none) {
            let (from, message) = self.ranks.wait_for(Some(missing))?;
            // If rank 0 wants no more rows, some can still arrive.
            self.for_engine(from, message)?;
        }
        Ok(self.reports.iter().copied().flatten().collect())
    }
}
