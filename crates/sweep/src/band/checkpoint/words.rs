//! The words of a checkpoint, from all processes that have some.
//!
//! They are in the order of their readers, and each reader is of one process. So whoever writes
//! takes, again and again, what is for the lowest reader that is left. Its own words are at hand,
//! and those of each other process come in pieces, of which it has no more than two at a time.

use crate::band::{
    codec::{Source, invalid, put, put_eight},
    post::{FileState, Run},
    units::BlockIndex,
};
use std::{io, iter::Peekable, sync::mpsc::Receiver, vec};

/// Bytes of a piece, or a few more.
const PIECE: usize = 1 << 18;

/// What the other processes that share a run have to do for a checkpoint above a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToOthers {
    /// Before the block begins: to keep what it and those below it have posted.
    Keep(BlockIndex),
    /// One of them: to give the next piece of it.
    Give(usize, BlockIndex),
    /// To keep it no longer. A run may go on with the second block, if given, and with none before.
    Forget(BlockIndex, Option<BlockIndex>),
}

/// Tells them.
pub(crate) type Tell = dyn Fn(ToOthers) + Send + Sync;

/// Words that wait.
pub(crate) struct Words {
    /// Those in the memory of this process, by reader and source, but for those that are in files
    /// or will be.
    pub(crate) own: Vec<(BlockIndex, Run)>,
    /// The other processes, each with pieces as [`Encoded`] makes them, up to an empty one; or, if
    /// words may wait in files, with what [`encode_files`] makes.
    pub(crate) others: Vec<(usize, Receiver<Vec<u8>>)>,
}

/// Why not all of them could be handed on.
pub(super) enum Broken {
    /// The run has ended.
    RunEnded,
    Failed(io::Error),
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

impl Words {
    /// The files of the other processes, which have all their words.
    pub(super) fn files_of_others(self) -> Result<Vec<FileState>, Broken> {
        let mut files = Vec::new();
        for (_, answers) in self.others {
            files.extend(decode_files(&answers.recv().map_err(|_| Broken::RunEnded)?)?);
        }
        Ok(files)
    }

    /// Hands on those that are in memory, in their order: what is handed on is
    /// freed, unless somebody else needs it. `ask` asks another process for its next piece.
    pub(super) fn each(
        self,
        ask: &dyn Fn(usize),
        mut write: impl FnMut(&[u8]) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
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
                Some((_, None)) => write(&own.next_run().expect("it has a reader"))?,
                Some((reader, Some(place))) => {
                    let other = &mut others[place];
                    while other.reader()? == Some(reader) {
                        write(other.next_run()?)?;
                    }
                }
            }
        }
    }
}

/// The files of a process, or why it cannot write them.
pub(crate) fn encode_files(files: &io::Result<Vec<FileState>>) -> Vec<u8> {
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
            let mut source = Source(&mut files);
            let mut all = Vec::new();
            while !source.0.is_empty() {
                all.push(FileState::restore(&mut source)?);
            }
            Ok(all)
        }
        Some((1, problem)) => Err(io::Error::other(String::from_utf8_lossy(problem))),
        _ => Err(invalid("what another process has sent are no files")),
    }
}

/// Words as a checkpoint has them: each run with its reader, its source, and how many they are.
pub(crate) struct Encoded(Peekable<vec::IntoIter<(BlockIndex, Run)>>);

impl Encoded {
    /// Of these, which are by reader, then by source.
    pub(crate) fn new(words: Vec<(BlockIndex, Run)>) -> Self {
        Self(words.into_iter().peekable())
    }

    /// The next run, all of it, whose words may be in several pieces.
    fn next_run(&mut self) -> Option<Vec<u8>> {
        let (reader, Run { source, words, .. }) = self.0.next()?;
        let mut run = vec![words];
        while let Some((_, next)) =
            self.0.next_if(|next| next.0 == reader && next.1.source == source)
        {
            run.push(next.words);
        }
        let mut bytes = Vec::new();
        let count = run.iter().map(|piece| piece.len() as u64).sum();
        for number in [reader.0, source.0, count] {
            put(&mut bytes, number);
        }
        run.iter().flat_map(|piece| piece.iter()).for_each(|word| put_eight(&mut bytes, word));
        Some(bytes)
    }

    fn reader(&mut self) -> Option<BlockIndex> {
        self.0.peek().map(|(reader, _)| *reader)
    }

    /// The next runs; nothing, when there are no more.
    pub(crate) fn piece(&mut self) -> Vec<u8> {
        let mut piece = Vec::new();
        while piece.len() < PIECE
            && let Some(run) = self.next_run()
        {
            piece.extend(run);
        }
        piece
    }
}

/// The words of another process.
struct Pieces<'a> {
    part: usize,
    incoming: Receiver<Vec<u8>>,
    /// The last piece that has come.
    last: Option<Vec<u8>>,
    /// So much of it has been taken.
    at: usize,
    ask: &'a dyn Fn(usize),
}

impl Pieces<'_> {
    /// What of the piece has not been taken; waits for the next piece if that is nothing. Nothing
    /// at the end.
    fn rest(&mut self) -> Result<&[u8], Broken> {
        if self.last.as_ref().is_none_or(|piece| self.at == piece.len() && self.at > 0) {
            let piece = self.incoming.recv().map_err(|_| Broken::RunEnded)?;
            if !piece.is_empty() {
                (self.ask)(self.part);
            }
            (self.last, self.at) = (Some(piece), 0);
        }
        Ok(self.last.as_ref().map_or(&[], |piece| &piece[self.at..]))
    }

    /// The reader of the next run.
    fn reader(&mut self) -> Result<Option<BlockIndex>, Broken> {
        let rest = self.rest()?;
        Ok(if rest.is_empty() { None } else { Some(BlockIndex(Source(rest).number()?)) })
    }

    /// The next run.
    fn next_run(&mut self) -> Result<&[u8], Broken> {
        let rest = self.rest()?;
        let mut source = Source(rest);
        let [_, _, count] = [source.number()?, source.number()?, source.number()?];
        let bytes = usize::try_from(count)
            .ok()
            .and_then(|count| count.checked_mul(64)?.checked_add(24))
            .filter(|&bytes| bytes <= rest.len())
            .ok_or_else(|| invalid("what another process has sent are no words"))?;
        self.at += bytes;
        let end = self.at;
        Ok(self.last.as_ref().map_or(&[], |piece| &piece[end - bytes..end]))
    }
}
