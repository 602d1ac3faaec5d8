//! Grundy values of three rows, by a full table: OEIS A069001. For boards with any number of rows
//! see [`within`].
//!
//! The table visits each of the `O(n³/6)` positions `(p,q,r)` with `p <= n`. It does not store
//! their values, but the sets of values that the bites in each of the three rows reach
//! (`proofs/boards.md`, 4). So a position costs one look at three sets of bits, and one entry in
//! each.

mod walk;
pub mod within;

use std::collections::HashMap;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::{OnProgress, SolveError};

/// The name of the sequence.
pub const SEQUENCE: &str = "A069001";

/// The meaning of a(n), from n = 1 on.
pub const DEFINITION: &str = "the Grundy value of 3 x n";

/// Calls `visit` with each position `(p,q,r)` with p up to `columns`, and its Grundy value: those
/// with p = q = r in ascending order, others as they are found. `Break` ends the work,
/// successfully.
///
/// With n columns this takes `O(n³/6)` looks at sets of at most 3n bits, and the memory of
/// [`memory`]. `on_progress` gets the number of [`slices`] done since its last call.
///
/// # Errors
/// [`SolveError::Stopped`] if `on_progress` says so; [`SolveError::Thread`].
///
/// ```
/// use std::num::NonZero;
/// use std::ops::ControlFlow;
/// use std::sync::Mutex;
///
/// let rectangles = Mutex::new(Vec::new());
/// let go_on = |_| ControlFlow::Continue(());
/// boards::grundy::visit_all(5, NonZero::<usize>::MIN, &go_on, |[p, q, r], value| {
///     if p == q && q == r {
///         rectangles.lock().unwrap().push(value);
///     }
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(rectangles.into_inner()?, [2, 4, 5, 9, 11]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn visit_all(
    columns: u16,
    threads: NonZero<usize>,
    on_progress: &OnProgress,
    visit: impl Fn([usize; 3], u32) -> ControlFlow<()> + Sync,
) -> Result<(), SolveError> {
    let enough = AtomicBool::new(false);
    let walked = walk::walk(columns.into(), threads, on_progress, &|lengths, value| {
        let next = visit(lengths, value);
        if next.is_break() {
            enough.store(true, Ordering::Relaxed);
        }
        next
    });
    match walked {
        Err(SolveError::Stopped) if enough.into_inner() => Ok(()),
        walked => walked,
    }
}

/// The Grundy values of positions `(p,q,r)`, `p >= q >= r`, `p >= 1`, in their order. Costs at most
/// what [`visit_all`] costs with the largest p.
///
/// # Errors
/// As [`visit_all`].
///
/// # Panics
/// If the lengths are not a position.
///
/// ```
/// use std::num::NonZero;
/// use std::ops::ControlFlow;
/// let go_on = |_| ControlFlow::Continue(());
/// let values = boards::grundy::values(&[[4, 4, 4], [2, 1, 0]], NonZero::<usize>::MIN, &go_on)?;
/// assert_eq!(values, [9, 0]);
/// # Ok::<(), boards::SolveError>(())
/// ```
pub fn values(
    positions: &[[u16; 3]],
    threads: NonZero<usize>,
    on_progress: &OnProgress,
) -> Result<Vec<u32>, SolveError> {
    let columns = positions.iter().map(|&[p, ..]| p).max().unwrap_or(0);
    let side = usize::from(columns) + 1;
    // Most pairs of upper rows have no position that is wanted.
    let mut pairs = vec![false; side * side];
    let mut found: HashMap<[usize; 3], OnceLock<u32>> = HashMap::new();
    for [p, q, r] in positions.iter().map(|lengths| lengths.map(usize::from)) {
        pairs[p * side + q] = true;
        found.insert([p, q, r], OnceLock::new());
    }
    let left = AtomicUsize::new(found.len());
    if !found.is_empty() {
        visit_all(columns, threads, on_progress, |position, value| {
            let [p, q, _] = position;
            let wanted = pairs[p * side + q].then(|| found.get(&position)).flatten();
            let is_last = wanted.is_some_and(|cell| {
                cell.set(value).is_ok() && left.fetch_sub(1, Ordering::Relaxed) == 1
            });
            if is_last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
    }
    let cell = |lengths: &[u16; 3]| found[&lengths.map(usize::from)].get();
    Ok(positions.iter().map(|of| *cell(of).expect("it is in the table")).collect())
}

/// The number of slices that the walkers go through.
pub fn slices(columns: u16) -> u64 {
    let blocks = walk::blocks(columns.into()) as u64;
    blocks * (blocks + 1) / 2
}

/// The largest number of threads that can be used.
pub fn walkers(columns: u16) -> NonZero<usize> {
    NonZero::new(walk::blocks(columns.into())).unwrap_or(NonZero::<usize>::MIN)
}

/// The largest number of bytes that [`visit_all`] allocates.
///
/// With n columns these are mostly the sets of values that bites in the middle row reach. They are
/// kept for `p >= q >= r`, where the walkers have reached q, with `2p + r` bits each. That is at
/// most `0.4561·n³` bits, near `q = 0.595·n`.
pub fn memory(columns: u16, threads: NonZero<usize>) -> u64 {
    walk::memory(columns.into(), threads)
}
