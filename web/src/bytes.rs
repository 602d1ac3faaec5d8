//! The bytes of a file in JSON, which has only text: each byte is a character, U+0000 to U+00FF.
//!
//! The decoded text of the file is no substitute: a browser drops a byte order mark and replaces
//! invalid UTF-8, so the checker would judge another file.

use std::char::TryFromCharError;

use serde::{Deserialize, Serialize};

/// The bytes of a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Bytes(pub Vec<u8>);

impl TryFrom<String> for Bytes {
    type Error = TryFromCharError;

    fn try_from(text: String) -> Result<Self, TryFromCharError> {
        text.chars().map(u8::try_from).collect::<Result<_, _>>().map(Self)
    }
}

impl From<Bytes> for String {
    fn from(Bytes(bytes): Bytes) -> Self {
        bytes.into_iter().map(char::from).collect()
    }
}
