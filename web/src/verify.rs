//! The verdict of the checker on a data set.

use driver::{Error, ErrorKind, Task, Texts, Watch, records};
use serde::Serialize;

use crate::json;

/// The verdict.
#[derive(Serialize)]
struct VerdictObject {
    /// `verified`, `refuted`, `incomplete`, or `unreadable`.
    verdict: &'static str,
    words: String,
}

/// Verifies the data set with these files.
pub fn verdict(files: &Texts, task: &Task, watch: &dyn Watch) -> String {
    let (verdict, words) = match records::verify_texts(files, task, watch) {
        Ok(verified) => ("verified", verified.to_string()),
        Err(error) => {
            let error = Error::from(error);
            let verdict = match error.kind() {
                ErrorKind::Refuted => "refuted",
                ErrorKind::Incomplete => "incomplete",
                ErrorKind::Usage | ErrorKind::InputOrOutput => "unreadable",
            };
            (verdict, error.to_string())
        }
    };
    json(&VerdictObject { verdict, words })
}
