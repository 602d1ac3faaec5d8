//! Large segments are compressed: with all offsets (`--full`) they reach gigabytes.
//!
//! Hashes are of the text, so it does not matter how the text was compressed, if the file is one
//! Zstandard frame and nothing else. The frame must be the whole file, because no hash covers bytes
//! that a reader would skip.

use std::io::{self, BufRead, Read, Write};

use files::invalid;
use zstd::zstd_safe::get_frame_content_size;

/// A segment whose text is longer than this is compressed: 8 MiB.
pub const LARGE_TEXT: usize = 8 << 20;

/// A text is at most this many times as long as its compressed form. Offsets are far from that:
/// each has an entropy of about a bit. A file with a larger ratio was made to exhaust the memory of
/// a reader.
pub(super) const LARGEST_RATIO: u64 = 256;

/// The first bytes of a Zstandard frame. Frames that a decoder skips begin otherwise.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The compressed form of a large text: one frame, whose header tells the text's length.
pub(super) fn pack_if_large(text: &str) -> Option<Vec<u8>> {
    if text.len() <= LARGE_TEXT {
        return None;
    }
    let packed = pack(text.as_bytes()).ok()?;
    (text.len() as u64 <= packed.len() as u64 * LARGEST_RATIO).then_some(packed)
}

fn pack(text: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 0)?;
    encoder.set_pledged_src_size(Some(text.len() as u64))?;
    encoder.write_all(text)?;
    encoder.finish()
}

/// The text of one frame, as it is read.
pub(super) struct Unpacked<R: BufRead> {
    decoder: zstd::Decoder<'static, R>,
    /// The number of bytes that may follow.
    left: u64,
}

impl<R: BufRead> Unpacked<R> {
    /// The text in a file of `length` bytes.
    ///
    /// Early files of this format do not state the length of the text. Then the ratio bounds it.
    pub(super) fn new(mut packed: R, length: u64) -> io::Result<Self> {
        let left = length.saturating_mul(LARGEST_RATIO);
        let start = packed.fill_buf()?;
        if !start.starts_with(&MAGIC) {
            return Err(invalid("it does not begin with a Zstandard frame"));
        }
        let announced = get_frame_content_size(start);
        match announced.map_err(|_| invalid("its Zstandard frame is cut short"))? {
            Some(announced) if announced > left => Err(too_long()),
            _ => Ok(Self { decoder: zstd::Decoder::with_buffer(packed)?.single_frame(), left }),
        }
    }
}

impl<R: BufRead> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.decoder.read(buffer)?;
        if read == 0 && !buffer.is_empty() && !self.decoder.get_mut().fill_buf()?.is_empty() {
            return Err(invalid("there is more in it than one Zstandard frame"));
        }
        self.left = self.left.checked_sub(read as u64).ok_or_else(too_long)?;
        Ok(read)
    }
}

fn too_long() -> io::Error {
    invalid(format!("its text is more than {LARGEST_RATIO} times as long as the file"))
}
