//! Memory of groups that have ended, for those to come.

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

    /// The place of a group that has ended.
    pub(crate) fn put(&self, place: Box<Group>) {
        self.places().push_back(place);
    }

    /// A place; what is there means nothing.
    pub(super) fn take(&self) -> Box<Group> {
        self.places().pop_front().unwrap_or_else(|| Box::new(Group::NONE))
    }

    fn places(&self) -> MutexGuard<'_, VecDeque<Box<Group>>> {
        self.0.lock().expect("nobody panics while holding it")
    }
}
