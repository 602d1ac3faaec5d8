//! The program as a user meets it, and as machines treat it.

mod answers;
mod boards;
#[cfg(unix)]
mod disturbed;
mod json;
mod languages;
#[cfg(target_os = "linux")]
mod levels;
mod machine;
mod options;
mod play;
mod posets;
mod program;
