//! What the system says of this process.

use std::path::Path;

/// The longest that is read of it, in bytes: it has a few kilobytes.
const LONGEST: u64 = 1 << 20;

/// What Linux says of this process under a name, as `VmHWM`; `None` elsewhere.
#[must_use]
pub fn process_status(name: &str) -> Option<String> {
    let status = crate::text(Path::new("/proc/self/status"), LONGEST).ok()?;
    let mut lines = status.lines().filter_map(|line| line.split_once(':'));
    lines.find(|(found, _)| *found == name).map(|(_, value)| value.trim().to_owned())
}
