//! The groups that a block holds.

use crate::band::group::Held;
use crate::band::units::GroupIndex;
use crate::units::index;

/// Consecutive groups, each at its index modulo the number of places.
#[derive(Debug)]
pub(super) struct Groups {
    places: Vec<Held>,
    first: GroupIndex,
    end: GroupIndex,
}

impl Default for Groups {
    fn default() -> Self {
        let none = GroupIndex(0);
        Self { places: vec![Held::EMPTY; 64], first: none, end: none }
    }
}

impl Groups {
    /// Begins with no groups; this will be the first.
    pub(super) fn begin(&mut self, first: GroupIndex) {
        assert_eq!(self.first, self.end, "all have left");
        (self.first, self.end) = (first, first);
    }

    pub(super) fn first(&self) -> GroupIndex {
        self.first
    }

    /// The groups held end before this one.
    pub(super) fn end(&self) -> GroupIndex {
        self.end
    }

    #[inline(always)]
    fn place(&self, g: GroupIndex) -> usize {
        index(g.0) & (self.places.len() - 1)
    }

    #[inline(always)]
    pub(super) fn get(&self, g: GroupIndex) -> &Held {
        &self.places[self.place(g)]
    }

    #[inline(always)]
    pub(super) fn get_mut(&mut self, g: GroupIndex) -> &mut Held {
        let place = self.place(g);
        &mut self.places[place]
    }

    /// The place of the next group, which is empty.
    pub(super) fn push(&mut self) -> &mut Held {
        if self.end - self.first == self.places.len() as u64 {
            self.grow();
        }
        let place = self.place(self.end);
        self.end += 1;
        &mut self.places[place]
    }

    /// The place of the first group, which the caller empties.
    pub(super) fn pop(&mut self) -> Option<&mut Held> {
        if self.first == self.end {
            return None;
        }
        let place = self.place(self.first);
        self.first += 1;
        Some(&mut self.places[place])
    }

    #[cold]
    fn grow(&mut self) {
        let mut wider = Self {
            places: vec![Held::EMPTY; 2 * self.places.len()],
            first: self.first,
            end: self.end,
        };
        for g in self.first.up_to(self.end) {
            std::mem::swap(wider.get_mut(g), self.get_mut(g));
        }
        *self = wider;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::band::geometry::{Frame, Windows};
    use crate::band::group::Spare;
    use crate::band::simd::Eight;
    use crate::band::units::BandIndex;

    /// Groups are found by their indices, for any number of groups and after others have left.
    #[test]
    fn groups_are_in_their_places() {
        let frame = Frame { windows: Windows::default(), bands: BandIndex(500) };
        let group = |g: GroupIndex| {
            let base = g.first_column().number(60);
            Held::build(g, BandIndex(200), base, frame, |_| Eight::ONES)
        };
        let mut groups = Groups::default();
        groups.begin(GroupIndex(250));
        let (mut first, mut end) = (250, 250);
        for (pushed, popped) in [(60, 50), (60, 10), (200, 0), (1, 200), (70, 131)] {
            for g in end..end + pushed {
                *groups.push() = group(GroupIndex(g));
            }
            end += pushed;
            assert_eq!(groups.end(), GroupIndex(end));
            for g in first..end {
                assert_eq!(groups.get(GroupIndex(g)).group().index(), GroupIndex(g));
            }
            for g in first..first + popped {
                let held = groups.pop().unwrap();
                assert_eq!(held.group().index(), GroupIndex(g));
                held.discard(&Spare::default());
            }
            first += popped;
            assert_eq!(groups.first(), GroupIndex(first));
        }
        assert!(first == end && groups.pop().is_none());
    }
}
