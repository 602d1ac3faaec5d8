//! The name of a file of words, its length and its hash.

use std::io::{self, Read};
use sweep::band::pipeline::{BlockIndex, Decoder, put};

/// The place of a file in the folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// In the folder itself.
    #[default]
    Whole,
    /// In the subfolder of one of several processes, by its number.
    OfPart(u64),
}

impl Place {
    /// Its number in a file.
    fn number(self) -> u64 {
        match self {
            Self::Whole => 0,
            Self::OfPart(part) => part + 1,
        }
    }

    fn of_number(number: u64) -> Self {
        number.checked_sub(1).map_or(Self::Whole, Self::OfPart)
    }

    /// The place with this name.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        let place = Self::OfPart(name.strip_prefix("rank-")?.parse().ok()?);
        (place.name() == name).then_some(place)
    }

    pub(super) fn name(self) -> String {
        match self {
            Self::Whole => String::new(),
            Self::OfPart(part) => format!("rank-{part:04}"),
        }
    }
}

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
        put(out, self.place.number() << PLACE | self.reader.0);
        put(out, self.bytes);
        put(out, self.hash);
    }

    /// Reads what [`Self::save`] has appended.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn restore(source: &mut Decoder<impl Read>) -> io::Result<Self> {
        let (place, bytes) = (source.number()?, source.number()?);
        let (place, reader) = (place >> PLACE, BlockIndex(place & ((1 << PLACE) - 1)));
        Ok(Self { place: Place::of_number(place), reader, bytes, hash: source.number()? })
    }
}
