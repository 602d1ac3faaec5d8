//! From errors to messages and exit codes.

use std::process::ExitCode;

#[cfg(feature = "mpi")]
pub use of_ranks::{Cause, how_to_resume};
use thiserror::Error;
#[cfg(feature = "mpi")]
use words::Checkpoints;

/// The reason why the program has failed.
#[derive(Debug, Error)]
pub enum Failure {
    /// Standard output cannot be written.
    #[error(transparent)]
    Output(#[from] terminal::Error),
    /// The operating system has refused a request.
    #[cfg(feature = "mpi")]
    #[error(transparent)]
    System(#[from] std::io::Error),
    /// This process cannot be a rank of a job.
    #[cfg(feature = "mpi")]
    #[error(transparent)]
    NoRank(#[from] cluster::transport::MpiError),
    /// A rank has ended.
    #[cfg(feature = "mpi")]
    #[error("{message}")]
    Rank {
        /// The rank, the reason, and how to resume.
        message: String,
        code: u8,
    },
}

impl Failure {
    /// Prints the message, and returns the exit code.
    pub fn report(&self) -> ExitCode {
        match self {
            Self::Output(error) => terminal::report(error, ""),
            #[cfg(feature = "mpi")]
            Self::System(_) | Self::NoRank(_) => {
                terminal::fail(self, terminal::exit::INPUT_OR_OUTPUT)
            }
            #[cfg(feature = "mpi")]
            Self::Rank { code, .. } => terminal::fail(self, *code),
        }
    }
}

#[cfg(feature = "mpi")]
impl Failure {
    /// The error of a rank before the first row.
    pub fn of_rank(rank: usize, cause: impl Into<Cause>) -> Self {
        let cause = cause.into();
        Self::Rank { message: format!("rank {rank}: {cause}"), code: cause.code() }
    }

    /// The error of a rank of a run with these checkpoints, which may have begun.
    pub fn of_rank_that_ran(rank: usize, cause: impl Into<Cause>, at: &Checkpoints<'_>) -> Self {
        let cause = cause.into();
        let code = cause.code();
        let has_advice = matches!(cause, Cause::Library(driver::Error::WriteInterrupted { .. }));
        let resumes = code == terminal::exit::INCOMPLETE && !has_advice && !cause.is_refusal();
        let advice = if resumes { how_to_resume(at) } else { String::new() };
        Self::Rank { message: format!("rank {rank}: {cause}{advice}"), code }
    }

    /// The command line of a rank makes no sense.
    pub fn of_usage(rank: usize, cause: impl Into<Cause>) -> Self {
        let message = format!("rank {rank}: {}", cause.into());
        Self::Rank { message, code: terminal::exit::USAGE }
    }
}

#[cfg(feature = "mpi")]
mod of_ranks {
    use cluster::{rows::RowsError, transport::TransportError};
    use sweep::error::SweepError;
    use terminal::exit::{self, INCOMPLETE, INPUT_OR_OUTPUT, USAGE};
    use thiserror::Error;
    use words::{Checkpoints, WordsError};

    /// The reason why a rank has ended.
    #[derive(Debug, Error)]
    pub enum Cause {
        /// The command line makes no sense here.
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

    /// The checkpoint from which a run can resume, in words.
    pub fn how_to_resume(checkpoints: &Checkpoints<'_>) -> String {
        match checkpoints.newest_row() {
            Some(row) => format!(
                "; the newest checkpoint is at row {row}, and the same command resumes from there, \
                 with any number of ranks and threads"
            ),
            None => "; this rank sees no checkpoint".to_owned(),
        }
    }

    impl Cause {
        /// Whether a rank has refused the run before its first row.
        pub fn is_refusal(&self) -> bool {
            matches!(
                self,
                Self::Usage(_)
                    | Self::Transport(_)
                    | Self::Rows(
                        RowsError::Transport(_)
                            | RowsError::Options { .. }
                            | RowsError::NoFolder
                            | RowsError::Memory { .. }
                            | RowsError::Dismissed
                    )
            )
        }

        pub fn code(&self) -> u8 {
            match self {
                Self::Usage(_)
                | Self::Transport(TransportError::Build { .. })
                | Self::Rows(
                    RowsError::Transport(TransportError::Build { .. })
                    | RowsError::Options { .. }
                    | RowsError::NoFolder
                    | RowsError::Memory { .. }
                    | RowsError::Words(WordsError::Sweep(
                        SweepError::Threads { .. } | SweepError::Kernel { .. },
                    )),
                ) => USAGE,
                Self::Library(error) => exit::code(error.kind()),
                Self::Rows(RowsError::Words(WordsError::Sweep(_) | WordsError::Stopped)) => {
                    INCOMPLETE
                }
                Self::Rows(RowsError::Words(_)) => INPUT_OR_OUTPUT,
                Self::Rows(_) | Self::Transport(_) => INCOMPLETE,
            }
        }
    }
}
