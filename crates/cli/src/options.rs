//! Options of several commands, and the refusal of options without effect that clap cannot detect.

use std::num::NonZero;
use std::path::PathBuf;

<<<<<<< HEAD
use clap::{Args, ValueEnum};
use driver::{Engine, Language, SweepOptions};
pub use game::number::within;
=======
use clap::Args;
use driver::{Engine, Language, SweepOptions};
>>>>>>> 5479c42d (An answer has one JSON, in terminal, Python and page, and a bite one form; options of the engine belong to rows)
use terminal::typed::number;

use crate::failure::Failure;

/// Fails if the option was given.
pub fn none(option: Option<&str>, why: &str) -> Result<(), Failure> {
    match option {
        Some(option) => Err(Failure::Usage(format!("{option} does nothing here: {why}"))),
        None => Ok(()),
    }
}

/// The threads of a computation.
#[derive(Clone, Copy, Debug, Args)]
<<<<<<< HEAD
pub struct EngineChoice {
    /// The engine, by default `sweep`. Both find the same records. `literal` is the recurrence of
    /// the papers; it is cubic, and proves each row twice.
    #[arg(long, value_enum, help_heading = "Engine")]
    engine: Option<EngineName>,
    /// Threads of the sweep; by default as many as there are processors. No more are used than
    /// there are blocks of 512 rows.
    #[arg(long, value_name = "N", value_parser = threads, allow_hyphen_values = true,
        help_heading = "Engine")]
    threads: Option<NonZero<usize>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EngineName {
    /// The quadratic engine.
    Sweep,
    /// The recurrence of the papers.
    Literal,
}

/// Why an option of the sweep does nothing.
pub const LITERAL: &str = "it is for the sweep, and --engine literal is another engine";

impl EngineChoice {
    /// The given number of threads.
    pub fn threads(self) -> Option<NonZero<usize>> {
        self.threads
    }

    /// The chosen engine. Refuses options of the sweep with the other one.
    pub fn chosen(self) -> Result<Engine, Failure> {
        if !self.is_literal() {
            return Ok(Engine::Sweep(self.sweep()));
        }
        none(self.threads.map(|_| "--threads"), LITERAL).map(|()| Engine::Literal)
    }

    /// The options of the sweep, for any chosen engine.
=======
pub struct Threads {
    /// Threads; by default as many as there are processors. The result does not depend on them.
    #[arg(long, value_name = "N", value_parser = threads, allow_hyphen_values = true)]
    pub threads: Option<NonZero<usize>>,
}

impl Threads {
    /// The sweep with these threads.
>>>>>>> 5479c42d (An answer has one JSON, in terminal, Python and page, and a bite one form; options of the engine belong to rows)
    pub fn sweep(self) -> SweepOptions {
        let default = SweepOptions::default();
        SweepOptions { threads: self.threads.or(default.threads), ..default }
    }

    /// The engine with these threads.
    pub fn engine(self) -> Engine {
        Engine::Sweep(self.sweep())
    }

<<<<<<< HEAD
    /// The option that chooses the engine, if it was given.
    pub fn engine(self) -> Option<&'static str> {
        self.engine.map(|_| "--engine")
    }

    /// One of its options, if any was given.
    pub fn given(self) -> Option<&'static str> {
        self.engine().or(self.threads.map(|_| "--threads"))
=======
    /// The name of the option, if it was given.
    pub fn given(self) -> Option<&'static str> {
        self.threads.is_some().then_some("--threads")
>>>>>>> 5479c42d (An answer has one JSON, in terminal, Python and page, and a bite one form; options of the engine belong to rows)
    }
}

/// Where long work keeps its state.
#[derive(Debug, Args)]
pub struct Keep {
    /// Keep the state of the work in this folder, from time to time and when it is interrupted, and
    /// resume from the state that is there: the same command resumes work that was interrupted or
    /// killed, and says what it believes. The folder is made if it is not there.
    #[arg(long = "keep", value_name = "DIR", aliases = ["resume", "state", "checkpoints"])]
    pub folder: Option<PathBuf>,
}

/// A number of threads.
pub fn threads(text: &str) -> Result<NonZero<usize>, String> {
    let threads = usize::try_from(number(text)?).ok().and_then(NonZero::new);
    threads.ok_or_else(|| "at least 1 thread is needed".to_owned())
}

/// A number from 1 on; `why` says why not 0.
pub fn positive(text: &str, why: &str) -> Result<u64, String> {
    number(text).and_then(|number| if number > 0 { Ok(number) } else { Err(why.to_owned()) })
}

/// A number up to `largest`; `what` begins the message about larger ones.
pub fn at_most(text: &str, largest: u64, what: &str) -> Result<u64, String> {
    let number = number(text)?;
    if number <= largest { Ok(number) } else { Err(format!("{what} {largest}")) }
}

/// A language in which rows are printed; at most one.
#[derive(Clone, Copy, Debug, Args)]
#[group(id = "language", multiple = false)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
pub struct LanguageChoice {
    /// Print f(q,R) as a formula of LaTeX.
    #[arg(long)]
    latex: bool,
    /// Print f(q,R) as a function of q for Sage. Python reads it, too.
    #[arg(long)]
    sage: bool,
    /// Print f(q,R) as a function of q for PARI/GP.
    #[arg(long)]
    pari: bool,
    /// Print `f[q, R]` as a definition for Mathematica.
    #[arg(long)]
    mathematica: bool,
    /// Print the offsets as `B[R]` for Maple, as a pair of lists: head and period.
    #[arg(long)]
    maple: bool,
}

impl LanguageChoice {
    /// The language of the output, unless it is in words.
    pub fn chosen(self) -> Option<Language> {
        let asked = [self.sage, self.maple, self.mathematica, self.latex, self.pari];
        let languages = Language::ALL;
        asked.into_iter().zip(languages).find_map(|(asked, language)| asked.then_some(language))
    }
}
