//! Ways of working that the tests go through.

use record::RowRecord;
use std::num::NonZero;
use std::ops::ControlFlow;
use sweep::band::{self, Kernel, Options};
use sweep::error::SweepError;

/// Options with so many threads and this kernel.
pub fn options(threads: usize, kernel: Kernel) -> Options {
    Options { threads: NonZero::new(threads).unwrap(), kernel, ..Options::default() }
}

/// The kernels that this machine has.
pub fn kernels() -> Vec<Kernel> {
    [Kernel::Auto, Kernel::Avx512, Kernel::Avx2, Kernel::Portable]
        .into_iter()
        .filter(|&kernel| {
            let visit = &mut |_: RowRecord| ControlFlow::Continue(());
            !matches!(band::rows(1, options(1, kernel), visit), Err(SweepError::Kernel { .. }))
        })
        .collect()
}
