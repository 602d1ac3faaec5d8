//! `chomp check` on the archive of a data set.

use std::fs;
use std::process::Command;

use predicates::str::contains;
use tempfile::tempdir;

use crate::program::{INPUT_OR_OUTPUT, chomp, data_set_to, stdout, workspace};

/// The archive is made by the program that makes the deposit.
#[test]
fn an_archive_is_verified() {
    let (rows, folder) = (data_set_to(300), tempdir().unwrap());
    let archive = folder.path().join("rows.zip");
    let made = Command::new("python3")
        .arg(workspace("outputs/deposit/archive"))
        .args([rows.path(), &rows.path().join("MANIFEST.ron"), &archive])
        .output()
        .expect("Python");
    assert!(made.status.success(), "{made:?}");
    for options in ["", " --heads", " --rows 100..200"] {
        let check = |data| stdout(chomp(&format!("check{options}")).arg(data).assert());
        assert_eq!(check(&*archive), check(rows.path()));
    }

    let mut bytes = fs::read(&archive).unwrap();
    let place = bytes.windows(8).position(|word| word == b"row: 120").expect("stored");
    bytes[place + 5] = b'2';
    fs::write(&archive, &bytes).unwrap();
    let refused = |words: &'static str| {
        chomp("check").arg(&archive).assert().code(INPUT_OR_OUTPUT).stderr(contains(words));
    };
    refused("rows.zip: ");
    fs::write(&archive, b"no archive").unwrap();
    refused("rows.zip: ");
}
