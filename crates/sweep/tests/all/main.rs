//! The engines against each other and against the papers.

#![allow(clippy::disallowed_methods, reason = "tests open what they have made")]

mod assembly;
mod common;
mod engines;
