//! Facts about this process, from the operating system.

use std::path::Path;

/// The amount of memory in a field of `/proc/self/status`, in bytes.
pub fn process_bytes(name: &str) -> Option<u64> {
    let kib: u64 = process_status(name)?.strip_suffix(" kB")?.parse().ok()?;
    kib.checked_mul(1024)
}

/// The most bytes that are read of the status file, which has a few kilobytes.
const LONGEST: u64 = 1 << 20;

/// The value of a field of `/proc/self/status`, such as `VmHWM`; `None` on systems without it.
pub fn process_status(name: &str) -> Option<String> {
    let status = crate::text(Path::new("/proc/self/status"), LONGEST).ok()?;
    let mut lines = status.lines().filter_map(|line| line.split_once(':'));
    lines.find(|(found, _)| *found == name).map(|(_, value)| value.trim().to_owned())
}
