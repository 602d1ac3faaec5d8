//! What a rank sends or receives, one interval after the other.

use crate::costs::count;

/// One way between a rank and the network. Time is cut into intervals, and each has as much room as
/// it is long. What is booked takes the first room there is from some time on, so it does not
/// matter in which order bookings come.
///
/// What is more urgent goes first: it waits for what is as urgent, or more so. What it displaces is
/// put off; of that, those hear that are booked later.
pub(super) struct Port {
    interval: f64,
    /// What is taken by all bookings of an urgency, and of those before it.
    up_to: [Account; URGENCIES],
}

/// How many urgencies there are.
const URGENCIES: usize = 8;

/// How soon something is needed: 0 is the most urgent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Urgency(usize);

impl Urgency {
    /// The next block waits for it.
    pub(super) const NEXT: Self = Self(0);

    /// A block reads it that is so many blocks later.
    pub(super) fn of_distance(blocks: u64) -> Self {
        Self((1 + blocks.max(1).ilog(4) as usize).min(URGENCIES - 1))
    }
}

impl Port {
    pub(super) fn new(interval: f64) -> Self {
        Self { interval, up_to: std::array::from_fn(|_| Account::default()) }
    }

    /// Takes so many seconds from `time` on. Says when the last of them has passed.
    pub(super) fn book(&mut self, time: f64, seconds: f64, urgency: Urgency) -> f64 {
        let begin = self.interval_of(time);
        let accounts = self.up_to[urgency.0..].iter_mut();
        let mut taken = accounts.map(|account| account.take(begin, seconds, self.interval));
        let Taken { last, in_last } = taken.next().expect("it has an urgency");
        taken.for_each(drop);
        // In an interval with room, what came before is not in the way.
        let last = (count(last as u64) * self.interval).max(time) + in_last;
        last.max(time + seconds)
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an estimate")]
    fn interval_of(&self, time: f64) -> usize {
        (time / self.interval) as usize
    }
}

/// How much of each interval is taken.
#[derive(Default)]
struct Account {
    used: Vec<f64>,
    /// For each interval one that is not before it, such that all between are full.
    next: Vec<usize>,
}

/// Where the last of what was booked lies.
struct Taken {
    last: usize,
    in_last: f64,
}

impl Account {
    /// Takes so many seconds in the first intervals with room.
    fn take(&mut self, from: usize, seconds: f64, interval: f64) -> Taken {
        let mut rest = seconds;
        let mut last = self.room(from);
        loop {
            let in_last = rest.min(interval - self.used[last]);
            self.used[last] += in_last;
            rest -= in_last;
            if rest <= 0.0 {
                return Taken { last, in_last };
            }
            self.next[last] = last + 1;
            last = self.room(last + 1);
        }
    }

    /// The first interval from this one on that has room.
    fn room(&mut self, from: usize) -> usize {
        let mut found = from;
        loop {
            while self.used.len() <= found {
                self.next.push(self.used.len());
                self.used.push(0.0);
            }
            if self.next[found] == found {
                break;
            }
            found = self.next[found];
        }
        // So that the way is shorter the next time.
        let mut at = from;
        while at < found {
            at = std::mem::replace(&mut self.next[at], found);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn bookings_find_room() {
        let mut port = Port::new(1.0);
        assert!(near(port.book(10.0, 0.5, Urgency(2)), 10.5), "nothing is in the way");
        assert!(near(port.book(20.0, 3.0, Urgency(2)), 23.0), "as long as it takes");
        assert!(
            near(port.book(20.0, 1.0, Urgency(2)), 24.0),
            "behind what has filled three intervals"
        );
        assert!(near(port.book(3.0, 1.0, Urgency(2)), 4.0), "an earlier one, booked later");
        assert!(near(port.book(9.0, 3.0, Urgency(2)), 12.5), "around a half that is taken");
    }

    #[test]
    fn what_is_urgent_goes_first() {
        let mut port = Port::new(1.0);
        assert!(near(port.book(0.0, 10.0, Urgency(2)), 10.0));
        assert!(near(port.book(2.0, 3.0, Urgency(1)), 5.0), "it does not wait");
        assert!(near(port.book(2.0, 1.0, Urgency(1)), 6.0), "but for its like");
        assert!(near(port.book(2.0, 1.0, Urgency::NEXT), 3.0), "nor what is more urgent for it");
        assert!(near(port.book(0.0, 1.0, Urgency(2)), 16.0), "and no room is given twice");
    }
}
