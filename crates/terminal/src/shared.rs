//! Messages of both programs.

use std::fmt::Display;
use std::process::ExitCode;

use comfy_table::{CellAlignment, Table, presets};
use driver::Verified;

use crate::messages::tell;

/// The message on the verification of a data set that existed before the run.
#[must_use]
pub fn verified_now(verdict: &Verified) -> String {
    format!(
        "Verified now, depths structure and tails: {}.\nAssumed: {}.\n",
        verdict.proved(),
        verdict.assumptions().as_deref().unwrap_or("nothing")
    )
}

/// A table in the form of Markdown, to which rows can be added. Columns are aligned to the right,
/// except those whose index `is_text`.
pub fn table<T: ToString>(
    header: impl IntoIterator<Item = T>,
    is_text: impl Fn(usize) -> bool,
) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(header.into_iter().map(|name| name.to_string()));
    let columns = table.column_iter_mut().enumerate();
    for (_, column) in columns.filter(|(index, _)| !is_text(*index)) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Prints the message of a failed program, and returns its exit code.
pub fn fail(words: &dyn Display, code: u8) -> ExitCode {
    tell(&format!("error: {words}"));
    ExitCode::from(code)
}
