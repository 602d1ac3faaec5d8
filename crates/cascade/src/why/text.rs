//! An explanation in words.

use std::fmt::{self, Display, Formatter};

use record::{joined, wrapped};

use super::{Explanation, Holes, Neighbour};

/// Columns of a period that are listed one by one.
const LISTED: usize = 100;

/// The longest line of a paragraph.
const LINE_WIDTH: usize = 80;

/// A title, and below it lines of two columns.
impl Display for Explanation {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let Self { row, start, period, mean, window: (least, largest), .. } = self;
        writeln!(f, "Row {row} has period {period} from column {start} on")?;
        entry(f, "start", self.starts())?;
        entry(f, "pattern", format_args!("{}, around the mean {mean}", list(&self.pattern)))?;
        entry(f, "word", self.word.as_deref().unwrap_or("none"))?;
        rows(f, "cluster", &self.cluster)?;
        let (low, high) = (self.height(*least), self.height(*largest));
        entry(f, "window", format_args!("[{least},{largest}], heights {low} to {high}"))?;
        rows(f, "obstacles", &self.obstacles)?;
        rows(f, "companions", &self.companions)?;
        if let Some(holes) = &self.holes {
            holes.entries(f)?;
            paragraph(f, "so", &holes.reason(self.row, self.period))?;
            return self.differences(f);
        }
        self.hole(f)?;
        if let Some(balls) = &self.balls {
            let found = format!("{}; number of balls {}", list(&balls.depths), balls.balls);
            entry(f, "free depths", found)?;
        }
        paragraph(f, "so", &format!("{} {}", self.law(), self.reason()))?;
        self.differences(f)
    }
}

impl Explanation {
    fn differences(&self, f: &mut Formatter) -> fmt::Result {
        self.doubts.iter().try_for_each(|doubt| paragraph(f, "but", &doubt.to_string()))
    }

    fn height(&self, offset: u64) -> i64 {
        super::height(offset, self.mean)
    }

    /// The start, and the bounds of `proofs/effective.md`, 3.1 and 3.2.
    fn starts(&self) -> String {
        let (row, start) = (u128::from(self.row), self.start);
        let one_hole = self
            .start_at_most
            .map(|bound| format!("; at most {bound}, as no row to {row} has h >= 2"));
        let power = (3 * row * row).saturating_sub(2 * row) / 8;
        let always =
            (row > 0).then(|| format!("; in any case at most 2^{power} + {}", power + 2 * row - 2));
        format!("{start}{}{}", one_hole.unwrap_or_default(), always.unwrap_or_default())
    }

    /// The hole, column by column.
    fn hole(&self, f: &mut Formatter) -> fmt::Result {
        entry(f, "hole", "column, depth, and what the row takes")?;
        for at in self.hole.iter().take(LISTED) {
            let blocked = if at.blocked { "blocked" } else { "free" };
            let line = format!("{}  {:>3} {blocked:<7}  {:>+3}", at.column, at.depth, at.height);
            entry(f, "", line)?;
        }
        match self.hole.len().checked_sub(LISTED) {
            None | Some(0) => Ok(()),
            Some(more) => entry(f, "", format_args!("and {more} more columns")),
        }
    }

    /// The depths that the rows below leave free: the first of two sentences.
    pub fn law(&self) -> String {
        let Some(balls) = &self.balls else {
            return "The rows below leave no balls to take out.".to_owned();
        };
        let number = balls.balls;
        match balls.depths.as_slice() {
            [0] => {
                "No row below blocks the mean in any column, so a hole is filled where it opens."
                    .to_owned()
            }
            [depth] => format!(
                "The rows below block {} in every column, so a hole that opens at the mean is \
                 filled at depth {depth}, and the places where holes can be filled are {number} \
                 balls.",
                blocked(*depth)
            ),
            depths => format!(
                "The least depth e(q) that the rows below leave free has period {} in q, and the \
                 places where holes can be filled, from q on to q - e(q) - 1, are {number} ball{}.",
                depths.len(),
                if number == 1 { "" } else { "s" }
            ),
        }
    }

    /// The reason for the period: the second sentence.
    pub fn reason(&self) -> String {
        let Some(balls) = &self.balls else {
            return "So the period is not explained.".to_owned();
        };
        let (row, length, of_cycle) = (self.row, balls.depths.len(), balls.of_cycle);
        let (product, period) = (balls.period(), self.period);
        let back = match (length, of_cycle) {
            (1, 1) => return format!("So row {row} has period 1."),
            (_, 1) => format!(
                "which meets the same depths again after {length} columns, as no other ball falls \
                 in its columns modulo {length}"
            ),
            _ => format!(
                "which is one of {of_cycle} that fall in the same columns modulo {length} and \
                 comes back to its own only after {of_cycle} x {length} = {product}"
            ),
        };
        let sooner = if product == period { "" } else { " though it looks the same sooner," };
        format!(
            "Row {row} fills its hole on one of them, {back}:{sooner} so its period is {period}."
        )
    }
}

impl Holes {
    fn entries(&self, f: &mut Formatter) -> fmt::Result {
        let Self { number, top, balls, taken, common_period, .. } = self;
        entry(f, "h", format_args!("{number}; no row below has an offset above {top}"))?;
        let depths = list(&self.depths);
        entry(f, "free depths", format_args!("{depths} below {top}; number of balls {balls}"))?;
        let columns = list(&self.columns);
        entry(f, "takes out", format_args!("{taken}, in columns {columns} mod {common_period}"))
    }

    /// The reason for the period, in sentences.
    fn reason(&self, row: u64, period: u64) -> String {
        let Self { number, top, balls, taken, .. } = self;
        let above = top + 1;
        match number {
            ..0 => format!(
                "Row {row} is constant, because its mean is more than 1 above all offsets of the \
                 rows below."
            ),
            0 => format!("Row {row} has no hole, so it takes {above} in every column."),
            _ => {
                let takes = format!(
                    "Row {row} has h = {number}. It takes out {taken} of {balls} balls: where they \
                     fall its offset is at most {top}, and elsewhere it is {above}."
                );
                let values = if taken.cast_signed() == *number {
                    "As it takes out one ball for each hole, it fills the hole at the depth e(q) \
                     there,"
                } else {
                    "As it takes out fewer balls than it has holes, its offsets there depend on \
                     rows further below,"
                };
                format!("{takes} {values} and its period is {period}.")
            }
        }
    }
}

/// `the mean`, `the mean and the offset below it`, `the mean and 2 offsets below it`.
fn blocked(number: u64) -> String {
    match number {
        0 => "nothing".to_owned(),
        1 => "the mean".to_owned(),
        2 => "the mean and the offset below it".to_owned(),
        more => format!("the mean and the {} offsets below it", more - 1),
    }
}

fn entry(f: &mut Formatter, name: &str, text: impl Display) -> fmt::Result {
    writeln!(f, "  {name:<12} {text}")
}

fn rows(f: &mut Formatter, name: &str, rows: &[Neighbour]) -> fmt::Result {
    if rows.is_empty() {
        return entry(f, name, "none");
    }
    for (place, row) in rows.iter().enumerate() {
        let Neighbour { row, start, heights } = row;
        let name = if place == 0 { name } else { "" };
        let period = heights.len();
        let heights = list(heights);
        entry(f, name, format_args!("row {row} from {start} on: period {period}, at {heights}"))?;
    }
    Ok(())
}

/// A text of any length, in lines.
fn paragraph(f: &mut Formatter, name: &str, text: &str) -> fmt::Result {
    let names = std::iter::once(name).chain(std::iter::repeat(""));
    let lines = wrapped(text, |line| line.chars().count() <= LINE_WIDTH);
    names.zip(lines).try_for_each(|(name, line)| entry(f, name, line))
}

fn list(numbers: &[impl Display]) -> String {
    let more = if numbers.len() > LISTED { " ..." } else { "" };
    joined(numbers.iter().take(LISTED), " ") + more
}
