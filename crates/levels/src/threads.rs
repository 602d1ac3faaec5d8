//! Independent jobs on several threads.

use std::num::NonZeroUsize;

#[cfg(feature = "parallel")]
use rayon::{ThreadPool, ThreadPoolBuilder, prelude::*};

/// Threads for the jobs of a whole run: a run has many rounds of short jobs.
pub(crate) struct Threads {
    /// `None` for one thread, or where the operating system creates no others.
    #[cfg(feature = "parallel")]
    pool: Option<ThreadPool>,
}

impl Threads {
    #[cfg(feature = "parallel")]
    pub(crate) fn new(threads: NonZeroUsize) -> Self {
        let build = || ThreadPoolBuilder::new().num_threads(threads.get()).build().ok();
        Self { pool: (threads.get() > 1).then(build).flatten() }
    }

    #[cfg(not(feature = "parallel"))]
    pub(crate) fn new(_: NonZeroUsize) -> Self {
        Self {}
    }

    /// The results of the jobs, in their order.
    #[cfg_attr(not(feature = "parallel"), expect(clippy::unused_self, reason = "there is no pool"))]
    pub(crate) fn run<J: Send, D: Send>(
        &self,
        jobs: Vec<J>,
        run: impl Fn(J) -> D + Send + Sync,
    ) -> Vec<D> {
        #[cfg(feature = "parallel")]
        if let Some(pool) = &self.pool
            && jobs.len() > 1
        {
            return pool.install(|| jobs.into_par_iter().map(run).collect());
        }
        jobs.into_iter().map(run).collect()
    }
}

/// Frees memory on a thread of its own, as millions of small pieces take seconds, and who stops a
/// run waits for its end.
pub(crate) fn free_later<T: Send + 'static>(memory: T) {
    #[cfg(feature = "parallel")]
    drop(std::thread::Builder::new().spawn(move || drop(memory)));
    #[cfg(not(feature = "parallel"))]
    drop(memory);
}
