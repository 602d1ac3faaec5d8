//! Memory of groups that have ended, or have gone to another process, for those to come.

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
#[derive(Debug)]
pub(crate) struct Spare(Mutex<VecDeque<Box<Group>>>);

impl Spare {
    /// So many places.
    pub(crate) fn new(places: usize) -> Self {
        Self(Mutex::new((0..places).map(|_| Box::new(Group::NONE)).collect()))
    }

    /// The places of groups that have ended, or have gone to another process.
    pub(crate) fn put(&self, places: impl IntoIterator<Item = Box<Group>>) {
        self.places().extend(places);
    }

    /// So many places; what is there means nothing.
    pub(crate) fn take(&self, count: usize) -> Vec<Box<Group>> {
        let mut places = self.places();
        let there = count.min(places.len());
        let mut taken = Vec::with_capacity(count);
        taken.extend(places.drain(..there));
        taken.resize_with(count, || Box::new(Group::NONE));
        taken
    }

    /// So many places that have become free last: processors still have their memory at hand. For
    /// groups that come from another process, and go soon.
    pub(crate) fn take_last(&self, count: usize) -> Vec<Box<Group>> {
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
