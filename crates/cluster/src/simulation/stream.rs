//! The arrival times of groups.

use crate::costs::{BATCH, count};

/// The arrival times of groups. A group arrives with the last one of its batch.
#[derive(Default)]
pub(super) struct Stream {
    first: u64,
    /// The groups before these have arrived at these times; both ascend.
    arrived: Vec<(u64, f64)>,
    /// When all have arrived.
    end: f64,
}

impl Stream {
    /// No groups yet; this will be the first.
    pub(super) fn from(first: u64) -> Self {
        Self { first, arrived: vec![(first, 0.0)], end: 0.0 }
    }

    /// The groups that have arrived end before this one.
    pub(super) fn end(&self) -> u64 {
        self.arrived.last().map_or(self.first, |last| last.0)
    }

    /// The groups before `end` arrive at a constant rate, the last one at this time.
    pub(super) fn push(&mut self, end: u64, time: f64) {
        self.arrived.push((end, time));
    }

    /// All other groups arrive at this time.
    pub(super) fn end_at(&mut self, time: f64) {
        self.end = time;
    }

    /// When the groups before this one have arrived. Groups that no block passes on are there at
    /// time 0.
    pub(super) fn time_of(&self, end: u64) -> f64 {
        let Some(wanted) = end.checked_sub(self.first).filter(|&wanted| wanted > 0) else {
            return 0.0;
        };
        let end = self.first + wanted.next_multiple_of(BATCH);
        let at = self.arrived.partition_point(|arrived| arrived.0 < end);
        let Some(&(to, until)) = self.arrived.get(at) else { return self.end };
        let Some(&(from, since)) = at.checked_sub(1).map(|at| &self.arrived[at]) else {
            return until;
        };
        let since = if at == 1 { until } else { since };
        let part = count(end - from) / count(to - from);
        since + (until - since) * part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_arrive_in_batches() {
        let mut stream = Stream::from(100);
        stream.push(132, 1.0);
        stream.push(164, 3.0);
        stream.end_at(5.0);
        let times = [99, 100, 101, 132, 133, 148, 149, 164, 165].map(|g| stream.time_of(g));
        let expected = [0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 5.0];
        let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
        assert!(times.iter().zip(&expected).all(near), "{times:?}");
    }
}
