//! From the sequence of finite rows to the number of holes h of each row, and to its word: the
//! periodic rows just below it. Stands on `proofs/cascade.md`, 5.

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
#[error("`{}` is not a word: {}", .0, .1)]
pub struct WordError(String, &'static str);

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

    /// The word of the row with the first of these letters only.
    pub(crate) fn beginning(&self, letters: usize) -> Self {
        Self { constants: self.constants, letters: self.letters[..letters].to_vec() }
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
    /// ones: there are h + 1 of these less than periodic ones (`proofs/cascade.md`, 5.2), and h is
    /// 1 if the row moves, else 0.
    pub fn rows(&self) -> u64 {
        2 * self.periodic_rows() - 1 - u64::from(self.moves())
    }

    /// The number of these rows that are periodic.
    pub fn periodic_rows(&self) -> u64 {
        self.constants + self.letters.len() as u64
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
        let letter = |letter| match letter {
            'A' => Some(Letter::A),
            's' => Some(Letter::S),
            _ => None,
        };
        let read = |(constants, letters): (&str, &str)| {
            let constants = constants.parse().ok().filter(|k| (1..1 << 60).contains(k))?;
            Some(Self { constants, letters: letters.chars().map(letter).collect::<Option<_>>()? })
        };
        let wrong = |why| WordError(text.chars().take(60).collect(), why);
        let word = text.split_once(':').and_then(read).filter(|word| word.to_string() == text);
        let word = word.ok_or_else(|| {
            wrong(
                "write how many constant rows the cluster begins with, a colon, and letters A and \
                 s, such as 2:AA",
            )
        })?;
        if word.letters.first() == Some(&Letter::S) {
            return Err(wrong("the first letter is A, as a constant row would count before it"));
        }
        Ok(word)
    }
}

/// Reads which rows are finite, from row 0 on, and gives each periodic row its h: the number of its
/// holes, or less than 0 at a reset.
///
/// It is the length of a queue: each periodic row adds one, each finite row removes one if there is
/// one. Constant time for each row.
///
/// ```
/// use cascade::Queue;
/// let mut queue = Queue::default();
/// // p: a periodic row; f: a finite one.
/// let holes: Vec<i64> = "pppffp".chars().filter_map(|row| queue.next(row == 'f')).collect();
/// assert_eq!(holes, [0, 1, 2, 1]);
/// // Rows 0 to 2 are periodic: three more than are finite among them.
/// assert_eq!(queue.largest_excess(), Some((3, 2)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    rows: u64,
    last: Option<u64>,
    /// The h of the last periodic row; 0 if there is none.
    pub(crate) h: i64,
    largest: Option<(u64, u64)>,
}

impl Queue {
    /// The h of the next row; `None` if it is finite.
    pub fn next(&mut self, finite: bool) -> Option<i64> {
        let row = self.rows;
        self.rows += 1;
        if finite {
            return None;
        }
        // As if row -2 were the periodic row before the first one, with h = 0.
        let difference = self.last.map_or(row.saturating_add(2), |last| row - last);
        self.h = self.h.max(0) + 2 - difference.cast_signed();
        self.last = Some(row);
        let excess = self.h.max(0).cast_unsigned() + 1;
        if self.largest.is_none_or(|(largest, _)| excess > largest) {
            self.largest = Some((excess, row));
        }
        Some(self.h)
    }

    /// The largest excess of periodic rows over finite ones in an interval of rows, and the last
    /// row of the first such interval; `None` if no row is periodic. It is one more than the
    /// largest h, and at least 1.
    pub fn largest_excess(&self) -> Option<(u64, u64)> {
        self.largest
    }
}

/// Reads which rows are finite, from row 0 on, and gives each periodic row its word.
///
/// The words determine the rows of clusters with `h <= 1` (`proofs/cascade.md`, 5.4). A row with
/// `h >= 2`, and the rows after it in its cluster, have no word ([`Refuted`]); the first row of the
/// next cluster has one again. The reader holds one word in memory, and takes the time of copying
/// it for each periodic row.
///
/// ```
/// use cascade::WordReader;
/// let mut words = WordReader::default();
/// // Rows 0, 2 and 5 are periodic, rows 1, 3 and 4 are finite.
/// let finite = [false, true, false, true, true, false];
/// let words: Result<Vec<_>, _> = finite.iter().map(|&finite| words.next(finite)).collect();
/// let texts: Vec<String> = words?.into_iter().flatten().map(|word| word.to_string()).collect();
/// assert_eq!(texts, ["1:", "2:", "1:"]);
/// # Ok::<(), cascade::Refuted>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct WordReader {
    pub(crate) queue: Queue,
    /// The number of finite rows read: F(r) for the next row r.
    pub(crate) finite: u64,
    /// The word of the last periodic row.
    word: Option<Result<Word, Refuted>>,
}

/// A row with `h >= 2` (`proofs/cascade.md`, 5.2), so that it and the rows after it in its cluster
/// have no word. No such row of Chomp is known.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "row {row} has h = {h}: it and the later rows of its cluster have no words, which exist for \
     h <= 1 only (proofs on periods, 5)"
)]
pub struct Refuted {
    /// The first row of its cluster with `h >= 2`.
    pub row: u64,
    /// Its h.
    pub h: i64,
}

impl WordReader {
    /// The word of the next row, or `None` if that row is finite.
    ///
    /// # Errors
    /// [`Refuted`] if this row, or one before it in its cluster, has `h >= 2`. The row counts as
    /// read all the same.
    pub fn next(&mut self, finite: bool) -> Result<Option<Word>, Refuted> {
        let row = self.queue.rows;
        let Some(h) = self.queue.next(finite) else {
            self.finite += 1;
            return Ok(None);
        };
        let word = match (h, self.word.take()) {
            (..0, _) | (_, None) => Ok(Word::first()),
            (0, Some(word)) => word.map(Word::and_stands),
            (1, Some(word)) => word.map(Word::and_moves),
            (2.., Some(word)) => word.and(Err(Refuted { row, h })),
        };
        self.word = Some(word.clone());
        word.map(Some)
    }
}
