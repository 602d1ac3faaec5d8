//! Chomp on posets.

use std::cell::Cell;
use std::time::{Duration, Instant};

use game::Outcome;
use posets::{DownSet, Poset, Solver, Unfinished};

use crate::Error;
use crate::costs;
use crate::error::Hint;
use crate::job::{Cost, Event, Job, Running, Watch, Work};

/// The budget of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spending {
    /// Bytes of memory.
    pub memory: u64,
    /// The most positions to decide for the Grundy value, besides those for the outcome, within the
    /// memory.
    pub grundy: u64,
}

impl Spending {
    /// 1 GB, and a few seconds for the Grundy value.
    pub const USUAL: Self = Self { memory: 1_000_000_000, grundy: 20_000 };
}

/// The rate of a search depends on the bites and the symmetry of the poset; it is known after this
/// time.
const RATE_KNOWN: Duration = Duration::from_secs(1);

/// Who wins on a poset, as far as it is decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PosetAnswer {
    /// P or N, if the bites or strategy stealing decide it.
    pub outcome: Option<Outcome>,
    /// The bites that win, ascending.
    pub winning: Vec<usize>,
    /// The bites that are not decided, ascending.
    pub undecided: Vec<usize>,
    /// The Grundy value, if it was found.
    pub grundy: Option<u64>,
    /// The number of decided positions, up to symmetry and fact 11.
    pub decided: u64,
    /// Those of them that were decided for the bites, before the search for the Grundy value.
    pub for_bites: u64,
    /// The most positions that could be decided.
    pub limit: u64,
}

/// Decides all bites in a position of a poset, and its Grundy value.
///
/// Bites for which the memory is too small stay undecided. A search that has run for a second
/// announces its cost at most: [`Event::MayCost`].
///
/// # Errors
/// [`Error::Memory`] before any work, if there is less memory than it may spend and might need;
/// a poset that is too large, and [`Error::Interrupted`].
///
/// ```
/// use posets::NamedPoset;
/// use driver::Spending;
///
/// let cube = "solid cube".parse::<NamedPoset>()?.poset()?;
/// let answer = driver::solve_poset(&cube, &cube.full(), Spending::USUAL, &())?;
/// assert_eq!(answer.winning, [cube.element("solid").unwrap()]);
/// assert_eq!((answer.undecided.len(), answer.grundy), (0, Some(3)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_poset(
    poset: &Poset,
    position: &DownSet,
    spending: Spending,
    watch: &dyn Watch,
) -> Result<PosetAnswer, Error> {
    let elements = poset.len();
    if elements > Solver::LARGEST {
        return Err(Unfinished::TooLarge { elements }.into());
    }
    let limit = Solver::positions(elements, spending.memory);
    let bytes = most_bytes(elements, spending.memory);
    let what = format!("{limit} positions need");
    let mut job = Job::new(what, "allow less memory", Cost::new(bytes, Duration::ZERO));
    job.hint = Hint::Memory;
    job.require()?;
    // None in a browser, which has no such clock.
    let began = cfg!(not(target_family = "wasm")).then(Instant::now);
    let is_announced = Cell::new(false);
    let work = Work { unit: "position", all: limit, before: 0, exponent: 0.0 };
    let running = Running::new(watch, work);
    let tell = |decided| {
        let may_announce = decided > 0 && !is_announced.get();
        let elapsed = began.filter(|_| may_announce).map(|began| began.elapsed());
        if let Some(elapsed) = elapsed.filter(|elapsed| *elapsed >= RATE_KNOWN) {
            is_announced.set(true);
            let most = most_positions(elements).min(limit);
            let cost = Cost::new(bytes, costs::in_proportion(elapsed, most, decided));
            if cost.is_much() {
                watch.event(&Event::MayCost { cost });
            }
        }
        running.at(decided)
    };
    let mut solver = Solver::new(poset, limit, &tell);
    let (winning, undecided) = bites(poset, position, &mut solver)?;
    let for_bites = solver.decided();
    let outcome = match (winning.is_empty(), undecided.is_empty()) {
        (false, _) => Some(Outcome::N),
        (true, true) => Some(Outcome::P),
        (true, false) => has_greatest(poset, position).then_some(Outcome::N),
    };
    let grundy = if undecided.is_empty() {
        solver.limit(for_bites.saturating_add(spending.grundy).min(limit));
        within_limit(solver.grundy(position))?
    } else {
        None
    };
    let decided = solver.decided();
    Ok(PosetAnswer { outcome, winning, undecided, grundy, decided, for_bites, limit })
}

/// Whether a position has a greatest element; then it is N, by strategy stealing (fact 14 (d)), if
/// that can be bitten.
fn has_greatest(poset: &Poset, position: &DownSet) -> bool {
    let left = position.elements();
    let mut tops = left.iter().filter(|&&top| poset.poison() != Some(top));
    tops.any(|&top| left.iter().all(|&lower| poset.at_most(lower, top)))
}

/// The bites that win, and those that could not be decided.
fn bites(
    poset: &Poset,
    position: &DownSet,
    solver: &mut Solver,
) -> Result<(Vec<usize>, Vec<usize>), Error> {
    let (mut winning, mut undecided) = (Vec::new(), Vec::new());
    for (bite, left) in poset.bites(position) {
        match within_limit(solver.outcome(&left))? {
            Some(Outcome::P) => winning.push(bite),
            Some(Outcome::N) => {}
            None => undecided.push(bite),
        }
    }
    Ok((winning, undecided))
}

/// `None` if the limit is reached.
fn within_limit<T>(found: Result<T, Unfinished>) -> Result<Option<T>, Error> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(Unfinished::Limit { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// A poset of n elements has no more than 2^n positions.
fn most_positions(elements: usize) -> u64 {
    let positions = u32::try_from(elements).ok().and_then(|n| 1_u64.checked_shl(n));
    positions.unwrap_or(u64::MAX)
}

/// The bytes for an outcome and a Grundy value of each position.
fn most_bytes(elements: usize, memory: u64) -> u64 {
    /// For a position of up to 64 elements, in tables that are half empty.
    const BYTES: u64 = 200;
    most_positions(elements).saturating_mul(BYTES).min(memory)
}
