//! Which option helps. The libraries say what is wrong, and know of no options.

use driver::{Error, Purpose};
use record::HeadForm;
use record::data_set::DataSetError;

/// What is added to the message of an error.
pub fn advice(error: &anyhow::Error) -> &'static str {
    match error.downcast_ref() {
        Some(Error::CellsOfLiteral) => "; leave out --engine literal",
        Some(Error::Memory(shortage)) if shortage.is_less_with_fewer_threads() => " (--threads)",
        Some(Error::Memory(shortage)) if matches!(shortage.purpose, Purpose::Poset { .. }) => {
            " (--memory)"
        }
        Some(Error::Sweep(sweep::error::SweepError::Threads { .. })) => {
            "; --threads says how many there are to be"
        }
        Some(Error::DataSet(error)) => on_data_set(error),
        Some(_) => "",
        None => error.downcast_ref().map_or("", on_data_set),
    }
}

fn on_data_set(error: &DataSetError) -> &'static str {
    match error {
        DataSetError::NotADataSet { .. } => "; choose another folder with --out, or empty it",
        DataSetError::NotAFolder { .. } => "; choose another folder with --out",
        DataSetError::Busy { .. } => "; wait for it, or choose another folder with --out",
        DataSetError::Larger { .. } => "; choose another folder with --out, or remove it",
        DataSetError::OtherForm { asked: HeadForm::Offsets, .. } => {
            "; leave out --full, or choose another folder with --out"
        }
        DataSetError::OtherForm { asked: HeadForm::Fingerprint, .. } => {
            "; add --full, or choose another folder with --out"
        }
        _ => "",
    }
}
