//! Boards against the oracles of `game`, and against the papers.

mod boundary;
mod by_rules;
mod cho;
mod lengths;
mod openings;
mod oracles;
mod sieve;
mod squares;
mod values;

use std::num::NonZero;
use std::ops::ControlFlow;

use boards::rectangles::Solution;

/// Solves a rectangle with one thread.
fn solved(rows: u16, columns: u16) -> Solution {
    solved_by(rows, columns, 1)
}

fn solved_by(rows: u16, columns: u16, threads: usize) -> Solution {
    let threads = NonZero::new(threads).expect("at least one thread");
    Solution::of(rows, columns, threads, &|_| ControlFlow::Continue(())).expect("a small rectangle")
}
