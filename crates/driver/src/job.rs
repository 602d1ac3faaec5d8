//! Work that costs time and memory, from before it begins to its end.
//!
//! A [`Job`] says what work is for and its [`Cost`]. Before it begins it is refused if it needs
//! more memory than there is, and announced if it takes much. Then it is [`Running`]: it counts the
//! units that are done for the watcher, until it ends or the watcher stops it. For instance a
//! rectangle:
//!
//! ```text
//! let job = Job::new("the positions of 8x10 need", "choose a smaller board", cost);
//! job.run(work, watch)?.steps(|tell| Solution::of(8, 10, threads, tell))
//! ```

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use sweep::checkpoints::Bytes;

use crate::cost::Cost;
use crate::error::Hint;
use crate::watch::{Cheaper, Event, Watch, Work};
use crate::{Error, memory};

/// The stack of a thread.
const STACK: u64 = 2 << 20;

/// The address space that glibc reserves for the small blocks of a thread. If it cannot, each block
/// takes a page, and the space is soon exhausted.
const ARENA: u64 = 64 << 20;

/// Work before it begins.
#[derive(Clone, Debug)]
pub struct Job {
    /// What needs the memory, such as `rows to 5 need`.
    what: String,
    /// A way to need less, such as `choose a smaller row`.
    less: &'static str,
    pub cost: Cost,
    hint: Hint,
}

impl Job {
    pub fn new(what: impl Into<String>, less: &'static str, cost: Cost) -> Self {
        Self { what: what.into(), less, cost, hint: Hint::None }
    }

    /// The same with a hint at what helps.
    pub fn with(self, hint: Hint) -> Self {
        Self { hint, ..self }
    }

    /// Refuses work that needs more than is available, announces work that takes much, and begins
    /// it.
    pub fn run<'a>(&self, work: Work, watch: &'a dyn Watch) -> Result<Running<'a>, Error> {
        self.announce(None, watch)?;
        Ok(Running::new(watch, work))
    }

    /// Refuses work that needs more than is available, and announces work that takes much, with a
    /// cheaper way.
    pub fn announce(&self, cheaper: Option<Cheaper>, watch: &dyn Watch) -> Result<(), Error> {
        self.require()?;
        if self.cost.is_much() {
            watch.event(&Event::Cost { cost: self.cost, cheaper });
        }
        Ok(())
    }

    /// Refuses work that needs more than the user allows.
    pub fn require_within(&self, allowed: Option<u64>) -> Result<(), Error> {
        let needed = self.cost.bytes;
        let available = allowed.unwrap_or(u64::MAX);
        self.require_at_most(available, needed, "memory", "are allowed", &self.hint)
    }

    /// Refuses work that needs more than is available.
    pub fn require(&self) -> Result<(), Error> {
        let Cost { bytes, threads, helpers, .. } = self.cost;
        let all = threads + helpers;
        let data = bytes.saturating_add(all.saturating_mul(STACK));
        // One more, since the system is asked for two and gives one back.
        let arenas = if all == 0 { 0 } else { all + 1 };
        let space = data.saturating_add(arenas.saturating_mul(ARENA));
        let of_space = if threads == 0 { &self.hint } else { &Hint::Threads };
        let group = "are left to this container (its control group)";
        let (limit_of_data, limit_of_space) =
            ("are left of its limit (ulimit -d)", "are left of its limit (ulimit -v)");
        for (available, needed, of_what, there, hint) in [
            (memory::free(), bytes, "memory", "are available here", &self.hint),
            (memory::left_to_group(), bytes, "memory", group, &self.hint),
            (memory::data(), data, "memory", limit_of_data, &self.hint),
            (memory::address_space(), space, "address space", limit_of_space, of_space),
        ] {
            let available = available.unwrap_or(u64::MAX);
            self.require_at_most(available, needed, of_what, there, hint)?;
        }
        Ok(())
    }

    fn require_at_most(
        &self,
        available: u64,
        needed: u64,
        of_what: &str,
        there: &str,
        hint: &Hint,
    ) -> Result<(), Error> {
        if needed <= available {
            return Ok(());
        }
        let (what, less) = (&self.what, self.less);
        let or_fewer = if *hint == Hint::Threads { " or fewer threads" } else { "" };
        let amount = match needed {
            u64::MAX => "more than 2^64 bytes".to_owned(),
            _ => format!("about {}", Bytes(needed)),
        };
        let words = format!(
            "{what} {amount} of {of_what}, and {} {there}; {less}{or_fewer}",
            Bytes(available)
        );
        // Stacks, and the address space reserved for small blocks.
        let of_threads = needed - self.cost.bytes;
        Err(Error::Memory { words, left: available.saturating_sub(of_threads), hint: hint.clone() })
    }
}

/// Work that has begun, and ends when this is dropped.
pub struct Running<'a> {
    watch: &'a dyn Watch,
    done: AtomicU64,
}

impl<'a> Running<'a> {
    pub fn new(watch: &'a dyn Watch, work: Work) -> Self {
        watch.begin(work);
        Self { watch, done: AtomicU64::new(work.before) }
    }

    /// Counts units that are done. `Break` if the watcher stops the work.
    pub fn advance(&self, units: u64) -> ControlFlow<()> {
        self.at(self.done.fetch_add(units, Ordering::Relaxed) + units)
    }

    /// This number of units is done. `Break` if the watcher stops the work.
    pub fn at(&self, done: u64) -> ControlFlow<()> {
        self.watch.done(done);
        self.watch.go_on()
    }

    /// A search that reports its steps.
    pub fn steps<T, E>(
        self,
        search: impl FnOnce(&(dyn Fn(u64) -> ControlFlow<()> + Sync)) -> Result<T, E>,
    ) -> Result<T, Error>
    where
        Error: From<E>,
    {
        Ok(search(&|steps| self.advance(steps))?)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.watch.end();
    }
}
