//! Rows that are checked on all processors.

use crate::error::EarlyEnd;

/// The first of these whose check ends early; its end.
pub(crate) fn first_end<T: Sync>(
    all: &[T],
    check: impl Fn(&T) -> Option<EarlyEnd> + Sync,
) -> Result<(), EarlyEnd> {
    #[cfg(feature = "parallel")]
    let found = {
        use rayon::prelude::*;
        match rayon::ThreadPoolBuilder::new().build() {
            Ok(pool) => pool.install(|| all.par_iter().find_map_first(&check)),
            // The operating system creates no threads; this one takes longer, and is enough.
            Err(_) => all.iter().find_map(&check),
        }
    };
    #[cfg(not(feature = "parallel"))]
    let found = all.iter().find_map(check);
    found.map_or(Ok(()), Err)
}
