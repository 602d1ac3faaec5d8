//! Looks for invariants of the first rows of a data set, and tests them on the others:
//! `outputs/CONJECTURES.md`. It reads records, and computes no offset.
//!
//! `cargo run --release -p chomp-cascade --example conjectures -- DIR R` learns from rows 0 to R.

#[path = "../predictions/balance.rs"]
#[expect(dead_code, reason = "steps of D are for predictions")]
mod balance;
mod learn;
mod quantities;
mod report;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use record::data_set::{DataSet, DataSetError};

use quantities::Rows;

fn main() -> ExitCode {
    let mut typed = env::args_os().skip(1);
    let folder = typed.next().map(PathBuf::from);
    let learned = typed.next().and_then(|text| text.to_str()?.parse().ok());
    let (Some(folder), Some(learned), None) = (folder, learned, typed.next()) else {
        eprintln!(
            "usage: conjectures DIR R, a data set of `chomp rows` and the last row to learn from"
        );
        return ExitCode::from(2);
    };
    match read(&folder, learned) {
        Ok(rows) => {
            print!("{}", report::Report(&rows));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(3)
        }
    }
}

fn read(folder: &Path, learned: u64) -> Result<Rows, DataSetError> {
    let data_set = DataSet::open(folder)?;
    let mut rows = Rows::new(learned);
    for record in data_set.rows() {
        rows.add(&record?);
    }
    Ok(rows)
}
