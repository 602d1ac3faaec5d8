//! What parts send to each other, as bytes.

use super::link::Message;
use crate::{
    band::{
        codec::{Source, invalid, put, put_eight, put_row},
        geometry::Frame,
        group::Group,
        post::Run,
        units::{BandIndex, BlockIndex},
        walk::Corner,
    },
    sink::Done,
    units::{Number, RowIndex},
};
use record::RowRecord;
use std::{
    io::{self, Read},
    sync::Arc,
};

/// The first byte of a message between parts.
pub(super) const STARTED: u8 = 0;
pub(super) const GROUPS: u8 = 1;
pub(super) const FINISHED: u8 = 2;
pub(super) const WORDS: u8 = 3;
pub(super) const ROWS: u8 = 4;
pub(super) const FAILED: u8 = 5;
pub(super) const STOP: u8 = 6;
/// Those of a checkpoint: `copying`.
pub(super) const KEEP: u8 = 16;
pub(super) const COPY: u8 = 17;
pub(super) const MARK: u8 = 18;
pub(super) const GIVE: u8 = 19;
pub(super) const PIECE: u8 = 20;
pub(super) const FORGET: u8 = 21;

/// What goes from a block that ends before band `end` to the next.
pub(super) fn encode_message(message: &Message, end: BandIndex) -> Vec<u8> {
    let mut out = Vec::new();
    match message {
        Message::Started(corner, diagonals) => {
            out.push(STARTED);
            put(&mut out, end.0);
            corner.save(&mut out);
            put(&mut out, diagonals.len() as u64);
            for (first, values) in diagonals {
                put(&mut out, first.0);
                put(&mut out, values.len() as u64);
                values.iter().for_each(|p| put(&mut out, p.0));
            }
        }
        Message::Groups(groups) => {
            out.push(GROUPS);
            put(&mut out, groups.len() as u64);
            for group in groups {
                group.send(&mut out);
            }
        }
        Message::Finished(rows) => {
            out.push(FINISHED);
            put(&mut out, rows.len() as u64);
            for (first, rows) in rows {
                put(&mut out, first.0);
                put(&mut out, rows.len() as u64);
                rows.iter().for_each(|row| put_row(&mut out, row));
            }
        }
    }
    out
}

pub(super) fn decode_message(
    kind: u8,
    source: &mut Source<impl Read>,
    frame: Frame,
) -> io::Result<Message> {
    match kind {
        STARTED => {
            let band = BandIndex(source.number()?);
            let corner = Corner::restore(source, band, frame.windows)?;
            let diagonals = (0..source.number()?).map(|_| {
                let first = RowIndex(source.number()?);
                let values = (0..source.number()?).map(|_| source.number().map(Number));
                Ok((first, Arc::new(values.collect::<io::Result<_>>()?)))
            });
            Ok(Message::Started(corner, diagonals.collect::<io::Result<_>>()?))
        }
        GROUPS => {
            let groups = (0..source.number()?).map(|_| Group::receive(source, frame).map(Box::new));
            Ok(Message::Groups(groups.collect::<io::Result<_>>()?))
        }
        FINISHED => {
            let rows = (0..source.number()?).map(|_| {
                let first = RowIndex(source.number()?);
                let count = source.number()?;
                let rows = (0..count).map(|i| source.row(first + i));
                Ok((first, Arc::new(rows.collect::<io::Result<_>>()?)))
            });
            Ok(Message::Finished(rows.collect::<io::Result<_>>()?))
        }
        _ => Err(invalid("it is of no kind")),
    }
}

pub(super) fn encode_words(reader: BlockIndex, run: &Run) -> Vec<u8> {
    let mut out = Vec::with_capacity(25 + 64 * run.words.len());
    out.push(WORDS);
    for number in [reader.0, run.source.0, run.words.len() as u64] {
        put(&mut out, number);
    }
    run.words.iter().for_each(|word| put_eight(&mut out, word));
    out
}

pub(super) fn decode_words(source: &mut Source<impl Read>) -> io::Result<(BlockIndex, Run)> {
    let (reader, from, count) = (source.number()?, source.number()?, source.number()?);
    let words = (0..count).map(|_| source.eight()).collect::<io::Result<Vec<_>>>()?;
    let words = Arc::new(words);
    Ok((BlockIndex(reader), Run { source: BlockIndex(from), words, is_on_disk: false }))
}

pub(super) fn encode_rows(rows: &[RowRecord], done: Done) -> Vec<u8> {
    let mut out = vec![ROWS];
    let first = rows.first().map_or(0, RowRecord::row);
    for number in [first, rows.len() as u64, done.rows, done.cells, done.fallbacks] {
        put(&mut out, number);
    }
    for row in rows {
        put_row(&mut out, row);
    }
    out
}

pub(super) fn decode_rows(source: &mut Source<impl Read>) -> io::Result<(Vec<RowRecord>, Done)> {
    let (first, count) = (RowIndex(source.number()?), source.number()?);
    let (rows, cells, fallbacks) = (source.number()?, source.number()?, source.number()?);
    let found = (0..count).map(|i| source.row(first + i)).collect::<io::Result<_>>()?;
    Ok((found, Done { rows, cells, fallbacks }))
}
