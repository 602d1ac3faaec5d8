//! The laws of all rows, from their values. Stands on `proofs/cascade.md`, 5.1.

use num_integer::Integer;
use thiserror::Error;

use crate::Law;

/// The longest common period of a law and a row that is computed.
pub(crate) const LONGEST: u64 = 1 << 20;

/// Reads the periodic rows in order, and derives for each the law of the rows below and the balls
/// that the row takes out, for any number of holes.
///
/// It reads no more of a row than its mean, and the columns in which it fills a hole; all other
/// values are compared with the theorem. Time and memory for a row are proportional to the common
/// period of its law and its values, at most 2^20.
///
/// ```
/// use cascade::LawReader;
/// let mut laws = LawReader::default();
/// // The offset 5 in every column, and no row below: a reset. The next law has two balls.
/// assert_eq!(laws.next(0, 0, &[5])?.holes, -4);
/// // A row with the same mean has one hole, which it fills in every other column.
/// let met = laws.next(1, 9, &[6, 4])?;
/// assert_eq!((met.holes, met.law.depths(), met.law.balls(), met.taken), (1, &[1][..], 2, 1));
/// # Ok::<(), cascade::NoLaw>(())
/// ```
#[derive(Clone, Debug)]
pub struct LawReader {
    /// m, the largest offset of the rows below, and their law with respect to it; `None` after an
    /// error, until the next reset.
    state: Option<(u64, Law)>,
}

/// Before row 0: no row blocks anything.
impl Default for LawReader {
    fn default() -> Self {
        Self { state: Some((0, Law::obstacles(0))) }
    }
}

/// The law that a row meets, and the balls that the row takes out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Met {
    /// h: the number of holes, or less than 0 at a reset.
    pub holes: i64,
    /// m: depths are measured from this offset, which is `h - 1` above the mean.
    pub top: u64,
    /// The law of the rows below, from column 0 on.
    pub law: Law,
    /// g: the number of balls that the row takes out.
    pub taken: u64,
    /// The columns in which they fall, from column 0 on, over a common period of row and law.
    pub falls: Vec<bool>,
}

/// Why there is no law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NoLaw {
    /// The values contradict the theorem, so no row above these rows has them.
    #[error("row {row} contradicts the law of the rows below (proofs on periods, 5.1)")]
    Contradicted {
        /// The row.
        row: u64,
    },
    /// A common period of more than 2^20 columns.
    #[error("the law that row {row} meets, and its values, have no common period up to 2^20")]
    TooLong {
        /// The row.
        row: u64,
    },
    /// A row before in the cluster had no law.
    #[error("a row below row {row} in its cluster has no law")]
    Lost {
        /// The row.
        row: u64,
    },
}

impl LawReader {
    /// The law that the next periodic row meets. The row has these values from column `start` on,
    /// for ever. Compares them with the theorem: the number of balls, and if the row takes out as
    /// many as it has holes, every value.
    ///
    /// # Errors
    /// [`NoLaw`]. Then the later rows have no law either, until [`LawReader::reset`].
    pub fn next(&mut self, row: u64, start: u64, values: &[u64]) -> Result<Met, NoLaw> {
        let (top, law) = self.state.take().ok_or(NoLaw::Lost { row })?;
        let mean = mean(values).ok_or(NoLaw::Contradicted { row })?;
        let holes = top.cast_signed() + 1 - mean.cast_signed();
        if holes < 0 {
            if values.iter().any(|&value| value != mean) {
                return Err(NoLaw::Contradicted { row });
            }
            self.reset(mean);
            let falls = vec![false; law.period()];
            return Ok(Met { holes, top, law, taken: 0, falls });
        }
        let period = (law.period() as u64).lcm(&(values.len() as u64));
        if period > LONGEST {
            return Err(NoLaw::TooLong { row });
        }
        let at = |column: u64| value_at(start, values, column);
        let falls: Vec<bool> = (0..period).map(|column| at(column) <= top).collect();
        let (taken, next) = law.without(&falls).ok_or(NoLaw::Contradicted { row })?;
        let met = Met { holes, top, law, taken, falls };
        if !met.allows(at) {
            return Err(NoLaw::Contradicted { row });
        }
        self.state = Some((top + 1, next));
        Ok(met)
    }

    /// Starts again above a row that is a reset, from its mean: [`Queue`](crate::Queue) tells which
    /// rows are.
    pub fn reset(&mut self, mean: u64) {
        self.state = Some((mean, Law::obstacles(1)));
    }
}

impl Met {
    /// Whether the theorem allows the number of balls, and these values by column.
    fn allows(&self, at: impl Fn(u64) -> u64) -> bool {
        let holes = self.holes.cast_unsigned();
        let number = if holes == 0 { self.taken == 0 } else { (1..=holes).contains(&self.taken) };
        let depths = self.law.depths().iter().cycle();
        let value = |((column, &falls), &depth): ((u64, &bool), &u64)| {
            if falls {
                self.taken < holes || at(column).checked_add(depth) == Some(self.top)
            } else {
                at(column) == self.top + 1
            }
        };
        number && (0..).zip(&self.falls).zip(depths).all(value)
    }
}

/// The mean of the values, if it is an integer, as in every row (fact 4).
fn mean(values: &[u64]) -> Option<u64> {
    let sum: u128 = values.iter().map(|&value| u128::from(value)).sum();
    let number = values.len() as u128;
    let mean = sum.checked_div(number).filter(|mean| mean * number == sum)?;
    u64::try_from(mean).ok()
}

/// The value in a column, continued backwards before the start.
pub(crate) fn value_at(start: u64, values: &[u64], column: u64) -> u64 {
    let period = values.len() as u64;
    let place = (column % period + period - start % period) % period;
    values[usize::try_from(place).expect("less than the number of values")]
}
