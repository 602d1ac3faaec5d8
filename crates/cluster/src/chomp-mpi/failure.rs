//! From errors to messages and exit codes.

use cluster::{rows::RowsError, transport::TransportError};
use sweep::{band::Checkpoints, error::SweepError};
use terminal::exit::{self, INCOMPLETE, INPUT_OR_OUTPUT, USAGE};
use thiserror::Error;

/// Why a rank has ended, and how to go on.
#[derive(Debug, Error)]
#[error("rank {rank}: {error}{advice}")]
pub struct Failure {
    rank: usize,
    error: anyhow::Error,
    code: u8,
    advice: String,
}

impl Failure {
    /// The error of a rank of a run with these checkpoints.
    pub fn of_rank(rank: usize, error: anyhow::Error, checkpoints: &Checkpoints<'_>) -> Self {
        let code = code(&error);
        let is_told = matches!(error.downcast_ref(), Some(driver::Error::WriteInterrupted { .. }));
        let advice =
            if code != INCOMPLETE || is_told { String::new() } else { how_to_go_on(checkpoints) };
        Self { rank, error, code, advice }
    }

    /// What was typed makes no sense.
    pub fn of_usage(rank: usize, error: anyhow::Error) -> Self {
        Self { rank, error, code: USAGE, advice: String::new() }
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        self.code
    }
}

/// From which checkpoint.
pub fn how_to_go_on(checkpoints: &Checkpoints<'_>) -> String {
    match checkpoints.newest_row() {
        Some(row) => format!(
            "; the newest checkpoint is at row {row}, and the same command goes on from there, with \
             any number of ranks and threads"
        ),
        None => "; no checkpoint is to be seen from here".to_owned(),
    }
}

fn code(error: &anyhow::Error) -> u8 {
    if let Some(error) = error.downcast_ref::<driver::Error>() {
        return exit::code(error.kind());
    }
    if let Some(error) = error.downcast_ref() {
        return code_of_transport(error);
    }
    match error.downcast_ref::<RowsError>() {
        Some(RowsError::Transport(error)) => code_of_transport(error),
        Some(
            RowsError::Options { .. }
            | RowsError::Memory { .. }
            | RowsError::Sweep(SweepError::Threads { .. } | SweepError::Kernel { .. }),
        ) => USAGE,
        Some(RowsError::Sweep(SweepError::Spill { .. } | SweepError::SpillFolder { .. }))
        | None => INPUT_OR_OUTPUT,
        Some(RowsError::Sweep(error)) if error.is_of_checkpoint() => INPUT_OR_OUTPUT,
        Some(_) => INCOMPLETE,
    }
}

fn code_of_transport(error: &TransportError) -> u8 {
    if matches!(error, TransportError::Build { .. }) { USAGE } else { INCOMPLETE }
}
