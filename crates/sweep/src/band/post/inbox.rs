//! What a block reads.

use super::{
    office::Office,
    runs::{Run, emptied},
};
use crate::{
    band::{
        simd::{Eight, prefetch},
        units::BlockIndex,
    },
    error::SweepError,
    units::index,
};
use std::{collections::VecDeque, sync::Arc};

/// So many buffers are given back at a time.
const SPARE: usize = 16;

/// The words that are posted to one block. Those of one source come in the order in which they were
/// posted, which is that of the groups, and within a group that of the words.
#[derive(Debug)]
pub(crate) struct Inbox<'a> {
    office: &'a Office,
    reader: BlockIndex,
    sources: Vec<Source>,
    /// Buffers that have been read.
    spare: Vec<Vec<Eight>>,
    /// Words that another process was to post did not come, and will not.
    gave_up: bool,
}

/// What has come from one source, and has not been read.
#[derive(Clone, Debug, Default)]
struct Source {
    pieces: VecDeque<Arc<Vec<Eight>>>,
    /// So many words of the first piece have been read: not all.
    read: usize,
}

impl<'a> Inbox<'a> {
    /// For block `reader`. Waits for words that are on disk.
    pub(crate) fn open(reader: BlockIndex, office: &'a Office) -> Result<Self, SweepError> {
        office.begin(reader)?;
        let sources = vec![Source::default(); index(reader.0)];
        Ok(Self { office, reader, sources, spare: Vec::new(), gave_up: false })
    }

    /// Takes the next words from this source. Waits for those of another process; if it is gone,
    /// [gives up](Self::gave_up).
    ///
    /// # Panics
    /// If there are not as many: they are posted before their groups go on their way.
    #[inline]
    pub(crate) fn take(&mut self, source: BlockIndex, mut words: &mut [Eight]) {
        while !words.is_empty() {
            let taken = self.sources[index(source.0)].take(words, &mut self.spare);
            if taken == 0 && !self.collect(source) {
                return;
            }
            words = &mut words[taken..];
        }
        if self.spare.len() >= SPARE {
            self.office.recycle(self.spare.drain(..));
        }
    }

    /// Whether words that are wanted will not come: what has been taken since is not right.
    pub(crate) fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// Looks for more from this source. Says whether there is.
    #[cold]
    fn collect(&mut self, source: BlockIndex) -> bool {
        loop {
            self.collect_all();
            if !self.sources[index(source.0)].pieces.is_empty() {
                return true;
            }
            if !self.office.wait_for(self.reader) {
                assert!(self.office.is_closed(), "a word is posted before its group goes on");
                self.gave_up = true;
                return false;
            }
        }
    }

    fn collect_all(&mut self) {
        self.office.recycle(self.spare.drain(..));
        for Run { source, words, .. } in self.office.take(self.reader) {
            self.sources[index(source.0)].pieces.push_back(words);
        }
    }

    /// Whether all has been read that was posted.
    pub(crate) fn is_empty(&mut self) -> bool {
        self.collect_all();
        self.sources.iter().all(|source| source.pieces.is_empty())
    }
}

impl Source {
    /// Takes as many words as there are, if there are too few; says how many.
    #[inline]
    fn take(&mut self, words: &mut [Eight], spare: &mut Vec<Vec<Eight>>) -> usize {
        let Some(piece) = self.pieces.front() else { return 0 };
        let rest = &piece[self.read..];
        let taken = rest.len().min(words.len());
        words[..taken].copy_from_slice(&rest[..taken]);
        rest[taken..].iter().take(2 * taken).for_each(prefetch);
        self.read += taken;
        if self.read == piece.len() {
            let piece = self.pieces.pop_front().expect("it is the front");
            // Unless a checkpoint has it, too.
            spare.extend(Arc::into_inner(piece).and_then(emptied));
            self.read = 0;
        }
        taken
    }
}
