//! The choice of the vector instructions.

use super::lanes::OnLanes;
#[cfg(target_arch = "aarch64")]
use super::neon;
#[cfg(target_arch = "x86_64")]
use super::x86;
use crate::error::SweepError;
use std::fmt;

/// The instructions that the kernel uses. The rows are the same with each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kernel {
    /// The fastest that the machine has.
    #[default]
    Auto,
    /// Eight lanes in an AVX-512 register, on x86-64.
    Avx512,
    /// Eight lanes in two AVX2 registers, on x86-64.
    Avx2,
    /// Eight lanes in four NEON registers, on 64-bit Arm.
    Neon,
    /// Arrays of eight words, on any machine.
    Portable,
}

impl Kernel {
    /// All except `Auto`. The first one that a machine has is its fastest.
    pub const NAMED: [Self; 4] = [Self::Avx512, Self::Avx2, Self::Neon, Self::Portable];

    /// Whether this machine can run it.
    pub fn is_here(self) -> bool {
        self.runnable().is_some()
    }

    /// Detects whether the machine has the instructions.
    pub(crate) fn detect(self) -> Result<Runnable, SweepError> {
        self.runnable().ok_or(SweepError::Kernel { kernel: self.name() })
    }

    fn runnable(self) -> Option<Runnable> {
        match self {
            Self::Auto => Self::NAMED.into_iter().find_map(Self::runnable),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => x86::HasAvx512::detect().map(Runnable::Avx512),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => x86::HasAvx2::detect().map(Runnable::Avx2),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => neon::HasNeon::detect().map(Runnable::Neon),
            Self::Portable => Some(Runnable::Portable),
            // Kernels of other machines.
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Auto => "fastest",
            Self::Avx512 => "AVX-512",
            Self::Avx2 => "AVX2",
            Self::Neon => "NEON",
            Self::Portable => "portable",
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A kernel that this machine can run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Runnable {
    #[cfg(target_arch = "x86_64")]
    Avx512(x86::HasAvx512),
    #[cfg(target_arch = "x86_64")]
    Avx2(x86::HasAvx2),
    #[cfg(target_arch = "aarch64")]
    Neon(neon::HasNeon),
    Portable,
}

impl Runnable {
    /// Runs `work` on these registers.
    pub(crate) fn run(self, work: impl OnLanes) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(machine) => machine.run(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(machine) => machine.run(work),
            #[cfg(target_arch = "aarch64")]
            Self::Neon(machine) => machine.run(work),
            Self::Portable => work.run::<u64>(),
        }
    }
}

/// Prefetches the cache line where `words` begins; a hint.
#[inline(always)]
pub fn prefetch<T>(words: &T) {
    #[cfg(target_arch = "x86_64")]
    x86::prefetch(words);
    #[cfg(target_arch = "aarch64")]
    neon::prefetch(words);
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = words;
}
