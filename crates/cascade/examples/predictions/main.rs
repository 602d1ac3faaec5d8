//! Compares every record of a data set with its prediction from the sequence of finite rows, and
//! writes the expectations for later rows: `outputs/PREDICTIONS.md`.
//!
//! `cargo run --release -p chomp-cascade --example predictions -- DIR`

mod balance;
mod document;
mod estimate;
mod seen;

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    let (Some(folder), None) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: predictions DIR, a data set that `chomp rows` has written");
        return ExitCode::from(2);
    };
    match seen::read(&PathBuf::from(folder)) {
        Ok(seen) => {
            print!("{}", document::Document(&seen));
            ExitCode::SUCCESS
        }
        Err(seen::Problem::Refuted(refuted)) => {
            eprintln!("{refuted}");
            ExitCode::from(1)
        }
        Err(seen::Problem::Reading(error)) => {
            eprintln!("{error}");
            ExitCode::from(3)
        }
    }
}
