//! The words and files with which a store deals.

use super::state::Place;
use sweep::band::pipeline::BlockIndex;

/// The version of a file. It must be raised whenever the file or its meaning changes: bands,
/// groups, windows or anchors.
pub(crate) const VERSION: u64 = 8;

/// The words and files of a run with which a store deals. By default all of them.
pub trait StoreScope: Send + Sync {
    /// Whether the store keeps the words for this reader.
    fn keeps(&self, _reader: BlockIndex) -> bool {
        true
    }

    /// The place where it writes files.
    fn place(&self) -> Place {
        Place::FOLDER
    }

    /// Whether it removes files that nobody needs from this place.
    fn cleans(&self, _place: Place) -> bool {
        true
    }

    /// The bytes of words that the run may have in these places, if it has `all` bytes on disk.
    fn bytes_in(&self, _places: &[Place], all: u64) -> u64 {
        all
    }

    /// The version of a checkpoint that has its words in files.
    fn version(&self) -> u64 {
        VERSION
    }
}

/// All words and files of a run.
pub(crate) struct Everything;

impl StoreScope for Everything {}

impl Default for Box<dyn StoreScope> {
    fn default() -> Self {
        Box::new(Everything)
    }
}
