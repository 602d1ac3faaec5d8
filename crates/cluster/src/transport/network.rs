//! Measures the network between ranks: the time of a short message, and the bandwidth.
//!
//! The pairs of ranks take turns. The first of a pair sends short messages to the second, which
//! answers them, and then long ones, and only the last is answered. Then it tells all ranks the
//! result. A rank begins its turn when it has the results of all turns before.

use super::{Transport, Watched, content, message};
use driver::{Error, ErrorKind};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// The first byte of a message: one that needs an answer, one that does not, an answer, or the
/// result of a turn.
const PING: u8 = 0;
const LOAD: u8 = 1;
const ANSWER: u8 = 2;
const RESULT: u8 = 3;

/// The network from one rank to another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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
const LONG: u32 = 1 << 20;

/// Measures between all pairs of ranks; all ranks call it, and get the results. A rank sends this
/// number of short messages, at least 4, to each other one, and a quarter as many of 1 MiB.
///
/// # Errors
/// A rank is missing.
pub fn measure<T: Transport>(ranks: &mut Watched<T>, messages: u32) -> Result<Vec<Between>, Error> {
    let all = 0..ranks.ranks();
    let pairs = all.clone().flat_map(|from| all.clone().map(move |to| (from, to)));
    let pairs: Vec<_> = pairs.filter(|(from, to)| from != to).collect();
    let mut found = Vec::new();
    while let Some(&(from, to)) = pairs.get(found.len()) {
        if from == ranks.rank() {
            let between = between(ranks, to, messages)?;
            for other in ranks.others() {
                ranks.send(other, message(RESULT, &between))?;
            }
            found.push(between);
            continue;
        }
        let (rank, message) = ranks.wait_for(Some(from))?;
        match message.split_first() {
            Some((&PING, _)) => ranks.send(rank, vec![ANSWER])?,
            Some((&LOAD, _)) => {}
            Some((&RESULT, result)) => found.push(content(result).map_err(garbled)?),
            _ => return Err(garbled(format!("from rank {rank}"))),
        }
    }
    found.sort_by_key(|between| (between.from, between.to));
    Ok(found)
}

/// Measures from this rank to another.
fn between<T: Transport>(
    ranks: &mut Watched<T>,
    to: usize,
    messages: u32,
) -> Result<Between, Error> {
    let begin = Instant::now();
    for _ in 0..messages {
        ranks.send(to, vec![PING; 64])?;
        wait_for_answer(ranks, to)?;
    }
    let latency = begin.elapsed().as_secs_f64() / f64::from(2 * messages);
    let (load, long) = (vec![LOAD; LONG as usize], messages / 4);
    let begin = Instant::now();
    for _ in 1..long {
        ranks.send(to, load.clone())?;
    }
    ranks.send(to, vec![PING; LONG as usize])?;
    wait_for_answer(ranks, to)?;
    let bandwidth = f64::from(LONG) * f64::from(long) / begin.elapsed().as_secs_f64();
    Ok(Between { from: ranks.rank(), to, latency, bandwidth })
}

fn wait_for_answer<T: Transport>(ranks: &mut Watched<T>, by: usize) -> Result<(), Error> {
    let answer = ranks.wait_for(Some(by))?;
    if answer == (by, vec![ANSWER]) { Ok(()) } else { Err(garbled(format!("from rank {by}"))) }
}

fn garbled(what: impl std::fmt::Display) -> Error {
    Error::of(ErrorKind::Incomplete, format!("an invalid message between ranks: {what}"))
}
