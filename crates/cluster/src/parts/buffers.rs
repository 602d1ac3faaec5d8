//! Reusable memory of messages.

use bytes::Bytes;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard};

/// Free buffers of one size. For large buffers, allocating and freeing takes nearly as long as
/// filling them.
#[derive(Clone, Debug)]
pub struct Buffers(Arc<Free>);

#[derive(Debug)]
struct Free {
    size: usize,
    most: usize,
    buffers: Mutex<Vec<Vec<u8>>>,
}

impl Free {
    fn buffers(&self) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.buffers.lock().expect("nobody panics while holding it")
    }
}

impl Buffers {
    /// Without buffers. Keeps at most `most` buffers of `size` bytes for later use.
    #[must_use]
    pub fn new(size: usize, most: usize) -> Self {
        Self(Arc::new(Free { size, most, buffers: Mutex::default() }))
    }

    /// An empty buffer.
    #[must_use]
    pub fn empty(&self) -> Buffer {
        let mut bytes = self.bytes();
        bytes.clear();
        Buffer { bytes, home: Some(self.clone()) }
    }

    /// A buffer of this many arbitrary bytes.
    #[must_use]
    pub fn filled(&self, bytes: usize) -> Buffer {
        let mut buffer = Buffer { bytes: self.bytes(), home: Some(self.clone()) };
        buffer.bytes.resize(bytes, 0);
        buffer
    }

    fn bytes(&self) -> Vec<u8> {
        self.0.buffers().pop().unwrap_or_else(|| Vec::with_capacity(self.0.size))
    }
}

/// Bytes of a message. When they are dropped, their memory can return to its [`Buffers`].
#[derive(Debug, Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    home: Option<Buffers>,
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let Some(Buffers(home)) = &self.home else { return };
        let mut free = home.buffers();
        if self.bytes.capacity() >= home.size && free.len() < home.most {
            free.push(std::mem::take(&mut self.bytes));
        }
    }
}

impl From<Vec<u8>> for Buffer {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes, home: None }
    }
}

impl From<Buffer> for Bytes {
    fn from(buffer: Buffer) -> Self {
        Self::from_owner(buffer)
    }
}

impl AsRef<[u8]> for Buffer {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Deref for Buffer {
    type Target = Vec<u8>;

    fn deref(&self) -> &Vec<u8> {
        &self.bytes
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_returns_empty() {
        let buffers = Buffers::new(100, 1);
        let mut first = buffers.empty();
        first.extend([7; 60]);
        let place = first.as_ptr();
        let bytes = Bytes::from(first);
        let (part, other) = (bytes.slice(50..), buffers.empty());
        drop(bytes);
        assert!(part.iter().all(|&byte| byte == 7) && part.len() == 10);
        assert_ne!(other.as_ptr(), place, "a part of it is still in use");
        drop(part);
        let again = buffers.empty();
        assert!(again.as_ptr() == place && again.is_empty());
        // Only one is kept.
        drop((again, other));
        let filled = buffers.filled(80);
        assert!(filled.as_ptr() == place && filled.len() == 80);
        assert_ne!(buffers.empty().as_ptr(), place);
    }
}
