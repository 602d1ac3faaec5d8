//! A row in a window: 128 offsets, as bits.

use std::collections::HashMap;

use super::cases::Random;

/// The offsets that the rows below block, over one period of columns.
#[derive(Clone, Debug)]
pub struct Columns(pub Vec<u128>);

/// The part of a row that repeats, from a column that is a multiple of the columns' period on.
#[derive(Clone, Debug)]
pub struct Walk {
    pub values: Vec<u32>,
    /// The state when each column is reached.
    pub states: Vec<u128>,
}

impl Columns {
    pub fn at(&self, column: usize) -> u128 {
        self.0[column % self.0.len()]
    }

    /// The row that begins in column 0 with a state, by the recurrence and nothing else. `None` if
    /// it ends.
    pub fn walk(&self, mut state: u128) -> Option<Walk> {
        let (mut values, mut states) = (Vec::new(), Vec::new());
        let mut seen = HashMap::new();
        for column in 0.. {
            if column % self.0.len() == 0
                && let Some(first) = seen.insert(state, column)
            {
                let (values, states) = (values.split_off(first), states.split_off(first));
                return Some(Walk { values, states });
            }
            let value = (state | self.at(column)).trailing_ones();
            assert!(value < 127, "the window is too small");
            if value == 0 {
                return None;
            }
            values.push(value);
            states.push(state);
            state = (state | 1 << value) >> 1;
        }
        unreachable!()
    }

    /// A row with this mean that does not end, if some of a few random states lead to one. Members
    /// of the state may be above the mean.
    pub fn row(&self, mean: u32, random: &mut Random) -> Option<Walk> {
        (0..20).find_map(|_| {
            let mut state = 1_u128;
            while state.count_ones() < mean {
                // Half of the states have one hole, or nearly so.
                let top = if random.below(2) == 0 { mean + 1 } else { mean + 6 };
                state |= 1 << random.below(u64::from(top));
            }
            self.walk(state)
        })
    }

    /// The same columns after a row that repeats from column 0 on, modulo their period.
    pub fn with(&self, values: &[u32]) -> Self {
        let period = values.len().max(self.0.len());
        assert!(period.is_multiple_of(values.len()) && period.is_multiple_of(self.0.len()));
        let blocked = |column| self.at(column) | 1 << values[column % values.len()];
        Self((0..period).map(blocked).collect())
    }

    /// Whether the offset `mean - depth` is blocked.
    pub fn is_blocked(&self, column: usize, mean: u32, depth: u64) -> bool {
        depth <= u64::from(mean) && self.at(column) >> (u64::from(mean) - depth) & 1 == 1
    }

    /// The highest offset that is blocked in some column.
    pub fn top(&self) -> u32 {
        self.0.iter().fold(1, |all, blocked| all | blocked).ilog2()
    }
}

impl Walk {
    /// The values minus the mean.
    pub fn pattern(&self, mean: u32) -> Vec<i64> {
        self.values.iter().map(|&value| i64::from(value) - i64::from(mean)).collect()
    }
}
