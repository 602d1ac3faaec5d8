//! A set of naturals as maximal runs: small where the set has few holes.

use std::ops::Range;

/// Disjoint runs `[begin,end)` that do not touch, ascending.
#[derive(Clone, Debug, Default)]
pub(crate) struct Runs {
    runs: Vec<(u32, u32)>,
}

impl Runs {
    /// The run that holds `member`.
    pub(crate) fn run_of(&self, member: u32) -> Option<(u32, u32)> {
        let place = self.runs.partition_point(|&(_, end)| end <= member);
        self.runs.get(place).copied().filter(|&(begin, _)| begin <= member)
    }

    /// Adds a natural that is not a member. O(log n), or O(n) for a new run.
    pub(crate) fn insert(&mut self, member: u32) {
        let next = member.saturating_add(1);
        let place = self.runs.partition_point(|&(_, end)| end < member);
        let (mut begin, mut end) = (member, next);
        let mut touched = place;
        if let Some(&(first, _)) = self.runs.get(place).filter(|&&(_, end)| end == member) {
            begin = first;
            touched = touched.saturating_add(1);
        }
        if let Some(&(_, last)) = self.runs.get(touched).filter(|&&(first, _)| first == next) {
            end = last;
            touched = touched.saturating_add(1);
        }
        self.runs.splice(place..touched, [(begin, end)]);
    }

    /// Adds a run of naturals, none less than a member.
    pub(crate) fn append(&mut self, run: Range<u32>) {
        if run.is_empty() {
            return;
        }
        match self.runs.last_mut().filter(|(_, end)| *end == run.start) {
            Some((_, end)) => *end = run.end,
            None => self.runs.push((run.start, run.end)),
        }
    }

    /// Forgets the runs that end at or before `first`.
    pub(crate) fn forget_below(&mut self, first: u32) {
        let gone = self.runs.partition_point(|&(_, end)| end <= first);
        self.runs.drain(..gone);
    }

    /// One past the largest member; 0 if there is none.
    pub(crate) fn end(&self) -> u32 {
        self.runs.last().map_or(0, |&(_, end)| end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_the_set_they_were_made_of() {
        let mut runs = Runs::default();
        let members: Vec<u32> = (0..97).map(|k| k * 37 % 97).filter(|k| k % 9 != 4).collect();
        for (count, &member) in members.iter().enumerate() {
            assert_eq!(runs.run_of(member), None);
            runs.insert(member);
            let present = &members[..=count];
            for candidate in 0..100 {
                let run = runs.run_of(candidate);
                assert_eq!(run.is_some(), present.contains(&candidate), "{candidate}");
                let Some((begin, end)) = run else { continue };
                assert!((begin..end).all(|k| present.contains(&k)));
                assert!(!present.contains(&end) && !present.contains(&begin.wrapping_sub(1)));
            }
            assert_eq!(Some(runs.end()), present.iter().max().map(|most| most + 1));
        }
        runs.append(97..97);
        runs.append(97..100);
        runs.append(200..203);
        assert_eq!((runs.run_of(98), runs.run_of(150)), (Some((95, 100)), None));
        assert_eq!((runs.run_of(201), runs.end()), (Some((200, 203)), 203));
        runs.forget_below(31);
        assert_eq!((runs.run_of(30), runs.run_of(31)), (None, None));
        runs.forget_below(32);
        assert_eq!(runs.run_of(32), Some((32, 40)));
    }
}
