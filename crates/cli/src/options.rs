//! Options of several commands, and the refusal of options without effect that clap cannot detect.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;
use driver::{Engine, Error, Language, SweepOptions};
pub use game::number::within;
use terminal::typed::number;

/// Fails if the option was given.
pub fn none(option: Option<&str>, why: &str) -> Result<(), Error> {
    match option {
        Some(option) => Err(Error::usage(format!("{option} does nothing here: {why}"))),
        None => Ok(()),
    }
}

/// The threads of a computation.
#[derive(Clone, Copy, Debug, Args)]
pub struct Threads {
    /// Threads; by default as many as there are processors. The result does not depend on them.
    #[arg(long, value_name = "N", value_parser = threads, allow_hyphen_values = true)]
    pub threads: Option<NonZero<usize>>,
}

impl Threads {
    /// The sweep with these threads.
    pub fn sweep(self) -> SweepOptions {
        let default = SweepOptions::default();
        SweepOptions { threads: self.threads.or(default.threads), ..default }
    }

    /// The engine with these threads.
    pub fn engine(self) -> Engine {
        Engine::Sweep(self.sweep())
    }

    /// The name of the option, if it was given.
    pub fn given(self) -> Option<&'static str> {
        self.threads.is_some().then_some("--threads")
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
