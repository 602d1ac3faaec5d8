//! Measures the network between ranks: the time of a short message, and the bandwidth.
//!
//! The ranks take turns. A rank sends short messages to each other rank, which answers them, and
//! then long ones, and only the last is answered.

use super::messages::{Transport, TransportError};
use super::watched::Watched;
use crate::costs::count;
use std::time::Instant;

/// The first byte of a message: one that needs an answer, one that does not, an answer, or the end
/// of a turn.
const PING: u8 = 0;
const LOAD: u8 = 1;
const ANSWER: u8 = 2;
const TURN: u8 = 3;

/// The network from one rank to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Between {
    /// The sender.
    pub from: usize,
    /// The receiver.
    pub to: usize,
    /// Seconds of a short message, one way.
    pub latency: f64,
    /// Bytes in a second.
    pub bandwidth: f64,
}

/// Bytes of a long message.
const LONG: usize = 1 << 20;

/// Measures between all pairs of ranks; all ranks call it. A rank sends this number of short
/// messages, at least 4, to each other one, and a quarter as many of 1 MiB. Rank 0 gets all
/// results, the others their own.
///
/// # Errors
/// [`TransportError`].
pub fn measure<T: Transport>(
    ranks: &mut Watched<T>,
    messages: u32,
) -> Result<Vec<Between>, TransportError> {
    let mut found = Vec::new();
    for turn in 0..ranks.ranks() {
        if turn == ranks.rank() {
            let own = ranks.others().map(|to| between(ranks, to, messages));
            let own: Vec<Between> = own.collect::<Result<_, _>>()?;
            // The next rank is told last: the others must be ready for it.
            let next = turn + 1;
            for to in ranks
                .others()
                .filter(|&to| to != next)
                .chain((next < ranks.ranks()).then_some(next))
            {
                ranks.send(to, encode(&own))?;
                answered(ranks, to)?;
            }
            found.extend(own);
        } else {
            let theirs = answer(ranks, turn)?;
            if ranks.rank() == 0 {
                found.extend(theirs);
            }
        }
    }
    Ok(found)
}

/// Measures from this rank to another.
fn between<T: Transport>(
    ranks: &mut Watched<T>,
    to: usize,
    messages: u32,
) -> Result<Between, TransportError> {
    let begin = Instant::now();
    for _ in 0..messages {
        ranks.send(to, vec![PING; 64])?;
        answered(ranks, to)?;
    }
    let latency = begin.elapsed().as_secs_f64() / f64::from(2 * messages);
    let (mut load, long) = (vec![LOAD; LONG], messages / 4);
    let begin = Instant::now();
    for _ in 1..long {
        ranks.send(to, load.clone())?;
    }
    load[0] = PING;
    ranks.send(to, load)?;
    answered(ranks, to)?;
    let seconds = begin.elapsed().as_secs_f64();
    let bandwidth = count(LONG as u64 * u64::from(long)) / seconds;
    Ok(Between { from: ranks.rank(), to, latency, bandwidth })
}

fn answered<T: Transport>(ranks: &mut Watched<T>, by: usize) -> Result<(), TransportError> {
    let (rank, message) = ranks.wait_for(Some(by))?;
    if rank == by && *message == [ANSWER] { Ok(()) } else { Err(TransportError::Garbled { rank }) }
}

/// Answers a rank during its turn. Returns the results of that rank.
fn answer<T: Transport>(
    ranks: &mut Watched<T>,
    turn: usize,
) -> Result<Vec<Between>, TransportError> {
    loop {
        let (rank, message) = ranks.wait_for(Some(turn))?;
        let garbled = TransportError::Garbled { rank };
        match message.first() {
            _ if rank != turn => return Err(garbled),
            Some(&PING) => ranks.send(rank, vec![ANSWER])?,
            Some(&LOAD) => {}
            Some(&TURN) => {
                ranks.send(rank, vec![ANSWER])?;
                return decode(rank, &message[1..]).ok_or(garbled);
            }
            _ => return Err(garbled),
        }
    }
}

fn encode(found: &[Between]) -> Vec<u8> {
    let mut bytes = vec![TURN];
    for Between { to, latency, bandwidth, .. } in found {
        bytes.extend((*to as u64).to_le_bytes());
        bytes.extend(latency.to_le_bytes());
        bytes.extend(bandwidth.to_le_bytes());
    }
    bytes
}

fn decode(from: usize, bytes: &[u8]) -> Option<Vec<Between>> {
    let (entries, rest) = bytes.as_chunks::<24>();
    let entry = |entry: &[u8; 24]| {
        let ([to, latency, bandwidth], _) = entry.as_chunks::<8>() else { return None };
        Some(Between {
            from,
            to: usize::try_from(u64::from_le_bytes(*to)).ok()?,
            latency: f64::from_le_bytes(*latency),
            bandwidth: f64::from_le_bytes(*bandwidth),
        })
    };
    if rest.is_empty() { entries.iter().map(entry).collect() } else { None }
}
