//! Which lanes the kernel runs on.

#[cfg(target_arch = "x86_64")]
use super::x86;
use super::{lanes::OnLanes, portable::Portable};
use crate::error::SweepError;

/// The instructions that the kernel uses. The rows are the same with each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kernel {
    /// The fastest that the machine has.
    #[default]
    Auto,
    /// Eight lanes in an AVX-512 register.
    Avx512,
    /// Eight lanes in two AVX2 registers.
    Avx2,
    /// Arrays of eight words, on any machine.
    Portable,
}

/// A kernel that this machine can run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Runnable {
    #[cfg(target_arch = "x86_64")]
    Avx512(x86::HasAvx512),
    #[cfg(target_arch = "x86_64")]
    Avx2(x86::HasAvx2),
    Portable,
}

impl Kernel {
    /// Finds out whether the machine has the instructions.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn detect(self) -> Result<Runnable, SweepError> {
        let avx512 = || x86::HasAvx512::detect().map(Runnable::Avx512);
        let avx2 = || x86::HasAvx2::detect().map(Runnable::Avx2);
        match self {
            Self::Auto => Ok(avx512().or_else(avx2).unwrap_or(Runnable::Portable)),
            Self::Avx512 => avx512().ok_or(SweepError::Kernel { kernel: "AVX-512" }),
            Self::Avx2 => avx2().ok_or(SweepError::Kernel { kernel: "AVX2" }),
            Self::Portable => Ok(Runnable::Portable),
        }
    }

    /// Finds out whether the machine has the instructions.
    #[cfg(not(target_arch = "x86_64"))]
    pub(crate) fn detect(self) -> Result<Runnable, SweepError> {
        match self {
            Self::Auto | Self::Portable => Ok(Runnable::Portable),
            Self::Avx512 => Err(SweepError::Kernel { kernel: "AVX-512" }),
            Self::Avx2 => Err(SweepError::Kernel { kernel: "AVX2" }),
        }
    }
}

impl Runnable {
    /// Does `work` on these lanes.
    pub(crate) fn run(self, work: impl OnLanes) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(machine) => machine.run(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(machine) => machine.run(work),
            Self::Portable => work.run::<Portable>(),
        }
    }
}
