//! Rows by several ranks: the pipeline of `sweep`, over a transport.

use crate::transport::{Transport, TransportError, Watched};
use record::RowRecord;
use std::{ops::ControlFlow, time::Duration};
use sweep::{
    band::{Exchange, Options, Part, part_of_rows},
    error::SweepError,
    sink::{Done, Visitor},
};
use thiserror::Error;

/// Why ranks have not found all rows.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RowsError {
    /// The engine has stopped, here or on another rank; or a rank is missing.
    #[error(transparent)]
    Sweep(#[from] SweepError),
    /// The rows are found, and a rank has gone missing since.
    #[error(transparent)]
    Transport(#[from] TransportError),
}

/// Does this rank's part of the rows below `end`, together with all other ranks, which must be
/// given the same options. Rank 0 shows every row to the visitor, in order; the other ranks have
/// nothing to show. All ranks leave at the end.
///
/// # Errors
/// [`RowsError`].
pub fn rows<T: Transport>(
    end: u64,
    options: Options,
    ranks: Watched<T>,
    visitor: &mut dyn Visitor,
) -> Result<Done, RowsError> {
    let part = Part { number: ranks.rank(), parts: ranks.ranks() };
    let mut over = Over(ranks);
    let done = part_of_rows(end, options, part, &mut over, visitor)?;
    over.0.leave()?;
    Ok(done)
}

/// As [`rows`], for a rank other than 0.
///
/// # Errors
/// [`RowsError`].
pub fn help<T: Transport>(end: u64, options: Options, ranks: Watched<T>) -> Result<(), RowsError> {
    let mut nobody = |_: RowRecord| ControlFlow::Continue(());
    rows(end, options, ranks, &mut nobody).map(drop)
}

/// What the engine sends to other parts goes over the transport.
struct Over<T>(Watched<T>);

impl<T: Transport> Exchange for Over<T> {
    fn send(&mut self, to: usize, urgency: u64, message: Vec<u8>) -> Result<(), String> {
        self.0.send(to, urgency, &message).map_err(|error| error.to_string())
    }

    fn receive(&mut self, wait: Duration) -> Result<Option<Vec<u8>>, String> {
        let received = self.0.receive(wait).map_err(|error| error.to_string())?;
        Ok(received.map(|(_, message)| message))
    }
}
