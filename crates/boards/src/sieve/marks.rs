//! Finds the same positions in another way, as an oracle: with the last row outermost, by marking
//! positions.
//!
//! Positions are taken in an order in which each bite leads to an earlier one: by the length of the
//! last row, then of the row before it, and so on. One that is not marked is P, and each position
//! with a bite to it is marked. Nothing of `proofs/boards.md` is used.

use crate::before::before;

/// All P-positions with this number of rows whose row 1 has up to `to` squares, in lexicographic
/// order. `None` if there are more than 2²⁸ tuples of lengths from 0 to `to`, a byte each.
///
/// Costs a step for each position, and one for each pair of a P-position and a position with a bite
/// to it.
#[must_use]
pub fn by_marks(rows: u16, to: u16) -> Option<Vec<Vec<u16>>> {
    by_marks_until(rows, to, &|| false)
}

/// The same; `None`, too, once it is asked to stop.
#[must_use]
pub fn by_marks_until(rows: u16, to: u16, stop: &dyn Fn() -> bool) -> Option<Vec<Vec<u16>>> {
    let radix = usize::from(to) + 1;
    let tuples = radix.checked_pow(rows.into()).filter(|&tuples| tuples <= 1 << 28)?;
    let mut marks = Marks { to, radix, marked: vec![false; tuples], p: Vec::new() };
    // The empty board is no position.
    marks.marked[0] = true;
    marks.take(&mut vec![0; rows.into()], rows.into(), stop)?;
    marks.p.sort_unstable();
    Some(marks.p)
}

struct Marks {
    to: u16,
    radix: usize,
    marked: Vec<bool>,
    p: Vec<Vec<u16>>,
}

impl Marks {
    /// Takes all positions with these lengths of the rows from `row` on.
    fn take(&mut self, lengths: &mut Vec<u16>, row: usize, stop: &dyn Fn() -> bool) -> Option<()> {
        if row == 0 {
            if !self.marked[place(self.radix, lengths)] {
                self.p.push(lengths.clone());
                let Self { to, radix, ref mut marked, .. } = *self;
                before(lengths, to, u16::MAX, &mut |rows, _| marked[place(radix, rows)] = true);
            }
            return Some(());
        }
        if row == 2 && stop() {
            return None;
        }
        for length in lengths.get(row).copied().unwrap_or(0)..=self.to {
            lengths[row - 1] = length;
            self.take(lengths, row - 1, stop)?;
        }
        Some(())
    }
}

fn place(radix: usize, lengths: &[u16]) -> usize {
    lengths.iter().fold(0, |place, &length| place * radix + usize::from(length))
}
