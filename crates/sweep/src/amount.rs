//! Amounts of memory in messages.

use std::fmt;

/// A number of bytes, shown in MB, GB or TB, rounded up.
///
/// ```
/// use sweep::checkpoints::Bytes;
/// let shown = [1, 10_000_000, 15_134_700_000, 372_887_300_000].map(|n| Bytes(n).to_string());
/// assert_eq!(shown, ["1 MB", "10 MB", "15.2 GB", "373 GB"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        const MEGA: u64 = 1_000_000;
        let megabytes = self.0.div_ceil(MEGA);
        let (unit, name) = match megabytes {
            0..1000 => return write!(f, "{megabytes} MB"),
            1000..MEGA => (1000, "GB"),
            MEGA.. => (MEGA, "TB"),
        };
        if megabytes >= 100 * unit {
            return write!(f, "{} {name}", megabytes.div_ceil(unit));
        }
        let tenths = megabytes.div_ceil(unit / 10);
        write!(f, "{}.{} {name}", tenths / 10, tenths % 10)
    }
}
