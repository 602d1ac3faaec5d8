//! A file is not both read and written. One test, since the process notes what it reads and writes,
//! and the inode of a file that is removed may be that of the next one.

#![cfg(unix)]

use std::fs::hard_link;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

use files::{ClaimedOutput, claim_open, create_new, open};
use tempfile::tempdir;

#[test]
fn a_file_is_not_read_and_written() {
    // In either order, and by any link.
    let links: [fn(&Path, &Path) -> io::Result<()>; 2] =
        [|file, link| hard_link(file, link), |file, link| symlink(file, link)];
    let folder = tempdir().unwrap();
    for (number, link) in links.into_iter().enumerate() {
        let [(read, to_read), (written, to_written)] = ["read", "written"].map(|name| {
            let file = folder.path().join(format!("{name}-{number}"));
            let to_file = file.with_extension("link");
            drop(create_new(&file).unwrap());
            link(&file, &to_file).unwrap();
            (file, to_file)
        });
        open(&read, 0).unwrap();
        let error = ClaimedOutput::new(&to_read).unwrap_err().to_string();
        assert_eq!(error, format!("the same command reads it as {}", read.display()));
        let claimed = ClaimedOutput::new(&written).unwrap();
        let error = open(&to_written, 0).unwrap_err().to_string();
        assert_eq!(error, "the same command writes it");
        drop(claimed);
        open(&to_written, 0).unwrap();
    }

    // Two outputs are two files, even if they are not there yet.
    std::fs::create_dir(folder.path().join("x")).unwrap();
    let claimed = ClaimedOutput::new(&folder.path().join("new")).unwrap();
    let again = folder.path().join("x/../new");
    let error = ClaimedOutput::new(&again).unwrap_err().to_string();
    assert_eq!(error, "the same command writes it twice");
    drop(claimed);
    ClaimedOutput::new(&again).unwrap();

    // A shell can open a file twice to append to it.
    let path = folder.path().join("file");
    drop(create_new(&path).unwrap());
    claim_open(&path).unwrap();
    claim_open(&path).unwrap();
    assert!(open(&path, 0).is_err() && ClaimedOutput::new(&path).is_err());
}
