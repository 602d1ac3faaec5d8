//! A set of naturals as maximal intervals: small where the set has few holes.

use std::ops::Range;

/// Disjoint intervals `[begin,end)` that do not touch, ascending.
#[derive(Clone, Debug, Default)]
pub(crate) struct Intervals {
    intervals: Vec<(u32, u32)>,
}

impl Intervals {
    /// The interval that holds `member`.
    pub(crate) fn interval_of(&self, member: u32) -> Option<(u32, u32)> {
        let place = self.intervals.partition_point(|&(_, end)| end <= member);
        self.intervals.get(place).copied().filter(|&(begin, _)| begin <= member)
    }

    /// All of them, ascending, as `(begin, end)`.
    pub(crate) fn all(&self) -> &[(u32, u32)] {
        &self.intervals
    }

    /// Adds a natural that is not a member. O(log n), or O(n) for a new interval.
    pub(crate) fn insert(&mut self, member: u32) {
        let next = member.saturating_add(1);
        let place = self.intervals.partition_point(|&(_, end)| end < member);
        let (mut begin, mut end) = (member, next);
        let mut touched = place;
        if let Some(&(first, _)) = self.intervals.get(place).filter(|&&(_, end)| end == member) {
            begin = first;
            touched = touched.saturating_add(1);
        }
        if let Some(&(_, last)) = self.intervals.get(touched).filter(|&&(first, _)| first == next) {
            end = last;
            touched = touched.saturating_add(1);
        }
        self.intervals.splice(place..touched, [(begin, end)]);
    }

    /// Adds an interval of naturals, none less than a member.
    pub(crate) fn append(&mut self, interval: Range<u32>) {
        if interval.is_empty() {
            return;
        }
        match self.intervals.last_mut().filter(|(_, end)| *end == interval.start) {
            Some((_, end)) => *end = interval.end,
            None => self.intervals.push((interval.start, interval.end)),
        }
    }

    /// Forgets the intervals that end at or before `first`.
    pub(crate) fn forget_below(&mut self, first: u32) {
        let gone = self.intervals.partition_point(|&(_, end)| end <= first);
        self.intervals.drain(..gone);
    }

    /// One past the largest member; 0 if there is none.
    pub(crate) fn end(&self) -> u32 {
        self.intervals.last().map_or(0, |&(_, end)| end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_the_set_they_were_made_of() {
        let mut intervals = Intervals::default();
        let members: Vec<u32> = (0..97).map(|k| k * 37 % 97).filter(|k| k % 9 != 4).collect();
        for (count, &member) in members.iter().enumerate() {
            assert_eq!(intervals.interval_of(member), None);
            intervals.insert(member);
            let present = &members[..=count];
            for candidate in 0..100 {
                let interval = intervals.interval_of(candidate);
                assert_eq!(interval.is_some(), present.contains(&candidate), "{candidate}");
                let Some((begin, end)) = interval else { continue };
                assert!((begin..end).all(|k| present.contains(&k)));
                assert!(!present.contains(&end) && !present.contains(&begin.wrapping_sub(1)));
            }
            assert_eq!(Some(intervals.end()), present.iter().max().map(|most| most + 1));
        }
        intervals.append(97..97);
        intervals.append(97..100);
        intervals.append(200..203);
        assert_eq!(
            (intervals.interval_of(98), intervals.interval_of(150)),
            (Some((95, 100)), None)
        );
        assert_eq!((intervals.interval_of(201), intervals.end()), (Some((200, 203)), 203));
        intervals.forget_below(31);
        assert_eq!((intervals.interval_of(30), intervals.interval_of(31)), (None, None));
        intervals.forget_below(32);
        assert_eq!(intervals.interval_of(32), Some((32, 40)));
    }
}
