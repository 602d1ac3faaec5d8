//! Grundy values of three rows, by a full table: OEIS A069001.
//!
//! The table has a value for each of the `O(n³/6)` positions `(p,q,r)` with `p <= n`, and keeps
//! none of them. It keeps which values the bites in each of the three rows reach
//! (`proofs/boards.md`, 4). So a position costs one look at three sets of bits, and one entry in
//! each.

mod sets;
mod walk;

use std::num::NonZero;
use std::ops::ControlFlow;

use crate::rectangles::{SolveError, Watch};

/// The name of the sequence.
pub const SEQUENCE: &str = "A069001";

/// What its a(n) is, from n = 1 on.
pub const DEFINITION: &str = "the Grundy value of 3 x n";

/// The Grundy values of 3 × 1 to 3 × `columns`: `visit` is told of each as soon as it is known, in
/// this order, with its number of columns.
///
/// With n columns this takes `O(n³/6)` looks at sets of at most 3n bits, and as much memory as
/// [`memory`] says. The watcher is told how many more [`slices`] are done.
///
/// # Errors
/// [`SolveError::Stopped`] if the watcher or `visit` wants no more; [`SolveError::Thread`].
///
/// ```
/// use std::num::NonZero;
/// use std::ops::ControlFlow;
/// use std::sync::Mutex;
///
/// let found = Mutex::new(Vec::new());
/// boards::grundy::rectangles(5, NonZero::<usize>::MIN, &|_| ControlFlow::Continue(()), &|_, value| {
///     found.lock().unwrap().push(value);
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(found.into_inner()?, [2, 4, 5, 9, 11]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rectangles(
    columns: u16,
    threads: NonZero<usize>,
    watch: &Watch,
    visit: &(dyn Fn(u16, u32) -> ControlFlow<()> + Sync),
) -> Result<(), SolveError> {
    walk::walk(columns.into(), threads, watch, &|[p, q, r], value| {
        if p == q && q == r { visit(narrow(p), value) } else { ControlFlow::Continue(()) }
    })
}

fn narrow(columns: usize) -> u16 {
    u16::try_from(columns).expect("at most those that are asked for")
}

/// How many slices the walkers go through.
#[must_use]
pub fn slices(columns: u16) -> u64 {
    let blocks = walk::blocks(columns.into()) as u64;
    blocks * (blocks + 1) / 2
}

/// The most threads that are made use of.
#[must_use]
pub fn walkers(columns: u16) -> NonZero<usize> {
    NonZero::new(walk::blocks(columns.into())).unwrap_or(NonZero::<usize>::MIN)
}

/// The bytes that [`rectangles`] needs at most, but for what a program needs anyhow.
///
/// With n columns these are mostly the sets of values that bites in the middle row reach. They are
/// kept for `p >= q >= r`, where q is what the walkers have come to, with `2p + r` bits each. That
/// is at most `0.4556·n³` bits, for `q = 0.58·n`.
#[must_use]
pub fn memory(columns: u16, threads: NonZero<usize>) -> u64 {
    walk::memory(columns.into(), threads)
}
