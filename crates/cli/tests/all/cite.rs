//! Citations of rows, of data sets, and of the program.

use std::fs;

use predicates::str::contains;

use crate::json::objects;
use crate::program::{INPUT_OR_OUTPUT, USAGE, chomp, data_set_to, stdout, workspace};

/// The value of a field in `CITATION.cff`, at its top level.
fn cited(field: &str) -> String {
    let text = fs::read_to_string(workspace("CITATION.cff")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("{field}: "))).unwrap();
    line.trim_matches('"').to_owned()
}

#[test]
fn the_program_is_cited_as_its_metadata_say() {
    let printed = stdout(chomp("cite").assert());
    let object = objects("citation", &stdout(chomp("cite --json").assert())).remove(0);
    let version = stdout(chomp("--version").assert());
    let version = version.trim().strip_prefix("chomp ").unwrap();
    assert!(version.starts_with(&cited("version")) && version.contains("commit"), "{version}");
    assert_eq!((&object["title"], &object["version"]), (&cited("title").into(), &version.into()));
    let authors = fs::read_to_string(workspace("AUTHORS")).unwrap();
    let authors: Vec<&str> = authors.lines().collect();
    let (text, bibtex) = (object["text"].as_str().unwrap(), object["bibtex"].as_str().unwrap());
    assert_eq!(printed, format!("{text}\n\n{bibtex}\n"));
    for part in [&cited("title"), version, &format!("{} (2026).", authors.join(", "))] {
        assert!(text.contains(part), "{text}");
    }
    assert!(bibtex.starts_with("@software{chomp,\n  title = {{Chomp}: certified rows"), "{bibtex}");
    assert!(bibtex.contains(&format!("author = {{{{{}}}}}", authors.join("} and {"))), "{bibtex}");
    assert_eq!(bibtex.matches('{').count(), bibtex.matches('}').count());
    // The placeholder of the address is not cited.
    assert!(object["address"] == "" && !printed.contains("invalid"), "{printed}");
}

/// The record is the line of the data set in `outputs`; the hash of the data set is that of the
/// verdict of `chomp check`.
#[test]
fn rows_and_data_sets_have_their_hashes() {
    let data = workspace("outputs/rows-10000");
    let with_data = |arguments: &str| {
        let mut command = chomp(&format!("{arguments} --json"));
        stdout(command.arg("--data").arg(&data).assert())
    };
    let rows = fs::read_to_string(data.join("rows-0000000-0009999.ron")).unwrap();
    let record = rows.lines().find(|line| line.starts_with("Periodic(row: 120,")).unwrap();
    let record = blake3::hash(record.as_bytes()).to_string();
    let mut check = chomp("check --json");
    let verdict: serde_json::Value =
        serde_json::from_str(&stdout(check.arg(&data).assert())).unwrap();

    let row = objects("citation", &with_data("cite 120")).remove(0);
    assert_eq!(
        (&row["record_blake3"], &row["data_blake3"]),
        (&record.clone().into(), &verdict["data"])
    );
    assert_eq!(row["title"], "Row 120 of three-rowed Chomp");
    for text in [&row["text"], &row["bibtex"]] {
        let text = text.as_str().unwrap();
        assert!(
            text.contains(&record) && text.contains(verdict["data"].as_str().unwrap()),
            "{text}"
        );
    }
    let set = objects("citation", &with_data("cite")).remove(0);
    assert_eq!(
        (&set["record_blake3"], &set["data_blake3"]),
        (&serde_json::Value::Null, &verdict["data"])
    );
    assert_eq!(set["title"], "Rows 0 to 10000 of three-rowed Chomp");
    // Computed, and from records with all offsets, the record is the same.
    let computed = objects("citation", &stdout(chomp("cite 120 --json").assert())).remove(0);
    assert_eq!(
        (&computed["record_blake3"], &computed["data_blake3"]),
        (&record.clone().into(), &serde_json::Value::Null)
    );
    let full = tempfile::tempdir().unwrap();
    chomp("rows --to 120 --full --out").arg(full.path()).assert().success();
    stdout(chomp("cite 120 --data").arg(full.path()).assert().stdout(contains(record)));
    chomp("cite 3,2")
        .assert()
        .success()
        .stdout(contains("P-positions of {Chomp} with the tail (3,2)"));
}

#[test]
fn what_is_not_there_is_not_cited() {
    let folder = data_set_to(20);
    let refused = chomp("cite 21 --data").arg(folder.path()).assert().code(USAGE).stdout("");
    refused.stderr(contains("holds rows 0 to 20, not row 21"));
    chomp("cite --data nowhere").assert().code(INPUT_OR_OUTPUT).stdout("");
    chomp("cite x").assert().code(USAGE).stdout("");
}
