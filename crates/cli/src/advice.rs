//! Which option or command helps. The libraries say what is wrong, and know of none.

use census::export::ExportError;
use census::query::QueryError;
use census::sequences::TermError;
use driver::{CheckError, Error, Purpose};
use figures::FigureError;
use game::NotationError;
use record::HeadForm;
use record::data_set::{DataSetError, is_being_written};
use sweep::error::SweepError;
use sweep::hypothesis::Hypothesis;

/// Where records come from a data set: which has all offsets, and what needs none.
const ALL_OFFSETS: &str = " (--full writes them), or leave out --data";

/// What is added to the message of an error.
pub fn advice(error: &anyhow::Error) -> String {
    match error.downcast_ref() {
        Some(Error::VerificationInterrupted { folder, .. }) => {
            format!("; `chomp check {}` verifies them", folder.display())
        }
        _ => option(error).to_owned(),
    }
}

fn option(error: &anyhow::Error) -> &'static str {
    if let Some(error) = error.downcast_ref() {
        return on_driver(error);
    }
    if let Some(error) = error.downcast_ref() {
        return on_data_set(error);
    }
    match (error.downcast_ref(), error.downcast_ref(), error.downcast_ref()) {
        (Some(ExportError::NoOffsets), ..) => " (chomp rows --full writes them)",
        (Some(ExportError::NoParquet), ..) => {
            " (cargo install --path crates/cli --features parquet)"
        }
        (_, Some(FigureError::NoOffsets { .. }), _)
        | (.., Some(TermError::NeedsOffsets { .. })) => ALL_OFFSETS,
        _ => "",
    }
}

/// What is added to the message of an error about a board.
pub fn on_board(error: &NotationError) -> &'static str {
    match error {
        NotationError::TooLarge { .. } => " (for rows of any length use `chomp query`)",
        _ => "",
    }
}

fn on_driver(error: &Error) -> &'static str {
    match error {
        Error::CellsOfLiteral | Error::LiteralTails => "; leave out --engine literal",
        Error::Memory(shortage) if shortage.is_less_with_fewer_threads() => " (--threads)",
        Error::Memory(shortage) if matches!(shortage.purpose, Purpose::Poset { .. }) => {
            " (--memory)"
        }
        Error::SpillMemory { .. } => " (--memory)",
        Error::Check(error) if matches!(**error, CheckError::WholeFamily { .. }) => {
            "; leave out --rows"
        }
        Error::Sweep(error) => on_sweep(error),
        Error::DataSet(error) => on_data_set(error),
        Error::Check(error) => match &**error {
            CheckError::Structure(error) => on_data_set(error),
            _ => "",
        },
        Error::Query(QueryError::NeedsHead { .. })
        | Error::Term(TermError::NeedsOffsets { .. }) => ALL_OFFSETS,
        _ => "",
    }
}

fn on_sweep(error: &SweepError) -> &'static str {
    match error {
        SweepError::CheckpointSpill { .. } => " (--spill)",
        SweepError::Threads { .. } => "; --threads says how many there are to be",
        SweepError::Kernel { .. } => "; leave out --kernel, and it takes the fastest that it has",
        SweepError::Hypothesis { hypothesis: Hypothesis::WindowsFit, .. } => "",
        SweepError::Hypothesis { .. } | SweepError::EarlyStart { .. } => {
            " (--full computes with it)"
        }
        _ => "",
    }
}

fn on_data_set(error: &DataSetError) -> &'static str {
    match error {
        DataSetError::Missing { path } if is_being_written(path) => {
            "; a run is writing there now: wait for its end, or stop it with Ctrl-C, which keeps \
             the rows so far"
        }
        DataSetError::NotADataSet { .. } => "; choose another folder with --out, or empty it",
        DataSetError::NotAFolder { .. } => "; choose another folder with --out",
        DataSetError::Busy { .. } => "; wait for it, or choose another folder with --out",
        DataSetError::Larger { .. } | DataSetError::OtherFamily { .. } => {
            "; choose another folder with --out, or remove it"
        }
        DataSetError::OtherForm { asked: HeadForm::Offsets, .. } => {
            "; leave out --full, or choose another folder with --out"
        }
        DataSetError::OtherForm { asked: HeadForm::Fingerprint, .. } => {
            "; add --full, or choose another folder with --out"
        }
        _ => "",
    }
}
