//! The words of a checkpoint, from all parts that have some.
//!
//! They are in the order of their readers, and each reader belongs to one part. So part 0
//! repeatedly takes the words of the lowest remaining reader. Its own words are in memory; those of
//! each other part come in pieces, at most two of them at a time.

use std::iter::Peekable;
use std::sync::mpsc::{Receiver, RecvError, Sender};
use std::{io, vec};
use sweep::band::pipeline::{Batch, BlockIndex, Decoder, invalid};
use words::parts::{FileState, encode_batch};

/// Bytes of a piece, or a few more.
const PIECE: usize = 1 << 18;

/// A request for the words above a block, and the channel for them.
pub(super) type Request = (BlockIndex, Sender<Gathered>);

/// Words that wait in memory.
pub(super) struct Gathered {
    /// Those of this part, by reader, then by source.
    pub(super) own: Vec<(BlockIndex, Batch)>,
    /// The other parts, each with pieces by [`Encoded`], up to an empty one; or, if words can wait
    /// in files, with the answer of [`encode_files`].
    pub(super) others: Vec<(usize, Receiver<Vec<u8>>)>,
}

/// The error if a part sends nothing more.
pub(super) fn ended(_: RecvError) -> io::Error {
    io::Error::other("the run has ended")
}

impl Gathered {
    /// The files of the other parts, with all their words.
    pub(super) fn files_of_others(self) -> io::Result<Vec<FileState>> {
        let mut files = Vec::new();
        for (_, answers) in self.others {
            files.extend(decode_files(&answers.recv().map_err(ended)?)?);
        }
        Ok(files)
    }

    /// Writes the words in their order. `ask` requests the next piece of another part.
    pub(super) fn write(
        self,
        ask: &dyn Fn(usize),
        write: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut own = Encoded::new(self.own);
        let of_other = |(part, incoming)| Pieces { part, incoming, last: None, at: 0, ask };
        let mut others: Vec<_> = self.others.into_iter().map(of_other).collect();
        loop {
            let mut lowest = own.reader().map(|reader| (reader, None));
            for (place, other) in others.iter_mut().enumerate() {
                if let Some(reader) = other.reader()?
                    && lowest.is_none_or(|(lowest, _)| reader < lowest)
                {
                    lowest = Some((reader, Some(place)));
                }
            }
            match lowest {
                None => return Ok(()),
                Some((_, None)) => write(&own.next_batch().expect("it has a reader"))?,
                Some((reader, Some(place))) => {
                    let other = &mut others[place];
                    while other.reader()? == Some(reader) {
                        write(other.next_batch()?)?;
                    }
                }
            }
        }
    }
}

/// Encodes the files of a part, or the error with which it cannot write them.
pub(super) fn encode_files(files: &io::Result<Vec<FileState>>) -> Vec<u8> {
    match files {
        Ok(files) => {
            let mut out = vec![0];
            for file in files {
                file.save(&mut out);
            }
            out
        }
        Err(error) => [&[1], error.to_string().as_bytes()].concat(),
    }
}

fn decode_files(answer: &[u8]) -> io::Result<Vec<FileState>> {
    match answer.split_first() {
        Some((0, mut files)) => {
            let mut source = Decoder(&mut files);
            let mut all = Vec::new();
            while !source.0.is_empty() {
                all.push(FileState::restore(&mut source)?);
            }
            Ok(all)
        }
        Some((1, problem)) => Err(io::Error::other(String::from_utf8_lossy(problem))),
        _ => Err(invalid("another part has sent an invalid list of files")),
    }
}

/// Encodes words for a checkpoint.
pub(super) struct Encoded(Peekable<vec::IntoIter<(BlockIndex, Batch)>>);

impl Encoded {
    /// These words, which are ordered by reader, then by source.
    pub(super) fn new(words: Vec<(BlockIndex, Batch)>) -> Self {
        Self(words.into_iter().peekable())
    }

    fn next_batch(&mut self) -> Option<Vec<u8>> {
        encode_batch(&mut self.0)
    }

    fn reader(&mut self) -> Option<BlockIndex> {
        self.0.peek().map(|(reader, _)| *reader)
    }

    /// The next batches; empty at the end.
    pub(super) fn piece(&mut self) -> Vec<u8> {
        let mut piece = Vec::new();
        while piece.len() < PIECE
            && let Some(batch) = self.next_batch()
        {
            piece.extend(batch);
        }
        piece
    }
}

/// The words of another part.
struct Pieces<'a> {
    part: usize,
    incoming: Receiver<Vec<u8>>,
    /// The last piece received.
    last: Option<Vec<u8>>,
    /// The number of its bytes that have been taken.
    at: usize,
    ask: &'a dyn Fn(usize),
}

impl Pieces<'_> {
    /// The rest of the piece; waits for the next piece if nothing is left. Empty at the end.
    fn rest(&mut self) -> io::Result<&[u8]> {
        if self.last.as_ref().is_none_or(|piece| self.at == piece.len() && self.at > 0) {
            let piece = self.incoming.recv().map_err(ended)?;
            if !piece.is_empty() {
                (self.ask)(self.part);
            }
            (self.last, self.at) = (Some(piece), 0);
        }
        Ok(self.last.as_ref().map_or(&[], |piece| &piece[self.at..]))
    }

    /// The reader of the next batch.
    fn reader(&mut self) -> io::Result<Option<BlockIndex>> {
        let rest = self.rest()?;
        Ok(if rest.is_empty() { None } else { Some(BlockIndex(Decoder(rest).number()?)) })
    }

    /// The next batch.
    fn next_batch(&mut self) -> io::Result<&[u8]> {
        let rest = self.rest()?;
        let mut source = Decoder(rest);
        let [_, _, count] = [source.number()?, source.number()?, source.number()?];
        let bytes = usize::try_from(count)
            .ok()
            .and_then(|count| count.checked_mul(64)?.checked_add(24))
            .filter(|&bytes| bytes <= rest.len())
            .ok_or_else(|| invalid("another part has sent invalid words"))?;
        self.at += bytes;
        let end = self.at;
        Ok(self.last.as_ref().map_or(&[], |piece| &piece[end - bytes..end]))
    }
}
