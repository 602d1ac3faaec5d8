//! The name of a file of words, its length and its hash.

use std::io::{self, Read};
use sweep::band::pipeline::{BlockIndex, Decoder, put};

/// The place of files in the folder of words: 0 for the folder itself, and n + 1 for its subfolder
/// n. Processes that share a run have a subfolder each. Any run can resume from their checkpoint
/// (version 9), so their files are found here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place(u64);

impl Place {
    /// The folder itself.
    pub const FOLDER: Self = Self(0);

    /// Subfolder n.
    #[cfg(feature = "ranks")]
    #[must_use]
    pub fn subfolder(n: u64) -> Self {
        Self(n + 1)
    }

    /// The number of a subfolder; `None` for the folder itself.
    #[must_use]
    pub fn number(self) -> Option<u64> {
        self.0.checked_sub(1)
    }

    /// The subfolder with exactly this name.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        let number: u64 = name.strip_prefix(SUBFOLDER)?.parse().ok()?;
        let place = Self(number.checked_add(1)?);
        (place.name().as_deref() == Some(name)).then_some(place)
    }

    /// The name of a subfolder.
    pub(super) fn name(self) -> Option<String> {
        self.number().map(|number| format!("{SUBFOLDER}{number:04}"))
    }
}

/// The beginning of the name of a subfolder, before its number in at least four digits.
const SUBFOLDER: &str = "rank-";

/// The bits of a file's number from this one on have its place.
const PLACE: u32 = 32;

/// A file of words, as a checkpoint describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileState {
    pub(crate) place: Place,
    /// The reader of its words.
    pub(crate) reader: BlockIndex,
    pub(crate) bytes: u64,
    /// The hash of the last part.
    pub(crate) hash: u64,
}

impl FileState {
    /// The number of bytes that [`Self::save`] appends.
    pub(crate) const BYTES: u64 = 3 * 8;

    /// A file that does not exist yet.
    pub(crate) fn empty(place: Place, reader: BlockIndex) -> Self {
        Self { place, reader, bytes: 0, hash: 0 }
    }

    /// Appends it.
    pub fn save(&self, out: &mut Vec<u8>) {
        put(out, self.place.0 << PLACE | self.reader.0);
        put(out, self.bytes);
        put(out, self.hash);
    }

    /// Reads the output of [`Self::save`].
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn restore(source: &mut Decoder<impl Read>) -> io::Result<Self> {
        let (number, bytes) = (source.number()?, source.number()?);
        let (place, reader) = (Place(number >> PLACE), BlockIndex(number & ((1 << PLACE) - 1)));
        Ok(Self { place, reader, bytes, hash: source.number()? })
    }
}
