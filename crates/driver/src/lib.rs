//! Rows of three-rowed Chomp for programs: computed, asked, written, verified.
//!
//! The program `chomp` calls these functions, and another program can. They choose engines, refuse
//! work that needs more memory than is available, resume interrupted runs, and check what they
//! write. They print nothing, never end the program, and read no environment variable. Callers
//! receive events through a [`Watch`], and results.
//!
//! | question | answer |
//! |---|---|
//! | rows 0 to R, as a stream of records | [`Source::rows`] |
//! | one row in full | [`Source::row`] |
//! | f(q,t) | [`Source::value`] |
//! | P or N, and which bites win | [`Source::answer`] |
//! | write or resume a data set | [`Engine::write`] |
//! | open and verify one | [`records::verify_data_set`] |
//! | verify one that is held in memory | [`records::verify_texts`] |
//! | levels and tails, as records or as a data set | [`Engine::family`], [`Engine::write_family`] |
//! | all P-positions of a board with any number of rows | [`solve_board`] |
//! | all P-positions of a larger rectangle, resumed from its parts | [`solve_in_parts`] |
//! | all P-positions with m rows up to a length | [`PositionsRun`] |
//! | the losers of two-rowed Chomp with instant winners | [`losers`](fn@losers) |
//! | Grundy values | [`grundy_value`], [`grundy_values`] |
//! | why a row has its period | [`explain`](fn@explain) |
//! | a sequence of the OEIS, or one of our own | [`NamedSequence::terms`] |
//! | Chomp on a poset: who wins, with which bites | [`solve_poset`] |
//!
//! A [`Source`] is an [`Engine`] or a [`DataSet`].
//!
//! The feature `files` has data sets on disk, and `parallel` verifies on all processors. Without
//! them, and with no [threads](SweepOptions::threads) of the sweep, all the rest works on the
//! thread of the caller, in a browser as well (`wasm32-unknown-unknown`); data sets are texts in
//! memory.
//!
//! ```
//! use driver::{DataSet, Engine, Source, Target, Task, records};
//! let folder = tempfile::tempdir()?;
//! let row_120 = Engine::default().row_in_full(120, &())?.record;
//! assert_eq!(row_120.periodic().unwrap().period(), 2);
//! // Zeilberger's name of (7,4,3).
//! assert!(Engine::default().answer(&"[3,1,3]".parse()?, &())?.is_p());
//! Engine::default().write(&Target::new(folder.path(), 120), &())?;
//! let data_set = DataSet::open(folder.path())?;
//! let task = Task { heads: true, ..Task::default() };
//! let verdict = records::verify_data_set(&data_set, &task, &())?;
//! assert_eq!((verdict.first, verdict.last, verdict.assumptions()), (0, 120, None));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! No mathematics lives here: the engines are `byrnes` and `sweep`, the checker is `check`, and
//! `answers` and `census` draw conclusions from records.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests open what they have made"))]

pub mod records;

mod board;
#[cfg(feature = "files")]
mod check_folder;
mod costs;
mod engine;
mod error;
mod family;
mod grundy;
mod job;
mod memory;
mod poset;
mod positions;
#[cfg(feature = "files")]
mod resumable;
#[cfg(feature = "files")]
mod self_check;
#[cfg(feature = "files")]
mod sequences;
mod source;
mod way;
#[cfg(feature = "files")]
mod write;

pub use answers::{
    Answer, Basis, Bite, ChainProduct, Length, NotDecided, Position, ProductAnswer, QueryError,
    ReadError, Square, Theorem, TwoReadings, Value, WrittenBoard, read_tail, value,
};
pub use board::{answer_within, cost_of_rectangle, game_lengths, solve_board, solve_in_parts};
pub use byrnes::{ClassicalBound, Losers, Proof, losers};
pub use cascade::why::Explanation;
pub use census::export::{self, ExportError, Field, KeyColumns};
pub use census::sequences::{Sequence, Term, UnknownSequence};
pub use check::{CheckError, Depth, Task, Verified};
pub use engine::{Engine, ProvedRow, Visit};
pub use error::{Error, ErrorKind, Hint, Kept, kind_of_check};
pub use grundy::{
    GrundyBasis, GrundyMethod, GrundySearch, GrundyValue, grundy_value, grundy_values,
};
pub use job::{Cheaper, Cost, Event, Watch, Work};
pub use poset::{PosetAnswer, Spending, solve_poset};
pub use positions::{BelievedState, FoundLayers, LayerCount, PositionsChecked, PositionsRun};
pub use record::data_set::{Texts, texts};
pub use record::listeners::Cells;
pub use record::{Family, HeadForm, Kind, Record, RowKey, Statement, Tail};
pub use source::{Source, explain};
pub use sweep::band::{Kernel, Options as SweepOptions, Windows};
pub use sweep::checkpoints::{Bytes, CheckpointEvent, FileProblem, WordsError};
pub use ultimate::SetSequence;
pub use way::{Reach, Way, lengths_within, with_length};
#[cfg(feature = "files")]
pub use {
    check_folder::{CheckFolder, verify_in_folder},
    record::data_set::DataSet,
    resumable::{Sweep, require_memory},
    sequences::{NamedSequence, TermsFrom},
    write::{Finished, Origin, Target, WrittenFamily, write_by},
};

/// The largest row that can be asked for. The numbers of the engine suffice to this row; the memory
/// of a machine does not.
pub const LARGEST_ROW: u64 = sweep::band::MOST_ROWS - 1;
