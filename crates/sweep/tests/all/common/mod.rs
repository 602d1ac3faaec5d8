//! Ways of working that the tests go through.

use std::num::NonZero;
use sweep::band::{Kernel, Options};

/// Options with this number of threads and this kernel.
pub fn options(threads: usize, kernel: Kernel) -> Options {
    Options { threads: NonZero::new(threads), kernel, ..Options::default() }
}

/// The kernels that this machine has.
pub fn kernels() -> Vec<Kernel> {
    Kernel::NAMED.into_iter().chain([Kernel::Auto]).filter(|kernel| kernel.is_here()).collect()
}
