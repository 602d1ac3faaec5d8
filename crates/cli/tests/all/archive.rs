//! `chomp check` on the archive of a data set.

use std::fs;
use std::path::Path;
use std::process::Command;

use predicates::str::contains;
use tempfile::tempdir;

use crate::program::{INPUT_OR_OUTPUT, chomp, data_set_to, stdout, workspace};

#[test]
fn an_archive_is_verified() {
    let (rows, folder) = (data_set_to(300), tempdir().unwrap());
    let archive = folder.path().join("rows.zip");
    archive_of(rows.path(), &archive);
    for options in ["", " --heads", " --rows 100..200"] {
        let check = |data| stdout(chomp(&format!("check{options}")).arg(data).assert());
        assert_eq!(check(&*archive), check(rows.path()));
    }

    // Of any name.
    let renamed = folder.path().join("deposit");
    fs::copy(&archive, &renamed).unwrap();
    let verdict = stdout(chomp("check --rows 7..9").arg(&renamed).assert());
    assert_eq!(verdict, stdout(chomp("check --rows 7..9").arg(rows.path()).assert()));

    let mut bytes = fs::read(&archive).unwrap();
    let place = bytes.windows(8).position(|word| word == b"row: 120").expect("stored");
    bytes[place + 5] = b'2';
    fs::write(&archive, &bytes).unwrap();
    let refused = |words: &'static str| {
        chomp("check").arg(&archive).assert().code(INPUT_OR_OUTPUT).stderr(contains(words));
    };
    refused("rows.zip/rows-0000000-0000300.ron is damaged: its hash is ");
    fs::write(&archive, b"no archive").unwrap();
    refused("rows.zip: ");
    fs::remove_file(&archive).unwrap();
    let missing = chomp("check").arg(&archive).assert();
    missing.code(INPUT_OR_OUTPUT).stderr(contains("no data set"));
}

/// Of an archive of two segments, a check of rows of the first one reads no other.
#[test]
fn segments_of_later_rows_are_not_read() {
    let folder = tempdir().unwrap();
    let rows = folder.path().join("rows");
    chomp("rows --to 10005 --out").arg(&rows).assert().success();
    let verdict = stdout(chomp("check --rows 100..200").arg(&rows).assert());
    assert!(verdict.contains("Structure: the files of rows 0 to 9999 are whole"), "{verdict}");
    assert!(verdict.contains("rows 201 to 10005"), "the rows that were not checked: {verdict}");
    let archive = folder.path().join("rows.zip");
    archive_of(&rows, &archive);
    let mut bytes = fs::read(&archive).unwrap();
    let later = b"row: 10003,";
    let place = bytes.windows(later.len()).position(|word| word == later).expect("stored");
    bytes[place + 5] = b'2';
    fs::write(&archive, &bytes).unwrap();
    fs::remove_file(rows.join("rows-0010000-0010005.ron")).unwrap();
    for data in [&rows, &archive] {
        assert_eq!(stdout(chomp("check --rows 100..200").arg(data).assert()), verdict);
        chomp("check --rows 100..10000").arg(data).assert().code(INPUT_OR_OUTPUT);
    }
}

/// Archives that were made to mislead. Nothing is copied, so a missing temporary folder does no
/// harm.
#[test]
fn hostile_archives_are_refused_at_once() {
    let (rows, folder) = (data_set_to(300), tempdir().unwrap());
    let archive = folder.path().join("rows.zip");
    let made = |script: &str| {
        archive_of(rows.path(), &archive);
        let script = format!(
            "import copy, sys, zipfile\n\
             name = 'rows-0000000-0000300.ron'\n\
             with zipfile.ZipFile(sys.argv[1]) as z: files = {{n: z.read(n) for n in z.namelist()}}\n\
             with zipfile.ZipFile(sys.argv[1], 'w') as z:\n{script}"
        );
        let made = Command::new("python3").args(["-c", &script]).arg(&archive).output().unwrap();
        assert!(made.status.success(), "{made:?}");
        chomp("check").arg(&archive).env("TMPDIR", folder.path().join("nowhere")).assert()
    };
    let all = " for n in files: z.writestr(n, files[n])\n";
    assert!(stdout(made(all)).starts_with("Verified: rows 0 to 300"));
    let place = |words: &str| format!("cannot read {}{words}", archive.display());
    for (script, words) in [
        // One file of 20 MB under 150 names.
        (
            " z.writestr(name, bytes(20 << 20))\n\
             \x20for k in range(1, 150):\n\
             \x20 other = copy.copy(z.filelist[0])\n\
             \x20 other.filename = f'rows-{k}0000000-{k}0009999.ron'\n\
             \x20 z.filelist.append(other)\n",
            place(": files in it overlap"),
        ),
        (
            " z.writestr(name, files[name])\n",
            format!("there is no data set in {}", archive.display()),
        ),
        (
            " z.writestr('MANIFEST.ron', files['MANIFEST.ron'])\n",
            place("/rows-0000000-0000300.ron: it is not in the archive"),
        ),
        (
            " z.writestr('MANIFEST.ron', files['MANIFEST.ron'])\n\
             \x20z.writestr(name, files[name] + bytes(20 << 20))\n",
            place("/rows-0000000-0000300.ron: it has "),
        ),
        (
            " z.writestr('MANIFEST.ron', files['MANIFEST.ron'])\n\
             \x20z.writestr(name, files[name], zipfile.ZIP_DEFLATED)\n",
            place(": rows-0000000-0000300.ron in it is compressed or encrypted"),
        ),
    ] {
        made(script).code(INPUT_OR_OUTPUT).stderr(contains(words));
    }
}

/// Makes an archive, by the program that makes the deposit.
fn archive_of(rows: &Path, archive: &Path) {
    let made = Command::new("python3")
        .arg(workspace("outputs/deposit/archive"))
        .args([rows, &rows.join("MANIFEST.ron"), archive])
        .output()
        .expect("Python");
    assert!(made.status.success(), "{made:?}");
}
