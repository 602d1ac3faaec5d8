//! What goes from one worker to the next, and how.

use crate::{
    band::{group::Group, walk::Corner},
    row::Row,
};
use std::sync::{
    Arc,
    mpsc::{Receiver, Sender, channel},
};

/// What a block hands to the next one, in this order.
pub(super) enum Message {
    /// Its last band has started. The diagonal values are those of the last blocks.
    Started(Corner, Baton<u64>),
    /// Its last band is done with these groups, consecutive from message to message.
    Groups(Vec<Box<Group>>),
    /// All its rows are finished. The rows are those of the last blocks.
    Finished(Baton<Row>),
}

/// What the last blocks have found, each with its first row: as many as there are workers, so that
/// everyone hears of every block.
pub(super) type Baton<T> = Vec<(u64, Arc<Vec<T>>)>;

/// The channels from each worker to the next, in a ring, with the first worker's first messages.
pub(super) fn ring(
    workers: usize,
    first: [Message; 3],
) -> Vec<(Receiver<Message>, Sender<Message>)> {
    let (mut senders, receivers): (Vec<_>, Vec<_>) = (0..workers).map(|_| channel()).unzip();
    for message in first {
        senders[0].send(message).expect("the receiver is here");
    }
    senders.rotate_left(1);
    receivers.into_iter().zip(senders).collect()
}

/// Adds what a block has found, and leaves what the workers may still need.
pub(super) fn pass_on<T>(baton: &mut Baton<T>, first: u64, found: Vec<T>, workers: usize) {
    pass_on_shared(baton, first, Arc::new(found), workers);
}

pub(super) fn pass_on_shared<T>(
    baton: &mut Baton<T>,
    first: u64,
    found: Arc<Vec<T>>,
    workers: usize,
) {
    baton.push((first, found));
    let old = baton.len().saturating_sub(workers);
    baton.drain(..old);
}
