//! The first recurrence of a state: a proof of periodicity that does not grow with the row (fact
//! 3). It works for every engine with its own kind of state.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::RangeInclusive;

use num_bigint::BigUint;
use num_integer::Integer;
use record::{Certificate, Finite, HeadForm, Periodic, Statement};
use ultimate::{FiniteOrPeriodic, Ultimate};

use crate::LosersError;

/// The largest number of states of a search for a certificate. No known row or sequence needs more
/// than some thousands, and each state may take kilobytes.
const MOST_STATES: usize = 1 << 22;

/// A sequence of offsets that a state determines from here on, as U(q) does for a row.
pub trait Walk {
    /// The type of [`state`](Self::state). Two are equal if and only if the sets are.
    type State: Eq + Hash;

    /// The state at the next index: the set U of fact 3.
    fn state(&self) -> Self::State;

    /// The least offset that is not in it.
    fn least_free(&self) -> u64;

    /// Goes to the next index, and returns the offset of this one.
    fn step(&mut self) -> u64;

    /// The modulus of the window rule: a common period, from the first index of the search on, of
    /// the other blocked offsets within the window.
    fn modulus(&self, window: RangeInclusive<u64>) -> BigUint;
}

/// The result of a walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walked<S> {
    /// The offsets, from index 0 to the end, or to before the index where the state recurs.
    pub offsets: Vec<u64>,
    /// The first certificate there is, with indices for columns; `None` if the last offset is 0.
    pub recurs: Option<Recurs<S>>,
}

/// The least index that makes a certificate, and for it the greatest `from`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recurs<S> {
    /// The index of the earlier state. The later one is at the end of the offsets.
    pub from: usize,
    /// The modulus, which divides the distance.
    pub modulus: BigUint,
    /// The state.
    pub state: S,
}

impl<S> Walked<S> {
    /// The sequence, and the certificate if it never ends, whose state U comes from `members`: the
    /// least free offset, and the members above it, ascending.
    ///
    /// # Panics
    /// Never: a state recurs later than it is first seen.
    #[must_use]
    pub fn proved(
        self,
        members: impl FnOnce(S) -> (u64, Vec<u64>),
    ) -> (FiniteOrPeriodic<u64>, Option<Certificate>) {
        let Self { mut offsets, recurs } = self;
        let Some(Recurs { from, modulus, state }) = recurs else {
            return (FiniteOrPeriodic::Finite(offsets), None);
        };
        let (filled, above) = members(state);
        let recurs = offsets.len() as u64;
        let certificate = Certificate { from: from as u64, recurs, modulus, filled, above };
        let period = offsets.split_off(from);
        let sequence = Ultimate::new(offsets, period);
        let sequence = sequence.expect("a state recurs later than it is first seen");
        (FiniteOrPeriodic::Periodic(sequence), Some(certificate))
    }
}

/// The statement of a record for a row that begins in column `row`, from its offsets and its
/// certificate, whose indices count from that column. Without a certificate the row ends.
///
/// # Panics
/// If there are no offsets.
#[must_use]
pub fn statement(
    row: u64,
    offsets: &FiniteOrPeriodic<u64>,
    certificate: Option<&Certificate>,
    form: HeadForm,
) -> Statement {
    let first = row + offsets.first().expect("a row that is not empty has a first offset");
    let head = form.of(row, offsets.head());
    let settled = row + offsets.head().len() as u64;
    match offsets.periodic().zip(certificate) {
        None => Statement::Finite(Finite { row, first, last: settled - 1, head }),
        Some((sequence, certificate)) => Statement::Periodic(Periodic {
            row,
            first,
            start: settled,
            values: sequence.cycle().to_vec(),
            certificate: Certificate {
                from: row + certificate.from,
                recurs: row + certificate.recurs,
                ..certificate.clone()
            },
            head,
        }),
    }
}

/// Walks until an offset is 0 or a state recurs, counting states from index `settled` on.
///
/// # Errors
/// [`LosersError::NoRecurrence`] after some millions of states.
///
/// # Cost
/// One look-up for each state, and a look at each earlier visit to the same state, as long as their
/// distance may be a multiple of the modulus.
pub fn walk<W: Walk>(walker: &mut W, settled: usize) -> Result<Walked<W::State>, LosersError> {
    let mut trace = Trace::default();
    // The visits to each state. They are only looked up, so the order of the map does not matter.
    let mut visits: HashMap<W::State, Vec<usize>> = HashMap::new();
    loop {
        let index = trace.offsets.len();
        if index >= settled {
            let earlier = visits.entry(walker.state()).or_default();
            if let Some((from, modulus)) = certifies(earlier, &trace, walker) {
                let recurs = Some(Recurs { from, modulus, state: walker.state() });
                return Ok(Walked { offsets: trace.offsets, recurs });
            }
            earlier.push(index);
            if index - settled == MOST_STATES {
                return Err(LosersError::NoRecurrence { states: MOST_STATES });
            }
        }
        trace.least_free.push(walker.least_free());
        let offset = walker.step();
        trace.offsets.push(offset);
        if offset == 0 {
            return Ok(Walked { offsets: trace.offsets, recurs: None });
        }
    }
}

/// For each index of the walk: the offset, and the least one that the state left free.
#[derive(Default)]
struct Trace {
    offsets: Vec<u64>,
    least_free: Vec<u64>,
}

/// The latest of the earlier visits to the present state that makes its recurrence a certificate,
/// with the modulus. Walks back from here, so that the window [h, z] only widens and its modulus
/// only grows; a modulus larger than any distance of two visits ends the search.
fn certifies<W: Walk>(earlier: &[usize], trace: &Trace, walker: &W) -> Option<(usize, BigUint)> {
    let now = trace.offsets.len();
    let farthest = BigUint::from(now - earlier.first()?);
    let (mut low, mut high, mut end) = (u64::MAX, 0, now);
    let mut known: Option<(RangeInclusive<u64>, BigUint)> = None;
    for &from in earlier.iter().rev() {
        low = trace.least_free[from..end].iter().fold(low, |low, &free| low.min(free));
        high = trace.offsets[from..end].iter().fold(high, |high, &offset| high.max(offset));
        end = from;
        let modulus = match known {
            Some((window, modulus)) if window == (low..=high) => modulus,
            _ => walker.modulus(low..=high),
        };
        if modulus > farthest {
            return None;
        }
        if BigUint::from(now - from).is_multiple_of(&modulus) {
            return Some((from, modulus));
        }
        known = Some((low..=high, modulus));
    }
    None
}
