//! Vectors of eight 64-bit lanes, and the choice of the kernel.
//!
//! | module | contents |
//! |---|---|
//! | `lanes` | eight words in memory, the operations of a register, the portable one, and the trait of functions that run on registers |
//! | `x86` | AVX-512 and AVX2 registers |
//! | `neon` | NEON registers |
//! | `kernel` | the choice of the instructions, and a hint to the cache |

/// Calls this intrinsic with these arguments, which are evaluated outside `unsafe`. It must not
/// touch memory. Only the methods of registers use this.
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
macro_rules! call {
    ($intrinsic:ident $(::<$immediate:literal>)? ($a:expr $(,)?)) => {{
        let a = $a;
        // SAFETY: registers exist only in `run` of a proof that the machine has their features.
        unsafe { $intrinsic $(::<$immediate>)? (a) }
    }};
    ($intrinsic:ident $(::<$immediate:literal>)? ($a:expr, $b:expr $(,)?)) => {{
        let (a, b) = ($a, $b);
        // SAFETY: as above.
        unsafe { $intrinsic $(::<$immediate>)? (a, b) }
    }};
    ($intrinsic:ident $(::<$immediate:literal>)? ($a:expr, $b:expr, $c:expr $(,)?)) => {{
        let (a, b, c) = ($a, $b, $c);
        // SAFETY: as above.
        unsafe { $intrinsic $(::<$immediate>)? (a, b, c) }
    }};
}

/// The operations of a register that are one intrinsic with two arguments.
#[allow(unused_macros)]
macro_rules! of_two {
    ($($operation:ident: $intrinsic:ident),* $(,)?) => {$(
        #[inline(always)]
        fn $operation(self, other: Self) -> Self {
            Self(call!($intrinsic(self.0, other.0)))
        }
    )*};
}

/// The types and conversions of a register that multiplies whole numbers, where
/// [`Register::place`] gives places that are too small by `less`.
macro_rules! whole_numbers {
    (less: $less:expr) => {
        type Factors<'a> = Factors<'a, Self>;
        #[inline(always)]
        fn factors<'a>(
            anchors: [Self; 2],
            weights: &[&'a [u64; 8]; 8],
            at: usize,
        ) -> Factors<'a, Self> {
            Factors::new(anchors, $less, weights, at)
        }
        type Place = Self;
        #[inline(always)]
        fn number(place: Self, _: &Factors<Self>) -> Self {
            place
        }
        type Sums = [Self; 2];
        #[inline(always)]
        fn sums(rows: [Self; 2]) -> [Self; 2] {
            rows
        }
        #[inline(always)]
        fn totals(sums: [Self; 2], _: &Factors<Self>) -> [Self; 2] {
            sums
        }
    };
}

mod kernel;
mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use kernel::{Runnable, prefetch};
pub(crate) use lanes::{HIGH_PLACES, LOW_PART, LOW_PLACES, OnLanes, Register};
pub use {kernel::Kernel, lanes::Eight};
