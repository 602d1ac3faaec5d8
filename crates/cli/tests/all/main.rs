//! Tests of the program: its results, and its behaviour in different environments.

#![allow(clippy::disallowed_methods, reason = "tests open what they have made")]

mod answers;
mod archive;
mod boards;
mod cite;
#[cfg(unix)]
mod disturbed;
mod documents;
mod earlier;
#[cfg(unix)]
mod examples;
mod families;
#[cfg(unix)]
mod guards;
mod json;
mod languages;
#[cfg(target_os = "linux")]
mod levels;
mod losers;
mod machine;
mod moves;
mod options;
mod parts;
mod play;
mod posets;
mod positions;
mod program;
mod renamed;
#[cfg(unix)]
mod signals;
