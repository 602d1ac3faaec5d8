//! Exit codes. Nothing but full success exits 0.

use driver::ErrorKind;

/// A statement was shown to be wrong, or what is asked for does not exist.
pub const REFUTED: u8 = 1;
/// The arguments are wrong, or do not fit the data.
pub const USAGE: u8 = 2;
/// Something cannot be read, written or sent.
pub const INPUT_OR_OUTPUT: u8 = 3;
/// The work was interrupted, or did not end.
pub const INCOMPLETE: u8 = 4;

/// The exit code of an error of this kind.
pub fn code(kind: ErrorKind) -> u8 {
    match kind {
        ErrorKind::Usage => USAGE,
        ErrorKind::Refuted | ErrorKind::Nothing => REFUTED,
        ErrorKind::InputOrOutput => INPUT_OR_OUTPUT,
        ErrorKind::Incomplete | ErrorKind::Closed => INCOMPLETE,
    }
}
