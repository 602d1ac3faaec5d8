//! Damaged files: never verified, never a panic.

use crate::common;

use std::fs;

use check::CheckError;
use common::{check, lines, write};
use record::data_set::MANIFEST_NAME;
use tempfile::tempdir;

const LAST: usize = 7;
const SEGMENT: &str = "rows-0000000-0000007.ron";

/// Every prefix and every single-bit flip of both files.
#[test]
fn no_damaged_file_is_verified() {
    let folder = tempdir().unwrap();
    write(folder.path(), LAST, &lines(LAST as u64));
    for name in [SEGMENT, MANIFEST_NAME] {
        let path = folder.path().join(name);
        let good = fs::read(&path).unwrap();
        for length in 0..good.len() {
            fs::write(&path, &good[..length]).unwrap();
            let outcome = check(folder.path(), true);
            assert!(matches!(outcome, Err(CheckError::Structure(_))), "{name}, {length} bytes");
        }
        for bit in 0..good.len() * 8 {
            let mut damaged = good.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, damaged).unwrap();
            let outcome = check(folder.path(), true);
            assert!(matches!(outcome, Err(CheckError::Structure(_))), "{name}, bit {bit}");
        }
        fs::write(&path, good).unwrap();
    }
    assert!(check(folder.path(), true).is_ok(), "the control");
}

/// Every single-bit flip of every record, the hashes made good again.
#[test]
fn no_flipped_bit_of_a_record_is_verified() {
    let folder = tempdir().unwrap();
    let all = lines(LAST as u64);
    let (mut refused, mut refuted) = (0, 0);
    for row in 0..all.len() {
        for bit in 0..all[row].len() * 8 {
            let mut bytes = all[row].clone().into_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let Ok(line) = String::from_utf8(bytes) else { continue };
            let mut flipped = all.clone();
            flipped[row] = line;
            write(folder.path(), LAST, &flipped);
            match check(folder.path(), true) {
                Err(CheckError::Structure(_)) => refused += 1,
                Err(CheckError::Refuted(_) | CheckError::Incomplete(_)) => refuted += 1,
                other => panic!("{}: {other:?}", flipped[row]),
            }
        }
    }
    println!("{refused} refused by the reader, {refuted} refuted");
    assert!(refused > 4000 && refuted > 100);
}
