//! The program without MPI.

use assert_cmd::Command;

fn chomp_mpi(arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chomp-mpi"));
    command.args(arguments.split(' '));
    command
}

#[test]
fn a_plan_has_time_memory_traffic_and_limits() {
    let output = chomp_mpi("plan --to 1_000_000 --nodes 4 --threads 8").output();
    let output = output.expect("it runs");
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).expect("text");
    for word in [
        "Rows 0 to 1000000, nodes: 4",
        "\ntime ",
        "\nmemory ",
        "\ndisk ",
        "| stored words ",
        "| groups ",
        "| finished rows ",
        "Scaling stops at about",
    ] {
        assert!(text.contains(word), "{word:?} is not in\n{text}");
    }
    assert!(text.contains("at most 3.4 GB of words wait"), "{text}");
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
        "plan --to 1000",
        "plan --nodes 4",
        "plan --to ten --nodes 4",
        "plan --to 1000000000000 --nodes 4",
        "plan --to 1000 --nodes 0",
        "plan --to 1000 --nodes 4 --bandwidth 0",
        "plan --to 1000 --nodes 4 --latency -1",
        "plan --to 1000 --nodes 4 --memory nan",
        "rows",
    ] {
        assert_eq!(chomp_mpi(arguments).output().expect("it runs").status.code(), Some(2));
    }
}

/// Rows below 1024 need no block.
#[test]
fn few_rows_have_a_plan() {
    for row in ["0", "1023", "1024", "5000"] {
        let arguments = format!("plan --to {row} --nodes 3");
        chomp_mpi(&arguments).assert().success();
    }
}
