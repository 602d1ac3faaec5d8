//! Levels and tails: Chomp by Grundy value, and with more than three rows.
//!
//! Row (g; t) is the set of the positions `(p,q,t)` with Grundy value g, for fixed lower rows t
//! (fact 12 of `proofs/README.md`). Three-rowed Chomp has the tails `(r)`; its P-positions are
//! level 0. A *family* has the rows of all levels up to a highest one and of all tails within a
//! given one. They are computed together, each with a certificate of fact 3:
//!
//! ```
//! use levels::{Family, Options, rows};
//! let family = Family::of_tails(2, "3".parse()?);
//! let found = rows(&family, &Options::default(), &mut |_| std::ops::ControlFlow::Continue(()))?;
//! let lines: Vec<String> = found.iter().map(|row| row.to_string()).collect();
//! assert_eq!(lines[8], "Empty(row: 2, level: 2, by: 1)");
//! assert_eq!(lines.len(), 12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The offsets that the rows below block are kept as bits for each column (module `row`). So a
//! cell reads a few words, and a row below is entered once, not once for each row above it. Rows
//! with the same size of the tail plus level do not need each other, and are shared out among
//! threads (module `engine`). `byrnes::recurrence` searches for a recurring state. Neither periods
//! nor starts are bounded. The tests compare three rows with `byrnes::ChompGrundy`, and few columns
//! with any number of rows with `game::Search`.

mod engine;
mod irregular;
mod row;
mod shape;

pub use engine::{Error, Options, rows};
pub use record::Family;
pub use shape::parts;
