//! The column in which a row ends.

use clap::Args;
use driver::{Error, HeadForm, RowKey, Watch};
use serde::{Deserialize, Serialize};

use crate::input::{RowsFrom, row};
use crate::objects::{SourceObject, Told};

/// Print the column in which a row ends.
///
/// A finite row ends with the position (q,q,R), where the offset is 0; q is printed. A periodic row
/// never ends. Computing row R takes as long as computing all rows to R.
#[derive(Clone, Debug, Args, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[command(
    after_help = "Examples:\n  chomp ends 3    # 5, since (5,5,3) is the last P-position\n\n\
    Exit codes: 0 if a column is printed; 1 if the row never ends."
)]
pub struct Ends {
    /// The row.
    #[arg(value_name = "R", value_parser = row, allow_hyphen_values = true)]
    #[cfg_attr(feature = "schema", schemars(example = 3))]
    row: u64,
    #[command(flatten)]
    #[serde(flatten)]
    rows: RowsFrom,
    /// Print the answer as JSON: `chomp help json`.
    #[arg(long)]
    #[serde(skip)]
    pub(crate) json: bool,
}

/// The end of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RowEnd {
    /// The bottom row r.
    row: u64,
    /// Its last column; `null` if the row is periodic.
    last: Option<u64>,
    source: SourceObject,
}

impl Ends {
    pub(crate) fn ask(&self, watch: &dyn Watch) -> Result<Told, Error> {
        let key = RowKey::of_row(0, self.row);
        let found = self.rows.open()?.row(&key, HeadForm::Fingerprint, watch)?.record;
        let last = found.finite().map(|row| row.last);
        let source = SourceObject::of(self.rows.data.as_deref());
        let end = RowEnd { row: self.row, last, source };
        Ok(match last {
            Some(last) => Told::of(end, format!("{last}\n")),
            None => {
                Told::of(end, "").but(Error::nothing(format!("{key} is periodic, and never ends")))
            }
        })
    }
}
