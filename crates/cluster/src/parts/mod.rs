//! The pipeline of the engine in several parts. Each part is a rank with some of the workers.
//!
//! With P ranks of T workers each, rank p has the workers `p T, p T + 1, ..` of the ring of all P T
//! workers. The links within a rank are channels. The last worker of a rank sends to the first
//! worker of the next rank, over the [`Exchange`]. Rank 0 takes the rows of all blocks. Messages
//! carry only what must travel in order: corners and groups, to the next rank; rows and diagonal
//! values, to all; and a few words about the run. Words go through files in a folder that all ranks
//! see (`words`).
//!
//! A checkpoint is made by rank 0, above one of its own blocks, m, so that it has the corner and
//! the groups, and it receives all rows in any case. Its words are in files:
//!
//! ```text
//! rank 0                              every other rank
//!   has all rows below block m + 1
//!   -- SAVE m ----------------------> its sources up to m have closed: all their words are in files;
//!                                     it syncs the files with readers above m
//!   <--------------------- FILES m -- their lengths and hashes
//!   writes all of them into the checkpoint
//! ```
//!
//! Rank 0 removes files, so it needs to ask nobody to keep any.
//!
//! | module | contents |
//! |---|---|
//! | `dispatcher` | sends, receives and distributes messages |
//! | `links` | the input and output of a worker |
//! | `exchange` | messages to the other ranks and from them, and their bytes |

mod dispatcher;
mod exchange;
mod links;
#[cfg(test)]
mod tests;

use crate::transport::message;
use dispatcher::Dispatcher;
pub(crate) use exchange::{DISMISSED, Exchange, OPTIONS, garbled};
use exchange::{FILES, Files, STOP};
use links::{Input, Output, Request, ToDispatcher, Waits};
use record::listeners::{Done, Visitor};
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::mpsc::channel;
use std::thread;
use sweep::band::parts::{BlockIndex, FileState, GroupPool, Links, Run, Team, blocks_of};
use sweep::checkpoints::{Checkpoint, Checkpoints};

/// Computes the part of this rank, which has `threads` workers; resumes from a checkpoint, if
/// given. The visitor of rank 0 sees every row, in order; the others see rows below the first block
/// only. Returns the rows that the visitor has seen, with the work done for them.
pub(crate) fn run(
    run: &Run,
    threads: usize,
    checkpoints: &Checkpoints<'_>,
    from: Option<Checkpoint>,
    exchange: &mut Exchange<'_>,
    visitor: &mut dyn Visitor,
) -> Result<Done, driver::Error> {
    let (rank, ranks) = (exchange.ranks.rank(), exchange.ranks.ranks());
    let waker = exchange.ranks.waker();
    let (sender, requests) = channel();
    let to_dispatcher = ToDispatcher { sender, waker: waker.clone() };
    let waits = &Waits { waker, workers: AtomicUsize::new(0) };
    let files = |boundary| {
        let (reply, answers) = channel();
        to_dispatcher.send(Request::Save(boundary, reply));
        let mut files = run.store.states(boundary)?;
        for _ in 1..ranks {
            // Without the dispatcher the run has ended.
            let Ok(answer) = answers.recv() else { return Ok(None) };
            files.extend(answer?);
        }
        Ok(Some(files))
    };
    let seen = run.rows(checkpoints, from, visitor, &files, |start, visits| {
        let (first, all) = ((rank * threads) as u64, (ranks * threads) as u64);
        let bands = start.bands();
        thread::scope(|scope| {
            let tell_files = |boundary: BlockIndex| -> io::Result<()> {
                let to_dispatcher = to_dispatcher.clone();
                let tell = move || {
                    let files = run.store.states(boundary).map_err(|error| error.to_string());
                    let files = files.map(|files| files.iter().map(FileState::numbers).collect());
                    let files: Files = (boundary.0, files);
                    to_dispatcher.send(Request::Send(Some(0), message(FILES, &files)));
                };
                thread::Builder::new().spawn_scoped(scope, tell).map(drop)
            };
            let connect = |t, receiver, near, spare: &Arc<GroupPool>| {
                let is_last = t + 1 == threads && ranks > 1;
                let to_dispatcher = to_dispatcher.clone();
                let next = is_last.then(|| ((rank + 1) % ranks, spare.clone()));
                let output =
                    Output { near, to_dispatcher: to_dispatcher.clone(), next, groups: Vec::new() };
                let input = Input { receiver, waits, is_fed: t == 0 && ranks > 1 };
                move || Links {
                    input: Box::new(input),
                    output: Box::new(output),
                    tell: Box::new(move |result| to_dispatcher.send(Request::Block(result))),
                }
            };
            let team = Team { first, threads, all };
            start.in_team(team, connect, |workers, spare| {
                let mut dispatcher = Dispatcher {
                    exchange,
                    visits,
                    workers,
                    // The first block of the run gets its messages from the start.
                    blocks: blocks_of(first, all, bands).skip(usize::from(rank == 0)).collect(),
                    come: 0,
                    spare,
                    windows: run.plan.frame.windows,
                    waits,
                    rows: BTreeMap::new(),
                    saving: None,
                    tell_files: &tell_files,
                };
                let ended = dispatcher.until_done(&requests);
                // No checkpoint gets files from here on.
                drop(requests);
                ended
            })
        })
    })?;
    if rank == 0 {
        exchange.send_to_all(&[STOP])?;
    }
    Ok(seen)
}
