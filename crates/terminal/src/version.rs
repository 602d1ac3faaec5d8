//! The version of the programs, with the commit of their build.

/// The version, with the commit that the program was built from. A build without git, as from a
/// package, says so.
pub const VERSION: &str = git_version::git_version!(
    prefix = concat!(env!("CARGO_PKG_VERSION"), " (commit "),
    suffix = ")",
    args = ["--always", "--abbrev=12", "--dirty=-modified"],
    cargo_suffix = " (commit unknown, built without git)"
);
