//! `chomp diff`.

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use tempfile::tempdir;

use crate::program::{INPUT_OR_OUTPUT, REFUTED, USAGE, chomp, data_set_to, forger, stdout};

fn diff(one: &std::path::Path, other: &std::path::Path) -> assert_cmd::Command {
    let mut command = chomp("diff");
    command.arg(one).arg(other);
    command
}

/// Rows of level 0 in two formats, with fingerprints and with all offsets, agree.
#[test]
fn rows_agree_across_formats() {
    let (rows, folder) = (data_set_to(200), tempdir().unwrap());
    let [full, levels] = ["full", "levels"].map(|name| folder.path().join(name));
    chomp("rows --to 150 --full --out").arg(&full).assert().success();
    chomp("grundy --levels 0..1 --to 120 --out").arg(&levels).assert().success();
    let agree = stdout(diff(rows.path(), &full).assert());
    let more = format!("Rows that only {} has: 50.\n", rows.path().display());
    assert_eq!(agree, format!("Rows that agree: 151.\n{more}"));
    for sets in [[&full, &levels], [&levels, &full]] {
        let agree = stdout(diff(sets[0], sets[1]).assert());
        assert!(agree.starts_with("Rows that agree: 121.\n"), "{agree}");
        // Those of level 1.
        assert!(
            agree.contains("levels has: 121.\n") && agree.contains("full has: 30.\n"),
            "{agree}"
        );
    }
}

#[test]
fn the_first_row_that_differs_is_named() {
    let (rows, forged) = (data_set_to(130), data_set_to(130));
    let forge = forger(forged.path());
    for (from, to, words) in [
        ("first: 206", "first: 207", "row 120: first is 206 in "),
        ("start: 170", "start: 169", "row 120: start is 170 in "),
        ("values: [72, 70]", "values: [70, 72]", "row 120: values is [72,70] in "),
        (
            "8a21679c9ed36f2f",
            "0000000000000001",
            "row 120: the fingerprint of the head is 8a21679c9ed36f2f in ",
        ),
    ] {
        forge(from, to);
        diff(rows.path(), forged.path())
            .assert()
            .code(REFUTED)
            .stdout(contains(words))
            .stderr(contains("row 120 is the first row that differs"));
    }
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let (rows, folder) = (data_set_to(9), tempdir().unwrap());
    let [none, two, three] = ["none", "two", "three"].map(|name| folder.path().join(name));
    for (to, out) in [("2", &two), ("3", &three)] {
        chomp("family beside boolean").arg(to).arg("--out").arg(out).assert().success();
    }
    diff(rows.path(), &none)
        .assert()
        .code(INPUT_OR_OUTPUT)
        .stderr(contains("there is no data set").and(contains("none")));
    let agree = stdout(diff(&two, &two).assert());
    assert!(agree.starts_with("Rows that agree: ") && agree.lines().count() == 1, "{agree}");
    diff(&two, &three).assert().code(USAGE).stderr(contains("different posets"));
    diff(&two, rows.path()).assert().code(USAGE).stderr(contains("no row in common"));
}
