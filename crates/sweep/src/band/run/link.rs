//! What goes from one worker to the next, and how.
//!
//! A worker sends to the next one, and the last to the first. A link keeps the order of its
//! messages, and a worker asks for nothing else: channels between threads are one link, and a queue
//! is another, from a worker to itself.

use crate::{
    band::{group::Group, walk::Corner},
    units::{Number, RowIndex},
};
use record::RowRecord;
use std::{
    cell::RefCell,
    collections::VecDeque,
    rc::Rc,
    sync::{
        Arc,
        mpsc::{Receiver, Sender, channel},
    },
};

/// What a block hands to the next one, in this order.
pub(super) enum Message {
    /// Its last band has started. The diagonal values are those of the last blocks.
    Started(Corner, Baton<Number>),
    /// Its last band is done with these groups, consecutive from message to message.
    Groups(Vec<Box<Group>>),
    /// All its rows are finished. The rows are those of the last blocks.
    Finished(Baton<RowRecord>),
}

/// What the last blocks have found, each with its first row: as many as there are workers, so that
/// everyone hears of every block.
pub(super) type Baton<T> = Vec<(RowIndex, Arc<Vec<T>>)>;

/// The end of a link that a worker reads.
pub(super) trait Receive {
    /// Waits for the next message; nothing, if there will be none.
    fn receive(&mut self) -> Option<Message>;

    /// The next message, if it has come.
    fn receive_now(&mut self) -> Option<Message>;
}

/// The end of a link that a worker writes.
pub(super) trait Transmit {
    /// Sends a message. If nobody is there any more, it is lost.
    fn transmit(&mut self, message: Message);
}

impl Receive for Receiver<Message> {
    fn receive(&mut self) -> Option<Message> {
        self.recv().ok()
    }

    fn receive_now(&mut self) -> Option<Message> {
        self.try_recv().ok()
    }
}

impl Transmit for Sender<Message> {
    fn transmit(&mut self, message: Message) {
        let _ = self.send(message);
    }
}

/// A link from a worker to itself. Whoever waits for more than it has sent has nothing to wait for.
#[derive(Clone, Default)]
pub(super) struct Queue(Rc<RefCell<VecDeque<Message>>>);

impl Receive for Queue {
    fn receive(&mut self) -> Option<Message> {
        self.0.borrow_mut().pop_front()
    }

    fn receive_now(&mut self) -> Option<Message> {
        self.receive()
    }
}

impl Transmit for Queue {
    fn transmit(&mut self, message: Message) {
        self.0.borrow_mut().push_back(message);
    }
}

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
pub(super) fn pass_on<T>(baton: &mut Baton<T>, first: RowIndex, found: Vec<T>, workers: usize) {
    pass_on_shared(baton, first, Arc::new(found), workers);
}

pub(super) fn pass_on_shared<T>(
    baton: &mut Baton<T>,
    first: RowIndex,
    found: Arc<Vec<T>>,
    workers: usize,
) {
    baton.push((first, found));
    let old = baton.len().saturating_sub(workers);
    baton.drain(..old);
}
