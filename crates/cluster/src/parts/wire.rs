//! Messages between parts, as bytes.

// Groups are boxed because they move from block to block.
#![allow(clippy::vec_box)]

use super::buffers::{Buffer, Buffers};
use super::group::{MOST_BYTES, receive, send};
use bytes::{Buf, Bytes};
use record::Record;
use record::listeners::Done;
use std::{io, sync::Arc};
use sweep::band::parts::{
    Broadcast, Corner, Group, Number, Spare, first_tile, last_tile, prefetch,
};
use sweep::band::pipeline::{
    BUFFER, BandIndex, BlockIndex, Decoder, Eight, Frame, RowIndex, index, put, put_eight, put_row,
};
use words::parts::Store;

/// The version of the wire format: of all messages between the processes of a run. Raise it
/// whenever a message changes: those of `wire` and `copying`, encoded groups (`group`), corners and
/// rows, and the bytes that `rows` and `transport` add.
///
/// All processes of a run must have the same version and be built from the same commit.
pub const WIRE_FORMAT: u32 = 4;

/// The first byte of a message between parts.
pub(super) const STARTED: u8 = 0;
pub(super) const GROUPS: u8 = 1;
pub(super) const FINISHED: u8 = 2;
pub(super) const WORDS: u8 = 3;
pub(super) const ROWS: u8 = 4;
pub(super) const FAILED: u8 = 5;
pub(super) const STOP: u8 = 6;
pub(super) const DIAGONALS: u8 = 7;
/// Messages about a checkpoint: `copying`.
pub(super) const KEEP: u8 = 16;
pub(super) const COPY: u8 = 17;
pub(super) const MARK: u8 = 18;
pub(super) const GIVE: u8 = 19;
pub(super) const PIECE: u8 = 20;
pub(super) const FORGET: u8 = 21;

/// The lower layers append two bytes and a number to a message. It has room for them.
const MARKS: usize = 6;

fn message(kind: u8, bytes: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(1 + bytes + MARKS);
    out.push(kind);
    out
}

/// The corner of a block that ends before band `end` and has started.
pub(super) fn encode_started(corner: &Corner, end: BandIndex) -> Vec<u8> {
    let mut out = message(STARTED, 0);
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

/// Room for the last groups of a message, unless they have many exceptions.
const LAST: usize = 8 << 10;

/// Groups on their way to another part.
pub(super) struct EncodedGroups {
    buffers: Buffers,
    message: Option<Buffer>,
    /// The end of the groups in the message, and the end from which on it is sent.
    end: usize,
    enough: usize,
}

impl EncodedGroups {
    /// Without groups.
    pub(super) fn new() -> Self {
        Self { buffers: Buffers::new(TOGETHER + LAST, 16), message: None, end: 0, enough: 0 }
    }

    /// Adds groups of the block that ends before band `end`. Returns a message when they are
    /// enough.
    pub(super) fn add(&mut self, groups: &[Box<Group>], end: BandIndex) -> Option<Buffer> {
        let message = self.message.get_or_insert_with(|| {
            let groups = index((last_tile(end) - first_tile(end)) / MESSAGES);
            self.enough = (groups * MOST_BYTES).clamp(LEAST, TOGETHER);
            let mut message = self.buffers.filled(self.enough + LAST);
            (message[0], self.end) = (GROUPS, 1);
            message
        });
        self.end = groups.iter().fold(self.end, |end, group| send(group, message, end));
        if self.end >= self.enough { self.take() } else { None }
    }

    /// The message with the remaining groups, if there are any.
    pub(super) fn take(&mut self) -> Option<Buffer> {
        let mut message = self.message.take()?;
        message.truncate(self.end);
        Some(message)
    }
}

/// The number of groups that are decoded at a time.
const AT_A_TIME: usize = 16;

/// The place of a group is prefetched this number of groups before it is decoded.
const SOON: usize = 3;

/// Takes the next groups of a message.
pub(super) fn decode_groups(
    groups: &mut Bytes,
    spare: &Spare,
    frame: Frame,
) -> io::Result<Vec<Box<Group>>> {
    let mut source = Decoder(&**groups);
    let mut decoded = Vec::with_capacity(AT_A_TIME);
    let mut places = spare.take_last(AT_A_TIME).into_iter();
    places.as_slice().iter().take(SOON).for_each(|place| place.prefetch());
    while decoded.len() < AT_A_TIME && !source.0.is_empty() {
        let mut place = places.next().expect("there are as many");
        places.as_slice().get(SOON - 1).inspect(|place| place.prefetch());
        receive(&mut place, &mut source, frame)?;
        decoded.push(place);
    }
    // The next groups.
    source.0.chunks(64).take(AT_A_TIME * MOST_BYTES / 64).for_each(|line| prefetch(&line[0]));
    spare.put(places);
    groups.advance(groups.len() - source.0.len());
    Ok(decoded)
}

/// The message that a block has finished.
pub(super) fn encode_finished() -> Vec<u8> {
    message(FINISHED, 0)
}

/// The diagonal values of a block.
pub(super) fn encode_diagonals(first: RowIndex, values: &[Number]) -> Vec<u8> {
    let mut out = message(DIAGONALS, 8 * (2 + values.len()));
    put(&mut out, first.0);
    put(&mut out, values.len() as u64);
    for p in values {
        put(&mut out, p.0);
    }
    out
}

pub(super) fn decode_diagonals(source: &mut Decoder<&[u8]>) -> io::Result<Broadcast> {
    let (first, count) = (RowIndex(source.number()?), source.number()?);
    let values = (0..count).map(|_| source.number().map(Number));
    Ok(Broadcast::Diagonals(first, Arc::new(values.collect::<io::Result<_>>()?)))
}

/// Buffers for words, with room for a full buffer of the engine and its head.
pub(super) fn word_buffers() -> Buffers {
    Buffers::new(64 * BUFFER + 64, 256)
}

pub(super) fn encode_words(
    reader: BlockIndex,
    source: BlockIndex,
    words: &[Eight],
    buffers: &Buffers,
) -> Buffer {
    let mut out = buffers.empty();
    out.push(WORDS);
    for number in [reader.0, source.0, words.len() as u64] {
        put(&mut out, number);
    }
    for word in words {
        put_eight(&mut out, word);
    }
    out
}

/// The reader, the source, and the words in a buffer of the store.
pub(super) fn decode_words(
    source: &mut Decoder<&[u8]>,
    store: &Store,
) -> io::Result<(BlockIndex, BlockIndex, Vec<Eight>)> {
    let (reader, from, count) = (source.number()?, source.number()?, source.number()?);
    let mut words = store.buffer_for(count);
    source.eights(count, &mut words)?;
    Ok((BlockIndex(reader), BlockIndex(from), words))
}

pub(super) fn encode_rows(rows: &[Record], done: Done) -> Vec<u8> {
    let mut out = message(ROWS, 64 * rows.len());
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
