//! From errors to messages and exit codes.

use std::process::ExitCode;

#[cfg(feature = "mpi")]
pub use of_ranks::{Cause, how_to_go_on};
use terminal::OutputError;
use thiserror::Error;

/// Why the program has failed.
#[derive(Debug, Error)]
pub enum Failure {
    /// Standard output takes no more.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The operating system refuses.
    #[cfg(feature = "mpi")]
    #[error(transparent)]
    System(#[from] std::io::Error),
    /// This process is no rank of a job.
    #[cfg(feature = "mpi")]
    #[error("{0}")]
    NoRank(String),
    /// A rank has ended.
    #[cfg(feature = "mpi")]
    #[error("rank {rank}: {cause}{advice}")]
    Rank {
        /// Its number.
        rank: usize,
        /// Why it has ended.
        cause: Box<Cause>,
        code: u8,
        /// How to go on.
        advice: String,
    },
}

impl Failure {
    /// This process is no rank of a job, for this reason.
    #[cfg(feature = "mpi")]
    pub fn no_rank(reason: impl std::fmt::Display) -> Self {
        Self::NoRank(reason.to_string())
    }

    /// Tells the person what went wrong, and the caller by exit code.
    pub fn report(&self) -> ExitCode {
        let code = match self {
            Self::Output(error @ OutputError::Closed) => return ExitCode::from(error.code()),
            Self::Output(error) => error.code(),
            #[cfg(feature = "mpi")]
            Self::System(_) | Self::NoRank(_) => terminal::exit::INPUT_OR_OUTPUT,
            #[cfg(feature = "mpi")]
            Self::Rank { code, .. } => *code,
        };
        terminal::fail(self, code)
    }
}

#[cfg(feature = "mpi")]
impl Failure {
    /// The error of a rank of a run with these checkpoints.
    pub fn of_rank(rank: usize, cause: impl Into<Cause>, at: &words::Checkpoints<'_>) -> Self {
        let cause = cause.into();
        let is_told = matches!(cause, Cause::Library(driver::Error::WriteInterrupted { .. }));
        let code = cause.code();
        let is_silent = code != terminal::exit::INCOMPLETE || is_told;
        let advice = if is_silent { String::new() } else { how_to_go_on(at) };
        Self::Rank { rank, cause: Box::new(cause), code, advice }
    }

    /// What was typed makes no sense.
    pub fn of_usage(rank: usize, cause: impl Into<Cause>) -> Self {
        let cause = Box::new(cause.into());
        Self::Rank { rank, cause, code: terminal::exit::USAGE, advice: String::new() }
    }
}

#[cfg(feature = "mpi")]
mod of_ranks {
    use cluster::{rows::RowsError, transport::TransportError};
    use sweep::error::SweepError;
    use terminal::exit::{self, INCOMPLETE, INPUT_OR_OUTPUT, USAGE};
    use thiserror::Error;
    use words::{Checkpoints, WordsError};

    /// Why a rank has ended.
    #[derive(Debug, Error)]
    pub enum Cause {
        /// What was typed makes no sense here.
        #[error("{0}")]
        Usage(String),
        /// An error of the library.
        #[error(transparent)]
        Library(#[from] driver::Error),
        /// An error of the rows of all ranks.
        #[error(transparent)]
        Rows(#[from] RowsError),
        /// An error of the network.
        #[error(transparent)]
        Transport(#[from] TransportError),
    }

    /// From which checkpoint.
    pub fn how_to_go_on(checkpoints: &Checkpoints<'_>) -> String {
        match checkpoints.newest_row() {
            Some(row) => format!(
                "; the newest checkpoint is at row {row}, and the same command goes on from there, \
                 with any number of ranks and threads"
            ),
            None => "; no checkpoint is to be seen from here".to_owned(),
        }
    }

    impl Cause {
        pub fn code(&self) -> u8 {
            match self {
                Self::Usage(_)
                | Self::Transport(TransportError::Build { .. })
                | Self::Rows(
                    RowsError::Transport(TransportError::Build { .. })
                    | RowsError::Options { .. }
                    | RowsError::Memory { .. }
                    | RowsError::Words(WordsError::Sweep(
                        SweepError::Threads { .. } | SweepError::Kernel { .. },
                    )),
                ) => USAGE,
                Self::Library(error) => exit::code(error.kind()),
                Self::Rows(RowsError::Words(WordsError::Sweep(_))) => INCOMPLETE,
                Self::Rows(RowsError::Words(_)) => INPUT_OR_OUTPUT,
                Self::Rows(_) | Self::Transport(_) => INCOMPLETE,
            }
        }
    }
}
