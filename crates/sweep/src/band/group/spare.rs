//! Memory of groups that have ended, for new ones.

use super::windows::Group;
use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard},
};

/// Places for groups, which all workers share.
///
/// Groups come and go in their order, and places are used again in the order in which they have
/// become free. So groups that follow each other do so in memory, too, if all places are made at
/// the beginning: with places wherever the allocator had one, a tenth of the time to 3·10⁵ was
/// waiting for the addresses of groups.
#[derive(Debug, Default)]
pub struct Spare(Mutex<VecDeque<Box<Group>>>);

impl Spare {
    /// Makes more places.
    pub(crate) fn grow(&self, places: usize) {
        self.put((0..places).map(|_| Box::new(Group::NONE)));
    }

    /// Takes back the places of groups that are not needed any more.
    pub fn put(&self, places: impl IntoIterator<Item = Box<Group>>) {
        self.places().extend(places);
    }

    /// A place. Its content means nothing.
    pub(crate) fn take(&self) -> Box<Group> {
        self.places().pop_front().unwrap_or_else(|| Box::new(Group::NONE))
    }

    /// A number of places that were put back last: they are still in the cache. For groups that
    /// come from another process.
    pub fn take_last(&self, count: usize) -> Vec<Box<Group>> {
        let mut places = self.places();
        let first = places.len().saturating_sub(count);
        let mut taken = Vec::with_capacity(count);
        taken.extend(places.drain(first..));
        taken.resize_with(count, || Box::new(Group::NONE));
        taken
    }

    fn places(&self) -> MutexGuard<'_, VecDeque<Box<Group>>> {
        self.0.lock().expect("nobody panics while holding it")
    }
}
