//! Options of several commands.

use std::path::PathBuf;

use ask::Language;
pub use ask::input::{Threads, level, threads};
use clap::Args;
pub use game::notation::within;

/// Where long work keeps its state.
#[derive(Debug, Args)]
pub struct Keep {
    /// Keep the state of the work in this folder, from time to time and when it is interrupted, and
    /// resume from the state that is there: the same command resumes work that was interrupted or
    /// killed, and says what it believes. The folder is made if it is not there.
    #[arg(long = "keep", value_name = "DIR", aliases = ["resume", "state", "checkpoints"])]
    pub folder: Option<PathBuf>,
}

/// A number from 1 on; `why` says why not 0.
pub fn positive(text: &str, why: &str) -> Result<u64, String> {
    ask::input::number(text)
        .and_then(|number| if number > 0 { Ok(number) } else { Err(why.to_owned()) })
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
