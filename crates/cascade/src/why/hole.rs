//! The hole: the only offset from 0 to the mean that the state of a row lacks.

use record::{Certificate, Periodic};
use serde::Serialize;

use super::below::Below;
use super::doubt::Doubt;

/// One column of a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HoleColumn {
    /// The column q.
    pub column: u64,
    /// The distance of the hole below the mean.
    pub depth: u64,
    /// Whether a row below blocks the hole.
    pub blocked: bool,
    /// The offset of the row, less the mean: 1 if the hole is blocked, else minus its depth.
    pub height: i64,
}

/// A set of offsets: those below `filled`, and those in `above`, which are larger.
struct BlockedOffsets {
    filled: u64,
    above: Vec<u64>,
}

impl BlockedOffsets {
    fn of(certificate: &Certificate) -> Self {
        Self { filled: certificate.filled, above: certificate.above.clone() }
    }

    /// Whether these are all offsets up to the mean except one.
    fn has_one_hole(&self, mean: u64) -> bool {
        self.filled <= mean && self.above.iter().copied().eq(self.filled + 1..=mean)
    }

    /// The state of the next column (fact 2(c)).
    fn take(&mut self, value: u64) {
        // A false record can take a blocked number.
        if value >= self.filled && !self.above.contains(&value) {
            self.above.push(value);
            self.above.sort_unstable();
        }
        let run = (self.filled..).zip(&self.above).take_while(|(a, b)| a == *b).count();
        self.above.drain(..run);
        self.filled = (self.filled + run as u64).saturating_sub(1);
        self.above.iter_mut().for_each(|member| *member -= 1);
    }
}

/// The hole over one period from the column of the certificate on, and the least and the largest
/// offset that matter there: the window `[h,z]` of fact 3, by fact 7(b).
pub(super) struct Hole {
    pub(super) columns: Vec<HoleColumn>,
    pub(super) window: (u64, u64),
    pub(super) doubt: Option<Doubt>,
}

impl Hole {
    pub(super) fn of(row: &Periodic, below: &Below) -> Self {
        let (mean, from) = (row.mean(), row.certificate.from);
        let (mut state, mut doubt) = (BlockedOffsets::of(&row.certificate), None);
        let mut columns = Vec::new();
        let (mut least, mut largest) = (u64::MAX, 0);
        for column in from..from + row.period() {
            let place = (column - row.start) % row.period();
            let value = row.values[usize::try_from(place).expect("a place among the values")];
            (least, largest) = (least.min(state.filled), largest.max(value));
            let blocked = below.block(state.filled, column);
            let expected = if blocked { mean + 1 } else { state.filled };
            doubt = doubt
                .or_else(|| (!state.has_one_hole(mean)).then_some(Doubt::NotOneHole { column }))
                .or_else(|| (value != expected).then_some(Doubt::OtherOffset { column }));
            let depth = mean.saturating_sub(state.filled);
            let height = height(value, mean);
            columns.push(HoleColumn { column, depth, blocked, height });
            state.take(value);
        }
        Self { columns, window: (least, largest), doubt }
    }
}

/// An offset less a mean.
pub(super) fn height(value: u64, mean: u64) -> i64 {
    value.wrapping_sub(mean).cast_signed()
}
