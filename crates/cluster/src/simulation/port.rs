//! The use of the network by one rank, interval by interval.

use crate::costs::count;

/// One direction between a rank and the network. Time is divided into intervals, and an interval
/// has room for as many seconds as it is long. A booking takes the first free seconds from some
/// time on, so the order of bookings does not matter.
///
/// Urgent messages go first: a booking waits only for those that are at least as urgent. It delays
/// less urgent bookings, but only those that are made after it.
pub(super) struct Port {
    interval: f64,
    /// The seconds taken by bookings of each urgency and of all more urgent ones.
    up_to: [Account; URGENCIES],
}

/// The number of urgencies.
const URGENCIES: usize = 8;

/// How soon a message is needed: 0 is the most urgent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Urgency(usize);

impl Urgency {
    /// The next block waits for it.
    pub(super) const NEXT: Self = Self(0);

    /// A block at this distance reads it.
    pub(super) fn of_distance(blocks: u64) -> Self {
        Self((1 + blocks.max(1).ilog(4) as usize).min(URGENCIES - 1))
    }
}

impl Port {
    pub(super) fn new(interval: f64) -> Self {
        Self { interval, up_to: std::array::from_fn(|_| Account::default()) }
    }

    /// Takes this many seconds from `time` on. Returns the end of the last of them.
    pub(super) fn book(&mut self, time: f64, seconds: f64, urgency: Urgency) -> f64 {
        let begin = self.interval_of(time);
        let accounts = self.up_to[urgency.0..].iter_mut();
        let mut taken = accounts.map(|account| account.take(begin, seconds, self.interval));
        let Taken { last, in_last } = taken.next().expect("it has an urgency");
        taken.for_each(drop);
        // An interval with room does not delay the booking.
        let last = (count(last as u64) * self.interval).max(time) + in_last;
        last.max(time + seconds)
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an estimate")]
    fn interval_of(&self, time: f64) -> usize {
        (time / self.interval) as usize
    }
}

/// The seconds taken in each interval.
#[derive(Default)]
struct Account {
    used: Vec<f64>,
    /// For each interval one that is not before it; all intervals between the two are full.
    next: Vec<usize>,
}

/// The interval of the last seconds of a booking.
struct Taken {
    last: usize,
    in_last: f64,
}

impl Account {
    /// Takes this many seconds in the first intervals with room.
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
        // Makes the next search shorter.
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
        assert!(near(port.book(10.0, 0.5, Urgency(2)), 10.5), "an empty port");
        assert!(near(port.book(20.0, 3.0, Urgency(2)), 23.0), "as long as it takes");
        assert!(near(port.book(20.0, 1.0, Urgency(2)), 24.0), "after three full intervals");
        assert!(near(port.book(3.0, 1.0, Urgency(2)), 4.0), "an earlier one, booked later");
        assert!(
            near(port.book(9.0, 3.0, Urgency(2)), 12.5),
            "around half an interval that is taken"
        );
    }

    #[test]
    fn urgent_bookings_go_first() {
        let mut port = Port::new(1.0);
        assert!(near(port.book(0.0, 10.0, Urgency(2)), 10.0));
        assert!(
            near(port.book(2.0, 3.0, Urgency(1)), 5.0),
            "it does not wait for less urgent ones"
        );
        assert!(near(port.book(2.0, 1.0, Urgency(1)), 6.0), "but for one as urgent");
        assert!(
            near(port.book(2.0, 1.0, Urgency::NEXT), 3.0),
            "and a more urgent one does not wait for these"
        );
        assert!(near(port.book(0.0, 1.0, Urgency(2)), 16.0), "and no second is given twice");
    }
}
