//! The first recurrence of a state: a proof of periodicity that does not grow with the row (fact
//! 3), for the engines that keep all states of a row.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use num_bigint::BigUint;
use record::{Certificate, Finite, HeadForm, Periodic, RowKey, Statement};
use thiserror::Error;
use ultimate::{FiniteOrPeriodic, MexSet, Ultimate};

/// The largest number of states of a search for a certificate. No known row or sequence needs more
/// than some thousands, and each state may take kilobytes.
const MOST_STATES: usize = 1 << 22;

/// Why a sequence of losers was not proved. No unproved sequence is ever returned.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LosersError {
    /// The two proofs found different sequences: a defect of this program.
    #[error(
        "the classical check and the state recurrence found different sequences; this is a defect \
         of the program, please report it"
    )]
    Disagreement,
    /// No state recurred within the limit.
    #[error("no state recurred among {states}; the sequence was not proved")]
    NoRecurrence {
        /// Number of states.
        states: usize,
    },
    /// [`Walk::stop`] said so.
    #[error("stopped")]
    Stopped,
}

/// A row that was not proved. It ends an iteration.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{key}: {source}")]
pub struct RowError {
    /// The row, and its level.
    pub key: RowKey,
    /// Why.
    pub source: LosersError,
}

/// A sequence of offsets that a state determines from here on, as U(q) does for a row.
pub trait Walk {
    /// The state at the next index: the set U of fact 3.
    fn state(&self) -> MexSet;

    /// Goes to the next index, and returns the offset of this one.
    fn step(&mut self) -> u64;

    /// The modulus of the window rule: a common period, from the first index of the search on, of
    /// the other blocked offsets within the window.
    fn modulus(&self, window: RangeInclusive<u64>) -> BigUint;

    /// Whether to stop without a proof: asked every 1024 indices.
    fn stop(&self) -> bool {
        false
    }
}

/// A sequence with its proof, whose columns are indices. A sequence that ends needs none.
pub type ProvedSequence = (FiniteOrPeriodic<u64>, Option<Certificate>);

/// The statement of a record for a row that begins in column `row`, from its offsets and its
/// certificate, whose indices count from that column. Without a certificate the row ends.
///
/// # Panics
/// If there are no offsets.
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

/// Walks until an offset is 0 or a state recurs, counting states from index `settled` on. The
/// certificate is the first there is: the least `recurs`, and for it the greatest `from`.
///
/// # Errors
/// [`LosersError::NoRecurrence`] after some millions of states, [`LosersError::Stopped`].
///
/// # Panics
/// Never: a state recurs later than it is first seen.
///
/// # Cost
/// One look-up for each state, and a look at those earlier visits to the same state whose distance
/// is a multiple of the modulus.
pub fn walk(walker: &mut impl Walk, settled: usize) -> Result<ProvedSequence, LosersError> {
    let mut trace = Trace { settled, offsets: Vec::new(), least_free: Vec::new() };
    // The visits to each state. They are only looked up, so the order of the map does not matter.
    let mut visits: HashMap<MexSet, Vec<usize>> = HashMap::new();
    loop {
        let index = trace.offsets.len();
        if index.is_multiple_of(1024) && walker.stop() {
            return Err(LosersError::Stopped);
        }
        if index >= settled {
            let state = walker.state();
            trace.least_free.push(state.mex());
            let earlier = visits.entry(state.clone()).or_default();
            if let Some((from, modulus)) = certifies(earlier, &trace, walker) {
                let (filled, above) = (state.mex(), state.above());
                let period = trace.offsets.split_off(from);
                let sequence = Ultimate::new(trace.offsets, period);
                let sequence = sequence.expect("a state recurs later than it is first seen");
                let (from, recurs) = (from as u64, index as u64);
                let certificate = Certificate { from, recurs, modulus, filled, above };
                return Ok((FiniteOrPeriodic::Periodic(sequence), Some(certificate)));
            }
            earlier.push(index);
            if index - settled == MOST_STATES {
                return Err(LosersError::NoRecurrence { states: MOST_STATES });
            }
        }
        let offset = walker.step();
        trace.offsets.push(offset);
        if offset == 0 {
            return Ok((FiniteOrPeriodic::Finite(trace.offsets), None));
        }
    }
}

/// The offset of each index of the walk, and the least one that the state left free, for each index
/// from `settled` on.
struct Trace {
    settled: usize,
    offsets: Vec<u64>,
    least_free: Vec<u64>,
}

/// The latest of the earlier visits to the present state that makes its recurrence a certificate,
/// with the modulus. Goes back from here, so that the window [h, z] only widens and its modulus
/// only grows, to a multiple of itself. So visits at other distances than multiples of the modulus
/// are passed over, and a modulus larger than any distance of two visits ends the search.
fn certifies(earlier: &[usize], trace: &Trace, walker: &impl Walk) -> Option<(usize, u64)> {
    let now = trace.offsets.len();
    let farthest = now - earlier.first()?;
    let (mut low, mut high, mut end) = (u64::MAX, 0, now);
    let (mut visits, mut multiple) = (earlier, 1);
    while let Some(&from) = visits.last() {
        let distance = now - from;
        if distance.is_multiple_of(multiple) {
            let of_states = from - trace.settled..end - trace.settled;
            low = trace.least_free[of_states].iter().fold(low, |low, &free| low.min(free));
            high = trace.offsets[from..end].iter().fold(high, |high, &offset| high.max(offset));
            end = from;
            let modulus = usize::try_from(walker.modulus(low..=high)).ok();
            multiple = modulus.filter(|&modulus| modulus <= farthest)?;
            if distance.is_multiple_of(multiple) {
                return Some((from, multiple as u64));
            }
        }
        let last = now.checked_sub((distance + 1).next_multiple_of(multiple))?;
        visits = &visits[..visits.partition_point(|&visit| visit <= last)];
    }
    None
}
