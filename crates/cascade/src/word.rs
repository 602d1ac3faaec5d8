//! Words: the periodic rows just below a periodic row. Stands on `proofs/cascade.md`, 5.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The letter of a row of a cluster, after its first constant rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Letter {
    /// `A`: the row moves. Its values are not constant.
    A,
    /// `s`: the row stands. Its values are constant.
    S,
}

/// The word of a periodic row: the number of constant rows with which its cluster begins, and one
/// letter for each periodic row from there to the row itself.
///
/// For example `2:AA`: two constant rows, a row that moves, and the row itself, which moves as
/// well. The first constant rows of a cluster have no letters; the word of the second one is `2:`.
/// Words are ordered by their constants, then letter by letter.
///
/// ```
/// use cascade::{Letter, Word};
/// let word: Word = "1:AsA".parse()?;
/// assert_eq!((word.constants(), word.letters()), (1, &[Letter::A, Letter::S, Letter::A][..]));
/// assert!(word.moves());
/// assert_eq!(word.to_string(), "1:AsA");
/// assert_eq!((word.rows(), word.periodic_rows()), (6, 4));
/// # Ok::<(), cascade::WordError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word {
    constants: u64,
    letters: Vec<Letter>,
}

/// Why a text is not a word.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WordError {
    /// No positive number, a colon, and letters.
    #[error(
        "`{0}` is not a word: write how many constant rows the cluster begins with, a colon, and \
        letters A and s, such as 2:AA"
    )]
    Form(String),
    /// A letter s after the constant rows.
    #[error("`{0}` is not a word: the first letter is A, as a constant row would count before it")]
    Stands(String),
}

impl Word {
    /// The word of the first row of a cluster, a constant row: `1:`.
    pub fn first() -> Self {
        Self { constants: 1, letters: Vec::new() }
    }

    /// The number of constant rows with which the cluster begins: k, at least 1.
    pub fn constants(&self) -> u64 {
        self.constants
    }

    /// The letters of the rows after these. The row itself has the last one. The first one is A.
    pub fn letters(&self) -> &[Letter] {
        &self.letters
    }

    /// Whether the row moves, that is, its values are not constant.
    pub fn moves(&self) -> bool {
        self.letters.last() == Some(&Letter::A)
    }

    /// The word of the next row of the cluster if that row moves.
    pub fn and_moves(mut self) -> Self {
        self.letters.push(Letter::A);
        self
    }

    /// The word of the next row of the cluster if that row is constant.
    pub fn and_stands(mut self) -> Self {
        if self.letters.is_empty() {
            self.constants += 1;
        } else {
            self.letters.push(Letter::S);
        }
        self
    }

    /// The word of the row before in the cluster, if there is one.
    pub fn before(&self) -> Option<Self> {
        let mut word = self.clone();
        if word.letters.pop().is_none() {
            word.constants -= 1;
        }
        (word.constants > 0).then_some(word)
    }

    /// The number of rows from the first row of the cluster to the row itself, with the finite
    /// ones: a row comes right after a constant one if it moves, else two rows after the row before
    /// it, and three rows after one that moves if it is constant (`proofs/cascade.md`, 5).
    pub fn rows(&self) -> u64 {
        let mut rows = 2 * self.constants - 1;
        let mut before = Letter::S;
        for &letter in &self.letters {
            rows += difference(before, letter);
            before = letter;
        }
        rows
    }

    /// The number of these rows that are periodic.
    pub fn periodic_rows(&self) -> u64 {
        self.constants + self.letters.len() as u64
    }
}

/// The difference of the numbers of two successive rows of a cluster.
fn difference(before: Letter, letter: Letter) -> u64 {
    match (before, letter) {
        (Letter::S, Letter::A) => 1,
        (Letter::A, Letter::S) => 3,
        (Letter::A, Letter::A) | (Letter::S, Letter::S) => 2,
    }
}

/// `2:AA`.
impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let letters = self.letters.iter().map(|letter| match letter {
            Letter::A => 'A',
            Letter::S => 's',
        });
        f.pad(&format!("{}:{}", self.constants, letters.collect::<String>()))
    }
}

impl FromStr for Word {
    type Err = WordError;

    /// Accepts exactly the output of `Display`.
    fn from_str(text: &str) -> Result<Self, WordError> {
        let form = || WordError::Form(text.chars().take(60).collect());
        let (constants, letters) = text.split_once(':').ok_or_else(form)?;
        let is_canonical = constants.bytes().all(|byte| byte.is_ascii_digit())
            && !constants.starts_with('0')
            && constants.len() < 19;
        let constants = constants.parse().ok().filter(|_| is_canonical).ok_or_else(form)?;
        let letter = |letter| match letter {
            'A' => Some(Letter::A),
            's' => Some(Letter::S),
            _ => None,
        };
        let letters: Vec<Letter> =
            letters.chars().map(letter).collect::<Option<_>>().ok_or_else(form)?;
        if letters.first() == Some(&Letter::S) {
            return Err(WordError::Stands(text.chars().take(60).collect()));
        }
        Ok(Self { constants, letters })
    }
}
