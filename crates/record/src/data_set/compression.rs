//! Large segments are compressed: with all offsets (`--full`) they reach gigabytes.
//!
//! Hashes are of the text, so how it was compressed matters to nobody.

use std::io::{self, Read};

/// A segment whose text is longer than this is compressed: 8 MiB.
pub const LARGE_TEXT: usize = 8 << 20;

/// A text is at most this many times as long as its compressed form. Offsets are far from that: each
/// has an entropy of about a bit. What is beyond was made to fill a reader's memory.
pub(super) const LARGEST_RATIO: u64 = 256;

/// The compressed form of a large text.
pub(super) fn pack_if_large(text: &str) -> Option<Vec<u8>> {
    if text.len() <= LARGE_TEXT {
        return None;
    }
    let packed = zstd::encode_all(text.as_bytes(), 0).ok()?;
    (text.len() as u64 <= packed.len() as u64 * LARGEST_RATIO).then_some(packed)
}

/// The text, if it is one and of decent length.
pub(super) fn unpack(packed: &[u8]) -> io::Result<String> {
    let longest = packed.len() as u64 * LARGEST_RATIO;
    let mut text = String::new();
    zstd::Decoder::new(packed)?.take(longest + 1).read_to_string(&mut text)?;
    if text.len() as u64 > longest {
        let words = format!("its text is more than {LARGEST_RATIO} times as long as the file");
        return Err(io::Error::new(io::ErrorKind::InvalidData, words));
    }
    Ok(text)
}
