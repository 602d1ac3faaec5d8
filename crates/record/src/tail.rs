//! Tails: the rows of a board below its two longest.

use std::fmt;
use std::str::FromStr;

use smallvec::{SmallVec, smallvec};
use thiserror::Error;

use crate::{joined, quoted};

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

/// All tails that a tail contains, itself included, in their order.
///
/// ```
/// use record::{Tail, Tails};
/// let tails: Vec<String> = Tails::within(&"2,1".parse()?).map(|tail| tail.to_string()).collect();
/// assert_eq!(tails, ["()", "(1)", "(1,1)", "(2)", "(2,1)"]);
/// # Ok::<(), record::TailError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tails {
    within: Tail,
    next: Option<Tail>,
}

impl Tails {
    /// The tails within this one.
    pub fn within(within: &Tail) -> Self {
        Self { within: within.clone(), next: Some(Tail::default()) }
    }

    /// How many there are; `None` if 2^32 or more.
    ///
    /// Takes time in proportion to the parts times the first part.
    pub fn count_within(within: &Tail) -> Option<u64> {
        // From the last part to the first: in how many ways a tail can continue after a part of
        // length 0, 1, 2, ...
        let mut ways = vec![1_u64];
        for &part in within.0.iter().rev() {
            if part >= 1 << 32 {
                return None;
            }
            let mut sum = 0_u64;
            let mut sums = Vec::new();
            for length in 0..=part {
                let last = ways.len() as u64 - 1;
                sum += ways[usize::try_from(length.min(last)).ok()?];
                if sum >= 1 << 32 {
                    return None;
                }
                sums.push(sum);
            }
            ways = sums;
        }
        ways.last().copied()
    }

    /// The tail after this one.
    fn after(&self, tail: &Tail) -> Option<Tail> {
        let mut parts = tail.0.clone();
        // Append a part 1, or lengthen the last part that can be, and drop the parts after it.
        if parts.len() < self.within.0.len() {
            parts.push(1);
            return Some(Tail(parts));
        }
        while let Some(last) = parts.pop() {
            let before = parts.last().copied().unwrap_or(u64::MAX);
            if last < self.within.0[parts.len()].min(before) {
                parts.push(last + 1);
                return Some(Tail(parts));
            }
        }
        None
    }
}

impl Iterator for Tails {
    type Item = Tail;

    fn next(&mut self) -> Option<Tail> {
        let tail = self.next.take()?;
        self.next = self.after(&tail);
        Some(tail)
    }
}
