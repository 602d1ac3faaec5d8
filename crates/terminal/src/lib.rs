//! The common part of the programs at a terminal: progress, interrupts, messages, exit codes, typed
//! numbers, and the version of a build.
//!
//! Each program parses its own command line. No option is named here, and nothing of Chomp is
//! computed.

pub mod exit;
pub mod typed;

mod interrupt;
mod messages;
mod version;
mod watcher;

pub use driver::Error;
pub use interrupt::{Interrupt, outlive_file_size_limit};
pub use messages::{
    ProgressForm, fail, log_to_stderr, no_color, not_printed, one_line, print, print_or, report,
    tell, verified_now,
};
pub use version::VERSION;
pub use watcher::{ProgressObject, Watcher, cost_in_words};
