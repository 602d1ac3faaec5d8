//! The program without MPI.

use assert_cmd::Command;

fn chomp_mpi(arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chomp-mpi"));
    command.args(arguments.split(' '));
    command
}

/// As for `chomp --version`.
#[test]
fn the_version_names_the_commit() {
    let output = chomp_mpi("--version").output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let begin = concat!("chomp-mpi ", env!("CARGO_PKG_VERSION"), " (commit ");
    let commit = text.strip_prefix(begin).and_then(|rest| rest.strip_suffix(")\n"));
    assert!(commit.is_some_and(|commit| !commit.is_empty()), "{text}");
}

#[test]
fn bad_arguments_are_refused() {
    for arguments in [
        "rows",
        "rows --to ten",
        "rows --to 1000000000000",
        "rows --to 1000 --threads 0",
        "rows --to 1000 --patience 0",
        "rows --to 1000 --memory 8G",
    ] {
        assert_eq!(chomp_mpi(arguments).output().expect("it runs").status.code(), Some(2));
    }
}

#[cfg(not(feature = "mpi"))]
#[test]
fn a_build_without_mpi_says_how_to_make_one() {
    let output = chomp_mpi("rows --to 10").output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).expect("text");
    assert!(text.contains("build it with --features mpi"), "{text}");
}
