//! The verdict of the checker on a data set.

use ask::VerdictObject;
use driver::{Task, Texts, Watch, records};

use crate::json;

/// Verifies the data set with these files.
pub fn verdict(files: &Texts, task: &Task, watch: &dyn Watch) -> String {
    let outcome = records::verify_texts(files, task, watch);
    json(&VerdictObject::of(&outcome, task.heads))
}
