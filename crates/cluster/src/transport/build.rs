//! The build of each rank, which ranks exchange before anything else.
//!
//! **The first message** from a rank to another one has a form that never changes, so that any two
//! builds can read it: a text in UTF-8, and two bytes that are 1. The text is one line of at most
//! 200 bytes. It begins with `wire format `, and names the format, the version and the commit. Two
//! ranks have the same build if their texts are equal.
//!
//! A rank of another build reads only the last byte of the following messages: 0 is a sign of life,
//! and 2 means that the rank leaves.
//!
//! Builds from before this form begin with another message. They interpret this one as options of a
//! rank, which differ from theirs, and report that.

use terminal::VERSION;

/// The version of the wire format: of all messages between the ranks of a run. Raise it whenever a
/// message changes: those of `parts::wire`, with encoded groups, corners and rows, and the bytes
/// that `transport` adds.
///
/// All ranks of a run must have the same version and be built from the same commit.
pub const WIRE_FORMAT: u32 = 7;

/// The beginning of the text.
const BEGIN: &str = "wire format ";

/// The end of the message.
const END: [u8; 2] = [1; 2];

const MOST_BYTES: usize = 200;

/// The build of a rank whose first message does not name it.
pub(super) const OLDER: &str = "an older build, which does not name itself";

/// This build.
pub(super) fn own() -> String {
    format!("{BEGIN}{WIRE_FORMAT}, chomp-mpi {VERSION}")
}

/// The first message of this build.
pub(super) fn encode() -> Vec<u8> {
    [own().as_bytes(), &END].concat()
}

/// The build that a first message names, if it names one.
pub(super) fn decode(message: &[u8]) -> Option<&str> {
    let text = str::from_utf8(message.strip_suffix(&END)?).ok()?;
    let is_one = text.starts_with(BEGIN)
        && text.len() <= MOST_BYTES
        && !text.contains(|c: char| c.is_control());
    is_one.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_names_itself() {
        assert_eq!(decode(&encode()), Some(&*own()));
        assert_eq!(
            decode(b"wire format 7, chomp-mpi 2.0\x01\x01"),
            Some("wire format 7, chomp-mpi 2.0")
        );
    }

    /// Among them a sign of life, and the options of earlier builds.
    #[test]
    fn other_messages_name_no_build() {
        let long = [BEGIN, &"x".repeat(MOST_BYTES), "\x01\x01"].concat();
        let all: [&[u8]; 7] = [
            b"",
            b"\x00",
            b"program 0.1.0\nrows below 1000\x01\x01",
            b"wire format 1\x01",
            b"wire format 1\x1b[31m\x01\x01",
            b"wire format \xff\x01\x01",
            long.as_bytes(),
        ];
        for message in all {
            assert_eq!(decode(message), None, "{message:?}");
        }
    }
}
