//! The verdict of the checker on a data set.

use ask::verdict_object;
use driver::{Task, Texts, Watch, records};

use crate::json;

/// Verifies the data set with these files.
pub fn verdict(files: &Texts, task: &Task, watch: &dyn Watch) -> String {
    let outcome = records::verify_texts(files, task, watch);
    json(&verdict_object(&outcome, task.heads))
}
