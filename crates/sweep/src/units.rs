//! Numbers as they are used.

/// An index into memory.
// Otherwise a call for each of the kernel's look-ups: 3 % of a run.
#[allow(clippy::inline_always)]
#[inline(always)]
pub(crate) fn index(n: u64) -> usize {
    usize::try_from(n).expect("what is indexed is in memory")
}
