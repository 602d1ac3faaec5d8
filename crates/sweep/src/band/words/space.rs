//! The free space on a disk.

use std::{io, path::Path};

use crate::amount::Bytes;

/// An error unless the disk has room for these bytes, and some more for other programs.
pub(crate) fn require_space(folder: &Path, needed: u64) -> io::Result<()> {
    check_space(needed, available_space(folder)?)
}

fn check_space(needed: u64, available: u64) -> io::Result<()> {
    let spare = needed / 16 + (16 << 20);
    if available >= needed.saturating_add(spare) {
        return Ok(());
    }
    let kind = io::ErrorKind::StorageFull;
    let message = format!("it may need {}, and {} are free", Bytes(needed), Bytes(available));
    Err(io::Error::new(kind, message))
}

#[cfg(not(target_family = "wasm"))]
fn available_space(folder: &Path) -> io::Result<u64> {
    fs4::available_space(folder)
}

#[cfg(target_family = "wasm")]
fn available_space(_: &Path) -> io::Result<u64> {
    Ok(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_is_checked() {
        assert!(check_space(1 << 30, 1 << 31).is_ok());
        assert_eq!(check_space(1 << 30, 1 << 30).unwrap_err().kind(), io::ErrorKind::StorageFull);
        let refusal = check_space(555_556_444_444, 18_323_750_912).unwrap_err();
        assert_eq!(refusal.to_string(), "it may need 556 GB, and 18.4 GB are free");
        assert!(check_space(u64::MAX, 1 << 40).is_err());
    }
}
