//! A hint to the cache.

/// Prefetches the cache line where `words` begins; a hint.
#[inline(always)]
pub fn prefetch<T>(words: &T) {
    #[cfg(target_arch = "x86_64")]
    super::x86::prefetch(words);
    #[cfg(target_arch = "aarch64")]
    super::neon::prefetch(words);
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = words;
}
