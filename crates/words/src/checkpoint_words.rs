//! The words of a checkpoint: their source, and their bytes.

use crate::disk::FileState;
use std::io;
use sweep::band::pipeline::{Batch, BlockIndex, put, put_eight};

/// The source of the words of a checkpoint.
pub trait CheckpointWords: Sync {
    /// A checkpoint above block `boundary` will be made, and this block has not begun. From now on,
    /// keeps the words that this block and those below it store for later ones.
    fn keep(&self, boundary: BlockIndex);

    /// Writes these words, each batch by [`encode_batch`], by reader, then by source. All rows up
    /// to the boundary have been found. If words can wait in files, writes none, and returns the
    /// files that have them.
    ///
    /// # Errors
    /// If they cannot be gathered or written.
    fn write(
        &self,
        boundary: BlockIndex,
        write: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<Vec<FileState>>;

    /// The checkpoint has been written, or has failed. From now on, runs resume with block
    /// `needed`, if given, or later ones.
    fn forget(&self, boundary: BlockIndex, needed: Option<BlockIndex>);
}

/// Takes the next batch, whose words can be in several pieces, and encodes it: its reader, its
/// source, the number of words, and the words.
pub fn encode_batch(
    words: &mut std::iter::Peekable<impl Iterator<Item = (BlockIndex, Batch)>>,
) -> Option<Vec<u8>> {
    let (reader, Batch { source, words: first }) = words.next()?;
    let mut pieces = vec![first];
    while let Some((_, next)) = words.next_if(|next| next.0 == reader && next.1.source == source) {
        pieces.push(next.words);
    }
    let mut bytes = Vec::new();
    let count = pieces.iter().map(|piece| piece.len() as u64).sum();
    for number in [reader.0, source.0, count] {
        put(&mut bytes, number);
    }
    pieces.iter().flat_map(|piece| piece.iter()).for_each(|word| put_eight(&mut bytes, word));
    Some(bytes)
}
