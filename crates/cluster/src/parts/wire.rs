//! Messages between ranks, as bytes. If one of them changes, [`WIRE_FORMAT`] must be raised.
//!
//! [`WIRE_FORMAT`]: crate::transport::WIRE_FORMAT

// Groups are boxed because they move from block to block.
#![allow(clippy::vec_box)]

use super::group::{MOST_BYTES, receive, send};
use record::Record;
use record::listeners::Done;
use std::fmt::Display;
use std::time::Duration;
use std::{io, sync::Arc};
use sweep::band::parts::{Broadcast, Corner, Group, Number, Spare, first_tile, last_tile};
use sweep::band::pipeline::{
    BandIndex, BlockIndex, Decoder, Frame, RowIndex, index, invalid, put, put_row,
};
use sweep::error::SweepError;
use words::parts::FileState;

/// The first byte of a message. From one block to the next:
pub(super) const STARTED: u8 = 0;
pub(super) const GROUPS: u8 = 1;
pub(super) const FINISHED: u8 = 2;
/// From a block to all ranks:
pub(super) const DIAGONALS: u8 = 3;
pub(super) const ROWS: u8 = 4;
/// The run ends: an error of a rank, or rank 0 wants no more.
pub(super) const FAILED: u8 = 5;
pub(super) const STOP: u8 = 6;
/// Rank 0 wants the files of words above a block, and the answer.
pub(super) const SAVE: u8 = 7;
pub(super) const FILES: u8 = 8;
/// Before the first row, and after the last.
pub(crate) const OPTIONS: u8 = 9;
pub(super) const REPORT: u8 = 10;
pub(super) const INTERRUPTED: u8 = 11;
pub(crate) const DISMISSED: u8 = 12;

/// The error of a rank, or of a message.
pub(super) fn outside(problem: impl Display) -> SweepError {
    SweepError::Outside { problem: problem.to_string() }
}

/// The error of a message that cannot be read.
#[expect(clippy::needless_pass_by_value, reason = "it maps errors")]
pub(super) fn garbled(error: io::Error) -> SweepError {
    outside(format!("a message between ranks: {error}"))
}

/// The work of a rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RankDone {
    /// Cells that its workers have decided; on rank 0, also those below the first block.
    pub cells: u64,
    /// The sum of their waiting times.
    pub waited: Duration,
    /// Bytes sent to other ranks.
    pub sent: Sent,
    /// The peak memory of its process in bytes, if the system provides it.
    pub memory: Option<u64>,
}

/// Bytes that one rank has sent, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// Stored words, which it has written to files.
    pub words: u64,
    /// Groups and corners.
    pub groups: u64,
    /// Finished rows and diagonal values.
    pub rows: u64,
    /// Everything else.
    pub other: u64,
}

impl Sent {
    pub(super) fn count(&mut self, message: &[u8]) {
        let of_kind = match message.first() {
            Some(&(STARTED | GROUPS | FINISHED)) => &mut self.groups,
            Some(&(DIAGONALS | ROWS)) => &mut self.rows,
            _ => &mut self.other,
        };
        *of_kind += message.len() as u64;
    }
}

/// The corner of a block that ends before band `end` and has started.
pub(super) fn encode_started(corner: &Corner, end: BandIndex) -> Vec<u8> {
    let mut out = vec![STARTED];
    put(&mut out, end.0);
    corner.save(&mut out);
    out
}

pub(super) fn decode_started(source: &mut Decoder<&[u8]>, frame: Frame) -> io::Result<Corner> {
    let band = BandIndex(source.number()?);
    Corner::restore(source, band, frame.windows)
}

/// A message of groups is sent when it has this many bytes, or at the end of a block.
const TOGETHER: usize = 192 << 10;

/// The least bytes of a message that is sent before the end of a block. Shorter messages did not
/// shorten the waiting times.
const LEAST: usize = 32 << 10;

/// Between these limits, a block sends its groups in this number of messages. The block above
/// begins when it has some of them; with messages of one size, a short block would send all at its
/// end.
const MESSAGES: u64 = 8;

/// Appends groups of the block that ends before band `end` to a message. Returns it when they are
/// enough.
pub(super) fn encode_groups(
    message: &mut Vec<u8>,
    groups: &[Box<Group>],
    end: BandIndex,
) -> Option<Vec<u8>> {
    let all = index((last_tile(end) - first_tile(end)) / MESSAGES);
    let enough = (all * MOST_BYTES).clamp(LEAST, TOGETHER);
    if message.is_empty() {
        message.reserve(enough + groups.len() * MOST_BYTES);
        message.push(GROUPS);
    }
    for group in groups {
        send(group, message);
    }
    (message.len() >= enough).then(|| std::mem::take(message))
}

/// The number of groups that are decoded at a time.
const AT_A_TIME: usize = 16;

/// Takes the next groups of a message.
pub(super) fn decode_groups(
    source: &mut Decoder<&[u8]>,
    spare: &Spare,
    frame: Frame,
) -> io::Result<Vec<Box<Group>>> {
    let mut decoded = Vec::with_capacity(AT_A_TIME);
    let mut places = spare.take_last(AT_A_TIME).into_iter();
    while !source.0.is_empty()
        && let Some(mut place) = places.next()
    {
        receive(&mut place, source, frame)?;
        decoded.push(place);
    }
    spare.put(places);
    Ok(decoded)
}

/// The diagonal values of a block.
pub(super) fn encode_diagonals(first: RowIndex, values: &[Number]) -> Vec<u8> {
    let mut out = vec![DIAGONALS];
    for number in [first.0, values.len() as u64].into_iter().chain(values.iter().map(|p| p.0)) {
        put(&mut out, number);
    }
    out
}

pub(super) fn decode_diagonals(source: &mut Decoder<&[u8]>) -> io::Result<Broadcast> {
    let (first, count) = (RowIndex(source.number()?), source.number()?);
    let values = (0..count).map(|_| source.number().map(Number));
    Ok(Broadcast::Diagonals(first, Arc::new(values.collect::<io::Result<_>>()?)))
}

pub(super) fn encode_rows(rows: &[Record], done: Done) -> Vec<u8> {
    let mut out = vec![ROWS];
    let first = rows.first().map_or(0, Record::row);
    for number in [first, rows.len() as u64, done.rows, done.cells, done.fallbacks] {
        put(&mut out, number);
    }
    for row in rows {
        put_row(&mut out, row);
    }
    out
}

pub(super) fn decode_rows(source: &mut Decoder<&[u8]>) -> io::Result<(Vec<Record>, Done)> {
    let (first, count) = (RowIndex(source.number()?), source.number()?);
    let (rows, cells, fallbacks) = (source.number()?, source.number()?, source.number()?);
    let found = (0..count).map(|i| source.row(first + i)).collect::<io::Result<_>>()?;
    Ok((found, Done { rows, cells, fallbacks }))
}

pub(super) fn encode_save(boundary: BlockIndex) -> Vec<u8> {
    let mut out = vec![SAVE];
    put(&mut out, boundary.0);
    out
}

/// The files of words above a block, or the error with which they cannot be written.
pub(super) fn encode_files(boundary: BlockIndex, files: &io::Result<Vec<FileState>>) -> Vec<u8> {
    let mut out = vec![FILES];
    put(&mut out, boundary.0);
    out.push(u8::from(files.is_ok()));
    match files {
        Ok(files) => files.iter().for_each(|file| file.save(&mut out)),
        Err(error) => out.extend(error.to_string().into_bytes()),
    }
    out
}

pub(super) fn decode_files(answer: &[u8]) -> io::Result<Vec<FileState>> {
    match answer.split_first() {
        Some((1, mut files)) => {
            let mut source = Decoder(&mut files);
            let mut all = Vec::new();
            while !source.0.is_empty() {
                all.push(FileState::restore(&mut source)?);
            }
            Ok(all)
        }
        Some((0, problem)) => Err(io::Error::other(String::from_utf8_lossy(problem))),
        _ => Err(invalid("another rank has sent an invalid list of files")),
    }
}

pub(super) fn encode_report(RankDone { cells, waited, sent, memory }: &RankDone) -> Vec<u8> {
    let Sent { words, groups, rows, other } = *sent;
    let waited = u64::try_from(waited.as_nanos()).unwrap_or(u64::MAX);
    let mut out = vec![REPORT];
    for number in [*cells, waited, memory.unwrap_or(0), words, groups, rows, other] {
        put(&mut out, number);
    }
    out
}

pub(super) fn decode_report(bytes: &[u8]) -> Option<RankDone> {
    let mut source = Decoder(bytes);
    let mut next = || source.number().ok();
    let (cells, waited, memory) = (next()?, Duration::from_nanos(next()?), next()?);
    let sent = Sent { words: next()?, groups: next()?, rows: next()?, other: next()? };
    Some(RankDone { cells, waited, sent, memory: (memory > 0).then_some(memory) })
}
