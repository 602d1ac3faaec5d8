//! The row of a record: its level, and its tail, the rows of a board below its two longest, or an
//! order ideal in the place of it.

use std::fmt;
use std::iter::successors;
use std::str::FromStr;
use std::sync::Arc;

use serde::Serialize;
use smallvec::{SmallVec, smallvec};
use thiserror::Error;

use crate::{joined, quoted};

/// A row: all positions with these lower rows and this Grundy value (fact 12 of
/// `proofs/README.md`). Row r of three-rowed Chomp is level 0 and the tail `(r)`. A row of a poset
/// beside two growing chains has an order ideal in the place of lower rows (fact 13).
///
/// A record needs three things of its key: the first column, the largest offset, and how it is
/// written.
///
/// ```
/// use record::RowKey;
/// assert_eq!(RowKey::new(0, "120".parse()?).to_string(), "row 120");
/// assert_eq!(RowKey::new(3, "120".parse()?).to_string(), "row 120 of level 3");
/// assert_eq!(RowKey::new(0, "3,2".parse()?).to_string(), "tail (3,2)");
/// assert_eq!(RowKey::new(1, "()".parse()?).to_string(), "row 0 of level 1");
/// # Ok::<(), record::TailError>(())
/// ```
///
/// The default is row 0 of level 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowKey {
    tail: Tail,
    /// In the place of a tail, which is empty then.
    ideal: Option<Arc<Ideal>>,
    /// The Grundy value.
    pub level: u64,
}

impl RowKey {
    /// The row of this level and tail.
    pub fn new(level: u64, tail: Tail) -> Self {
        Self { tail, ideal: None, level }
    }

    /// Row r of three-rowed Chomp at this level.
    ///
    /// # Panics
    /// If r is 2^63 or more.
    pub fn of_row(level: u64, r: u64) -> Self {
        Self::new(level, Tail::of_row(r))
    }

    /// The row of this level and order ideal.
    pub fn of_ideal(level: u64, ideal: Ideal) -> Self {
        Self { tail: Tail::default(), ideal: Some(Arc::new(ideal)), level }
    }

    /// The lower rows; none in the place of an order ideal.
    pub fn tail(&self) -> &Tail {
        &self.tail
    }

    /// The order ideal; `None` if the row has lower rows.
    pub fn ideal(&self) -> Option<&Ideal> {
        self.ideal.as_deref()
    }

    /// The first column of the statement: no shorter second row fits on the tail.
    pub fn first_column(&self) -> u64 {
        self.ideal().map_or_else(|| self.tail.first_column(), |ideal| ideal.column)
    }

    /// The largest offset that the row can have (fact 12): `|t| + g + 1`. That of an ideal depends
    /// on its poset; here it is only less than 2^62.
    pub fn most_offset(&self) -> u64 {
        let most = || self.tail.size().saturating_add(self.level).saturating_add(1);
        if self.ideal.is_some() { 1 << 62 } else { most() }
    }

    /// The bottom row r, if the tail has no second part: then this is a row of three-rowed Chomp,
    /// and row 0 is that of two-rowed Chomp.
    pub fn row(&self) -> Option<u64> {
        let is_row = self.ideal.is_none() && self.tail.parts().len() <= 1;
        is_row.then(|| self.tail.first_column())
    }

    /// Whether this is a row of P-positions of three-rowed Chomp.
    pub fn is_three_rowed(&self) -> bool {
        self.level == 0 && self.row().is_some()
    }
}

/// `row 120 of level 3`, `tail (3,2)`.
impl fmt::Display for RowKey {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match (self.ideal(), self.row()) {
            (Some(ideal), _) => write!(f, "ideal {ideal}")?,
            (None, Some(row)) => write!(f, "row {row}")?,
            (None, None) => write!(f, "tail {}", self.tail)?,
        }
        if self.level == 0 { Ok(()) } else { write!(f, " of level {}", self.level) }
    }
}

/// An order ideal of the finite part, and the columns and numbers that its statement counts with.
///
/// A row may be irregular in its first columns (fact 13). Its statement begins with `column`, and
/// counts `p + shift` instead of p, so that offsets are not negative.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ideal {
    /// The names of its maximal elements.
    pub generators: Vec<String>,
    /// The first column of the row: the greatest j with `d[j]` below an element, or 0.
    pub begins: u64,
    /// The first column of the statement.
    pub column: u64,
    /// The shift, the same for all rows of the family.
    pub shift: i64,
}

/// `{}`, `{a2,b1}`: the ideal of the elements that are below one of these, or are one.
impl fmt::Display for Ideal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{{{}}}", self.generators.join(","))
    }
}

/// The lower rows of a board with any number of rows, all but the two longest: `r1 >= ... >= rk`,
/// none of them 0. Three-rowed Chomp has the tails `(r)`, two-rowed Chomp the tail `()`.
///
/// Tails are ordered as words are, part by part. So a tail comes after all that it contains.
///
/// ```
/// use record::Tail;
/// let tail: Tail = "3,2".parse()?;
/// assert_eq!((tail.parts(), tail.first_column(), tail.size()), (&[3, 2][..], 3, 5));
/// assert_eq!([tail.to_string(), Tail::default().to_string()], ["(3,2)", "()"]);
/// assert!("2,3".parse::<Tail>().is_err());
/// # Ok::<(), record::TailError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tail(SmallVec<[u64; 2]>);

/// Why numbers or a text are no tail.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct TailError(String);

impl Tail {
    /// The tail with these parts.
    ///
    /// # Errors
    /// [`TailError`] if they ascend somewhere, if one is 0, or if they add up to 2^63 or more.
    pub fn new(parts: Vec<u64>) -> Result<Self, TailError> {
        let size = parts.iter().try_fold(0_u64, |size, part| size.checked_add(*part));
        let ascends = parts.iter().zip(parts.iter().skip(1)).find(|(before, after)| before < after);
        let problem = if let Some((before, after)) = ascends {
            format!("the parts of a tail do not ascend, but {after} follows {before}")
        } else if parts.last() == Some(&0) {
            "a tail has no part 0; a board without these rows has a shorter tail".to_owned()
        } else if size.is_none_or(|size| size >= 1 << 63) {
            "the parts of a tail add up to less than 2^63".to_owned()
        } else {
            return Ok(Self(parts.into()));
        };
        Err(TailError(problem))
    }

    /// The tail of row r of three-rowed Chomp: `(r)`, and `()` for row 0.
    ///
    /// # Panics
    /// If r is 2^63 or more.
    pub fn of_row(r: u64) -> Self {
        assert!(r < 1 << 63, "rows are shorter");
        Self(if r == 0 { SmallVec::new() } else { smallvec![r] })
    }

    /// The parts.
    pub fn parts(&self) -> &[u64] {
        &self.0
    }

    /// The first column of its row: the first part, or 0.
    pub fn first_column(&self) -> u64 {
        self.0.first().copied().unwrap_or(0)
    }

    /// The sum of the parts: how many squares the lower rows have.
    pub fn size(&self) -> u64 {
        self.0.iter().sum()
    }

    /// All tails that it contains, itself included, in their order.
    ///
    /// ```
    /// use record::Tail;
    /// let tails: Vec<String> = "2,1".parse::<Tail>()?.within().map(|tail| tail.to_string()).collect();
    /// assert_eq!(tails, ["()", "(1)", "(1,1)", "(2)", "(2,1)"]);
    /// # Ok::<(), record::TailError>(())
    /// ```
    pub fn within(&self) -> impl Iterator<Item = Self> + use<> {
        let own = self.clone();
        successors(Some(Self::default()), move |tail| tail.next_within(&own))
    }

    /// The tail after this one of those within another.
    fn next_within(&self, within: &Self) -> Option<Self> {
        let mut parts = self.0.clone();
        // Append a part 1, or lengthen the last part that can be, and drop the parts after it.
        if parts.len() < within.0.len() {
            parts.push(1);
            return Some(Self(parts));
        }
        while let Some(last) = parts.pop() {
            let before = parts.last().copied().unwrap_or(u64::MAX);
            if last < within.0[parts.len()].min(before) {
                parts.push(last + 1);
                return Some(Self(parts));
            }
        }
        None
    }

    /// How many tails it contains; `None` if 2^32 or more.
    ///
    /// Takes time in proportion to the parts times the second part, and memory to the second part.
    ///
    /// ```
    /// use record::Tail;
    /// assert_eq!("4000000000".parse::<Tail>()?.count_within(), Some(4_000_000_001));
    /// assert_eq!("4611686018427387904,1".parse::<Tail>()?.count_within(), None);
    /// # Ok::<(), record::TailError>(())
    /// ```
    pub fn count_within(&self) -> Option<u64> {
        let Some((&first, others)) = self.0.split_first() else { return Some(1) };
        // From the last part to the second: in how many ways a tail can continue after a part of
        // length 0, 1, 2, ...
        let mut ways = vec![1_u64];
        for &part in others.iter().rev() {
            // With two parts of length n there are at least (n + 1)(n + 2) / 2.
            let part = usize::try_from(part).ok().filter(|part| *part < 1 << 17)?;
            let (mut sum, last) = (0, ways.len() - 1);
            let longer = (0..=part).map(|length| {
                sum += ways[length.min(last)];
                (sum < 1 << 32).then_some(sum)
            });
            ways = longer.collect::<Option<_>>()?;
        }
        let (after_longest, after_shorter) = ways.split_last()?;
        let longest = (first - after_shorter.len() as u64).checked_add(1)?;
        let all = longest.checked_mul(*after_longest)?.checked_add(after_shorter.iter().sum())?;
        Some(all).filter(|all| *all < 1 << 32)
    }

    /// Whether no part of the other is longer than the same part of this one.
    pub fn contains(&self, other: &Self) -> bool {
        other.0.len() <= self.0.len() && other.0.iter().zip(&self.0).all(|(a, b)| a <= b)
    }
}

/// `(3,2)`.
impl fmt::Display for Tail {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(&format!("({})", joined(&self.0, ",")))
    }
}

/// `3,2` or `(3,2)`, spaces and underscores between digits allowed; `()`.
impl FromStr for Tail {
    type Err = TailError;

    fn from_str(text: &str) -> Result<Self, TailError> {
        let wrong = || {
            let forms = "a tail is written 3,2 or (3,2), and that of two-rowed Chomp ()";
            TailError(format!("`{}` is no tail: {forms}", quoted(text)))
        };
        let inner = text.trim();
        let inner = match inner.strip_prefix('(') {
            Some(rest) => rest.strip_suffix(')').ok_or_else(wrong)?.trim(),
            None if inner.is_empty() => return Err(wrong()),
            None => inner,
        };
        if inner.is_empty() {
            return Ok(Self::default());
        }
        let part = |part: &str| {
            let digits = part.trim().replace('_', "");
            let decimal = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            decimal.then(|| digits.parse().ok()).flatten()
        };
        let parts: Option<Vec<u64>> = inner.split(',').map(part).collect();
        Self::new(parts.ok_or_else(wrong)?)
    }
}
