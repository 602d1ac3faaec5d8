//! Messages of both programs.

use std::fmt::Display;
use std::process::ExitCode;

use driver::Verified;

use crate::messages::tell;

/// The message on the verification of a data set that existed before the run.
pub fn verified_now(verdict: &Verified) -> String {
    format!(
        "Verified now, depths structure and tails: {}.\nAssumed: {}.\n",
        verdict.proved(),
        verdict.assumptions().as_deref().unwrap_or("nothing")
    )
}

/// Prints the message of a failed program, and returns its exit code.
pub fn fail(words: &dyn Display, code: u8) -> ExitCode {
    tell(&format!("error: {words}"));
    ExitCode::from(code)
}
