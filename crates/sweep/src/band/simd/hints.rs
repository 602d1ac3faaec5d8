//! Hints to the machine and to the compiler, which change no result: `prefetch` asks for the cache
//! line where something begins, and `now` has a word computed before what comes later.

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
use none as machine;

#[cfg(target_arch = "aarch64")]
use super::neon as machine;
#[cfg(target_arch = "x86_64")]
use super::x86 as machine;

pub(super) use machine::now;
pub(crate) use machine::prefetch;

/// Machines for which there are none.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod none {
    #[inline(always)]
    pub(crate) fn prefetch<T>(_words: &T) {}

    #[inline(always)]
    pub(crate) fn now(word: u64) -> u64 {
        word
    }
}
