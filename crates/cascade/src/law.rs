//! The law that a periodic row meets: the depths that the rows below leave free, by column; and the
//! laws of all rows, from their values. Rests on `proofs/cascade.md`, 2, 3 and 5.1.

use std::collections::BTreeSet;
use std::iter;

use num_integer::Integer;
use thiserror::Error;

use crate::pattern::{Pattern, least_period, least_rotation};

/// The depth to which a hole sinks before it can be filled, column by column: `e(q)`, the least
/// depth that the rows below do not block in column q. It is periodic, and `q -> q - e(q) - 1` is a
/// bijection of the integers. Its orbits are the *balls*.
///
/// [`Law::depths`] lists the depths of consecutive columns over one least period. Two laws that are
/// rotations of each other differ; [`Law::rotated_least`] makes them equal.
///
/// ```
/// use cascade::Law;
/// // Below: two constant rows. A row with this law has period 3.
/// let law = Law::obstacles(2);
/// assert_eq!((law.depths(), law.balls()), (&[2][..], 3));
/// let cycles = law.cycles();
/// assert_eq!(cycles.len(), 1, "the balls are one cycle");
/// let (pattern, law) = law.take_out(&cycles[0]);
/// assert_eq!(pattern.values(), [-2, 1, 1]);
/// // The row above it meets this law, and has period 9.
/// assert_eq!(law.depths(), [0, 3, 3]);
/// let (pattern, _) = law.take_out(&law.cycles()[0]);
/// assert_eq!(pattern.period(), 9);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Law(Vec<u64>);

/// The balls that have the same columns modulo the period of the law.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cycle {
    /// The columns modulo the period of the law, from the least one on. Each is followed by the
    /// column from which it gets its ball.
    pub columns: Vec<usize>,
    /// The number of balls. They are shifts of each other by the period of the law.
    pub balls: u64,
}

impl Law {
    /// The law with these depths, for ever. `None` if there are none, if one is 2^62 or more, or if
    /// `q -> q - e(q) - 1` is not a bijection. Linear in the number of depths, times its logarithm.
    pub fn new(depths: Vec<u64>) -> Option<Self> {
        let law = Self(depths);
        let is_small = law.0.iter().all(|&depth| depth < 1 << 62);
        let throwers = || (0..law.period()).map(|column| law.thrower(column));
        let is_law = is_small && throwers().collect::<BTreeSet<_>>().len() == law.period();
        (is_law && law.period() > 0).then(|| Self(least_period(law.0)))
    }

    /// The law of k constant rows with the values μ, μ - 1, .., μ - k + 1: depth k in every column.
    ///
    /// # Panics
    /// If k is 2^62 or more.
    pub fn obstacles(k: u64) -> Self {
        Self::new(vec![k]).expect("columns with one depth receive one ball each")
    }

    /// The depths of one least period.
    pub fn depths(&self) -> &[u64] {
        &self.0
    }

    /// The least period.
    pub fn period(&self) -> usize {
        self.0.len()
    }

    /// The number of balls: one more than the mean depth (`proofs/cascade.md`, 3.1).
    pub fn balls(&self) -> u64 {
        let sum: u128 = self.0.iter().map(|&depth| u128::from(depth)).sum();
        u64::try_from(sum / self.0.len() as u128).map_or(u64::MAX, |mean| mean + 1)
    }

    /// The balls by cycle, the cycle with the least column first. Linear in the period.
    pub fn cycles(&self) -> Vec<Cycle> {
        let mut seen = vec![false; self.period()];
        let mut cycles = Vec::new();
        for column in 0..self.period() {
            if !seen[column] {
                let cycle = self.cycle(column);
                cycle.columns.iter().for_each(|&column| seen[column] = true);
                cycles.push(cycle);
            }
        }
        cycles
    }

    /// The cycle of the ball that falls in a column.
    pub fn cycle(&self, column: usize) -> Cycle {
        let first = column % self.period();
        let before = |&column: &usize| Some(self.thrower(column)).filter(|&other| other != first);
        let mut columns: Vec<usize> = iter::successors(Some(first), before).collect();
        let length: u128 = columns.iter().map(|&column| u128::from(self.0[column]) + 1).sum();
        let balls = length / self.period() as u128;
        let least = (0..columns.len()).min_by_key(|&place| columns[place]).unwrap_or(0);
        columns.rotate_left(least);
        Cycle { columns, balls: u64::try_from(balls).unwrap_or(u64::MAX) }
    }

    /// The pattern of a row that meets this law and fills its hole with one ball of a cycle; and
    /// the law that the next row meets if it follows in the cluster as a letter A: depth 0 where
    /// that ball falls, one more elsewhere (`proofs/cascade.md`, 3.3). The other balls of the cycle
    /// give the same, shifted by multiples of the period of this law.
    ///
    /// Time and memory are proportional to this law's period times the balls of the cycle, which is
    /// a period of the row; [`Cycle::balls`] is their number.
    ///
    /// # Panics
    /// If the cycle is not of this law, or if that period does not fit in memory.
    pub fn take_out(&self, cycle: &Cycle) -> (Pattern, Self) {
        let ball = self.ball(cycle);
        let depths = ball.iter().zip(self.0.iter().cycle());
        let height = |(&falls, depth): (&bool, &u64)| if falls { -depth.cast_signed() } else { 1 };
        let pattern: Vec<i64> = depths.map(height).collect();
        let (_, next) = self.without(&ball).expect("a ball is a union of balls");
        (Pattern::new(&pattern), next)
    }

    /// The law of the rows to a row that takes out the balls that fall in these columns: depth 0
    /// there, one more elsewhere (`proofs/cascade.md`, 5.1); and the number of these balls. `None`
    /// if the columns are not a union of balls. Linear in the number of columns.
    ///
    /// ```
    /// use cascade::Law;
    /// // Of three balls, those that fall in the columns 0 and 1 modulo 3.
    /// let (balls, next) = Law::obstacles(2).without(&[true, true, false]).unwrap();
    /// assert_eq!((balls, next.depths(), next.balls()), (2, &[0, 0, 3][..], 2));
    /// assert!(Law::obstacles(1).without(&[true, true, false, true]).is_none());
    /// ```
    ///
    /// # Panics
    /// If the number of columns is 0 or no multiple of the period of this law.
    pub fn without(&self, falls: &[bool]) -> Option<(u64, Self)> {
        let columns = falls.len();
        assert!(columns > 0 && columns.is_multiple_of(self.period()), "a period of this law");
        let (mut lengths, mut next) = (0_u128, Vec::with_capacity(columns));
        for (column, &falls_here) in falls.iter().enumerate() {
            let depth = self.0[column % self.period()];
            if falls_here {
                lengths += u128::from(depth) + 1;
                if !falls[back(column, depth + 1, columns)] {
                    return None;
                }
            }
            next.push(if falls_here { 0 } else { depth + 1 });
        }
        let balls = u64::try_from(lengths / columns as u128).ok()?;
        Some((balls, Self(least_period(next))))
    }

    /// The columns in which the ball of the first column of a cycle falls, over the law's period
    /// times the balls of the cycle.
    ///
    /// # Panics
    /// As for [`Law::take_out`].
    pub fn ball(&self, cycle: &Cycle) -> Vec<bool> {
        let balls = usize::try_from(cycle.balls).ok();
        let columns = balls.and_then(|balls| balls.checked_mul(self.period()));
        let columns = columns.expect("the period of a row fits in memory");
        let mut falls = vec![false; columns];
        let mut column = cycle.columns[0];
        for &place in &cycle.columns {
            assert_eq!(column % self.period(), place, "the cycle is of this law");
            falls[column] = true;
            column = back(column, self.0[place] + 1, columns);
        }
        falls
    }

    /// The law that the next row meets if the row that meets this one is constant, a letter s:
    /// every depth is one more (`proofs/cascade.md`, 3.4).
    pub fn stand(&self) -> Self {
        Self(self.0.iter().map(|depth| depth + 1).collect())
    }

    /// The same law in the rotation that is least in the order of lists.
    pub fn rotated_least(&self) -> Self {
        Self(least_rotation(self.0.clone()))
    }

    /// All possibilities of a row that moves: each pattern with the law that the next row meets, in
    /// its least rotation. `columns` bounds the period of the row.
    ///
    /// # Errors
    /// A period beyond that bound.
    pub fn moves(&self, columns: usize) -> Result<BTreeSet<(Pattern, Self)>, u128> {
        let mut moves = BTreeSet::new();
        for cycle in self.cycles() {
            let period = u128::from(cycle.balls) * self.period() as u128;
            if period > columns as u128 {
                return Err(period);
            }
            let (pattern, law) = self.take_out(&cycle);
            moves.insert((pattern, law.rotated_least()));
        }
        Ok(moves)
    }

    /// The column `q - e(q) - 1`, modulo the period.
    fn thrower(&self, column: usize) -> usize {
        back(column, self.0[column] + 1, self.period())
    }
}

/// `column - steps` modulo `columns`.
fn back(column: usize, steps: u64, columns: usize) -> usize {
    // The remainder is less than `columns`, so it fits.
    let steps = usize::try_from(steps % columns as u64).unwrap_or(0);
    (column + columns - steps) % columns
}

/// The longest common period of a law and a row that is computed.
const LONGEST: u64 = 1 << 20;

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
    /// The values of this row contradict the theorem, so no row above these rows has them.
    #[error("row {0} contradicts the law of the rows below (proofs on periods, 5.1)")]
    Contradicted(u64),
    /// A common period of more than 2^20 columns.
    #[error("the law that row {0} meets, and its values, have no common period up to 2^20")]
    TooLong(u64),
    /// A row before this one in its cluster had no law.
    #[error("a row below row {0} in its cluster has no law")]
    Lost(u64),
}

impl LawReader {
    /// The law that the next periodic row meets. The row has these values from column `start` on,
    /// for ever. Compares them with the theorem: the number of balls, and if the row takes out as
    /// many as it has holes, every value.
    ///
    /// # Errors
    /// [`NoLaw`]. Then the later rows have no law either, until [`LawReader::reset`].
    pub fn next(&mut self, row: u64, start: u64, values: &[u64]) -> Result<Met, NoLaw> {
        let (top, law) = self.state.take().ok_or(NoLaw::Lost(row))?;
        let mean = mean(values).ok_or(NoLaw::Contradicted(row))?;
        let holes = top.cast_signed() + 1 - mean.cast_signed();
        if holes < 0 {
            if values.iter().any(|&value| value != mean) {
                return Err(NoLaw::Contradicted(row));
            }
            self.reset(mean);
            let falls = vec![false; law.period()];
            return Ok(Met { holes, top, law, taken: 0, falls });
        }
        let period = (law.period() as u64).lcm(&(values.len() as u64));
        if period > LONGEST {
            return Err(NoLaw::TooLong(row));
        }
        let at = |column: u64| value_at(start, values, column);
        let falls: Vec<bool> = (0..period).map(|column| at(column) <= top).collect();
        let (taken, next) = law.without(&falls).ok_or(NoLaw::Contradicted(row))?;
        let met = Met { holes, top, law, taken, falls };
        if !met.allows(at) {
            return Err(NoLaw::Contradicted(row));
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
