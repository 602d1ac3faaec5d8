//! The number and the hash of the positions with the same length of row 1.

/// The P-positions with a length of row 1, counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerCount {
    /// The length.
    pub first: u16,
    /// The number of P-positions.
    pub count: u64,
    /// Their hash: the BLAKE3 hash of these bytes. For each length of row 2, from 0 to the length
    /// of row 1, the lengths of rows 3 to m of each position in lexicographic order, and 65 535
    /// after the last one; each number 16 bits, little-endian.
    pub hash: [u8; 32],
}

/// The mark after the positions of a length of row 2 in the bytes that are hashed; never a length.
const END: u16 = u16::MAX;

/// The hash takes the bytes in pieces of about this size, in the cache.
const HASHED_AT_ONCE: usize = 1 << 14;

/// About the bytes of a [`Summary`].
pub(super) const SUMMARY: u64 = 3 * HASHED_AT_ONCE as u64;

/// The count and the hash of the positions that were taken.
#[derive(Clone, Debug)]
pub(super) struct Summary {
    first: u16,
    /// The rows after row 2.
    lengths: usize,
    count: u64,
    hasher: blake3::Hasher,
    bytes: Vec<u8>,
}

impl Summary {
    /// Of positions with this length of row 1, and this number of rows after row 2.
    pub(super) fn new(first: u16, lengths: usize) -> Self {
        Self { first, lengths, count: 0, hasher: blake3::Hasher::new(), bytes: Vec::new() }
    }

    pub(super) fn first(&self) -> u16 {
        self.first
    }

    /// Takes the positions with the next length of row 2, by the lengths of the rows after it.
    pub(super) fn add(&mut self, lower: &[u16]) {
        self.count += (lower.len() / self.lengths) as u64;
        self.bytes.extend(lower.iter().chain(&[END]).flat_map(|length| length.to_le_bytes()));
        if self.bytes.len() >= HASHED_AT_ONCE {
            self.hasher.update(&self.bytes);
            self.bytes.clear();
        }
    }

    pub(super) fn end(mut self) -> LayerCount {
        self.hasher.update(&self.bytes);
        let hash = self.hasher.finalize().into();
        LayerCount { first: self.first, count: self.count, hash }
    }
}
