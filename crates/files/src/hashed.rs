//! Files that end with the BLAKE3 hash of all bytes before it.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};

use crate::{invalid, stoppable};

/// The bytes of the hash.
pub const HASH: u64 = blake3::OUT_LEN as u64;

/// Hashes all bytes that are written.
pub struct Hashing<W: Write> {
    out: BufWriter<W>,
    hasher: blake3::Hasher,
}

impl<W: Write> Hashing<W> {
    /// A file without bytes.
    pub fn new(out: W) -> Self {
        Self { out: BufWriter::with_capacity(1 << 20, out), hasher: blake3::Hasher::new() }
    }

    /// The number of bytes so far.
    pub fn count(&self) -> u64 {
        self.hasher.count()
    }

    /// Writes the hash. Returns the file and the hash in hexadecimal digits.
    ///
    /// # Errors
    /// The error of the operating system.
    pub fn finish(mut self) -> io::Result<(W, String)> {
        let hash = self.hasher.finalize();
        self.out.write_all(hash.as_bytes())?;
        Ok((self.out.into_inner()?, hash.to_string()))
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The number of bytes before the hash of a file of this length, and the hash in hexadecimal
/// digits. All of it is read, unless it is to stop.
///
/// # Errors
/// [`io::ErrorKind::InvalidData`] if the hash is another one; the error of [`stoppable`].
pub fn verify_hash(
    file: &mut File,
    length: u64,
    stop: impl Fn() -> bool,
) -> io::Result<(u64, String)> {
    let end = length.checked_sub(HASH).ok_or_else(|| invalid("it is too short"))?;
    file.rewind()?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(stoppable(&*file, stop).take(end))?;
    let mut expected = [0; blake3::OUT_LEN];
    file.read_exact(&mut expected)?;
    let hash = hasher.finalize();
    if hash == expected {
        Ok((end, hash.to_string()))
    } else {
        Err(invalid("its hash does not fit"))
    }
}
