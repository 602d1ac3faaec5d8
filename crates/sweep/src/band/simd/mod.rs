//! Vectors of eight 64-bit lanes, and which of them the machine has.
//!
//! | module | what |
//! |---|---|
//! | `lanes` | what the walk needs of a vector, and what it offers to be run on one |
//! | `portable` | arrays of eight words, on any machine |
//! | `x86` | AVX-512 and AVX2 registers |
//! | `neon` | NEON registers |
//! | `kernel` | the choice |
//! | `prefetch` | a hint to the cache |

mod kernel;
mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
mod prefetch;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use kernel::Kernel;
pub(crate) use {
    kernel::Runnable,
    lanes::{Eight, Lanes, OnLanes, Register},
    portable::Portable,
    prefetch::prefetch,
};
