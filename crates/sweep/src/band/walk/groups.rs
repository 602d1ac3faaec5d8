//! The groups that a block holds.

use crate::{
    band::{
        below::Context,
        group::{Group, Reach},
        simd::Lanes,
        units::GroupIndex,
    },
    units::{Number, index},
};

/// Consecutive groups, each at its index modulo the number of places.
#[derive(Debug)]
pub(super) struct Groups {
    places: Vec<Held>,
    first: GroupIndex,
    end: GroupIndex,
}

/// A place for a group in a block, and for what the low windows of the bands will come to in it.
#[derive(Clone, Debug)]
pub(super) struct Held {
    group: Option<Box<Group>>,
    pub(super) reach: Reach,
}

impl Held {
    const EMPTY: Self = Self { group: None, reach: Reach::NONE };

    #[inline(always)]
    pub(super) fn group(&self) -> &Group {
        self.group.as_ref().expect("the group is held")
    }

    #[inline(always)]
    pub(super) fn group_mut(&mut self) -> &mut Group {
        self.group.as_mut().expect("the group is held")
    }

    /// Has the reach hold what the group knows.
    #[inline(always)]
    pub(super) fn fill_reach<L: Lanes>(&mut self, context: Context) {
        let group = self.group.as_ref().expect("the group is held");
        self.reach.fill::<L>(group, context);
    }

    /// Blocks `p` in the column of `lane`.
    pub(super) fn block(&mut self, lane: usize, p: Number) {
        self.group_mut().block(lane, p);
        self.reach.block(lane, p);
    }
}

impl Groups {
    /// None yet; the first will be this one.
    pub(super) fn new(first: GroupIndex) -> Self {
        let places = vec![Held::EMPTY; 64];
        Self { places, first, end: first }
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

    pub(super) fn push(&mut self, group: Box<Group>) -> &mut Held {
        if self.end - self.first == self.places.len() as u64 {
            self.grow();
        }
        let place = self.place(self.end);
        self.end += 1;
        let held = &mut self.places[place];
        held.group = Some(group);
        held.reach.clear();
        held
    }

    pub(super) fn pop(&mut self) -> Option<Box<Group>> {
        if self.first == self.end {
            return None;
        }
        let place = self.place(self.first);
        self.first += 1;
        self.places[place].group.take()
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
    use crate::band::{
        geometry::{Frame, Windows},
        simd::Eight,
        stored::Pool,
        units::BandIndex,
    };

    /// Groups are found by their indices, however many there are and whichever have left.
    #[test]
    fn groups_are_in_their_places() {
        let (pool, frame) =
            (&Pool::default(), Frame { windows: Windows::default(), bands: BandIndex(500) });
        let group = |g: GroupIndex| {
            let base = g.first_column().number(60);
            Box::new(Group::build(g, BandIndex(200), base, frame, pool, |_| Eight::ONES))
        };
        let mut groups = Groups::new(GroupIndex(250));
        let (mut first, mut end) = (250, 250);
        for (pushed, popped) in [(60, 50), (60, 10), (200, 0), (1, 200), (70, 131)] {
            for g in end..end + pushed {
                groups.push(group(GroupIndex(g)));
            }
            end += pushed;
            assert_eq!(groups.end(), GroupIndex(end));
            for g in first..end {
                assert_eq!(groups.get(GroupIndex(g)).group().index(), GroupIndex(g));
            }
            for g in first..first + popped {
                assert_eq!(groups.pop().map(|group| group.index()), Some(GroupIndex(g)));
            }
            first += popped;
            assert_eq!(groups.first(), GroupIndex(first));
        }
        assert!(first == end && groups.pop().is_none());
    }
}
