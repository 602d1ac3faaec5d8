//! How the rows of a data set are divided into segments: the rows of each, the name of its file,
//! and the line of each record. It needs no files.

use std::ops::RangeInclusive;

/// The number of rows of a full segment. Segments begin at its multiples.
pub const SEGMENT_ROWS: u64 = 10_000;

/// The line of a segment's first record. The line before it is the segment's head.
const FIRST_RECORD: u64 = 2;

/// The rows of the segment that holds this row, in a data set of rows 0 to `last_row`. Only the
/// last segment may have fewer than [`SEGMENT_ROWS`].
pub fn segment_of(row: u64, last_row: u64) -> RangeInclusive<u64> {
    let first = row - row % SEGMENT_ROWS;
    first..=first.saturating_add(SEGMENT_ROWS - 1).min(last_row)
}

/// The line of its segment on which a row's record stands, counted from 1.
pub fn line_of(row: u64) -> u64 {
    row % SEGMENT_ROWS + FIRST_RECORD
}

/// The name of the file of a segment that is not compressed. It has both ends, so a longer segment
/// never overwrites a shorter one before the manifest lists it.
///
/// ```
/// use record::segments::{file_name, segment_of};
/// assert_eq!(file_name(&segment_of(10_005, 12_000)), "rows-0010000-0012000.ron");
/// ```
pub fn file_name(rows: &RangeInclusive<u64>) -> String {
    format!("rows-{:07}-{:07}.ron", rows.start(), rows.end())
}

/// Whether segments with these rows have exactly rows 0 to `rows - 1`.
pub(crate) fn follow<S>(
    segments: &[S],
    rows: u64,
    rows_of: impl Fn(&S) -> RangeInclusive<u64>,
) -> bool {
    let mut next = 0;
    (1..1 << 62).contains(&rows)
        && segments.iter().map(rows_of).all(|found| {
            let last = *segment_of(next, rows - 1).end();
            let follows = found == (next..=last) && next <= last;
            next = last + 1;
            follows
        })
        && next == rows
}

/// Whether the file of some segment that is not compressed has this name.
#[cfg(feature = "files")]
pub(crate) fn is_file_name(name: &str) -> bool {
    let number = |digits: &str| digits.len() >= 7 && digits.bytes().all(|b| b.is_ascii_digit());
    name.strip_prefix("rows-")
        .and_then(|rest| rest.strip_suffix(".ron"))
        .and_then(|rows| rows.split_once('-'))
        .is_some_and(|(first, last)| number(first) && number(last))
}
