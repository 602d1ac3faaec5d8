//! Numbers of messages, which detect lost, repeated and misordered messages: V12 of
//! proofs/sweep.md, 7.4.
//!
//! Before its last byte, a message has the number of earlier messages from its rank to the same
//! receiver; 1 follows 2^32 - 1. The first message has none: its [form](super::build) never
//! changes.

use crate::parts::Buffer;
use bytes::Bytes;

/// Bytes of a number.
const BYTES: usize = size_of::<u32>();

/// The numbers of the next messages that a rank sends to each other one.
#[derive(Debug, Default)]
pub struct Numbers(Vec<u32>);

impl Numbers {
    /// Numbers the next message to a rank, which has at least one byte. A transport calls this in
    /// the order in which messages leave.
    pub fn put(&mut self, to: usize, message: &mut Buffer) {
        if self.0.len() <= to {
            self.0.resize(to + 1, 0);
        }
        let count = &mut self.0[to];
        if *count > 0 {
            let last = message.pop();
            message.extend(count.to_le_bytes());
            message.extend(last);
        }
        *count = next(*count);
    }
}

/// Takes the number from a message whose last byte has been taken.
pub(super) fn take(message: &mut Bytes) -> Option<u32> {
    let number = *message.last_chunk::<BYTES>()?;
    message.truncate(message.len() - BYTES);
    Some(u32::from_le_bytes(number))
}

/// The number after this one.
pub(super) fn next(number: u32) -> u32 {
    number.checked_add(1).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_numbered_for_each_rank() {
        let mut numbers = Numbers::default();
        let mut put = |to: usize| {
            let mut message = Buffer::from(vec![7, 8, 9]);
            numbers.put(to, &mut message);
            message.to_vec()
        };
        assert_eq!((put(2), put(0)), (vec![7, 8, 9], vec![7, 8, 9]));
        assert_eq!(put(2), [7, 8, 1, 0, 0, 0, 9]);
        assert_eq!(put(0), [7, 8, 1, 0, 0, 0, 9]);
        let mut message = Bytes::from(put(2)).slice(..6);
        assert_eq!((take(&mut message), &message[..]), (Some(2), &[7, 8][..]));
        assert_eq!(take(&mut message), None);
        assert_eq!((next(0), next(7), next(u32::MAX)), (1, 8, 1));
    }
}
