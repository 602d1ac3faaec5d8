//! The P-positions of one row, with the lines of Friedman and Landsberg.

use record::{Record, Statement};

use super::FigureError;
use super::chart::thousandths::{grouped, whole};
use super::chart::{AxisText, Cloud, Figure, Page, Panel, Scale, lines};
use super::offsets::{offsets_in, require_offsets};

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

/// The continuation of a row, which its record proves.
pub(super) fn ending(record: &Record) -> String {
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
