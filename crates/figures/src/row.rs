//! What all figures read of a row, from its record: offsets, limits, and how it continues. The
//! figure of one row, with the lines of Friedman and Landsberg.

use record::{Record, Statement};

use super::FigureError;
use super::chart::thousandths::{grouped, whole};
use super::chart::{AxisText, Cloud, Figure, Page, Panel, Scale, lines};

/// The largest row or column that is drawn, 2⁴⁰: small multiples of its thousandths fit in 63 bits.
pub(crate) const LARGEST_COLUMN: u64 = 1 << 40;

/// Refuses rows and columns beyond the arithmetic of an axis.
///
/// # Errors
/// [`FigureError::TooFar`].
pub(crate) fn require_within_reach(record: &Record) -> Result<(), FigureError> {
    let end = record.finite().map_or(record.settled(), |finite| finite.last);
    require_column(record.row(), end.max(record.first().unwrap_or(0)), LARGEST_COLUMN)
}

/// Refuses a column of a row beyond the largest that a figure can draw.
///
/// # Errors
/// [`FigureError::TooFar`].
pub(crate) fn require_column(row: u64, column: u64, largest: u64) -> Result<(), FigureError> {
    if column <= largest { Ok(()) } else { Err(FigureError::TooFar { row, column, largest }) }
}

/// Refuses a record without its offsets, or beyond the arithmetic of an axis.
///
/// # Errors
/// [`FigureError::NoOffsets`]; [`FigureError::TooFar`].
pub(crate) fn require_offsets(record: &Record) -> Result<(), FigureError> {
    require_within_reach(record)?;
    let row = record.row();
    record.head_offsets().map(|_| ()).ok_or(FigureError::NoOffsets { row })
}

/// The columns of a range in which a row has a P-position, with its offsets `p - q`.
pub(crate) fn offsets_in(
    record: &Record,
    columns: impl IntoIterator<Item = u64>,
) -> impl Iterator<Item = (u64, u64)> {
    columns.into_iter().filter_map(|q| Some((q, record.offset(q).ok()??)))
}

/// Converts numbers that count things in memory, or columns in a picture.
pub(crate) fn index(n: u64) -> usize {
    usize::try_from(n).expect("a number of things in memory")
}

/// The continuation of a row, which its record proves.
pub(crate) fn ending(record: &Record) -> String {
    match record.statement() {
        Statement::Empty { by } => format!("The row is empty by {by}."),
        Statement::Finite(finite) => format!(
            "The row is finite: computed to its last P-position, ({last},\u{a0}{last},\u{a0}{row}).",
            last = grouped(finite.last),
            row = grouped(finite.row)
        ),
        Statement::Periodic(periodic) => format!(
            "The row is periodic from its start, column {}, on, with period {}, proved by the \
             certificate in its record.",
            grouped(periodic.start),
            grouped(periodic.period())
        ),
    }
}

/// Draws offset `p - q` against column q, for one row, until past its start or its end.
///
/// # Errors
/// [`FigureError::NoOffsets`]; [`FigureError::TooFar`].
pub fn row_figure(record: &Record) -> Result<Figure, FigureError> {
    require_offsets(record)?;
    let row = record.row();
    let last = last_column(record);
    let dots: Vec<(u64, u64)> = offsets_in(record, row..=last).collect();

    let mut page = Page::new(&format!("P-positions of row {}", grouped(row)));
    let top = dots.iter().map(|&(_, offset)| whole(offset)).max().unwrap_or(0);
    let panel = Panel {
        x: Scale::with_room(whole(row), whole(last), 2, Panel::LEFT, Panel::RIGHT),
        y: Scale::with_room(0, top.max(whole(1)), 4, 7090, 850),
    };
    let texts = ["column q (squares in the middle row)", "offset p − q (squares)"];
    let texts = texts.map(AxisText::counts);
    let points: Vec<_> = dots.iter().map(|&(q, offset)| (whole(q), whole(offset))).collect();
    let cloud = Cloud::of(&panel, &points);
    panel.grid(&mut page, texts);
    cloud.draw(&mut page);
    lines::draw(row, &mut page, &panel, whole(row), whole(last));
    let bottom = panel.frame_and_axes(&mut page, texts);
    let what = format!("P-position (p, q, {})", grouped(row));
    let bottom = cloud.legend(&mut page, bottom, &what, &lines::legend());
    Ok(page.caption(bottom, &caption(record, &dots)))
}

/// The last column: some way beyond the lines, and at least the end or two periods.
fn last_column(record: &Record) -> u64 {
    let row = record.row();
    let usual = row + (row * 3 / 5).max(10);
    match record.periodic() {
        Some(periodic) => usual.max(periodic.start + 2 * periodic.period()),
        None => usual.max(record.settled().saturating_sub(1)),
    }
}

fn caption(record: &Record, dots: &[(u64, u64)]) -> String {
    let last = dots.last().map_or(record.row(), |&(q, _)| q);
    format!(
        "The {} P-positions (p, q, {row}) with q = {row} to {}, one a column, and the three lines of \
         Friedman and Landsberg (observed, not proved), where y\u{a0}=\u{a0}q\u{a0}−\u{a0}r, z\u{a0}=\u{a0}p\u{a0}−\u{a0}q, \
         r\u{a0}=\u{a0}{row}. {}",
        grouped(dots.len() as u64),
        grouped(last),
        ending(record),
        row = grouped(record.row()),
    )
}

#[cfg(test)]
pub(crate) mod tests {
    use game::brouwer::Table;

    use super::*;

    /// The record of one row, with its offsets, from the pointer engine.
    pub(crate) fn record_of(row: u64) -> Record {
        fixtures::rows_in_full(row + 1).pop().unwrap()
    }

    #[test]
    fn offsets_are_those_of_brouwers_table() {
        let table = Table::up_to(200);
        for row in [0, 1, 2, 5, 6, 24, 120, 121] {
            let expected: Vec<_> = table.row(row).map(|at| (at.q(), at.p() - at.q())).collect();
            let record = record_of(row);
            let found: Vec<_> = offsets_in(&record, 0..=200).collect();
            assert_eq!(found, expected, "row {row}");
        }
    }
}
