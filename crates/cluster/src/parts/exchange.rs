//! Messages to the other ranks and from them, and their bytes. If one of them changes,
//! [`WIRE_FORMAT`](crate::transport::WIRE_FORMAT) must be raised.
//!
//! A message begins with a byte for its kind. Groups, corners and rows follow as in a checkpoint;
//! all other content is JSON.

// Groups are boxed because they move from block to block.
#![allow(clippy::vec_box)]

use crate::transport::Watched;
use driver::{Error, ErrorKind};
use record::Record;
use record::listeners::Done;
use std::fmt::Display;
use std::io;
use std::ops::Range;
use sweep::band::Windows;
use sweep::band::parts::{
    BandIndex, Decoder, Group, GroupPool, RowIndex, first_tile, index, invalid, put, put_row,
};
use sweep::error::SweepError;

/// The other ranks. They exchange their options, then the messages of a run.
pub(crate) struct Exchange<'a> {
    pub(crate) ranks: Watched<'a>,
    is_interrupted: &'a (dyn Fn() -> bool + Sync),
    /// In rank 0: a rank must end. In another one: rank 0 has been told that this rank must end.
    pub(crate) interrupted: bool,
}

impl<'a> Exchange<'a> {
    pub(crate) fn new(ranks: Watched<'a>, is_interrupted: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { ranks, is_interrupted, interrupted: false }
    }

    pub(crate) fn send_to_all(&mut self, message: &[u8]) -> Result<(), Error> {
        self.ranks.others().try_for_each(|to| self.ranks.send(to, message.to_vec()))
    }

    /// Whether the run must end now, with the rows that have been seen. Only the answer of rank 0
    /// counts.
    pub(crate) fn has_to_end(&mut self) -> bool {
        if !self.interrupted && (self.is_interrupted)() {
            self.interrupted = true;
            if self.ranks.rank() > 0 {
                // If it cannot be told, it is missing, and that is noticed.
                let _ = self.ranks.send(0, vec![INTERRUPTED]);
            }
        }
        self.interrupted
    }
}

/// The error of a message that cannot be read.
pub(crate) fn garbled(from: usize, problem: &std::io::Error) -> Error {
    Error::of(ErrorKind::Incomplete, format!("a message of rank {from}: {problem}"))
}

/// The first byte of a message. From one block to the next:
pub(super) const STARTED: u8 = 0;
pub(super) const GROUPS: u8 = 1;
pub(super) const FINISHED: u8 = 2;
/// From a block to all ranks: the row of its first diagonal value, and the values; and its rows:
pub(super) const DIAGONALS: u8 = 3;
pub(super) const ROWS: u8 = 4;
/// The run ends: an error of a rank, or rank 0 needs no more.
pub(super) const FAILED: u8 = 5;
pub(super) const STOP: u8 = 6;
/// Rank 0 wants the files of words above a block, and the answer.
pub(super) const SAVE: u8 = 7;
pub(super) const FILES: u8 = 8;
/// Before the first row: the options of a rank, or rank 0 needs no help.
pub(crate) const OPTIONS: u8 = 9;
pub(crate) const DISMISSED: u8 = 12;
/// A rank must end.
pub(super) const INTERRUPTED: u8 = 11;

/// The content of [`FILES`]: a block, and the files of words above it, or the error with which they
/// cannot be written.
pub(super) type Files = (u64, Result<Vec<[u64; 3]>, String>);

/// The error of a rank, or of a message.
pub(super) fn outside(problem: impl Display) -> SweepError {
    SweepError::Outside { problem: problem.to_string() }
}

/// A message of groups is sent when it has this many bytes, or at the end of a block.
pub(super) const FULL: usize = 64 << 10;

/// Appends successive groups to a message. It begins with the number of the first.
pub(super) fn add_groups(message: &mut Vec<u8>, groups: &[Box<Group>]) {
    let Some(first) = groups.first() else { return };
    if message.is_empty() {
        message.reserve(FULL + FULL / 4);
        message.push(GROUPS);
        put(message, first.index.0);
    }
    for group in groups {
        group.send(message);
    }
}

/// The groups of a message for this block, which has had `come` groups.
pub(super) fn decode_groups(
    bytes: &[u8],
    block: &Range<BandIndex>,
    come: u64,
    spare: &GroupPool,
    windows: Windows,
) -> io::Result<Vec<Box<Group>>> {
    let (mut source, first) = (Decoder(bytes), first_tile(block.start) - 1 + come);
    if source.number()? != first.0 {
        return Err(invalid("a group is not the next one"));
    }
    let mut groups = spare.take_last(source.0.len() / Group::LEAST_BYTES);
    let mut next = first;
    for group in &mut groups {
        if !source.0.is_empty() {
            group.receive(&mut source, (next, block.start - 1), windows)?;
            next += 1;
        }
    }
    if !source.0.is_empty() {
        return Err(invalid("a group is too short"));
    }
    // Groups with exceptions are longer.
    spare.put(groups.drain(index(next - first)..));
    Ok(groups)
}

/// The rows of a block, and the work done for them.
pub(super) fn encode_rows(rows: &[Record], done: Done) -> Vec<u8> {
    let mut out = vec![ROWS];
    for number in [done.rows, done.cells, done.fallbacks, rows.first().map_or(0, Record::row)] {
        put(&mut out, number);
    }
    for row in rows {
        put_row(&mut out, row);
    }
    out
}

pub(super) fn decode_rows(bytes: &[u8]) -> io::Result<(Vec<Record>, Done)> {
    let mut source = Decoder(bytes);
    let (rows, cells) = (source.number()?, source.number()?);
    let done = Done { rows, cells, fallbacks: source.number()? };
    let (first, mut found) = (RowIndex(source.number()?), Vec::new());
    while !source.0.is_empty() {
        found.push(source.row(first + found.len() as u64)?);
    }
    Ok((found, done))
}
