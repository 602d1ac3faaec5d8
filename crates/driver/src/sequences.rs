//! Sequences by name, each from its own source: rows that are computed or read, boards, tables of
//! Grundy values, P-positions of four rows, words.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::{fmt, iter};

use boards::sieve::Layer;
use boards::squares::{BySquares, Counts};
use boards::{grundy, lengths, sieve, squares};
use cascade::{Machine, Word};
use census::sequences::{Sequence, TermFinder, UnknownSequence};
use record::data_set::DataSet;
use record::{HeadForm, Tail};

use crate::board::with_grundy_table;
use crate::error::Hint;
use crate::job::{Job, Watch};
use crate::source::computing;
use crate::{Engine, Error, ErrorKind, LARGEST_ROW, PositionsRun, costs, game_lengths};

/// A sequence by its name.
///
/// ```
/// use driver::NamedSequence;
/// let a029900: NamedSequence = "29900".parse()?;
/// assert_eq!(a029900, "A029900".parse()?);
/// assert!("A1".parse::<NamedSequence>().is_err());
/// for name in ["A029900", "A112470", "A069001", "A395126", "game-lengths", "period-3", "pattern-2:AA"] {
///     assert_eq!(name.parse::<NamedSequence>()?.to_string(), name);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedSequence {
    /// Of three rows.
    Rows(Sequence),
    /// Of boards with any number of rows.
    Boards(squares::Sequence),
    /// Of Grundy values.
    GrundyValues,
    /// The lengths of the games from 3 × n.
    GameLengths,
    /// Of the P-positions with four rows.
    FourRows,
    /// The number of P-positions with four rows by the length of the longest.
    FourRowCounts,
    /// The periods of the words with this number of constant rows and then letters A.
    Words(u64),
    /// The pattern of a word, which repeats.
    Pattern(Word),
}

impl NamedSequence {
    /// Each that has one name: its A-number of the OEIS, or its own.
    pub fn all() -> Vec<Self> {
        let of_rows = Sequence::ALL.map(Self::Rows).into_iter();
        let of_boards = squares::Sequence::ALL.map(Self::Boards);
        let others = [Self::GrundyValues, Self::GameLengths, Self::FourRows, Self::FourRowCounts];
        let of_periods = [Sequence::NewPeriods, Sequence::FirstRows].map(Self::Rows);
        of_rows.chain(of_boards).chain(others).chain(of_periods).collect()
    }

    /// The first `wanted` terms, each handed to `take` with its index as soon as it is certain.
    /// `Break` ends the work, successfully.
    ///
    /// # Errors
    /// Terms that the rows, or a word, do not decide, or that need rows past the largest; a data
    /// set where one is needed, or of no use; and the errors of the work.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use driver::{NamedSequence, TermsFrom};
    /// let (a029900, mut diagonal): (NamedSequence, _) = ("A029900".parse()?, Vec::new());
    /// a029900.terms(6, &TermsFrom::default(), &(), |_, value| {
    ///     diagonal.push(value);
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(diagonal, [1, 3, 4, 6, 8, 10]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn terms(
        &self,
        wanted: u64,
        from: &TermsFrom,
        watch: &dyn Watch,
        mut take: impl FnMut(u64, i128) -> ControlFlow<()> + Send,
    ) -> Result<(), Error> {
        if from.data.is_some() {
            self.require_rows()?;
        }
        let terms = Terms { wanted, threads: from.threads, watch, take: &mut take };
        match (self, from.data) {
            (Self::Rows(sequence), Some(data)) => {
                let forms = [HeadForm::Offsets, sequence.form()];
                if !forms.contains(&data.manifest().head) {
                    return terms.of_rows(computing(data, watch), *sequence);
                }
                terms.read(*sequence, data)
            }
            (Self::Rows(sequence), None) if sequence.is_of_periods() => {
                let words = format!("{sequence} is read from rows that are there");
                Err(Error::usage(words).with(Hint::Data))
            }
            (Self::Rows(sequence), None) => terms.of_rows(from.engine, *sequence),
            (Self::Boards(sequence), _) => terms.of_boards(*sequence),
            (Self::GrundyValues, _) => terms.of_grundy_values(),
            (Self::GameLengths, _) => terms.of_game_lengths(),
            (Self::FourRows, _) => terms.of_four_rows(),
            (Self::FourRowCounts, _) => terms.counts_of_four_rows(),
            (Self::Words(constants), _) => terms.of_words(*constants),
            (Self::Pattern(word), _) => terms.of_pattern(word),
        }
    }

    /// Refuses a sequence that a data set cannot give.
    ///
    /// # Errors
    /// It is not of rows.
    pub fn require_rows(&self) -> Result<(), Error> {
        if let Self::Rows(_) = self {
            return Ok(());
        }
        let words = format!("{self} is no sequence of rows, and a data set holds rows");
        Err(Error::usage(words).with(Hint::NoData))
    }
}

/// The name in the form that the parser reads.
impl fmt::Display for NamedSequence {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Rows(sequence) => write!(f, "{sequence}"),
            Self::Boards(sequence) => write!(f, "{sequence}"),
            Self::GrundyValues => f.write_str(grundy::SEQUENCE),
            Self::GameLengths => f.write_str(lengths::SEQUENCE),
            Self::FourRows => f.write_str(sieve::SEQUENCE),
            Self::FourRowCounts => f.write_str(sieve::COUNTS),
            Self::Words(constants) => write!(f, "word-periods-{constants}"),
            Self::Pattern(word) => write!(f, "pattern-{word}"),
        }
    }
}

/// `A029900`, `a029900` or `29900`; `period-3`, `word-periods-2`, `pattern-2:AA`.
impl FromStr for NamedSequence {
    type Err = UnknownSequence;

    fn from_str(name: &str) -> Result<Self, UnknownSequence> {
        let unknown = || UnknownSequence(name.to_owned());
        if let Ok(sequence) = name.parse() {
            return Ok(Self::Rows(sequence));
        }
        if let Some(constants) = name.strip_prefix("word-periods-") {
            let constants = constants.parse().ok().filter(|n| (1..=1000).contains(n));
            return constants.map(Self::Words).ok_or_else(unknown);
        }
        if let Some(word) = name.strip_prefix("pattern-") {
            return word.parse().map(Self::Pattern).map_err(|_no_word| unknown());
        }
        let digits = name.strip_prefix(['A', 'a']).unwrap_or(name);
        let full = format!("A{digits:0>6}");
        let is_named = |its: &Self| [name, &full].contains(&its.to_string().as_str());
        Self::all().into_iter().find(is_named).ok_or_else(unknown)
    }
}

/// The source of the terms.
#[derive(Clone, Copy, Debug, Default)]
pub struct TermsFrom<'a> {
    /// The engine of rows.
    pub engine: Engine,
    /// The threads of tables and sieves, by default as many as for the sweep.
    pub threads: Option<NonZero<usize>>,
    /// The data set whose rows are read instead of being computed.
    pub data: Option<&'a DataSet>,
}

/// The terms that are wanted, and who takes them: each function gives them from one source.
struct Terms<'a> {
    wanted: u64,
    threads: Option<NonZero<usize>>,
    watch: &'a dyn Watch,
    take: &'a mut (dyn FnMut(u64, i128) -> ControlFlow<()> + Send),
}

impl Terms<'_> {
    /// The terms that the rows of three-rowed Chomp in a data set decide, as many as are wanted.
    fn read(self, sequence: Sequence, data: &DataSet) -> Result<(), Error> {
        let (mut terms, wanted) = (TermFinder::of(sequence), self.wanted);
        for record in data.rows_until(|| self.watch.stop()) {
            let record = record?;
            if !record.key().is_three_rowed() {
                continue;
            }
            if let Some(term) = terms.add(&record)?
                && (self.take)(term.n, term.value.into()).is_break()
            {
                return Ok(());
            }
            if terms.given() == wanted {
                return Ok(());
            }
        }
        let found = terms.given();
        let last = data.family().within().map_or(0, Tail::first_column);
        let words = format!(
            "{} holds rows 0 to {last}, and they have {found} of the {wanted} terms of {sequence} \
             that are asked for",
            data.folder().display()
        );
        Err(Error::of(ErrorKind::Incomplete, words))
    }

    /// The terms from the rows that are probably needed, and from twice as many if they are not
    /// enough.
    fn of_rows(self, engine: Engine, sequence: Sequence) -> Result<(), Error> {
        let mut rows = sequence.likely_rows(self.wanted);
        // The terms of earlier rounds.
        let (mut given, mut enough) = (0, self.wanted == 0);
        while !enough {
            if rows > LARGEST_ROW {
                return Err(Error::usage(format!(
                    "the last of these terms of {sequence} need rows past {LARGEST_ROW}; ask for fewer"
                )));
            }
            let mut terms = TermFinder::of(sequence);
            engine.visit(rows - 1, sequence.form(), self.watch, &mut |row| {
                if let Some(term) = terms.add(&row.record)?
                    && terms.given() > given
                {
                    given = terms.given();
                    let is_last = (self.take)(term.n, term.value.into()).is_break();
                    enough = is_last || given == self.wanted;
                }
                Ok(if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            })?;
            rows *= 2;
        }
        Ok(())
    }

    /// All boards are counted by their squares. Without squares there is no position.
    fn of_boards(self, sequence: squares::Sequence) -> Result<(), Error> {
        let first = u64::from(sequence.offset());
        let most = first.saturating_add(self.wanted) - 1;
        let squares = u16::try_from(most).unwrap_or(u16::MAX);
        let what = format!("boards of up to {most} squares need");
        let cost = costs::boards_by_squares(squares);
        Job::new(what, "choose fewer squares", cost).announce(None, self.watch)?;
        for of in iter::once(Counts::default()).chain(BySquares::up_to(squares)) {
            Error::if_interrupted(self.watch)?;
            let n = u64::from(of.squares);
            if n >= first && (self.take)(n, sequence.term(&of).into()).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn of_grundy_values(self) -> Result<(), Error> {
        let take = Mutex::new(self.take);
        let visit = |[p, q, r]: [usize; 3], value: u32| {
            if p > q || q > r {
                return ControlFlow::Continue(());
            }
            let mut take = take.lock().unwrap_or_else(PoisonError::into_inner);
            take(p as u64, value.into())
        };
        with_grundy_table(self.wanted, self.threads, self.watch, |columns, threads, tell| {
            grundy::visit_all(columns, threads, tell, visit)
        })
    }

    fn of_game_lengths(self) -> Result<(), Error> {
        game_lengths(self.wanted, u16::MAX, self.threads, self.watch, |[p, q, r], length| {
            // A bite in row 3 or 2 of 3 x p leaves it, and one of these wins.
            if q == p || q == r {
                (self.take)(p.into(), u64::from(length + 1).into())
            } else {
                ControlFlow::Continue(())
            }
        })
    }

    /// Positions with four rows, the longest up to this length.
    fn four_rows(&self, to: u64) -> PositionsRun {
        let to = u16::try_from(to).unwrap_or(u16::MAX);
        PositionsRun { threads: self.threads, ..PositionsRun::new(4, to) }
    }

    /// The first n terms need the positions with a up to about the cube root of 28 n, as seen; if
    /// these are too few, twice as many lengths are tried.
    fn of_four_rows(self) -> Result<(), Error> {
        let (wanted, longest) = (self.wanted, u64::from(sieve::LONGEST_FIRST_ROW));
        let cubed = |to: &u64| to.saturating_mul(*to).saturating_mul(*to);
        let mut to = (10..longest).find(|to| cubed(to) / 28 >= wanted).unwrap_or(longest);
        let (mut done, mut ended) = (0, false);
        while done < wanted && !ended {
            let mut n = 0;
            self.four_rows(to).find(self.watch, |layer: Layer| {
                layer.for_each(|lengths| {
                    n += 1;
                    if n > done && n <= wanted && !ended {
                        ended = (self.take)(n, lengths[3].into()).is_break();
                    }
                });
                let go_on = n < wanted && !ended;
                if go_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            done = n.min(wanted);
            to = (2 * to).min(longest + 1);
        }
        Ok(())
    }

    /// Term a is the number of P-positions (a,b,c,d); to the longest a that the sieve has.
    fn counts_of_four_rows(self) -> Result<(), Error> {
        let run = self.four_rows(self.wanted.min(sieve::LONGEST_FIRST_ROW.into()));
        let count = |layer: Layer| (self.take)(layer.first().into(), layer.count().count.into());
        run.find(self.watch, count).map(drop)
    }

    /// Words with letters A only; from the machine, without a row.
    fn of_words(self, constants: u64) -> Result<(), Error> {
        let (mut machine, mut word) = (Machine::default(), Word::first());
        while word.constants() < constants {
            word = word.and_stands();
        }
        for n in 1..=self.wanted {
            Error::if_interrupted(self.watch)?;
            word = word.and_moves();
            let patterns = machine.patterns(&word).map_err(Error::usage)?;
            let periods: BTreeSet<u64> =
                patterns.iter().map(|pattern| pattern.period() as u64).collect();
            let [value] = periods.iter().copied().collect::<Vec<_>>()[..] else {
                return Err(undecided(&word, &format!("the periods {periods:?}")));
            };
            if (self.take)(n, value.into()).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// The values repeat after a period.
    fn of_pattern(self, word: &Word) -> Result<(), Error> {
        let patterns = Machine::default().patterns(word).map_err(Error::usage)?;
        let mut patterns = patterns.iter();
        let (Some(pattern), None) = (patterns.next(), patterns.next()) else {
            return Err(undecided(word, "several patterns"));
        };
        let mut values = (0..self.wanted).zip(pattern.values().iter().cycle());
        let _ended = values.try_for_each(|(n, value)| (self.take)(n, (*value).into()));
        Ok(())
    }
}

/// The error of a word that does not decide a term.
fn undecided(word: &Word, of: &str) -> Error {
    let words = format!("a row with the word {word} can have any of {of}");
    Error::of(ErrorKind::Incomplete, words)
}
