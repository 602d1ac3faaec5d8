//! What the programs have in common at a terminal: how computations are watched and interrupted,
//! how messages are written, exit codes, numbers that are typed, and the version of a build.
//!
//! Each program has words of its own for what only it does, and parses its own command line.
//! No option is named here, and nothing of Chomp is computed.

pub mod exit;
pub mod typed;

mod interrupt;
mod messages;
mod progress;
mod shared;
mod version;
mod watcher;

pub use interrupt::{Interrupt, outlive_file_size_limit};
pub use messages::{OutputError, log_to_stderr, no_color, print, tell};
pub use shared::{fail, table, verified_now};
pub use version::VERSION;
pub use watcher::Watcher;
