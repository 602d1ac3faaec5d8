//! Measures what is between ranks: how long a short message takes, and how many bytes go through in
//! a second.
//!
//! One rank after the other has its turn. It sends short messages to each other rank, which come
//! back, and then long ones, the last of which is answered.

use super::{
    messages::{Transport, TransportError},
    watched::Watched,
};
use std::time::Instant;

/// The first byte of a message: to be answered, to be taken, an answer, or the end of a turn.
const PING: u8 = 0;
const LOAD: u8 = 1;
const ANSWER: u8 = 2;
const TURN: u8 = 3;

/// What is between two ranks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Between {
    /// Who sends.
    pub from: usize,
    /// Who receives.
    pub to: usize,
    /// Seconds of a short message, one way.
    pub latency: f64,
    /// Bytes in a second.
    pub bandwidth: f64,
}

/// How much is sent.
#[derive(Clone, Copy, Debug)]
pub struct Amount {
    /// Short messages to each rank.
    pub short: u32,
    /// Long messages to each rank.
    pub long: u32,
    /// Bytes of a long message.
    pub bytes: u32,
}

impl Default for Amount {
    fn default() -> Self {
        Self { short: 200, long: 64, bytes: 1 << 20 }
    }
}

/// Measures between all pairs of ranks, on all ranks at the same time. Rank 0 hears of all of them,
/// the others of their own.
///
/// # Errors
/// [`TransportError`].
pub fn measure<T: Transport>(
    ranks: &mut Watched<T>,
    amount: Amount,
) -> Result<Vec<Between>, TransportError> {
    let mut found = Vec::new();
    for turn in 0..ranks.ranks() {
        if turn == ranks.rank() {
            let own = ranks.others().map(|to| between(ranks, to, amount));
            let own: Vec<Between> = own.collect::<Result<_, _>>()?;
            // The next rank hears of it last: the others must be ready for it.
            let next = turn + 1;
            for to in ranks
                .others()
                .filter(|&to| to != next)
                .chain((next < ranks.ranks()).then_some(next))
            {
                ranks.send(to, 1, encode(&own))?;
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
    amount: Amount,
) -> Result<Between, TransportError> {
    let begin = Instant::now();
    for _ in 0..amount.short {
        ranks.send(to, 1, vec![PING; 64])?;
        answered(ranks, to)?;
    }
    let latency = begin.elapsed().as_secs_f64() / f64::from(2 * amount.short);
    let mut load = vec![LOAD; usize::try_from(amount.bytes).expect("32 bits")];
    let begin = Instant::now();
    for _ in 1..amount.long {
        ranks.send(to, 1, load.clone())?;
    }
    load[0] = PING;
    ranks.send(to, 1, load)?;
    answered(ranks, to)?;
    let seconds = begin.elapsed().as_secs_f64();
    let bandwidth = f64::from(amount.bytes) * f64::from(amount.long) / seconds;
    Ok(Between { from: ranks.rank(), to, latency, bandwidth })
}

fn answered<T: Transport>(ranks: &mut Watched<T>, by: usize) -> Result<(), TransportError> {
    let (rank, message) = ranks.wait_for(Some(by))?;
    if rank == by && *message == [ANSWER] { Ok(()) } else { Err(TransportError::Garbled { rank }) }
}

/// Answers a rank as long as its turn lasts. Says what it has found.
fn answer<T: Transport>(
    ranks: &mut Watched<T>,
    turn: usize,
) -> Result<Vec<Between>, TransportError> {
    loop {
        let (rank, message) = ranks.wait_for(Some(turn))?;
        let garbled = TransportError::Garbled { rank };
        match message.first() {
            _ if rank != turn => return Err(garbled),
            Some(&PING) => ranks.send(rank, 1, vec![ANSWER])?,
            Some(&LOAD) => {}
            Some(&TURN) => {
                ranks.send(rank, 1, vec![ANSWER])?;
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
