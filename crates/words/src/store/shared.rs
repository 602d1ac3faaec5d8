//! A store whose run is shared with other processes.

use super::{Disk, Store};
use std::time::Duration;
use sweep::{band::pipeline::BlockIndex, error::SweepError};

impl Store {
    /// The most bytes of words in memory, if words can wait in files.
    pub fn memory(&self) -> Option<u64> {
        self.disk.as_ref().map(|disk| disk.memory)
    }

    /// The most bytes that its files have had at a time.
    pub fn most_on_disk(&self) -> u64 {
        self.queues().most_on_disk
    }

    /// Waits until the words fit into memory, but no longer than `most`.
    pub fn wait_for_room(&self, most: Duration) {
        let Some(Disk { memory, .. }) = self.disk else { return };
        let queues = self.looking_for_room(memory);
        drop(self.changed.wait_timeout_while(queues, most, |queues| queues.has_to_wait(memory)));
    }

    /// An error if the store has failed.
    ///
    /// # Errors
    /// [`SweepError::Outside`] if it has.
    pub fn result(&self) -> Result<(), SweepError> {
        self.queues().result()
    }

    /// Whether words for `reader` are in memory.
    pub fn has_some(&self, reader: BlockIndex) -> bool {
        !self.queues().of(reader).is_empty()
    }
}
